// Package charset turns bytes in any encoding into text in UTF-8, as a stream,
// and keeps the way back: which byte of the source each byte of the text came
// from.
//
// Bytes that are UTF-8 pass through untouched, also where they are invalid. A
// byte order mark is taken away. What another encoding can't decode becomes a
// single byte 0xFF, which is no UTF-8, so that one later step turns all that is
// not text into U+FFFD and counts it.
package charset

import (
	"slices"
	"sort"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// UTF8 is the name of the encoding that needs no decoding.
const UTF8 = "utf-8"

// Undecodable is the byte in the text for what could not be decoded.
const Undecodable = 0xFF

// How far detection looks. It decides by offsets, so that how the bytes arrive
// changes nothing.
const (
	markLen   = 4096    // for byte order marks and UTF-16
	asciiLen  = 1 << 16 // a source that is ASCII so far is taken for UTF-8
	sampleLen = 4096    // from the first byte that is not ASCII
)

// Decoder decodes one source. It holds back at most 8 KiB of it until the
// encoding is known. It is not safe for concurrent use.
type Decoder struct {
	name    string // decided encoding, "" until then
	sure    bool   // declared by the caller
	bom     int    // bytes of the byte order mark
	held    []byte // not yet decided on
	marked  bool   // no mark and no UTF-16 in the first markLen bytes
	raw     int64  // bytes given out or decoded
	text    int64
	steps   stepper // nil: identity
	pending []byte  // of one character
	out     []byte
	runs    []run
	shed    int // len(runs) at which Forget works again
}

// run says that from text on, tu bytes of text stand for ru bytes of the source.
type run struct {
	text, raw int64
	tu, ru    int64
}

// stepper decodes one character at the start of b: its text and its length in b.
// Length 0 means that more bytes are needed; final says that none come.
type stepper interface {
	step(dst, b []byte, final bool) (text []byte, n int)
}

// New returns a Decoder for the encoding with this label (as in the WHATWG
// Encoding Standard), or one that detects it: for "", and for a label that
// nobody knows. A byte order mark overrules a label.
func New(label string) *Decoder {
	d := &Decoder{}
	if name, ok := Lookup(label); ok {
		d.name, d.sure = name, true
	}
	return d
}

// Lookup returns the canonical name for a label.
func Lookup(label string) (name string, ok bool) {
	if label = strings.TrimSpace(label); label == "" {
		return "", false
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return "", false
	}
	name, err = htmlindex.Name(e)
	return name, err == nil && name != "replacement"
}

// Name is the encoding, UTF8 until another is known.
func (d *Decoder) Name() string {
	if d.steps == nil {
		return UTF8
	}
	return d.name
}

// BOM is the number of bytes of the byte order mark, which the text lacks.
func (d *Decoder) BOM() int { return d.bom }

// Identity reports whether the text's bytes are the source's, with no mark
// taken away.
func (d *Decoder) Identity() bool { return d.steps == nil && d.bom == 0 }

// Write decodes p and gives the text to emit, which must not keep it.
func (d *Decoder) Write(p []byte, emit func([]byte)) {
	if d.marked && d.name != "" {
		d.decode(p, false, emit)
		return
	}
	d.detect(p, false, emit)
}

// End decodes what was held back.
func (d *Decoder) End(emit func([]byte)) {
	if !d.marked || d.name == "" {
		d.detect(nil, true, emit)
	}
	d.decode(nil, true, emit)
}

// detect holds bytes back until the encoding is known, and gives out what is
// ASCII before.
func (d *Decoder) detect(p []byte, final bool, emit func([]byte)) {
	d.held = append(d.held, p...)
	if !d.marked {
		if len(d.held) < markLen && !final {
			return
		}
		d.mark()
	}
	if d.name == "" {
		d.passASCII(emit)
		if len(d.held) == 0 && !final && d.raw < asciiLen {
			return
		}
		if len(d.held) > 0 && len(d.held) < sampleLen && d.raw < asciiLen && !final {
			return
		}
		d.name = UTF8
		if len(d.held) > 0 && d.raw < asciiLen {
			d.name = Detect(d.held[:min(len(d.held), sampleLen)])
		}
	}
	d.steps = newStepper(d.name)
	if d.steps != nil && len(d.runs) == 0 {
		d.runs = append(d.runs, run{0, 0, 1, 1}) // ASCII so far
	}
	held := d.held
	d.held = nil
	d.decode(held, final, emit)
}

// mark looks for a byte order mark and for UTF-16 without one, in the first
// markLen bytes.
func (d *Decoder) mark() {
	d.marked = true
	head := d.held[:min(len(d.held), markLen)]
	if name, n := Mark(head); n > 0 {
		d.name, d.bom = name, n
		d.held = d.held[n:]
		d.raw = int64(n)
		d.runs = append(d.runs, run{0, d.raw, 1, 1})
		return
	}
	if !d.sure {
		d.name = UTF16(head)
	}
}

// passASCII gives out what stands before the first byte that is not ASCII, up to
// asciiLen.
func (d *Decoder) passASCII(emit func([]byte)) {
	n := 0
	for most := min(int64(len(d.held)), asciiLen-d.raw); int64(n) < most && d.held[n] < 0x80; {
		n++
	}
	if n == 0 {
		return
	}
	d.raw += int64(n)
	d.text += int64(n)
	emit(d.held[:n])
	d.held = append(d.held[:0], d.held[n:]...)
}

// decode gives out p, decoded.
func (d *Decoder) decode(p []byte, final bool, emit func([]byte)) {
	if d.steps == nil {
		if len(p) > 0 {
			d.raw += int64(len(p))
			d.text += int64(len(p))
			emit(p)
		}
		return
	}
	if len(d.pending) > 0 {
		p = append(d.pending, p...)
		d.pending = nil
	}
	if d.out == nil {
		d.out = make([]byte, 0, 4096)
	}
	for len(p) > 0 {
		before := len(d.out)
		var n int
		d.out, n = d.steps.step(d.out, p, final)
		if n == 0 {
			break
		}
		d.note(int64(len(d.out)-before), int64(n))
		p = p[n:]
		if len(d.out) > cap(d.out)-16 {
			emit(d.out)
			d.out = d.out[:0]
		}
	}
	if len(d.out) > 0 {
		emit(d.out)
		d.out = d.out[:0]
	}
	d.pending = append([]byte(nil), p...)
}

// note records that tu bytes of text came from ru bytes. Bytes that give no text
// (a shift sequence) belong to the character after them.
func (d *Decoder) note(tu, ru int64) {
	last := d.runs[len(d.runs)-1]
	start := last.end(d.text)
	if tu > 0 && (last.tu != tu || last.ru != ru || d.raw != start) {
		d.runs = append(d.runs, run{d.text, start, tu, d.raw + ru - start})
	}
	d.text += tu
	d.raw += ru
}

// end is the offset in the source at which r ends, when the text ends at text.
func (r run) end(text int64) int64 { return r.raw + (text-r.text)/r.tu*r.ru }

// Raw is the offset in the source of the character at text. The offset of the
// text's start is 0, before any mark; that of its end is that of the source.
func (d *Decoder) Raw(text int64) int64 {
	switch {
	case text <= 0:
		return 0
	case len(d.runs) == 0:
		return text
	case text >= d.text:
		return d.raw + int64(len(d.pending))
	}
	i := sort.Search(len(d.runs), func(i int) bool { return d.runs[i].text > text }) - 1
	return d.runs[max(i, 0)].end(text)
}

// Text is the offset in the text of the first character that starts at or after
// raw in the source.
func (d *Decoder) Text(raw int64) int64 {
	switch {
	case raw <= 0:
		return 0
	case len(d.runs) == 0:
		return min(raw, d.text)
	case raw >= d.raw:
		return d.text
	}
	i := sort.Search(len(d.runs), func(i int) bool { return d.runs[i].raw > raw }) - 1
	if i < 0 {
		return 0
	}
	r := d.runs[i]
	units := (raw - r.raw + r.ru - 1) / r.ru
	end := d.text
	if i+1 < len(d.runs) {
		end = d.runs[i+1].text
	}
	return min(r.text+units*r.tu, end)
}

// Stretch is a part of the text.
type Stretch struct{ From, To int64 }

// Forget says that Raw and Text will not be asked about what lies inside these
// stretches of the text, which are in order, nor about the source there.
func (d *Decoder) Forget(inside ...Stretch) {
	if len(d.runs) < d.shed || len(d.runs) < 4096 {
		return
	}
	for _, s := range slices.Backward(inside) {
		i := sort.Search(len(d.runs), func(i int) bool { return d.runs[i].text > s.From })
		j := sort.Search(len(d.runs), func(i int) bool { return d.runs[i].text > s.To }) - 1
		if i < j {
			d.runs = slices.Delete(d.runs, i, j)
		}
	}
	d.shed = len(d.runs) * 2
}

// codec returns the decoder of x/text for a name. The GBK that programs write is
// what GB 18030 calls its two-byte part.
func codec(name string) encoding.Encoding {
	if name == "gbk" {
		return simplifiedchinese.GB18030
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil
	}
	return e
}
