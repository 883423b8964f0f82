package textview

import "github.com/toolclip/toolclip/internal/view"

// Plan returns what is shown at a limit. It is pure: it depends on the source,
// the options and l alone. Limit.Bytes beyond Options.Retain count as Retain;
// negative ones as 0. The units that a text's limit may have are Byte, Rune,
// Grapheme and Line; a line of which a part is shown counts.
func (v *View) Plan(l view.Limit) view.Plan {
	v.End()
	l.Bytes = min(max(l.Bytes, 0), v.o.Retain)
	l.N = max(l.N, 0)
	a := account{View: v}
	for _, s := range v.choose(l) {
		a.add(s)
	}
	return a.plan()
}

// section is a part of a rendering that is shown.
type section struct {
	*rendering
	from, to mark
	line     int64 // line feeds in the text before the rendering
}

func (s section) empty() bool { return s.from.text == s.to.text }

// choose selects what is shown.
func (v *View) choose(l view.Limit) []section {
	if whole, ok := v.all(l); ok {
		return []section{whole}
	}
	switch v.o.Ends {
	case Head:
		return []section{v.headPart(l)}
	case Tail:
		return []section{v.tailPart(l, v.win.start)}
	}
	lt := view.Limit{Bytes: v.share(l.Bytes), Unit: l.Unit, N: v.share(l.N)}
	head := v.headPart(view.Limit{Bytes: l.Bytes - lt.Bytes, Unit: l.Unit, N: l.N - lt.N})
	return []section{head, v.tailPart(lt, head.to.text)}
}

func (v *View) share(n int64) int64 { return int64(float64(n) * v.o.TailShare) }

// all is the whole window, if it fits.
func (v *View) all(l view.Limit) (section, bool) {
	if v.full || int64(len(v.head.out)) > l.Bytes {
		return section{}, false
	}
	return v.longest(&v.head.rendering, l)
}

func fits(l view.Limit, bytes int, units int64) bool {
	return int64(bytes) <= l.Bytes && (l.Unit == view.Byte || units <= l.N)
}

// cost is what is shown before m in the limit's unit.
func (m mark) cost(u view.Unit) int64 {
	if u == view.Line {
		return m.begun()
	}
	return m.units
}

// headPart is the longest start of the window that fits.
func (v *View) headPart(l view.Limit) section {
	s, _ := v.longest(&v.head.rendering, l)
	if s.to.out == 0 && v.head.first != nil {
		if f, _ := v.longest(v.head.first, l); f.to.out > 0 {
			return f
		}
	}
	return s
}

// longest is what of r fits, and whether that is all.
func (v *View) longest(r *rendering, l view.Limit) (s section, all bool) {
	at := mark{text: v.win.start}
	s = section{rendering: r, from: at, to: at, line: v.win.startLine}
	if len(r.spans) == 0 {
		return s, true
	}
	first := true
	r.stops(stopOptions{unit: l.Unit, lineStart: v.win.lineStart}, func(m mark) bool {
		if first {
			s.from, s.to, first = m, m, false
		}
		all = fits(l, m.out, m.cost(l.Unit))
		if all {
			s.to = m
		}
		return all
	})
	return s, all
}

// tailPart is the longest end of the window that fits and does not begin before
// a place in the text.
func (v *View) tailPart(l view.Limit, after int64) section {
	r := v.whole.rendering
	end := mark{text: v.win.stop}
	s := section{rendering: r, from: end, to: end, line: v.win.stopLine}
	if len(r.spans) == 0 {
		return s
	}
	v.tailStops(l.Unit, func(m mark) bool { end = m; return true })
	s = section{rendering: r, from: end, to: end, line: v.win.stopLine - end.lines}
	v.tailStops(l.Unit, func(m mark) bool {
		units := end.units - m.units
		if l.Unit == view.Line {
			units = end.begun() - m.shownLFs
		}
		if m.text < after || !fits(l, end.out-m.out, units) {
			return true
		}
		s.from = m
		return false
	})
	return s
}

func (v *View) tailStops(unit view.Unit, yield func(mark) bool) {
	start := v.whole.lineStart
	v.whole.stops(stopOptions{unit: unit, lineStart: start, midline: !start, lastLine: true}, yield)
}
