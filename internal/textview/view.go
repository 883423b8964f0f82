package textview

import (
	"bytes"

	"github.com/toolclip/toolclip/internal/charset"
	"github.com/toolclip/toolclip/internal/tokens"
	"github.com/toolclip/toolclip/internal/view"
)

// View reads one source. Use it from one goroutine: Write as often as there are
// bytes, End once, then Plan as often as wanted. Its memory is a small multiple
// of Options.Retain and a constant.
type View struct {
	o    Options
	dec  *charset.Decoder
	win  window
	head *renderer
	tail *compactor
	full bool // the head has more than will be shown

	repeats *repeats

	source int64   // bytes of the source
	text   int64   // bytes of the text
	lines  int64   // line feeds
	last   byte    // of the text
	units  counter // of Options.Count; nil: none
	tokens *tokens.Estimator
	ended  bool

	whole tailRendering // the end, rendered
}

// New returns a View that has read nothing.
func New(o Options) *View {
	o.Retain = min(max(o.Retain, 0), MaxRetain)
	if o.Ends == DefaultEnds {
		o.Ends = HeadAndTail
		if o.From > 0 || o.To > 0 {
			o.Ends = Head
		}
	}
	if !(o.TailShare > 0 && o.TailShare <= 1) {
		o.TailShare = DefaultTailShare
	}
	v := &View{o: o, dec: charset.New(o.Charset), win: newWindow(o)}
	switch o.Count {
	case view.Rune:
		v.units = new(runeCounter)
	case view.Grapheme:
		v.units = new(graphemeCounter)
	}
	if o.Tokens {
		v.tokens = new(tokens.Estimator)
	}
	return v
}

// Write takes the next bytes of the source. It never fails and keeps nothing of
// p. After End it takes nothing.
func (v *View) Write(p []byte) (int, error) {
	if v.ended {
		return len(p), nil
	}
	v.source += int64(len(p))
	v.dec.Write(p, v.take)
	return len(p), nil
}

// End says that the source has ended. Only the first call counts.
func (v *View) End() {
	if v.ended {
		return
	}
	v.ended = true
	v.dec.End(v.take)
	v.win.end(v)
	if v.repeats != nil {
		v.repeats.end()
	}
	if v.head == nil { // the window begins behind the end
		v.open(v.text, v.lines)
		v.win.close(v)
	}
	v.head.finish()
	if v.tail != nil {
		v.tail.end()
		v.whole = v.tail.ring.render(v.o.manner(), v.win.lineStart, v.o.Count)
	}
}

// Totals are of the whole source; they are final after End.
func (v *View) Totals() Totals {
	t := Totals{Bytes: v.source, Text: v.text, Lines: v.lines, Runes: -1, Graphemes: -1, Tokens: -1, Charset: v.dec.Name()}
	if v.text > 0 && v.last != '\n' {
		t.Lines++
	}
	switch v.o.Count {
	case view.Rune:
		t.Runes, t.Invalid = v.units.total()
	case view.Grapheme:
		t.Graphemes, t.Invalid = v.units.total()
	}
	if v.tokens != nil {
		t.Tokens = v.tokens.Tokens()
	}
	return t
}

// take counts text and gives what is in the window to its two ends.
func (v *View) take(p []byte) {
	if v.units != nil {
		v.units.write(p)
	}
	if v.tokens != nil {
		_, _ = v.tokens.Write(p)
	}
	v.win.take(v, p)
	v.forget()
}

// count counts text on its way past.
func (v *View) count(p []byte) {
	if len(p) == 0 {
		return
	}
	v.text += int64(len(p))
	v.lines += int64(bytes.Count(p, []byte{'\n'}))
	v.last = p[len(p)-1]
}

// open begins the window at an offset of the text.
func (v *View) open(text, lines int64) {
	v.win.start, v.win.startLine = text, lines
	v.win.lineStart = text == 0 || v.last == '\n'
	v.head = newRenderer(v.o.manner(), text, int(v.o.Retain)+slack, v.o.Count)
	if v.o.Fold {
		v.repeats = &repeats{write: v.sink, whole: v.sinkWhole, unit: v.o.Count}
	}
	if v.o.Ends != Head {
		r := newRing(v.ringSize())
		r.text = text
		v.tail = newCompactor(r, v.o.manner() != folding, v.o.Count)
	}
}

// ringSize is the number of bytes of the end that are kept: twice what will be
// shown, because colours and the like are not.
func (v *View) ringSize() int { return 2*int(v.o.Retain) + slack }

// show takes text of the window.
func (v *View) show(p []byte) {
	v.count(p)
	if v.repeats != nil {
		v.repeats.take(p)
		return
	}
	v.sink(p)
}

// sink gives text to both ends of the window.
func (v *View) sink(p []byte) {
	for rest := p; len(rest) > 0 && !v.full; {
		n := min(len(rest), headStep)
		v.head.write(rest[:n])
		rest = rest[n:]
		v.filled()
	}
	if v.tail != nil {
		v.tail.write(p)
	}
}

// headStep is how much the head gets before it is asked whether it has enough.
const headStep = 4096

// sinkWhole gives n bytes of text, which are shown as something else, to both
// ends.
func (v *View) sinkWhole(n int64, shown []byte, c changes) {
	if !v.full {
		v.head.whole(n, shown, c)
		v.filled()
	}
	if v.tail != nil {
		v.tail.whole(n, shown, c)
	}
}

// filled notes whether the head has more than will be shown: so much that the
// length of each line that may be cut is known as far as it matters.
func (v *View) filled() {
	v.full = v.head.settled() > int(v.o.Retain)+LongLine+MinBytes
}
