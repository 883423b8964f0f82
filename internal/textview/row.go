package textview

import (
	"github.com/toolclip/toolclip/internal/terminal"
)

// put adds a piece to the row: as it came, and on the terminal where the cursor
// has moved.
func (r *renderer) put(k kind, text, shown []byte) {
	r.fit(shown)
	switch {
	case r.room():
		r.push(k, r.text, text, shown)
	default:
		r.row.after.add(k.changes())
		r.row.after.units += measure(r.counts, text)
	}
	r.advance(len(text))
}

func (r *renderer) putAtom(text, shown []byte, c changes) {
	c.units = measure(r.counts, text)
	r.fit(shown)
	if r.room() {
		r.pushAtom(r.text, int64(len(text)), shown, c)
	} else {
		r.row.after.add(c)
	}
	r.advance(len(text))
}

// fit writes what is shown on the terminal, in the next row when this one is
// full.
func (r *renderer) fit(shown []byte) {
	if r.row.term == nil || len(shown) == 0 {
		return
	}
	if !r.row.term.Put(shown) {
		r.endRow()
		r.startRow()
	}
}

// advance goes on behind a piece. A row without cursor movement that is long
// enough is settled.
func (r *renderer) advance(n int) {
	r.text += int64(n)
	if r.row.term == nil && len(r.out)-r.row.out >= rowBytes {
		r.startRow()
	}
}

// room reports whether the row as it came is still kept.
func (r *renderer) room() bool {
	if r.row.term == nil {
		return true
	}
	most := unfoldedMax
	if r.row.text == r.start {
		most = max(most, r.keep)
	}
	if len(r.out)-r.row.out > most {
		r.row.overrun = true
	}
	return !r.row.overrun
}

// move renders what moves the cursor or erases.
func (r *renderer) move(seq []byte, op terminal.Op, n int) {
	switch {
	case r.manner == folding:
		r.fold(seq, op, n)
	case r.manner == document && seq[0] == '\r':
		r.put(ending, seq, []byte{'\n'})
	case r.manner == document:
		r.put(control, seq, r.picture(seq))
	case len(seq) > 1:
		r.putAtom(seq, seq, changes{})
	default:
		r.put(verbatim, seq, seq)
	}
}

// fold applies a movement to the row, which the first one turns into a row of a
// terminal.
func (r *renderer) fold(seq []byte, op terminal.Op, n int) {
	if r.row.term == nil {
		r.replay()
	}
	r.row.term.Apply(op, n)
	r.row.moved += int64(len(seq))
	if r.room() {
		r.push(control, r.text, seq, r.picture(seq))
	} else {
		r.row.after.units += measure(r.counts, seq)
	}
	r.text += int64(len(seq))
}

// replay puts the row so far on a terminal. What wraps there is settled.
func (r *renderer) replay() {
	r.row.term = new(terminal.Row)
	r.row.spans = r.split(r.row.out)
	r.row.extras = r.extrasFrom(r.row.spans)
	for at := r.row.out; at < len(r.out); {
		n := r.pieceAt(at)
		if !r.row.term.Put(r.out[at : at+n]) {
			r.row.term.Reset()
			i := r.split(at)
			r.row.text, r.row.out, r.row.spans, r.row.extras = r.spans[i].text, at, i, r.extrasFrom(i)
			continue
		}
		at += n
	}
}

// startRow begins a row at the next piece.
func (r *renderer) startRow() {
	if r.settle != nil {
		r.settle()
	}
	r.row = row{text: r.text, out: len(r.out)}
}

// endRow settles the row: what the terminal shows takes the place of what came,
// unless it is longer.
func (r *renderer) endRow() {
	w := r.row
	if w.term == nil {
		return
	}
	folded := w.term.AppendTo(nil)
	if !w.overrun && len(folded) > len(r.out)-w.out {
		return
	}
	c := r.changesFrom(w)
	dropped, lost := w.term.Dropped()
	c.folded, c.lost = w.moved+dropped, lost
	if w.text == r.start {
		r.first = r.clone(w.spans, w.out, w.extras)
	}
	r.truncate(w.spans, w.out, w.extras)
	r.pushAtom(w.text, r.text-w.text, folded, c)
}

// changesFrom counts what was done to the pieces of the row, other than the
// movements, which folding counts.
func (r *renderer) changesFrom(w row) changes {
	c := w.after
	for _, s := range r.spans[w.spans:] {
		units := c.units + r.unitsOf(s, 0, s.n)
		if s.kind != control {
			c.add(r.changesOf(s, s.n))
		}
		c.units = units
	}
	return c
}
