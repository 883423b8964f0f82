package textview

import (
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/terminal"
	"github.com/toolclip/toolclip/internal/view"
	"github.com/toolclip/toolclip/internal/visible"
)

// rowBytes is the length, as shown, of a stretch without cursor movement after
// which a row is settled: what comes later on the line can't change it. It is
// the width of the terminal that folding imitates.
const rowBytes = 4096

// unfoldedMax bounds what is kept of a folded row as it came. It is more than
// the longest folded row, so that a row for which it does not suffice is shorter
// folded.
const unfoldedMax = 16 << 10

// manner is what becomes of control characters.
type manner uint8

const (
	folding  manner = iota // what moves a cursor is applied, the others become visible
	document               // CR ends a line, as shown; all others become visible
	asItCame               // they are kept
)

func (o Options) manner() manner {
	switch {
	case o.Raw:
		return asItCame
	case o.Document:
		return document
	}
	return folding
}

// renderer turns text, which comes in any pieces, into a rendering.
type renderer struct {
	rendering
	manner  manner
	start   int64  // where the rendering starts in the text
	text    int64  // where the next piece starts
	pending []byte // bytes that don't make a piece yet
	row     row
	first   *rendering // the first row as it came, where it was folded
	keep    int        // bytes of first that are wanted
	settle  func()     // called when all that is rendered is settled
	scratch []byte
}

// row is where the row in progress began, and what it is on the terminal.
type row struct {
	text    int64
	out     int
	term    *terminal.Row // nil: the cursor has only moved right
	spans   int           // where the row began; known when term is
	extras  int
	moved   int64   // bytes of cursor movement
	overrun bool    // what came is not kept any more
	after   changes // pieces not kept
}

func newRenderer(m manner, text int64, keep int, unit view.Unit) *renderer {
	r := &renderer{manner: m, start: text, text: text, row: row{text: text}, keep: keep}
	r.counts = unit
	return r
}

// settled is the number of bytes of out that later text can't change.
func (r *renderer) settled() int { return r.row.out }

// write renders p.
func (r *renderer) write(p []byte) {
	if len(r.pending) == 0 {
		p = p[r.consume(p, false):]
	} else {
		r.pending = append(r.pending, p...)
		p = r.pending[r.consume(r.pending, false):]
	}
	r.pending = append(r.pending[:0], p...)
}

// finish renders what is pending; nothing comes after it.
func (r *renderer) finish() {
	r.consume(r.pending, true)
	r.pending = r.pending[:0]
	r.endRow()
	r.startRow()
}

// whole appends a piece of text that was rendered before.
func (r *renderer) whole(textLen int64, shown []byte, c changes) {
	r.finish()
	r.pushAtom(r.text, textLen, shown, c)
	r.text += textLen
	r.startRow()
}

// consume renders the pieces of b that are complete and returns their length.
func (r *renderer) consume(b []byte, final bool) int {
	at := 0
	for at < len(b) {
		n := r.plain(b[at:])
		if n == 0 {
			n = r.piece(b[at:], final)
		}
		if n == 0 {
			break
		}
		at += n
	}
	return at
}

// plain renders printable ASCII in one go, as far as nothing after it can belong
// to its last character.
func (r *renderer) plain(b []byte) int {
	most := len(b)
	if r.row.term == nil {
		most = min(most, r.row.out+rowBytes-len(r.out))
	}
	n := 0
	for n < most && (b[n] >= ' ' && b[n] < 0x7F || b[n] == '\t' && r.row.term == nil) {
		n++
	}
	if n == len(b) || b[n] >= utf8.RuneSelf {
		n--
	}
	switch {
	case n <= 0:
		return 0
	case r.row.term != nil:
		return r.plainOnTerminal(b[:n])
	}
	r.put(verbatim, b[:n], b[:n])
	return n
}

// plainOnTerminal is plain on a row that is folded. It returns 0 when the row is
// full.
func (r *renderer) plainOnTerminal(b []byte) int {
	n := r.row.term.PutASCII(b)
	switch {
	case n == 0:
	case r.room():
		r.push(verbatim, r.text, b[:n], b[:n])
	default:
		r.row.after.units += measure(r.counts, b[:n])
	}
	r.text += int64(n)
	return n
}

// piece renders the first piece of b and returns its length, 0 when it is not
// complete.
func (r *renderer) piece(b []byte, final bool) int {
	switch c := b[0]; {
	case c == '\n':
		r.newline(b[:1])
		return 1
	case c == '\r':
		return r.carriage(b, final)
	case c == '\x1b':
		return r.escape(b, final)
	case c == '\b':
		r.move(b[:1], terminal.Back, 1)
		return 1
	case (c < ' ' && c != '\t') || c == 0x7F:
		r.control(b[:1])
		return 1
	}
	n := graphemes.Next(b, final)
	if n > 0 {
		r.cluster(b[:n])
	}
	return n
}

// cluster renders one grapheme cluster or one byte that is no UTF-8.
func (r *renderer) cluster(c []byte) {
	if len(c) == 1 && c[0] >= utf8.RuneSelf {
		r.put(invalid, c, []byte("\uFFFD"))
		return
	}
	if r.manner == asItCame || len(c) == 1 {
		r.put(verbatim, c, c)
		return
	}
	var n int
	r.scratch, n = visible.AppendCluster(r.scratch[:0], c, r.prev())
	switch n {
	case 0:
		r.put(verbatim, c, c)
	case 1:
		r.put(hidden, c, r.scratch)
	default:
		r.putAtom(c, r.scratch, changes{hidden: int64(n)})
	}
}

// prev is the rune before the next piece, 0 where there is none or it was
// changed.
func (r *renderer) prev() rune {
	last := r.last()
	if last == nil || last.kind != verbatim || last.textEnd() != r.text {
		return 0
	}
	p, _ := utf8.DecodeLastRune(r.out)
	return p
}

func (r *renderer) control(c []byte) {
	if r.manner == asItCame {
		r.put(verbatim, c, c)
		return
	}
	r.put(control, c, r.picture(c))
}

// picture is a control character or an escape sequence made visible.
func (r *renderer) picture(c []byte) []byte {
	r.scratch = utf8.AppendRune(r.scratch[:0], visible.Control(c[0]))
	r.scratch = append(r.scratch, c[1:]...)
	return r.scratch
}

// carriage renders CR: before LF it belongs to the line's end.
func (r *renderer) carriage(b []byte, final bool) int {
	switch {
	case len(b) > 1 && b[1] == '\n':
		r.newline(b[:2])
		return 2
	case len(b) == 1 && !final:
		return 0
	}
	r.move(b[:1], terminal.Column, 0)
	return 1
}

func (r *renderer) escape(b []byte, final bool) int {
	op, arg, n := terminal.Sequence(b, final)
	switch {
	case n == 0:
		return 0
	case r.manner == asItCame:
		r.putAtom(b[:n], b[:n], changes{})
	case op == terminal.None:
		r.control(b[:1])
	case op == terminal.Remove:
		r.put(code, b[:n], nil)
	case op == terminal.RemoveSay:
		r.put(saying, b[:n], nil)
	case op == terminal.Show:
		r.put(control, b[:n], r.picture(b[:n]))
	default:
		r.move(b[:n], op, arg)
	}
	return n
}

func (r *renderer) newline(b []byte) {
	r.endRow()
	r.push(verbatim, r.text, b, b)
	r.text += int64(len(b))
	r.startRow()
}
