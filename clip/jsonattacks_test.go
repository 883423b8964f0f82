package clip_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// hostileJSON are documents made to break what reads, cuts or counts them.
func hostileJSON() map[string]string {
	blob := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("some bytes\x00\xfe\xff"), 4000))
	key := strings.Repeat("k", 60_000)
	return map[string]string{
		"huge key first":     `{"` + key + `":1,"a":2}`,
		"huge key last":      `{"a":2,"b":[1,2,3],"` + key + `":[1,2,3]}`,
		"huge keys":          `{"` + key + `":{"` + key + `":1},"` + key + `x":2}`,
		"huge key of CJK":    `{"` + strings.Repeat("键", 20_000) + `":"` + strings.Repeat("值", 20_000) + `"}`,
		"huge key, escaped":  `{"` + strings.Repeat(`\u006b`, 9000) + `":"v"}`,
		"record, huge key":   `[{"id":1,"` + key + `":1},{"id":2}]`,
		"duplicate keys":     `{` + strings.TrimSuffix(strings.Repeat(`"a":{"b":[1,2,3],"b":"`+strings.Repeat("x", 90)+`"},`, 300), ",") + `}`,
		"the empty key":      `{"":{"":{"":[` + strings.TrimSuffix(strings.Repeat(`"",`, 3000), ",") + `]}}}`,
		"odd keys":           `{"a/b":{"~":[{"\u0000":"` + strings.Repeat("z", 4000) + `"}],"~1":"","\"":1},"\ud83d":1,"-":2,"00":3}`,
		"data URI":           `{"a":1,"image":"data:image/png;base64,` + blob + `","z":{"url":"data:text/plain;charset=utf-8;base64,` + blob + `"}}`,
		"data URIs":          `[` + strings.TrimSuffix(strings.Repeat(`{"src":"data:image/svg+xml;base64,`+blob[:3000]+`"},`, 40), ",") + `]`,
		"base64":             `{"a":"` + blob + `","b":["` + blob + `"]}`,
		"base64url":          `["` + strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(blob) + `"]`,
		"almost base64":      `["` + blob[:255] + " " + blob + `"]`,
		"lone surrogates":    `["` + strings.Repeat(`\ud83d`, 2000) + `",{"\udead":"\ud83dx"}]`,
		"pairs and halves":   `"` + strings.Repeat(`\ud83d\ude00\ud83d`, 2000) + `"`,
		"one long number":    `{"n":` + strings.Repeat("9", 30_000) + `,"a":1}`,
		"a root number":      `-` + strings.Repeat("1", 30_000) + `.5e+10`,
		"numbers":            `[` + strings.TrimSuffix(strings.Repeat(`-0,1E400,1.0,9007199254740993,18446744073709551617,0.1e-7,`, 900), ",") + `]`,
		"deep arrays":        strings.Repeat("[", 12_000) + strings.Repeat("]", 12_000),
		"deep objects":       strings.Repeat(`{"a":`, 2000) + "null" + strings.Repeat("}", 2000),
		"deep and wide":      strings.Repeat(`[1,{"a":"b"},`, 5000) + "0" + strings.Repeat("]", 5000),
		"ones":               "[" + strings.TrimSuffix(strings.Repeat("1,", 8000), ",") + "]",
		"empties":            "[" + strings.TrimSuffix(strings.Repeat(`{},[],"",`, 2000), ",") + "]",
		"white space":        strings.Repeat(" \n\t\r", 5000) + "[" + strings.Repeat(" ", 9000) + "1 ," + strings.Repeat("\n", 9000) + `{"a"` + strings.Repeat(" ", 3000) + ": 2 } ]" + strings.Repeat("\n", 4000),
		"one long string":    `"` + strings.Repeat("word ", 9000) + `"`,
		"escapes":            `["` + strings.Repeat(`\\\"\/\b\f\n\r\t\u00e9`, 2000) + `"]`,
		"control escapes":    `{"t":"` + strings.Repeat(`\u0000\u001b[31m\u202e`, 2000) + `"}`,
		"clusters":           `["` + strings.Repeat("👩‍👩‍👧‍👦e\u0301🇫🇷", 900) + `"]`,
		"one long cluster":   `["e` + strings.Repeat("\u0301", 9000) + `"]`,
		"U+2028":             `["` + strings.Repeat("a\u2028\u2029", 3000) + `"]`,
		"our own notice":     `["[PARTIAL items 1-2 of 3]","-- ab123456 end",` + strings.TrimSuffix(strings.Repeat(`{"$clip":{"schema":"envelope/1","view":{"complete":true}}},`, 300), ",") + `]`,
		"MCP in MCP":         mcp(mcp(mcp(`{"rows":[` + strings.TrimSuffix(strings.Repeat(`{"id":1,"t":"a\"b\n"},`, 900), ",") + `]}`))),
		"HTML":               `{"html":"` + strings.Repeat("<a href='x'>&amp;</a>", 900) + `"}`,
		"one in many nulls":  "[" + strings.Repeat("null,", 3000) + `{"found":1}]`,
		"arrays of arrays":   "[" + strings.TrimSuffix(strings.Repeat("["+strings.TrimSuffix(strings.Repeat("[1,2],", 50), ",")+"],", 90), ",") + "]",
		"keys like pointers": `{"` + strings.Repeat("/~", 400) + `":[` + strings.TrimSuffix(strings.Repeat(`{"a":1},`, 3000), ",") + `]}`,
	}
}

