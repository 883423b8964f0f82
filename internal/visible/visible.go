// Package visible makes characters visible that a reader would not see or that
// change what a reader sees: control characters, direction controls, zero-width
// characters, tags.
//
// C0 controls become their pictures (U+2400 to U+2421): ESC is ␛. The others
// become an escape such as <U+202E>. Joiners, variation selectors and tags stay
// where they are part of a sequence that is valid: an emoji, a flag, an
// ideographic variant, a joiner between letters of a script that joins.
package visible

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Control is the picture of a C0 control or DEL.
func Control(c byte) rune {
	if c == 0x7F {
		return '\u2421'
	}
	return '\u2400' + rune(c)
}

// Hidden reports whether r is one of the characters that are made visible: C1
// controls, line and paragraph separators, bidi controls (UAX #9), default
// ignorable characters (UAX #44) and interlinear annotation. C0 controls are
// the caller's.
func Hidden(r rune) bool {
	if r < 0xAD {
		return 0x80 <= r && r < 0xA0
	}
	return unicode.Is(hidden, r)
}

// AppendCluster appends one grapheme cluster to dst with its hidden characters
// made visible, and says how many it made visible. With none, the bytes are
// those of the cluster. prev is the rune before the cluster, 0 for none.
func AppendCluster(dst, cluster []byte, prev rune) ([]byte, int) {
	if !hasHidden(cluster) {
		return append(dst, cluster...), 0
	}
	n := 0
	runes := []rune(string(cluster))
	for i, r := range runes {
		if Hidden(r) && !exempt(runes, i, prev) {
			dst = fmt.Appendf(dst, "<U+%04X>", r)
			n++
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst, n
}

func hasHidden(cluster []byte) bool {
	for i := 0; i < len(cluster); {
		if cluster[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(cluster[i:])
		if Hidden(r) {
			return true
		}
		i += size
	}
	return false
}

// exempt reports whether the hidden rune at i is part of a valid sequence.
func exempt(c []rune, i int, prev rune) bool {
	before := prev
	if i > 0 {
		before = c[i-1]
	}
	switch r := c[i]; {
	case r == 0x200C || r == 0x200D:
		return joins(c, i, before)
	case r == 0xFE0E || r == 0xFE0F:
		return i > 0 && emojiBase(before)
	case 0xFE00 <= r && r <= 0xFE0D:
		return i > 0 && (unicode.In(before, unicode.Han, unicode.Sm, unicode.Myanmar, unicode.Phags_Pa, unicode.Hangul))
	case 0xE0100 <= r && r <= 0xE01EF:
		return i > 0 && unicode.Is(unicode.Han, before)
	case 0x180B <= r && r <= 0x180F:
		return before != 0 && unicode.Is(unicode.Mongolian, before) && !Hidden(before)
	case 0xE0020 <= r && r <= 0xE007F:
		return subdivisionFlag(c)
	case r == 0x115F || r == 0x1160:
		return len(c) > 1 && (jamo(before) || i+1 < len(c) && jamo(c[i+1]))
	}
	return false
}

// joins: a joiner between two pictographs, or after a letter or mark of a script
// whose letters join or conjoin.
func joins(c []rune, i int, before rune) bool {
	if c[i] == 0x200D && i > 0 && i+1 < len(c) && emojiPart(before) && pictographic(c[i+1]) {
		return true
	}
	return unicode.In(before, joining...) && (unicode.IsLetter(before) || unicode.IsMark(before))
}

// subdivisionFlag: a black flag, three to six tag letters or digits, a cancel tag
// (UTS #51 ED-14a).
func subdivisionFlag(c []rune) bool {
	if len(c) < 5 || len(c) > 8 || c[0] != 0x1F3F4 || c[len(c)-1] != 0xE007F {
		return false
	}
	for _, r := range c[1 : len(c)-1] {
		digit := 0xE0030 <= r && r <= 0xE0039
		if !digit && (r < 0xE0061 || r > 0xE007A) {
			return false
		}
	}
	return true
}

func jamo(r rune) bool { return 0x1100 <= r && r <= 0x11FF && r != 0x115F && r != 0x1160 }

// emojiBase: what may take an emoji or text variation selector.
func emojiBase(r rune) bool {
	return pictographic(r) || '0' <= r && r <= '9' || r == '#' || r == '*'
}

// emojiPart: what may stand before a joiner in an emoji sequence.
func emojiPart(r rune) bool {
	modifier := 0x1F3FB <= r && r <= 0x1F3FF
	return pictographic(r) || modifier || r == 0xFE0F || r == 0x20E3
}

func pictographic(r rune) bool { return unicode.Is(pictographs, r) }

var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic, unicode.Phags_Pa, unicode.Adlam,
	unicode.Hanifi_Rohingya, unicode.Manichaean, unicode.Psalter_Pahlavi, unicode.Sogdian,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Balinese,
	unicode.Javanese, unicode.Chakma, unicode.Grantha,
}

// hidden is Default_Ignorable_Code_Point (Unicode 17) with the bidi controls,
// the separators and the annotation characters.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00AD, 0x00AD, 1}, {0x034F, 0x034F, 1}, {0x061C, 0x061C, 1}, {0x115F, 0x1160, 1}, {0x17B4, 0x17B5, 1},
		{0x180B, 0x180F, 1}, {0x200B, 0x200F, 1}, {0x2028, 0x202E, 1}, {0x2060, 0x206F, 1}, {0x3164, 0x3164, 1},
		{0xFE00, 0xFE0F, 1}, {0xFEFF, 0xFEFF, 1}, {0xFFA0, 0xFFA0, 1}, {0xFFF0, 0xFFFB, 1},
	},
	R32: []unicode.Range32{{0x1BCA0, 0x1BCA3, 1}, {0x1D173, 0x1D17A, 1}, {0xE0000, 0xE0FFF, 1}},
}

// pictographs is Extended_Pictographic (UTS #51), rounded to the blocks in which
// it lies: a selector or joiner after a neighbour of an emoji hides nothing.
var pictographs = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00A9, 0x00A9, 1}, {0x00AE, 0x00AE, 1}, {0x203C, 0x203C, 1}, {0x2049, 0x2049, 1}, {0x2122, 0x2122, 1},
		{0x2139, 0x2139, 1}, {0x2190, 0x21FF, 1}, {0x2300, 0x23FF, 1}, {0x24C2, 0x24C2, 1}, {0x25A0, 0x27BF, 1},
		{0x2934, 0x2935, 1}, {0x2B00, 0x2BFF, 1}, {0x3030, 0x3030, 1}, {0x303D, 0x303D, 1}, {0x3297, 0x3297, 1},
		{0x3299, 0x3299, 1},
	},
	R32:         []unicode.Range32{{0x1F000, 0x1FAFF, 1}},
	LatinOffset: 2,
}
