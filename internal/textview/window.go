package textview

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/view"
)

// window is the part of the text that may be shown.
type window struct {
	unit      view.Unit
	from, to  int64 // in units; to is MaxInt64 for the end of the text
	start     int64 // in the text
	startLine int64 // line feeds before start
	stop      int64 // in the text
	stopLine  int64 // line feeds before stop
	lineStart bool  // start is the start of a line
	stopStart bool  // stop is
	state     windowState
	held      []byte // text round an edge that the bytes to come place
	back      []byte // the last three bytes before it
}

type windowState uint8

const (
	before windowState = iota
	within
	after
)

func newWindow(o Options) window {
	w := window{unit: o.Unit, from: max(o.From, 0), to: o.To, stop: -1}
	if w.to <= 0 {
		w.to = math.MaxInt64
	}
	w.to = max(w.to, w.from)
	return w
}

// take splits p at the edges of the window.
func (w *window) take(v *View, p []byte) {
	if len(w.held) > 0 {
		p = append(w.held, p...)
		w.held = nil
	}
	w.split(v, p, false)
}

// end takes what was held and closes the window.
func (w *window) end(v *View) {
	held := w.held
	w.held = nil
	w.split(v, held, true)
	if w.state == within {
		w.close(v)
	}
}

func (w *window) close(v *View) {
	w.stop, w.stopLine = v.text, v.lines
	w.stopStart = v.text == 0 || v.last == '\n'
	w.state = after
}

func (w *window) split(v *View, p []byte, final bool) {
	if w.state == before {
		n, ok := w.edge(v, w.from, p, final)
		w.pass(v, p[:n], v.count)
		if !ok {
			w.hold(p[n:])
			return
		}
		p = p[n:]
		v.open(v.text, v.lines)
		w.state = within
	}
	if w.state == within {
		n, ok := w.edge(v, w.to, p, final)
		w.pass(v, p[:n], v.show)
		if !ok {
			w.hold(p[n:])
			return
		}
		p = p[n:]
		w.close(v)
	}
	v.count(p)
}

func (w *window) hold(p []byte) {
	if len(p) > 0 {
		w.held = append(w.held[:0:0], p...)
	}
}

// pass hands p on and remembers its last bytes.
func (w *window) pass(v *View, p []byte, to func([]byte)) {
	to(p)
	if w.unit == view.Byte && w.to < math.MaxInt64 || w.state == before {
		keep := p[max(0, len(p)-utf8.UTFMax+1):]
		w.back = append(w.back, keep...)
		w.back = w.back[max(0, len(w.back)-utf8.UTFMax+1):]
	}
}

// edge is how many bytes of p stand before the edge at at units, and whether the
// edge is there: in p, or at its start. Bytes beyond n wait when it can't be
// told.
func (w *window) edge(v *View, at int64, p []byte, final bool) (n int, ok bool) {
	switch {
	case at <= 0:
		return 0, true
	case at == math.MaxInt64:
		return len(p), false
	case w.unit == view.Line:
		return lineEdge(p, at-v.lines)
	}
	text := at
	if !v.dec.Identity() {
		text = v.dec.Text(at)
		if v.dec.Raw(text) < at {
			return len(p), false
		}
	}
	return w.byteEdge(v, text, p, final)
}

// lineEdge finds the place behind the nth line feed from here.
func lineEdge(p []byte, n int64) (int, bool) {
	if n <= 0 {
		return 0, true
	}
	if int64(bytes.Count(p, []byte{'\n'})) < n {
		return len(p), false
	}
	at := 0
	for ; n > 0; n-- {
		at += bytes.IndexByte(p[at:], '\n') + 1
	}
	return at, true
}

// byteEdge finds the first rune that begins at text or after it.
func (w *window) byteEdge(v *View, text int64, p []byte, final bool) (int, bool) {
	rel := text - v.text
	if rel > int64(len(p)) {
		return len(p), false
	}
	n := int(max(rel, 0))
	if len(p)-n < utf8.UTFMax-1 && !final {
		return n - min(n, utf8.UTFMax), false
	}
	context := append(append([]byte(nil), w.back...), p[:min(len(p), n+utf8.UTFMax)]...)
	return n + inside(context, len(w.back)+n), true
}

// inside is how many bytes of a rune that begins before at are at or after it.
func inside(b []byte, at int) int {
	for i := at - 1; i >= 0 && i > at-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			_, size := utf8.DecodeRune(b[i:])
			return max(0, i+size-at)
		}
	}
	return 0
}
