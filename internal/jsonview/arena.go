package jsonview

import (
	"cmp"
	"slices"
	"sort"
)

// arena holds pieces of the source by their offsets.
type arena struct {
	buf   []byte
	segs  []segment // in the order of the source, disjoint, not touching
	spare []segment // for the next segs
}

type segment struct {
	off    int64 // in the source
	pos, n int   // in buf
}

// add appends the source bytes p that begin at off; off never goes back.
func (a *arena) add(off int64, p []byte) {
	if len(p) == 0 {
		return
	}
	if k := len(a.segs); k > 0 && a.segs[k-1].off+int64(a.segs[k-1].n) == off {
		a.segs[k-1].n += len(p)
	} else {
		a.segs = append(a.segs, segment{off, len(a.buf), len(p)})
	}
	a.buf = appendBytes(a.buf, p)
}

// end is the offset behind the last byte held.
func (a *arena) end() int64 {
	if k := len(a.segs); k > 0 {
		return a.segs[k-1].off + int64(a.segs[k-1].n)
	}
	return -1
}

// get returns the bytes from offset from to to, as many as are held in one piece
// from the start; nil if from is not held.
func (a *arena) get(from, to int64) []byte {
	i := sort.Search(len(a.segs), func(i int) bool { return a.segs[i].off > from }) - 1
	if i < 0 || from >= a.segs[i].off+int64(a.segs[i].n) {
		return nil
	}
	s := a.segs[i]
	to = min(to, s.off+int64(s.n))
	return a.buf[s.pos+int(from-s.off) : s.pos+int(to-s.off) : s.pos+int(to-s.off)]
}

// span is a range of source offsets.
type span struct{ from, to int64 }

// retain forgets all but the given spans, which it sorts.
func (a *arena) retain(spans []span) {
	slices.SortFunc(spans, func(x, y span) int {
		return cmp.Compare(x.from, y.from)
	})
	segs, pos, i := roomFor(a.spare, len(a.segs)), 0, 0
	for _, s := range a.segs {
		end := s.off + int64(s.n)
		for i < len(spans) && spans[i].to <= s.off {
			i++
		}
		for j := i; j < len(spans) && spans[j].from < end; j++ {
			from, to := max(spans[j].from, s.off), min(spans[j].to, end)
			if k := len(segs); k > 0 {
				from = max(from, segs[k-1].off+int64(segs[k-1].n))
			}
			if from >= to {
				continue
			}
			n := copy(a.buf[pos:], a.buf[s.pos+int(from-s.off):s.pos+int(to-s.off)])
			if k := len(segs); k > 0 && segs[k-1].off+int64(segs[k-1].n) == from {
				segs[k-1].n += n
			} else {
				segs = append(segs, segment{from, pos, n})
			}
			pos += n
		}
	}
	a.buf, a.segs, a.spare = a.buf[:pos], segs, a.segs
}

// appendBytes is append with fewer steps while b is small.
func appendBytes(b, p []byte) []byte {
	if need := len(b) + len(p); need > cap(b) && need < 16<<10 {
		b = slices.Grow(b, max(need, 512, min(4*cap(b), 16<<10))-len(b))
	}
	return append(b, p...)
}

// roomFor returns s without its elements, with room for n and some more, so that it
// is seldom made anew.
func roomFor[E any](s []E, n int) []E {
	if n > cap(s) {
		return make([]E, 0, max(n+n/8, min(2*n, 4<<10)))
	}
	return s[:0]
}
