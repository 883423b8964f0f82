// Package graphemes finds the places where text may be cut: the boundaries of
// extended grapheme clusters (UAX #29, Unicode 17).
//
// Segmentation costs fifty times what counting costs, so nothing here reads a
// whole text: Next looks at one cluster, and Sync finds a boundary that is one
// whatever stands before it, so that segmentation can start in the middle.
//
// A cluster has no greatest length, a cut does: a cluster of more than Max bytes
// is taken in pieces of at most Max bytes, between runes.
package graphemes

import (
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Max is the length in bytes of the longest cluster that is kept in one piece.
const Max = 128

// Next returns the length in bytes of the first cluster of b, at most Max. It
// returns 0 when the bytes to come decide where the cluster ends; final says
// that none will come. A byte that is no UTF-8 is a cluster of its own, and ends
// the one before it. The empty b gives 0.
func Next(b []byte, final bool) int {
	if len(b) == 0 {
		return 0
	}
	if len(b) > 1 && b[0] < utf8.RuneSelf && b[1] < utf8.RuneSelf && b[0] != '\r' {
		return 1
	}
	for _, window := range windows {
		v, closed := validPrefix(b, window)
		if v == 0 {
			return invalid(closed || final)
		}
		n, _, _ := graphemes.SplitFunc(b[:v], true)
		switch {
		case n > Max:
			return floor(b, Max)
		case n < v, closed, final && v < window:
			return n
		case v < window:
			return 0 // b ends before the cluster does
		}
	}
	return floor(b, Max)
}

// windows are how many bytes are looked at to find the end of a cluster: as a
// rule it is near. The last is enough to see that one is longer than Max.
var windows = [...]int{8, 40, Max + 1}

// invalid is the length of a cluster that begins with a byte that is no UTF-8,
// if that is known.
func invalid(known bool) int {
	if known {
		return 1
	}
	return 0
}

// validPrefix is the length of the valid UTF-8 at the start of b, at least least
// if there is as much. It is closed when a byte follows that is no UTF-8.
func validPrefix(b []byte, least int) (n int, closed bool) {
	for n < len(b) && n < least {
		if b[n] < utf8.RuneSelf {
			n++
			continue
		}
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 {
			return n, utf8.FullRune(b[n:])
		}
		n += size
	}
	return n, false
}

// floor is the last rune boundary of b at or before n; b[:n] is valid up to it.
func floor(b []byte, n int) int {
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}

// certain reports whether there is a boundary between p and q whatever stands
// before p. It says no where that can't be known: after a mark, a joiner or a
// regional indicator.
func certain(p, q rune) bool {
	if p < utf8.RuneSelf && q < utf8.RuneSelf {
		return p != '\r' || q != '\n'
	}
	if p == utf8.RuneError || q == utf8.RuneError {
		return p != q // an invalid byte and U+FFFD look alike here
	}
	return splits(p, q) && (p < utf8.RuneSelf || !contextual(p))
}

// contextual reports whether what stands before p matters for what follows it.
func contextual(p rune) bool {
	regional := 0x1F1E6 <= p && p <= 0x1F1FF
	return regional || !splits('a', p) || !splits(p, 'a')
}

func splits(p, q rune) bool {
	var buf [2 * utf8.UTFMax]byte
	b := utf8.AppendRune(buf[:0], p)
	n := len(b)
	b = utf8.AppendRune(b, q)
	first, _, _ := graphemes.SplitFunc(b, true)
	return first == n
}

// Count is the number of clusters in b, as Next finds them.
func Count(b []byte) int64 {
	var n int64
	for len(b) > 0 {
		b = b[Next(b, true):]
		n++
	}
	return n
}

// Sync returns the first certain boundary in b after its first rune, or -1. What
// precedes b need not be known; b may begin inside a rune.
func Sync(b []byte) int {
	i := 0
	for i < len(b) && !utf8.RuneStart(b[i]) {
		i++
	}
	p, size := utf8.DecodeRune(b[i:])
	for i += size; i < len(b); i += size {
		var q rune
		q, size = utf8.DecodeRune(b[i:])
		if !utf8.FullRune(b[i:]) {
			return -1
		}
		if certain(p, q) {
			return i
		}
		p = q
	}
	return -1
}

// Boundary reports whether n, a rune boundary behind the first cluster of b or in
// it, is the end of that cluster without regard to Max. b is valid UTF-8.
func Boundary(b []byte, n int) bool {
	_, size := utf8.DecodeRune(b[n:])
	first, _, _ := graphemes.SplitFunc(b[:n+size], true)
	return first == n
}
