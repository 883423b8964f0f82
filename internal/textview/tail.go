package textview

import (
	"bytes"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/terminal"
	"github.com/toolclip/toolclip/internal/view"
)

// blockLen is the length of the blocks, at whole multiples of it in the text, by
// which long lines are found.
const blockLen = 2048

// slack is how much more of the end is kept than will be shown, so that it is
// known how what is shown begins.
const slack = 8 << 10

// tailRendering is the end of the window as it will be shown.
type tailRendering struct {
	*rendering
	lineStart bool // it starts at the start of a line
	unsure    bool // it may start inside a cluster
}

// render renders what the ring has. start says whether what was first written
// starts a line.
func (r *ring) render(m manner, start bool, unit view.Unit) tailRendering {
	b, atoms, all := r.kept()
	from, sure := 0, true
	if !all {
		from, start, sure = begin(b, atoms, r.text)
	}
	w := newRenderer(m, r.textAt(b, atoms, from), 0, unit)
	for _, a := range atoms {
		if int(a.at) < from {
			continue
		}
		w.write(b[from:a.at])
		from = int(a.at) + a.n
		w.whole(a.textLen, b[a.at:from], a.changes)
	}
	w.write(b[from:])
	w.finish()
	return tailRendering{&w.rendering, start, !sure}
}

// textAt is where the byte of the ring at i is in the text.
func (r *ring) textAt(b []byte, atoms []ringAtom, i int) int64 {
	at, text := int64(len(b)), r.text
	for k := len(atoms) - 1; k >= 0 && atoms[k].at >= int64(i); k-- {
		at, text = atoms[k].at, atoms[k].text
	}
	return text - (at - int64(i))
}

// begin finds where in the first slack bytes rendering can start: behind a line
// feed, at an atom, or at a boundary that is one whatever stands before it. sure
// says that it is the boundary of a cluster.
func begin(b []byte, atoms []ringAtom, text int64) (from int, lineStart, sure bool) {
	if len(atoms) > 0 && atoms[0].at < 0 {
		from = int(atoms[0].at) + atoms[0].n
	}
	most := min(len(b), slack)
	if from > 0 && b[from-1] == '\n' {
		return from, true, true
	}
	if n := bytes.IndexByte(b[min(from, most):most], '\n'); n >= 0 {
		return from + n + 1, true, true
	}
	if from > 0 {
		return from, false, true
	}
	if len(atoms) > 0 && int(atoms[0].at) < most {
		return int(atoms[0].at), false, true
	}
	from, sure = synced(b, most, text-int64(len(b)))
	return from, false, sure
}

// synced finds a boundary between most/2 and most, in the middle of a line that
// is longer than that. Where clusters can't be told apart (thousands of flags or
// of marks) it is a rune at a multiple of graphemes.Max in the text, and not sure.
func synced(b []byte, most int, text int64) (from int, sure bool) {
	p := most / 2
	if q := bytes.LastIndexByte(b[:p], '\x1b'); q >= 0 {
		_, _, n := terminal.Sequence(b[q:], true)
		p = max(p, q+n)
	}
	if p >= most {
		return p, true
	}
	if n := graphemes.Sync(b[p:most]); n >= 0 {
		return p + n, true
	}
	p += int((graphemes.Max - (text+int64(p))%graphemes.Max) % graphemes.Max)
	for k := 0; k < utf8.UTFMax && p < len(b) && !utf8.RuneStart(b[p]); k++ {
		p++
	}
	return min(p, len(b)), false
}
