package jsonview

import "bytes"

// Small elements that follow each other in an array share a node, a batch, so that a
// list of them costs memory in proportion to its bytes. A batch is one step. Of the
// one that no longer fits, the elements that do are shown.
//
// Which elements share a batch depends on the document alone: those that lie in the
// same stretch of batchTurns turns, and that keep rules judge alike.
const batchTurns = 32

// batchOf is the turn at which the stretch begins in which the turn used lies. All of
// its elements come at that turn.
func batchOf(used int64) int64 { return used - used%batchTurns }

// count is the number of values for which the node stands.
func (n *node) count() int64 { return 1 + int64(n.more) }

// turnsOf is how many turns of its list an element uses that ended.
func (v *View) turnsOf(n *node) int64 {
	if n.more > 0 {
		return int64(n.turns)
	}
	return min(n.end-n.val(), v.o.MaxRecord)
}

// join adds the element that ended last to the batch of the one before it, where
// they may share one.
func (v *View) join(id int32) {
	n, p := &v.nodes[id], &v.nodes[id-1]
	used := n.used + v.turnsOf(n)
	switch {
	case !p.is(isAtomic), !n.is(isAtomic), p.is(isMatch) != n.is(isMatch):
	case p.end != n.pre(): // something was left out between them
	case batchOf(p.used) == batchOf(used-1):
		p.more, p.turns, p.end = p.more+1, uint8(used-p.used), n.end
		v.nodes = v.nodes[:id]
	}
}

// takeSome takes those elements of a batch that fit, from the end at which its list
// is shown. It returns how many.
func (v *View) takeSome(n *node, m *meter) (taken int64) {
	for all := n.count(); taken < all; taken++ {
		i := taken
		if n.is(isTail) {
			i = all - 1 - taken
		}
		one := v.part(n, i, i+1)
		if !m.take(one.cost(), v.nodePieces(&one)) {
			break
		}
	}
	return taken
}

// taken is node i, or of a batch what is shown of it.
func (v *View) taken(i int32, g *shown) *node {
	n := &v.nodes[i]
	if g.some == 0 {
		return n
	}
	from := int64(0)
	if n.is(isTail) {
		from = n.count() - g.some
	}
	part := v.part(n, from, from+g.some)
	return &part
}

// part is the batch of the elements from to to-1 of the batch n.
func (v *View) part(n *node, from, to int64) node {
	raw, at := v.arena.get(n.start, n.end), 0
	part := *n
	part.index, part.more = n.index+from, uint8(to-from-1)
	for i := int64(1); ; i++ {
		end := at + valueSize(raw[at:])
		if i == to {
			part.end = n.start + int64(end)
			return part
		}
		comma := end + bytes.IndexByte(raw[end:], ',')
		at = comma + 1
		for isSpace(raw[at]) {
			at++
		}
		if i == from {
			part.start, part.comma = n.start+int64(at), n.start+int64(comma)
			part.gap = uint8(at - end)
		}
	}
}

// valueSize is the length of the JSON value at the start of p.
func valueSize(p []byte) int {
	depth := 0
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '"':
			i += len(firstString(p[i:])) - 1
			if depth == 0 {
				return i + 1
			}
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || isSpace(c)):
			return i
		}
	}
	return len(p)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
