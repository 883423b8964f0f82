package searchview

import (
	"strings"

	"github.com/toolclip/toolclip/internal/view"
)

// Plan is the longest beginning of the sequence of pieces that costs at most l,
// with an account of what was searched. It may be called any number of times,
// after End.
//
// Content is what is shown of the source's ranges Bytes, in order. Rest tells
// where a search for more goes on, when there is more. Scan.Returned are the
// matches before that place that lie whole in the view; one of which a part is
// shown is an Omission of "match".
func (v *View) Plan(l view.Limit) view.Plan {
	s := &shown{k: &v.keep, raw: v.o.Raw, limit: l, lines: make([]bool, len(v.keep.lines))}
	for st := range v.keep.steps() {
		if !s.take(st) {
			break
		}
	}
	a := accountOf(v, s)
	p := view.Plan{
		MediaType: "text/plain", Unit: view.Line, UnitTotal: v.total(),
		Transforms: s.changes.transforms(v.dec, len(a.ranges) > 0 && a.ranges[0].start == 0),
	}
	a.content(&p)
	a.units(&p)
	a.matches(&p)
	p.Scan = v.scan(a.returned)
	return p
}

// total is the number of lines.
func (v *View) total() int64 { return v.no }

// account adds up what is shown.
type account struct {
	v        *View
	s        *shown
	ranges   []span
	returned int64
}

func accountOf(v *View, s *shown) *account { return &account{v: v, s: s, ranges: s.ranges()} }

// content sets what is shown, and where it has gaps.
func (a *account) content(p *view.Plan) {
	var b strings.Builder
	end := int64(0)
	for _, q := range a.s.parts {
		if q.start != end {
			p.Cuts = append(p.Cuts, int64(b.Len()))
		}
		b.Write(q.out)
		end = q.end
	}
	p.Content = b.String()
	for _, r := range a.ranges {
		raw := a.v.rawSpan(r)
		p.Bytes = append(p.Bytes, view.Range{Start: raw.start, End: raw.end})
	}
	p.Complete = a.v.at == 0 || len(a.ranges) == 1 && a.ranges[0] == span{0, a.v.at}
	for _, t := range p.Transforms {
		p.Complete = p.Complete && !t.Loses
	}
	p.Exact = p.Complete && len(p.Transforms) == 0 && a.v.dec.Identity()
}

// units sets which lines are shown whole, and what is missing.
func (a *account) units(p *view.Plan) {
	var count int64
	var touched []view.Range
	for i, ln := range a.v.keep.lines {
		if !a.s.lines[i] {
			continue
		}
		touched = join(touched, ln.no)
		if a.s.covers(a.ranges, span{ln.start, ln.end}) {
			p.Units = join(p.Units, ln.no)
			count++
		} else {
			p.Partly++
		}
	}
	if p.Complete || a.v.size == 0 || a.whole() {
		return
	}
	p.Omissions = append(p.Omissions, view.Omission{
		Unit: view.Line, Shown: count, Part: p.Partly, Total: p.UnitTotal,
		Bytes: hull(p.Bytes, a.v.size), Units: hull(touched, p.UnitTotal),
	})
}

// whole reports whether every byte of the text is shown, changed or not.
func (a *account) whole() bool {
	return len(a.ranges) == 1 && a.ranges[0] == span{0, a.v.at}
}

// join adds a line number to ranges in order.
func join(rs []view.Range, no int64) []view.Range {
	if n := len(rs); n > 0 && rs[n-1].End == no {
		rs[n-1].End++
		return rs
	}
	return append(rs, view.Range{Start: no, End: no + 1})
}

// hull is the smallest range that holds all of 0 to total outside rs.
func hull(rs []view.Range, total int64) view.Range {
	r := view.Range{Start: 0, End: total}
	if n := len(rs); n > 0 {
		if rs[0].Start == 0 {
			r.Start = rs[0].End
		}
		if rs[n-1].End == total {
			r.End = rs[n-1].Start
		}
	}
	if r.Start >= r.End {
		return view.Range{}
	}
	return r
}

// matches counts the matches that are shown and says where the search goes on.
func (a *account) matches(p *view.Plan) {
	k := &a.v.keep
	from := k.unkept
	if from == unknown && a.v.stopped && a.v.searched < a.v.size {
		from = a.v.searched
	}
	for i, h := range k.hits {
		if a.s.covers(a.ranges, h.span) {
			a.returned++
		} else if i == 0 || i < a.s.dealt {
			a.abridged(p, h) // the first always counts as shown, so that the next search gets further
		} else {
			from = h.raw.start
			break
		}
	}
	if from != unknown {
		r := view.Range{Start: from, End: a.v.size}
		p.Rest = append(p.Rest, view.Rest{Unit: view.Byte, From: from, To: a.v.size, Bytes: r})
	}
}

// abridged notes a match of which only a part is shown.
func (a *account) abridged(p *view.Plan, h hit) {
	lo, hi := a.inside(h)
	o := view.Omission{Unit: view.Byte, Total: h.raw.end - h.raw.start, Of: "match", Bytes: view.Range{Start: h.raw.start, End: h.raw.end}}
	if lo < hi {
		raw := a.v.rawSpan(span{lo, hi})
		o.Shown = raw.end - raw.start
		if lo == h.start {
			o.Bytes.Start = raw.end
		}
		if hi == h.end {
			o.Bytes.End = raw.start
		}
	}
	p.Omissions = append(p.Omissions, o)
}

// inside is what is shown of a match.
func (a *account) inside(h hit) (lo, hi int64) {
	for _, r := range a.ranges {
		if r.start < h.end && r.end > h.start {
			return max(r.start, h.start), min(r.end, h.end)
		}
	}
	return 0, 0
}

// scan is what was searched.
func (v *View) scan(returned int64) *view.Scan {
	s := &view.Scan{
		Predicate: v.p.source, Engine: v.p.engine(), Unit: view.Byte,
		Of: v.size, Matched: v.keep.matched, Returned: returned,
	}
	at, end := min(max(0, v.o.From), v.size), v.size
	if v.stopped {
		end = v.searched
	}
	for _, g := range v.skipped {
		if at < g.start {
			s.Scanned = append(s.Scanned, view.Range{Start: at, End: g.start})
		}
		s.Unjudged += g.end - g.start
		at = g.end
	}
	if at < end {
		s.Scanned = append(s.Scanned, view.Range{Start: at, End: end})
	}
	return s
}
