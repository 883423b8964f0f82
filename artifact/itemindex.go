package artifact

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sort"
)

// itemIndex is what a manifest says of the items of an artifact.
type itemIndex struct {
	pointer string
	total   int64
	starts  int64 // how many items are indexed, in pages of startsPerPage
	pages   []itemPageRef
}

// itemPageRef is what the manifest says of a page of starts.
type itemPageRef struct {
	sum   [32]byte // of the page
	first int64    // the first item in the page
}

const (
	startSize       = 8 + 8
	startsPerPage   = 1024
	itemPageSize    = startsPerPage * startSize
	itemPageRefSize = 32 + 8
)

// check says why x can't be true of size bytes. An item has at least one byte.
func (x Items) check(size int64) error {
	switch {
	case len(x.Pointer) > maxText:
		return fmt.Errorf("artifact: the items' Pointer has %d bytes, at most %d are kept", len(x.Pointer), maxText)
	case x.Total < 0 || x.Total > size:
		return fmt.Errorf("artifact: Total is %d items, the artifact has %d bytes", x.Total, size)
	case x.Total == 0 && len(x.Starts) > 0:
		return fmt.Errorf("artifact: Total is 0, and there are %d Starts", len(x.Starts))
	case len(x.Starts) > 0 && x.Starts[0].Offset < 0:
		return fmt.Errorf("artifact: Starts[0] is at byte %d", x.Starts[0].Offset)
	case x.Total > 0 && (len(x.Starts) == 0 || x.Starts[0].Item != 0):
		return fmt.Errorf("artifact: Total is %d, and the first of the Starts is not item 0", x.Total)
	}
	last := beforeAll
	for i, s := range x.Starts {
		if !s.follows(last) {
			return fmt.Errorf("artifact: Starts[%d], item %d at byte %d, can't follow item %d at byte %d: items ascend and have at least one byte each", i, s.Item, s.Offset, last.Item, last.Offset)
		}
		last = s
	}
	if end := (ItemStart{Item: x.Total, Offset: size}); !end.follows(last) {
		return fmt.Errorf("artifact: item %d of %d can't begin at byte %d of %d", last.Item, x.Total, last.Offset, size)
	}
	return nil
}

// beforeAll is followed by every start that can be.
var beforeAll = ItemStart{Item: -1, Offset: -1}

// follows reports whether s can come after t.
func (s ItemStart) follows(t ItemStart) bool {
	return s.Item > t.Item && s.Offset > t.Offset && s.Offset-t.Offset >= s.Item-t.Item
}

// sparse is a copy of x with the first item of each block alone.
func (x Items) sparse() *Items {
	kept := Items{Pointer: x.Pointer, Total: x.Total}
	block := int64(-1)
	for _, s := range x.Starts {
		if at := s.Offset / blockSize; at > block {
			block = at
			kept.Starts = append(kept.Starts, s)
		}
	}
	return &kept
}

// appendItemPage encodes starts.
func appendItemPage(b []byte, starts []ItemStart) []byte {
	for _, s := range starts {
		b = binary.BigEndian.AppendUint64(b, uint64(s.Item))
		b = binary.BigEndian.AppendUint64(b, uint64(s.Offset))
	}
	return b
}

// size is how many bytes of a blob the pages of x are; nil has none.
func (x *itemIndex) size() int64 {
	if x == nil {
		return 0
	}
	return x.starts * startSize
}

// append encodes x for a manifest: one zero octet if nothing was marked.
func (x *itemIndex) append(b []byte) []byte {
	if x == nil {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(x.total)+1)
	b = appendString(b, x.pointer)
	b = binary.AppendUvarint(b, uint64(x.starts))
	for _, p := range x.pages {
		b = append(b, p.sum[:]...)
		b = binary.BigEndian.AppendUint64(b, uint64(p.first))
	}
	return b
}

// items is the index in a manifest of an artifact of size bytes.
func (d *decoder) items(size int64) *itemIndex {
	total := d.number() - 1
	if total < 0 {
		return nil
	}
	x := &itemIndex{total: total, pointer: d.text(), starts: d.number()}
	n := ceilDiv(x.starts, startsPerPage)
	if x.total > size || x.starts > min(x.total, ceilDiv(size, blockSize)) || (x.starts == 0) != (x.total == 0) || n > int64(len(d.b))/itemPageRefSize {
		d.fail()
		return nil
	}
	x.pages = make([]itemPageRef, n)
	for i := range x.pages {
		b := d.take(itemPageRefSize)
		x.pages[i] = itemPageRef{[32]byte(b), int64(binary.BigEndian.Uint64(b[32:]))}
		if first, least := x.pages[i].first, x.firstAtLeast(i); first < least || i == 0 && first > 0 || first >= total {
			d.fail()
			return nil
		}
	}
	return x
}

// firstAtLeast is the least that the first item of page i can be: the pages
// before it are full.
func (x *itemIndex) firstAtLeast(i int) int64 {
	if i == 0 {
		return 0
	}
	return x.pages[i-1].first + startsPerPage
}

// pageOf is the page in which item is looked for.
func (x *itemIndex) pageOf(item int64) int {
	return sort.Search(len(x.pages), func(i int) bool { return x.pages[i].first > item }) - 1
}

// pageAt is where page i begins among the pages of x, and how long it is.
func (x *itemIndex) pageAt(i int) (off, length int64) {
	off = int64(i) * itemPageSize
	return off, min(itemPageSize, x.size()-off)
}

// itemPage is an encoded page of starts.
type itemPage []byte

func (p itemPage) len() int { return len(p) / startSize }

func (p itemPage) start(i int) ItemStart {
	b := p[i*startSize:]
	return ItemStart{int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:]))}
}

// before is the last start in p at or before item; p has one.
func (p itemPage) before(item int64) ItemStart {
	return p.start(sort.Search(p.len(), func(i int) bool { return p.start(i).Item > item }) - 1)
}

// holds reports whether p is page i of x, of an artifact of size bytes, and says
// of it what can be. A page with a true hash may still have been written by
// somebody else.
func (x *itemIndex) holds(i int, p itemPage, size int64) bool {
	if sha256.Sum256(p) != x.pages[i].sum || p.start(0).Item != x.pages[i].first {
		return false
	}
	last, end := beforeAll, ItemStart{Item: x.total, Offset: size}
	if i+1 < len(x.pages) {
		end = ItemStart{Item: x.pages[i+1].first, Offset: size}
	}
	for k := range p.len() {
		s := p.start(k)
		if !s.follows(last) {
			return false
		}
		last = s
	}
	return end.follows(last)
}
