package clip

import (
	"iter"
	"math"
	"slices"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/view"
)

// settle finds the largest view that the budget allows and words it.
//
// The views of a content form one sequence that does not depend on the budget,
// and the frame is reserved at its longest, so that all that is shown under a
// budget is shown under any larger one.
func (k *call) settle() envelope.Envelope {
	b := k.cfg.Budget
	if k.single() {
		if e := k.build(b.whole(), k.reserve); e.Notice == "" && k.fits(e) {
			return e
		}
	}
	for n := range k.stages() {
		if e, ok := k.stage(n); ok {
			return e
		}
	}
	frame := k.reserve
	if !k.single() && k.list != "" {
		k.unshown = len(k.parts)
		frame = k.frame(k.layout(0))
	}
	e := k.build(view.Limit{}, frame)
	if k.fits(e) {
		return e
	}
	return k.word(barest(e), frame)
}

// stage shows the first n contents, as much of them as fits.
func (k *call) stage(n int) (e envelope.Envelope, ok bool) {
	k.unshown = len(k.parts) - n
	if k.unshown > 0 && k.lists() {
		k.keepList()
	}
	frame := k.frame(k.layout(n))
	tried, any := "", false
	for l := range k.limits(frame) {
		d := k.draft(l)
		c := d.contents()
		if (any && c == tried) || !k.mayFit(c) {
			continue
		}
		tried, any = c, true
		if e = k.finish(d, frame); k.fits(e) {
			return e, true
		}
	}
	return e, false
}

// within words an envelope without content: a failure of the library's own.
func (c *Clipper) within(e envelope.Envelope) envelope.Envelope {
	k := &call{Clipper: c}
	if e = c.word(e, c.reserve); k.fits(e) {
		return e
	}
	return c.word(barest(e), c.reserve)
}

// limits are the limits on content to try, the largest first. Where the cost of
// content and frame add up, the first one fits. Elsewhere (tokens, the encoded
// form) the limits are the points of one grid, the same for every budget. Several
// contents get no less than their floor: where that does not fit, fewer are shown.
func (k *call) limits(frame string) iter.Seq[view.Limit] {
	return func(yield func(view.Limit) bool) {
		most := k.cfg.Budget.less(frame)
		if k.unshown > 0 {
			most = k.floor(most)
		}
		if k.asks() {
			most = k.cfg.Budget.whole()
		} else if k.cfg.Form == TextForm && k.cfg.Budget.additive() && !yield(most) {
			return
		}
		if most.Unit == view.Line && k.cfg.Form != TextForm {
			most.Bytes = k.linesAside(most.Bytes, frame)
		}
		least := k.least()
		if most.Bytes < least {
			return
		}
		for n := range grid(most.Bytes, least) {
			if !yield(view.Limit{Bytes: n, Unit: most.Unit, N: min(most.N, n)}) {
				return
			}
		}
	}
}

// linesAside is the largest limit in bytes up to most at which the encoded form is
// within its ceiling, however many lines that may be. The number of lines cuts what
// such a view shows: one line more never takes bytes from another content.
func (k *call) linesAside(most int64, frame string) int64 {
	for n := range grid(most, 0) {
		e := k.build(view.Limit{Bytes: n, Unit: view.Line, N: n}, frame)
		if int64(len(k.cfg.render(e)))+k.cfg.slack(e) <= k.cfg.Budget.bytes() {
			return n
		}
	}
	return 0
}

// gridSteps is how many points of the grid there are to an octave: the step is
// under five per cent.
const gridSteps = 16

// grid yields the points of a geometric grid from most down, the largest first,
// then least.
func grid(most, least int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if most > least {
			for i := int(math.Log2(float64(most))*gridSteps) + 1; i >= 0; i-- {
				n := int64(math.Exp2(float64(i) / gridSteps))
				if n <= least {
					break
				}
				if n <= most && !yield(n) {
					return
				}
			}
		}
		yield(least)
	}
}

