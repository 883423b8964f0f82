package clip

import (
	"strings"
	"time"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/view"
)

// A handle and a hash of which no other costs more: tokenizers split letters from
// digits, so each of these characters is a token.
var (
	costlyHandle = strings.Repeat("a2", 13)
	costlySum    = strings.Repeat("a0", 32)
)

// whichever is s, which tells of e, with the costliest handles in place of those that
// were drawn: what fits does not depend on them.
func whichever(e envelope.Envelope, s string) string {
	drawn := []string{e.List}
	for _, p := range append(e.Parts[:len(e.Parts):len(e.Parts)], e.Part) {
		if p.Artifact != nil {
			drawn = append(drawn, p.Artifact.Handle)
		}
	}
	for _, h := range drawn {
		if len(h) == len(costlyHandle) {
			s = strings.ReplaceAll(s, h, costlyHandle)
		}
	}
	return s
}

// likePart is a part as long as the parts of this Config get beside their
// content: for measuring, never shown.
func (c *Clipper) likePart(ceiling bool) envelope.Part {
	n := c.cfg.MaxInput
	r := []coverage.Range{{Start: 0, End: n}, {Start: n, End: n}}
	p := envelope.Part{
		MediaType: "application/json",
		Acquired:  envelope.AcquiredUnknown,
		View: envelope.View{
			Bytes: r, ByteTotal: coverage.Exactly(n),
			Unit: coverage.Line, Units: r, UnitTotal: coverage.Exactly(n), Cuts: []envelope.Cut{{At: n}},
			Omissions: []envelope.Omission{{Unit: coverage.Line, Shown: n, Part: n, Total: coverage.Exactly(n), Bytes: r[0], Units: r[0]}},
		},
		Reasons: []coverage.Reason{c.overBudget(n, ceiling)},
	}
	switch u := c.cfg.Budget.unit; u {
	case coverage.Rune, coverage.Grapheme, coverage.Token:
		most := coverage.Count{Value: n, Relation: coverage.Estimate}
		p.View.Omissions = append(p.View.Omissions, envelope.Omission{Unit: u, Shown: n, Relation: most.Relation, Total: most})
	}
	if c.cfg.Store != nil {
		p.Artifact = &envelope.Artifact{
			Handle: costlyHandle, Size: n, SHA256: costlySum,
			ExpiresAt: time.Date(2000, 12, 31, 23, 59, 59, 999999999, time.UTC),
		}
	}
	return p
}

// like is an envelope of the shape that this Config makes, with the largest
// numbers, for measuring.
func (c *Clipper) like(s layout, notice string, ceiling bool) envelope.Envelope {
	p := c.likePart(ceiling)
	e := envelope.Envelope{Schema: envelope.Schema, Tool: c.cfg.Tool, Notice: notice, Part: p}
	n := c.cfg.MaxInput
	if s != alone {
		e.Part = envelope.Part{Acquired: envelope.AcquiredUnknown}
		for range s.parts {
			e.Parts = append(e.Parts, p)
		}
	}
	if s.more {
		leaveOut(&e.Part, n, n)
	}
	t := &content{call: &call{Clipper: c}}
	e.Next, e.NoNext = t.calls(&p, []view.Rest{{Unit: view.Byte, From: n, To: n}})
	if s.listed {
		e.List = costlyHandle
		e.Next = append(e.Next, c.listCalls(e.List, n, n)...)
	}
	return e
}

// overBudget is the reason for what the budget cut: its number or, where that was
// not reached, its ceiling in bytes.
func (c *Clipper) overBudget(bytes int64, ceiling bool) coverage.Reason {
	b := c.cfg.Budget
	r := coverage.Reason{Code: coverage.OverBudget, Layer: coverage.LayerBudget, Unit: b.unit, Limit: b.n}
	if ceiling {
		r.Unit, r.Limit = coverage.Byte, b.bytes()
	}
	r.Limit = max(1, r.Limit) // of a budget that is being refused: a zero would not be told
	if r.Unit == coverage.Byte {
		r.Count = coverage.Exactly(bytes)
	}
	return r
}

// byCeiling reports whether it is the ceiling in bytes that ends plan, the view of t
// within l, and not the number of units.
func (t *content) byCeiling(plan view.Plan, l view.Limit) bool {
	b := t.cfg.Budget
	switch b.unit {
	case coverage.Byte:
		return false
	case coverage.Token:
		most := b.less("").Bytes
		return b.under && l.Bytes > most-most/4 && b.cost(plan.Content) < b.n-b.n/4
	}
	return len(t.view(view.Limit{Bytes: l.Bytes}).Content) == len(plan.Content)
}
