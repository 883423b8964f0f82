package artifact

import (
	"strconv"
	"unicode/utf8"
)

// quoted is s as errors show what others wrote: quoted, 64 bytes at most.
func quoted(s string) string { return strconv.Quote(cutText(s, 64)) }

// cutText is s, or as many whole runes as fit in n bytes with the ellipsis.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	end := n - len("…")
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
