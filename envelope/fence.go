package envelope

import (
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Two letters a-f and six digits are eight hexadecimal digits that can't be taken
// for a number and cost a model few tokens. A fence need not be secret: it is
// unpredictable for what was written before, and checked against it.
const (
	fenceLetters = 2
	fenceDigits  = 6
	fenceTries   = 4 // of one length, before a longer one
)

// drawFence keeps preset if it can, else draws a fence that occurs nowhere in e.
func drawFence(preset string, e Envelope) string {
	if validFence(preset) && !contains(e, preset) {
		return preset
	}
	for digits := fenceDigits; ; digits += 2 {
		for range fenceTries {
			if f := randomFence(digits); !contains(e, f) {
				return f
			}
		}
	}
}

func randomFence(digits int) string {
	b := make([]byte, fenceLetters+digits)
	rand.Read(b) // never fails: crypto/rand
	for i, c := range b {
		if i < fenceLetters {
			b[i] = "abcdef"[int(c)*6>>8]
		} else {
			b[i] = "0123456789"[int(c)*10>>8]
		}
	}
	return string(b)
}

// validFence reports whether f can stand in a fence line: at least eight
// hexadecimal digits, lower case.
func validFence(f string) bool {
	return len(f) >= fenceLetters+fenceDigits && len(f) <= 64 && strings.Trim(f, "0123456789abcdef") == ""
}

// imitated reports whether a content of e looks like something that this package
// says: an opening of a notice in any language that v or the package has, a fence
// line, or the sentence for no output. It looks through what hides letters:
// invisible and full-width characters, case, escape sequences before them.
func (v voice) imitated(e Envelope) bool {
	for _, p := range e.parts() {
		if looksOurs(p.Content, v.openings()) {
			return true
		}
	}
	return false
}

// looksOurs scans content once.
func looksOurs(content string, openings []string) bool {
	plain := plainText(content)
	for _, o := range openings {
		if strings.Contains(plain, o) {
			return true
		}
	}
	for rest := plain; ; {
		i := strings.Index(rest, "-- ")
		if i < 0 {
			return false
		}
		rest = rest[i+len("-- "):]
		if len(rest) >= fenceLetters+fenceDigits && strings.Trim(rest[:fenceLetters+fenceDigits], "0123456789abcdef") == "" {
			return true
		}
	}
}

// plainText is s for comparing: lower case, full-width ASCII as ASCII, without what
// has no width of its own, and every white space a space.
func plainText(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			i++
			if plain := plainASCII(c); plain != 0 {
				b.WriteByte(plain)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r >= 0xFF01 && r <= 0xFF5E: // full-width ASCII
			b.WriteByte(plainASCII(byte(r - 0xFF01 + '!')))
		case r == '【', r == '［':
			b.WriteByte('[')
		case r == '‐', r == '‑', r == '‒', r == '–', r == '—', r == '−':
			b.WriteByte('-')
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.IsGraphic(r) && !unicode.Is(unicode.Mn, r):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// plainASCII is c for comparing; 0 leaves it out.
func plainASCII(c byte) byte {
	switch {
	case c >= 'A' && c <= 'Z':
		return c + 'a' - 'A'
	case c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r':
		return ' '
	case c < ' ' || c == 0x7f:
		return 0
	}
	return c
}

// openings are the beginnings of a notice and the sentence for no output, as
// plainText has them.
func (v voice) openings() []string {
	out := builtinOpenings()
	for _, key := range openingKeys {
		out = append(out, plainText("["+v.say(key)))
	}
	return append(out, plainText(v.say("empty")))
}

var openingKeys = []string{"partial", "failed", "failed.partial", "incomplete", "complete", "altered", "failed.altered", "attached"}

// builtinOpenings are the openings in the package's own languages.
var builtinOpenings = sync.OnceValue(func() []string {
	var out []string
	for _, p := range phrases {
		switch {
		case slices.Contains(openingKeys, p.key):
			for _, s := range []string{p.english, p.hans, p.hant} {
				out = append(out, plainText("["+s))
			}
		case p.key == "empty":
			for _, s := range []string{p.english, p.hans, p.hant} {
				out = append(out, plainText(s))
			}
		}
	}
	return slices.Clip(out)
})
