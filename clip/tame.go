package clip

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolclip/toolclip/coverage"
)

// What tools say beside their content is bounded here, once, so that no string of
// theirs can push content or facts out of an envelope.
const (
	maxName    = 128     // bytes of a name, a media type, a code
	maxMessage = 2 << 10 // bytes of a sentence
	maxReasons = 16
)

// tame bounds what r says.
func tame(r Result) Result {
	r.Tool = name(r.Tool)
	r.Did = clean(r.Did, maxMessage)
	r.Reasons = tameReasons(r.Reasons)
	return r
}

// tameReasons are the first reasons; the others are counted in one.
func tameReasons(rs []coverage.Reason) []coverage.Reason {
	more := len(rs) - maxReasons
	rs = slices.Clone(rs[:min(len(rs), maxReasons)])
	for i := range rs {
		r := &rs[i]
		r.Code, r.Layer, r.Unit = coverage.Code(name(string(r.Code))), coverage.Layer(name(string(r.Layer))), coverage.Unit(name(string(r.Unit)))
		r.Where, r.Message = name(r.Where), short(r.Message)
	}
	if more > 0 {
		last := &rs[maxReasons-1]
		last.Message = short(fmt.Sprintf("and %d more reasons; this one: %s", more, last.Message))
	}
	return rs
}

// name is s as a name: at most maxName bytes on one line.
func name(s string) string { return oneLine(s, maxName) }

// clean is s in at most most bytes of valid UTF-8.
func clean(s string, most int) string {
	head := strings.ToValidUTF8(headOf(s, most), "\uFFFD")
	if len(head) <= most && len(s) <= most {
		return head
	}
	return headOf(head, most-len("…")) + "…"
}

// short is s for people: at most 200 bytes, whole runes, one line.
func short(s string) string { return oneLine(s, 200) }

func oneLine(s string, most int) string {
	cut := headOf(s, 8*most) // no more is looked at
	s, whole := strings.Join(strings.Fields(strings.ToValidUTF8(cut, "\uFFFD")), " "), len(cut) == len(s)
	if whole && len(s) <= most {
		return s
	}
	return headOf(s, most-len("…")) + "…"
}

// headOf is at most the first n bytes of s, whole runes.
func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
