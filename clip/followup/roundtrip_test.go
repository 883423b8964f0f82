package followup_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// readOn follows every call that reads on, from e, and returns all views.
func (b *bench) readOn(e envelope.Envelope, most int) []envelope.Envelope {
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
			require.NotEmpty(b.t, page.View.Bytes, "%s shows nothing", args)
			all = append(all, page)
			require.Less(b.t, len(all), most)
		}
	}
	return all
}

func TestLaw07EveryByteOfATextIsReachedOnce(t *testing.T) {
	texts := map[string]string{
		"lines":       numbered(3000),
		"no last LF":  strings.TrimSuffix(numbered(500), "\n"),
		"long lines":  strings.Repeat(strings.Repeat("0123456789", 1000)+"\n", 5),
		"one line":    strings.Repeat("x", 100_000),
		"CJK":         strings.Repeat("汉字", 20_000),
		"mixed":       "short\n" + strings.Repeat("é", 30_000) + "\nend\n",
		"not UTF-8":   strings.Repeat("\xff\xfe\n", 5000),
		"only breaks": strings.Repeat("\n", 20_000),
	}
	for kind, store := range stores(t, time.Now) {
		if testing.Short() && kind != "memory" {
			continue
		}
		for name, text := range texts {
			t.Run(kind+"/"+name, func(t *testing.T) {
				b := newBench(t, store, nil)
				e := b.save(clip.Result{Content: text, MediaType: "text/plain"})
				var set coverage.Set
				var shown int64
				for _, p := range b.readOn(e, 1000) {
					require.Equal(t, e.Artifact.SHA256, p.Artifact.SHA256, "every page names the artifact's hash")
					for _, r := range p.View.Bytes {
						shown += r.Len()
						set = set.Add(r)
					}
				}
				require.True(t, set.Covers(int64(len(text))), "%v", set)
				require.Equal(t, int64(len(text)), shown, "disjoint")
			})
		}
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// A line of ten megabytes has a first page, a last one, and each goes on where the
// one before ended.
func TestLaw07ALineOfTenMegabytesIsReadByBytes(t *testing.T) {
	size := 10 << 20
	if testing.Short() {
		size = 2 << 20
	}
	b := newBench(t, artifact.NewMemory(nil), nil, func(c *clip.Config) { c.Budget = clip.Bytes(512 << 10) })
	text := []byte(strings.Repeat("x", size))
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		text[r.IntN(size)] = byte('a' + r.IntN(26))
	}
	e := b.save(clip.Result{Content: text, MediaType: "text/plain"})
	joined := make([]byte, size)
	for _, p := range b.readOn(e, 60) {
		at := int64(0)
		for _, v := range p.View.Bytes {
			copy(joined[v.Start:v.End], p.Content[at:at+v.Len()])
			at += v.Len()
		}
		require.Equal(t, int64(len(p.Content)), at)
	}
	require.Equal(t, string(text), string(joined), "the byte pages joined equal the artifact")
}

func TestLaw07EveryItemIsReachedAndValid(t *testing.T) {
	records := make([]string, 400)
	for i := range records {
		records[i] = fmt.Sprintf(`{"id":%d,"name":"record %d","tags":["a","b"],"n":1.0}`, i, i)
	}
	list := strings.Join(records, ",")
	long := strings.Repeat("0123456789", 2000)
	for name, doc := range map[string]string{
		"array":          "[" + list + "]",
		"in an object":   `{"meta":{"total":400},"items":[` + list + `]}`,
		"nested":         `{"a":{"b":[{"c":[` + list + `]},{"c":[` + list + `]}]}}`,
		"a large string": `{"title":"t","body":"` + long + `","end":1}`,
		"large members":  `{"a":"` + long + `","b":["` + long + `","` + long + `"]}`,
		"a large item":   `[{"id":1},{"id":2,"text":"` + long + `"},{"id":3}]`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, artifact.NewMemory(nil), nil)
			e := b.save(json.RawMessage(doc))
			require.False(t, e.View.Complete)
			var set coverage.Set
			for _, p := range b.readOn(e, 600) {
				if p.MediaType == "application/json" {
					require.True(t, json.Valid([]byte(p.Content)), "%q", p.Content)
				}
				set = set.Add(p.View.Bytes...).Add(p.View.Context...)
			}
			lost := ""
			at := int64(0)
			for _, r := range append(set, coverage.Range{Start: int64(len(doc))}) {
				lost += doc[at:r.Start]
				at = r.End
			}
			require.Empty(t, strings.Trim(lost, ",:[]{}\" \n"), "all but punctuation is shown")
		})
	}
}

func TestLaw08PagesAreOfTheSameBytes(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	text := numbered(2000)
	e := b.save(text)
	for _, r := range e.View.Bytes {
		p := b.call("artifact_read", on(e, fmt.Sprintf(`"byte":%d,"to":%d`, r.Start, r.End)))
		require.Equal(t, text[r.Start:r.End], p.Content)
	}
}
