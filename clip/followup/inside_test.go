package followup_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// holding is a result of MCP whose only text is text.
func holding(t *testing.T, text string) json.RawMessage {
	p, err := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	require.NoError(t, err)
	return p
}

const inText = "/content/0/text"

// A reader who looks inside a string and then makes the first call of each envelope
// reads all of its text, each line once.
func TestReadingOnInsideAStringReadsAllOfIt(t *testing.T) {
	for _, text := range []string{
		numbered(549), strings.Repeat(`one "line" without an end`, 400), "short\n" + strings.Repeat("字", 3000) + "\n" + numbered(200),
		strings.Repeat("👩‍👩‍👧‍👦", 900), numbered(2),
	} {
		b := newBench(t, artifact.NewMemory(nil), nil)
		e := b.save(holding(t, text))
		args := map[string]any{"artifact": e.Artifact.Handle, "pointer": inText, "inside": true}
		if strings.Count(text, "\n") > 1 {
			args["line"] = 1
		} else {
			args["byte"] = 0
		}
		var got strings.Builder
		for pages := 0; args != nil; pages++ {
			require.Less(t, pages, 200)
			p := b.call("artifact_read", args)
			require.Nil(t, p.Failure)
			require.LessOrEqual(t, len(p.Text()), 2000)
			got.WriteString(p.Content)
			if args = nil; len(p.Next) > 0 && p.Next[0].Tool == "artifact_read" {
				args = p.Next[0].Arguments
			}
		}
		require.Equal(t, text, got.String())
	}
}

// Of a string that is cut and holds JSON, what it holds is offered, and in every form the
// calls that follow show each value in it, once.
func TestAStringThatHoldsJSONIsReadAsThat(t *testing.T) {
	long := strings.Repeat("a long text ", 200)
	inners := map[string]string{
		"rows":               `{"total":90,"rows":[` + strings.TrimSuffix(strings.Repeat(`{"id":9007199254740993,"name":"one of many"},`, 90), ",") + `],"next":null}`,
		"an array":           `[` + strings.Repeat(`"some text of an element",`, 200) + `0]`,
		"several long texts": `{"a":"` + long + `","b":{"c":"` + long + `","d":["` + long + `",1,"` + long + `"]}}`,
		"twice the same key": `{"a":"` + long + `","a":[` + strings.Repeat("1234567890,", 300) + `0]}`,
	}
	for form := clip.TextForm; form <= clip.InBandForm; form++ {
		for name, inner := range inners {
			for pointer, doc := range map[string]json.RawMessage{inText: holding(t, inner), "": quoted(t, inner), "/a~1b": json.RawMessage(`{"a/b":` + string(quoted(t, inner)) + `}`)} {
				b := newBench(t, artifact.NewMemory(nil), nil, func(cfg *clip.Config) { cfg.Form, cfg.Budget = form, clip.Bytes(2600) })
				e := b.save(doc)
				first := call(t, e, "artifact_read")
				want := map[string]any{"artifact": e.Artifact.Handle, "inside": true}
				if pointer != "" {
					want["pointer"] = pointer
				}
				require.Equal(t, want, first.Arguments)
				require.Contains(t, first.Gives, "holds: JSON ")

				var seen coverage.Set
				shown := int64(0)
				for _, p := range b.readOn(e, 500) {
					if !slices.ContainsFunc(p.View.Transforms, func(t envelope.Transform) bool { return t.Name == clip.InsideTransform }) {
						continue
					}
					seen = seen.Add(p.View.Bytes...)
					for _, r := range p.View.Bytes {
						shown += r.Len()
					}
				}
				for _, g := range seen.Gaps(int64(len(inner))) {
					require.Empty(t, strings.Trim(inner[g.Start:g.End], "{}[]:,\" "), "form %d, %s at %q: bytes %d to %d are never offered", form, name, pointer, g.Start, g.End)
				}
				if form == clip.TextForm { // elsewhere one call covers several gaps
					require.Equal(t, seen.Len(), shown, "%s at %q: disjoint", name, pointer)
				}
			}
		}
	}
}

