package followup_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// hostileJSON are documents in which it is hard to find what was not shown.
func hostileJSON() map[string]string {
	blob := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("some bytes\x00\xfe\xff", 600)))
	key := strings.Repeat("k", 5000)
	many := func(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	return map[string]string{
		"huge keys":        `{"a":1,"` + key + `":{"` + key + `x":[1,2,3]},"` + key + `":"twice","z":2}`,
		"huge key, record": `[{"id":1,"` + key + `":` + `"v"},{"id":2}]`,
		"duplicate keys":   `{` + many(`"a":{"b":[1,2,3],"b":"`+strings.Repeat("x", 90)+`"}`, 60) + `}`,
		"empty keys":       `{"":{"":{"":[` + many(`""`, 1500) + `],"":[` + many(`1`, 1500) + `]}}}`,
		"odd keys":         `{"a/b":{"~":[{"\u0000\u0007":"` + strings.Repeat("z", 4000) + `"}],"~1":"` + strings.Repeat("y", 3000) + `","\"":1},"\ud83d":["` + strings.Repeat("w", 3000) + `"],"-":2,"00":3}`,
		"blobs":            `{"a":1,"image":"data:image/png;base64,` + blob + `","b":["` + blob + `"]}`,
		"long number":      `{"n":` + strings.Repeat("9", 6000) + `,"a":[` + strings.Repeat("8", 3000) + `]}`,
		"root number":      `-` + strings.Repeat("1", 6000) + `.5e+10`,
		"a root string":    "\n " + `"` + strings.Repeat(`\\\"`, 3000) + `end"`,
		"root string":      `"` + strings.Repeat(`word \" \u00e9 \ud83d\ude00 `, 400) + `end"`,
		"deep":             strings.Repeat(`{"a":[`, 600) + `"` + strings.Repeat("x", 3000) + `"` + strings.Repeat("]}", 600),
		"ones":             "[" + many("1", 4000) + "]",
		"empties":          "[" + many(`{},[],""`, 900) + "]",
		"white space":      strings.Repeat(" \n", 900) + "[" + strings.Repeat(" ", 900) + "1 ," + strings.Repeat("\n", 900) + `{"a"` + strings.Repeat(" ", 900) + `: "` + strings.Repeat("x", 3000) + `" } ]` + strings.Repeat("\n", 900),
		"arrays of arrays": "[" + many("["+many("[1,2]", 20)+"]", 60) + "]",
		"large records":    "[" + many(`{"id":1,"tags":["a","b"],"text":"`+strings.Repeat("字", 900)+`"}`, 12) + "]",
		"many members":     `{` + manyMembers(600) + `}`,
	}
}

func manyMembers(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(`"key%d":{"v":%d}`, i, i))
	}
	return strings.Join(out, ",")
}

// Whatever the document, following the calls shows every scalar of it, no byte twice,
// and ends. A page that shows nothing names something smaller.
func TestLaw07EveryScalarOfHostileJSONIsReachedOnce(t *testing.T) {
	for name, doc := range hostileJSON() {
		for _, budget := range []int{1100, 3000} {
			t.Run(fmt.Sprintf("%s/%d", name, budget), func(t *testing.T) {
				b := newBench(t, artifact.NewMemory(nil), nil, func(cfg *clip.Config) { cfg.Budget = clip.Bytes(budget) })
				var set, all coverage.Set
				var shown int64
				for _, p := range b.readOnSmaller(b.save(json.RawMessage(doc)), 1500) {
					if p.MediaType == "application/json" && p.Content != "" {
						require.True(t, json.Valid([]byte(p.Content)), "%q", p.Content)
					}
					for _, r := range p.View.Bytes {
						shown += r.Len()
						set = set.Add(r)
					}
					all = all.Add(p.View.Bytes...).Add(p.View.Context...)
				}
				lost, at := "", int64(0)
				for _, r := range append(all, coverage.Range{Start: int64(len(doc))}) {
					if at < r.Start {
						lost += doc[at:r.Start]
					}
					at = r.End
				}
				// A member whose page is too small for its name has it in the pointer.
				require.Empty(t, strings.Trim(lost, ",:[]{}\" \nan"), "all but punctuation and the names a and n")
				require.Equal(t, set.Len(), shown, "nothing is shown twice")
			})
		}
	}
}

// readOnSmaller is readOn for documents in which a page may show nothing and name
// something smaller.
func (b *bench) readOnSmaller(e envelope.Envelope, most int) []envelope.Envelope {
	all := []envelope.Envelope{e}
	seen := map[string]bool{}
	for i := 0; i < len(all); i++ {
		for _, n := range all[i].Next {
			if n.Search {
				continue
			}
			args, err := json.Marshal(n.Arguments)
			require.NoError(b.t, err)
			require.False(b.t, seen[string(args)], "%s is named twice: no progress", args)
			seen[string(args)] = true
			page := b.call(n.Tool, string(args))
			require.Nil(b.t, page.Failure, "%s", args)
			require.True(b.t, len(page.View.Bytes) > 0 || len(page.Next) > 0, "%s shows nothing", args)
			all = append(all, page)
			require.Less(b.t, len(all), most)
		}
	}
	return all
}
