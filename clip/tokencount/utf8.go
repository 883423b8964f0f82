package tokencount

import (
	"strings"
	"unicode/utf8"
)

const replacement = string(utf8.RuneError)

// eachByte is s with each byte that is not UTF-8 replaced by U+FFFD, as Go's
// encoding/json does it.
func eachByte(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

// eachSubpart is s with each maximal subsequence that is not UTF-8 replaced by one
// U+FFFD, as the WHATWG Encoding Standard and Python do it.
func eachSubpart(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			b.WriteString(replacement)
			n = subpart(s)
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// subpart is the length of the maximal subpart of an ill-formed sequence at the start
// of s: as many bytes as could begin a character, at least one (Unicode 15.0, section
// 3.9, table 3-7).
func subpart(s string) int {
	n := 1
	for n < min(len(s), utf8.UTFMax) && begins(s[:n+1]) {
		n++
	}
	return n
}

// begins reports whether s could be the beginning of a character: some byte or bytes
// more would make it valid.
func begins(s string) bool {
	return !utf8.FullRuneInString(s)
}
