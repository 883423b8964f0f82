package coverage

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Errors of Merge and UnmarshalBinary.
var (
	// ErrKey: the ledgers hash ids under different keys. Give the shards the
	// Ledger.Key of the one that merges them.
	ErrKey = errors.New("coverage: the ledgers have different keys; give all of them Ledger.Key of the one that merges")

	// ErrUniverse: the ledgers are of different universes.
	ErrUniverse = errors.New("coverage: the ledgers are of different universes")

	// ErrState: bytes that UnmarshalBinary can't read.
	ErrState = errors.New("coverage: this is not the state of a ledger, or it is damaged; ask for it again")

	// ErrShard: two ledgers without a name have different records.
	ErrShard = errors.New("coverage: two ledgers without a shard name have different records; set Options.Shard")
)

// conflicts are contradictions between accounts. They stay: data was refused.
type conflicts struct{ key, universe, shard, late bool }

// entry is one shard as it was published.
type entry struct {
	attempt   int
	committed bool
	acc       *account
	records   [32]byte   // hash of the records
	full      [32]byte   // hash of everything
	seen      [][32]byte // records of the committed attempts, at most the two least
}

// entryOf publishes acc, which must not change any more.
func entryOf(acc *account, attempt int, committed bool) *entry {
	e := &entry{attempt: attempt, committed: committed, acc: acc}
	e.records, e.full = acc.hashes()
	if committed {
		e.seen = [][32]byte{e.records}
	}
	return e
}

// join is the least upper bound of two publications of one shard: the one that was
// committed, of those the last attempt, of those the one with more records, which
// is the later state, of those the greater hash. What was seen
// is joined, so that a retry with other content is not forgotten.
func (e *entry) join(o *entry) *entry {
	switch {
	case e == nil:
		return o
	case o == nil:
		return e
	}
	best := *e
	if e.compare(o) < 0 {
		best = *o
	}
	best.seen = twoLeast(e.seen, o.seen)
	return &best
}

func (e *entry) compare(o *entry) int {
	return cmp.Or(compareBools(e.committed, o.committed), cmp.Compare(e.attempt, o.attempt),
		cmp.Compare(e.acc.size(), o.acc.size()), slices.Compare(e.full[:], o.full[:]))
}

func twoLeast(a, b [][32]byte) [][32]byte {
	all := append(slices.Clone(a), b...)
	slices.SortFunc(all, func(x, y [32]byte) int { return slices.Compare(x[:], y[:]) })
	all = slices.Compact(all)
	return all[:min(2, len(all))]
}

// clone copies what may still change.
func (a *account) clone() *account {
	c := *a
	if a.mem != nil {
		c.mem = newMemory()
		for id, k := range a.mem.ids {
			c.mem.ids[id] = k.clone()
		}
	}
	if a.diff != nil {
		c.diff = a.diff.clone()
	}
	if a.causes != nil {
		c.causes = new(causes)
		c.causes.plus(a.causes)
	}
	if a.plan != nil {
		c.plan = &plan{units: map[unitKey]*unit{}}
		c.plan.plus(a.plan)
		c.plan.freeze()
	}
	return &c
}

// freeze takes the evidence as it is now.
func (p *plan) freeze() {
	for _, u := range p.units {
		for i, b := range u.bodies {
			u.bodies[i] = &body{ev: b.evidence()}
		}
	}
}

// published is everything in a ledger that is published by merging it.
type published struct {
	conf    config
	shard   string
	attempt int
	sealed  bool
	entries map[string]*entry
	blocks  []block
	bad     conflicts
}

func (l *Ledger) publish() published {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.merged()
	if l.shard != "" || !l.own.empty() {
		own := entryOf(l.own.clone(), l.attempt, l.committed)
		p.entries[l.shard] = own.join(p.entries[l.shard])
	}
	return p
}

// merged is what is published of l without its own account.
func (l *Ledger) merged() published {
	p := published{l.conf, l.shard, l.attempt, l.sealed, maps.Clone(l.others), slices.Clone(l.blocks), l.conflicts}
	p.bad.late = p.bad.late || l.late > 0
	if p.entries == nil {
		p.entries = map[string]*entry{}
	}
	return p
}

// Merge joins the shards in o to l; o is not changed. Shards are told apart by name
// and attempts at one by number, so that merging is commutative, associative and
// idempotent: a shard that comes twice counts once. Two attempts with different
// records are told in the report. What was not committed is known to be
// outstanding and adds nothing. A seal is not merged. After an error nothing was merged, and the report
// is indeterminate, because records are missing from it.
func (l *Ledger) Merge(o *Ledger) error {
	if o == nil {
		return nil
	}
	return l.take(o.publish())
}

func (l *Ledger) take(p published) error {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.fits(p); err != nil {
		return err
	}
	l.join(p)
	return nil
}

