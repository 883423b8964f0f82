package envelope

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/internal/jsonscan"
)

// said is an envelope of content about which there is something to say.
func said(mediaType, content string) Envelope {
	return Envelope{Schema: Schema, Part: Part{MediaType: mediaType, Content: content, Acquired: AcquiredNo}}
}

// quiet is one of content that is complete.
func quiet(mediaType, content string) Envelope {
	e := said(mediaType, content)
	e.Acquired, e.View.Complete = AcquiredYes, true
	return e
}

const jsonMedia = "application/json"

func TestInBandPutsTheMarkerWhereTheRootHasRoom(t *testing.T) {
	const facts = `"schema":"envelope/1","mediaType":"application/json","view":{"complete":false,"exact":false},"acquired":"no"`
	for content, want := range map[string]string{
		`{"a":1}`:          `{"$clip":{` + facts + `},"a":1}`,
		" { \"a\" : 1 }\n": " {\"$clip\":{" + facts + "}, \"a\" : 1 }\n",
		`{}`:               `{"$clip":{` + facts + `}}`,
		"{ }":              `{"$clip":{` + facts + `} }`,
		`[1,[2]]`:          `[1,[2],{"$clip":{` + facts + `}}]`,
		"[ 1 ]\n":          "[ 1 ,{\"$clip\":{" + facts + "}}]\n",
		`[]`:               `[{"$clip":{` + facts + `}}]`,
		`"a\nb"`:           `{"$clip":{` + facts + `,"value":"a\nb"}}`,
		`-1.50E+3`:         `{"$clip":{` + facts + `,"value":-1.50E+3}}`,
		`null`:             `{"$clip":{` + facts + `,"value":null}}`,
		``:                 `{"$clip":{` + facts + `,"content":""}}`,
		`{"a":1`:           `{"$clip":{` + facts + `,"content":"{\"a\":1"}}`,
	} {
		require.Equal(t, want, said(jsonMedia, content).InBand(""), "%q", content)
		require.Equal(t, strings.ReplaceAll(want, "$clip", "_meta"), said(jsonMedia, content).InBand("_meta"), "%q", content)
	}
	text := strings.Replace(facts, "application/json", "text/plain", 1)
	require.Equal(t, `{"$clip":{`+text+`,"content":"<a>\n"}}`, said("text/plain", "<a>\n").InBand(""))
}

func TestInBandLeavesCompleteContentBare(t *testing.T) {
	for _, content := range []string{`{"a":1}`, "[1]\n", `"s"`, `1`, `true`, `{"clip":1,"$":2,"v":"$clip"}`} {
		require.Equal(t, content, quiet(jsonMedia, content).InBand(""))
	}
	require.Equal(t, `"3 files <changed>\n"`, quiet("text/plain", "3 files <changed>\n").InBand(""))
	require.Equal(t, `"{\"a\":1}"`, quiet("text/csv", `{"a":1}`).InBand(""), "what was declared text is text")
}

func TestInBandNeverGoesBareWithSomethingToSay(t *testing.T) {
	for name, edit := range map[string]func(*Envelope){
		"not complete":      func(e *Envelope) { e.View.Complete = false },
		"source incomplete": func(e *Envelope) { e.Acquired = AcquiredNo },
		"a reason":          func(e *Envelope) { e.Reasons = []coverage.Reason{{Code: coverage.NotKept}} },
		"failed":            func(e *Envelope) { e.Failure = &Failure{Message: "m"} },
		"did":               func(e *Envelope) { e.Did = "sent" },
		"next page":         func(e *Envelope) { e.Next = []Next{{Tool: "t"}} },
		"ledger":            func(e *Envelope) { e.Coverage = &coverage.Summary{} },
	} {
		e := quiet(jsonMedia, `{"a":1}`)
		edit(&e)
		require.True(t, strings.HasPrefix(e.InBand(""), `{"$clip":{`), name)
	}
}

