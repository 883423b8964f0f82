package clip

import (
	"errors"
	"fmt"
	"time"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/sniff"
	"github.com/toolclip/toolclip/internal/view"
)

// savedAs is what an envelope says about a saved content.
type savedAs struct {
	envelope.Artifact
}

// savedInfo tells the expiry in whole seconds, rounded down, so that it always
// takes the same room.
func savedInfo(i artifact.Info) *savedAs {
	return &savedAs{envelope.Artifact{
		Handle: string(i.Handle), Size: i.Size, SHA256: fmt.Sprintf("%x", i.SHA256), ExpiresAt: expiry(i.ExpiresAt),
	}}
}

// expiry is t in whole seconds; the zero time, which says nothing, where RFC 3339
// can't write it.
func expiry(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Second)
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// view is the largest view of t that costs at most l.
func (t *content) view(l view.Limit) view.Plan {
	e := t.in.planner()
	if e == nil {
		return view.Plan{UnitTotal: -1}
	}
	return e.Plan(l)
}

// part is t as the envelope has it.
func (t *content) part(plan view.Plan) envelope.Part {
	p := envelope.Part{
		Name: t.name, MediaType: t.mediaOf(plan), Content: plan.Content,
		View: viewOf(plan, t.in.size()), Reasons: t.reasonsOf(plan), Acquired: t.acquiredOf(),
	}
	if t.saved != nil {
		a := t.saved.Artifact
		p.Artifact = &a
	}
	t.redacted(&p)
	if t.in.planner() == nil && t.in.n > 0 {
		t.describe(&p)
	}
	if t.outlined() {
		p.View = outlineView(plan, t.in.n)
	}
	if t.goesOn {
		p.View.ByteTotal, p.View.UnitTotal = lowerBound(p.View.ByteTotal), lowerBound(p.View.UnitTotal)
	}
	if t.isPage() {
		p.View.Complete, p.View.Exact = false, false
		p.Reasons = append(p.Reasons, offPage())
	}
	if t.of != nil {
		remap(&p, *t.of)
	}
	return p
}

// lowerBound is c where more may come.
func lowerBound(c coverage.Count) coverage.Count {
	if c.Relation == coverage.Eq {
		c.Relation = coverage.Gte
	}
	return c
}

// outlined reports whether what is shown is the shape of the content.
func (t *content) outlined() bool {
	return t.in.show.Outline && t.in.json != nil && t.in.json.Err() == nil
}

const outlineTransform = "outline"

// outlineView says that no byte of the content is shown as it is. Its lines are
// those of the outline.
func outlineView(p view.Plan, n int64) envelope.View {
	v := viewOf(p, n)
	return envelope.View{
		ByteTotal: v.ByteTotal, Omissions: v.Omissions,
		Transforms: []envelope.Transform{{Name: outlineTransform, Count: v.UnitTotal, Loses: true}},
	}
}

// viewOf is the plan of a content of n bytes in the envelope's words.
func viewOf(p view.Plan, n int64) envelope.View {
	v := envelope.View{
		Complete: p.Complete, Exact: p.Exact,
		Bytes: rangesOf(p.Bytes), Context: rangesOf(p.Context), ByteTotal: coverage.Exactly(n),
		Pointer: p.Pointer, Units: rangesOf(p.Units), Partly: p.Partly, Unlisted: p.Unlisted,
	}
	if p.Unit != view.Byte {
		v.Unit, v.UnitTotal = unitOf(p.Unit), countOf(p.UnitTotal)
	}
	for _, at := range p.Cuts {
		v.Cuts = append(v.Cuts, envelope.Cut{At: at})
	}
	for _, o := range p.Omissions {
		v.Omissions = append(v.Omissions, envelope.Omission{
			Pointer: o.Pointer, Unit: unitOf(o.Unit), Shown: o.Shown, Part: o.Part, Total: countOf(o.Total),
			Bytes: coverage.Range(o.Bytes), Units: coverage.Range(o.Units), Of: o.Of, SHA256: o.SHA256,
		})
	}
	for _, t := range p.Transforms {
		v.Transforms = append(v.Transforms, envelope.Transform{Name: t.Name, Count: coverage.Exactly(t.Count), Loses: t.Loses})
	}
	return v
}

func rangesOf(rs []view.Range) []coverage.Range {
	var out []coverage.Range
	for _, r := range rs {
		out = append(out, coverage.Range(r))
	}
	return out
}

func countOf(n int64) coverage.Count {
	if n < 0 {
		return coverage.Count{}
	}
	return coverage.Exactly(n)
}

func unitOf(u view.Unit) coverage.Unit {
	switch u {
	case view.Rune:
		return coverage.Rune
	case view.Grapheme:
		return coverage.Grapheme
	case view.Line:
		return coverage.Line
	case view.Item:
		return coverage.Item
	}
	return coverage.Byte
}

