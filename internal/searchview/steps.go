package searchview

import (
	"iter"
	"sort"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/graphemes"
)

// step is the next piece of the view: the bytes from lo to hi, in one line. Steps
// overlap; what is shown already costs nothing.
type step struct {
	lo, hi int64
	line   int // index in keeper.lines
	hit    int // index in keeper.hits of the match that it shows; -1: it shows a line near one
}

// steps yields the pieces of the view in the order in which a larger limit shows
// more of them.
func (k *keeper) steps() iter.Seq[step] {
	return func(yield func(step) bool) {
		done := int64(-1) // lines up to this number were yielded
		for i, h := range k.hits {
			if h.near {
				continue
			}
			w := k.window(h)
			if i == 0 && !w.grow(h, yield) {
				return
			}
			if !yield(step{lo: w.lo(h), hi: w.hi(h), line: h.line, hit: i}) || !k.around(h.line, done, yield) {
				return
			}
			done = k.lines[h.line].no + k.context
		}
	}
}

// around yields the lines near the line with index at, the nearest first, without
// those up to the number done.
func (k *keeper) around(at int, done int64, yield func(step) bool) bool {
	no := k.lines[at].no
	lo, hi := at-1, at+1
	for {
		before, after := k.context+1, k.context+1
		if lo >= 0 && k.lines[lo].no > done {
			before = no - k.lines[lo].no
		}
		for hi < len(k.lines) && k.lines[hi].no <= done {
			hi++
		}
		if hi < len(k.lines) {
			after = k.lines[hi].no - no
		}
		i := lo
		switch {
		case min(before, after) > k.context:
			return true
		case before <= after:
			lo--
		default:
			i = hi
			hi++
		}
		if s, ok := k.beside(i); ok && !yield(s) {
			return false
		}
	}
}

// beside is a whole short line, or the beginning of a long one.
func (k *keeper) beside(i int) (step, bool) {
	ln := k.lines[i]
	p := k.find(ln.start)
	if p.start > ln.start || p.end() <= ln.start {
		return step{}, false
	}
	if ln.short() {
		return step{lo: ln.start, hi: ln.end, line: i, hit: -1}, true
	}
	w := window{p: p.cut(ln.start, ln.start+headKept), ln: ln}
	w.mark()
	return step{lo: ln.start, hi: w.up(ln.start + headShown), line: i, hit: -1}, true
}

// find is the kept piece that holds offset at, or the first one behind it.
func (k *keeper) find(at int64) piece {
	i := sort.Search(len(k.kept), func(i int) bool { return k.kept[i].end() > at })
	if i == len(k.kept) {
		return piece{start: at}
	}
	return k.kept[i]
}

// window is what is kept of the line of one match, near the match.
type window struct {
	p     piece
	ln    lineRef
	marks []int64 // where it may be cut
}

func (k *keeper) window(h hit) window {
	ln := k.lines[h.line]
	lo, hi := ln.start, ln.end
	if !ln.short() {
		lo, hi = ln.near(h)
	}
	p := k.find(h.start)
	if p.start > h.start {
		p = k.find(lo) // the beginning of the match is not kept
	}
	w := window{p: p.cut(lo, hi), ln: ln}
	w.mark()
	return w
}

// mark finds the boundaries of grapheme clusters.
func (w *window) mark() {
	n := w.begin()
	b, at := w.p.b[n:], w.p.start+int64(n)
	w.marks = append(w.marks, at)
	for len(b) > 0 {
		n := graphemes.Next(b, w.p.end() == w.ln.end)
		if n == 0 {
			break
		}
		b, at = b[n:], at+int64(n)
		w.marks = append(w.marks, at)
	}
}

// begin is the first boundary in a window. Inside a line that is one which does not
// depend on what stands before it. Where there is none nearby, it is the end of the
// first cluster, which may be the end of a longer one: all scripts but a long run
// of flags come into step there.
func (w *window) begin() int {
	b := w.p.b
	if w.p.start == w.ln.start {
		return 0
	}
	if n := graphemes.Sync(b); 0 <= n && n <= reach {
		return n
	}
	n := 0
	for n < len(b) && n < utf8.UTFMax && !utf8.RuneStart(b[n]) {
		n++
	}
	return n + graphemes.Next(b[n:], true)
}

// down is the last boundary at or before an offset, or the first there is.
func (w *window) down(at int64) int64 {
	i := sort.Search(len(w.marks), func(i int) bool { return w.marks[i] > at })
	return w.marks[max(0, i-1)]
}

// up is the first boundary at or behind an offset, or the last there is.
func (w *window) up(at int64) int64 {
	i := sort.Search(len(w.marks), func(i int) bool { return w.marks[i] >= at })
	return w.marks[min(i, len(w.marks)-1)]
}

func (w *window) lo(h hit) int64 {
	if w.ln.short() {
		return w.ln.start
	}
	return w.down(h.start - side)
}

func (w *window) hi(h hit) int64 {
	if w.ln.short() {
		return w.ln.end
	}
	return w.up(w.matchEnd(h) + side)
}

// matchEnd is the end of the match as far as it is shown.
func (w *window) matchEnd(h hit) int64 {
	if w.ln.short() {
		return h.end
	}
	return min(h.end, h.start+maxMatch)
}

// grow yields the window of the first match in small steps: the match from its
// beginning on, then columns on either side.
func (w *window) grow(h hit, yield func(step) bool) bool {
	lo, end := w.down(h.start), w.matchEnd(h)
	for n := int64(1); h.start+n < end; n *= 2 {
		if !yield(step{lo: lo, hi: w.up(h.start + n), line: h.line}) {
			return false
		}
	}
	for d := int64(0); d < side; d += side / 3 {
		if !yield(step{lo: w.down(h.start - d), hi: w.up(end + d), line: h.line}) {
			return false
		}
	}
	return true
}
