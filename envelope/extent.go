package envelope

import (
	"strconv"
	"strings"

	"github.com/toolclip/toolclip/coverage"
)

// This file says how much of one content a view shows.

// maxSpans is the most ranges that are listed; more are counted.
const maxSpans = 6

// extent is "lines 1-178 of 549", in people's unit where the view has one, else in
// bytes.
func (w *wording) extent(p Part) string {
	vw := p.View
	if vw.Complete {
		return w.everything(p)
	}
	if !inUnits(vw) {
		return w.byteExtent(vw)
	}
	s := w.unitExtent(vw)
	if vw.Pointer == "" {
		return s
	}
	if w.nameless() {
		return w.say("in.some", s)
	}
	return w.say("in", s, w.name(vw.Pointer))
}

// everything is the extent of a complete view, for a heading.
func (w *wording) everything(p Part) string {
	if p.Content == "" && p.Base64 == "" {
		return w.say("none")
	}
	if lines, ok := unitsOf(p.View); ok {
		return w.say(string(p.View.Unit)+".all", num(lines))
	}
	return w.say("byte.all", num(bytesOf(p)))
}

// size is how much a complete view is: "549 lines" or "12 bytes".
func (w *wording) size(p Part) string {
	if n, ok := unitsOf(p.View); ok {
		return w.quantity(p.View.Unit, coverage.Exactly(n))
	}
	return w.quantity(coverage.Byte, coverage.Exactly(bytesOf(p)))
}

// unitsOf is the total of a view that counts all of its artifact in lines or items.
func unitsOf(vw View) (n int64, ok bool) {
	return vw.UnitTotal.Value, inUnits(vw) && vw.Pointer == "" && vw.UnitTotal.Relation == coverage.Eq
}

// bytesOf is the size of a complete part.
func bytesOf(p Part) int64 {
	if p.View.ByteTotal.Relation == coverage.Eq {
		return p.View.ByteTotal.Value
	}
	return int64(len(p.Content))
}

// inUnits reports whether the view counts lines or items.
func inUnits(vw View) bool {
	return (vw.Unit == coverage.Line || vw.Unit == coverage.Item) &&
		(len(vw.Units) > 0 || vw.Partly > 0 || vw.UnitTotal.Known())
}

func (w *wording) unitExtent(vw View) string {
	key, spans := string(vw.Unit), coverage.Set(nil).Add(vw.Units...)
	var facts []any
	switch {
	case len(spans) == 0:
		key += ".none"
	case w.tight() && len(spans) > 1:
		key += ".many"
		facts = []any{num(spans.Len()), num(len(spans))}
	case len(spans) > maxSpans:
		key += ".spread"
		facts = []any{num(spans.Len()), num(len(spans)), span(coverage.Range{Start: spans[0].Start, End: spans[len(spans)-1].End})}
	case spans.Len() == 1:
		key += ".one"
		facts = []any{w.spans(spans)}
	default:
		key += ".range"
		facts = []any{w.spans(spans)}
	}
	s := w.withTotal(key, vw.UnitTotal, facts...)
	if vw.Partly > 0 {
		s = w.say(string(vw.Unit)+".partly", s, num(vw.Partly))
	}
	return s
}

// withTotal says key with its facts and the total, or its form for no total.
func (w *wording) withTotal(key string, total coverage.Count, facts ...any) string {
	if !total.Known() {
		return w.say(key+"?", facts...)
	}
	return w.say(key, append(facts, w.count(total))...)
}

// count is a number with its relation in words: "549", "at least 549". An unknown
// count has no words here: see withTotal.
func (w *wording) count(c coverage.Count) string {
	return w.related(c.Relation, strconv.FormatInt(c.Value, 10))
}

func (w *wording) related(r coverage.Relation, number string) string {
	switch r {
	case coverage.Gte:
		return w.say("at_least", number)
	case coverage.Estimate:
		return w.say("about", number)
	}
	return number
}

// quantity is a count with its unit: "1 line", "at least 5 items".
func (w *wording) quantity(u coverage.Unit, c coverage.Count) string {
	if !knownUnit(u) {
		u = coverage.Item
	}
	return w.related(c.Relation, w.say("n."+string(u), num(c.Value)))
}

