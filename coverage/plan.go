package coverage

import (
	"cmp"
	"io"
	"net/http"
	"slices"
)

// EndSignal is how a source said whether there is more.
type EndSignal string

// The end signals. Protocols contradict each other, so the signal is recorded and
// judged apart: what ends a cursor at one source goes on at another.
const (
	More         EndSignal = "more"           // there is a next page
	CursorAbsent EndSignal = "absent"         // no next cursor: an end in every protocol
	CursorEmpty  EndSignal = "empty_string"   // "" as next cursor; see Options.EmptyCursor
	HasMoreFalse EndSignal = "has_more_false" // the source says that there is no more
	TotalReached EndSignal = "total_reached"  // as many records as the source's total: no proof, the total may be capped
	ShortPage    EndSignal = "short_page"     // fewer records than asked for: no proof (AIP-158)
	EmptyPage    EndSignal = "empty_page"     // no records: no proof (AIP-158)
	PageCap      EndSignal = "page_cap"       // the reader stopped: no end
	NoProgress   EndSignal = "no_progress"    // the cursor leads back: no end
	Stopped      EndSignal = "error"          // the reader gave up: no end
)

// EmptyCursor is what an empty string as the next cursor means at a source.
type EmptyCursor string

// The meanings.
const (
	EmptyUnknown EmptyCursor = ""              // nobody said: no proof of the end
	EmptyEnds    EmptyCursor = "empty_ends"    // it ends the list (Google AIP-158)
	EmptyGoesOn  EmptyCursor = "empty_goes_on" // it is a cursor like any other (MCP from revision 2026-07-28)
)

// EndOf is the signal in a next cursor: absent, empty or more. With a cursor that
// is absent and one that is "" the same in the decoded page, decode into a pointer.
func EndOf(next *string) EndSignal {
	switch {
	case next == nil:
		return CursorAbsent
	case *next == "":
		return CursorEmpty
	}
	return More
}

// proof is how well it is known that a cursor came to its end.
type proof uint8

const (
	noEnd    proof = iota // it did not, or nobody said
	claimed               // something suggests it
	proved                // the source said so
	noCursor              // there was none to end
)

func (e EndSignal) proof(c *config) proof {
	switch e {
	case CursorAbsent, HasMoreFalse:
		return proved
	case CursorEmpty:
		switch c.empty {
		case EmptyEnds:
			return proved
		case EmptyGoesOn:
			return noEnd
		}
		return claimed
	case TotalReached, ShortPage, EmptyPage:
		return claimed
	}
	return noEnd
}

// known is e, or More for what is no signal: it proves nothing.
func (e EndSignal) known() EndSignal {
	switch e {
	case More, CursorAbsent, CursorEmpty, HasMoreFalse, TotalReached, ShortPage, EmptyPage, PageCap, NoProgress, Stopped:
		return e
	}
	return More
}

// stops reports whether e says that the reader stopped before the end.
func (e EndSignal) stops() bool { return e == PageCap || e == NoProgress || e == Stopped }

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
	return k.shard + "/" + k.name
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

// Plan announces units of work by name, so that one that is never reached is
// missed. A unit is met by a Page of its name, or by a shard of its name that was
// committed.
func (l *Ledger) Plan(units ...string) {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range units {
		l.own.units().unit(unitKey{l.shard, clean(name)})
	}
}

// Page is one attempt at one unit of the plan: a page, a file, a query. It must end
// in Done or Fail; one that doesn't is a gap. Safe for concurrent use.
type Page struct {
	ledger *Ledger
	key    unitKey
	bodies []*body
	failed *Reason // found by Body
	over   bool
}

// Page opens a unit of the plan, in a new attempt if there was one: a page that
// failed and then succeeds has succeeded. A page that is done twice is a cursor
// that came back. A ledger follows one cursor; give each of several a shard.
func (l *Ledger) Page(name string) *Page {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &Page{ledger: l, key: unitKey{l.shard, clean(name)}}
	u := l.own.units().unit(p.key)
	u.attempts++
	u.state = max(u.state, running)
	return p
}

// Body wraps the body of r, so that there is evidence whether all bytes came; read
// it to its end and close it. A status other than 2xx fails the page, and so does
// a media type that is not among mediaTypes, when any are given: an error page
// that comes with status 200 is not an empty list. A nil r fails the page, and the
// body is empty.
func (p *Page) Body(r *http.Response, mediaTypes ...string) io.ReadCloser {
	b := newBody(r)
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	p.bodies = append(p.bodies, b)
	if u := p.ledger.own.units().unit(p.key); p.over && u.state == succeeded {
		u.bodies = append(u.bodies, b) // late, and still evidence
	}
	if why := misfit(r, mediaTypes); why != nil && p.failed == nil {
		p.failed = why
	}
	return b
}

// Fail ends the page: what it would have given is missing. Reason.Count says how
// many records that are, if anybody knows; without it the page may account for all
// that is missing. The zero Code is PageFailed.
func (p *Page) Fail(r Reason) {
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	p.fail(r.tidy(PageFailed))
}

func (p *Page) fail(r Reason) {
	u := p.end()
	if u == nil {
		return
	}
	if r.Where == "" {
		r.Where = p.key.String()
	}
	s := stateOf(r)
	if s > u.state || s == u.state && compareReasons(r, u.reason) < 0 {
		u.state, u.reason = s, r
	}
}

// Done ends the page: everything on it was read. end is how the source said
// whether there is more.
func (p *Page) Done(end EndSignal) {
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	if p.failed != nil {
		p.fail(*p.failed)
		return
	}
	u := p.end()
	if u == nil {
		return
	}
	u.state, u.reason = succeeded, Reason{}
	u.dones++
	u.bodies = append(u.bodies, p.bodies...)
	p.ledger.own.plan.ended(end.known(), 1)
}

// end closes p; only the first Done or Fail counts.
func (p *Page) end() *unit {
	if p.over {
		return nil
	}
	p.over = true
	if p.ledger.committed {
		p.ledger.late++
	}
	return p.ledger.own.units().unit(p.key)
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

// end is the signal that decides whether the cursor came to its end, and how well
// that is known.
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
