package jsonscan

// A gap is what stands between two scalars that follow each other: commas,
// brackets, white space, the names of members. The records of a list have the
// same gaps in the same order, again and again. So a gap that was walked by the
// grammar is remembered, and what gap came next. Where the same bytes stand behind
// a value again, and the brackets that they close and the one that they stay in
// are of the same kinds, the grammar leads to the same end: to compare a few words
// does for many steps.
type gap struct {
	w0, m0 uint64   // its first 8 bytes, and the mask of those that are there
	w1, m1 uint64   // the next 8
	more   []uint64 // what is behind them; the last word is filled up with zeros
	last   uint64   // the mask of the last of more

	size   int32
	lines  int32 // line feeds in it
	begun  int32 // containers that begin in it where pops brackets are closed
	pops   uint8 // brackets closed of those that are open before it
	pushes uint8 // its own brackets that are open behind it
	rise   uint8 // the most brackets open in it, above those that pops leaves open

	kinds, mask uint64 // of the innermost pops+1 brackets before it, as in Scanner.nest
	pushed      uint64 // the kinds of its own that are open behind it

	next, other *gap // what came behind it last time, and before that
	hash        uint64
}

const (
	gapMax = 256 // bytes of the longest gap that is remembered

	// A block holds so many gaps, or less of long ones. There is room for some 2,000
	// gaps; a list of records has a few of them, the largest real documents that were
	// tried some 1,000.
	blockGaps  = 128
	blockWords = 8 * blockGaps
	maxBlocks  = 16 // a power of two
)

// gaps remembers gaps. When it is full it forgets all and starts anew.
type gaps struct {
	blocks [maxBlocks]*block
	first  block
	in     int // the block that is being filled
	slots  [blockGaps * maxBlocks]*gap
	at     *gap // the last gap; none if it is not known
	none   gap  // equals nothing

	balance

	// The gap that is being walked.
	start, depth, low, peak int
	line                    int64
	begun                   int32
	kinds                   uint64
}

type block struct {
	gaps  [blockGaps]gap
	words [blockWords]uint64
	n, w  int // of both in use
}

func newGaps() *gaps {
	g := &gaps{balance: balance{credit: maxCredit / 2, rest: minRest}}
	g.none.m0 = 1<<64 - 1
	g.blocks[0] = &g.first
	g.forget()
	return g
}

func (g *gaps) forget() {
	clear(g.slots[:])
	for _, b := range g.blocks {
		if b != nil {
			b.n, b.w = 0, 0
		}
	}
	g.none.next, g.none.other = &g.none, &g.none
	g.in, g.at = 0, &g.none
}

// follow supposes that the gap before the scalar that begins was the expected one. So
// reading by heart goes on where scan had to help out, mostly at the end of a write.
func (s *Scanner) follow() {
	if s.gaps != nil {
		s.gaps.at = s.gaps.at.next
	}
}

// learn remembers the gap p[g.start:i], which has been walked. Behind i are at
// least 8 bytes.
func (g *gaps) learn(p []byte, i int, s *Scanner) {
	was := g.at
	g.at = &g.none
	pops, pushes, rise := g.depth-g.low, s.depth-g.low, g.peak-g.low
	if i-g.start > gapMax {
		return
	}
	mask := uint64(1)<<(pops+1) - 1
	x := gap{
		size: int32(i - g.start), lines: int32(s.line - g.line), begun: g.begun,
		pops: uint8(pops), pushes: uint8(pushes), rise: uint8(rise),
		kinds: g.kinds & mask, mask: mask, pushed: s.nest & (1<<pushes - 1),
		next: &g.none, other: &g.none,
	}
	x.hash = hash(p[g.start:i:i+8], x.kinds)
	slot := &g.slots[(x.hash^was.hash<<1)>>8%uint64(len(g.slots))]
	if y := *slot; y == nil || !y.equal(&x, p[g.start:i:i+8]) {
		if *slot = g.add(&x, p[g.start:i:i+8]); *slot == nil {
			return
		}
	}
	g.at = *slot
	if was != &g.none && was.next != g.at {
		was.next, was.other = g.at, was.next
	}
}

// add keeps x, whose bytes are text. If there is no room it forgets all and
// returns nil.
func (g *gaps) add(x *gap, text []byte) *gap {
	b := g.block()
	if b == nil {
		g.forget()
		return nil
	}
	x.w0, x.m0 = word(text, 0), lowBytes(len(text))
	x.w1, x.m1 = word(text, 8), lowBytes(len(text)-8)
	from := b.w
	for k := 16; k < len(text); k += 8 {
		b.words[b.w] = word(text, k)
		b.w++
		x.last = lowBytes(len(text) - k)
	}
	x.more = b.words[from:b.w:b.w]
	b.gaps[b.n] = *x
	b.n++
	return &b.gaps[b.n-1]
}

// block is one with room for a gap of any length, nil if there is none.
func (g *gaps) block() *block {
	for ; g.in < maxBlocks; g.in++ {
		if g.blocks[g.in] == nil {
			for i, more := 0, make([]block, g.in); i < len(more); i++ { // twice as many
				g.blocks[g.in+i] = &more[i]
			}
		}
		if b := g.blocks[g.in]; b.n < blockGaps && b.w <= blockWords-gapMax/8 {
			return b
		}
	}
	return nil
}

// equal says whether x, which is kept, is y, whose bytes are text.
func (x *gap) equal(y *gap, text []byte) bool {
	if x.hash != y.hash || x.size != y.size || x.kinds != y.kinds || x.mask != y.mask || x.w0 != word(text, 0) || x.w1 != word(text, 8) {
		return false
	}
	for k, w := range x.more {
		if w != word(text, 16+8*k) {
			return false
		}
	}
	return true
}

// hash is a hash of text, behind which its slice has 8 bytes more.
func hash(text []byte, kinds uint64) uint64 {
	const prime = 0x9E3779B97F4A7C15
	h := (uint64(len(text))<<32 ^ kinds) * prime
	for k := 0; k < len(text); k += 8 {
		h = (h ^ word(text, k)) * prime
		h ^= h >> 32
	}
	return h
}

// word is text[k:], of which at most 8 bytes. The slice has 8 bytes more.
func word(text []byte, k int) uint64 {
	if k >= len(text) {
		return 0
	}
	return load(text, k) & lowBytes(len(text)-k)
}

// lowBytes is the mask of the low n bytes of a word.
func lowBytes(n int) uint64 {
	if n >= 8 {
		return 1<<64 - 1
	}
	return 1<<(8*max(0, n)) - 1
}

// balance decides whether to remember gaps pays: where they do not come again, it
// does not.
type balance struct {
	credit int64 // in bytes
	missed int64 // offset of the last gap that was not expected
	rest   int64 // bytes of the next rest
	wake   int64 // the offset up to which it rests
}

// Found by measuring documents without any order: what remembering costs them is
// lost in the noise.
const (
	missCost  = 160 // bytes that are read as expected pay for one gap that was not
	maxCredit = 16 << 10
	minRest   = 64 << 10
	maxRest   = 1 << 20
)

// miss hears that the gap at offset at was not expected. If that comes too often it
// returns false: rest up to wake.
func (b *balance) miss(at int64) bool {
	b.credit = min(b.credit+at-b.missed-missCost, maxCredit)
	b.missed = at
	if b.credit >= maxCredit/2 {
		b.rest = minRest
	}
	if b.credit >= 0 {
		return true
	}
	b.wake = at + b.rest
	b.rest = min(2*b.rest, maxRest)
	b.missed, b.credit = b.wake, maxCredit/4
	return false
}
