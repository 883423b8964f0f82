package jsonview

import (
	"slices"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

// frame is a container that is open and has a node.
type frame struct {
	node  int32
	group int32 // the node whose step shows the members; -1: each has its own
	list  bool  // an array in no other array
	elem  bool
	n     int64 // values begun
	prev  int64 // behind the last one, or behind the bracket

	used     int64 // turns used by the values that ended
	usedKept int64 // the same of elements for which a keep rule holds

	nameAt   int64
	want     bool // the name is required
	again    bool // an earlier member may have the name
	leaveOut bool // the member is not to be shown
	seen     uint64
}

func isContainer(k jsonscan.Kind) bool { return k == jsonscan.Object || k == jsonscan.Array }

// settle finds the outermost open element that may yet be shown whole. One that
// has become too large is shown in part; if its turn is out of reach it is not
// shown at all, nor what follows it in its array.
func (v *View) settle(at int64) {
	for v.spec >= 0 && at-v.nodes[v.stack[v.spec].node].val() > v.o.MaxRecord {
		next := v.spec + 1
		for next < len(v.stack) && !v.stack[next].elem {
			next++
		}
		if next == len(v.stack) {
			v.spec = -1
			return
		}
		v.spec = next
		n := &v.nodes[v.stack[next].node]
		if !n.is(isGrouped) && v.beyond(n.level) {
			v.nodes = v.nodes[:v.stack[next].node]
			v.stack = v.stack[:next]
			v.spec, v.open = -1, -1
			v.silence(at)
			return
		}
	}
}

func (v *View) beginName(at int64) {
	f := &v.stack[len(v.stack)-1]
	f.nameAt, f.want, f.again, f.leaveOut = at, false, false, false
	if len(v.stack) == 1 && f.n >= v.pageTo {
		v.pageEnd = f.prev
		v.silence(at)
		return
	}
	if f.group < 0 && len(v.o.Required) == 0 && v.spec < 0 && v.out(v.memberLevel(f), false) {
		if v.windowOpen() {
			f.leaveOut = true
			return
		}
		v.silence(at)
		return
	}
	v.keep(gapFrom(f.prev, at))
	v.lastEvent = at
}

// gapFrom is where the piece of a value begins whose predecessor ends at prev.
func gapFrom(prev, at int64) int64 {
	if at-prev > maxGap {
		return at
	}
	return prev
}

// memberLevel is the turn of the next member of an object.
func (v *View) memberLevel(f *frame) int64 {
	n := &v.nodes[f.node]
	switch {
	case f.group >= 0:
		return v.nodes[f.group].level
	case f.want:
		return n.body()
	}
	free := int64(freeNames)
	if n.is(isFlat) {
		free = freeRoot
	}
	return turn(n.body(), int64(n.weight), max(0, f.used-free))
}

func (v *View) endName(end int64) {
	f := &v.stack[len(v.stack)-1]
	v.judge.name(func() []byte { return v.source(f.nameAt, end) }, end-f.nameAt)
	if f.group >= 0 {
		return
	}
	switch {
	case len(v.stack) == 1 && f.n < v.pageFrom, end-f.nameAt > MaxName:
		f.leaveOut = true
		if end-f.nameAt <= 6*MaxName {
			v.passed.add(v.nodes[f.node].val(), unquote(v.source(f.nameAt, end)))
		}
		return
	case len(v.o.Required) > 0:
		name := unquote(v.source(f.nameAt, end))
		i := slices.Index(v.o.Required, name)
		if f.want = i >= 0; f.want {
			f.again = i >= 64 || f.seen>>i&1 == 1
			f.seen |= 1 << (i & 63)
		}
		f.leaveOut = v.spec < 0 && v.out(v.memberLevel(f), f.want)
	}
	if v.passed.any() && !f.leaveOut {
		f.again = f.again || v.passed.has(v.nodes[f.node].val(), unquote(v.source(f.nameAt, end)))
	}
}

// source is the bytes from offset from to to, which are being kept; they are valid
// until the next write.
func (v *View) source(from, to int64) []byte {
	if from >= v.base {
		return v.p[from-v.base : to-v.base]
	}
	v.flush(to)
	return v.arena.get(from, to)
}

func (v *View) beginValue(k jsonscan.Kind, at int64) {
	wanted := v.judge.begin(k, at)
	f := &v.stack[len(v.stack)-1]
	i := f.n
	f.n++
	array := v.nodes[f.node].kind == jsonscan.Array
	if len(v.stack) == 1 && v.o.paged() && !v.inWindow(f, k, i, at, wanted) {
		return
	}
	var level int64
	if !array {
		level = v.memberLevel(f)
	} else {
		level = v.elementLevel(f)
		if f.leaveOut = v.spec < 0 && v.out(level, false); f.leaveOut && !(f.list && v.judge.busy()) && !v.windowOpen() {
			v.silenceFrom(k, at, wanted)
			return
		}
	}
	if !array && at-f.nameAt > maxNamed {
		if f.leaveOut = f.group < 0; !f.leaveOut {
			v.nodes[f.group].skel = maxLevel // no view shows it
			v.nodes = v.nodes[:f.group+1]
			v.silenceFrom(k, at, wanted)
			return
		}
	}
	if f.leaveOut {
		v.leaveOut(k, at)
		v.want(wanted, at)
		return
	}
	if array {
		v.keep(gapFrom(f.prev, at))
	}
	v.keep(at)
	v.addNode(k, i, at, level)
}

// maxNamed is the most bytes from the start of a name to its value.
const maxNamed = 1 << 30

// maxOpen is how many containers inside each other are looked into. Deeper ones
// are shown empty, or whole as a part of a small element; pages lead into them.
const maxOpen = 256

// windowOpen says whether the innermost container is what a page is of, and the end
// of the page's window is yet to be found.
func (v *View) windowOpen() bool { return len(v.stack) == 1 && v.o.To > 0 }

// inWindow deals with the values before and behind the window of a page; the
// first in it is noted.
func (v *View) inWindow(f *frame, k jsonscan.Kind, i, at int64, wanted bool) bool {
	switch {
	case i < v.pageFrom:
		v.leaveOut(k, at)
		v.want(wanted, at)
		return false
	case i >= v.pageTo:
		v.pageEnd = f.prev
		v.silenceFrom(k, at, wanted)
		return false
	case i == v.pageFrom:
		v.first = child{kind: k, seen: true, start: at}
		if v.rootKind == jsonscan.Object {
			v.first.nameAt, v.first.again = f.nameAt, f.again
			v.first.name = append([]byte(nil), firstString(v.source(f.nameAt, min(at, f.nameAt+MaxName)))...)
		}
	}
	return true
}

// addNode makes a node of the i-th value of the innermost container.
func (v *View) addNode(k jsonscan.Kind, i, at, level int64) {
	f := &v.stack[len(v.stack)-1]
	p := &v.nodes[f.node]
	n := node{parent: f.node, kind: k, index: i, gap: wide, comma: -1, start: at, level: level, weight: p.weight, used: f.used}
	elem := p.kind == jsonscan.Array
	if elem {
		n.flags |= isElem
		n.weight = min(p.weight*fragmentWeight, maxWeight)
	} else {
		n.start, n.named = f.nameAt, int32(at-f.nameAt)
		if f.want {
			n.flags |= isRequired
		}
		if f.again {
			n.flags |= isAgain
		}
	}
	if f.group >= 0 {
		n.flags |= isGrouped
	}
	if i > 0 {
		n.comma = v.scan.Comma()
	}
	if gap := n.start - f.prev; gap <= maxGap {
		n.gap = uint8(gap)
	}
	v.appendNode(n)
	v.open = -1
	if isContainer(k) {
		v.enter(k, at, elem)
		switch {
		case len(v.stack) >= maxOpen:
			v.unheard(k)
		case v.spec == len(v.stack)-1:
			v.passOver(k)
		}
		return
	}
	v.open = int32(len(v.nodes) - 1)
	v.lastEvent = at
}

// appendNode appends n. The room doubles while it is small, and then grows by a
// quarter, or to what may be there before the next prune.
func (v *View) appendNode(n node) {
	if c := cap(v.nodes); len(v.nodes) == c {
		room := 2 * c
		if c >= 2048 {
			room = max(c+c/4, v.nodeRoom+loudPiece/2)
		}
		v.nodes = append(make([]node, 0, room), v.nodes...)
	}
	v.nodes = append(v.nodes, n)
}

// enter opens the container whose node is the last.
func (v *View) enter(k jsonscan.Kind, at int64, elem bool) {
	id := int32(len(v.nodes) - 1)
	f := frame{node: id, group: -1, elem: elem, prev: at + 1}
	f.list = k == jsonscan.Array && !v.inArray()
	if elem && k == jsonscan.Object {
		f.group = id
	}
	v.stack = append(v.stack, f)
	v.lastEvent = at + 1
	if elem && v.spec < 0 {
		v.spec = len(v.stack) - 1
	}
}

// inArray says whether an open container is an array, or the whole is an element.
func (v *View) inArray() bool {
	return v.grouped || slices.ContainsFunc(v.stack, func(f frame) bool { return v.nodes[f.node].kind == jsonscan.Array })
}

func (v *View) endScalar(end int64) {
	id := v.open
	v.open = -1
	if id < 0 {
		v.ended(-1, end)
		return
	}
	n := &v.nodes[id]
	n.end = end
	if n.kind == jsonscan.String {
		n.n = end - n.val() - 2
		v.endString(id)
	} else {
		n.flags |= isAtomic
		if end-n.val() > MaxName && n.parent >= 0 && !n.is(isGrouped) {
			if !n.is(isElem) {
				v.flush(end)
				v.passed.add(v.nodes[n.parent].val(), unquote(v.name(id)))
			}
			v.nodes = v.nodes[:id]
			id = -1
		}
	}
	v.ended(id, end)
}

// endString decides whether a string is whole or grows by chunks.
func (v *View) endString(id int32) {
	n := &v.nodes[id]
	atomic := int64(MaxShort)
	if n.is(isElem) {
		atomic = v.o.MaxRecord - 2
	}
	if n.parent >= 0 && n.n <= atomic {
		n.flags |= isAtomic
	}
	v.endBlob(id)
	if id == 0 && v.o.paged() {
		v.endWindow()
	}
	v.keep(n.end - 1)
}

func (v *View) endContainer(end, silent, last int64) {
	s := len(v.stack) - 1
	f := v.stack[s]
	v.stack = v.stack[:s]
	n := &v.nodes[f.node]
	n.end = end
	if n.n == 0 {
		n.n = f.n + silent
	}
	n.tail = 1
	if gap := end - 1 - last; gap <= maxGap {
		n.tail += uint8(gap)
	}
	v.keep(n.close())
	v.pass.on = false
	if f.elem && end-n.val() <= v.o.MaxRecord {
		v.nodes = v.nodes[:f.node+1]
		n.flags |= isAtomic
		n.skel = 0
	}
	if v.spec == s {
		v.spec = -1
	}
	if f.list {
		v.relevel(f.node, &f)
	}
	v.ended(f.node, end)
}

// endSkipped is the end of a container without a node; n are its values.
func (v *View) endSkipped(end, n int64) {
	if v.first.seen && v.first.end == 0 && len(v.stack) == 1 {
		v.first.n = n
	}
	v.ended(-1, end)
}

// ended moves on behind a value; id is its node, -1 if it has none.
func (v *View) ended(id int32, end int64) {
	v.lastEvent = end
	if len(v.stack) == 0 {
		v.rootEnd = end
		return
	}
	f := &v.stack[len(v.stack)-1]
	f.prev = end
	if len(v.stack) == 1 && v.first.seen && v.first.end == 0 {
		v.first.end = end
		if id >= 0 {
			v.first.n = v.nodes[id].n
		}
	}
	if id < 0 {
		return
	}
	n := &v.nodes[id]
	if n.is(isElem) {
		v.endElement(f, id)
		return
	}
	cost := n.cost()
	f.used += cost
	if f.group >= 0 {
		g := &v.nodes[f.group]
		g.skel += cost
		if s := len(v.stack) - 1; g.skel > v.o.Retain && (v.spec < 0 || s < v.spec) {
			v.giveUp(f, end)
		}
	}
}