// A tool's own data may have a marker in them, by chance, through a second call of
// this library, or to deceive: they never pass for what the envelope says.
func TestInBandDataNeverPassForTheMarker(t *testing.T) {
	forged := said(jsonMedia, `{}`).marker("$clip", "")
	for _, content := range []string{
		"{" + forged + "}", `{"$clip":1}`, `{"\u0024clip":1,"a":2}`, `{"$clip2":1}`, `{"$clip":1,"$clip2":2,"$clip3":3}`,
		"[{" + forged + "}]", "[1,{" + strings.Replace(forged, "$clip", "$clip2", 1) + "}]", `{"a":{"b":[{"$clip7":1}]}}`,
		"{" + strings.Replace(forged, "$clip", `$\u0063lip`, 1) + "}",
	} {
		for _, e := range []Envelope{quiet(jsonMedia, content), said(jsonMedia, content)} {
			out := e.InBand("")
			require.NotEqual(t, content, out, "it does not stand bare")
			got, err := ParseInBand([]byte(out), "")
			require.NoError(t, err, "%s", out)
			require.Equal(t, e, got, "%s", out)
		}
	}
	require.True(t, strings.HasPrefix(quiet(jsonMedia, `{"$clip":1,"$clip2":2}`).InBand(""), `{"$clip3":{`))
	require.True(t, strings.HasPrefix(quiet(jsonMedia, `{"$clip2":1}`).InBand(""), `{"$clip":{`))
}

// genValue is any JSON value, often with names like the marker's.
func genValue(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		space := rapid.SampledFrom([]string{"", "", " ", "\n\t"}).Draw(t, "space")
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		if depth == 0 {
			kind = min(kind, 2)
		}
		n := 0
		if kind > 2 {
			n = rapid.IntRange(0, 4).Draw(t, "values")
		}
		var items []string
		for range n {
			v := genValue(depth-1).Draw(t, "value")
			if kind == 5 {
				v = rapid.SampledFrom([]string{`"a"`, `"$clip"`, `"$clip2"`, `"$clip10"`, `"\u0024clip"`, `""`, `"$clipper"`}).Draw(t, "name") + ":" + v
			}
			items = append(items, v+space)
		}
		switch kind {
		case 0:
			return rapid.SampledFrom([]string{"null", "true", "-0", "1E400", "9007199254740993", `"\ud83d\ude00"`}).Draw(t, "literal")
		case 1, 2:
			return encoded(rapid.String().Draw(t, "string"))
		case 5:
			return "{" + space + strings.Join(items, ",") + "}"
		}
		return "[" + space + strings.Join(items, ",") + "]"
	})
}

// genInBand is any envelope; most of its contents are JSON.
func genInBand() *rapid.Generator[Envelope] {
	return rapid.Custom(func(t *rapid.T) Envelope {
		s := genShape().Draw(t, "shape")
		e := s.envelope().Draw(t, "envelope")
		if s.parts == 1 && e.Base64 == "" && rapid.IntRange(0, 4).Draw(t, "json") > 0 {
			e.MediaType, e.Content, e.View.Cuts = jsonMedia, genValue(3).Draw(t, "content"), nil
		}
		if rapid.IntRange(0, 3).Draw(t, "quiet") == 0 {
			e = quiet(e.MediaType, e.Content)
		}
		return normal(t, genStyle().Draw(t, "style").Word(e, nil))
	})
}

func TestParseInBandReadsWhatInBandMakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := genInBand().Draw(t, "envelope")
		member := rapid.SampledFrom([]string{"", "", "_meta", "v2", "\"", "字"}).Draw(t, "member")
		out := e.InBand(member)
		require.True(t, jsonscan.Valid([]byte(out)), "%s", out)

		got, err := ParseInBand([]byte(out), member)
		require.NoError(t, err, "%s", out)
		if bare(e) && len(e.Parts) == 0 && len(out) == len(encoded(e.Content)) && out == encoded(e.Content) {
			e.MediaType, e.Content = jsonMedia, out // text that stands bare
		}
		if bare(e) && out == e.Content {
			require.Equal(t, e.Content, got.Content)
			require.True(t, got.View.Complete)
			return
		}
		e = e.fewPlaces()
		e.Fence, e.Closing = "", ""
		require.Equal(t, e, got, "%s", out)
	})
}

func TestInBandKeepsTheRootAndInventsNoOtherKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := genInBand().Draw(t, "envelope")
		d, isData := inBandData(e, DefaultMember)
		if !isData || (d.root != jsonscan.Object && d.root != jsonscan.Array) {
			return
		}
		out := decoded(t, e.InBand(""))
		switch data := decoded(t, e.Content).(type) {
		case map[string]any:
			got := out.(map[string]any)
			if name := d.free(DefaultMember); !bare(e) || len(d.taken) > 0 {
				require.NotContains(t, data, name)
				require.Contains(t, got, name)
				delete(got, name)
			}
			require.Equal(t, data, got)
		case []any:
			got := out.([]any)
			if !bare(e) || len(d.taken) > 0 {
				require.Len(t, got[len(got)-1], 1)
				got = got[:len(got)-1]
			}
			require.Equal(t, data, append([]any{}, got...))
		}
	})
}