func knownUnit(u coverage.Unit) bool {
	switch u {
	case coverage.Byte, coverage.Rune, coverage.Grapheme, coverage.Line, coverage.Item, coverage.Token:
		return true
	}
	return false
}

// spans lists ranges as people write them: 1-based, both ends included.
func (w *wording) spans(set coverage.Set) string {
	var all []string
	for _, r := range set {
		all = append(all, span(r))
	}
	last := all[len(all)-1]
	if len(all) == 1 {
		return last
	}
	return w.say("and", strings.Join(all[:len(all)-1], ", "), last)
}

func span(r coverage.Range) string {
	first := strconv.FormatInt(r.Start+1, 10)
	if r.Len() == 1 {
		return first
	}
	return first + "-" + strconv.FormatInt(r.End, 10)
}

// byteExtent is "400 of 60210 bytes", with what comes before it when that is not
// the beginning.
func (w *wording) byteExtent(vw View) string {
	set := coverage.Set(nil).Add(vw.Bytes...)
	s := w.amount(vw)
	switch {
	case len(set) == 1 && set[0].Start > 0:
		return w.say("byte.after", s, num(set[0].Start))
	case len(set) > 1:
		return w.say("byte.pieces", s, num(len(set)))
	}
	return s
}

// amount is "24310 of 156021 bytes".
func (w *wording) amount(vw View) string {
	return w.withTotal("byte.of", vw.ByteTotal, num(coverage.Set(nil).Add(vw.Bytes...).Len()))
}

// after says what follows the last unit that is shown.
func (w *wording) after(p Part) string {
	vw := p.View
	if vw.Complete {
		return w.say("end")
	}
	unit, shown, total := coverage.Byte, vw.Bytes, vw.ByteTotal
	if inUnits(vw) && vw.Partly == 0 {
		unit, shown, total = vw.Unit, vw.Units, vw.UnitTotal
	}
	set := coverage.Set(nil).Add(shown...)
	inside := vw.Pointer != "" || (unit == coverage.Byte && isJSON(p.MediaType)) // what is missing does not follow
	if len(set) == 0 || !total.Known() || inside {
		return w.say("rest")
	}
	left := coverage.Count{Value: total.Value - set[len(set)-1].End, Relation: total.Relation}
	switch {
	case left.Value <= 0 && left.Relation == coverage.Eq:
		return w.say("end")
	case left.Value <= 0:
		return w.say("maybe")
	case left.Relation == coverage.Eq:
		return w.say(string(unit)+".follow", num(left.Value))
	}
	return w.say(string(unit)+".follow~", w.count(left))
}

// mark fills in what each cut of p lacks. Cuts and the gaps between ranges
// correspond when there are as many of both; otherwise the mark has no number. A
// cut before the first byte of the content tells what lies before it.
func (w *wording) mark(p Part) Part {
	if isJSON(p.MediaType) {
		return p
	}
	before := len(p.View.Cuts) > 0 && p.View.Cuts[0].At == 0
	byUnit := gaps(p.View.Units, before)
	byByte := gaps(p.View.Bytes, before)
	for i := range p.View.Cuts {
		c := &p.View.Cuts[i]
		switch n := len(p.View.Cuts); {
		case p.View.Partly == 0 && inUnits(p.View) && len(byUnit) == n:
			key := string(p.View.Unit) + ".gap"
			if byUnit[i].Len() == 1 {
				key += ".one"
			}
			c.Mark = w.say(key, span(byUnit[i]))
		case len(byByte) == n:
			c.Mark = w.say("byte.gap", num(byByte[i].Len()))
		default:
			c.Mark = w.say("gap")
		}
	}
	return p
}

// gaps are what lies between the ranges of rs, in order, and before the first one
// when before is set.
func gaps(rs []coverage.Range, before bool) []coverage.Range {
	set := coverage.Set(nil).Add(rs...)
	var out []coverage.Range
	end := int64(0)
	for i, r := range set {
		if i > 0 || before && r.Start > 0 {
			out = append(out, coverage.Range{Start: end, End: r.Start})
		}
		end = r.End
	}
	return out
}
