package clip

import (
	"context"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// again passes on an envelope that this process made. One that does not fit is
// cut further: over the same artifact where it can be opened, otherwise over its
// own content.
func (c *Clipper) again(ctx context.Context, who Caller, e envelope.Envelope) (envelope.Envelope, error) {
	k := &call{Clipper: c, ctx: ctx, who: who, tool: e.Tool}
	if k.fits(e) {
		return e, nil
	}
	if smaller, ok := c.overArtifact(ctx, who, e); ok {
		return smaller, nil
	}
	return c.overContent(k, e), nil
}

// overArtifact shows less of the artifact that e is a view of.
func (c *Clipper) overArtifact(ctx context.Context, who Caller, e envelope.Envelope) (envelope.Envelope, bool) {
	if len(e.Parts) > 0 || e.Artifact == nil || c.cfg.Store == nil {
		return e, false
	}
	h, err := artifact.ParseHandle(e.Artifact.Handle)
	if err != nil {
		return e, false
	}
	r, err := c.cfg.Store.Open(ctx, who.Scope, h)
	if err != nil {
		return e, false
	}
	defer r.Close()
	k := &call{Clipper: c, ctx: ctx, who: who, tool: e.Tool}
	k.inherit(e)
	t := &content{call: k, mediaType: e.MediaType, present: true, acquired: e.Acquired, saved: savedInfo(r.Info()), reasons: inherited(e.Reasons)}
	show := c.pageShow(showOf(e.View))
	if show.Unit != "" {
		k.page = &pageInfo{show}
	}
	t.in = c.newIntake(show)
	t.in.show.MediaType = e.MediaType
	k.parts = []*content{t}
	if err := t.scanAll(r, r.Info().Size); err != nil {
		return e, false
	}
	out := k.settle()
	k.credit(out)
	k.audit(out)
	return out, true
}

// showOf is the window that v shows.
func showOf(v envelope.View) Show {
	whole := len(v.Bytes) > 0 && v.Bytes[0].Start == 0
	switch {
	case whole || len(v.Bytes) == 0:
		return Show{}
	case len(v.Units) > 0 && v.Unit != "":
		return Show{Pointer: v.Pointer, Unit: v.Unit, At: v.Units[0].Start, To: v.Units[len(v.Units)-1].End}
	}
	return Show{Unit: coverage.Byte, At: v.Bytes[0].Start, To: v.Bytes[len(v.Bytes)-1].End}
}

// overContent cuts the contents themselves. Ranges then are those of what is
// still shown, where the content was verbatim; otherwise they are left out.
func (c *Clipper) overContent(k *call, e envelope.Envelope) envelope.Envelope {
	k.inherit(e)
	old := e.Parts
	if len(old) == 0 {
		old = []envelope.Part{e.Part}
	}
	for _, p := range old {
		t := &content{call: k, name: p.Name, mediaType: p.MediaType, present: true, acquired: p.Acquired, reasons: inherited(p.Reasons), of: &p}
		t.in = c.newIntake(c.cfg.Show)
		t.in.show.MediaType = p.MediaType
		_, _ = t.in.Write([]byte(p.Content))
		t.in.End()
		k.parts = append(k.parts, t)
	}
	out := k.settle()
	k.audit(out)
	return out
}

// inherit takes over what e says beside its view.
func (k *call) inherit(e envelope.Envelope) {
	k.r.Did = e.Did
	if e.Coverage != nil {
		k.r.Coverage = &coverage.Report{Summary: *e.Coverage}
	}
	if e.Failure != nil {
		k.failure = e.Failure
	}
}

// inherited are the reasons that still hold: all but those of the old cut.
func inherited(rs []coverage.Reason) []coverage.Reason {
	var out []coverage.Reason
	for _, r := range rs {
		if r.Layer != coverage.LayerBudget {
			out = append(out, r)
		}
	}
	return out
}
