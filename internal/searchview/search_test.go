package searchview

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

func TestMatchesAreThoseOfFindAllIndexInEachLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, 60)
		o := drawOptions(t, text)
		o.Retain, o.MaxHits = 1<<20, 0
		v := read(o, text, drawCuts(t, len(text))...)
		want := oracle(text, o.Expr, max(0, int(o.From)))
		if o.From > int64(len(text)) {
			want = nil
		}
		require.Equal(t, int64(len(want)), v.keep.matched, "%q in %q from %d", o.Expr, text, o.From)
		if !slices.Equal(want, all(v)) {
			t.Fatalf("%q in %q from %d: want %v, got %v", o.Expr, text, o.From, want, all(v))
		}
	})
}

func TestTheMachineFindsWhatPackageRegexpFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := bytes.ReplaceAll(drawText(t, 40), lineFeed, []byte("a"))
		re := drawExpr(t)
		v := New(Options{Expr: re, Retain: 1 << 20})
		v.p.literal = nil
		v.from, v.at = 0, int64(len(text))
		v.track(text, text, v.ref(int64(len(text))))
		var want []span
		for _, m := range re.FindAllIndex(text, -1) {
			want = append(want, span{int64(m[0]), int64(m[1])})
		}
		if !slices.Equal(want, all(v)) {
			t.Fatalf("%q in %q: want %v, got %v", re, text, want, all(v))
		}
	})
}

// A line longer than what is collected is matched as it arrives. Here every line of
// more than 512 bytes is, and more than 64 bytes behind a match are forgotten.
func TestLongLinesHaveTheSameMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, 20)
		for range rapid.IntRange(0, 3).Draw(t, "lines") {
			n := rapid.IntRange(1, 60).Draw(t, "times")
			text = append(text, bytes.Repeat(bytes.ReplaceAll(drawText(t, 12), lineFeed, nil), n)...)
			text = append(text, drawText(t, 8)...)
		}
		o := drawOptions(t, text)
		o.Retain, o.MaxHits = 1<<20, 0
		v := readSmall(o, text, drawCuts(t, len(text))...)
		want := oracle(text, o.Expr, max(0, int(o.From)))
		if o.From > int64(len(text)) {
			want = nil
		}
		if len(v.skipped) > 0 {
			checkSkipped(t, v, want)
			return
		}
		if !slices.Equal(want, all(v)) {
			t.Fatalf("%q in %q from %d: want %v, got %v", o.Expr, text, o.From, want, all(v))
		}
	})
}

func TestTheEndOfTheTextMatchesWhereItsLineHasNoLineFeed(t *testing.T) {
	for text, want := range map[string]int64{"ab": 1, "ab\n": 0, "": 0, "a\nb": 1} {
		o := Options{Expr: regexp.MustCompile(`$`), From: int64(len(text)), Retain: 100}
		require.Equal(t, want, read(o, []byte(text)).Plan(view.Limit{Bytes: 100}).Scan.Matched, "%q", text)
	}
}

func TestMatchesInTheLinesAroundAMatchAreReturnedToo(t *testing.T) {
	v := read(Options{Expr: regexp.MustCompile(`x`), Context: 1, MaxHits: 1, Retain: 100}, []byte("x1\nx2 x\nx3\nx4\n"))
	p := v.Plan(view.Limit{Bytes: 100})
	require.Equal(t, "x1\nx2 x\n", p.Content)
	require.Equal(t, int64(5), p.Scan.Matched)
	require.Equal(t, int64(3), p.Scan.Returned)
	require.Equal(t, int64(8), p.Rest[0].From)
}

// checkSkipped checks the matches before the first stretch that could not be
// judged; behind it the search began anew.
func checkSkipped(t *rapid.T, v *View, want []span) {
	first := v.skipped[0].start
	before := func(s span) bool { return s.start >= first }
	got := all(v)
	if i := slices.IndexFunc(want, before); i >= 0 {
		want = want[:i]
	}
	if i := slices.IndexFunc(got, before); i >= 0 {
		got = got[:i]
	}
	if !slices.Equal(want, got) {
		t.Fatalf("%q before %d: want %v, got %v", v.p.source, first, want, got)
	}
	for _, s := range v.skipped {
		require.Less(t, s.start, s.end)
	}
}