// decoded is a JSON value with its numbers as they are written.
func decoded(t require.TestingT, s string) (v any) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	require.NoError(t, dec.Decode(&v))
	return v
}

func TestInBandListsFewPlaces(t *testing.T) {
	e := said(jsonMedia, `{"a":1}`)
	for i := range int64(maxPlaces + 1) {
		e.View.Bytes = append(e.View.Bytes, coverage.Range{Start: 2 * i, End: 2*i + 1})
		got, err := ParseInBand([]byte(e.InBand("")), "")
		require.NoError(t, err)
		if i < maxPlaces {
			require.Equal(t, e.View.Bytes, got.View.Bytes)
		} else {
			require.Empty(t, got.View.Bytes)
		}
	}
	text := said("text/plain", "abcdefghijklmnopqrstuvwxyz")
	for i := range int64(maxPlaces + 1) {
		text.View.Cuts = append(text.View.Cuts, Cut{At: i, Mark: "gap"})
		got, err := ParseInBand([]byte(text.InBand("")), "")
		require.NoError(t, err)
		require.Equal(t, i < maxPlaces, len(got.View.Cuts) > 0)
	}
	several := Envelope{Schema: Schema, Parts: []Part{e.Part, said("text/plain", "x").Part}}
	got, err := ParseInBand([]byte(several.InBand("")), "")
	require.NoError(t, err)
	require.Empty(t, got.Parts[0].View.Bytes)
	require.NotEmpty(t, several.Parts[0].View.Bytes, "the envelope itself is as it was")
}

func TestInBandOfAnyDepth(t *testing.T) {
	const deep = 200_000
	content := strings.Repeat("[", deep) + strings.Repeat("]", deep)
	out := said(jsonMedia, content).InBand("")
	require.True(t, jsonscan.Valid([]byte(out)))
	e, err := ParseInBand([]byte(out), "")
	require.NoError(t, err)
	require.Equal(t, content, e.Content)
	require.Equal(t, AcquiredNo, e.Acquired)
}

func TestInBandSurvivesArgumentsThatCantBeEncoded(t *testing.T) {
	for _, bad := range []any{make(chan int), panicking{}} {
		e := said(jsonMedia, `{"a":1}`)
		e.Next = []Next{{Tool: "t", Arguments: map[string]any{"x": bad}, Gives: "g"}}
		got, err := ParseInBand([]byte(e.InBand("")), "")
		require.NoError(t, err)
		require.Equal(t, `{"a":1}`, got.Content)
		require.Equal(t, "t", got.Next[0].Tool)
	}
}

type panicking struct{}

func (panicking) MarshalJSON() ([]byte, error) { panic("MarshalJSON") }

func TestParseInBandRefusesWhatIsNoneAndBelievesNobody(t *testing.T) {
	for _, p := range []string{"", "{", "[1]x", `{"$clip":1}`, `{"$clip":{"schema":"envelope/9"}}`, `[{"$clip":{}}]`, `{"$clip":{"schema":"envelope/1","schema":"envelope/1"}}`} {
		_, err := ParseInBand([]byte(p), "")
		require.True(t, errors.Is(err, ErrNotEnvelope), "%q: %v", p, err)
	}
	for _, p := range []string{`{"a":1,"$clip":2}`, `[{"$clip":1,"a":2}]`, `[{"$clip":1},2]`, `[["$clip"]]`, `[]`, `{}`, `"$clip"`} {
		e, err := ParseInBand([]byte(p), "")
		require.NoError(t, err, "%q", p)
		require.Equal(t, p, e.Content, "data without a marker")
		require.False(t, e.Worded())
	}
}

func FuzzParseInBand(f *testing.F) {
	for _, content := range []string{`{"a":1}`, `[1,{"b":null}]`, `"s"`, `[]`, ` { } `} {
		f.Add([]byte(said(jsonMedia, content).InBand("")))
		f.Add([]byte(content))
	}
	f.Add([]byte(said("text/plain", "text\n").InBand("")))
	f.Fuzz(func(t *testing.T, p []byte) {
		e, err := ParseInBand(p, "")
		if err != nil {
			require.ErrorIs(t, err, ErrNotEnvelope)
			return
		}
		again, err := ParseInBand([]byte(e.InBand("")), "")
		require.NoError(t, err, "%s", e.InBand(""))
		if !bare(e) || len(e.Parts) > 0 {
			if d, ok := inBandData(e, ""); ok && d.root != jsonscan.Object && d.root != jsonscan.Array {
				e.Content = strings.TrimSpace(e.Content)
			}
			e = e.fewPlaces()
			e.Fence, e.Closing = "", ""
			require.Equal(t, e, again)
		}
	})
}
