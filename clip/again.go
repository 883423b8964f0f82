package clip

import (
	"context"
	"slices"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/view"
)

// again passes on an envelope that this process made. One that does not fit is cut
// further: each content over the artifact that it is a view of where that can be
// opened, otherwise over itself. err is what the tool returned beside it.
func (c *Clipper) again(ctx context.Context, who Caller, e envelope.Envelope, err error) (envelope.Envelope, error) {
	k := &call{Clipper: c, ctx: ctx, who: who, tool: e.Tool, err: err}
	if err != nil && e.Failure == nil {
		e.Failure = c.failureOf(err)
		e = c.word(e, c.frame(layoutOf(e)))
	}
	if k.fits(e) {
		return e, k.returned()
	}
	k.inherit(e)
	for _, p := range contentsOf(e) {
		t, ok := k.overArtifact(e, p)
		if !ok {
			t = k.overContent(p)
			k.scan = e.Scan
		}
		k.parts = append(k.parts, t)
	}
	k.kept = slices.DeleteFunc(slices.Clone(e.Next), k.madeAnew)
	out := k.settle()
	k.credit(out)
	k.audit(out)
	return out, k.returned()
}

func contentsOf(e envelope.Envelope) []envelope.Part {
	if len(e.Parts) == 0 && e.List == "" {
		return []envelope.Part{e.Part}
	}
	return e.Parts
}

// layoutOf is what e shows of its contents.
func layoutOf(e envelope.Envelope) layout {
	if len(e.Parts) == 0 && e.List == "" {
		return alone
	}
	return layout{parts: len(e.Parts), more: e.List != "" || droppedOf(e.View) > 0, listed: e.List != ""}
}

// madeAnew reports whether n reads an artifact of which a new view is made, or the list
// of all contents.
func (k *call) madeAnew(n envelope.Next) bool {
	if k.list != "" && n.Arguments[ArgArtifact] == k.list {
		return true
	}
	return slices.ContainsFunc(k.parts, func(t *content) bool {
		return t.of == nil && n.Arguments[ArgArtifact] == t.saved.Handle
	})
}

// overArtifact reads the artifact of which p is a view. The answer to a question (a
// search, a query, an outline) is no view that could be made again from it.
func (k *call) overArtifact(e envelope.Envelope, p envelope.Part) (*content, bool) {
	if p.Artifact == nil || k.cfg.Store == nil || e.Scan != nil || hasTransform(p.View, outlineTransform) {
		return nil, false
	}
	h, err := artifact.ParseHandle(p.Artifact.Handle)
	if err != nil {
		return nil, false
	}
	r, err := k.cfg.Store.Open(k.ctx, k.who.Scope, h)
	if err != nil {
		return nil, false
	}
	defer r.Close()
	t := k.inheriting(p)
	info := r.Info()
	t.saved, t.mediaType = savedInfo(info), info.MediaType
	show, page := k.cfg.Show, hasReason(&p, coverage.OffPage)
	if page {
		show = showOf(p.View)
	}
	if hasTransform(p.View, InsideTransform) {
		var ok bool
		if show, ok = insideShow(p.View, page); !ok {
			return nil, false
		}
	}
	if page {
		show = k.pageShow(show)
		k.page = &pageInfo{show}
	}
	t.in = k.newIntake(show)
	if info.MediaType != "" {
		t.in.show.MediaType = info.MediaType // what is shown of a document says that it is plain text
	}
	if err := t.scanAll(r, info.Size); err != nil {
		return nil, false
	}
	if said, ok := t.notJSONReason(); ok {
		t.reasons = slices.DeleteFunc(t.reasons, func(r coverage.Reason) bool { return r == said })
	}
	return t, true
}

// overContent reads p's own content. Ranges then are those of what is still shown,
// where the content was verbatim; otherwise they are left out.
func (k *call) overContent(p envelope.Part) *content {
	t := k.inheriting(p)
	t.of = &p
	if p.Artifact != nil {
		t.saved = &savedAs{*p.Artifact}
	}
	t.in = k.newIntake(Show{Ends: k.cfg.Show.Ends, Tail: k.cfg.Show.Tail, Raw: true})
	t.in.show.MediaType = p.MediaType
	_, _ = t.in.Write([]byte(p.Content))
	t.in.End()
	return t
}

