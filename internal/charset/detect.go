package charset

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mark returns the encoding that a byte order mark at the start of b names, and
// the length of the mark.
func Mark(b []byte) (name string, n int) {
	switch {
	case bytes.HasPrefix(b, []byte{0xEF, 0xBB, 0xBF}):
		return UTF8, 3
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}):
		return "utf-16le", 2
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return "utf-16be", 2
	}
	return "", 0
}

// UTF16 recognises UTF-16 without a mark by its zero bytes: most of one parity, none
// of the other, and beside them one control character that text lacks in twenty at the
// most. Small numbers of two bytes have more.
func UTF16(b []byte) string {
	b = b[:len(b)&^1]
	if len(b) < 4 {
		return ""
	}
	var zeros [2]int
	controls := 0
	for i, c := range b {
		if c == 0 {
			zeros[i&1]++
		} else if b[i^1] == 0 && foreign(c) {
			controls++
		}
	}
	pairs := len(b) / 2
	switch {
	case controls*20 > pairs:
		return ""
	case zeros[1]*10 >= pairs*7 && zeros[0] == 0:
		return "utf-16le"
	case zeros[0]*10 >= pairs*7 && zeros[1] == 0:
		return "utf-16be"
	}
	return ""
}

// foreign reports whether c is a control character that texts don't have: not a line's
// end, a tab, a bell or what terminals act on.
func foreign(c byte) bool {
	return c == 0x7F || c < ' ' && !strings.ContainsRune("\t\n\v\f\r\b\a\x1b", rune(c))
}

// Detect guesses the encoding of a sample that begins with a byte that is not
// ASCII. In doubt it says UTF8: a wrong guess makes other words of the text, a
// missing one makes U+FFFD, which shows.
func Detect(sample []byte) string {
	if mostlyUTF8(sample) {
		return UTF8
	}
	best, second, name := 0.0, 0.0, UTF8
	for _, c := range candidates {
		s := c.score(sample)
		switch {
		case s > best:
			best, second, name = s, best, c.name
		case s > second:
			second = s
		}
	}
	if best < 0.35 || best < second+0.1 {
		return UTF8
	}
	return name
}

// mostlyUTF8 reports whether the sample has no more invalid bytes than valid
// sequences. A rune that the end of the sample cuts is neither.
func mostlyUTF8(b []byte) bool {
	good, bad := 0, 0
	for len(b) > 0 && (utf8.FullRune(b) || len(b) >= utf8.UTFMax) {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		b = b[n:]
	}
	return bad == 0 || bad < good
}

// candidate is an encoding with the characters by which its texts are known.
type candidate struct {
	name  string
	known func(rune) bool
}

var candidates = []candidate{
	{"gbk", func(r rune) bool { return strings.ContainsRune(simplified, r) || punctuation(r) }},
	{"big5", func(r rune) bool { return strings.ContainsRune(traditional, r) || punctuation(r) }},
	{"shift_jis", japanese},
	{"euc-jp", japanese},
	{"euc-kr", func(r rune) bool { return strings.ContainsRune(korean, r) }},
}

// leastKnown is the number of characters below which there is no evidence.
const leastKnown = 4

// score is the share of c's known characters among those that are not ASCII, 0
// where the sample is not in the encoding at all.
func (c candidate) score(sample []byte) float64 {
	s := newStepper(c.name)
	known, all := 0, 0
	var text []byte
	for b := sample; len(b) > 0; {
		var n int
		text, n = s.step(text[:0], b, false)
		if n == 0 {
			break // the sample cuts it
		}
		b = b[n:]
		r, _ := utf8.DecodeRune(text)
		if r == utf8.RuneError || unicode.Is(unicode.Co, r) {
			return 0
		}
		if r >= utf8.RuneSelf {
			all++
			if c.known(r) {
				known++
			}
		}
	}
	if all < leastKnown {
		return 0
	}
	return float64(known) / float64(all)
}

func japanese(r rune) bool {
	return 0x3041 <= r && r <= 0x30FE || punctuation(r)
}

func punctuation(r rune) bool {
	return strings.ContainsRune("，。、：；！？“”（）《》「」", r)
}
