package envelope

import (
	"cmp"
	"slices"

	"github.com/toolclip/toolclip/coverage"
)

// This file says what is missing or changed, and why.

// maxListed is the most reasons, omissions or transforms that a notice lists.
const maxListed = 3

// reasons are what was lost before the view was cut. incomplete reports whether the
// tool is known not to have got all of its source. What the failure says already is
// left out: that the tool failed, and that nothing came of it.
func (w *wording) reasons() (lost []coverage.Reason, incomplete bool) {
	came := w.e.Failure == nil
	for _, p := range w.parts {
		came = came || p.Content != "" || p.Base64 != ""
	}
	for _, p := range w.allParts() {
		incomplete = incomplete || (came && p.Acquired == AcquiredNo)
		for _, r := range p.Reasons {
			told := (r.Layer == coverage.LayerRedaction && loses(p.View)) || (r.Code == coverage.ToolFailed && w.e.Failure != nil)
			if before(r) && !told {
				lost = append(lost, r)
			}
		}
	}
	if c := w.e.Coverage; c != nil && !c.InputComplete {
		incomplete = true
	}
	return lost, incomplete
}

// losses are the sentences on what was lost before, and on what is not text.
func (w *wording) losses() string {
	if w.sourceIsSaid() {
		return ""
	}
	if w.nameless() {
		return w.lossShort()
	}
	_, incomplete := w.reasons()
	list, out := w.lostThings(), ""
	switch {
	case incomplete && list != "":
		out = w.say("lost", list)
	case incomplete:
		out = w.say("lost.short")
	case list != "":
		out = w.say("left", list)
	}
	return w.joined([]string{out, w.notText()})
}

// sourceIsSaid reports whether the sentence on the extent has said what is missing of
// the source.
func (w *wording) sourceIsSaid() bool {
	if w.viewState() != "incomplete" {
		return false
	}
	return w.e.Failure == nil || (!w.tight() && w.shown() != "")
}

// remarks are the reasons for which nothing is missing.
func (w *wording) remarks() string {
	var things []string
	for _, p := range w.allParts() {
		for _, r := range p.Reasons {
			if loss(r) && costless(r) && len(things) < maxListed && !w.nameless() {
				things = append(things, w.reason(r))
			}
		}
	}
	if len(things) == 0 {
		return ""
	}
	return w.say("noted", w.listed(things...))
}

// lostThings lists what was lost before.
func (w *wording) lostThings() string {
	lost, _ := w.reasons()
	var things []string
	for _, r := range lost[:min(len(lost), maxListed)] {
		things = append(things, w.reason(r))
	}
	list := w.listed(things...)
	if more := len(lost) - maxListed; more > 0 {
		list = w.say("omit.more", list, num(more))
	}
	return list
}

func (w *wording) lossShort() string {
	lost, incomplete := w.reasons()
	switch {
	case incomplete:
		return w.say("lost.short")
	case len(lost) > 0:
		return w.say("left.short")
	}
	return ""
}

// reason is "capture byte_limit (limit 1048576 bytes; missing at least 20 bytes)".
func (w *wording) reason(r coverage.Reason) string {
	s := w.say("places", w.name(string(r.Layer)), w.name(string(r.Code)))
	var limit, missing, where, message string
	if r.Limit > 0 {
		limit = w.say("limit", w.quantity(r.Unit, coverage.Exactly(r.Limit)))
	}
	if r.Count.Known() && !costless(r) {
		missing = w.say("missing", w.quantity(r.Unit, r.Count))
	}
	if r.Where != "" {
		where = w.name(r.Where)
	}
	if r.Message != "" {
		message = quoted(r.Message, w.names)
	}
	if detail := w.listed(limit, missing, where, message); detail != "" {
		return w.say("detail", s, detail)
	}
	return s
}

func (w *wording) notText() string {
	for _, p := range w.parts {
		for _, r := range p.Reasons {
			if r.Code == coverage.NotText && p.MediaType != "" {
				return w.say("sentence", w.say("not_text", w.name(p.MediaType)))
			}
		}
	}
	return ""
}

