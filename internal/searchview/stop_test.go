package searchview

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

// after returns a Stop that says yes from the n-th time it is asked on.
func after(n int, asked *int) func() bool {
	return func() bool {
		*asked++
		return *asked >= n
	}
}

// A pattern that takes 100 µs on every byte is not asked about the whole text: one
// call of Stop is enough to end the search, within a line of a megabyte.
func TestASlowPatternStopsWhereItIsToldTo(t *testing.T) {
	slow := regexp.MustCompile(`(.{1,1000}x|.{1,1000}y)`)
	text := []byte(strings.Repeat("a", 1<<20) + "\nlast\n")
	for _, n := range []int{1, 3, 50} {
		asked := 0
		v := read(Options{Expr: slow, Retain: 1000, Stop: after(n, &asked)}, text)
		require.Equal(t, n, asked, "once it has said yes it is not asked again")
		require.Less(t, v.long0().m.work, int64(n+2)*(pollEvery+int64(len(v.p.prog.Inst))))
		p := v.Plan(view.Limit{Bytes: 1000})
		require.Equal(t, int64(2), p.UnitTotal, "lines are counted all the same")
		require.Equal(t, int64(len(text)), p.Scan.Of)
		require.Len(t, p.Rest, 1)
		require.Greater(t, p.Rest[0].From, int64(0), "the next search gets further")
		require.Less(t, p.Rest[0].From, int64(len(text)))
	}
}

// long0 is the tracker that was used last.
func (v *View) long0() *tracker { return v.spare }

func TestAStoppedSearchSaysHowFarItCameAndTheNextOneFindsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, 200)
		for range rapid.IntRange(0, 2).Draw(t, "lines") {
			text = append(text, bytes.Repeat([]byte(rapid.SampledFrom([]string{"ab", "aab c", "中x", "needle "}).Draw(t, "of")), 2000)...)
			text = append(text, drawText(t, 20)...)
		}
		re := drawExpr(t)
		want := oracle(text, re, 0)
		o := Options{Expr: re, Retain: math.MaxInt32}
		var got []span
		for calls := 0; ; calls++ {
			require.LessOrEqual(t, calls, len(text)+2)
			asked := 0
			o.Stop = after(rapid.IntRange(1, 8).Draw(t, "stop"), &asked)
			v := read(o, text)
			got = append(got, all(v)...)
			p := v.Plan(view.Limit{})
			if !v.stopped {
				break
			}
			require.False(t, whole(p.Scan), "nothing is ruled out")
			require.Greater(t, v.searched, o.From)
			require.True(t, betweenRunes(text, v.searched))
			if len(v.skipped) > 0 {
				return // checked below
			}
			o.From = v.searched
		}
		// An empty match right behind another match does not count in one search; a
		// search that begins there can't know of it.
		require.Equal(t, solid(want), solid(got))
	})
}

// solid are the matches that are not empty.
func solid(ms []span) []span {
	var out []span
	for _, m := range ms {
		if m.start < m.end {
			out = append(out, m)
		}
	}
	return out
}

func whole(s *view.Scan) bool {
	return len(s.Scanned) == 1 && s.Scanned[0] == view.Range{Start: 0, End: s.Of} && s.Unjudged == 0
}

func TestNotFoundIsOnlySaidOfWhatWasSearched(t *testing.T) {
	text := []byte(strings.Repeat("hay\n", 100_000) + "needle\n")
	asked := 0
	v := read(Options{Expr: regexp.MustCompile(`n[e]+dle`), Stop: after(1, &asked)}, text)
	p := v.Plan(view.Limit{Bytes: 100})
	require.Zero(t, p.Scan.Matched)
	require.False(t, whole(p.Scan))
	require.Equal(t, []view.Range{{Start: 0, End: p.Rest[0].From}}, p.Scan.Scanned)

	v = read(Options{Expr: regexp.MustCompile(`n[e]+dle`)}, text[:400_000])
	p = v.Plan(view.Limit{Bytes: 100})
	require.Zero(t, p.Scan.Matched)
	require.True(t, whole(p.Scan))
	require.Empty(t, p.Rest)
	require.Empty(t, p.Content)
}

// a.*b can only be decided at the end of the line. Once 64 KiB have gone by since
// the last b, a search for the next match can't go back there.
func TestWhatCannotBeGoneBackToIsUnjudged(t *testing.T) {
	line := "a" + strings.Repeat("-", 200_000) + "b" + strings.Repeat("-", 200_000)
	text := []byte("a1b\n" + line + "\na2b\n")
	v := read(Options{Expr: regexp.MustCompile(`a.*b`), Retain: 10_000}, text)
	p := v.Plan(view.Limit{Bytes: 10_000})
	require.Equal(t, int64(3), p.Scan.Matched)
	end := int64(4 + 200_002)
	require.Len(t, p.Scan.Scanned, 2)
	require.Equal(t, view.Range{Start: 0, End: end}, p.Scan.Scanned[0])
	require.Equal(t, int64(len(text)), p.Scan.Scanned[1].End)
	require.Equal(t, p.Scan.Scanned[1].Start-end, p.Scan.Unjudged)
	require.Greater(t, p.Scan.Unjudged, int64(100_000))
	// The long match is shown from its beginning, and told to be abridged.
	require.Contains(t, p.Content, "a"+strings.Repeat("-", 1000))
	require.Len(t, p.Omissions, 2)
	require.Equal(t, "match", p.Omissions[1].Of)
	require.Equal(t, int64(200_002), p.Omissions[1].Total)
	require.Equal(t, int64(2), p.Scan.Returned)
}

// A line without an end needs no memory, whatever is looked for.
func TestLaw14Bounded(t *testing.T) {
	for _, pattern := range []string{`needle`, `n[e]edle`, `a.*b`, `a|ab`, `\bx`, `.*`, `a.*b|a`} {
		n := 4 << 20
		if testing.Short() {
			n = 1 << 20
		}
		o := Options{Expr: regexp.MustCompile(pattern), Retain: 1000, Context: 3}
		if pattern == `a.*b|a` { // takes the square of what it may go back
			asked := 0
			o.Stop = after(2000, &asked)
		}
		v := New(o)
		chunk := bytes.Repeat([]byte("a xa needle ab "), 1000)
		for sent := 0; sent < n; sent += len(chunk) {
			_, _ = v.Write(chunk)
			require.Less(t, v.held(), int64(600<<10), pattern)
		}
		v.End()
		require.Less(t, v.held(), int64(600<<10), pattern)
	}
}

// held is about how much memory the View holds, in bytes.
func (v *View) held() int64 {
	k := &v.keep
	n := k.size + k.pastLen + int64(cap(v.buf)+len(k.head)) + 64*int64(len(k.hits)+len(k.lines)+len(k.kept)+len(v.skipped))
	if t := v.spare; t != nil {
		n += int64(cap(t.buf) + cap(t.snap.buf))
		if t.m != nil {
			n += 16 * int64(cap(t.m.next)+cap(t.m.now.dense))
		}
	}
	return n
}
