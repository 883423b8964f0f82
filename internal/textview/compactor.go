package textview

import (
	"bytes"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/view"
)

// compactor feeds a ring, and folds on the way what is too long to be folded
// from the ring later, or would be folded differently from where the ring begins:
// rows with cursor movement on lines that have a whole block (blockLen bytes, at a
// multiple of blockLen in the text) without a line feed. A progress bar of gigabytes
// takes the room of its last state.
//
// All other lines cost a search for their line feeds.
type compactor struct {
	ring  *ring
	line  int64     // where the current line starts in the text
	block bool      // the current block has a line feed so far
	fold  *renderer // not nil: inside a line that is folded
	raw   []byte    // the end of what fold got
	fed   int64     // where that ends in the text
	plain bool      // nothing is folded
	unit  view.Unit // in which text is counted
}

// rawKept is the length of the longest row that stays as it came when it turns
// out to need no folding.
const rawKept = 64 << 10

// foldStep bounds what the renderer gets at once, and so how far it may be ahead
// of a row's end.
const foldStep = 4096

func newCompactor(r *ring, plain bool, unit view.Unit) *compactor {
	return &compactor{ring: r, line: r.text, plain: plain, unit: unit}
}

func (c *compactor) write(p []byte) {
	if c.plain {
		c.ring.write(p)
		return
	}
	for len(p) > 0 {
		if c.fold != nil {
			p = p[c.folding(p):]
		} else {
			p = p[c.looking(p):]
		}
	}
}

// whole takes n bytes of text that are shown as something else and end a line.
// No line is being folded.
func (c *compactor) whole(n int64, shown []byte, ch changes) {
	c.ring.atom(shown, n, ch)
	c.line = c.ring.text
	c.block = true
}

// looking passes p on, block by block, until a line needs folding: at the end of a
// block without line feed, or of a line that had such a block before.
func (c *compactor) looking(p []byte) int {
	text := c.ring.text
	for at := 0; at < len(p); {
		in := int((text + int64(at)) % blockLen)
		n := min(len(p)-at, blockLen-in)
		block := p[at : at+n]
		if j := bytes.IndexByte(block, '\n'); j >= 0 {
			if c.long(text+int64(at-in)) && c.enter(p[:at+j], in+j) {
				return at + j
			}
			c.line = text + int64(at+bytes.LastIndexByte(block, '\n')) + 1
			c.block = true
		}
		at += n
		if in+n < blockLen {
			break
		}
		if c.long(text+int64(at)) && c.enter(p[:at], blockLen) {
			return at
		}
		c.block = false
	}
	c.ring.write(p)
	return len(p)
}

// long reports whether the current line, which goes on in the block that begins at text,
// has the whole block before that.
func (c *compactor) long(text int64) bool { return !c.block && c.line <= text-blockLen }

// moves reports whether the last n bytes, of which p are the newest, have what can move a
// cursor. The first of them are in the ring where p is shorter.
func (c *compactor) moves(p []byte, n int) bool {
	if missing := n - len(p); missing > 0 {
		if bytes.ContainsAny(c.ring.buf[len(c.ring.buf)-missing:], "\r\b\x1b") {
			return true
		}
	} else {
		p = p[-missing:]
	}
	return bytes.IndexByte(p, '\r') >= 0 || bytes.IndexByte(p, '\x1b') >= 0 || bytes.IndexByte(p, '\b') >= 0
}

// enter begins to fold the current line behind p, at its start or two blocks back, if
// the last n bytes need it: those of the current block, at its end or the line's, so that
// nothing but the text decides where rows begin.
func (c *compactor) enter(p []byte, n int) bool {
	if !c.moves(p, n) {
		return false
	}
	c.ring.write(p)
	back := int(min(c.ring.text-c.line, 2*blockLen))
	p = c.ring.buf[len(c.ring.buf)-back:]
	for len(p) < int(c.ring.text-c.line) && len(p) > 2*blockLen-utf8.UTFMax && !utf8.RuneStart(p[0]) {
		p = p[1:]
	}
	p = c.ring.rewind(len(p))
	c.fold = newRenderer(folding, c.ring.text, 0, c.unit)
	c.fold.settle = c.row
	c.raw, c.fed = c.raw[:0], c.ring.text
	c.folding(p)
	return true
}

// folding folds p up to the end of the line.
func (c *compactor) folding(p []byte) int {
	n := bytes.IndexByte(p, '\n') + 1
	ends := n > 0
	if !ends {
		n = len(p)
	}
	for at := 0; at < n; {
		step := p[at:min(at+foldStep, n)]
		if extra := len(c.raw) + len(step) - rawKept - 4*foldStep; extra > 0 {
			c.raw = append(c.raw[:0], c.raw[min(extra, len(c.raw)):]...)
		}
		c.raw = append(c.raw, step...)
		c.fed += int64(len(step))
		c.fold.write(step)
		at += len(step)
	}
	if ends {
		c.line = c.ring.text
		c.fold = nil
		c.block = true
	}
	return n
}

// end folds what is left.
func (c *compactor) end() {
	if in := c.ring.text % blockLen; !c.plain && c.fold == nil && c.long(c.ring.text-in) {
		c.enter(nil, int(in))
	}
	if c.fold != nil {
		c.fold.finish()
		c.fold = nil
	}
}

// row takes a row that the renderer has settled.
func (c *compactor) row() {
	r := c.fold
	group := 0
	unfolded := r.row.moved > 0
	for i, s := range r.spans {
		if s.kind == atom && r.extras[s.count].folded > 0 {
			c.group(r.spans[group:i], false)
			c.ring.atom(r.out[s.out:s.outEnd()], s.each, r.extras[s.count])
			c.took(s.textEnd())
			group = i + 1
			unfolded = false
		}
	}
	c.group(r.spans[group:], unfolded)
	r.truncate(0, 0, 0)
}

// group takes spans that were not folded: as they came, so that they can be cut
// later, unless that is too much or they hold movements that were not applied.
func (c *compactor) group(spans []span, moved bool) {
	if len(spans) == 0 {
		return
	}
	first, last := spans[0], spans[len(spans)-1]
	n := last.textEnd() - first.text
	if n <= rawKept && !moved {
		from := len(c.raw) - int(c.fed-first.text)
		c.ring.write(c.raw[from : from+int(n)])
	} else {
		var ch changes
		units := int64(0)
		for _, s := range spans {
			ch.add(c.fold.changesOf(s, s.n))
			units += c.fold.unitsOf(s, 0, s.n)
		}
		ch.units = units
		c.ring.atom(c.fold.out[first.out:last.outEnd()], n, ch)
	}
	c.took(last.textEnd())
}

// took forgets the source of what stands before text.
func (c *compactor) took(text int64) {
	if ahead := int(c.fed - text); ahead < len(c.raw) {
		c.raw = append(c.raw[:0], c.raw[len(c.raw)-ahead:]...)
	}
}
