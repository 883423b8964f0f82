package jsonview

import "github.com/toolclip/toolclip/internal/jsonscan"

// ends is which elements of the array in frame f are shown.
func (v *View) ends(f *frame) Ends {
	if !f.list || v.o.Ends == DefaultEnds {
		return Head
	}
	return v.o.Ends
}

// elementLevel is the turn of the next element of an array, the best it can have:
// no element behind it, and a keep rule that holds.
func (v *View) elementLevel(f *frame) int64 {
	n := &v.nodes[f.node]
	switch {
	case v.ends(f) != Head:
		return n.body()
	case f.list && len(v.o.Keep) > 0:
		return turn(n.body(), int64(n.weight), f.usedKept)
	}
	return turn(n.body(), int64(n.weight), f.used)
}

// endElement gives an element that ended its turn.
func (v *View) endElement(f *frame, id int32) {
	n := &v.nodes[id]
	size := min(n.end-n.val(), v.o.MaxRecord)
	used := &f.used
	if f.list && v.judge.busy() {
		if v.judge.last == holds {
			n.flags |= isMatch
			used = &f.usedKept
		}
	}
	n.used = *used
	*used += size
	if !f.list {
		return
	}
	level, _ := v.listLevel(f, id)
	v.shift(id, level-n.level)
	if v.ends(f) == Head && v.beyond(level) {
		v.nodes = v.nodes[:id]
	}
}

// listLevel is the turn of an element of a list, as far as the list is known, and
// whether it is reckoned from the end.
func (v *View) listLevel(f *frame, id int32) (level int64, fromEnd bool) {
	n, p := &v.nodes[id], &v.nodes[f.node]
	body, used := p.body(), f.used
	switch {
	case len(v.o.Keep) > 0 && n.is(isMatch):
		used = f.usedKept
	case len(v.o.Keep) > 0:
		body += keepPenalty
	}
	behind := used - n.used - min(n.end-n.val(), v.o.MaxRecord)
	share := max(1, min(1023, int64(v.o.TailShare*1024)))
	switch v.ends(f) {
	case Tail:
		return turn(body, int64(p.weight), behind), true
	case HeadAndTail:
		head, tail := turn(body, int64(p.weight), n.used*1024/(1024-share)), turn(body, int64(p.weight), behind*1024/share)
		return min(head, tail), tail < head
	}
	return turn(body, int64(p.weight), n.used), false
}

// headLevel is the turn that an element of a list with two ends has at its head.
func (v *View) headLevel(f *frame, id int32) int64 {
	n, p := &v.nodes[id], &v.nodes[f.node]
	body := p.body()
	if len(v.o.Keep) > 0 && !n.is(isMatch) {
		body += keepPenalty
	}
	share := max(1, min(1023, int64(v.o.TailShare*1024)))
	return turn(body, int64(p.weight), n.used*1024/(1024-share))
}

// shift moves the turns of a node and all inside it.
func (v *View) shift(id int32, by int64) {
	if by == 0 {
		return
	}
	for j := id; int(j) < len(v.nodes) && (j == id || v.nodes[j].parent >= id); j++ {
		v.nodes[j].level += by
	}
}

// relevel gives the elements of a list the turns that they have now that more of
// it is known. Turns only come later.
func (v *View) relevel(list int32, f *frame) {
	if v.ends(f) == Head {
		return
	}
	for j := list + 1; int(j) < len(v.nodes); j++ {
		if n := &v.nodes[j]; n.parent == list && n.end > 0 {
			level, fromEnd := v.listLevel(f, j)
			v.shift(j, level-n.level)
			if n.flags &^= isTail; fromEnd {
				n.flags |= isTail
			}
		}
	}
}

// relevelOpen does so for the list that is open, if one is.
func (v *View) relevelOpen() {
	for i := range v.stack {
		if f := &v.stack[i]; f.list {
			v.relevel(f.node, f)
		}
	}
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
	if v.judge.active && v.judge.depth > 0 && v.judge.decided() {
		// Nothing more is to be learned in the element: on to its end, or to that
		// of the outermost container in it that is passed over.
		out := min(v.judge.depth-1, v.mute.depth-v.mute.level())
		v.judge.depth -= out
		v.mute.depth -= out
		v.dropMuted(at)
		v.scan.SkipTo(v.scan.Depth() - out)
		return
	}
	wanted := v.judge.begin(k, at)
	if isContainer(k) {
		v.mute.depth++
	}
	v.dropMuted(at)
	v.lastEvent = at
	v.want(wanted, at)
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
