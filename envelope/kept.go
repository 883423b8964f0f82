package envelope

import (
	"slices"
	"time"

	"github.com/toolclip/toolclip/coverage"
)

// This file says what was kept.

// maxHandle is longer than any handle; an envelope from elsewhere may hold anything.
const maxHandle = 256

// theArtifact is the one that the notice names: the envelope's, or that of its only
// part. Several parts with artifacts of their own name them in their headings.
func (w *wording) theArtifact() *Artifact {
	if w.e.Artifact != nil {
		return w.e.Artifact
	}
	if !w.several() {
		return w.parts[0].Artifact
	}
	return nil
}

// kept says under which handle the whole is, or that nothing was kept.
func (w *wording) kept() string {
	a := w.theArtifact()
	if a == nil {
		return w.notKept()
	}
	if !w.several() && w.parts[0].View.ByteTotal == coverage.Exactly(0) {
		return "" // nothing is in it
	}
	return w.keptAs(a, w.allParts())
}

func (w *wording) keptAs(a *Artifact, of []Part) string {
	arg, handle := w.argumentFor(a.Handle), label(a.Handle, maxHandle)
	if w.Compact {
		return w.say("kept.compact", arg, handle)
	}
	key := "kept"
	if !wholeIsKept(of) {
		key = "read"
	}
	if w.expiry && !a.ExpiresAt.IsZero() {
		return w.say(key+".until", arg, handle, clock(a.ExpiresAt))
	}
	return w.say(key, arg, handle)
}

// wholeIsKept reports whether an artifact is all that the tool had, as far as known.
func wholeIsKept(of []Part) bool {
	for _, p := range of {
		if p.Acquired == AcquiredNo || slices.ContainsFunc(p.Reasons, before) {
			return false
		}
	}
	return true
}

// before reports whether r is about what was lost before the view was cut.
func before(r coverage.Reason) bool { return loss(r) && !costless(r) }

// loss reports whether r is about something before the view was cut.
func loss(r coverage.Reason) bool {
	switch r.Layer {
	case coverage.LayerBudget, coverage.LayerPage:
		return false
	}
	return r.Code != coverage.NotText && r.Code != coverage.NotKept
}

// costless reports whether r says that nothing is missing for it, as where a content is
// not what it was declared as and is shown all the same.
func costless(r coverage.Reason) bool { return r.Count == coverage.Exactly(0) }

// clock is a time to the minute before it, in UTC.
func clock(t time.Time) string { return t.UTC().Truncate(time.Minute).Format("2006-01-02 15:04Z") }

// partsList says under which handle the list of the parts is, or that there should have
// been one.
func (w *wording) partsList() string {
	switch {
	case w.e.List != "":
		return w.listedAs(w.argumentFor(w.e.List), label(w.e.List, maxHandle))
	case w.dropped() > 0 && slices.ContainsFunc(w.e.Reasons, isNotKept):
		return w.say("not_listed")
	}
	return ""
}

func (w *wording) listedAs(argument, handle string) string {
	if w.Compact {
		return w.say("listed.compact", argument, handle)
	}
	return w.say("listed", argument, handle)
}

func isNotKept(r coverage.Reason) bool { return r.Code == coverage.NotKept }

// notKept says that the rest is nowhere, when that matters.
func (w *wording) notKept() string {
	for _, p := range w.allParts() {
		if p.Artifact != nil {
			return "" // the headings say it
		}
	}
	if w.e.NoNext != "" && !w.nameless() {
		return "" // it says so, and what to do
	}
	for _, p := range w.parts {
		if slices.ContainsFunc(p.Reasons, isNotKept) {
			return w.say("not_saved")
		}
	}
	if w.partsList() != "" || w.complete() || w.allBytes() {
		return ""
	}
	return w.say("not_kept")
}
