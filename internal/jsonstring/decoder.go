// Package jsonstring decodes JSON strings (RFC 8259 section 7) as they stream by.
package jsonstring

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// flushLen is how many decoded bytes are handed on together.
const flushLen = 4 << 10

// Lone is the byte for a lone surrogate.
const Lone = 0xFF

// worthCopying is how many bytes that stand for themselves are handed on where they
// are, instead of together with what follows.
const worthCopying = 256

// longest is the longest escape: a pair of surrogates.
const longest = len(`\ud83d\ude00`)

// Decoder decodes the body of one string, which is written to it in any pieces, and
// hands on what it stands for. It ends with the closing quote and passes over what
// follows. Its memory does not depend on the string.
//
// A lone surrogate escape stands for no character: it becomes the byte [Lone], which
// occurs nowhere in UTF-8, so that whoever reads the text finds it and counts it.
//
// It does not judge: a scanner reads the same bytes. Of a body that is no JSON it makes
// something, and no promise what.
type Decoder struct {
	sink func(p []byte) // p is valid during the call

	open  []byte // an escape of which more may follow
	buf   []byte
	ended bool // the closing quote was written
}

// New returns a Decoder that hands what it decodes to sink.
func New(sink func(p []byte)) *Decoder {
	return &Decoder{sink: sink}
}

// Write decodes the next bytes. It never fails.
func (d *Decoder) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && !d.ended {
		if len(d.open) > 0 {
			p = d.goOn(p)
			continue
		}
		i := bytes.IndexByte(p, '\\')
		if i < 0 {
			i = len(p)
		}
		if q := bytes.IndexByte(p[:i], '"'); q >= 0 {
			d.plain(p[:q])
			d.ended = true
			break
		}
		d.plain(p[:i])
		p = p[i:]
		if len(p) == 0 {
			break
		}
		p = d.escape(p)
	}
	d.flush()
	return n, nil
}

// goOn completes the open escape with the first bytes of p.
func (d *Decoder) goOn(p []byte) []byte {
	had := len(d.open)
	d.open = append(d.open, p[:min(len(p), longest-had)]...)
	r, n := escaped(d.open)
	if n == 0 {
		return p[len(d.open)-had:]
	}
	d.rune(r)
	d.open = d.open[:copy(d.open, d.open[min(n, had):had])] // behind a lone surrogate, another escape
	return p[max(0, n-had):]
}

// escape decodes the escape at the beginning of p, or keeps its beginning.
func (d *Decoder) escape(p []byte) []byte {
	r, n := escaped(p)
	if n == 0 {
		d.open = append(d.open, p...)
		return nil
	}
	d.rune(r)
	return p[n:]
}

// lone stands for the escape of a lone surrogate.
const lone rune = -1

// escaped is the rune that the escape at the beginning of p stands for, and its length;
// 0 when more of it may follow.
func escaped(p []byte) (r rune, n int) {
	if len(p) < 2 {
		return 0, 0
	}
	if p[1] != 'u' {
		return Escape(p[1]), 2
	}
	if len(p) < 6 {
		return 0, 0
	}
	hi := Hex(p[2:])
	switch {
	case !utf16.IsSurrogate(hi):
		return hi, 6
	case hi >= 0xDC00, len(p) > 6 && p[6] != '\\', len(p) > 7 && p[7] != 'u':
		return lone, 6
	case len(p) < longest:
		return 0, 0
	}
	if pair := utf16.DecodeRune(hi, Hex(p[8:])); pair != utf8.RuneError {
		return pair, longest
	}
	return lone, 6
}

func (d *Decoder) rune(r rune) {
	if len(d.buf)+utf8.UTFMax > flushLen {
		d.flush()
	}
	if r == lone {
		d.buf = append(d.buf, Lone)
		return
	}
	d.buf = utf8.AppendRune(d.buf, r)
}

// plain hands on bytes that stand for themselves.
func (d *Decoder) plain(p []byte) {
	if len(d.buf)+len(p) <= flushLen && (len(d.buf) > 0 || len(p) < worthCopying) {
		d.buf = append(d.buf, p...)
		return
	}
	d.flush()
	d.sink(p)
}

func (d *Decoder) flush() {
	if len(d.buf) > 0 {
		d.sink(d.buf)
		d.buf = d.buf[:0]
	}
}
