package searchview

import (
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/view"
)

// joint is what a gap between two windows is reckoned to cost: there the reader is
// told what is not shown, beside the content.
const joint = 64

// part is a stretch of the text as it is shown.
type part struct {
	span
	out []byte
}

// shown is a view that grows step by step.
type shown struct {
	k       *keeper
	raw     bool
	limit   view.Limit
	parts   []part // in order, disjoint
	lines   []bool // lines of which something is shown, by index in keeper.lines
	bytes   int64
	n       int64 // runes, clusters or lines
	changes changes
	dealt   int // matches before this index were shown, or can't be
}

// take adds s if that fits.
func (v *shown) take(s step) bool {
	news := v.missing(s)
	var c changes
	bytes, n := v.bytes, v.n
	for i := range news {
		p := &news[i]
		var d changes
		p.out, d = appendShown(nil, v.k.find(p.start).cut(p.start, p.end).b, v.raw)
		c.add(d)
		bytes += int64(len(p.out))
		n += v.count(p.out)
	}
	if len(news) > 0 && !v.lines[s.line] && v.limit.Unit == view.Line {
		n++
	}
	if !v.fits(bytes, n, max(0, v.rangesWith(news)-1)) {
		return false
	}
	v.bytes, v.n = bytes, n
	v.changes.add(c)
	for _, p := range news {
		v.lines[s.line] = true
		v.parts = slices.Insert(v.parts, v.place(p.start), p)
	}
	if s.hit >= 0 {
		v.dealt = s.hit + 1
	}
	return true
}

// fits reports whether so much may be shown, with so many gaps.
func (v *shown) fits(bytes, n, gaps int64) bool {
	switch v.limit.Unit {
	case view.Rune, view.Grapheme:
		if n+gaps*joint > v.limit.N {
			return false
		}
	case view.Line:
		if n > v.limit.N {
			return false
		}
	}
	return bytes+gaps*joint <= v.limit.Bytes
}

// count is what p costs in runes or clusters.
func (v *shown) count(p []byte) int64 {
	switch v.limit.Unit {
	case view.Rune:
		return int64(utf8.RuneCount(p))
	case view.Grapheme:
		return graphemes.Count(p)
	}
	return 0
}

// place is the index of the first part that begins at or behind an offset.
func (v *shown) place(at int64) int {
	return sort.Search(len(v.parts), func(i int) bool { return v.parts[i].start >= at })
}

// missing are the stretches of s that are not shown yet.
func (v *shown) missing(s step) []part {
	var news []part
	at := s.lo
	i := sort.Search(len(v.parts), func(i int) bool { return v.parts[i].end > s.lo })
	for ; i < len(v.parts) && v.parts[i].start < s.hi; i++ {
		if at < v.parts[i].start {
			news = append(news, part{span: span{at, v.parts[i].start}})
		}
		at = v.parts[i].end
	}
	if at < s.hi {
		news = append(news, part{span: span{at, s.hi}})
	}
	return news
}

// rangesWith is the number of ranges without a gap when news are shown too.
func (v *shown) rangesWith(news []part) int64 {
	n := int64(0)
	end := int64(-1)
	i := 0
	for _, p := range v.parts {
		for ; i < len(news) && news[i].start < p.start; i++ {
			if news[i].start != end {
				n++
			}
			end = news[i].end
		}
		if p.start != end {
			n++
		}
		end = p.end
	}
	for ; i < len(news); i++ {
		if news[i].start != end {
			n++
		}
		end = news[i].end
	}
	return n
}

// ranges are what is shown, merged.
func (v *shown) ranges() []span {
	var out []span
	for _, p := range v.parts {
		if n := len(out); n > 0 && out[n-1].end == p.start {
			out[n-1].end = p.end
		} else {
			out = append(out, p.span)
		}
	}
	return out
}

// covers reports whether all of s is shown; an empty s is where it touches
// something that is.
func (v *shown) covers(ranges []span, s span) bool {
	i := sort.Search(len(ranges), func(i int) bool { return ranges[i].end >= s.end })
	return i < len(ranges) && ranges[i].start <= s.start
}
