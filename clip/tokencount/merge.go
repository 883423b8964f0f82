package tokencount

import (
	"math"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// vocabulary has the rank of each token: of two that could be made, that of the lower
// rank is.
type vocabulary map[string]uint32

// load takes the vocabulary of an encoding from its decoder. Ranks are without gaps.
func load(e tokenizer.Encoding) vocabulary {
	codec, err := tokenizer.Get(e)
	if err != nil {
		panic("tokencount: the tokenizer lacks " + string(e)) // the pinned version has it
	}
	v := vocabulary{}
	for rank := uint32(0); ; rank++ {
		word, err := codec.Decode([]uint{uint(rank)})
		if err != nil {
			return v
		}
		v[word] = rank
	}
}

// merger merges the bytes of a piece into tokens: always the pair with the lowest rank
// first, and of equal ones the leftmost. It takes time in the order of n log n. It is
// for one goroutine.
type merger struct {
	parts []part
	heap  []pair
}

// part is a token in the making; it goes on to where the next one begins.
type part struct {
	prev, next int32
	rank       uint32 // of this part and the next one as one token
}

// pair is a part and the next one, as they were when the rank was looked up.
type pair struct {
	rank uint32
	at   int32
}

const noRank = math.MaxUint32

var mergers = sync.Pool{New: func() any { return new(merger) }}

// count is the number of tokens of one piece.
func (m *merger) count(v vocabulary, piece string) int {
	if piece == "" {
		return 0
	}
	if _, whole := v[piece]; whole {
		return 1
	}
	n := len(piece)
	m.parts, m.heap = m.parts[:0], m.heap[:0]
	for i := range int32(n) {
		m.parts = append(m.parts, part{i - 1, i + 1, noRank})
	}
	for i := range int32(n) {
		m.look(v, piece, i)
	}
	for len(m.heap) > 0 {
		p := m.pop()
		if m.parts[p.at].rank == p.rank {
			m.merge(v, piece, p.at)
			n--
		}
	}
	return n
}

// merge makes one of part i and the next one.
func (m *merger) merge(v vocabulary, piece string, i int32) {
	next := m.parts[i].next
	m.parts[i].next = m.parts[next].next
	m.parts[next].rank = noRank
	if after := m.parts[i].next; int(after) < len(m.parts) {
		m.parts[after].prev = i
	}
	m.look(v, piece, i)
	if before := m.parts[i].prev; before >= 0 {
		m.look(v, piece, before)
	}
}

// look finds the rank of part i with the next one.
func (m *merger) look(v vocabulary, piece string, i int32) {
	m.parts[i].rank = noRank
	next := m.parts[i].next
	if int(next) == len(piece) {
		return
	}
	if rank, ok := v[piece[i:m.parts[next].next]]; ok {
		m.parts[i].rank = rank
		m.push(pair{rank, i})
	}
}

func (p pair) before(q pair) bool { return p.rank < q.rank || p.rank == q.rank && p.at < q.at }

// push adds p to the heap.
func (m *merger) push(p pair) {
	i := len(m.heap)
	m.heap = append(m.heap, p)
	for i > 0 {
		up := (i - 1) / 2
		if !p.before(m.heap[up]) {
			break
		}
		m.heap[i], i = m.heap[up], up
	}
	m.heap[i] = p
}

// pop takes the first pair from the heap.
func (m *merger) pop() pair {
	first, p := m.heap[0], m.heap[len(m.heap)-1]
	m.heap = m.heap[:len(m.heap)-1]
	i, n := 0, len(m.heap)
	for n > 0 {
		down := 2*i + 1
		if down+1 < n && m.heap[down+1].before(m.heap[down]) {
			down++
		}
		if down >= n || !m.heap[down].before(p) {
			m.heap[i] = p
			break
		}
		m.heap[i], i = m.heap[down], down
	}
	return first
}
