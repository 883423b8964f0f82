package coverage

import (
	"cmp"
	"slices"
)

// unitState is what became of a unit of the plan; a greater one wins.
type unitState uint8

const (
	planned unitState = iota
	running
	skippedUnit
	timedOutUnit
	failedUnit
	succeeded
)

// lost reports whether a unit in s ended without success, which has a reason.
func (s unitState) lost() bool { return s == skippedUnit || s == timedOutUnit || s == failedUnit }

// stateOf is what became of a unit that ended with r.
func stateOf(r Reason) unitState {
	switch {
	case r.Code == Timeout || r.Code == TimeLimit:
		return timedOutUnit
	case r.Code.Class() == ClassNotAttempted:
		return skippedUnit
	}
	return failedUnit
}

// unitKey names a unit: two shards may both have a page 1.
type unitKey struct{ shard, name string }

func (k unitKey) String() string {
	if k.shard == "" {
		return k.name
	}
	return label(k.shard + "/" + k.name)
}

func compareUnits(a, b unitKey) int {
	return cmp.Or(cmp.Compare(a.shard, b.shard), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
}

// unit is one unit of the plan.
type unit struct {
	state    unitState
	attempts int64
	dones    int64 // more than one: the cursor came back to it
	reason   Reason
	bodies   []*body // of the attempts that succeeded
}

// plan is what was to be done, some 200 bytes for each unit. A nil *plan is empty.
type plan struct {
	units map[unitKey]*unit
	ends  map[EndSignal]int64
	done  planSum // of folded plans
}

func (p *plan) empty() bool {
	return p == nil || len(p.units) == 0 && len(p.ends) == 0 && p.done == planSum{}
}

func (p *plan) unit(k unitKey) *unit {
	u := p.units[k]
	if u == nil {
		u = new(unit)
		p.units[k] = u
	}
	return u
}

func (p *plan) ended(e EndSignal, times int64) {
	if p.ends == nil {
		p.ends = map[EndSignal]int64{}
	}
	p.ends[e] += times
}

// plus joins o to p. Units of different shards have different keys.
func (p *plan) plus(o *plan) {
	for k, u := range o.units {
		mine := p.unit(k)
		if u.state > mine.state {
			mine.state, mine.reason = u.state, u.reason
		}
		mine.attempts += u.attempts
		mine.dones += u.dones
		mine.bodies = append(slices.Clip(mine.bodies), u.bodies...)
	}
	for e, n := range o.ends {
		p.ended(e, n)
	}
	p.done = p.done.plus(o.done)
}

// planSum is a plan in numbers.
type planSum struct {
	Total, Succeeded, Failed, TimedOut, Skipped, NotStarted, Unfinished int64
	Attempts, Repeated                                                  int64
	bytes                                                               byteSum
}

func (s planSum) plus(o planSum) planSum {
	s.Total += o.Total
	s.Succeeded += o.Succeeded
	s.Failed += o.Failed
	s.TimedOut += o.TimedOut
	s.Skipped += o.Skipped
	s.NotStarted += o.NotStarted
	s.Unfinished += o.Unfinished
	s.Attempts += o.Attempts
	s.Repeated += o.Repeated
	s.bytes = s.bytes.plus(o.bytes)
	return s
}

// sum adds the units up, bytes apart.
func (p *plan) sum() planSum {
	if p == nil {
		return planSum{}
	}
	s := p.done
	for _, u := range p.units {
		s.Total++
		s.Attempts += u.attempts
		s.Repeated += max(0, u.dones-1)
		*s.of(u.state)++
	}
	return s
}

func (s *planSum) of(u unitState) *int64 {
	switch u {
	case running:
		return &s.Unfinished
	case skippedUnit:
		return &s.Skipped
	case timedOutUnit:
		return &s.TimedOut
	case failedUnit:
		return &s.Failed
	case succeeded:
		return &s.Succeeded
	}
	return &s.NotStarted
}

// keys are the names of the units, sorted.
func (p *plan) keys() []unitKey {
	if p == nil {
		return nil
	}
	ks := make([]unitKey, 0, len(p.units))
	for k := range p.units {
		ks = append(ks, k)
	}
	slices.SortFunc(ks, compareUnits)
	return ks
}

// end is how well it is known that the cursor of a came to its end. Where the end
// of a cursor is all there is, records that came by no cursor have none.
func (a *account) end(c *config) (EndSignal, proof) {
	e, how := a.plan.end(c)
	if how == noCursor && c.universe.kind == KindExhaustible && a.arrived() > 0 {
		return e, noEnd
	}
	return e, how
}

// end is the signal that decides, and how well it proves the end.
func (p *plan) end(c *config) (EndSignal, proof) {
	if p == nil || len(p.ends) == 0 {
		return "", noCursor
	}
	best, how := EndSignal(""), noEnd
	for e := range p.ends {
		if e.stops() {
			return stopOf(p.ends), noEnd
		}
		if h := e.proof(c); best == "" || h > how || h == how && e < best {
			best, how = e, h
		}
	}
	return best, how
}

func stopOf(ends map[EndSignal]int64) EndSignal {
	for _, e := range [...]EndSignal{Stopped, NoProgress, PageCap} {
		if ends[e] > 0 {
			return e
		}
	}
	return ""
}
