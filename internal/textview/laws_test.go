package textview

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/view"
)

// What is shown never costs more than the limit, in bytes and in the unit.
func TestLaw01Budget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o, l := options(t, len(src)), limit(t, len(src))
		o.Retain = l.Bytes + int64(uniform(t, "more", 100))
		p := atOnce(o, src).Plan(l)
		require.LessOrEqual(t, int64(len(p.Content)), l.Bytes)
		switch l.Unit {
		case view.Rune:
			require.LessOrEqual(t, int64(utf8.RuneCountInString(p.Content)), l.N)
		case view.Grapheme:
			require.LessOrEqual(t, graphemes.Count([]byte(p.Content)), l.N)
		case view.Line:
			require.LessOrEqual(t, lineCount(p.Content), l.N)
		}
	})
}

func lineCount(s string) int64 {
	n := int64(strings.Count(s, "\n"))
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// What is shown is valid UTF-8 without control characters, whatever came.
func TestLaw02WholeRunes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o, l := options(t, len(src)), limit(t, len(src))
		o.Retain = l.Bytes
		p := atOnce(o, src).Plan(l)
		require.True(t, utf8.ValidString(p.Content))
		if !o.Raw {
			for i := 0; i < len(p.Content); i++ {
				c := p.Content[i]
				require.True(t, c >= ' ' && c != 0x7f || c == '\n' || c == '\t' || c == '\r' && strings.HasPrefix(p.Content[i+1:], "\n"), "%.300q", p.Content)
			}
		}
	})
}

// Without transforms the content is the source's bytes in the ranges that are
// named; and the named cuts are where the ranges meet.
func TestLaw04Verbatim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o, l := options(t, len(src)), limit(t, len(src))
		o.Retain, o.Raw, o.Fold = l.Bytes, true, false
		src = strings.ToValidUTF8(src, "?")
		src = strings.TrimLeft(src, "\ufeff")
		p := atOnce(o, src).Plan(l)
		for _, tr := range p.Transforms {
			require.Equal(t, ClusterCut, tr.Name)
		}
		var joined strings.Builder
		var cuts []int64
		for _, r := range p.Bytes {
			if r.Start > 0 {
				cuts = append(cuts, int64(joined.Len()))
			}
			joined.WriteString(src[r.Start:r.End])
		}
		require.Equal(t, joined.String(), p.Content)
		require.Equal(t, cuts, p.Cuts)
	})
}

// Ranges are in order and apart; whole, partly shown and omitted lines add up to
// the total; whole lines are those whose bytes are in the ranges.
func TestLaw05Accounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o, l := options(t, len(src)), limit(t, len(src))
		o.Retain = l.Bytes
		v := atOnce(o, src)
		p := v.Plan(l)
		require.Equal(t, int64(len(src)), v.Totals().Bytes)
		require.Equal(t, lineCount(src), p.UnitTotal)
		checkLines(t, src, p)
	})
}

func checkLines(t require.TestingT, src string, p view.Plan) {
	covered := make([]bool, len(src))
	last := int64(-1)
	for _, r := range p.Bytes {
		require.Greater(t, r.Start, last)
		require.Greater(t, r.End, r.Start)
		last = r.End
		for i := r.Start; i < r.End; i++ {
			covered[i] = true
		}
	}
	var whole []view.Range
	var part, omitted, at int64
	for i, line := range strings.SplitAfter(src, "\n") {
		if line == "" {
			continue
		}
		n := int64(0)
		for k := range line {
			_ = k
		}
		for k := range len(line) {
			if covered[at+int64(k)] {
				n++
			}
		}
		at += int64(len(line))
		switch {
		case n == int64(len(line)):
			if k := len(whole); k > 0 && whole[k-1].End == int64(i) {
				whole[k-1].End++
			} else {
				whole = append(whole, view.Range{Start: int64(i), End: int64(i) + 1})
			}
		case n > 0:
			part++
		default:
			omitted++
		}
	}
	require.Equal(t, whole, join(p.Units))
	require.Equal(t, part, p.Partly)
	if len(p.Omissions) > 0 {
		o := p.Omissions[0]
		require.Equal(t, p.UnitTotal, o.Shown+o.Part+omitted)
		require.Equal(t, p.UnitTotal, o.Total)
	} else {
		require.Zero(t, part+omitted)
	}
}

