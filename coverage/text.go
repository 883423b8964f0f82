package coverage

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// clean makes foreign text valid UTF-8 of at most maxMessage bytes; what is cut
// is marked by an ellipsis.
func clean(s string) string {
	const more = "…"
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if len(s) <= maxMessage {
		return s
	}
	n := maxMessage - len(more)
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + more
}

// quote is foreign text for a message of ours, in quotes and at most some 60
// bytes long.
func quote(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.QuoteToGraphic(s)
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return strconv.QuoteToGraphic(s[:n]) + "…"
}
