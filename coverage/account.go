package coverage

import "github.com/toolclip/toolclip/internal/mset"

// state is where the way of a record ended, or that it was expected.
type state uint8

const (
	expected state = iota
	loaded         // the model gets it whole
	partial        // the model gets a part of it
	filtered       // arrived, left out by a rule
	failed         // arrived, then failed
	lost           // failed before it arrived
	skipped        // never asked for
	dropped        // arrived again, was not handed on
	states
)

// tally is the account of the records in one state.
type tally struct {
	n, bytes int64
	sum      mset.Sum
}

func (t *tally) add(h *mset.Hash, bytes int64) {
	t.n++
	t.bytes += bytes
	t.sum.Add(h)
}

func (t *tally) addTimes(h *mset.Hash, n int64) {
	t.n += n
	t.sum.AddTimes(h, n)
}

func (t *tally) plus(u tally) {
	t.n += u.n
	t.bytes += u.bytes
	t.sum = t.sum.Plus(u.sum)
}

// items is the account of pairs of an id and its content.
type items struct {
	n   int64
	sum mset.Sum
}

func (i *items) plus(j items) {
	i.n += j.n
	i.sum = i.sum.Plus(j.sum)
}

// account is what one attempt at one shard has recorded. Its fixed part is 512
// bytes; memory, or the sketch that takes its place, is the rest that grows.
type account struct {
	tallies     [states]tally
	wanted, got items // contents that were promised, and that came
	nameless    int64 // records without an id
	mem         *memory
	diff        *sketch
	causes      *causes
	plan        *plan
}

// event is one call that records something about one record.
type event struct {
	id      string
	hash    mset.Hash
	state   state
	bytes   int64
	given   bool      // whether the content is known
	content mset.Hash // its SHA-256
	reason  *Reason   // why it is not loaded whole
}

// record books e once.
func (a *account) record(e *event, c *config) {
	a.tallies[e.state].add(&e.hash, e.bytes)
	if e.id == "" {
		a.nameless++
	}
	if e.given {
		a.book(e, c)
	}
	if e.reason != nil {
		a.reasons().record(e.state, *e.reason)
	}
	switch {
	case a.mem != nil:
		a.mem.record(e)
		if len(a.mem.ids) > c.remember {
			a.forget(c)
		}
	case a.diff != nil:
		a.diff.add(e.id, &e.hash, sign(e.state))
	}
}

// book adds the content of e to what was promised or to what came.
func (a *account) book(e *event, c *config) {
	h := c.itemKey.Pair(&e.hash, &e.content)
	i := &a.got
	if e.state == expected {
		i = &a.wanted
	}
	i.n++
	i.sum.Add(&h)
}

func (a *account) reasons() *causes {
	if a.causes == nil {
		a.causes = new(causes)
	}
	return a.causes
}

func (a *account) units() *plan {
	if a.plan == nil {
		a.plan = &plan{units: map[unitKey]*unit{}}
	}
	return a.plan
}

// forget goes over to constant memory: ids are kept no more.
func (a *account) forget(c *config) {
	if c.universe.kind == KindEnumerated && c.cells > 0 {
		a.diff = newSketch(c.cells)
		for id, k := range a.mem.ids {
			if n := k.difference(); n != 0 {
				a.diff.add(id, &k.hash, n)
			}
		}
	}
	a.mem = nil
}

// sign is how a state counts in expected minus accounted for.
func sign(s state) int64 {
	switch s {
	case expected:
		return 1
	case dropped:
		return 0
	}
	return -1
}

// arrived is how many records came, in any state.
func (a *account) arrived() int64 {
	t := &a.tallies
	return t[loaded].n + t[partial].n + t[filtered].n + t[failed].n + t[dropped].n
}

// size is how many calls about records were booked.
func (a *account) size() (n int64) {
	for i := range a.tallies {
		n += a.tallies[i].n
	}
	return n
}

// reads reports whether the source was read: records ended or pages were begun.
func (a *account) reads() bool {
	return a.size() > a.tallies[expected].n || a.plan.sum().Attempts > 0
}

// looked is whether the version of the source was seen at the start and at the end.
func (a *account) looked() (ends [2]bool) {
	if a.causes != nil {
		for i, vs := range a.causes.versions {
			ends[i] = len(vs) > 0
		}
	}
	return ends
}

// empty reports whether nothing at all was recorded.
func (a *account) empty() bool {
	for i := range a.tallies {
		if a.tallies[i].n != 0 {
			return false
		}
	}
	return a.causes.empty() && a.plan.empty()
}

// plus adds another account to a; a must not be shared. Beyond c.remember ids the
// sum is in constant memory, as if it had been recorded in one.
func (a *account) plus(o *account, c *config) {
	for i := range a.tallies {
		a.tallies[i].plus(o.tallies[i])
	}
	a.wanted.plus(o.wanted)
	a.got.plus(o.got)
	a.nameless += o.nameless
	if !o.causes.empty() {
		a.reasons().plus(o.causes)
	}
	if !o.plan.empty() {
		a.units().plus(o.plan)
	}
	a.remember(o, c)
}

func (a *account) remember(o *account, c *config) {
	if a.mem != nil && o.mem == nil {
		a.forget(c)
	}
	switch {
	case a.mem != nil:
		for id, k := range o.mem.ids {
			if mine := a.mem.ids[id]; mine != nil {
				mine.join(k)
			} else {
				a.mem.ids[id] = k.clone()
			}
		}
		if len(a.mem.ids) > c.remember {
			a.forget(c)
		}
	case o.mem != nil && a.diff != nil:
		for id, k := range o.mem.ids {
			a.diff.add(id, &k.hash, k.difference())
		}
	case a.diff != nil && o.diff != nil:
		a.diff.plus(o.diff)
	default:
		a.diff = nil // one of them has none, so neither has their sum
	}
}

// newAccount is an empty account in the mode that c asks for.
func newAccount(c *config) *account {
	a := &account{mem: newMemory()}
	if c.remember < 0 {
		a.forget(c)
	}
	return a
}