// join merges ranges that touch.
func join(rs []view.Range) []view.Range {
	var out []view.Range
	for _, r := range rs {
		if n := len(out); n > 0 && out[n-1].End == r.Start {
			out[n-1].End = r.End
			continue
		}
		out = append(out, r)
	}
	return out
}

// Complete is said exactly when every byte is shown and nothing was lost; exact
// when moreover the bytes are the source's.
func TestLaw06CompleteMeansEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o, l := options(t, len(src)), limit(t, len(src))
		o.Retain = l.Bytes
		p := atOnce(o, src).Plan(l)
		all := src == "" || len(p.Bytes) == 1 && p.Bytes[0] == view.Range{Start: 0, End: int64(len(src))}
		lost := false
		for _, tr := range p.Transforms {
			lost = lost || tr.Loses
			require.Positive(t, tr.Count)
		}
		require.Equal(t, all && !lost, p.Complete)
		require.Equal(t, p.Content == src && p.Complete && len(p.Transforms) == 0, p.Exact)
		if p.Content == src && all {
			require.True(t, p.Exact)
		}
	})
}

// Following Rest page by page shows every byte of the window once, makes
// progress on every page, and ends.
func TestLaw07RestIsReachable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o := options(t, len(src))
		l := view.Limit{Bytes: MinBytes + int64(uniform(t, "bytes", pick(t, "scale", []int{1, 100, 3000})))}
		o.Retain = l.Bytes
		o.From, o.To = 0, 0
		p := atOnce(o, src).Plan(l)
		covered := make([]int, len(src))
		tick(covered, p)
		for rest := p.Rest; len(rest) > 0; {
			r := rest[0]
			page := Options{Retain: l.Bytes, Unit: r.Unit, From: r.From, To: r.To, Raw: o.Raw, Document: o.Document, Fold: o.Fold, Charset: o.Charset}
			q := atOnce(page, src).Plan(l)
			require.NotEmpty(t, q.Bytes, "no progress at %+v of %.300q", r, src)
			require.Equal(t, r.Bytes.Start, q.Bytes[0].Start)
			tick(covered, q)
			rest = append(append([]view.Rest{}, q.Rest...), rest[1:]...)
		}
		for i, n := range covered {
			require.Equal(t, 1, n, "byte %d of %.300q", i, src)
		}
	})
}

func tick(covered []int, p view.Plan) {
	for _, r := range p.Bytes {
		for i := r.Start; i < r.End; i++ {
			covered[i]++
		}
	}
}

// However the bytes arrive, the plan is the same.
func TestLaw09Chunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o, l := options(t, len(src)), limit(t, len(src))
		o.Retain = l.Bytes
		o.Count = pick(t, "count", []view.Unit{view.Byte, view.Rune, view.Grapheme})
		most := pick(t, "most", []int{1, 2, 3, 7, 100, 2048, 5000})
		seed := rapid.Uint64().Draw(t, "chunks")
		chunk := rand.New(rand.NewPCG(seed, 1))
		a := atOnce(o, src)
		b := read(o, src, func() int { return 1 + chunk.IntN(most) })
		require.Equal(t, a.Plan(l), b.Plan(l))
		require.Equal(t, a.Totals(), b.Totals())
		require.Equal(t, a.Plan(l), a.Plan(l), "Plan is pure")
	})
}

// What is shown at a limit is shown at every larger one, also when less was
// retained for the smaller.
func TestLaw10Nested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o, small := options(t, len(src)), limit(t, len(src))
		large := small
		large.Bytes += int64(pick(t, "more bytes", []int{0, 1, 2, 30, 3000}))
		large.N += int64(pick(t, "more units", []int{0, 1, 5}))
		o.Retain = large.Bytes
		v := atOnce(o, src)
		if rapid.Bool().Draw(t, "own view") {
			o.Retain = small.Bytes
		}
		inner, outer := atOnce(o, src).Plan(small), v.Plan(large)
		for _, r := range inner.Bytes {
			require.True(t, contained(r, outer.Bytes), "%v of %v is not in %v: %.300q", r, small, outer.Bytes, src)
		}
	})
}

func contained(r view.Range, in []view.Range) bool {
	for _, q := range in {
		if q.Start <= r.Start && r.End <= q.End {
			return true
		}
	}
	return false
}
