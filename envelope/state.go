package envelope

import (
	"slices"

	"github.com/toolclip/toolclip/coverage"
)

// This file tells what a notice is about: how much is shown, and within what.

// state is the key of the word that opens the notice.
func (w *wording) state() string {
	view := w.viewState()
	switch {
	case w.e.Failure == nil:
		return view
	case view == "partial" || view == "altered":
		return "failed." + view
	}
	return "failed"
}

// viewState is the key of the word for how much of the result is shown.
func (w *wording) viewState() string {
	_, incomplete := w.reasons()
	switch {
	case w.complete() && incomplete:
		return "incomplete"
	case w.complete() && len(w.parts) == 1 && w.parts[0].Base64 != "":
		return "attached"
	case w.complete():
		return "complete"
	case w.allBytes():
		return "altered"
	}
	return "partial"
}

// complete reports whether every view is complete.
func (w *wording) complete() bool {
	for _, p := range w.parts {
		if !p.View.Complete && (w.e.Failure == nil || !isZero(p)) {
			return false
		}
	}
	return w.dropped() == 0
}

// dropped is how many of several contents are not there at all.
func (w *wording) dropped() int64 {
	if len(w.e.Parts) == 0 && w.e.List == "" {
		return 0
	}
	for _, o := range w.e.View.Omissions {
		if o.Unit == coverage.Item && o.Total.Known() {
			return max(0, o.Total.Value-o.Shown-o.Part)
		}
	}
	return 0
}

// several reports whether the envelope is of several contents, of which it may show one
// or none: then each has a heading with its own facts.
func (w *wording) several() bool {
	return len(w.e.Parts) > 1 || w.e.List != "" || w.dropped() > 0
}

// isZero reports whether p says nothing at all, as the part of a call that failed
// before it had a result.
func isZero(p Part) bool {
	return p.Content == "" && p.Base64 == "" && p.Artifact == nil && !inUnits(p.View) &&
		!p.View.ByteTotal.Known() && len(p.View.Bytes) == 0 && len(p.Reasons) == 0 && len(p.View.Omissions) == 0
}

// shown is the extent of the one part, or how many of several are whole.
func (w *wording) shown() string {
	if !w.several() {
		if p := w.parts[0]; p.Base64 != "" {
			return w.typed(p)
		} else if p.View.Complete && (w.e.Failure == nil || p.Content != "") {
			return w.size(p)
		} else if !p.View.Complete && (w.e.Failure == nil || !isZero(p)) {
			return w.extent(p)
		}
		return ""
	}
	part := 0
	for _, p := range w.e.Parts {
		if !p.View.Complete {
			part++
		}
	}
	s := w.say("parts.all", num(len(w.e.Parts)))
	if part > 0 {
		s = w.say("parts", num(part), num(len(w.e.Parts)))
	}
	if n := w.dropped(); n > 0 {
		s = w.listed(s, w.say("parts.dropped", num(n)))
	}
	return s
}

// detail is how much is shown beside the extent: in bytes where that is counted in
// other units, in the unit of the budget; then the budget, without its unit where that
// was the last one said.
func (w *wording) detail() string {
	limit := w.budget()
	if w.several() || w.tight() || w.parts[0].View.Complete {
		return w.budgetWithUnit(limit)
	}
	vw, unit, bytes, own := w.parts[0].View, coverage.Unit(""), "", ""
	o, measured := measuredIn(vw)
	if inUnits(vw) && (vw.ByteTotal.Known() || len(vw.Bytes) > 0) && (w.bytes || !measured) {
		bytes, unit = w.amount(vw), coverage.Byte
	}
	if measured {
		own, unit = w.measured(o), o.Unit
	}
	if limit.Unit == unit && limit.Limit > 0 {
		return w.listed(bytes, own, w.say("budget", num(limit.Limit).String()))
	}
	return w.listed(bytes, own, w.budgetWithUnit(limit))
}

// measuredIn is the omission that tells how much of the whole vw shows in the unit of
// the budget.
func measuredIn(vw View) (Omission, bool) {
	for _, o := range vw.Omissions {
		if measures(vw, o) {
			return o, true
		}
	}
	return Omission{}, false
}

// measures reports whether o counts the whole in the unit of a budget, and is not about
// a place in it.
func measures(vw View, o Omission) bool {
	switch o.Unit {
	case coverage.Rune, coverage.Grapheme, coverage.Token:
		return o.Pointer == "" || o.Pointer == vw.Pointer
	}
	return false
}

// measured is "190 of about 41000 tokens".
func (w *wording) measured(o Omission) string {
	shown := coverage.Count{Value: o.Shown, Relation: o.Relation}
	if !o.Total.Known() {
		return w.say("total?", w.quantity(o.Unit, shown))
	}
	return w.say("of."+string(o.Unit), w.count(shown), w.count(o.Total))
}

// budget is the reason that names the limit that ended the view, or the zero Reason.
func (w *wording) budget() coverage.Reason {
	for _, p := range w.allParts() {
		for _, r := range p.Reasons {
			if r.Code == coverage.OverBudget && r.Limit > 0 {
				return r
			}
		}
	}
	return coverage.Reason{}
}

func (w *wording) budgetWithUnit(r coverage.Reason) string {
	if r.Limit <= 0 {
		return ""
	}
	return w.say("budget", w.quantity(r.Unit, coverage.Exactly(r.Limit)))
}

// allBytes reports whether every byte is shown, so that there is no rest.
func (w *wording) allBytes() bool {
	if w.dropped() > 0 {
		return false
	}
	return !slices.ContainsFunc(w.parts, func(p Part) bool { return !p.View.Complete && !altered(p.View) })
}

// altered reports whether vw shows all bytes and is not complete only because a
// transform lost something.
func altered(vw View) bool {
	set := coverage.Set(nil).Add(vw.Bytes...).Add(vw.Context...)
	return loses(vw) && len(vw.Omissions) == 0 && vw.ByteTotal.Relation == coverage.Eq && set.Covers(vw.ByteTotal.Value)
}
