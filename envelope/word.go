package envelope

import (
	"slices"
	"strings"
)

// level is how much of a frame is said. The levels that Word tries are in levels.
type level struct {
	bytes  bool // the bytes beside the unit of the budget
	claim  bool // what the ledger claims
	second bool // the search call
	expiry bool
	names  int  // bytes of a name, a pointer or a code that others gave; 0: left to the fields
	limit  int  // bytes of a message that others gave; 0: left to the fields
	args   bool // arguments of the first call
}

// maxString is the most of one message that a frame holds, in bytes; maxName of a
// name or a pointer.
const (
	maxString = 2048
	maxName   = 128
)

// levels are tried in this order. The last one is the essential frame.
var levels = func() []level {
	l := level{bytes: true, claim: true, second: true, expiry: true, names: maxName, limit: maxString, args: true}
	out := []level{l}
	add := func() { out = append(out, l) }
	l.bytes = false
	add()
	l.claim = false
	add()
	l.second = false
	add()
	l.expiry = false
	add()
	for _, l.names = range []int{64, 32, 0} {
		add()
	}
	for _, l.limit = range []int{1448, 1024, 724, 512, 362, 256, 181, 128, 90, 64, 45, 32, 22, 16, 0} {
		add()
	}
	l.args = false
	add()
	return out
}()

// Word returns e with Notice, Closing, Fence, headings and marks set from its
// facts, and with the mark that this process made it (see [Envelope.Worded]). It
// changes nothing else, and nothing that it sets is computed from content, with one
// exception: content that looks like a notice or a fence is fenced.
//
// Content stands bare (all of them empty) only if there is one content, its view is
// complete, nothing failed, no source is known to be incomplete, no reason says
// that anything is missing, no call shows more, and it does not imitate a notice
// or a fence. Nothing at all is said in one sentence: what was done, or "Completed,
// no output."
//
// fits judges the frame: all that [Envelope.Text] adds around the contents, as one
// string. With nil, everything is said. Else Word sheds, in this order and no
// further than needed: the bytes, where they are told beside the unit of the budget;
// the ledger's claim; the search call; the expiry; the length
// of strings known only at call time, whole runes, down to leaving them to the
// fields (names and pointers first, then messages); the arguments of the first
// call. What remains is the essential frame: that it is partial or failed, how much
// is shown, the handle, the name of the first call. Word returns it even if it does
// not fit; see [Style.Reserve].
//
// A Fence that e already has is kept when no content holds it.
func (s Style) Word(e Envelope, fits func(frame string) bool) Envelope {
	e = unworded(e)
	fence := e.Fence
	e.Fence = ""
	e.mark = mark{worded: true}
	v := s.voice()
	imitates := allComplete(e) && v.imitated(e) // a part never passes for a notice: it has one
	if bare(e) && !imitates {
		return e
	}
	for i, l := range levels {
		w := wording{Style: s, voice: v, level: l, e: e, parts: e.parts(), imitates: imitates}
		out := w.word()
		if fenced(out) {
			if i == 0 || contains(out, fence) {
				fence = drawFence(fence, out)
			}
			out.Fence = fence
		}
		if fits == nil || i == len(levels)-1 || fits(out.frame()) {
			return out
		}
	}
	panic("unreachable")
}

// unworded returns a copy of e without what Word sets, that shares with e only what
// Word does not touch.
func unworded(e Envelope) Envelope {
	e.Schema, e.Notice, e.Closing = Schema, "", ""
	e.Part = e.Part.unworded()
	e.Parts = slices.Clone(e.Parts)
	for i, p := range e.Parts {
		e.Parts[i] = p.unworded()
	}
	return e
}

func (p Part) unworded() Part {
	p.Heading = ""
	p.View.Cuts = slices.Clone(p.View.Cuts)
	for i := range p.View.Cuts {
		p.View.Cuts[i].Mark = ""
	}
	return p
}

// parts are the contents of e, however it holds them.
func (e Envelope) parts() []Part {
	if len(e.Parts) > 0 {
		return e.Parts
	}
	return []Part{e.Part}
}

// bare reports whether e's facts let its content stand alone.
func bare(e Envelope) bool {
	parts := e.parts()
	for i, p := range parts {
		if !whole(p) || p.Base64 != "" || (i > 0 && p.Content != "") {
			return false
		}
	}
	return parts[0].Content != "" && accounted(e) && e.Did == "" && !callsMore(e)
}

// allComplete reports whether every view is complete.
func allComplete(e Envelope) bool {
	return !slices.ContainsFunc(e.parts(), func(p Part) bool { return !p.View.Complete })
}

// accounted reports whether nothing that concerns all of e is in doubt.
func accounted(e Envelope) bool {
	return e.Failure == nil && len(e.Reasons) == 0 && e.List == "" && e.Acquired != AcquiredNo &&
		(e.Coverage == nil || e.Coverage.InputComplete) && settled(e.Scan)
}

// whole reports whether p is all there is, as far as anybody knows.
func whole(p Part) bool {
	return p.View.Complete && len(p.Reasons) == 0 && p.Acquired != AcquiredNo
}

// callsMore reports whether a call shows more than e, a search apart.
func callsMore(e Envelope) bool {
	return slices.ContainsFunc(e.Next, func(n Next) bool { return !n.Search })
}

// fenced reports whether out needs a fence: there is content, or several parts.
func fenced(out Envelope) bool {
	parts := out.parts()
	return len(parts) > 1 || parts[0].Content != "" || parts[0].Heading != ""
}

// contains reports whether fence occurs anywhere in what the model reads.
func contains(e Envelope, fence string) bool {
	in := func(s string) bool { return strings.Contains(s, fence) }
	if fence == "" || in(e.Notice) || in(e.Closing) {
		return true
	}
	return slices.ContainsFunc(e.parts(), func(p Part) bool {
		return in(p.Content) || in(p.Heading) || slices.ContainsFunc(p.View.Cuts, func(c Cut) bool { return in(c.Mark) })
	})
}
