package searchview

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// tracker finds the matches in one line as it arrives. It keeps the last bytes of
// the line, for what is shown round a match and for the search that begins anew
// behind one.
type tracker struct {
	v    *View
	ln   lineRef // its end is unknown until the line ends
	m    *machine
	buf  []byte // the line from base on
	base int64
	low  int64  // the first offset at which a search can begin
	pos  int64  // how far a literal was looked for
	on   bool   // the search has begun
	over bool   // nothing more can be found in this line
	pins pin    // of the best match, once it reaches below low
	all  []byte // the line with its line feed, when it came in one piece
	snap snap
}

// pin is a match with its place in the source.
type pin struct{ at, raw span }

// runeBefore is how many bytes tell the rune before an offset.
const runeBefore = utf8.UTFMax

func (v *View) newTracker(ln lineRef) *tracker {
	t := v.spare
	if t == nil {
		t = &tracker{v: v}
		if v.p.literal == nil {
			t.m = newMachine(v.p.prog)
		}
		v.spare = t
	}
	*t = tracker{v: v, m: t.m, buf: t.buf[:0], ln: ln, base: ln.start, low: ln.start}
	return t
}

// track finds the matches in one whole line; text is b without its line feed.
func (v *View) track(text, b []byte, ln lineRef) {
	t := v.newTracker(ln)
	t.all = b
	t.feed(text)
	t.advance(true)
}

// beginLong goes over to matching the current line as it arrives. What has been
// gathered is its beginning.
func (v *View) beginLong() {
	ln := v.ref(0)
	ln.end, ln.rawEnd = unknown, unknown
	v.long = v.newTracker(ln)
	v.keep.passLong(v.buf, ln)
	v.long.feed(v.buf)
	v.buf = v.buf[:0]
}

// feedLong gives the tracker the rest of its line, as far as it is in p.
func (v *View) feedLong(p []byte) int {
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		v.long.feed(p[:i])
		v.endLong(p[i : i+1])
		return i + 1
	}
	v.long.feed(p)
	return len(p)
}

// endLong ends the current line; feed is its line feed, if it has one.
func (v *View) endLong(feed []byte) {
	t := v.long
	t.advance(true)
	end := t.end() + int64(len(feed))
	v.keep.more(feed, t.end())
	v.keep.endLong(t.ln, end)
	v.long = nil
	v.no++
	v.start = end
}

func (t *tracker) end() int64 { return t.base + int64(len(t.buf)) }

// feed takes the next bytes of the line.
func (t *tracker) feed(p []byte) {
	for len(p) > 0 {
		n := min(int64(len(p)), t.v.sz.block-(t.end()-t.ln.start)%t.v.sz.block)
		t.v.keep.more(p[:n], t.end())
		t.buf = append(t.buf, p[:n]...)
		t.snap.extend(t)
		t.advance(false)
		if (t.end()-t.ln.start)%t.v.sz.block == 0 {
			t.forget()
		}
		p = p[n:]
	}
}

// forget drops what is older than a block.
func (t *tracker) forget() {
	base := t.end() - t.v.sz.block - runeBefore
	if base <= t.base {
		return
	}
	if t.m != nil && t.on && !t.over {
		low := base + runeBefore
		t.snap.take(t, low)
		if t.m.has && t.m.hit.start < low && t.pins.at != t.m.hit {
			t.pins = pin{t.m.hit, t.raw(t.m.hit)}
		}
	}
	t.buf = append(t.buf[:0], t.buf[base-t.base:]...)
	t.base, t.low = base, base+runeBefore
}

// advance searches as far as the bytes go; final says that the line ends there.
func (t *tracker) advance(final bool) {
	if !t.begin() {
		return
	}
	if t.m == nil {
		t.literal()
		return
	}
	for !t.over && !t.v.stopped {
		t.skim()
		r, size, ok := t.next(final)
		if !ok {
			return
		}
		work := t.m.work
		if t.m.step(r, size) {
			t.decided()
		}
		t.poll(t.m.work - work)
	}
}

// begin begins the search when the line has come so far.
func (t *tracker) begin() bool {
	from := max(t.v.from, t.ln.start)
	switch {
	case t.v.stopped || t.over || from > t.end():
		return false
	case t.on:
	case t.m == nil:
		t.pos = from
	default:
		t.m.begin(from, t.before(from), -1)
	}
	t.on = true
	return true
}

// before is the rune that ends at offset at.
func (t *tracker) before(at int64) rune {
	if at == t.ln.start {
		return lineEdge
	}
	r, _ := utf8.DecodeLastRune(t.buf[:at-t.base])
	return r
}

// next is the rune at the current position. ok is false when it has not come yet.
func (t *tracker) next(final bool) (r rune, size int, ok bool) {
	b := t.buf[t.m.at-t.base:]
	switch {
	case len(b) == 0:
		return lineEdge, 0, final
	case b[0] < utf8.RuneSelf:
		return rune(b[0]), 1, true
	case !final && !utf8.FullRune(b):
		return 0, 0, false
	}
	r, size = utf8.DecodeRune(b)
	return r, size, true
}