// Nobody who reads the bytes of a string is led away from them, and of a string that
// holds no JSON the rest is its bytes.
func TestBytesOfAStringAreReadOnAsBytes(t *testing.T) {
	inner := `{"text":"` + strings.Repeat("x", 9000) + `"}`
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(holding(t, inner))
	p := b.call("artifact_read", on(e, `"pointer":"/content/0/text","byte":100`))
	next := call(t, p, "artifact_read").Arguments
	require.Contains(t, next, "byte")
	require.NotContains(t, next, "inside")

	picture := "data:image/png;base64," + strings.Repeat("iVBORw0KGgo", 900)
	for _, text := range []string{numbered(2000), inner[:8000], "{see below} " + inner, picture} {
		e := b.save(holding(t, text))
		next := call(t, e, "artifact_read").Arguments
		require.Equal(t, inText, next["pointer"])
		require.Contains(t, next, "byte")
		require.NotContains(t, next, "inside")
	}
}

// Where a name stands twice, a pointer is that of the first value: nothing is said of it
// that is true of the other.
func TestAStringThatHoldsJSONUnderANameThatStandsTwice(t *testing.T) {
	held := string(quoted(t, `{"text":"`+strings.Repeat("x", 9000)+`"}`))
	b := newBench(t, artifact.NewMemory(nil), nil)
	for doc, inside := range map[string]int{
		`{"a":"` + strings.Repeat("plain ", 900) + `","a":` + held + `}`: 0,
		`{"a":` + held + `,"a":"` + strings.Repeat("plain ", 900) + `"}`: 1,
	} {
		e := b.save(json.RawMessage(doc))
		got := 0
		for _, n := range e.Next {
			if n.Arguments["inside"] == true {
				got++
			}
		}
		require.Equal(t, inside, got, "%v", e.Next)
		b.readOn(e, 100)
	}
}

// What a string in a string holds is read on in one range where each call costs budget.
func TestStringsInStringsAreReadOnInTheEncodedForms(t *testing.T) {
	long := strings.Repeat("a long text ", 200)
	inner := `{"a":"` + long + `","b":{"c":"` + long + `","d":["` + long + `",1]}}`
	for _, form := range []clip.Form{clip.JSONForm, clip.InBandForm} {
		b := newBench(t, artifact.NewMemory(nil), nil, func(cfg *clip.Config) { cfg.Form, cfg.Budget = form, clip.Bytes(2700) })
		e := b.save(holding(t, `{"deep":`+string(quoted(t, inner))+`}`))
		p := b.call("artifact_read", on(e, `"pointer":"`+inText+`/deep","inside":true`))
		require.Equal(t, inText+"/deep", call(t, p, "artifact_read").Arguments["pointer"])
		var seen coverage.Set
		for _, p := range b.readOn(p, 100) {
			require.Equal(t, coverage.Exactly(2), p.View.Transforms[0].Count)
			seen = seen.Add(p.View.Bytes...).Add(p.View.Context...)
		}
		require.Empty(t, seen.Gaps(int64(len(inner))))
	}
}

// quoted is text as a JSON string.
func quoted(t *testing.T, text string) json.RawMessage {
	p, err := json.Marshal(text)
	require.NoError(t, err)
	return p
}

