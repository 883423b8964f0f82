package textview

import (
	"strings"

	"github.com/toolclip/toolclip/internal/charset"
	"github.com/toolclip/toolclip/internal/view"
)

// place is a place in the text with its line.
type place struct {
	text  int64
	line  int64 // line feeds before it
	start bool  // it is the start of a line, or the end of the text
}

// stretch is a part of the text without a gap.
type stretch struct{ from, to place }

// account adds up what is shown.
type account struct {
	*View
	content strings.Builder
	cuts    []int64
	shown   []stretch
	changes changes
	forced  int64
	units   int64 // runes or clusters of the text that is shown
	unsure  bool  // they are not known
}

// add accounts for a section, which begins at or after the end of the last one.
func (a *account) add(s section) {
	if s.empty() {
		return
	}
	from := place{s.from.text, s.line + s.from.lines, s.from.lineStart}
	to := place{s.to.text, s.line + s.to.lines, s.to.lineStart || s.to.text == a.text}
	if n := len(a.shown); n > 0 && a.shown[n-1].to.text == from.text {
		a.shown[n-1].to = to
	} else {
		a.shown = append(a.shown, stretch{from, to})
		if from.text > 0 && s.to.out > s.from.out {
			a.cuts = append(a.cuts, int64(a.content.Len()))
		}
		a.edge(s.from)
	}
	a.edge(s.to)
	a.content.Write(s.out[s.from.out:s.to.out])
	for i := s.from.span; i <= s.to.span && i < len(s.spans); i++ {
		lo, hi := int64(0), s.spans[i].n
		if i == s.from.span {
			lo = s.from.pieces
		}
		if i == s.to.span {
			hi = s.to.pieces
		}
		a.changes.add(s.changesOf(s.spans[i], hi-lo))
		a.units += s.unitsOf(s.spans[i], lo, hi)
	}
	a.unsure = a.unsure || (s.rendering == a.whole.rendering && a.whole.unsure)
}

func (a *account) edge(m mark) {
	if m.forced {
		a.forced++
	}
}

// plan is the account as a plan.
func (a *account) plan() view.Plan {
	total := a.Totals().Lines
	p := view.Plan{
		MediaType: "text/plain", Content: a.content.String(), Cuts: a.cuts,
		Unit: view.Line, UnitTotal: total,
		Transforms: a.transforms(), Rest: a.rest(total),
	}
	for _, s := range a.shown {
		p.Bytes = append(p.Bytes, view.Range{Start: a.dec.Raw(s.from.text), End: a.dec.Raw(s.to.text)})
	}
	lines := lineAccount{total: total}
	lines.add(a.shown, a.text)
	p.Units, p.Partly = lines.whole, lines.parts
	covers := a.text == 0 || len(a.shown) == 1 && a.shown[0].from.text == 0 && a.shown[0].to.text == a.text
	p.Complete = covers
	for _, t := range p.Transforms {
		p.Complete = p.Complete && !t.Loses
	}
	p.Exact = p.Complete && len(p.Transforms) == 0 && a.dec.Identity()
	if !covers {
		p.Omissions = []view.Omission{{
			Unit: view.Line, Shown: lines.count, Part: p.Partly, Total: total,
			Bytes: a.missing(), Units: lines.missing(),
		}}
		p.Omissions = append(p.Omissions, a.inUnits()...)
	}
	return p
}

// inUnits is what the view lacks in runes or clusters, where that is asked for and
// known.
func (a *account) inUnits() []view.Omission {
	t := a.Totals()
	bytes := a.o.Unit == view.Byte && (a.o.From > 0 || a.o.To > 0)
	switch {
	case a.o.Count == view.Rune:
		return []view.Omission{{Unit: view.Rune, Shown: a.units, Total: t.Runes}}
	case a.o.Count == view.Grapheme && !a.unsure && !bytes:
		return []view.Omission{{Unit: view.Grapheme, Shown: a.units, Total: t.Graphemes}}
	}
	return nil
}

