package jsonview

import (
	"github.com/toolclip/toolclip/internal/jsonscan"
)

// silence passes over the rest of the innermost container that has a node.
func (v *View) silence(at int64) {
	v.drop(at)
	v.lastEvent = at
	if v.judge.busy() {
		v.mute = muting{on: true, depth: v.scan.Depth() - v.outer - len(v.stack)}
		return
	}
	v.scan.SkipTo(v.outer + len(v.stack))
}

// silenceFrom is silence from the value on that begins.
func (v *View) silenceFrom(k jsonscan.Kind, at int64, wanted bool) {
	v.open = -1
	v.silence(at)
	if v.mute.on && isContainer(k) {
		v.mute.depth++
	}
	v.want(wanted, at)
}

// want keeps the bytes of a scalar that has no node, for the keep rules.
func (v *View) want(wanted bool, at int64) {
	if wanted {
		v.keep(at)
		v.lastEvent = at
	}
}

// leaveOut passes over a value.
func (v *View) leaveOut(k jsonscan.Kind, at int64) {
	v.open = -1
	if !isContainer(k) {
		return
	}
	v.drop(at)
	v.lastEvent = at
	if v.judge.busy() {
		v.mute = muting{on: true, one: true, depth: 1}
		return
	}
	v.skipped = true
	v.scan.Skip(k)
}

// giveUp passes over the rest of the innermost container, an element that keeps
// all its members, because their smallest forms are more than any view can show.
func (v *View) giveUp(f *frame, at int64) {
	v.nodes = v.nodes[:f.node+1]
	v.open = -1
	v.silence(at)
	v.mute.depth = 0 // the member has ended
}

// unheard passes over the content of the container that begins, whose bytes may
// yet be needed.
func (v *View) unheard(k jsonscan.Kind) {
	if v.judge.busy() {
		v.mute = muting{on: true}
		return
	}
	v.scan.Skip(k)
}

// muting is the state in which events are heard by the keep rules alone.
type muting struct {
	on    bool
	one   bool  // for one value; otherwise for the rest of the innermost container with a node
	depth int   // containers open that have no node
	n     int64 // values begun in what is passed over
}

// level is the depth at which the values of what is passed over begin.
func (m *muting) level() int {
	if m.one {
		return 1
	}
	return 0
}

func (v *View) mutedBegin(k jsonscan.Kind, at int64) {
	if k == jsonscan.Name {
		v.judge.at = at
		v.keep(at)
		v.lastEvent = at
		return
	}
	if v.mute.depth == v.mute.level() {
		v.mute.n++
	}
	if v.leave(at) {
		return
	}
	wanted := v.judge.begin(k, at)
	if isContainer(k) {
		v.mute.depth++
		if v.judge.depth > 1 && !v.judge.inside() { // no rule leads into it
			v.scan.Skip(k)
		}
	}
	v.dropMuted(at)
	v.lastEvent = at
	v.want(wanted, at)
}

// leave passes over the rest of the element, or of the outermost container in it that
// is passed over, if nothing more is to be learned for the rules.
func (v *View) leave(at int64) bool {
	if !v.judge.active || v.judge.depth == 0 || !v.judge.decided() {
		return false
	}
	out := min(v.judge.depth-1, v.mute.depth-v.mute.level())
	v.judge.depth -= out
	v.mute.depth -= out
	v.dropMuted(at)
	v.scan.SkipTo(v.scan.Depth() - out)
	return true
}

func (v *View) mutedEnd(k jsonscan.Kind, end, n, last int64) {
	if v.mute.depth == v.mute.level() {
		v.mute.n += n
	}
	switch {
	case k == jsonscan.Name:
		v.judge.name(func() []byte { return v.source(v.judge.at, end) }, end-v.judge.at)
		v.dropMuted(end)
	case !isContainer(k):
		v.judge.end(k, func() []byte { return v.scalar(end) })
		v.dropMuted(end)
		v.leave(end)
	case v.mute.depth == 0:
		n = v.mute.n
		v.mute = muting{}
		v.judge.end(k, nil)
		v.endContainer(end, n, last)
		return
	default:
		v.judge.end(k, nil)
		if v.mute.depth--; v.mute.depth == 0 && v.mute.one {
			n = v.mute.n
			v.mute = muting{}
			v.endSkipped(end, n)
		}
	}
	v.lastEvent = end
}

// dropMuted stops keeping bytes, unless an open element may yet be shown whole.
func (v *View) dropMuted(at int64) {
	if v.spec < 0 {
		v.drop(at)
	}
}