// omissions lists where the most is missing, except what the extent has said.
func (w *wording) omissions() string {
	if w.nameless() || w.several() {
		return ""
	}
	vw := w.parts[0].View
	var list []Omission
	inJSON := isJSON(w.parts[0].MediaType)
	for _, o := range vw.Omissions {
		if (o.Pointer != vw.Pointer || o.Unit != vw.Unit) && (o.Pointer != "" || inJSON) && !measures(vw, o) {
			list = append(list, o)
		}
	}
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b Omission) int { return cmp.Compare(b.Bytes.Len(), a.Bytes.Len()) })
	var things []string
	for _, o := range list[:min(len(list), maxListed)] {
		things = append(things, w.omission(o))
	}
	s := w.listed(things...)
	if more := int64(len(list)-len(things)) + vw.Unlisted; more > 0 {
		s = w.say("omit.more", s, num(more))
	}
	return w.say("cut", s)
}

// omission is "/log 400 of 60210 bytes", with what it is of where that is known.
func (w *wording) omission(o Omission) string {
	if o.Of == "" {
		return w.lacking(o)
	}
	return w.say("detail", w.lacking(o), w.name(o.Of))
}

func (w *wording) lacking(o Omission) string {
	name := w.say("root")
	if o.Pointer != "" {
		name = w.name(o.Pointer)
	}
	unit := o.Unit
	if !knownUnit(unit) {
		unit = coverage.Item
	}
	if !o.Total.Known() {
		return w.say("omit?", name, w.quantity(unit, coverage.Exactly(o.Shown)))
	}
	return w.say("omit."+string(unit), name, num(o.Shown), w.count(o.Total))
}

// alterations names the transforms that lost something.
func (w *wording) alterations() string {
	if w.nameless() {
		return ""
	}
	var things []string
	more := 0
	for _, p := range w.parts {
		for _, t := range p.View.Transforms {
			switch {
			case !t.Loses:
			case len(things) == maxListed:
				more++
			default:
				things = append(things, w.say("places", w.name(t.Name), t.Count.String()))
			}
		}
	}
	if len(things) == 0 {
		return ""
	}
	s := w.listed(things...)
	if more > 0 {
		s = w.say("omit.more", s, num(more))
	}
	return w.say("losing", s)
}

// loses reports whether a transform of vw lost something.
func loses(vw View) bool {
	return slices.ContainsFunc(vw.Transforms, func(t Transform) bool { return t.Loses })
}

// settled reports whether a scan leaves nothing to say: there is none, or it looked
// at everything and all that it found is shown.
func settled(s *coverage.Scan) bool {
	return s == nil || (s.Whole() && s.Matched.Value == s.Returned)
}

// scan says what was searched, for what, and how often it was found.
func (w *wording) scan() string {
	s := w.e.Scan
	if s == nil {
		return ""
	}
	where := w.searched(s)
	matches := w.say("scan.unknown")
	if s.Matched.Known() {
		matches = w.count(s.Matched)
	}
	none := s.Matched.Relation == coverage.Eq && s.Matched.Value == 0
	short := w.nameless() || w.Compact
	var out string
	switch {
	case none && short:
		out = w.say("scan.none.short", where)
	case none:
		out = w.say("scan.none", where, w.predicate(s))
	case s.Returned < 0 && short:
		out = w.say("scan.found.short", where, matches)
	case s.Returned < 0:
		out = w.say("scan.found", where, w.predicate(s), matches)
	case short:
		out = w.say("scan.some.short", where, matches, num(s.Returned))
	default:
		out = w.say("scan.some", where, w.predicate(s), matches, num(s.Returned))
	}
	if s.Unjudged.Known() && s.Unjudged.Value > 0 && !short {
		out = w.joined([]string{out, w.say("scan.unjudged", w.quantity(s.Unit, s.Unjudged))})
	}
	return out
}

func (w *wording) predicate(s *coverage.Scan) string {
	return quoted(s.Predicate, w.names)
}

// searched is "all 549 lines" or "lines 1-300 of 549".
func (w *wording) searched(s *coverage.Scan) string {
	set := coverage.Set(nil).Add(s.Scanned...)
	unit := s.Unit
	if !knownUnit(unit) {
		unit = coverage.Item
	}
	if s.Of.Relation == coverage.Eq && set.Covers(s.Of.Value) {
		return w.say("scan.all", w.quantity(unit, s.Of))
	}
	if unit == coverage.Line || unit == coverage.Item {
		return w.unitExtent(View{Unit: unit, Units: s.Scanned, UnitTotal: s.Of})
	}
	return w.withTotal("byte.of", s.Of, num(set.Len()))
}
