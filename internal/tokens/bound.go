// Package tokens bounds and estimates the number of tokens of a text without a
// tokenizer.
//
// Bound is never less than what cl100k_base and o200k_base make of the text (the
// encodings of the GPT-4 and GPT-4o families), for any text. Estimate is near
// the truth and may be on either side of it.
//
// # Why the bound holds
//
// Both encodings split a text into pieces by a regular expression and then merge
// bytes within each piece, until no two neighbours are together a token. So:
//
//   - A token has at least one byte; bytes are a bound for every encoding of
//     this kind, whatever its pieces and its vocabulary are.
//   - Two neighbours of one byte each, in one piece, can't be a token together.
//     All ASCII letters of a run, a space before them, and the marks of a run of
//     punctuation are in one piece; so are the bytes of one character. Where two
//     such bytes are a token (table.go lists which), at most one of the two is a
//     token of its own. A dynamic program counts the most tokens that this
//     leaves; in a run of letters it is two thirds of the bytes.
//   - Digits are split in threes, and every string of one to three ASCII digits
//     is a token.
//   - Runs of 1 to 79 spaces are tokens, so that of two neighbours that are
//     spaces at least 80 are used up.
//
// A letter after an apostrophe may be split from the next ("'s", "'re"), a slash
// after a line feed from the marks behind it; there the bound counts bytes. A
// byte that is no UTF-8 counts as the three bytes of U+FFFD.
//
// Other encodings split other pieces. For those of which digits are single
// tokens, or of which the vocabulary is small, Bound proves nothing: use the
// length in bytes, or their own counter.
package tokens

import "unicode/utf8"

// spaceRun is the length of the longest run of spaces up to which each is a
// token in both encodings.
const spaceRun = 79

// Bound is a number of tokens that p does not exceed in cl100k_base and
// o200k_base. It is never more than the bytes of p with its invalid bytes
// replaced by U+FFFD.
func Bound(p []byte) int {
	var b bound
	for i := 0; i < len(p); {
		c := p[i]
		switch {
		case c >= '0' && c <= '9':
			n := run(p[i:], isDigit)
			b.digits(p, i, n)
			i += n
		case c == ' ':
			n := run(p[i:], isSpace)
			b.spaces(n, i+n < len(p) && !isWhite(p[i+n]))
			i += n
		case c < utf8.RuneSelf:
			b.byte(i > 0 && joined(p, i))
			i++
		default:
			i += b.rune(p[i:])
		}
	}
	return b.most()
}

// bound is the dynamic program: the most tokens for what was read, when the last
// of them is one byte long, and when it is longer.
type bound struct {
	single, longer int
	before         int  // the most for all but the last byte
	inside         bool // a token may begin before the next byte and end after it
}

func (b *bound) most() int { return max(b.single, b.longer) }

// byte adds one byte; joined says that it can't be a token of its own if the
// byte before it is one.
func (b *bound) byte(joined bool) {
	most := b.most()
	single := most + 1
	if joined {
		single = b.longer + 1
	}
	b.longer = -1 // no count: it loses against any
	if b.inside {
		b.longer = b.before + 1
	}
	b.single, b.before, b.inside = single, most, true
}

// add adds n tokens of which none goes on behind them.
func (b *bound) add(n int) {
	b.single = b.most() + n
	b.longer, b.inside = b.single, false
}

// digits adds the n digits at i. Next to a character that may be a number too
// they are bytes.
func (b *bound) digits(p []byte, i, n int) {
	if i > 0 && p[i-1] >= utf8.RuneSelf || i+n < len(p) && p[i+n] >= utf8.RuneSelf {
		b.add(n)
		return
	}
	b.add((n + 2) / 3)
}

// spaces adds n spaces. The last of them joins what follows, unless that is
// white space.
func (b *bound) spaces(n int, joins bool) {
	if !joins {
		b.add(min(n, 2+2*(n/(spaceRun+1))))
		return
	}
	if n--; n > 0 {
		b.add(min(n, 1+2*(n/(spaceRun+1))))
	}
	b.byte(false)
}

// joined reports whether the ASCII byte at i is in one piece with the one before
// it and both together are a token.
func joined(p []byte, i int) bool {
	x, y := p[i-1], p[i]
	if x < ' ' || x > '~' || y < ' ' || y > '~' || asciiPairs[x-' '][(y-' ')/64]>>((y-' ')%64)&1 == 0 {
		return false
	}
	switch {
	case x == ' ':
		return true
	case isLetter(x) && isLetter(y):
		return (isUpper(x) || !isUpper(y)) && !contracted(p, i)
	case isLetter(x) || isLetter(y) || isDigit(x):
		return false
	}
	return x != '/'
}

// contracted reports whether an apostrophe stands one or two bytes before the
// letter at i-1: the piece may end there ("'s", "'re").
func contracted(p []byte, i int) bool {
	return i >= 2 && p[i-2] == '\'' || i >= 3 && p[i-3] == '\''
}

// rune adds the character at the start of p and returns its length.
func (b *bound) rune(p []byte) int {
	r, n := utf8.DecodeRune(p)
	if r == utf8.RuneError && n == 1 {
		b.add(3)
		return 1
	}
	for i, c := range p[:n] {
		joined := false // with the byte before it
		switch {
		case i == 0:
		case i == 1:
			joined = p[0] >= 0xE0 && p[0] <= 0xF4 && leadPairs[p[0]-0xE0]>>(c-0x80)&1 != 0
		default:
			joined = trailPairs[p[i-1]-0x80]>>(c-0x80)&1 != 0
		}
		b.byte(joined)
	}
	return n
}

func run(p []byte, is func(byte) bool) int {
	n := 0
	for n < len(p) && is(p[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isSpace(c byte) bool  { return c == ' ' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool { return isUpper(c) || c >= 'a' && c <= 'z' }

// isWhite reports whether c is ASCII white space or may begin another.
func isWhite(c byte) bool {
	return c == ' ' || c >= '\t' && c <= '\r' || c >= 0x1C && c <= 0x1F || c >= utf8.RuneSelf
}
