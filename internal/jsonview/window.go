package jsonview

import (
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// A unit of a page by bytes (a rune, an escape, a pair of escapes) belongs to the
// page in which it begins, so that pages that follow each other never share or
// lose one.

// stringWindow finds the first unit that begins in the window of a paged string.
type stringWindow struct {
	found bool
	pos   int64 // in the raw body, of the first byte not yet passed
	rest  []byte
}

// seekString moves on to offset end; final says that the body ends there.
func (v *View) seekString(end int64, final bool) {
	w := &v.window
	if w.found || v.open != 0 || v.rootKind != jsonscan.String {
		return
	}
	body := v.rootAt + 1
	buf := append(w.rest, v.p[max(0, min(int64(len(v.p)), body-v.base)):max(0, min(int64(len(v.p)), end-v.base))]...)
	for w.pos < v.o.From && (final || len(buf) >= lookahead) {
		n := 1
		if len(buf) == 0 {
			break
		}
		if buf[0] == '\\' || buf[0] >= utf8.RuneSelf {
			if _, n = rawRune(buf); n == 0 {
				break
			}
		}
		w.pos += int64(n)
		buf = buf[n:]
	}
	if w.found = w.pos >= v.o.From || final; !w.found {
		w.rest = append([]byte(nil), buf...)
		return
	}
	v.pageFrom = w.pos
	v.keep(body + w.pos)
	v.lastEvent = body + w.pos
}

// endWindow finds where the window of a paged string ends.
func (v *View) endWindow() {
	n := &v.nodes[0]
	v.open = 0
	v.seekString(n.end-1, true)
	v.open = -1
	if v.o.To <= 0 {
		return
	}
	from := n.val() + 1 + v.pageFrom
	v.flush(n.end - 1)
	raw := v.arena.get(from, min(n.end-1, n.val()+1+v.o.To+lookahead))
	pos := 0
	for int64(pos) < v.o.To-v.pageFrom && pos < len(raw) {
		_, size := rawRune(raw[pos:])
		if size == 0 {
			return // not held so far: more than any limit shows
		}
		pos += size
	}
	v.pageCap = int64(pos)
}

// rawWindow is a window of the bytes of a value that is no string.
type rawWindow struct{ buf []byte }

func (r *rawWindow) take(v *View, end int64) {
	if v.rootAt < 0 || !v.isRawPage() {
		return
	}
	if v.rootEnd > 0 {
		end = min(end, v.rootEnd)
	}
	from := max(v.rootAt+v.o.From, v.base)
	if v.o.To > 0 {
		end = min(end, v.rootAt+v.o.To+utf8.UTFMax-1)
	}
	if room := v.o.Retain + 2*utf8.UTFMax - int64(len(r.buf)); end > from+room {
		end = from + room
	}
	if from < end {
		r.buf = append(r.buf, v.p[from-v.base:end-v.base]...)
	}
}

// plan shows the window as text.
func (r *rawWindow) plan(v *View, l view.Limit) view.Plan {
	size := v.rootEnd - v.rootAt
	from, to := min(v.o.From, size), size
	if v.o.To > 0 {
		to = min(to, v.o.To)
	}
	from, buf := runesIn(r.buf, from, to)
	n := newMeter(l).prefix(buf)
	for n > 0 && n < int64(len(buf)) && !utf8.RuneStart(buf[n]) {
		n--
	}
	p := view.Plan{MediaType: "text/plain; charset=utf-8", Content: string(buf[:n]), Pointer: v.o.Pointer, UnitTotal: -1}
	at := v.rootAt + from
	if n > 0 {
		p.Bytes = []view.Range{{Start: at, End: at + n}}
		if at > 0 {
			p.Cuts = []int64{0}
		}
	}
	o := view.Omission{Pointer: v.o.Pointer, Unit: view.Byte, Shown: n, Total: size, Units: view.Range{Start: 0, End: size}}
	if from == 0 {
		o.Units.Start = n
	} else if from+n == size {
		o.Units.End = from
	}
	o.Bytes = view.Range{Start: v.rootAt + o.Units.Start, End: v.rootAt + o.Units.End}
	if n < size {
		p.Omissions = []view.Omission{o}
	}
	if from+n < to {
		p.Rest = []view.Rest{{Pointer: v.o.Pointer, Unit: view.Byte, From: from + n, To: to, Bytes: view.Range{Start: at + n, End: v.rootAt + to}}}
	}
	return p
}

// runesIn is the part of buf with the runes that begin at offset from or later and
// before offset to; buf begins at from.
func runesIn(buf []byte, from, to int64) (int64, []byte) {
	for from > 0 && len(buf) > 0 && !utf8.RuneStart(buf[0]) {
		buf, from = buf[1:], from+1
	}
	end := min(int64(len(buf)), max(0, to-from))
	for end < int64(len(buf)) && !utf8.RuneStart(buf[end]) {
		end++
	}
	return from, buf[:end]
}

// nameFilter remembers names of members that were passed over. It never forgets
// one; it may take a name for one of them, and then bytes are named instead of a
// pointer.
type nameFilter struct{ bits []uint64 }

const filterBits = 1 << 16

func (f *nameFilter) any() bool { return f.bits != nil }

func (f *nameFilter) add(object int64, name string) {
	if f.bits == nil {
		f.bits = make([]uint64, filterBits/64)
	}
	for _, h := range nameHash(object, name) {
		f.bits[h>>6] |= 1 << (h & 63)
	}
}

func (f *nameFilter) has(object int64, name string) bool {
	for _, h := range nameHash(object, name) {
		if f.bits[h>>6]>>(h&63)&1 == 0 {
			return false
		}
	}
	return true
}

// nameHash is FNV-1a, twice as many bits as are needed.
func nameHash(object int64, name string) [2]uint32 {
	h := uint64(14695981039346656037) ^ uint64(object)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return [2]uint32{uint32(h) % filterBits, uint32(h>>32) % filterBits}
}
