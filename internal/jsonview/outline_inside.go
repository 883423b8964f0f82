package jsonview

import (
	"strconv"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

// insideString looks at the string that is open: whether it holds an object or an
// array.
type insideString struct {
	on   bool
	next int64 // the first byte of the raw body that was not looked at
	in   *held
}

// take looks at the raw body up to offset end, as far as it is in the piece.
func (s *insideString) take(o *Outline, end int64) {
	if !s.on || end <= s.next {
		return
	}
	p := o.p[s.next-o.base : end-o.base]
	s.next = end
	if s.in == nil {
		if s.on = mayOpen(p[0]); !s.on {
			return
		}
		s.in = newHeld()
	}
	_, _ = s.in.dec.Write(p)
	s.on = s.in.scan.Err() == nil
}

// mayOpen reports whether a raw body that begins with c may hold an object or an array;
// white space and escapes of it may come first.
func mayOpen(c byte) bool { return c == '{' || c == '[' || c == ' ' || c == '\\' }

// end notes in p what the string holds that ends before end.
func (s *insideString) end(o *Outline, p *path, end int64) {
	s.take(o, end-1)
	h := s.in
	s.on = false
	if h == nil || h.scan.Close() != nil || !isContainer(h.kind) {
		return
	}
	i := 0
	if h.kind == jsonscan.Array {
		i = 1
	}
	p.holds[i].n++
	p.holds[i].size.add(h.n)
}

// holding is how many strings at a path hold an object, or an array, and of what size.
type holding struct {
	n    int64
	size extent
}

func (h *holding) describe(b []byte, kind, one, many string) []byte {
	if h.n == 0 {
		return b
	}
	b = append(append(b, ", holds JSON "...), kind...)
	if h.n > 1 {
		b = strconv.AppendInt(append(b, " ×"...), h.n, 10)
	}
	return h.size.describe(b, one, many)
}