// fits reports whether the rendering that Config chose is within the budget.
func (k *call) fits(e envelope.Envelope) bool {
	contents := make([]string, 0, 1+len(e.Parts))
	contents = append(contents, e.Content)
	for _, p := range e.Parts {
		contents = append(contents, p.Content)
	}
	b := k.cfg.Budget.lessBy(k.cfg.slack(e))
	for _, s := range k.cfg.renderings(e) {
		if !b.fits(s, contents...) || b.unit == coverage.Token && b.cost(whichever(e, s)) > b.n {
			return false
		}
	}
	return true
}

// mayFit reports whether contents alone are within the budget, before their
// envelope is worded and measured.
func (k *call) mayFit(contents string) bool {
	b := k.cfg.Budget
	return int64(len(contents)) <= b.bytes() && (b.unit != coverage.Token || b.cost(contents) <= b.n)
}

// build is the envelope in which all contents together cost at most l.
func (k *call) build(l view.Limit, frame string) envelope.Envelope {
	return k.finish(k.draft(l), frame)
}

// draft is an envelope without calls and words, and the ranges of each content
// that can be asked for next.
type draft struct {
	envelope.Envelope
	rests [][]view.Rest
}

func (d draft) contents() string {
	s := d.Content
	for _, p := range d.Parts {
		s += p.Content
	}
	return s
}

// draft shows all contents within l together.
func (k *call) draft(l view.Limit) draft {
	e := envelope.Envelope{Schema: envelope.Schema, Tool: k.tool, Did: k.r.Did}
	if k.r.Coverage != nil {
		summary := k.r.Coverage.Summary
		e.Coverage = &summary
	}
	if e.Failure = k.failure; e.Failure == nil {
		e.Failure = k.failureOf(k.err)
	}
	e.Scan = k.scan
	shown := k.parts[:len(k.parts)-k.unshown]
	var rests [][]view.Rest
	for i, share := range k.shares(shown, l) {
		plan := shown[i].view(share)
		shown[i].ceiling = !plan.Complete && shown[i].byCeiling(plan, share)
		p := shown[i].part(plan)
		if of := shown[i].of; of != nil {
			plan.Rest = restOf(p, *of)
		}
		e.Parts = append(e.Parts, p)
		rests = append(rests, plan.Rest)
		if e.Scan == nil {
			e.Scan = scanOf(plan)
		}
	}
	k.recount(&e)
	if k.single() {
		e.Part, e.Parts = e.Parts[0], nil
	} else {
		e.Part = k.whole(e.Parts)
	}
	if k.leftOut() > 0 {
		e.List = k.list
	}
	return draft{e, rests}
}

// finish links d and words it within the longest frame.
func (k *call) finish(d draft, frame string) envelope.Envelope {
	e := d.Envelope
	k.measured(&e)
	k.link(&e, d.rests)
	if k.asks() && k.cfg.Form == TextForm {
		return k.cfg.Style.Word(e, func(f string) bool { return k.cfg.Budget.fits(f+e.Content, e.Content) })
	}
	return k.word(e, frame)
}

// measured adds to each content how much of it is shown in the budget's unit.
func (k *call) measured(e *envelope.Envelope) {
	if k.single() {
		k.parts[0].measure(&e.Part)
		return
	}
	e.Parts = slices.Clone(e.Parts)
	for i := range e.Parts {
		k.parts[i].measure(&e.Parts[i])
	}
}

// word words e within frame, measured in the budget's unit.
func (c *Clipper) word(e envelope.Envelope, frame string) envelope.Envelope {
	b := c.cfg.Budget
	if c.cfg.Form != TextForm {
		e = spare(e)
	}
	room, bytes := b.cost(frame), len(frame)
	return c.cfg.Style.Word(e, func(f string) bool {
		return len(f) <= bytes && (b.unit == coverage.Line || b.cost(whichever(e, f)) <= room)
	})
}
