package coverage

import (
	"cmp"
	"slices"

	"github.com/toolclip/toolclip/internal/mset"
)

// memory keeps every id, so that every difference has a name.
type memory struct{ ids map[string]*known }

// known is what is remembered of one id.
type known struct {
	hash     mset.Hash
	n        [states]int64
	bytes    int64     // of the loaded copies
	content  mset.Hash // the least of those that came
	want     mset.Hash // the least of those that were promised
	contents uint8     // how many different ones came: 0, 1, 2 is more
	wants    uint8
	why      []cause // at most one for each state
}

func newMemory() *memory { return &memory{map[string]*known{}} }

func (m *memory) record(e *event) {
	k := m.ids[e.id]
	if k == nil {
		k = &known{hash: e.hash}
		m.ids[e.id] = k
	}
	k.n[e.state]++
	if e.state == loaded {
		k.bytes += e.bytes
	}
	if e.given && e.state == expected {
		k.want, k.wants = least(k.want, k.wants, e.content, 1)
	} else if e.given {
		k.content, k.contents = least(k.content, k.contents, e.content, 1)
	}
	if e.reason != nil {
		k.blame(cause{e.state, *e.reason})
	}
}

// least joins two sets of contents, each known by its least member and by its
// size up to two.
func least(a mset.Hash, na uint8, b mset.Hash, nb uint8) (mset.Hash, uint8) {
	switch {
	case nb == 0:
		return a, na
	case na == 0:
		return b, nb
	case a == b:
		return a, max(na, nb)
	}
	if compareHash(&a, &b) > 0 {
		a = b
	}
	return a, 2
}

func compareHash(a, b *mset.Hash) int { return cmp.Compare(string(a[:]), string(b[:])) }

// blame keeps the first reason of each state, in an order that does not depend on
// the order of calls.
func (k *known) blame(c cause) {
	i, ok := slices.BinarySearchFunc(k.why, c.state, func(w cause, s state) int { return int(w.state) - int(s) })
	switch {
	case !ok:
		k.why = slices.Insert(k.why, i, c)
	case compareReasons(c.reason, k.why[i].reason) < 0:
		k.why[i] = c
	}
}

// difference is expected minus accounted for.
func (k *known) difference() int64 {
	var n int64
	for s, m := range k.n {
		n += sign(state(s)) * m
	}
	return n
}

// join adds what another account knows of the same id.
func (k *known) join(o *known) {
	for s := range k.n {
		k.n[s] += o.n[s]
	}
	k.bytes += o.bytes
	k.want, k.wants = least(k.want, k.wants, o.want, o.wants)
	k.content, k.contents = least(k.content, k.contents, o.content, o.contents)
	for _, c := range o.why {
		k.blame(c)
	}
}

func (k *known) clone() *known {
	c := *k
	c.why = append([]cause(nil), k.why...)
	return &c
}
