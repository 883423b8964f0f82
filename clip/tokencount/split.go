package tokencount

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An encoding splits a text into pieces by a regular expression and makes tokens of
// each piece by itself. These functions do what the expressions of OpenAI's tiktoken
// do, in one pass: backtracking over long runs is what makes tokenizers slow, or
// wrong. Each returns the length in bytes of a match at the start of a text that is
// not empty, 0 for none.

// o200kPiece is the first match of
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func o200kPiece(s string) int {
	if n := casedWord(s); n > 0 {
		return n + contraction(s[n:])
	}
	return otherPiece(s, "\r\n/")
}

// cl100kPiece is the first match of
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cl100kPiece(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	lead := leading(s)
	if n := run(s[lead:], letter); n > 0 {
		return lead + n
	}
	return otherPiece(s, "\r\n")
}

// otherPiece is a piece without letters; marks may be followed by what is in trail.
func otherPiece(s, trail string) int {
	if n := digits(s); n > 0 {
		return n
	}
	if n := symbols(s, trail); n > 0 {
		return n
	}
	return spaces(s)
}

// leading is the length of a character before a word that belongs to it.
func leading(s string) int {
	k, n := classAt(s)
	if k&(letter|number) != 0 || s[0] == '\n' || s[0] == '\r' {
		return 0
	}
	return n
}

// casedWord is a word of o200k_base: capitals first, then small letters; letters
// without case and marks are both. There are two patterns, and a character before the
// word is optional: the first that matches counts, that with small letters first.
func casedWord(s string) int {
	lead := leading(s)
	leads := []int{lead, 0}
	if k, _ := classAt(s); lead == 0 || k&capital == 0 {
		leads = leads[:1] // without a leading character there is no word either
	}
	for _, lead := range leads {
		if n := endsSmall(s[lead:]); n > 0 {
			return lead + n
		}
	}
	for _, lead := range leads {
		if n := run(s[lead:], capital); n > 0 {
			return lead + n + run(s[lead+n:], small)
		}
	}
	return 0
}

// endsSmall matches capitals and then at least one small letter. Where no small
// letter follows the capitals, the last of them that is both ends the word.
func endsSmall(s string) int {
	at, last := 0, 0
	for at < len(s) {
		k, n := classAt(s[at:])
		if k&capital == 0 {
			break
		}
		at += n
		if k&small != 0 {
			last = at
		}
	}
	if n := run(s[at:], small); n > 0 {
		return at + n
	}
	return last
}

// contraction is 's, 't, 're, 've, 'm, 'll or 'd in any case; ſ is an s.
func contraction(s string) int {
	if !strings.HasPrefix(s, "'") {
		return 0
	}
	for _, end := range []string{"s", "t", "re", "ve", "m", "ll", "d"} {
		if len(s) > len(end) && strings.EqualFold(s[1:1+len(end)], end) {
			return 1 + len(end)
		}
	}
	if strings.HasPrefix(s[1:], "ſ") {
		return 1 + len("ſ")
	}
	return 0
}

// digits are one to three numbers.
func digits(s string) int {
	at := 0
	for i := 0; i < 3 && at < len(s); i++ {
		k, n := classAt(s[at:])
		if k&number == 0 {
			break
		}
		at += n
	}
	return at
}

// symbols are what is neither letter, number nor white space, with a space before
// them and what is in trail behind them.
func symbols(s, trail string) int {
	lead := 0
	if s[0] == ' ' {
		lead = 1
	}
	n := run(s[lead:], symbol)
	if n == 0 {
		return 0
	}
	at := lead + n
	for at < len(s) && strings.IndexByte(trail, s[at]) >= 0 {
		at++
	}
	return at
}

// spaces is white space: up to its last line break where it has one, else all but the
// last character, which belongs to what follows.
func spaces(s string) int {
	n := run(s, space)
	if feed := strings.LastIndexAny(s[:n], "\r\n"); feed >= 0 {
		return feed + 1
	}
	if _, last := utf8.DecodeLastRuneInString(s[:n]); n < len(s) && last < n {
		return n - last
	}
	return n
}

// class is what the patterns know of a character.
type class uint8

const (
	letter  class = 1 << iota // \p{L}
	capital                   // \p{Lu}, \p{Lt} and what is without case
	small                     // \p{Ll} and what is without case
	number                    // \p{N}
	space                     // \s
	symbol                    // [^\s\p{L}\p{N}]
)

// run is the length of what is of class k at the start of s.
func run(s string, k class) int {
	at := 0
	for at < len(s) {
		c, n := classAt(s[at:])
		if c&k == 0 {
			break
		}
		at += n
	}
	return at
}

// classAt is the class of the first character of s, and its length.
func classAt(s string) (class, int) {
	if s[0] < utf8.RuneSelf {
		return asciiClass[s[0]], 1
	}
	r, n := utf8.DecodeRuneInString(s)
	return classOf(r), n
}

func classOf(r rune) class {
	switch {
	case unicode.In(r, unicode.Lo, unicode.Lm):
		return letter | capital | small
	case unicode.Is(unicode.Ll, r):
		return letter | small
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return letter | capital
	case unicode.Is(unicode.M, r):
		return symbol | capital | small
	case unicode.Is(unicode.N, r):
		return number
	case unicode.IsSpace(r):
		return space
	}
	return symbol
}

var asciiClass = func() (t [utf8.RuneSelf]class) {
	for i := range t {
		t[i] = classOf(rune(i))
	}
	return t
}()
