package jsonview

import (
	"sort"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// lookahead is how many bytes behind a cut must be known: the longest escape of a
// rune, and some.
const lookahead = 16

// snap returns the last place at or before c where the raw body of a string may
// be cut: between grapheme clusters (UAX #29), never inside a rune, an escape or a
// pair of escapes. Clusters longer than MaxCluster are cut between runes. raw goes
// on behind c by lookahead, or is the whole body. A larger c never gives less.
func snap(raw []byte, c int) int {
	if c >= len(raw) {
		return len(raw)
	}
	from := safeStart(raw, c)
	text, ends, offs := decodeTo(raw, from, c)
	best := from
	for it := graphemes.FromBytes(text); it.Next(); {
		at := offs[sort.SearchInts(ends, it.End())]
		if at > c {
			break
		}
		best = at
	}
	if c-best > MaxCluster {
		for i := len(offs) - 1; i >= 0; i-- {
			if offs[i] <= c {
				return max(best, offs[i])
			}
		}
	}
	return best
}

// decodeTo decodes raw from offset from until a rune ends behind c. ends and offs
// say, rune by rune, where it ends in text and in raw.
func decodeTo(raw []byte, from, c int) (text []byte, ends, offs []int) {
	for off := from; off <= c; {
		_, n := rawRune(raw[off:])
		if n == 0 {
			break
		}
		text = appendDecoded(text, raw[off:off+n])
		off += n
		ends, offs = append(ends, len(text)), append(offs, off)
	}
	return text, ends, offs
}

// safeStart is a cluster's start well before c: between two ASCII characters that
// belong to no escape, or the start.
func safeStart(raw []byte, c int) int {
	plain := 0 // plain ASCII bytes seen in a row
	for i := c - 1; i >= 0; i-- {
		if raw[i] >= 0x80 || raw[i] == '\\' {
			plain = 0
			continue
		}
		if plain++; plain == 8 {
			return i + 7
		}
	}
	return 0
}
