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
	if len(w.e.Parts) == 0 {
		return 0
	}
	for _, o := range w.e.View.Omissions {
		if o.Unit == coverage.Item && o.Total.Known() {
			return max(0, o.Total.Value-o.Shown-o.Part)
		}
	}
	return 0
}

// isZero reports whether p says nothing at all, as the part of a call that failed
// before it had a result.
func isZero(p Part) bool {
	return p.Content == "" && p.Base64 == "" && p.Artifact == nil && !inUnits(p.View) &&
		!p.View.ByteTotal.Known() && len(p.View.Bytes) == 0 && len(p.Reasons) == 0 && len(p.View.Omissions) == 0
}

// shown is the extent of the one part, or how many of several are whole.
func (w *wording) shown() string {
	if len(w.parts) == 1 && w.dropped() == 0 {
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
	for _, p := range w.parts {
		if !p.View.Complete {
			part++
		}
	}
	s := w.say("parts.all", num(len(w.parts)))
	if part > 0 {
		s = w.say("parts", num(part), num(len(w.parts)))
	}
	if n := w.dropped(); n > 0 {
		s = w.listed(s, w.say("parts.dropped", num(n)))
	}
	return s
}

// detail is the bytes of a part that is counted in other units, and the budget; its
// unit is said where it is another.
func (w *wording) detail() string {
	limit := w.budget()
	if len(w.parts) == 1 && !w.tight() {
		if p := w.parts[0]; !p.View.Complete && inUnits(p.View) && (p.View.ByteTotal.Known() || len(p.View.Bytes) > 0) {
			if limit.Unit == coverage.Byte {
				return w.listed(w.amount(p.View), w.say("budget", num(limit.Limit).String()))
			}
			return w.listed(w.amount(p.View), w.budgetWithUnit(limit))
		}
	}
	return w.budgetWithUnit(limit)
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
