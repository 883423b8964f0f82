package coverage

import (
	"crypto/sha256"
	"encoding/hex"
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

// label is a foreign name as a report can carry it. A name that clean would change
// ends with a hash of the whole, so that two names don't become one.
func label(s string) string {
	c := clean(s)
	if c == s {
		return s
	}
	h := sha256.Sum256([]byte(s))
	tag := "…" + hex.EncodeToString(h[:8])
	n := min(len(c), maxMessage-len(tag))
	for n > 0 && n < len(c) && !utf8.RuneStart(c[n]) {
		n--
	}
	return c[:n] + tag
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