// Add books everything that o has recorded itself as if it had been recorded in l,
// and joins the shards that o has merged. Other than Merge it is not idempotent:
// records that are added twice are doubles. It is for engines that combine every
// partial sum exactly once. Errors are those of Merge.
func (l *Ledger) Add(o *Ledger) error {
	if o == nil {
		return nil
	}
	o.init()
	o.mu.Lock()
	own, p := o.own.clone(), o.merged()
	o.mu.Unlock()
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.fits(p); err != nil {
		return err
	}
	if l.committed {
		l.late++
	}
	l.own.plus(own, &l.conf)
	l.join(p)
	return nil
}

// join joins p to what was merged.
func (l *Ledger) join(p published) {
	for shard, e := range p.entries {
		if l.others == nil {
			l.others = map[string]*entry{}
		}
		l.others[shard] = e.join(l.others[shard])
	}
	l.blocks = joinBlocks(l.blocks, p.blocks)
	dropFolded(l.others, l.blocks)
	l.conflicts = l.conflicts.or(p.bad)
}

func (c conflicts) or(o conflicts) conflicts {
	return conflicts{c.key || o.key, c.universe || o.universe, c.shard || o.shard, c.late || o.late}
}

// fits checks that p can be merged.
func (l *Ledger) fits(p published) error {
	switch {
	case p.conf.keyID != l.conf.keyID:
		l.conflicts.key = true
		return ErrKey
	case p.conf.universe.kind != l.conf.universe.kind || p.conf.universe.n != l.conf.universe.n:
		l.conflicts.universe = true
		return fmt.Errorf("%w: %s and %s", ErrUniverse, l.conf.universe, p.conf.universe)
	}
	nameless := p.entries[""]
	if nameless == nil || l.shard != "" || l.own.empty() {
		return nil
	}
	if mine, _ := l.own.hashes(); mine != nameless.records && nameless.attempt == l.attempt {
		l.conflicts.shard = true
		return ErrShard
	}
	return nil
}

// String is the kind with the number.
func (u Universe) String() string {
	if c := u.known().count(); c.Known() {
		return fmt.Sprintf("%s(%s)", u.known().kind, c)
	}
	return string(u.known().kind)
}

// folded is everything that a report is of, as one account.
type folded struct {
	acc       *account
	shards    int64
	committed int64
	attempts  int64
	inBlocks  int64
	pending   []string // shards that were begun and not committed
	changed   []string // shards of which two attempts differ
	names     map[string]bool
	signal    EndSignal
	how       proof
	around    bool // the ledger itself saw the version of the source before and after
	blind     bool // somebody read and did not see it at both ends
}

// looked reports whether the version of the source is known at both ends of all
// reading: of the whole, or of every shard.
func (f *folded) looked() bool { return f.around || !f.blind }

// fold adds all published accounts and l's own up.
func (l *Ledger) fold() folded {
	f := folded{acc: newAccount(&l.conf), how: noCursor, names: map[string]bool{}}
	entries := l.entries()
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		f.add(name, entries[name], l)
	}
	for i := range l.blocks {
		b := &l.blocks[i]
		f.shards += b.shards()
		f.committed += b.shards()
		f.inBlocks += b.shards()
		f.attempts += b.attempts
		if len(b.seen) > 1 {
			f.changed = append(f.changed, b.String())
		}
		f.plus(b.acc, &l.conf, true)
	}
	if f.how == noCursor && l.conf.universe.kind == KindExhaustible {
		f.how = noEnd
	}
	return f
}

// entries are the shards with l's own, which needs no hash unless it has a rival.
func (l *Ledger) entries() map[string]*entry {
	all := map[string]*entry{}
	maps.Copy(all, l.others)
	own := &entry{attempt: l.attempt, committed: l.committed, acc: l.own}
	if rival := all[l.shard]; rival != nil && !l.own.empty() {
		own = entryOf(l.own, l.attempt, l.committed).join(rival)
	} else if rival != nil {
		own = rival
	}
	if n, ok := shardNumber(l.shard); !ok || !inBlocks(l.blocks, n) {
		all[l.shard] = own
	}
	return all
}

func (f *folded) add(name string, e *entry, l *Ledger) {
	if name != "" {
		f.shards++
		f.attempts += int64(e.attempt) + 1
		f.names[name] = e.committed
		if e.committed {
			f.committed++
		} else if name != l.shard {
			f.pending = append(f.pending, name)
		}
	}
	if len(e.seen) > 1 {
		f.changed = append(f.changed, name)
	}
	if e.committed || name == l.shard {
		f.plus(e.acc, &l.conf, name != "")
	}
	if name == l.shard {
		f.around = e.acc.looked() == [2]bool{true, true}
	}
}

// plus adds an account. A shard has a cursor of its own, which must end.
func (f *folded) plus(a *account, c *config, shard bool) {
	f.blind = f.blind || a.reads() && a.looked() != [2]bool{true, true}
	s, how := a.end(c)
	if shard && how == noCursor && c.universe.kind == KindExhaustible {
		how = noEnd
	}
	if how < f.how {
		f.signal, f.how = s, how
	} else if how == f.how && how != noCursor && (f.signal == "" || s < f.signal) {
		f.signal = s
	}
	f.acc.plus(a, c)
}
