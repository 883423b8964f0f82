package textview

import (
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/terminal"
	"github.com/toolclip/toolclip/internal/view"
)

// measure counts the runes or clusters of b; 0 in other units. A byte that is no UTF-8
// counts as one.
func measure(u view.Unit, b []byte) int64 {
	switch u {
	case view.Rune:
		return int64(utf8.RuneCount(b))
	case view.Grapheme:
		return graphemes.Count(b)
	}
	return 0
}

// counter counts a text that comes in any pieces, and knows whether all of it was
// UTF-8.
type counter interface {
	write(p []byte)
	total() (n int64, invalid bool)
}

type runeCounter struct {
	n       int64
	invalid bool
	part    []byte
}

func (c *runeCounter) write(p []byte) {
	if len(c.part) > 0 {
		p = append(c.part, p...)
	}
	whole := len(p)
	for k := 1; k < utf8.UTFMax && k <= len(p); k++ {
		if b := p[len(p)-k:]; utf8.RuneStart(b[0]) {
			if !utf8.FullRune(b) {
				whole = len(p) - k
			}
			break
		}
	}
	c.n += int64(utf8.RuneCount(p[:whole]))
	c.invalid = c.invalid || !utf8.Valid(p[:whole])
	c.part = append([]byte(nil), p[whole:]...)
}

func (c *runeCounter) total() (int64, bool) {
	return c.n + int64(utf8.RuneCount(c.part)), c.invalid || len(c.part) > 0
}

// graphemeCounter counts clusters as they are shown: an escape sequence has an end of
// its own.
type graphemeCounter struct {
	n       int64
	invalid bool
	part    []byte
}

func (c *graphemeCounter) write(p []byte) {
	if len(c.part) > 0 {
		p = append(c.part, p...)
	}
	p = p[c.take(p, false):]
	c.part = append([]byte(nil), p...)
}

// take counts what is known to be whole in p and returns its length.
func (c *graphemeCounter) take(p []byte, final bool) int {
	at := 0
	for at < len(p) {
		k, n := c.next(p[at:], final)
		if k == 0 {
			break
		}
		c.n += n
		at += k
	}
	return at
}

// next is the length of the cluster or escape sequence at the start of p, 0 when the
// bytes to come decide, and how many clusters it is.
func (c *graphemeCounter) next(p []byte, final bool) (length int, n int64) {
	if p[0] == '\x1b' {
		_, _, length = terminal.Sequence(p, final)
		return length, graphemes.Count(p[:length])
	}
	length = graphemes.Next(p, final)
	if length == 1 && p[0] >= utf8.RuneSelf {
		c.invalid = true
	}
	return length, 1
}

func (c *graphemeCounter) total() (int64, bool) {
	rest := *c
	rest.take(c.part, true)
	return rest.n, rest.invalid
}
