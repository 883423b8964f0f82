package coverage

import (
	"io"
	"net/http"
)

// Plan announces units of work by name, so that one that is never reached is
// missed. A unit is met by a Page of its name, or, in a ledger without a shard name,
// by a shard of its name that was committed.
func (l *Ledger) Plan(units ...string) {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range units {
		l.own.units().unit(unitKey{l.shard, label(name)})
	}
}

// Page is one attempt at one unit of the plan: a page, a file, a query. It must end
// in Done or Fail; one that doesn't is a gap. A Fail after Done is noted as well, as
// what is in doubt is not complete; a Done after Fail changes nothing. Safe for
// concurrent use.
type Page struct {
	ledger *Ledger
	key    unitKey
	bodies []*body
	failed *Reason // found by Body
	over   bool
	done   bool // ended by Done
}

// Page opens a unit of the plan, in a new attempt if there was one: a page that
// failed and then succeeds has succeeded. A page that is done twice is a cursor
// that came back. A ledger follows one cursor; give each of several a shard. In an
// Exhaustible universe every shard must come to the end of its own.
func (l *Ledger) Page(name string) *Page {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &Page{ledger: l, key: unitKey{l.shard, label(name)}}
	u := l.own.units().unit(p.key)
	u.attempts++
	u.state = max(u.state, running)
	return p
}

// Body wraps the body of r, so that there is evidence whether all bytes came; read
// it to its end and close it (a json.Decoder may stop before the end; io.Copy to
// io.Discard reads the rest). A status other than 2xx fails the page, and so does
// a media type that is not among mediaTypes, when any are given: an error page
// that comes with status 200 is not an empty list. A nil r fails the page, and the
// body is empty.
func (p *Page) Body(r *http.Response, mediaTypes ...string) io.ReadCloser {
	b := newBody(r)
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	p.bodies = append(p.bodies, b)
	why := misfit(r, mediaTypes)
	switch {
	case p.over:
		p.late(b, why)
	case p.failed == nil:
		p.failed = why
	}
	return b
}

// late takes a body after the end of the page, which is still evidence. A unit that
// is done can't fail any more, so what is wrong is noted.
func (p *Page) late(b *body, why *Reason) {
	a := p.ledger.own
	u := a.units().unit(p.key)
	if u.state != succeeded {
		return
	}
	u.bodies = append(u.bodies, b)
	if why != nil {
		why.Where = p.key.String()
		a.reasons().note(why.tidy(PageFailed))
	}
}

// Fail ends the page: what it would have given is missing. Reason.Count says how
// many records that are, if anybody knows; without it the page may account for all
// that is missing. The zero Code is PageFailed. When Body found the response to be
// no page, that is the reason, and r adds its Count and Message.
func (p *Page) Fail(r Reason) {
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	if found := p.failed; found != nil {
		message := found.Message
		if r.Message != "" {
			message += "; " + r.Message
		}
		r = Reason{Code: found.Code, Layer: found.Layer, Unit: r.Unit, Count: r.Count, Where: r.Where,
			Message: message, Retryable: found.Retryable}
	}
	p.fail(r.tidy(PageFailed))
}

func (p *Page) fail(r Reason) {
	if r.Where == "" {
		r.Where = p.key.String()
	}
	u := p.end()
	if u == nil {
		if p.done {
			p.ledger.own.reasons().note(r)
		}
		return
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
	p.done = true
	u.state, u.reason = succeeded, Reason{}
	u.dones++
	u.bodies = append(u.bodies, p.bodies...)
	p.ledger.own.plan.ended(end.known(), 1)
}

// end closes p, the first time.
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
