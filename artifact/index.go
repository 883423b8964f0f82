package artifact

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// blockEntry is what an index page says of one block.
type blockEntry struct {
	sum   [32]byte
	lines int64  // LFs before the block
	first uint32 // where the first line that begins in the block begins: 1 + the place of its first LF; 0: it has none
}

// entryOf describes block, before which there are lines LFs, and returns the
// number of LFs up to its end.
func entryOf(block []byte, lines int64) (blockEntry, int64) {
	e := blockEntry{sum: sha256.Sum256(block), lines: lines, first: uint32(bytes.IndexByte(block, '\n') + 1)}
	if e.first > 0 {
		lines += int64(bytes.Count(block[e.first-1:], lf))
	}
	return e, lines
}

var lf = []byte{'\n'}

// summing makes the entries of a piece's blocks, by whoever has time: each block
// is done by the goroutine that claims it first.
type summing struct {
	piece   []byte
	next    atomic.Int64 // the block to be claimed next
	open    sync.WaitGroup
	entries []blockEntry // with lines of the piece alone
	lfs     []int64      // in each block
}

func newSumming(piece []byte) *summing {
	n := int(ceilDiv(int64(len(piece)), blockSize))
	s := &summing{piece: piece, entries: make([]blockEntry, n), lfs: make([]int64, n)}
	s.open.Add(n)
	return s
}

// work does blocks until none is left to be claimed.
func (s *summing) work() {
	for {
		i := int(s.next.Add(1)) - 1
		if i >= len(s.entries) {
			return
		}
		block := s.piece[i*blockSize : min((i+1)*blockSize, len(s.piece))]
		s.entries[i], s.lfs[i] = entryOf(block, 0)
		s.open.Done()
	}
}

// wait does what is left and waits for what others have claimed. A helper that
// was never scheduled has claimed nothing, and touches nothing later.
func (s *summing) wait() {
	s.work()
	s.open.Wait()
}

func (e blockEntry) append(b []byte) []byte {
	b = append(b, e.sum[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(e.lines))
	return binary.BigEndian.AppendUint32(b, e.first)
}

// page is an encoded index page.
type page []byte

func (p page) len() int64 { return int64(len(p)) / entrySize }

func (p page) entry(i int64) blockEntry {
	b := p[i*entrySize : (i+1)*entrySize]
	return blockEntry{
		sum:   [32]byte(b),
		lines: int64(binary.BigEndian.Uint64(b[32:])),
		first: binary.BigEndian.Uint32(b[40:]),
	}
}

// pageRef is what the manifest says of an index page.
type pageRef struct {
	sum   [32]byte
	lines int64 // LFs before its group
}

// lineBefore returns the last line start at or before line that p, the page of
// group g, knows. The caller has chosen a page that knows one.
func (p page) lineBefore(g, line int64) (at, offset int64) {
	for i := range p.len() {
		e := p.entry(i)
		if e.lines >= line {
			break
		}
		if e.first > 0 {
			at, offset = e.lines+1, g*groupSize+i*blockSize+int64(e.first)
		}
	}
	return at, offset
}

// groupOfLine is the last group in which a line begins that is at or before
// line, of an artifact that has lfs LFs; ok is false if only line 0 is.
func groupOfLine(refs []pageRef, lfs, line int64) (g int64, ok bool) {
	for i := len(refs) - 1; i >= 0; i-- {
		after := lfs
		if i+1 < len(refs) {
			after = refs[i+1].lines
		}
		if refs[i].lines < line && refs[i].lines < after {
			return int64(i), true
		}
	}
	return 0, false
}
