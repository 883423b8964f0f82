package searchview

import (
	"regexp/syntax"
	"unicode/utf8"
)

// machine matches one line as it arrives, rune by rune, by the algorithm of Pike
// that package regexp uses for long inputs: the same matches, but with memory for
// the instructions only, and it can pause anywhere.
//
// Threads are in the order of their priority. Those that began further left come
// first, so the first thread tells where the leftmost match can begin.
type machine struct {
	prog *syntax.Prog
	now  queue    // threads at the current position
	next []thread // threads after the rune, not yet followed through empty instructions
	from int64    // where this search began
	at   int64    // offset of the current position
	prev rune     // the rune before at; -1: the line begins here
	hit  span     // the best match so far
	has  bool
	last int64 // the end of the match before this search; -1: none
	work int64 // threads that were run, since the machine was made
}

type thread struct {
	pc    uint32
	start int64
}

// span is the half-open range of offsets of one match.
type span struct{ start, end int64 }

const lineEdge rune = -1

func newMachine(p *syntax.Prog) *machine {
	return &machine{prog: p, now: newQueue(len(p.Inst)), next: make([]thread, 0, len(p.Inst))}
}

// begin starts a search at offset at, where prev stands before.
func (m *machine) begin(at int64, prev rune, last int64) {
	m.from, m.at, m.prev, m.last = at, at, prev, last
	m.next, m.has = m.next[:0], false
}

// idle reports whether no thread is alive.
func (m *machine) idle() bool { return len(m.next) == 0 }

// leftmost is the offset before which no match can begin any more.
func (m *machine) leftmost() int64 {
	switch {
	case len(m.next) > 0:
		return m.next[0].start
	case m.has:
		return m.hit.start
	}
	return m.at
}

// step takes the rune r of size bytes at m.at; lineEdge with size 0 ends the
// line. It reports whether the search is decided: with m.has there is a match.
func (m *machine) step(r rune, size int) bool {
	m.follow(r)
	m.next = m.next[:0]
	m.work += int64(len(m.now.dense)) + 1
	for _, t := range m.now.dense {
		i := &m.prog.Inst[t.pc]
		if i.Op == syntax.InstMatch {
			m.hit, m.has = span{t.start, m.at}, true
			break // the threads after it have a lower priority
		}
		if r != lineEdge && i.MatchRune(r) {
			m.next = append(m.next, thread{i.Out, t.start})
		}
	}
	m.at += int64(size)
	m.prev = r
	return r == lineEdge || (m.has && len(m.next) == 0)
}

// follow fills now: the threads of next and one that begins here, through all
// instructions that take no rune.
func (m *machine) follow(r rune) {
	m.now.clear()
	for _, t := range m.next {
		m.add(t, r)
	}
	if !m.has {
		m.add(thread{uint32(m.prog.Start), m.at}, r)
	}
}

func (m *machine) add(t thread, r rune) {
	for {
		if m.now.has(t.pc) {
			return
		}
		i := &m.prog.Inst[t.pc]
		switch i.Op {
		case syntax.InstFail:
			return
		case syntax.InstAlt, syntax.InstAltMatch:
			m.now.mark(t.pc)
			m.add(thread{i.Out, t.start}, r)
			t.pc = i.Arg
		case syntax.InstEmptyWidth:
			m.now.mark(t.pc)
			if !i.MatchEmptyWidth(m.prev, r) {
				return
			}
			t.pc = i.Out
		case syntax.InstNop, syntax.InstCapture:
			m.now.mark(t.pc)
			t.pc = i.Out
		default:
			m.now.push(t)
			return
		}
	}
}

// resume is where the search for the match after the decided one begins, given
// the line from the decided search's start on; it follows regexp.FindAllIndex. ok
// is false for an empty match right after another one, which does not count.
func (m *machine) resume(after []byte) (at int64, ok bool) {
	ok = m.hit.end != m.from || m.hit.start != m.last
	if m.hit.end != m.from {
		return m.hit.end, ok
	}
	_, size := utf8.DecodeRune(after)
	return m.from + int64(max(1, size)), ok
}

// queue is a set of threads in the order in which they were added (Briggs and
// Torczon, "An efficient representation for sparse sets").
type queue struct {
	seen  []uint32 // pc → generation in which it was added
	gen   uint32
	dense []thread
}

func newQueue(n int) queue { return queue{seen: make([]uint32, n), dense: make([]thread, 0, n)} }

func (q *queue) clear() {
	q.dense = q.dense[:0]
	if q.gen++; q.gen == 0 {
		clear(q.seen)
		q.gen = 1
	}
}

func (q *queue) has(pc uint32) bool { return q.seen[pc] == q.gen }
func (q *queue) mark(pc uint32)     { q.seen[pc] = q.gen }

func (q *queue) push(t thread) {
	q.mark(t.pc)
	q.dense = append(q.dense, t)
}
