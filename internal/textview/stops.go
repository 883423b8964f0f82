package textview

import (
	"bytes"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/view"
)

// mark is a place between two pieces of a rendering: a stop, or one of its ends.
type mark struct {
	out       int   // bytes shown before it
	text      int64 // where it is in the text
	lines     int64 // line feeds before it, in the text
	shownLFs  int64 // line feeds before it, as shown
	units     int64 // runes or clusters shown before it
	span      int   // the span it is in or before
	pieces    int64 // pieces of that span before it
	lineStart bool  // nothing of its line is before it
	rowStart  bool  // nothing of its line is before it, as shown
	forced    bool  // inside a cluster that is too long to be kept whole
}

// begun is the number of lines that are shown, whole or in part, before m.
func (m mark) begun() int64 {
	if m.lineStart || m.rowStart || m.out == 0 {
		return m.shownLFs
	}
	return m.shownLFs + 1
}

// walker finds the stops of a rendering in order.
type walker struct {
	*rendering
	stopOptions
	at      mark
	inside  bool // whether the current line may be cut inside
	lineNo  int64
	yield   func(mark) bool
	stopped bool
}

// stopOptions say how a rendering is walked.
type stopOptions struct {
	unit      view.Unit
	lineStart bool // the rendering starts at the start of a line
	midline   bool // it starts inside a long line
	lastLine  bool // cuts inside the last line rather than the first
}

// stops calls yield for each stop in order, the start of the rendering included,
// until yield returns false. The end of the rendering is a stop.
func (r *rendering) stops(o stopOptions, yield func(mark) bool) {
	w := &walker{rendering: r, stopOptions: o, yield: yield}
	w.at.lineStart = o.lineStart
	if len(r.spans) > 0 {
		w.at.text = r.spans[0].text
	}
	w.enterLine()
	w.stop()
	for i := range r.spans {
		w.at.span, w.at.pieces = i, 0
		if r.spans[i].kind == verbatim {
			w.bytes(r.spans[i])
		} else {
			w.pieces(r.spans[i])
		}
		if w.stopped {
			return
		}
	}
	w.at.span, w.at.pieces = len(r.spans), 0
	w.stop()
}

func (w *walker) stop() {
	if !w.stopped && !w.yield(w.at) {
		w.stopped = true
	}
}

// enterLine decides whether the line at the current place may be cut inside.
func (w *walker) enterLine() {
	rest := w.out[w.at.out:]
	n := bytes.IndexByte(rest, '\n')
	end := n < 0 || n == len(rest)-1
	if n < 0 {
		n = len(rest)
	}
	switch {
	case n > LongLine, w.midline && w.lineNo == 0:
		w.inside = true
	case w.lastLine:
		w.inside = end
	default:
		w.inside = w.lineNo == 0
	}
}

// pieces walks a span of equal pieces that are not verbatim.
func (w *walker) pieces(s span) {
	if s.kind == atom {
		w.at.lines += w.extras[s.count].lines
	}
	shown := w.out[s.out : s.out+s.size]
	lfs := int64(bytes.Count(shown, []byte{'\n'})) // of an atom of repeated lines, or of a carriage return
	units := measure(w.unit, shown)
	if !w.inside && lfs == 0 {
		w.pass(s.each*s.n, s.size*int(s.n), units*s.n, s.n)
		return
	}
	for range s.n {
		w.at.shownLFs += lfs
		if s.kind == atom {
			w.at.lines += lfs
		}
		w.pass(s.each, s.size, units, 1)
		if lfs > 0 {
			w.lineNo += lfs
			w.at.lineStart, w.at.rowStart = s.kind == atom, true
			w.enterLine()
		}
		w.stop()
		if w.stopped {
			return
		}
	}
}

// pass moves on behind pieces.
func (w *walker) pass(text int64, out int, units, pieces int64) {
	w.at.text += text
	w.at.out += out
	w.at.units += units
	w.at.pieces += pieces
	w.at.forced = false
	if out > 0 || text > 0 {
		w.at.lineStart, w.at.rowStart = false, false
	}
}

// bytes walks a verbatim span.
func (w *walker) bytes(s span) {
	b := w.out[s.out:s.outEnd()]
	for len(b) > 0 && !w.stopped {
		n := bytes.IndexByte(b, '\n') + 1
		line := b
		if n > 0 {
			line = b[:n]
		}
		if w.inside {
			w.clusters(line, n > 0)
		} else {
			w.pass(int64(len(line)), len(line), measure(w.unit, line), int64(len(line)))
		}
		if n > 0 && !w.stopped {
			w.at.lines++
			w.at.shownLFs++
			w.at.lineStart = true
			w.lineNo++
			w.enterLine()
			w.stop()
		}
		b = b[len(line):]
	}
}

// clusters stops behind each cluster of line; behind its line feed the caller
// does.
func (w *walker) clusters(line []byte, feed bool) {
	for len(line) > 0 && !w.stopped {
		n := graphemes.Next(line, true)
		units := int64(1)
		if w.unit == view.Rune {
			units = int64(utf8.RuneCount(line[:n]))
		}
		w.pass(int64(n), n, units, int64(n))
		w.at.forced = n < len(line) && n > graphemes.Max-utf8.UTFMax && !graphemes.Boundary(line, n)
		line = line[n:]
		if len(line) > 0 || !feed {
			w.stop()
		}
	}
}
