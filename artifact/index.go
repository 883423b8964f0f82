package artifact

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// blockEntry is what an index page says of one block.
type blockEntry struct {
	after chainValue // after the block; after the last one of all: the SHA-256 of the whole
	lines int64      // LFs before the block
	first uint32     // where the first line that begins in the block begins: 1 + the place of its first LF; 0: it has none
}

// entryOf describes block, before which there are lines LFs, but for its hash,
// and returns the number of LFs up to its end.
func entryOf(block []byte, lines int64) (blockEntry, int64) {
	e := blockEntry{lines: lines, first: uint32(bytes.IndexByte(block, '\n') + 1)}
	if e.first > 0 {
		lines += int64(bytes.Count(block[e.first-1:], lf))
	}
	return e, lines
}

var lf = []byte{'\n'}

func (e blockEntry) append(b []byte) []byte {
	b = append(b, e.after[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(e.lines))
	return binary.BigEndian.AppendUint32(b, e.first)
}

// page is an encoded index page.
type page []byte

func (p page) len() int64 { return int64(len(p)) / entrySize }

func (p page) entry(i int64) blockEntry {
	b := p[i*entrySize : (i+1)*entrySize]
	return blockEntry{
		after: chainValue(b),
		lines: int64(binary.BigEndian.Uint64(b[32:])),
		first: binary.BigEndian.Uint32(b[40:]),
	}
}

// pageRef is what the manifest says of a group and its index page.
type pageRef struct {
	sum    [32]byte   // of the page
	before chainValue // before the group
	lines  int64      // LFs before the group
}

const pageRefSize = 32 + 32 + 8

func (p pageRef) append(b []byte) []byte {
	b = append(b, p.sum[:]...)
	b = append(b, p.before[:]...)
	return binary.BigEndian.AppendUint64(b, uint64(p.lines))
}

// parsePageRef decodes the first pageRefSize octets of b.
func parsePageRef(b []byte) pageRef {
	return pageRef{sum: [32]byte(b), before: chainValue(b[32:]), lines: int64(binary.BigEndian.Uint64(b[64:]))}
}

// span is a group as the manifest describes it.
type span struct {
	size        int64 // in bytes
	sum         [32]byte
	first, last chainValue // before the group and after it
	from, to    int64      // LFs before and after it
}

// span is group g.
func (m *manifest) span(g int64) span {
	p := m.pages[g]
	s := span{size: min(groupSize, m.info.Size-g*groupSize), sum: p.sum, first: p.before, last: m.info.SHA256, from: p.lines, to: m.lfs}
	if g+1 < int64(len(m.pages)) {
		s.last, s.to = m.pages[g+1].before, m.pages[g+1].lines
	}
	return s
}

// holds reports whether p is the page of s, and says of it what can be. A page
// with a true hash may still have been written by somebody else.
func (s span) holds(p page) bool {
	if sha256.Sum256(p) != s.sum || p.entry(0).lines != s.from || p.entry(p.len()-1).after != s.last {
		return false
	}
	for i := range p.len() {
		e, size, next := p.entry(i), min(blockSize, s.size-i*blockSize), s.to
		if i+1 < p.len() {
			next = p.entry(i + 1).lines
		}
		// A block of which first is n has at least one LF, and n-1 other bytes.
		least, most := min(1, int64(e.first)), max(0, size-int64(e.first)+1)
		if e.first == 0 {
			most = 0
		}
		if int64(e.first) > size || next-e.lines < least || next-e.lines > most {
			return false
		}
	}
	return true
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
