package jsonview

import (
	"slices"
	"strconv"

	"github.com/toolclip/toolclip/internal/view"
)

// pointer is the JSON Pointer of node i. safe is the outermost container on the
// way inside which the pointer does not lead to i, because an earlier member has
// the same name; -1 if it does.
func (b *painter) pointer(i int32) (at string, safe int32) {
	v := b.v
	safe = -1
	var chain []int32
	for j := i; v.nodes[j].parent >= 0; j = v.nodes[j].parent {
		chain = append(chain, j)
	}
	p := []byte(v.o.Pointer)
	for _, j := range slices.Backward(chain) {
		n := &v.nodes[j]
		if n.is(isElem) {
			p = strconv.AppendInt(append(p, '/'), n.index, 10)
			continue
		}
		p = appendToken(p, unquote(v.name(j)))
		if safe < 0 && b.again(j) {
			safe = n.parent
		}
	}
	return string(p), safe
}

// name is the raw name of a member, in its quotes.
func (v *View) name(i int32) []byte {
	n := &v.nodes[i]
	return firstString(v.arena.get(n.start, n.val()))
}

// firstString is the JSON string at the start of p.
func firstString(p []byte) []byte {
	for i := 1; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '"':
			return p[:i+1]
		}
	}
	return nil
}

// again says whether an earlier member of the same object has the name of i.
func (b *painter) again(i int32) bool {
	v := b.v
	n := &v.nodes[i]
	if n.is(isAgain) {
		return true
	}
	if n.is(isRequired) {
		return false
	}
	names := b.names[n.parent]
	if names == nil {
		if b.names == nil {
			b.names = map[int32]map[string]int32{}
		}
		names = map[string]int32{}
		b.names[n.parent] = names
		for j := n.parent + 1; int(j) < len(v.nodes) && v.nodes[j].parent >= n.parent; j++ {
			if v.nodes[j].parent != n.parent {
				continue
			}
			name := unquote(v.name(j))
			if _, ok := names[name]; !ok {
				names[name] = j
			}
		}
	}
	return names[unquote(v.name(i))] != i
}

// rawRest names bytes of the container at node i, for what no pointer leads to.
func (b *painter) rawRest(i int32, r view.Range) view.Rest {
	at, _ := b.pointer(i)
	val := b.v.nodes[i].val()
	return view.Rest{Pointer: at, Unit: view.Byte, From: r.Start - val, To: r.End - val, Bytes: r}
}
