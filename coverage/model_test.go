package coverage_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"pgregory.net/rapid"

	. "github.com/toolclip/toolclip/coverage"
)

// step is one call on a ledger that records something.
type step struct {
	call    string
	id      string
	content string
	code    Code
}

func (s step) on(l *Ledger) {
	switch s.call {
	case "expect":
		l.Expect(s.id)
	case "promise":
		l.ExpectContent(s.id, sha256Of(s.content))
	case "load":
		l.Loaded(s.id, []byte(s.content))
	case "load bare":
		l.Loaded(s.id, nil)
	case "truncate":
		l.Truncated(s.id, Reason{Message: s.content})
	case "filter":
		l.Filtered(s.id, "rule "+s.content)
	case "fail":
		l.Failed(s.id, Reason{Code: s.code, Message: s.content})
	case "skip":
		l.NotAttempted(s.id, Reason{Code: s.code})
	case "double":
		l.Duplicate(s.id)
	case "note":
		l.Note(Reason{Code: s.code, Message: s.content, Unit: Item, Count: Exactly(2)})
	case "snapshot":
		l.Snapshot(s.content, s.content)
	default:
		panic(s.call)
	}
}

// calls with their weights: what goes well goes well more often.
var calls = strings.Fields("expect expect expect expect promise load load load load load truncate filter filter fail fail skip double")

var rareCalls = append(strings.Fields("note snapshot"), calls...)

var ids = func() []string {
	ids := []string{"", "a", "b", "c", "d", "\xff", "\x00", strings.Repeat("l", 31), strings.Repeat("m", 32), strings.Repeat("n", 300)}
	for i := range 10 {
		ids = append(ids, fmt.Sprintf("order-%02d", i))
	}
	return ids
}()

func stepGen(calls []string) *rapid.Generator[step] {
	return rapid.Custom(func(t *rapid.T) step {
		return step{
			call:    rapid.SampledFrom(calls).Draw(t, "call"),
			id:      rapid.SampledFrom(ids).Draw(t, "id"),
			content: rapid.SampledFrom([]string{"x", "y", ""}).Draw(t, "content"),
			code:    rapid.SampledFrom([]Code{"", Timeout, ParseFailed, EntryLimit, "made up"}).Draw(t, "code"),
		}
	})
}

var universeGen = rapid.Custom(func(t *rapid.T) Universe {
	n := rapid.Int64Range(-1, 12).Draw(t, "n")
	return rapid.SampledFrom([]Universe{Enumerated(), Enumerated(), Enumerated(), Counted(n), Exhaustible(), CountedAtLeast(n), Open()}).Draw(t, "universe")
})

// testKey makes digests repeatable.
var testKey = []byte("a key for tests, known to all   ")

var optionsGen = rapid.Custom(func(t *rapid.T) Options {
	return Options{
		Key:      testKey,
		Remember: rapid.SampledFrom([]int{0, 0, -1, 3, 8}).Draw(t, "remember"),
		Cells:    rapid.SampledFrom([]int{0, 0, -1, 4, 64}).Draw(t, "cells"),
		Limit:    rapid.SampledFrom([]int64{0, 0, 3, 10}).Draw(t, "limit"),
	}
})

// text is a report without what says how the work was divided.
func text(r Report) string {
	r.Merge.Shards, r.Merge.Committed, r.Merge.Attempts, r.Merge.Folded = 0, 0, 0, 0
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		panic(err)
	}
	return string(b)
}

func reportOf(u Universe, o Options, steps []step) Report {
	l := New(u, &o)
	for _, s := range steps {
		s.on(l)
	}
	l.Seal()
	return l.Report()
}

func shuffled[T any](t *rapid.T, xs []T) []T {
	xs = append([]T(nil), xs...)
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	r.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
	return xs
}
