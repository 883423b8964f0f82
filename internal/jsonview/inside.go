package jsonview

import "github.com/toolclip/toolclip/internal/jsonscan"

// StringAt tells of the string at which Options.Pointer ends, or stops before its end:
// the offset of its opening quote, the pointer to it, and the rest of the pointer, which
// may lead on in what the string holds. It is known as soon as the quote was written.
func (v *View) StringAt() (at int64, pointer, rest string, ok bool) {
	tokens := len(v.path)
	switch {
	case v.rootAt >= 0 && v.rootKind == jsonscan.String:
		at = v.rootAt
	case v.seek.stuck > 0:
		at, tokens = v.seek.stuck-1, v.seek.in
	default:
		return 0, "", "", false
	}
	return at, joinPointer(v.path[:tokens]), joinPointer(v.path[tokens:]), true
}

// joinPointer is the JSON Pointer of tokens.
func joinPointer(tokens []string) string {
	var b []byte
	for _, t := range tokens {
		b = appendToken(b, t)
	}
	return string(b)
}
