package coverage

import (
	"maps"
	"slices"

	"github.com/toolclip/toolclip/internal/mset"
	"github.com/toolclip/toolclip/internal/riblt"
)

func (r *decoder) sketch() *sketch {
	t, err := riblt.Parse(r.bytes())
	if err != nil {
		r.fail()
		return nil
	}
	return &sketch{t}
}

func (w *encoder) memory(m *memory) {
	w.int(int64(len(m.ids)))
	for _, id := range slices.Sorted(maps.Keys(m.ids)) {
		w.string(id)
		w.known(m.ids[id])
	}
}

func (r *decoder) memory() *memory {
	m := newMemory()
	for range r.list(32) {
		id := r.string()
		if m.ids[id] != nil {
			r.fail()
		}
		m.ids[id] = r.known()
	}
	return m
}

func (w *encoder) known(k *known) {
	w.hash((*[32]byte)(&k.hash))
	for _, n := range k.n {
		w.int(n)
	}
	w.int(k.bytes)
	w.contents(k.wants, &k.want)
	w.contents(k.contents, &k.content)
	w.int(int64(len(k.why)))
	for _, c := range k.why {
		w.int(int64(c.state))
		w.reason(&c.reason)
	}
}

func (r *decoder) known() *known {
	k := &known{hash: mset.Hash(r.hash())}
	for i := range k.n {
		k.n[i] = r.int()
	}
	k.bytes = r.int()
	k.wants, k.want = r.contents()
	k.contents, k.content = r.contents()
	for range r.small(int64(states)) {
		k.blame(cause{state(r.small(int64(states) - 1)), r.reason()})
	}
	return k
}

func (w *encoder) contents(n uint8, h *mset.Hash) {
	w.int(int64(n))
	if n > 0 {
		w.hash((*[32]byte)(h))
	}
}

func (r *decoder) contents() (n uint8, h mset.Hash) {
	if n = uint8(r.small(2)); n > 0 {
		h = mset.Hash(r.hash())
	}
	return n, h
}

// agrees checks that the ids add up to the tallies.
func (m *memory) agrees(a *account) bool {
	var sums [states]tally
	for _, k := range m.ids {
		for s, n := range k.n {
			sums[s].addTimes(&k.hash, n)
		}
	}
	for s := range sums {
		if sums[s].n != a.tallies[s].n || sums[s].sum != a.tallies[s].sum {
			return false
		}
	}
	return true
}

func (w *encoder) reason(r *Reason) {
	for _, s := range [...]string{string(r.Code), string(r.Layer), string(r.Unit), string(r.Count.Relation)} {
		w.string(s)
	}
	w.int(r.Count.Value)
	w.int(r.Limit)
	w.string(r.Where)
	w.string(r.Message)
	w.bool(r.Retryable)
}

func (r *decoder) reason() (x Reason) {
	x.Code, x.Layer, x.Unit = Code(r.string()), Layer(r.string()), Unit(r.string())
	x.Count.Relation = Relation(r.string())
	x.Count.Value = r.int()
	x.Limit = r.int()
	x.Where, x.Message = r.string(), r.string()
	x.Retryable = r.bool()
	return x
}

func (w *encoder) causes(c *causes) {
	keys := c.sorted()
	w.int(int64(len(keys)))
	for _, k := range keys {
		w.int(int64(k.state))
		w.reason(c.by[k])
	}
	for i := range 2 {
		var vs []string
		if c != nil {
			vs = c.versions[i]
		}
		w.int(int64(len(vs)))
		for _, v := range vs {
			w.string(v)
		}
	}
}

func (r *decoder) causes() *causes {
	c := new(causes)
	for range r.list(8) {
		s, x := state(r.small(int64(states)-1)), r.reason()
		k := keyOf(s, x)
		if c.by[k] != nil {
			r.fail()
		}
		c.add(k, x)
	}
	for i := range c.versions {
		for range r.small(2) {
			c.version(i, r.string())
		}
	}
	if c.empty() {
		return nil
	}
	return c
}

func (w *encoder) plan(p *plan) {
	w.bool(!p.empty())
	if p.empty() {
		return
	}
	w.int(int64(len(p.units)))
	for _, k := range p.keys() {
		u := p.units[k]
		w.string(k.shard)
		w.string(k.name)
		w.int(int64(u.state))
		w.int(u.attempts)
		w.int(u.dones)
		w.reason(&u.reason)
		w.int(int64(len(u.bodies)))
		for _, b := range u.bodies {
			e := b.evidence()
			w.evidence(&e)
		}
	}
	w.int(int64(len(p.ends)))
	for _, e := range slices.Sorted(maps.Keys(p.ends)) {
		w.string(string(e))
		w.int(p.ends[e])
	}
	w.planSum(&p.done)
}

func (r *decoder) plan() *plan {
	if !r.bool() {
		return nil
	}
	p := &plan{units: map[unitKey]*unit{}}
	for range r.list(8) {
		k := unitKey{r.string(), r.string()}
		if p.units[k] != nil {
			r.fail()
		}
		u := &unit{state: unitState(r.small(int64(succeeded))), attempts: r.int(), dones: r.int(), reason: r.reason()}
		if (u.reason != Reason{}) != u.state.lost() {
			r.fail()
		}
		for range r.list(8) {
			u.bodies = append(u.bodies, &body{ev: r.evidence()})
		}
		p.units[k] = u
	}
	for range r.list(2) {
		e := EndSignal(r.string())
		if p.ends == nil {
			p.ends = map[EndSignal]int64{}
		}
		if _, ok := p.ends[e]; ok {
			r.fail()
		}
		p.ends[e] = r.int()
	}
	p.done = r.planSum()
	return p
}

func (s *planSum) numbers() []*int64 {
	b := &s.bytes
	return []*int64{&s.Total, &s.Succeeded, &s.Failed, &s.TimedOut, &s.Skipped, &s.NotStarted, &s.Unfinished,
		&s.Attempts, &s.Repeated, &b.bodies, &b.complete, &b.incomplete, &b.unknown, &b.encoded, &b.decoded,
		&b.verified, &b.want, &b.unstated, &b.unseen}
}

func (w *encoder) planSum(s *planSum) {
	for _, n := range s.numbers() {
		w.int(*n)
	}
	w.string(string(s.bytes.weakest))
}

func (r *decoder) planSum() (s planSum) {
	for _, n := range s.numbers() {
		*n = r.int()
	}
	s.bytes.weakest = Framing(r.string())
	return s
}

func (w *encoder) evidence(e *evidence) {
	w.int(e.read)
	w.int(e.want + 1)
	w.bool(e.decoded)
	w.string(string(e.framing))
	w.bool(e.ended)
	w.string(e.failure)
	w.int(int64(e.verified))
	w.bool(e.partial)
	w.int(e.part.Start)
	w.int(e.part.End)
	w.int(e.total + 1)
	w.string(e.what)
}

func (r *decoder) evidence() (e evidence) {
	e.read = r.int()
	e.want = r.int() - 1
	e.decoded = r.bool()
	e.framing = Framing(r.string())
	e.ended = r.bool()
	e.failure = r.string()
	e.verified = answer(r.small(int64(no)))
	e.partial = r.bool()
	e.part = Range{r.int(), r.int()}
	e.total = r.int() - 1
	e.what = r.string()
	return e
}