func TestInsideArguments(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(json.RawMessage(`{"log":"one\ntwo\n","doc":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}","n":1,"list":"[1,2,3]"}`))
	for args, want := range map[string]string{
		`"pointer":"/log","inside":true`:                     "one\ntwo\n",
		`"pointer":"/log","inside":true,"line":2`:            "two\n",
		`"pointer":"/log","inside":"true","line":2,"to":9`:   "two\n",
		`"pointer":"/log","inside":true,"byte":4,"to":7`:     "two",
		`"pointer":"/log","inside":false,"byte":4,"to":7`:    `"tw"`,
		`"pointer":"/doc","inside":true`:                     `{"rows":[{"id":1},{"id":2},{"id":3}]}`,
		`"pointer":"/doc/rows","item":2,"to":2`:              `[{"id":2}]`,
		`"pointer":"/doc/rows/2"`:                            `{"id":3}`,
		`"pointer":"/doc/rows","inside":true,"item":3`:       `[{"id":3}]`,
		`"pointer":"/list","inside":true,"item":2`:           `[2,3]`,
		`"inside":true,"pointer":"/list","item":3,"to":1000`: `[3]`,
		`"inside":true`: `{"log":"one\ntwo\n","doc":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}","n":1,"list":"[1,2,3]"}`,
	} {
		p := b.call("artifact_read", `{"artifact":"`+e.Artifact.Handle+`",`+args+`}`)
		require.Nil(t, p.Failure, "%s: %+v", args, p.Failure)
		require.Equal(t, want, p.Content, args)
	}
	for args, says := range map[string]string{
		`"pointer":"/log","inside":true,"line":3`:  "line 3 is past the end: 2 lines in all",
		`"pointer":"/log","inside":true,"byte":8`:  "byte 8 is past the end: 8 bytes in all",
		`"pointer":"/list","inside":true,"item":4`: "item 4 is past the end: 3 items in all",
		`"pointer":"/log","inside":true,"item":1`:  "has no items",
		`"pointer":"/log","line":1`:                "or set inside to read the lines in a string",
		`"pointer":"/n","inside":true,"line":1`:    "there is no string at pointer",
		`"pointer":"/log/x"`:                       "there is nothing at pointer",
		`"pointer":"/doc/cols","inside":true`:      "there is nothing at pointer",
		`"pointer":"/log","inside":"yes","line":1`: "neither true nor false",
	} {
		p := b.call("artifact_read", `{"artifact":"`+e.Artifact.Handle+`",`+args+`}`)
		require.NotNil(t, p.Failure, args)
		require.Contains(t, p.Failure.Message+p.Failure.Advice, says, args)
	}
}

func TestQueryingRecordsInsideAString(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	var rows []string
	for i := range 500 {
		rows = append(rows, `{"id":`+string(rune('0'+i%10))+`,"status":"`+[]string{"ok", "failed"}[i%100/99]+`","pad":"`+strings.Repeat("x", 60)+`"}`)
	}
	list := "[" + strings.Join(rows, ",") + "]"
	for pointer, doc := range map[string]json.RawMessage{inText: holding(t, list), inText + "/rows": holding(t, `{"rows":`+list+`}`)} {
		e := b.save(doc)
		p := b.call("artifact_query", map[string]any{
			"artifact": e.Artifact.Handle, "pointer": pointer, "inside": true,
			"where": []any{map[string]any{"pointer": "/status", "op": "!=", "value": "ok"}},
		})
		require.Nil(t, p.Failure, "%+v", p.Failure)
		require.Equal(t, coverage.Exactly(5), p.Scan.Matched)
		require.Equal(t, coverage.Exactly(500), p.Scan.Of)
		var got []struct{ Status string }
		require.NoError(t, json.Unmarshal([]byte(p.Content), &got))
		require.Len(t, got, 5)

		all := b.call("artifact_query", map[string]any{
			"artifact": e.Artifact.Handle, "pointer": pointer, "inside": true,
			"where": []any{map[string]any{"pointer": "/status", "op": "==", "value": "ok"}},
		})
		next := call(t, all, "artifact_query")
		require.Equal(t, pointer, next.Arguments[clip.ArgPointer])
		require.Equal(t, true, next.Arguments[clip.ArgInside])
		on := b.call("artifact_query", next.Arguments)
		require.Nil(t, on.Failure)
		require.Equal(t, all.View.Units[len(all.View.Units)-1].End, on.View.Units[0].Start)
	}
}

// call is e's call of tool.
func call(t *testing.T, e envelope.Envelope, tool string) envelope.Next {
	for _, n := range e.Next {
		if n.Tool == tool {
			return n
		}
	}
	t.Fatalf("no call of %s in %+v", tool, e.Next)
	return envelope.Next{}
}
