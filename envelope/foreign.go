package envelope

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file prints text that others wrote (messages, names, pointers) inside our
// own sentences: on one line, visible, limited, and not able to end the sentence.

const ellipsis = "…"

// quoted prints a sentence of somebody else's between “ and ”, at most limit bytes
// of it. A closing quote inside is escaped, so that what is quoted can't end the
// quotation.
func quoted(s string, limit int) string { return "“" + visible(s, limit) + "”" }

// label prints a name, a pointer or a code: bare when it is a plain word, else
// quoted.
func label(s string, limit int) string {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./~:@+$", r) {
			return quoted(s, limit)
		}
	}
	return visible(s, limit)
}

// visible puts s on one line and makes every rune in it visible: runs of white
// space become one space; what has no glyph (control characters, bidi marks, tags,
// invalid bytes) and the closing quote become escapes. Joiners between letters
// beyond ASCII stay: they are part of the spelling. It returns at most limit bytes,
// or an ellipsis alone, and never cuts a rune or an escape; an ellipsis at the end
// says that something was cut.
func visible(s string, limit int) string {
	var out []byte
	fits := 0 // what of out can stand when the ellipsis follows
	prev, space := ' ', false
	for i, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && len(out) > 0 {
			out, prev = append(out, ' '), ' '
		}
		space = false
		out = appendVisible(out, s[i:], r, prev)
		prev = r
		if len(out) > limit {
			return string(out[:fits]) + ellipsis
		}
		if len(out)+len(ellipsis) <= limit {
			fits = len(out)
		}
	}
	return string(out)
}

// appendVisible appends r, with which s begins, or its escape.
func appendVisible(out []byte, s string, r, prev rune) []byte {
	_, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Appendf(out, `\x%02x`, s[0])
	case r == '”':
		return append(out, `\u201d`...)
	case unicode.IsGraphic(r), joins(r, prev, s[size:]):
		return utf8.AppendRune(out, r)
	case r > 0xFFFF:
		return fmt.Appendf(out, `\U%08x`, r)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}

// joins reports whether r is a joiner that spelling or an emoji needs.
func joins(r, prev rune, rest string) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	next, _ := utf8.DecodeRuneInString(rest)
	return (r == nonJoiner || r == joiner) && prev > unicode.MaxASCII && next > unicode.MaxASCII &&
		unicode.IsGraphic(prev) && unicode.IsGraphic(next)
}

// shortened is at most limit bytes of s, whole runes, and ends with an ellipsis when
// something was cut. Unlike visible it changes nothing else.
func shortened(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := max(0, limit-len(ellipsis))
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + ellipsis
}
