package jsonview

import (
	"math"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

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

// The sides.
const (
	settled side = iota
	fromEnd      // of a list that is open, reckoned from its end: others will push it back
	pending      // in an element of a list that is open: it may go back as a whole
)

// sidesOf finds the sides of the nodes before end.
func (v *View) sidesOf(end int) []side {
	sides := roomFor(v.sides, len(v.nodes))[:end]
	clear(sides)
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
	keep := roomFor(v.marks, len(v.nodes))
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
	spans := roomFor(v.spans, fixed/4)
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