// skim skips what can't begin a match, while no match is under way.
func (t *tracker) skim() {
	if t.v.p.prefix == nil || t.m.has || !t.m.idle() {
		return
	}
	b := t.buf[t.m.at-t.base:]
	n := t.v.p.prefix.index(b)
	if n < 0 {
		n = max(0, len(b)-len(t.v.p.prefix.text)+1)
		for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
			n--
		}
	}
	if n > 0 {
		t.m.work += int64(n / skimmed)
		t.m.at += int64(n)
		t.m.prev = t.before(t.m.at)
	}
}

// decided takes the match that was found and begins the search for the next one.
func (t *tracker) decided() {
	m := t.m
	if !m.has {
		t.over = true // the line ends
		return
	}
	var after []byte
	if m.from >= t.base {
		after = t.buf[m.from-t.base:]
	}
	at, ok := m.resume(after)
	if ok {
		t.found(m.hit)
	}
	if at > t.end() {
		t.over = true
		return
	}
	if at < t.low {
		t.leap(at)
		at = t.low
	}
	m.begin(at, t.before(at), m.hit.end)
}

// leap notes that what lies between the end of the match and low can't be searched.
func (t *tracker) leap(at int64) {
	s := span{t.v.dec.Raw(at), t.v.dec.Raw(t.low)}
	if at >= t.m.hit.end {
		s.start = t.raw(t.m.hit).end
	}
	t.v.skipped = append(t.v.skipped, s)
}

// raw is the place of a match in the source.
func (t *tracker) raw(s span) span {
	if t.pins.at == s {
		return t.pins.raw
	}
	return t.v.rawSpan(s)
}

// poll asks Stop. A search that has got nowhere since it began gives up the
// stretch it could not decide, so that the next one gets further.
func (t *tracker) poll(n int64) {
	v := t.v
	if v.stopped || v.o.Stop == nil {
		return
	}
	if v.work += n; v.work < pollEvery {
		return
	}
	v.work = 0
	if !v.o.Stop() {
		return
	}
	at := t.m.leftmost()
	if t.over {
		at = t.end()
	}
	if at <= v.from && t.m.at > v.from {
		v.skipped = append(v.skipped, v.rawSpan(span{v.from, t.m.at}))
		at = t.m.at
	}
	v.stopAt(at)
}

// literal looks for a literal.
func (t *tracker) literal() {
	lit := t.v.p.literal
	for !t.v.stopped {
		i := bytes.Index(t.buf[t.pos-t.base:], lit)
		if i < 0 {
			t.pos = max(t.pos, t.end()-int64(len(lit))+1)
			t.v.poll(1+int64(len(t.buf)/skimmed), t.pos)
			return
		}
		at := t.pos + int64(i)
		t.pos = at + int64(len(lit))
		t.found(span{at, t.pos})
		t.v.poll(1+int64(i/skimmed), t.pos)
	}
}

// found hands a match on, with what there is of its line.
func (t *tracker) found(s span) {
	b, base := t.buf, t.base
	if t.all != nil {
		b, base = t.all, t.ln.start
	} else if t.snap.of == s.start && len(t.snap.buf) > 0 && t.snap.base < base {
		b, base = t.snap.joined(t)
	}
	t.v.keep.hit(hit{span: s, raw: t.raw(s)}, piece{base, b}, t.ln)
}

// snap keeps the beginning of a match that is not decided for long.
type snap struct {
	of   int64
	base int64
	buf  []byte
	full bool
}

// take takes a snapshot when the beginning of the match under way is about to be
// forgotten.
func (s *snap) take(t *tracker, low int64) {
	of := t.m.leftmost()
	if t.m.has {
		of = min(of, t.m.hit.start)
	}
	from := max(t.ln.start, of-margin)
	if from >= low || of == s.of && len(s.buf) > 0 {
		return
	}
	from = max(from, t.base)
	*s = snap{of: of, base: from, buf: s.buf[:0]}
	s.fill(t)
}

// extend adds what has come to a snapshot that is not full.
func (s *snap) extend(t *tracker) {
	if len(s.buf) > 0 && !s.full {
		s.fill(t)
	}
}

func (s *snap) fill(t *tracker) {
	end := s.of + maxMatch + margin
	from := s.base + int64(len(s.buf))
	to := min(end, t.end())
	if from < to && from >= t.base {
		s.buf = append(s.buf, t.buf[from-t.base:to-t.base]...)
	}
	s.full = s.base+int64(len(s.buf)) >= end
}

// joined is the snapshot, with the line's last bytes where they go on from it.
func (s *snap) joined(t *tracker) ([]byte, int64) {
	b := slices.Clone(s.buf)
	if end := s.base + int64(len(b)); end >= t.base && end <= t.end() {
		b = append(b, t.buf[end-t.base:]...)
	}
	return b, s.base
}
