package charset

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// newStepper returns nil for UTF-8.
func newStepper(name string) stepper {
	switch name {
	case UTF8:
		return nil
	case "utf-16le":
		return wide{}
	case "utf-16be":
		return wide{big: true}
	}
	e := codec(name)
	if e == nil {
		return nil
	}
	return &legacy{t: e.NewDecoder().Transformer, ascii: name != "iso-2022-jp" && name != "hz-gb-2312"}
}

// wide decodes UTF-16 (RFC 2781).
type wide struct{ big bool }

func (w wide) unit(b []byte) rune {
	if w.big {
		return rune(b[0])<<8 | rune(b[1])
	}
	return rune(b[1])<<8 | rune(b[0])
}

func (w wide) step(dst, b []byte, final bool) ([]byte, int) {
	if len(b) < 2 {
		if !final {
			return dst, 0
		}
		return append(dst, Undecodable), len(b)
	}
	r := w.unit(b)
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), 2
	}
	if r < 0xDC00 && len(b) < 4 && !final {
		return dst, 0
	}
	if len(b) >= 4 {
		if pair := utf16.DecodeRune(r, w.unit(b[2:])); pair != utf8.RuneError {
			return utf8.AppendRune(dst, pair), 4
		}
	}
	return append(dst, Undecodable), 2 // a surrogate alone
}

// legacy decodes by x/text, character by character: the source is offered byte
// by byte until the decoder takes it.
type legacy struct {
	t     transform.Transformer
	ascii bool // bytes below 0x80 stand for themselves
}

// longest is more than the longest character or shift sequence of any encoding.
const longest = 16

func (l *legacy) step(dst, b []byte, final bool) ([]byte, int) {
	if l.ascii && b[0] < utf8.RuneSelf {
		return append(dst, b[0]), 1
	}
	var buf [64]byte
	for k := 1; k <= min(len(b), longest); k++ {
		n, took, _ := l.t.Transform(buf[:], b[:k], final && k == len(b))
		switch {
		case took == 0:
		case k > 1 && bytes.HasPrefix(buf[:n], bad) && n > len(bad):
			return append(dst, Undecodable), 1 // what follows is taken again
		default:
			return append(dst, undecoded(buf[:n], took)...), took
		}
	}
	if len(b) < longest && !final {
		return dst, 0
	}
	return append(dst, Undecodable), 1
}

var bad = []byte("\uFFFD")

// undecoded replaces what the decoder could not read. GB 18030 alone can say
// U+FFFD itself, in four bytes.
func undecoded(text []byte, took int) []byte {
	if bytes.Equal(text, bad) && took < 4 {
		return []byte{Undecodable}
	}
	return text
}