func (a *account) transforms() []view.Transform {
	if len(a.shown) == 0 {
		return nil
	}
	name := ""
	if a.dec.Name() != charset.UTF8 {
		name = a.dec.Name()
	}
	list := a.changes.transforms(name)
	if a.dec.BOM() > 0 && a.shown[0].from.text == 0 {
		list = append(list, view.Transform{Name: BOM, Count: 1})
	}
	if a.forced > 0 {
		list = append(list, view.Transform{Name: ClusterCut, Count: a.forced})
	}
	return list
}

// missing is the hull of the bytes that are not shown.
func (a *account) missing() view.Range {
	r := view.Range{Start: 0, End: a.source}
	if n := len(a.shown); n > 0 {
		if a.shown[0].from.text == 0 {
			r.Start = a.dec.Raw(a.shown[0].to.text)
		}
		if a.shown[n-1].to.text == a.text {
			r.End = a.dec.Raw(a.shown[n-1].from.text)
		}
	}
	return r
}

// rest lists what of the window is not shown, in order.
func (a *account) rest(total int64) []view.Rest {
	at := place{a.win.start, a.win.startLine, a.win.lineStart}
	var list []view.Rest
	for _, s := range a.shown {
		list = a.gap(list, at, s.from, total)
		at = s.to
	}
	stop := place{a.win.stop, a.win.stopLine, a.win.stopStart || a.win.stop == a.text}
	return a.gap(list, at, stop, total)
}

// gap appends what lies between two places: as lines where both are starts of
// lines, else as bytes.
func (a *account) gap(list []view.Rest, from, to place, total int64) []view.Rest {
	if from.text >= to.text {
		return list
	}
	r := view.Rest{Unit: view.Byte, Bytes: view.Range{Start: a.dec.Raw(from.text), End: a.dec.Raw(to.text)}}
	r.From, r.To = r.Bytes.Start, r.Bytes.End
	if from.start && to.start {
		r.Unit, r.From, r.To = view.Line, from.line, to.line
		if to.text == a.text {
			r.To = total
		}
	}
	return append(list, r)
}

// lineAccount says which lines are shown whole and of which a part is.
type lineAccount struct {
	total   int64
	whole   []view.Range
	count   int64        // whole lines
	parts   int64        // lines of which a part is shown
	touched []view.Range // all of them, in order
}

// add counts the lines of the stretches of a text that ends at text.
func (l *lineAccount) add(shown []stretch, text int64) {
	for _, s := range shown {
		first, end := s.from.line, s.to.line
		if !s.from.start {
			l.part(first)
			first++
		}
		if s.to.text == text {
			end = l.total
		}
		if first < end {
			l.whole = append(l.whole, view.Range{Start: first, End: end})
			l.count += end - first
			l.touch(first, end)
		}
		if !s.to.start && end >= first {
			l.part(end)
		}
	}
}

// part counts a line of which a part is shown, once.
func (l *lineAccount) part(line int64) {
	if n := len(l.touched); n > 0 && l.touched[n-1].End > line {
		return
	}
	l.parts++
	l.touch(line, line+1)
}

func (l *lineAccount) touch(first, end int64) {
	if n := len(l.touched); n > 0 && l.touched[n-1].End == first {
		l.touched[n-1].End = end
		return
	}
	l.touched = append(l.touched, view.Range{Start: first, End: end})
}

// missing is the hull of the lines of which nothing is shown.
func (l *lineAccount) missing() view.Range {
	r := view.Range{Start: 0, End: l.total}
	if n := len(l.touched); n > 0 {
		if l.touched[0].Start == 0 {
			r.Start = l.touched[0].End
		}
		if l.touched[n-1].End == l.total {
			r.End = l.touched[n-1].Start
		}
	}
	if r.Start >= r.End {
		return view.Range{}
	}
	return r
}
