package jsonview

import "github.com/toolclip/toolclip/internal/jsonscan"

// seeker finds the value at Options.Pointer. Of members of one name it takes the
// first.
type seeker struct {
	in     int // containers entered, each the one that its token names
	object bool
	n      int64 // values begun in the innermost of them
	nameAt int64
	hit    bool  // the name just read is the one
	pass   bool  // a value that is not on the path is being skipped
	stuck  int64 // 1 + the offset of the string at which the path stops; 0: none
}

// begin says whether the value that begins is the one at the pointer.
func (s *seeker) begin(v *View, k jsonscan.Kind, at int64) bool {
	if k == jsonscan.Name {
		s.nameAt = at
		v.keep(at)
		v.lastEvent = at
		return false
	}
	on := s.in == 0 || s.hit
	if s.in > 0 && !s.object {
		on = index(v.path[s.in-1]) == s.n
	}
	s.n++
	container := k == jsonscan.Object || k == jsonscan.Array
	switch {
	case on && s.in == len(v.path):
		return true
	case on && container:
		*s = seeker{in: s.in + 1, object: k == jsonscan.Object}
	case on:
		if k == jsonscan.String {
			s.stuck = at + 1
		}
		v.scan.Mute()
	case container:
		s.pass = true
		v.scan.Skip(k)
	}
	return false
}

func (s *seeker) end(v *View, k jsonscan.Kind, end int64) {
	switch k {
	case jsonscan.Name:
		token := v.path[s.in-1]
		s.hit = end-s.nameAt <= int64(6*len(token)+2) && isNamed(v.source(s.nameAt, end), token)
		v.drop(end)
		v.arena = arena{buf: v.arena.buf[:0], segs: v.arena.segs[:0]}
	case jsonscan.Object, jsonscan.Array:
		if !s.pass {
			v.scan.Mute() // the container ended without the value
		}
		s.pass = false
	}
}