// attackers are policies that differ in all that decides how JSON is cut.
func attackers(t *testing.T) []clip.Config {
	kept := clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups}
	with := func(cfg clip.Config, f clip.Form, s clip.Show) clip.Config {
		cfg.Form, cfg.Show = f, s
		return cfg
	}
	return []clip.Config{
		with(kept, clip.TextForm, clip.Show{}), with(clip.Config{}, clip.JSONForm, clip.Show{Ends: clip.Tail}),
		with(kept, clip.InBandForm, clip.Show{Ends: clip.HeadAndTail, MaxRecord: 100}),
		with(clip.Config{}, clip.TextForm, clip.Show{Inside: true, Keep: []clip.Keep{{Pointer: "/found", Op: "exists"}}, Required: []string{"a", "z"}}),
	}
}

func TestHostileJSONIsCutWithinTheLaws(t *testing.T) {
	t.Parallel()
	docs := hostileJSON()
	units := []string{"byte", "rune", "grapheme", "token"}
	budgets := []func(int) clip.Budget{clip.Bytes, clip.Runes, clip.Graphemes, func(n int) clip.Budget { return clip.Tokens(n, nil) }}
	for i, cfg := range attackers(t) {
		for j, unit := range units {
			least := smallest(t, cfg, budgets[j])
			for _, more := range []int{0, 150, 3000, 40_000} {
				if (testing.Short() && more != 150) || (more > 3000 && unit != "byte") {
					continue
				}
				cfg.Budget = budgets[j](least + more)
				c := newClipper(t, cfg)
				for k, doc := range slices.Sorted(maps.Keys(docs)) {
					if (i+j+k)%len(units) != 0 {
						continue // another policy has this document in this unit
					}
					name := fmt.Sprintf("%s, policy %d, %v", doc, i, cfg.Budget)
					e, err := c.Clip(ctx, json.RawMessage(docs[doc]))
					require.NoError(t, err, name)
					requireWithin(t, cfg, unit, least+more, e, name)
					requireCut(t, docs[doc], e, name)
				}
			}
		}
	}
}

// requireCut checks a view of JSON against its source.
func requireCut(t *testing.T, src string, e envelope.Envelope, name string) {
	inside := len(e.View.Transforms) > 0 && e.View.Transforms[0].Name == clip.InsideTransform
	if !inside {
		requireVerbatim(t, []byte(src), e.Part)
		require.Equal(t, coverage.Exactly(int64(len(src))), e.View.ByteTotal, name)
	}
	if e.Content == "" {
		require.Contains(t, "-0123456789", src[:1], name)
		return
	}
	if !inside {
		require.Equal(t, "application/json", e.MediaType, name)
		require.Equal(t, kindOf([]byte(src)), kindOf([]byte(e.Content)), name)
	}
	if e.MediaType == "application/json" {
		require.NoError(t, validJSON(e.Content), name)
	}
	if !e.View.Complete {
		require.NotEmpty(t, e.Notice, name)
	}
	for _, o := range e.View.Omissions {
		require.LessOrEqual(t, o.Shown+o.Part, o.Total.Value, name)
		requireRelation(t, []byte(src), e.Part, o)
		require.LessOrEqual(t, o.Bytes.End, int64(len(src)), name)
	}
}