// mediaOf is what the content is: as planned, else as declared, else as sniffed. What
// was declared as text and is none is what was sniffed.
func (t *content) mediaOf(p view.Plan) string {
	switch {
	case p.MediaType != "":
		return p.MediaType
	case t.in.notJSON() != nil:
		return "text/plain"
	case t.mediaType != "" && (t.in.kind == nil || t.in.kind.Text || !sniff.Textual(t.mediaType)):
		return t.mediaType
	case t.in.kind != nil:
		return t.in.kind.MediaType
	}
	return ""
}

// reasonsOf are the reasons of all layers, from the source to the budget.
func (t *content) reasonsOf(p view.Plan) []coverage.Reason {
	rs := append([]coverage.Reason(nil), t.r.Reasons...)
	rs = append(rs, t.reasons...)
	if r, ok := t.notJSONReason(); ok {
		rs = append(rs, r)
	}
	if t.saveErr != nil {
		rs = append(rs, coverage.Reason{Code: coverage.NotKept, Layer: coverage.LayerCapture, Message: says(t.saveErr)})
	}
	if n := t.missing(p); n > 0 && t.in.planner() != nil {
		rs = append(rs, t.overBudget(n, t.ceiling))
	}
	return rs
}

// missing is how many bytes the view lacks for want of budget: of a page, those of
// the range that was asked for.
func (t *content) missing(p view.Plan) int64 {
	if p.Complete || len(p.Omissions)+len(p.Rest) == 0 {
		return 0
	}
	n := t.in.size()
	if t.isPage() {
		if n = 0; len(p.Rest) == 0 {
			return 0
		}
		for _, r := range p.Rest {
			n += r.Bytes.Len()
		}
		return max(1, n)
	}
	for _, r := range p.Bytes {
		n -= r.Len()
	}
	return max(1, n)
}

// notJSONReason tells why content that was declared JSON is read as text, and of
// content that stops inside a JSON value that it is not whole.
func (t *content) notJSONReason() (coverage.Reason, bool) {
	if h := t.in.holding(); h != nil {
		return h.stopsReason()
	}
	err := t.in.notJSON()
	if t.in.show.Only && t.in.json == nil {
		err = errNoRecords
	}
	if err == nil || t.in.n == 0 {
		return coverage.Reason{}, false
	}
	r := coverage.Reason{Code: coverage.ParseFailed, Layer: coverage.LayerSource, Count: coverage.Exactly(0), Message: "not JSON, read as text: " + short(err.Error())}
	if t.stopsInside() {
		r.Code, r.Count = coverage.ByteTruncated, coverage.Count{}
		r.Message = "the source stops inside a JSON value, read as text: " + short(err.Error())
		return r, true
	}
	return r, isJSON(t.mediaType) || t.in.show.Only
}

// errNoRecords is said of a query that could not be done.
var errNoRecords = errors.New("it has no records for which conditions could hold")

// stopsInside reports whether the content is the beginning of a JSON value. What
// was not declared must be more than a bracket or the beginning of a quotation.
func (t *content) stopsInside() bool {
	if h := t.in.holding(); h != nil {
		return h.stops() != nil
	}
	if t.in.n == 0 || !errors.Is(t.in.notJSON(), jsonscan.ErrEnd) {
		return false
	}
	return isJSON(t.mediaType) || (t.in.n >= 16 && t.in.first != '"')
}

// acquiredOf tells whether the tool got all of its source.
func (t *content) acquiredOf() envelope.Acquired {
	switch {
	case t.acquired == envelope.AcquiredNo || t.stopsInside():
		return envelope.AcquiredNo
	case t.killed, t.r.Err != nil && !exited(t.r.Err):
		return envelope.AcquiredNo
	case t.r.Coverage != nil && t.r.Coverage.InputComplete:
		return envelope.AcquiredYes
	case t.r.Coverage != nil:
		return envelope.AcquiredNo
	}
	for _, r := range t.r.Reasons {
		switch r.Layer {
		case coverage.LayerSource, coverage.LayerTransport, coverage.LayerCapture:
			return envelope.AcquiredNo
		}
	}
	return t.acquired
}

// redacted tells what was taken out before anything was saved or shown.
func (t *content) redacted(p *envelope.Part) {
	if t.spans == 0 {
		return
	}
	n := coverage.Exactly(t.spans)
	p.View.Complete, p.View.Exact = false, false
	p.View.Transforms = append(p.View.Transforms, envelope.Transform{Name: "redaction", Count: n, Loses: true})
	p.Reasons = append(p.Reasons, coverage.Reason{Code: coverage.Redacted, Layer: coverage.LayerRedaction, Unit: coverage.Item, Count: n})
}

// describe tells kind, size and hash of what is not text and is not shown.
func (t *content) describe(p *envelope.Part) {
	sum := t.in.sha256()
	p.View = envelope.View{
		ByteTotal: coverage.Exactly(t.in.n),
		Omissions: []envelope.Omission{{
			Unit: coverage.Byte, Total: coverage.Exactly(t.in.n), Bytes: coverage.Range{Start: 0, End: t.in.n},
			Of: p.MediaType, SHA256: sum,
		}},
	}
	p.Reasons = append(p.Reasons, coverage.Reason{Code: coverage.NotText, Layer: coverage.LayerFilter, Unit: coverage.Byte, Count: coverage.Exactly(t.in.n)})
}
