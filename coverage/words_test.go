package coverage_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/toolclip/toolclip/coverage"
)

// A Set is compared with the units that it stands for, one by one.
func TestASetIsTheUnitsInIt(t *testing.T) {
	const size = 40
	rapid.Check(t, func(t *rapid.T) {
		var set Set
		var has [size]bool
		for range rapid.IntRange(0, 12).Draw(t, "adds") {
			r := Range{rapid.Int64Range(0, size).Draw(t, "start"), rapid.Int64Range(0, size).Draw(t, "end")}
			before := append(Set(nil), set...)
			grown := set.Add(r)
			if len(set) != len(before) || (len(set) > 0 && set[0] != before[0]) {
				t.Fatal("Add changed its receiver")
			}
			set = grown
			for i := r.Start; i < r.End; i++ {
				has[i] = true
			}
		}
		var n int64
		for i := range set {
			if set[i].Len() == 0 || i > 0 && set[i-1].End >= set[i].Start {
				t.Fatalf("not normalised: %v", set)
			}
		}
		total := rapid.Int64Range(0, size).Draw(t, "total")
		gaps := set.Gaps(total)
		in := func(s Set, i int64) bool {
			for _, r := range s {
				if r.Start <= i && i < r.End {
					return true
				}
			}
			return false
		}
		for i := range int64(size) {
			if has[i] {
				n++
			}
			if in(set, i) != has[i] || in(gaps, i) != (i < total && !has[i]) {
				t.Fatalf("unit %d: set %v, gaps %v of %d", i, set, gaps, total)
			}
		}
		if set.Len() != n || set.Covers(total) != (len(gaps) == 0) {
			t.Fatalf("%v has %d units, not %d", set, set.Len(), n)
		}
	})
}

func TestCountsKeepTheirDoubt(t *testing.T) {
	unknown, about := Count{}, Count{Value: 5, Relation: Estimate}
	for _, tt := range []struct{ a, b, sum Count }{
		{Exactly(1), Exactly(2), Exactly(3)},
		{Exactly(1), AtLeast(2), AtLeast(3)},
		{AtLeast(1), about, Count{Value: 6, Relation: Estimate}},
		{unknown, Exactly(2), AtLeast(2)},
		{unknown, unknown, unknown},
		{Exactly(0), Exactly(0), Exactly(0)},
	} {
		require.Equal(t, tt.sum, tt.a.Plus(tt.b))
		require.Equal(t, tt.sum, tt.b.Plus(tt.a))
	}
	for _, n := range []int64{-1, math.MinInt64} { // "unknown" at many sources
		for _, c := range []Count{Exactly(n), AtLeast(n), {n, Eq}, {n, Gte}, {n, Estimate}} {
			require.True(t, c.IsZero())
			require.Equal(t, "?", c.String())
			require.Equal(t, AtLeast(5), c.Plus(Exactly(5)))
			require.Equal(t, unknown, c.Plus(c))
		}
	}
	require.Equal(t, "?", unknown.String())
	require.Equal(t, "12+", AtLeast(12).String())
	require.Equal(t, "~5", about.String())
	require.True(t, unknown.IsZero())
	require.False(t, Exactly(0).IsZero(), "none is known")
}

func TestOnlyAScanOfTheWholeLicensesNone(t *testing.T) {
	whole := Scan{Scanned: []Range{{5, 10}, {0, 5}}, Of: Exactly(10), Matched: Exactly(0)}
	require.True(t, whole.Whole())
	for name, change := range map[string]func(*Scan){
		"a gap":               func(s *Scan) { s.Scanned = s.Scanned[:1] },
		"an unknown whole":    func(s *Scan) { s.Of = AtLeast(10) },
		"matches at least":    func(s *Scan) { s.Matched = AtLeast(0) },
		"a record not judged": func(s *Scan) { s.Unjudged = Exactly(1) },
	} {
		s := whole
		change(&s)
		require.False(t, s.Whole(), name)
	}
}

func TestLengthsDoNotOverflow(t *testing.T) {
	require.EqualValues(t, 0, Range{Start: 3, End: math.MinInt64}.Len())
	require.EqualValues(t, math.MaxInt64, Range{Start: math.MinInt64, End: math.MaxInt64}.Len())
	require.Empty(t, Set(nil).Add(Range{Start: 3, End: math.MinInt64}))
}
