package searchview

import "bytes"

// How much of a line is shown. A long line is shown by columns: so many bytes on
// either side of a match, or the beginning where the line only stands near one.
const (
	shortLine = 512  // bytes of a line that is shown whole, its line feed included
	side      = 120  // bytes shown on either side of a match in a long line
	headShown = 240  // bytes shown of a long line near a match
	maxMatch  = 2048 // bytes shown of one match in a long line
	margin    = side + reach
	reach     = 128 // bytes that a cut may move to a boundary between clusters
	headKept  = headShown + reach
)

const unknown = -1

// lineRef is a line: its number, 0-based, and where it is. end is behind its line
// feed, unknown while the line goes on.
type lineRef struct {
	no               int64
	start, end       int64
	rawStart, rawEnd int64
}

func (l *lineRef) short() bool { return l.end != unknown && l.end-l.start <= shortLine }

// near is the part of a long line that is kept for the match h.
func (l *lineRef) near(h hit) (lo, hi int64) {
	lo, hi = max(l.start, h.start-margin), min(h.end, h.start+maxMatch)+margin
	if l.end != unknown {
		hi = min(hi, l.end)
	}
	return lo, hi
}

// piece is some bytes of the text.
type piece struct {
	start int64
	b     []byte
}

func (p piece) end() int64 { return p.start + int64(len(p.b)) }

// cut is the part of p between two offsets.
func (p piece) cut(lo, hi int64) piece {
	lo = min(max(lo, p.start), p.end())
	hi = min(max(hi, lo), p.end())
	return piece{lo, p.b[lo-p.start : hi-p.start]}
}

// hit is one match; raw is its place in the source.
type hit struct {
	span
	raw  span
	line int  // index in keeper.lines
	near bool // it lies in what is kept for other matches, and brings no lines of its own
}

// keeper keeps the first matches with the lines around them.
type keeper struct {
	context int64
	retain  int64
	maxHits int
	raw     func(int64) int64 // the place of an offset in the source

	past    []past // the last lines, for the next match; those before pastAt are out of date
	pastAt  int
	pastLen int64  // bytes in past
	head    []byte // of the long line that is being read
	afterTo int64  // lines before this number are kept
	wantTo  int64  // bytes before this offset are kept
	lines   []lineRef
	kept    []piece // in order, disjoint
	size    int64   // bytes in kept
	hits    []hit
	windows int
	closed  bool  // no match is kept any more
	matched int64 // all of them
	unkept  int64 // where in the source the first match that is not kept begins; unknown: there is none
}

// past is a line that has ended, as far as it may be shown.
type past struct {
	lineRef
	b []byte
}

// full reports whether enough is kept for any view. What is kept and not shown (to
// find boundaries of clusters) is less than half of it, and what stands before a
// match comes beside what stands behind it.
func (k *keeper) full() bool { return k.size > 4*k.retain+4096 }

// end is the end of what is kept.
func (k *keeper) end() int64 {
	if n := len(k.kept); n > 0 {
		return k.kept[n-1].end()
	}
	return 0
}

// hit takes the next match. from has what there is of its line.
func (k *keeper) hit(h hit, from piece, ln lineRef) {
	k.matched++
	k.near(from, ln)
	opens := !k.closed && !k.full() && (k.maxHits <= 0 || k.windows < k.maxHits)
	h.near = !opens
	if !opens && (k.closed || !k.nearby(h, ln)) {
		if !k.closed {
			k.closed, k.unkept = true, h.raw.start
		}
		return
	}
	if opens {
		k.windows++
		k.open(h, from, ln)
	}
	h.line = len(k.lines) - 1
	k.hits = append(k.hits, h)
}

// nearby reports whether h lies in what is kept for the matches before it.
func (k *keeper) nearby(h hit, ln lineRef) bool {
	return k.last() == ln.no && (ln.short() || h.end <= k.end())
}

// last is the number of the last line of which something is kept.
func (k *keeper) last() int64 {
	if n := len(k.lines); n > 0 {
		return k.lines[n-1].no
	}
	return -1
}

