package tokencount

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"

	"github.com/toolclip/toolclip/clip"
)

// O200k counts in o200k_base, the encoding of GPT-4o, GPT-4.1, GPT-5 and the
// o-series. Every call returns the same counter, which is safe for concurrent use.
// The first call loads the vocabulary, which takes some fifty milliseconds.
func O200k() clip.TokenCounter { return o200k() }

// Cl100k counts in cl100k_base, the encoding of GPT-4, GPT-3.5 Turbo and the
// text-embedding-3 models. See [O200k].
func Cl100k() clip.TokenCounter { return cl100k() }

var (
	o200k  = sync.OnceValue(func() *counter { return &counter{load(tokenizer.O200kBase), o200kPiece} })
	cl100k = sync.OnceValue(func() *counter { return &counter{load(tokenizer.Cl100kBase), cl100kPiece} })
)

// counter counts in one encoding.
type counter struct {
	words vocabulary
	piece func(string) int // the length of the first piece of a text that is not empty
}

// CountTokens is the number of tokens of p; see the package comment on what is not
// UTF-8. It implements [clip.TokenCounter].
func (c *counter) CountTokens(p []byte) int {
	s := string(p)
	if !utf8.ValidString(s) {
		return max(c.count(eachByte(s)), c.count(eachSubpart(s)))
	}
	return c.count(s)
}

// count counts valid UTF-8.
func (c *counter) count(s string) int {
	m := mergers.Get().(*merger)
	defer mergers.Put(m)
	n := 0
	for rest := s; len(rest) > 0; {
		k := c.piece(rest)
		n += m.count(c.words, rest[:k])
		rest = rest[k:]
	}
	if unassigned(s) {
		n = max(n, clip.TokenBound.CountTokens([]byte(s)))
	}
	return n
}

// unassigned reports whether s has a character that the Unicode tables of this build
// do not have, so that it is not known whether it is a letter.
func unassigned(s string) bool {
	for _, r := range s {
		if r > unicode.MaxLatin1 && unicode.Is(unicode.Cn, r) {
			return true
		}
	}
	return false
}
