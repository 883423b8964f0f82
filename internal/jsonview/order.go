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
//   - the members of the root come at turn 0, content elsewhere begins depthCost
//     turns after its container;
//   - a member comes one turn later for each byte of the smallest forms of the
//     members before it, beyond the first freeNames (in the root freeRoot) bytes;
//   - an element comes one turn later for each byte of the elements before it, of
//     each at most MaxRecord, but small ones come together (see batch.go);
//   - a chunk of a string comes one turn later for each byte before it;
//   - inside an element that is too large to be shown whole, turns pass
//     fragmentWeight times as fast, so that the elements beside it come through.
//
// Equal turns go in the order of the source, but required names first.
const (
	depthCost      = 256
	freeRoot       = 4096
	freeNames      = 256
	fragmentWeight = 4
	maxWeight      = 1 << 16
	maxLevel       = 1 << 60
	keepPenalty    = 1 << 50 // of elements for which no keep rule holds
)

// turn is base + weight·bytes, at most maxLevel. It has no division: it is asked for
// every element.
func turn(base, weight, bytes int64) int64 {
	return min(maxLevel, base+weight*min(bytes, maxLevel/maxWeight))
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
	list := roomFor(v.steps, end)
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
