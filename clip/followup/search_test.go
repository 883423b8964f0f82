package followup_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// searchOn follows the searches that go on from e, and returns all of them.
func (b *bench) searchOn(e envelope.Envelope) []envelope.Envelope {
	all := []envelope.Envelope{e}
	for {
		next := ""
		for _, n := range e.Next {
			if n.Tool == "artifact_search" && !n.Search {
				args, err := json.Marshal(n.Arguments)
				require.NoError(b.t, err)
				next = string(args)
			}
		}
		if next == "" {
			return all
		}
		e = b.call("artifact_search", next)
		require.Nil(b.t, e.Failure)
		all = append(all, e)
		require.Less(b.t, len(all), 1000)
	}
}

func TestASearchFindsEveryMatchInTheWholeCopy(t *testing.T) {
	for kind, store := range stores(t, time.Now) {
		if testing.Short() && kind != "memory" {
			continue
		}
		for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
			b := newBench(t, store, nil, func(c *clip.Config) { c.Form, c.Budget = form, clip.Bytes(3000) })
			var text strings.Builder
			for i := range 20_000 {
				if i%500 == 250 {
					fmt.Fprintf(&text, "%d: ERROR [code=%d] refused\n", i, i/500)
				} else {
					fmt.Fprintf(&text, "%d: fine\n", i)
				}
			}
			e := b.save(text.String())
			require.NotContains(t, e.Content, "ERROR")
			for _, args := range []string{`"pattern":"ERROR"`, `"pattern":"(?i)error.*code=\\d+"`, `"pattern":"[code=","literal":true,"context":1`} {
				first := b.call("artifact_search", on(e, args))
				require.Equal(t, coverage.Exactly(40), first.Scan.Matched, "all are counted at once")
				require.True(t, first.Scan.Whole())
				seen := map[string]int{}
				var returned int64
				for _, p := range b.searchOn(first) {
					returned += p.Scan.Returned
					for l := range strings.Lines(p.Content) {
						if strings.Contains(l, "ERROR") {
							seen[strings.TrimSuffix(l, "\n")]++
						}
					}
					require.Equal(t, e.Artifact.SHA256, p.Artifact.SHA256)
				}
				require.Equal(t, int64(40), returned, "%s %s", kind, args)
				require.Len(t, seen, 40, "%s %s", kind, args)
				for l, n := range seen {
					require.Equal(t, 1, n, l)
				}
			}
		}
	}
}

func TestLinesAroundAMatchAreShown(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(numbered(3000))
	p := b.call("artifact_search", on(e, `"pattern":"line 1234$","context":2`))
	require.Equal(t, "line 1232\nline 1233\nline 1234\nline 1235\nline 1236\n", p.Content)
	require.Equal(t, []coverage.Range{{Start: 1232, End: 1237}}, p.View.Units)
	require.Contains(t, p.Text(), "lines 1-1232 not shown", "the number of each line can be told")
}

func TestNoMatchIsSaidOfAllOrNotAtAll(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(numbered(3000))
	p := b.call("artifact_search", on(e, `"pattern":"NEEDLE"`))
	require.Empty(t, p.Content)
	require.True(t, p.Scan.Whole())
	require.Contains(t, p.Text(), "Searched all")
	require.Contains(t, p.Text(), "no match")

	p = b.call("artifact_search", on(e, `"pattern":"NEEDLE","from":100`))
	require.False(t, p.Scan.Whole(), "the first hundred bytes were not searched")
	require.NotContains(t, p.Text(), "Searched all")
}

// A search of which the time is over after its first step says how far it came, and
// the calls that it names find the rest.
func TestASearchThatRunsOutOfTimeGoesOn(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), &followup.Limits{Time: time.Nanosecond}, func(c *clip.Config) { c.Budget = clip.Bytes(64 << 10) })
	var text strings.Builder
	lines := 100_000
	if testing.Short() {
		lines = 60_000
	}
	for i := range lines {
		fmt.Fprintf(&text, "%d is a line\n", i)
	}
	text.WriteString("NEEDLE\n")
	e := b.save(text.String())
	p := b.call("artifact_search", on(e, `"pattern":"N[EX]{2}DLE"`))
	require.Equal(t, int64(0), p.Scan.Matched.Value)
	require.False(t, p.Scan.Whole())
	require.NotContains(t, p.Text(), "Searched all")
	require.NotEmpty(t, p.Next)
	pages := b.searchOn(p)
	require.Greater(t, len(pages), 2)
	require.Contains(t, pages[len(pages)-1].Content, "NEEDLE")
}

func TestAHitInALongLineIsShownByColumns(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(clip.Result{Content: "var x=" + strings.Repeat("abc;", 1000) + "needle" + strings.Repeat("xyz;", 160_000), MediaType: "text/plain"})
	p := b.call("artifact_search", on(e, `"pattern":"needle"`))
	require.Contains(t, p.Content, "abc;needlexyz;")
	require.Less(t, len(p.Content), 600)
	require.Equal(t, int64(1), p.Scan.Returned)
	require.Contains(t, p.Text(), "bytes not shown", "where it stands is said")
}

func TestBadSearchesAreToldOf(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), &followup.Limits{PatternSize: 20})
	e := b.save(numbered(500))
	for args, want := range map[string]string{
		`"pattern":""`:                              "empty",
		`"literal":true`:                            "argument pattern is missing",
		`"pattern":"a("`:                            `set "literal" to true`,
		`"pattern":"a(?=b)"`:                        "no lookaround",
		`"pattern":"aaaaaaaaaaaaaaaaaaaaa"`:         "at most 20",
		`"pattern":"a\nb","literal":true`:           "never spans lines",
		`"pattern":"a","literal":"maybe"`:           "neither true nor false",
		`"pattern":"a","context":21`:                "at most 20",
		`"pattern":"a","context":-1`:                "before the beginning",
		`"pattern":"a","from":-1`:                   "before the beginning",
		`"pattern":"a","from":99999999999999999999`: "is past the end",
		`"pattern":"a","from":4391`:                 "byte 4391 is past the end: 4390 bytes in all",
		`"pattern":["a"]`:                           "is not a string",
		`"query":"a"`:                               `no argument "query"`,
	} {
		p := b.call("artifact_search", on(e, args))
		require.NotNil(t, p.Failure, args)
		require.Contains(t, p.Failure.Message, want, args)
		require.Equal(t, envelope.RetryAfterChange, p.Failure.Retry)
	}
	require.Nil(t, b.call("artifact_search", on(e, `"pattern":"line","literal":"true","from":4390.0`)).Failure)
}