// open keeps the lines around h.
func (k *keeper) open(h hit, from piece, ln lineRef) {
	for _, p := range k.past[k.pastAt:] {
		if p.no > k.last() && p.no >= ln.no-k.context {
			k.add(piece{p.start, p.b}, p.lineRef)
		}
	}
	if k.last() < ln.no {
		k.lines = append(k.lines, ln)
	}
	k.afterTo = max(k.afterTo, ln.no+1+k.context)
	if ln.short() {
		k.put(from)
		return
	}
	lo, hi := ln.near(h)
	k.put(from.cut(lo, hi))
	k.wantTo = max(k.wantTo, hi)
}

// near keeps the line ln, with which from begins, when it stands near a match
// before it. Once enough is kept, no line is near.
func (k *keeper) near(from piece, ln lineRef) {
	if k.full() {
		k.afterTo = 0
	}
	if ln.no < k.afterTo && k.last() < ln.no && from.start == ln.start {
		k.add(from, ln)
	}
}

// add keeps a line that stands near a match.
func (k *keeper) add(p piece, ln lineRef) {
	if !ln.short() {
		p = p.cut(p.start, p.start+headKept)
	}
	k.lines = append(k.lines, ln)
	k.put(p)
}

// put keeps p, as far as it is behind what is kept.
func (k *keeper) put(p piece) {
	p = p.cut(k.end(), p.end())
	if len(p.b) == 0 {
		return
	}
	k.size += int64(len(p.b))
	if n := len(k.kept); n > 0 && k.kept[n-1].end() == p.start {
		k.kept[n-1].b = append(k.kept[n-1].b, p.b...)
		return
	}
	k.kept = append(k.kept, piece{p.start, append([]byte(nil), p.b...)})
}

// more keeps what is wanted of the next bytes of a long line.
func (k *keeper) more(b []byte, at int64) {
	if at < k.wantTo {
		k.put(piece{at, b}.cut(at, k.wantTo))
	}
}

// pass takes a line that has ended.
func (k *keeper) pass(b []byte, ln lineRef) {
	k.near(piece{ln.start, b}, ln)
	k.remember(b, ln)
}

// passLong takes the beginning of a long line.
func (k *keeper) passLong(b []byte, ln lineRef) {
	k.near(piece{ln.start, b}, ln)
	k.head = append(k.head[:0], b[:min(len(b), headKept)]...)
}

// endLong takes the end of the long line ln.
func (k *keeper) endLong(ln lineRef, end int64) {
	k.wantTo = min(k.wantTo, end)
	ln.end, ln.rawEnd = end, k.raw(end)
	if k.last() == ln.no {
		k.lines[len(k.lines)-1] = ln
	}
	k.remember(k.head, ln)
}

// passAll takes a run of whole lines near which nothing is kept; the first has the
// number no.
func (k *keeper) passAll(run []byte, no, start int64) {
	if k.context == 0 || k.full() {
		return
	}
	from, n := len(run), int64(0)
	for size := int64(0); from > 0 && n < k.context && size <= k.retain; n++ {
		prev := bytes.LastIndexByte(run[:from-1], '\n') + 1
		size += int64(min(from-prev, shortLine))
		from = prev
	}
	no += int64(bytes.Count(run[:from], lineFeed))
	for from < len(run) {
		to := from + bytes.IndexByte(run[from:], '\n') + 1
		ln := lineRef{no: no, start: start + int64(from), end: start + int64(to)}
		ln.rawStart, ln.rawEnd = k.raw(ln.start), k.raw(ln.end)
		k.remember(run[from:to], ln)
		no++
		from = to
	}
}

// remember keeps a line for the match that may come.
func (k *keeper) remember(b []byte, ln lineRef) {
	if k.context == 0 || k.full() {
		return
	}
	if !ln.short() {
		b = b[:min(len(b), headKept)]
	}
	spare := k.expire()
	k.pastLen += int64(len(b))
	k.past = append(k.past, past{ln, append(spare, b...)})
}

// expire drops the lines that the next one makes superfluous, and returns the
// memory of one of them.
func (k *keeper) expire() (spare []byte) {
	for n := int64(len(k.past) - k.pastAt); n > 0 && (n >= k.context || k.pastLen > k.retain); n-- {
		p := &k.past[k.pastAt]
		k.pastLen -= int64(len(p.b))
		spare, p.b = p.b[:0], nil
		k.pastAt++
	}
	if k.pastAt > 16 && k.pastAt > len(k.past)/2 {
		k.past = append(k.past[:0], k.past[k.pastAt:]...)
		k.pastAt = 0
	}
	return spare
}
