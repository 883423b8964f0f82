package jsonscan

import (
	"bytes"
	"math"
)

// Rewind, called between writes, goes back to just behind an opening bracket that is
// the innermost of depth and has not been closed: what follows it is told, or told
// again. p is what was written since the bracket, and is to be written once more; lone
// is what Lone was at the bracket. It must not follow an error.
func (s *Scanner) Rewind(p []byte, depth int, lone int64) {
	for ; s.depth > depth; s.depth-- {
		s.pop(s.depth - 1)
	}
	s.obj = s.nest&1 == 1
	s.state = atElement
	if s.obj {
		s.state = atMember
	}
	s.base -= int64(len(p))
	s.line -= int64(bytes.Count(p, []byte{'\n'}))
	s.last, s.lone, s.high = s.base, lone, -1
	if s.watch.depth == depth { // its elements are counted again
		s.watch.items, s.watch.from, s.watch.starts = 0, 0, s.watch.starts[:0]
	}
	s.loud, s.gate, s.silent = true, math.MaxInt, 0
}