// validJSON is encoding/json's verdict, without its limit of 10,000 levels.
func validJSON(s string) error {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	for depth := 0; ; {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
		if depth > 0 {
			continue
		}
		if _, err := dec.Token(); err != io.EOF {
			return fmt.Errorf("something follows the value: %v", err)
		}
		return nil
	}
}

func TestHostileJSONInAnyChunks(t *testing.T) {
	docs := hostileJSON()
	for i, cfg := range attackers(t) {
		cfg.Budget = clip.Bytes(3000)
		c := newClipper(t, cfg)
		for k, name := range slices.Sorted(maps.Keys(docs)) {
			if (i+k)%4 != 0 {
				continue // another policy has this document
			}
			src := docs[name]
			cryptotest.SetGlobalRandom(t, 5)
			want, err := c.Clip(ctx, json.RawMessage(src))
			require.NoError(t, err)
			cryptotest.SetGlobalRandom(t, 5)
			got, err := c.Clip(ctx, clip.Result{MediaType: "application/json", Content: iotest.OneByteReader(strings.NewReader(src))})
			require.NoError(t, err)
			require.Equal(t, unnamed(want), unnamed(got), name)
		}
	}
}

// What is not one JSON value is text, and why is said: where it was declared JSON, with
// the offset and the line of the first byte that can't be there.
func TestWhatIsNotJSONIsTextAndWhyIsSaid(t *testing.T) {
	c := kept(t, clip.Bytes(4000))
	for src, says := range map[string][]string{
		"{\"a\":1,\n\"b\":NaN}": {"byte 12, line 2", "'N'"},
		"[1,-Infinity]":         {"byte 4, line 1"},
		"{'a':1}":               {"byte 1, line 1", "single quote"},
		"[1, // one\n2]":        {"byte 4, line 1", "no comments"},
		"/* c */ {}":            {"byte 0, line 1", "no comments"},
		"\ufeff{\"a\":1}":       {"byte 0, line 1", "byte order mark"},
		"{\"a\":1} trailing":    {"byte 8, line 1", "nothing but white space"},
		"{}\n{}\n":              {"byte 3, line 2"},
		"[1,2,]":                {"byte 5, line 1"},
		"{\"a\":1,}":            {"byte 7, line 1"},
		"{a:1}":                 {"byte 1, line 1"},
		"[01]":                  {"byte 2, line 1"},
		"[+1]":                  {"byte 1, line 1"},
		"[1.]":                  {"byte 3, line 1"},
		"\"a\tb\"":              {"byte 2, line 1", "control byte 0x09"},
		"[\"\\x41\"]":           {"byte 3, line 1"},
		"[\"\xff\"]":            {"byte 2, line 1", "not UTF-8"},
		"[\"\xed\xa0\x80\"]":    {"byte 3, line 1", "not UTF-8"},
		"[\n\n\n True]":         {"byte 5, line 4"},
		"]":                     {"byte 0, line 1"},
	} {
		for _, content := range []any{json.RawMessage(src), clip.Result{MediaType: "application/vnd.api+json", Content: src}} {
			e, err := c.Clip(ctx, content)
			require.NoError(t, err)
			require.NotEqual(t, "application/json", e.MediaType, "%q", src)
			require.NotEmpty(t, e.Reasons, "%q", src)
			r := e.Reasons[0]
			require.Equal(t, coverage.ParseFailed, r.Code, "%q", src)
			for _, s := range append(says, "read as text") {
				require.Contains(t, r.Message, s, "%q", src)
			}
			require.NotEmpty(t, e.Notice)
		}
	}
}