// recount says that it is not known how many matches are shown of an answer that was
// cut further.
func (k *call) recount(e *envelope.Envelope) {
	if k.scan == nil || k.scan.Returned <= 0 {
		return
	}
	for i, p := range e.Parts {
		if of := k.parts[i].of; of != nil && p.Content != of.Content {
			s := *k.scan
			s.Returned = -1
			e.Scan = &s
		}
	}
}

// inheriting is a content with what p says of what lay before its view.
func (k *call) inheriting(p envelope.Part) *content {
	t := &content{call: k, name: p.Name, mediaType: p.MediaType, present: true, acquired: p.Acquired}
	for _, r := range p.Reasons {
		switch r.Code {
		case coverage.OverBudget, coverage.OffPage, coverage.NotText:
			continue // said anew
		case coverage.Redacted:
			t.spans = r.Count.Value
			continue
		}
		t.reasons = append(t.reasons, r)
	}
	t.goesOn = p.View.ByteTotal.Relation == coverage.Gte
	return t
}

// showOf is the window that v shows.
func showOf(v envelope.View) Show {
	switch {
	case len(v.Units) > 0 && v.Unit != "" && v.Partly == 0:
		return Show{Pointer: pointerOf(v), Unit: v.Unit, At: v.Units[0].Start, To: v.Units[len(v.Units)-1].End}
	case len(v.Bytes) == 0:
		return Show{Pointer: v.Pointer}
	}
	return Show{Unit: coverage.Byte, At: v.Bytes[0].Start, To: v.Bytes[len(v.Bytes)-1].End}
}

// pointerOf is the container of v's items; lines have none.
func pointerOf(v envelope.View) string {
	if v.Unit == coverage.Item {
		return v.Pointer
	}
	return ""
}

func hasTransform(v envelope.View, name string) bool {
	return slices.ContainsFunc(v.Transforms, func(t envelope.Transform) bool { return t.Name == name })
}

// inherit takes over what e says beside its contents.
func (k *call) inherit(e envelope.Envelope) {
	k.r.Did = e.Did
	if e.Coverage != nil {
		k.r.Coverage = &coverage.Report{Summary: *e.Coverage}
	}
	k.failure, k.none = e.Failure, e.NoNext
	k.paged = len(e.Parts) > 0 && hasReason(&e.Part, coverage.PageLimit)
	if len(e.Parts) > 0 || e.List != "" {
		k.dropped, k.acquired, k.list, k.inherited = droppedOf(e.View), e.Acquired, e.List, e.List != ""
	}
}

// droppedOf is how many contents e did not have room for.
func droppedOf(v envelope.View) int64 {
	for _, o := range v.Omissions {
		if o.Pointer == partsPointer {
			return o.Total.Value - o.Shown
		}
	}
	return 0
}

// restOf is what of was shown and p, a view of its content, no longer shows, in
// bytes of the artifact.
func restOf(p, of envelope.Part) []view.Rest {
	if len(p.View.Bytes) == 0 {
		return nil
	}
	var rest []view.Rest
	shown := coverage.Set(nil).Add(p.View.Bytes...)
	for _, r := range coverage.Set(nil).Add(of.View.Bytes...) {
		for _, gap := range gaps(r, shown) {
			rest = append(rest, view.Rest{Unit: view.Byte, From: gap.Start, To: gap.End, Bytes: view.Range(gap)})
		}
	}
	return rest
}

// gaps are the parts of r that are not in s.
func gaps(r coverage.Range, s coverage.Set) []coverage.Range {
	var out []coverage.Range
	for _, x := range s {
		if x.End <= r.Start || x.Start >= r.End {
			continue
		}
		if x.Start > r.Start {
			out = append(out, coverage.Range{Start: r.Start, End: x.Start})
		}
		r.Start = min(x.End, r.End)
	}
	if r.Len() > 0 {
		out = append(out, r)
	}
	return out
}
