package clip

import "sync"

// block is a piece of a content on its way: it is read into one, scanned there, and
// saved from there.
type block struct {
	n int // bytes in it
	b [blockLen]byte
}

const (
	// blockLen is small enough for a block to stay in a processor's cache while
	// several go over it, and large enough to make handing it on cheap.
	blockLen = 64 << 10

	// blockRoom is the room in a block below which the next one is begun: some
	// Readers return little, or nothing, for a small buffer.
	blockRoom = 8 << 10

	// ringLen is how many blocks a content has at most: how far reading may be
	// ahead of saving. It is more than a Writer of artifact flushes at a time.
	ringLen = 8
)

var blocks = sync.Pool{New: func() any { return new(block) }}

// newBlock is an empty block.
func newBlock() *block {
	b := blocks.Get().(*block)
	b.n = 0
	return b
}

// room is the rest of the block.
func (b *block) room() []byte { return b.b[b.n:] }

// bytes is what is in it.
func (b *block) bytes() []byte { return b.b[:b.n] }

// full reports whether it is time for the next one.
func (b *block) full() bool { return len(b.b)-b.n < blockRoom }
