package textview

import (
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/graphemes"
)

// runeCounter counts the runes of a text that comes in any pieces.
type runeCounter struct {
	n    int64
	part []byte
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
	c.part = append([]byte(nil), p[whole:]...)
}

func (c *runeCounter) total() int64 { return c.n + int64(utf8.RuneCount(c.part)) }

// graphemeCounter counts the clusters of a text that comes in any pieces.
type graphemeCounter struct {
	n    int64
	part []byte
}

func (c *graphemeCounter) write(p []byte) {
	if len(c.part) > 0 {
		p = append(c.part, p...)
	}
	for {
		k := graphemes.Next(p, false)
		if k == 0 {
			break
		}
		c.n++
		p = p[k:]
	}
	c.part = append([]byte(nil), p...)
}

func (c *graphemeCounter) total() int64 { return c.n + graphemes.Count(c.part) }
