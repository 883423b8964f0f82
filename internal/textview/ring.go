package textview

import "slices"

// ring keeps the end of a text: its last bytes, and stretches that were rendered
// when they came because they are too long to keep (folded atoms).
type ring struct {
	buf   []byte // the last bytes, oldest first
	size  int    // the most that is asked for
	text  int64  // where the next byte is in the text
	atoms []ringAtom
	total int64 // bytes ever written
}

// rewindMax is the most that rewind takes back; so much more than size is kept.
const rewindMax = 3 * blockLen

// ringAtom is a rendered stretch: n bytes at offset at of all bytes written.
type ringAtom struct {
	at      int64
	n       int
	text    int64
	textLen int64
	changes changes
}

func newRing(size int) *ring { return &ring{size: size} }

// write appends plain text.
func (r *ring) write(p []byte) {
	r.text += int64(len(p))
	r.store(p)
}

// atom appends a rendered stretch that stands for textLen bytes of text.
func (r *ring) atom(shown []byte, textLen int64, c changes) {
	r.atoms = append(r.atoms, ringAtom{r.total, len(shown), r.text, textLen, c})
	r.text += textLen
	r.store(shown)
	if len(r.atoms) > 64 {
		r.dropAtoms(len(r.atoms) / 2)
	}
}

// store keeps the last bytes of what was written. It moves them once for each
// time that the room is full, so that they lie in one piece.
func (r *ring) store(p []byte) {
	r.total += int64(len(p))
	hold := r.size + rewindMax
	if len(p) >= hold {
		r.buf = append(r.buf[:0], p[len(p)-hold:]...)
		return
	}
	if len(r.buf)+len(p) > 2*hold {
		keep := r.buf[len(r.buf)-(hold-len(p)):]
		r.buf = append(r.buf[:0], keep...)
	}
	r.buf = append(r.buf, p...)
}

// dropAtoms forgets atoms that are no longer kept, when at least least are.
func (r *ring) dropAtoms(least int) {
	gone := r.total - int64(r.size+rewindMax)
	n := 0
	for n < len(r.atoms) && r.atoms[n].at+int64(r.atoms[n].n) <= gone {
		n++
	}
	if n >= least {
		r.atoms = slices.Delete(r.atoms, 0, n)
	}
}

// oldest is where the text begins that is kept, or somewhat before.
func (r *ring) oldest() int64 {
	if len(r.atoms) == 0 {
		return r.text - int64(len(r.buf))
	}
	a := r.atoms[0]
	return a.text - max(0, a.at-(r.total-int64(len(r.buf))))
}

// kept returns the bytes that are kept, the atoms among them, the first of which
// may have lost its beginning (a negative at), and whether that is all that was
// written.
func (r *ring) kept() (b []byte, atoms []ringAtom, all bool) {
	b = r.buf[max(0, len(r.buf)-r.size):]
	start := r.total - int64(len(b))
	for _, a := range r.atoms {
		if a.at+int64(a.n) > start {
			a.at -= start
			atoms = append(atoms, a)
		}
	}
	return b, atoms, start == 0
}

// rewind takes back the last n bytes, which are plain, and returns them.
func (r *ring) rewind(n int) []byte {
	p := slices.Clone(r.buf[len(r.buf)-n:])
	r.buf = r.buf[:len(r.buf)-n]
	r.text -= int64(n)
	r.total -= int64(n)
	return p
}
