package jsonview

import "github.com/toolclip/toolclip/internal/jsonscan"

// node is a value that may be shown. Nodes are kept in the order of the source, a
// parent before its children. Offsets are those of the source.
type node struct {
	level  int64 // its turn; see order.go
	start  int64 // of its name, or of itself
	end    int64 // behind it; 0 while it is open
	comma  int64 // between it and the value before; -1 if it is the first
	index  int64 // among its parent's values
	n      int64 // its values; for a string, the bytes of its raw body
	skel   int64 // bytes of its members that its own step shows
	used   int64 // of a list's element: the turns used before it
	parent int32 // -1 for the root
	named  int32 // bytes from start to the value itself
	weight int32 // how much faster than the root's the turns of its content pass
	sum    int32 // 1 + index in View.sums; 0 not looked at, -1 no blob
	flags  flag
	kind   jsonscan.Kind
	gap    uint8 // bytes from the value before to start; wide if they are too many to show
	tail   uint8 // bytes of its closing piece: the white space before the bracket, and that
	more   uint8 // elements behind it for which it stands too; see batch.go
	turns  uint8 // that all of them use, if there are any
}

// wide is the gap of a node that is shown without the white space before it.
const wide = 255

// val is where the value itself begins.
func (n *node) val() int64 { return n.start + int64(n.named) }

// pre is where its piece begins, behind the previous value; -1 if the gap is wide.
func (n *node) pre() int64 {
	if n.gap == wide {
		return -1
	}
	return n.start - int64(n.gap)
}

// close is where the closing piece begins.
func (n *node) close() int64 { return n.end - int64(n.tail) }

// body is the turn of its content.
func (n *node) body() int64 {
	if n.is(isFlat) {
		return n.level
	}
	return turn(n.level, int64(n.weight), depthCost)
}

type flag uint16

const (
	isElem     flag = 1 << iota // child of an array
	isAtomic                    // shown whole or not at all
	isGrouped                   // shown in the step of its parent, an element that keeps all its members
	isRequired                  // its name is in Options.Required
	isBlob                      // a data URI or base64: only its head is shown
	isMatch                     // a keep rule holds for it
	isTail                      // counted from the end of its list
	isFlat                      // the root object: its members come at its own turn
	isAgain                     // an earlier member may have its name
)

func (n *node) is(f flag) bool { return n.flags&f != 0 }

// maxGap is the widest white space between two parts that a view shows.
const maxGap = 128

// lead is the cost of what stands before the value: separator, name, colon.
func (n *node) lead() int64 {
	gap := int64(0)
	switch {
	case n.pre() >= 0:
		gap = n.start - n.pre()
	case n.comma >= 0:
		gap = 1
	}
	return gap + n.val() - n.start
}

// cost is what the smallest form of the value costs, without members that it
// groups. Of an open value it is what it will cost at least.
func (n *node) cost() int64 {
	switch {
	case n.is(isAtomic):
		return n.lead() + n.end - n.val()
	case n.kind == jsonscan.String || n.end == 0:
		return n.lead() + 2
	}
	return n.lead() + 1 + n.end - n.close()
}

// Chunks of a string: the first 64 bytes of its raw body, then 256 each.
const chunkSize = 256

func chunkStart(part int32) int64 {
	if part == 0 {
		return 0
	}
	return MaxShort + int64(part-1)*chunkSize
}

// blobHead is how much of a blob is shown.
func (v *View) blobHead(n *node) int64 { return v.sums[n.sum-1].head }