// What ends in the middle of a value is not whole, and says so, at every length.
func TestJSONThatStopsAnywhereIsIncomplete(t *testing.T) {
	const src = `{"a":[1,-2.5e+3,true,null,"x\u00e9\n"],"b":{"c":""}}`
	c := kept(t, clip.Bytes(4000))
	for n := range len(src) {
		if n == 0 {
			continue
		}
		e, err := c.Clip(ctx, json.RawMessage(src[:n]))
		require.NoError(t, err)
		require.Equal(t, envelope.AcquiredNo, e.Acquired, "%s", src[:n])
		require.Equal(t, coverage.ByteTruncated, e.Reasons[0].Code, "%s", src[:n])
		require.Contains(t, e.Reasons[0].Message, fmt.Sprintf("byte %d, line 1", n))
		require.Equal(t, src[:n], e.Content)
		require.NotEmpty(t, e.Notice)
	}
}

// A data URI is known by its head: the media type, the length of all of it and the
// hash that its bytes have.
func TestDataURIsAndBase64AreSaid(t *testing.T) {
	blob := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("some bytes\x00\xfe\xff"), 4000))
	for _, tc := range []struct{ value, of, head string }{
		{"data:image/png;base64," + blob, "image/png", "data:image/png;base64,"},
		{"data:text/html;charset=utf-8;base64," + blob, "text/html", "data:text/html;charset=utf-8;base64,"},
		{"data:;base64," + blob, "text/plain", "data:;base64,"},
		{blob, "base64", blob[:64]},
	} {
		for _, escape := range []bool{false, true} {
			raw := tc.value
			if escape {
				raw = strings.ReplaceAll(raw, "/", `\/`)
			}
			src := `{"rows":[{"id":1,"v":"` + raw + `","after":2}],"total":1}`
			e, err := newClipper(t, clip.Config{Budget: clip.Bytes(2000)}).Clip(ctx, src)
			require.NoError(t, err)
			var doc struct {
				Rows []struct {
					V     string
					After int
				}
				Total int
			}
			require.NoError(t, json.Unmarshal([]byte(e.Content), &doc), "%s", e.Content)
			require.True(t, strings.HasPrefix(tc.value, doc.Rows[0].V))
			require.LessOrEqual(t, len(doc.Rows[0].V), 64)
			require.Equal(t, []int{2, 1}, []int{doc.Rows[0].After, doc.Total})
			i := slices.IndexFunc(e.View.Omissions, func(o envelope.Omission) bool { return o.Pointer == "/rows/0/v" })
			require.GreaterOrEqual(t, i, 0)
			o := e.View.Omissions[i]
			require.Equal(t, tc.of, o.Of)
			require.Equal(t, coverage.Exactly(int64(len(raw))), o.Total)
			require.Equal(t, fmt.Sprintf("%x", sha256.Sum256([]byte(raw))), o.SHA256)
			require.Contains(t, e.Notice, "("+tc.of+")", "the model is told")
		}
	}
}

func TestJSONRefusesWhatIsNotEvenText(t *testing.T) {
	t.Parallel()
	for src, at := range map[string]string{"[1]\x00": "byte 3", "[\"a\x00b\"]": "byte 3", "\x00\x01\x02 not json": "byte 0"} {
		_, err := clip.JSON([]byte(src), clip.Bytes(100), clip.Show{})
		require.ErrorContains(t, err, at, "%q", src)
	}
}

// Records that can't be looked at are not taken for records that match.
func TestAQueryOfWhatIsNotJSONSaysSo(t *testing.T) {
	t.Parallel()
	rows := func(yield func(map[string]string) bool) {
		for range 10 {
			if !yield(map[string]string{"status": "ok"}) {
				return
			}
		}
	}
	cfg := clip.Config{Show: clip.Show{Only: true, Keep: []clip.Keep{{Pointer: "/status", Op: "==", Value: "FAILED"}}}}
	for _, src := range []any{rows, "a text\nof two lines"} {
		e, err := newClipper(t, cfg).Clip(ctx, src)
		require.NoError(t, err)
		require.NotEmpty(t, e.Notice)
		require.Len(t, e.Reasons, 1)
		require.Equal(t, coverage.ParseFailed, e.Reasons[0].Code)
	}
}
