package jsonscan

import (
	"math"
	"slices"
)

// Start is where an element of an array begins.
type Start struct {
	Item   int64 // 0-based
	Offset int64
}

const (
	watchStride = 64 << 10 // at most one start is noted in so many bytes
	maxStarts   = 4096     // beyond these the stride doubles
)

// watch notes where some elements of one array begin, also of those that are
// passed over in silence.
type watch struct {
	depth  int // of the elements; -1: nothing is watched
	items  int64
	from   int64 // the next element at or behind this offset is noted
	stride int64
	starts []Start
}

// Watch, called in Begin of an array, counts its elements and notes where some of
// them begin, until Unwatch. It does not see elements of an array that lies in a
// container that is passed over in silence.
func (s *Scanner) Watch() {
	s.watch = watch{depth: s.depth + 1, stride: watchStride, starts: s.watch.starts[:0]}
}

// Unwatch, called in End of the array, returns how many elements it has, and the
// first that begins in each 64 KiB of the input, or in a larger power of two, so
// that there are less than 4096. The slice is used again unless it is replaced:
// spare takes its place.
func (s *Scanner) Unwatch(spare []Start) (items int64, starts []Start) {
	items, starts = s.watch.items, s.watch.starts
	s.watch = watch{depth: -1, starts: spare[:0]}
	return items, starts
}

// note counts an element that begins at offset at.
func (w *watch) note(at int64) {
	if at >= w.from {
		w.keep(at)
	}
	w.items++
}

// keep notes where the element begins that is to be counted next.
func (w *watch) keep(at int64) {
	if len(w.starts) == cap(w.starts) { // few steps: most lists are short or long
		w.starts = slices.Grow(w.starts, min(max(16, 7*len(w.starts)), maxStarts-len(w.starts)))
	}
	w.starts = append(w.starts, Start{w.items, at})
	if len(w.starts) == maxStarts {
		w.thin()
	}
	w.from = (at/w.stride + 1) * w.stride
}

// thin doubles the stride.
func (w *watch) thin() {
	w.stride *= 2
	kept, block := w.starts[:0], int64(-1)
	for _, s := range w.starts {
		if b := s.Offset / w.stride; b > block {
			kept, block = append(kept, s), b
		}
	}
	w.starts = kept
}

// Jump, called between writes, goes on at the value that begins at offset at and is
// an element of an open array, without what lies before it. It must be known that
// this is valid. depth is the number of brackets that are open round the element.
// In silence to the array's end, passed is the number of its values before it that Begin
// did not tell; in silence beyond that, it stays; otherwise events are on from here.
func (s *Scanner) Jump(at int64, depth int, passed int64) {
	s.state, s.base, s.last = atValue, at, at
	for ; s.depth > depth; s.depth-- {
		s.pop(s.depth - 1)
	}
	s.obj, s.high = false, -1
	switch {
	case s.gate == depth:
		s.silent = passed
		return
	case s.gate < depth:
		return
	}
	s.loud, s.gate, s.silent = true, math.MaxInt, 0
}
