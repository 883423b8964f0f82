package coverage

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/toolclip/toolclip/internal/riblt"
)

// magic begins every state; the last byte is its version. Places in a sketch
// belong to the version.
const magic = "coverage\x02"

const checkBytes = 8 // of the SHA-256 at the end, against damage

// MarshalBinary encodes the state, so that shards on other machines can be merged
// and work can be resumed. The key is not in it. The form is canonical: equal
// states have equal bytes. It is protected against damage and not against forgery,
// so take it from your own machines only.
func (l *Ledger) MarshalBinary() ([]byte, error) {
	b := l.publish().encode()
	sum := sha256.Sum256(b)
	return append(b, sum[:checkBytes]...), nil
}

// encode is the state without its checksum.
func (p published) encode() []byte {
	w := &encoder{b: []byte(magic)}
	w.header(p)
	w.int(int64(len(p.entries)))
	for _, name := range slices.Sorted(maps.Keys(p.entries)) {
		w.string(name)
		w.entry(p.entries[name])
	}
	w.int(int64(len(p.blocks)))
	for i := range p.blocks {
		w.block(&p.blocks[i])
	}
	return w.b
}

func (w *encoder) header(p published) {
	c := &p.conf
	w.b = append(w.b, c.keyID[:]...)
	w.string(string(c.universe.kind))
	w.int(c.universe.n)
	w.int(c.limit)
	w.int(int64(max(-1, c.remember) + 1))
	w.int(int64(max(-1, c.cells) + 1))
	w.string(string(c.empty))
	w.bool(c.trustEnd)
	w.string(p.shard)
	w.int(int64(p.attempt))
	w.bool(p.sealed)
	for _, b := range []bool{p.bad.key, p.bad.universe, p.bad.shard, p.bad.late} {
		w.bool(b)
	}
}

// UnmarshalBinary reads what MarshalBinary wrote. A zero Ledger takes everything
// from it but the key, so it can be merged and reported and not recorded to. A
// ledger of New with the same key and universe takes what it had merged and
// recorded in its shard and attempt from the state, and goes on; from the state of
// another shard or attempt it takes neither records of its own nor the seal.
func (l *Ledger) UnmarshalBinary(p []byte) error {
	n := len(p) - checkBytes
	if n < len(magic) || string(p[:len(magic)]) != magic {
		return ErrState
	}
	if sum := sha256.Sum256(p[:n]); !bytes.Equal(sum[:checkBytes], p[n:]) {
		return fmt.Errorf("%w: the checksum does not match", ErrState)
	}
	s, err := readState(p[len(magic):n])
	if err != nil {
		return err
	}
	if !bytes.Equal(s.encode(), p[:n]) { // one state has one form
		return ErrState
	}
	l.begun.Do(func() {
		l.conf = s.conf
		l.shard, l.attempt = s.shard, s.attempt
	})
	return l.restore(s)
}

func readState(b []byte) (published, error) {
	r := &decoder{b: b}
	s := r.header()
	s.entries = map[string]*entry{}
	for range r.list(2) {
		name := r.string()
		if _, ok := s.entries[name]; ok {
			r.fail()
		}
		s.entries[name] = r.entry()
	}
	for range r.list(4) {
		s.blocks = append(s.blocks, r.block())
	}
	if r.err != nil || len(r.b) != 0 || !s.hasOwn() {
		return published{}, ErrState
	}
	return s, nil
}

// hasOwn reports whether the entry of the ledger's own shard is one that it can
// have: its own attempt, or one that won over it.
func (p *published) hasOwn() bool {
	own := p.entries[p.shard]
	if own == nil {
		return p.shard == ""
	}
	return own.committed || own.attempt >= p.attempt
}

func (r *decoder) header() (s published) {
	c := &s.conf
	copy(c.keyID[:], r.take(8))
	c.keyMode = KeyGiven
	c.universe = Universe{kind: Kind(r.string()), n: r.int()}
	if !slices.Contains([]Kind{KindEnumerated, KindCounted, KindExhaustible, KindAtLeast, KindOpen}, c.universe.kind) {
		r.fail()
	}
	c.limit = r.int()
	c.remember = int(r.small(1<<40)) - 1
	c.cells = int(r.small(riblt.Max+1)) - 1
	c.empty = EmptyCursor(r.string())
	c.trustEnd = r.bool()
	s.shard = r.string()
	s.attempt = int(r.small(1 << 40))
	s.sealed = r.bool()
	s.bad = conflicts{r.bool(), r.bool(), r.bool(), r.bool()}
	return s
}

