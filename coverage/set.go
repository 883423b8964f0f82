package coverage

import (
	"cmp"
	"math"
	"slices"
)

// Range is the half-open interval [Start, End) of units, 0-based.
type Range struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// Len is the number of units in r, at most math.MaxInt64; a reversed Range has
// none.
func (r Range) Len() int64 {
	switch n := r.End - r.Start; {
	case r.End <= r.Start:
		return 0
	case n < 0: // too many for an int64
		return math.MaxInt64
	default:
		return n
	}
}

// Set is a normalised union of ranges: ordered, disjoint, not touching, none
// empty. The nil Set is empty. Add makes any ranges a Set; the methods rely on
// the form, so build a Set with Add alone.
type Set []Range

// Add returns the union of s and rs. It does not change s. Empty and reversed
// ranges add nothing.
func (s Set) Add(rs ...Range) Set {
	all := make([]Range, 0, len(s)+len(rs))
	all = append(all, s...)
	for _, r := range rs {
		if r.Len() > 0 {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Range) int { return cmp.Compare(a.Start, b.Start) })
	out := all[:0]
	for _, r := range all {
		if n := len(out); n > 0 && r.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, r.End)
			continue
		}
		out = append(out, r)
	}
	return Set(out)
}

// Len is the number of units that s covers, at most math.MaxInt64.
func (s Set) Len() int64 {
	var n int64
	for _, r := range s {
		n = plus(n, r.Len())
	}
	return n
}

// Gaps returns what of [0, total) is not in s.
func (s Set) Gaps(total int64) Set {
	var gaps Set
	at := int64(0)
	for _, r := range s {
		if r.Start >= total {
			break
		}
		if r.Start > at {
			gaps = append(gaps, Range{at, r.Start})
		}
		at = max(at, r.End)
	}
	if at < total {
		gaps = append(gaps, Range{at, total})
	}
	return gaps
}

// Covers reports whether s has every unit of [0, total). A negative total, with
// which many sources say "unknown", is never covered.
func (s Set) Covers(total int64) bool { return total >= 0 && len(s.Gaps(total)) == 0 }

// is reports whether s is [0, total). A set that has more than the whole says that
// the total is wrong.
func (s Set) is(total int64) bool {
	return s.Covers(total) && (len(s) == 0 || s[0].Start >= 0 && s[len(s)-1].End <= total)
}
