package jsonview

import (
	"cmp"
	"math"
	"slices"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

// The order of growth. A view grows by steps: a member in its smallest form (a
// short value whole, an object {}, an array [], a string ""), an element of an
// array, a chunk of a string. A limit is spent on the longest run of steps that
// fits; the first that does not fit ends it. The order is a property of the
// document alone, so a larger limit shows all that a smaller one does.
//
// Each step has a turn, counted in bytes. What a container shows uses up its
// turns, so that containers side by side are served alike, as a network serves
// flows (weighted fair queuing):
//
//   - the members of the root come at turn 0, those beyond the first freeNames
//     bytes one turn for each byte of their smallest forms before them;
//   - content begins depthCost turns after its container;
//   - an element comes one turn later for each byte of the elements before it, of
//     each at most MaxRecord;
//   - a chunk of a string comes one turn later for each byte before it;
//   - inside an element that is too large to be shown whole, turns pass
//     fragmentWeight times as fast, so that the elements beside it come through.
//
// Equal turns go in the order of the source, but required names first.
const (
	depthCost      = 256
	freeNames      = 4096
	fragmentWeight = 4
	maxWeight      = 1 << 16
	maxLevel       = 1 << 60
	keepPenalty    = 1 << 50 // of elements for which no keep rule holds
)

// turn is base + weight·bytes, without overflow.
func turn(base, weight, bytes int64) int64 {
	if bytes > (maxLevel-base)/weight {
		return maxLevel
	}
	return base + weight*bytes
}

// step is one growth of the view.
type step struct {
	level int64
	cost  int64 // in bytes
	node  int32
	part  int32 // 0 the node's smallest form, then chunk part-1 of a string; ^part: of a required name
}

// chunk is the number of the string's chunk, -1 for the smallest form.
func (s *step) chunk() int32 { return max(s.part, ^s.part) - 1 }

// late says that the step is not of a required name.
func (s *step) late() bool { return s.part >= 0 }

func (s *step) compare(t *step) int {
	if c := cmp.Compare(s.level, t.level); c != 0 {
		return c
	}
	if s.late() != t.late() {
		if t.late() {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(s.node, t.node); c != 0 { // nodes are in the order of the source
		return c
	}
	return cmp.Compare(s.chunk(), t.chunk())
}

// steps lists the steps of the nodes before end in order.
func (v *View) listSteps(end int) []step {
	list := v.steps[:0]
	for i := range v.nodes[:end] {
		n := &v.nodes[i]
		if !n.is(isGrouped) {
			list = append(list, step{n.level, n.cost() + n.skel, int32(i), partOf(n, 0)})
		}
		if n.kind == jsonscan.String && !n.is(isAtomic) {
			list = v.appendChunks(list, int32(i))
		}
	}
	slices.SortFunc(list, func(a, b step) int { return a.compare(&b) })
	v.steps = list
	return list
}

// beyond says so of a step that may stand before the edge in the source.
func (v *View) beyond(level int64) bool { return v.full && level > v.edge.level }

func partOf(n *node, part int32) int32 {
	if n.is(isRequired) {
		return ^part
	}
	return part
}

// appendChunks lists the chunks of a string as far as its bytes are held.
func (v *View) appendChunks(list []step, i int32) []step {
	n := &v.nodes[i]
	from := n.val() + 1 + v.pageSkip(i)
	have := int64(len(v.arena.get(from, math.MaxInt64/2)))
	if n.end > 0 {
		have = min(have, n.end-1-from)
	}
	if from+have < n.end-1 || n.end == 0 {
		have -= lookahead
	}
	if n.is(isBlob) {
		have = min(have, v.blobHead(n))
	}
	if i == 0 {
		have = min(have, v.pageCap)
	}
	for part := int32(0); chunkStart(part) < have; part++ {
		off := chunkStart(part)
		s := step{n.level, min(have, chunkStart(part+1)) - off, i, partOf(n, part+1)}
		if part > 0 {
			s.level = turn(n.body(), int64(n.weight), off)
		}
		list = append(list, s)
	}
	return list
}

// pageSkip is how many bytes of the raw body of a paged string lie before the page.
func (v *View) pageSkip(i int32) int64 {
	if i == 0 {
		return v.pageFrom
	}
	return 0
}

// out says whether a step at level, later in the source than any so far, can no
// longer be in a view.
func (v *View) out(level int64, required bool) bool {
	if !v.full || level < v.edge.level {
		return false
	}
	return level > v.edge.level || v.edge.late() != required
}

// prune forgets what no view within Retain can show and remembers where that
// begins. An open element that may yet be shown whole, and an open scalar, are
// left as they are.
func (v *View) prune() {
	v.flush(v.base + int64(len(v.p)))
	v.relevelOpen()
	fixed := len(v.nodes)
	if v.spec >= 0 {
		fixed = int(v.stack[v.spec].node)
	} else if v.open > 0 {
		fixed = int(v.open)
	}
	keep := v.mark(fixed)
	v.compact(keep, fixed)
	v.room(len(v.nodes), len(v.arena.buf))
}

// side says how far the turn of a node is settled.
type side uint8

const (
	settled side = iota
	fromEnd      // of a list that is open, reckoned from its end: others will push it back
	pending      // in an element of a list that is open: it may go back as a whole
)

// sidesOf finds the sides of the nodes before end.
func (v *View) sidesOf(end int) []side {
	sides := append(v.sides[:0], make([]side, end)...)
	v.sides = sides
	for s := range v.stack {
		f := &v.stack[s]
		if !f.list || len(v.o.Keep) == 0 && v.ends(f) == Head {
			continue
		}
		for i := int(f.node) + 1; i < end; i++ {
			switch n := &v.nodes[i]; {
			case n.parent != f.node:
				sides[i] = sides[n.parent]
			case n.end == 0:
				sides[i] = pending
			case n.is(isTail):
				sides[i] = fromEnd
			}
		}
	}
	return sides
}

// mark finds how much of each node some view may show: -1 nothing, or bytes of a
// string. A step is out of reach when those that are sure to come before it are
// more than Retain; the one that exceeds it is kept, as it may be shown in part.
func (v *View) mark(fixed int) []int64 {
	keep := v.marks[:0]
	for range fixed {
		keep = append(keep, -1)
	}
	v.marks = keep
	sides := v.sidesOf(fixed)
	steps := v.listSteps(fixed)
	v.findEdge(steps, sides)
	var used [3]int64 // by side
	for i := range steps {
		s := &steps[i]
		side := sides[s.node]
		before := used[settled]
		if side != settled {
			before += used[side]
		}
		used[side] += s.cost
		if before > v.o.Retain && !(side == fromEnd && v.headInReach(s)) {
			continue
		}
		keep[s.node] = max(keep[s.node], 0)
		if c := s.chunk(); c >= 0 {
			keep[s.node] = chunkStart(c + 1)
		}
	}
	for _, f := range v.stack {
		if int(f.node) < fixed {
			keep[f.node] = max(keep[f.node], 0)
		}
	}
	for i := range keep {
		if n := &v.nodes[i]; n.parent >= 0 && keep[n.parent] < 0 {
			keep[i] = -1
		} else if n.is(isGrouped) {
			keep[i] = max(keep[i], 0)
		}
	}
	return keep
}

// findEdge finds the first step that settled steps before it put out of reach.
func (v *View) findEdge(steps []step, sides []side) {
	used := int64(0)
	for i := range steps {
		if sides[steps[i].node] != settled {
			continue
		}
		if used += steps[i].cost; used > v.o.Retain {
			v.full, v.edge = true, steps[i]
			return
		}
	}
}

// headInReach says whether an element that is now reckoned from the end of its
// list may yet be shown for being near its head.
func (v *View) headInReach(s *step) bool {
	i := s.node
	for !(v.nodes[i].is(isElem) && v.nodes[i].is(isTail)) {
		i = v.nodes[i].parent
	}
	for k := range v.stack {
		f := &v.stack[k]
		if f.node == v.nodes[i].parent && v.ends(f) == HeadAndTail {
			head := v.headLevel(f, i) + s.level - v.nodes[i].level
			return !v.beyond(head)
		}
	}
	return false
}

// compact drops the nodes before fixed that are not kept, and bytes that no node
// needs.
func (v *View) compact(keep []int64, fixed int) {
	spans := v.spans[:0]
	moved := int32(0)
	for i := range v.nodes {
		n := v.nodes[i]
		if i < fixed {
			if keep[i] < 0 {
				continue
			}
			spans = v.appendSpans(spans, &n, keep[i], int32(i))
		} else if i == fixed {
			spans = append(spans, span{max(0, n.start-maxGap), math.MaxInt64})
		}
		if i < fixed {
			keep[i] = int64(moved)
		} else {
			v.marks = append(v.marks, int64(moved))
			keep = v.marks
		}
		if n.parent >= 0 {
			n.parent = int32(keep[n.parent])
		}
		v.nodes[moved] = n
		moved++
	}
	v.nodes = v.nodes[:moved]
	for i := range v.stack {
		f := &v.stack[i]
		if f.group >= 0 {
			f.group = int32(keep[f.group])
		}
		f.node = int32(keep[f.node])
	}
	if v.open >= 0 {
		v.open = int32(keep[v.open])
	}
	spans = append(spans, span{v.lastEvent - maxGap, math.MaxInt64})
	v.spans = spans
	v.arena.retain(spans)
}

// addSpan appends a span, to the last one if they touch.
func addSpan(spans []span, from, to int64) []span {
	if k := len(spans); k > 0 && from >= spans[k-1].from && from <= spans[k-1].to {
		spans[k-1].to = max(spans[k-1].to, to)
		return spans
	}
	return append(spans, span{from, to})
}

// appendSpans lists the bytes that a node needs; upTo is how much of a string.
func (v *View) appendSpans(spans []span, n *node, upTo int64, i int32) []span {
	from := n.start
	if n.gap != wide {
		from = n.pre()
	}
	switch {
	case n.is(isAtomic):
		return addSpan(spans, from, n.end)
	case n.kind == jsonscan.String:
		body := n.val() + 1 + v.pageSkip(i)
		spans = addSpan(spans, from, n.val()+1)
		spans = addSpan(spans, body, body+upTo+lookahead)
		if n.end > 0 {
			spans = addSpan(spans, n.end-1, n.end)
		}
		return spans
	case n.end > 0:
		spans = append(spans, span{n.close(), n.end})
	}
	return addSpan(spans, from, n.val()+1)
}