// restore puts s in place of what l has recorded.
func (l *Ledger) restore(s published) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conf.keyID != s.conf.keyID {
		return ErrKey
	}
	if u, v := l.conf.universe, s.conf.universe; u.kind != v.kind || u.n != v.n {
		return fmt.Errorf("%w: %s and %s", ErrUniverse, u, v)
	}
	same := l.shard == s.shard && l.attempt == s.attempt
	switch own := s.entries[l.shard]; {
	case own != nil && own.attempt == l.attempt:
		l.own, l.committed, l.late = own.acc, own.committed, 0
		delete(s.entries, l.shard)
	case same:
		l.own, l.committed, l.late = newAccount(&l.conf), false, 0
	}
	l.others, l.blocks, l.sealed, l.conflicts = s.entries, s.blocks, same && s.sealed, s.bad
	return nil
}

func (w *encoder) entry(e *entry) {
	w.int(int64(e.attempt))
	w.bool(e.committed)
	w.seen(e.seen)
	w.account(e.acc)
}

func (r *decoder) entry() *entry {
	attempt := int(r.small(1 << 40))
	committed := r.bool()
	seen := r.seen()
	e := entryOf(r.account(), attempt, committed)
	if committed != (len(seen) > 0) || !canBeSeen(e.records, seen) {
		r.fail()
	}
	e.seen = seen
	return e
}

// canBeSeen reports whether seen can be the records of the attempts that were
// committed, of which the last has the given ones: in order, and of one attempt
// its own.
func canBeSeen(records [32]byte, seen [][32]byte) bool {
	switch len(seen) {
	case 1:
		return seen[0] == records
	case 2:
		return bytes.Compare(seen[0][:], seen[1][:]) < 0
	}
	return true
}

func (w *encoder) seen(hs [][32]byte) {
	w.int(int64(len(hs)))
	for i := range hs {
		w.hash(&hs[i])
	}
}

func (r *decoder) seen() (hs [][32]byte) {
	for range r.small(2) {
		hs = append(hs, r.hash())
	}
	return hs
}

func (w *encoder) block(b *block) {
	w.int(int64(b.first))
	w.int(int64(b.level))
	w.int(b.attempts)
	w.seen(b.seen)
	w.account(b.acc)
}

func (r *decoder) block() (b block) {
	b.first = uint64(r.small(1 << 48))
	b.level = uint8(r.small(48))
	b.attempts = r.int()
	b.seen = r.seen()
	b.acc = r.account()
	var records [32]byte
	records, b.full = b.acc.hashes()
	if len(b.seen) == 0 || !canBeSeen(records, b.seen) {
		r.fail()
	}
	return b
}

// hashes are those of the records alone and of everything.
func (a *account) hashes() (records, full [32]byte) {
	w := &encoder{}
	w.tallies(a)
	records = sha256.Sum256(w.b)
	w.b = w.b[:0]
	w.account(a)
	return records, sha256.Sum256(w.b)
}

func (w *encoder) tallies(a *account) {
	for i := range a.tallies {
		t := &a.tallies[i]
		w.sum(t.n, t.sum)
		w.int(t.bytes)
	}
	w.sum(a.wanted.n, a.wanted.sum)
	w.sum(a.got.n, a.got.sum)
	w.int(a.nameless)
}

func (w *encoder) account(a *account) {
	w.tallies(a)
	switch {
	case a.mem != nil:
		w.int(1)
		w.memory(a.mem)
	case a.diff != nil:
		w.int(2)
		w.bytes(a.diff.table.Append(nil))
	default:
		w.int(0)
	}
	w.causes(a.causes)
	w.plan(a.plan)
}

func (r *decoder) account() *account {
	a := new(account)
	for i := range a.tallies {
		t := &a.tallies[i]
		t.n, t.sum = r.sum()
		t.bytes = r.int()
	}
	a.wanted.n, a.wanted.sum = r.sum()
	a.got.n, a.got.sum = r.sum()
	a.nameless = r.int()
	switch r.small(2) {
	case 1:
		a.mem = r.memory()
		if !a.mem.agrees(a) {
			r.fail()
		}
	case 2:
		a.diff = r.sketch()
	}
	a.causes = r.causes()
	a.plan = r.plan()
	return a
}
