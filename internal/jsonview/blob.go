package jsonview

import (
	"bytes"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

const (
	blobProbe = 256 // bytes of a string that must look like base64
	maxHeader = 128 // bytes of a data URI before its data
)

// blobBytes looks at the string that is open: whether it is a blob, and if so
// hashes what of it lies before offset end.
func (v *View) blobBytes(end int64) {
	if v.open < 0 || v.nodes[v.open].kind != jsonscan.String || v.open == 0 && v.o.paged() {
		return
	}
	n := &v.nodes[v.open]
	from := max(n.val()+1, v.base)
	if n.sum == 0 {
		if end-n.val()-1 < blobProbe {
			return
		}
		v.flush(end)
		probe := v.arena.get(n.val()+1, n.val()+1+blobProbe)
		s, ok := probed(probe)
		if !ok {
			n.sum = -1
			return
		}
		if s.in == nil {
			n.flags |= isBlob
		}
		n.sum = v.addSum(s)
		if n.val()+1 < v.base {
			v.sums[n.sum-1].write(v.arena.get(n.val()+1, v.base))
		}
	}
	if n.sum > 0 && from < end {
		v.sums[n.sum-1].write(v.p[from-v.base : end-v.base])
	}
}

// endBlob ends the hash; the string's raw body has ended.
func (v *View) endBlob(id int32) {
	n := &v.nodes[id]
	if n.is(isAtomic) && n.sum == 0 {
		return
	}
	v.open = id
	v.blobBytes(n.end - 1)
	v.open = -1
	if n.sum > 0 {
		v.sums[n.sum-1].finish()
	}
}

// blobKind says what a string is of which only the head is worth showing: the
// media type of a data URI in base64, or "base64"; "" if it is something else.
// head is how much of it is shown. p is its first blobProbe bytes.
func blobKind(p []byte) (of string, head int64) {
	if rest, ok := bytes.CutPrefix(p, []byte("data:")); ok {
		header, _, found := bytes.Cut(rest[:min(len(rest), maxHeader)], []byte(";base64,"))
		if !found || bytes.IndexByte(header, '"') >= 0 {
			return "", 0
		}
		media, _, _ := bytes.Cut(header, []byte(";"))
		of = unquote(bytes.ReplaceAll(media, []byte(`\/`), []byte("/")))
		if of == "" {
			of = "text/plain" // RFC 2397
		}
		return of, int64(len("data:") + len(header) + len(";base64,"))
	}
	if isBase64(p) {
		return "base64", MaxShort
	}
	return "", 0
}

// isBase64 says whether p looks like base64 (RFC 4648 section 4 or 5) of
// something: only its alphabet, and of each of its sorts of characters some.
func isBase64(p []byte) bool {
	var upper, lower, digit, sign int
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= '0' && c <= '9':
			digit++
		case c == '+' || c == '/' || c == '-' || c == '_':
			sign++
		case c == '\\' && i+1 < len(p) && p[i+1] == '/':
		default:
			return false
		}
	}
	return upper > len(p)/8 && lower > len(p)/8 && digit > len(p)/32 && sign > 0
}
