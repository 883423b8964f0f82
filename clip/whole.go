package clip

import (
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/view"
)

// whole is the embedded Part of an envelope with several contents: no content,
// and the account of the contents themselves, also of those that are left out.
func (k *call) whole(parts []envelope.Part) envelope.Part {
	left := k.leftOut()
	p := envelope.Part{Acquired: envelope.AcquiredYes, View: envelope.View{Complete: left == 0, Exact: left == 0}}
	if k.dropped > 0 {
		p.Acquired = k.acquired
	}
	for i := range parts {
		p.View.Complete = p.View.Complete && parts[i].View.Complete
		p.View.Exact = p.View.Exact && parts[i].View.Exact
		p.Acquired = weaker(p.Acquired, parts[i].Acquired)
	}
	for _, t := range k.parts[len(parts):] {
		p.Acquired = weaker(p.Acquired, t.acquiredOf())
	}
	if left > 0 {
		leaveOut(&p, k.total()-left, k.total())
	}
	if len(parts) == 0 { // none of them names the budget
		r := k.overBudget(0, false)
		r.Count = coverage.Count{}
		p.Reasons = append(p.Reasons, r)
	}
	if k.listErr != nil {
		p.Reasons = append(p.Reasons, coverage.Reason{
			Code: coverage.NotKept, Layer: coverage.LayerCapture, Message: short("the list of the parts: " + says(k.listErr)),
		})
	}
	return p
}

// leaveOut says in the account of total contents that only the first shown are there.
func leaveOut(p *envelope.Part, shown, total int64) {
	p.View.Omissions = []envelope.Omission{{
		Pointer: partsPointer, Unit: coverage.Item, Shown: shown, Total: coverage.Exactly(total),
		Units: coverage.Range{Start: shown, End: total},
	}}
	p.Reasons = []coverage.Reason{{
		Code: coverage.OverBudget, Layer: coverage.LayerBudget, Unit: coverage.Item, Count: coverage.Exactly(total - shown),
		Message: "contents for which the budget has no room",
	}}
}

// partsPointer is where the contents are in the encoded envelope.
const partsPointer = "/parts"

// weaker is what is known of two acquisitions together.
func weaker(a, b envelope.Acquired) envelope.Acquired {
	switch {
	case a == envelope.AcquiredNo || b == envelope.AcquiredNo:
		return envelope.AcquiredNo
	case a == envelope.AcquiredYes && b == envelope.AcquiredYes:
		return envelope.AcquiredYes
	}
	return envelope.AcquiredUnknown
}

// scanOf is what a keep rule or a search window looked at.
func scanOf(p view.Plan) *coverage.Scan {
	s := p.Scan
	if s == nil {
		return nil
	}
	return &coverage.Scan{
		Predicate: s.Predicate, Engine: s.Engine, Unit: unitOf(s.Unit), Scanned: rangesOf(s.Scanned),
		Of: countOf(s.Of), Matched: countOf(s.Matched), Returned: s.Returned, Unjudged: countOf(s.Unjudged),
	}
}

// remap makes the view of a content that was itself a view the view of the
// artifact. Where that can't be said exactly, it is not said.
func remap(p *envelope.Part, of envelope.Part) {
	if p.View.Complete {
		p.View = of.View
		return
	}
	v := envelope.View{ByteTotal: of.View.ByteTotal, Transforms: p.View.Transforms, Cuts: p.View.Cuts}
	v.Transforms = append(append([]envelope.Transform(nil), of.View.Transforms...), v.Transforms...)
	if len(v.Transforms) == 0 && len(of.View.Context) == 0 {
		v.Bytes = within(p.View.Bytes, of.View.Bytes, int64(len(of.Content)))
	}
	p.View = v
}

// within maps ranges of a text to the ranges of which the text is the
// concatenation; nil when they are not n bytes in all.
func within(rs, of []coverage.Range, n int64) []coverage.Range {
	var all int64
	for _, o := range of {
		all += o.Len()
	}
	if all != n {
		return nil
	}
	var out coverage.Set
	for _, r := range rs {
		at := int64(0)
		for _, o := range of {
			lo, hi := max(r.Start, at), min(r.End, at+o.Len())
			if lo < hi {
				out = out.Add(coverage.Range{Start: o.Start + lo - at, End: o.Start + hi - at})
			}
			at += o.Len()
		}
	}
	return out
}
