package followup

import (
	"context"
	"slices"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// read shows a part of an artifact.
func (k *kit) read(ctx context.Context, a *args) (envelope.Envelope, error) {
	w, f := a.window()
	if f != nil {
		return envelope.Envelope{}, f
	}
	r, err := k.open(ctx, a)
	if err != nil {
		return envelope.Envelope{}, err
	}
	defer r.Close()
	show := clip.Show{Pointer: w.pointer, Inside: w.inside, Unit: w.unit, At: w.from, To: w.to}
	if w.unit == "" && w.pointer == "" {
		show.Ends = clip.Head // what is asked for without a place is read from the beginning
	}
	e, err := k.c.Page(ctx, r, show)
	if err != nil {
		return envelope.Envelope{}, err
	}
	size := r.Info().Size
	f, err = k.confirmed(ctx, r, show, e, func(e envelope.Envelope) *envelope.Failure { return w.missed(e, size) })
	if f != nil {
		return envelope.Envelope{}, f
	}
	return e, err
}

// confirmed is what wrong finds in the page e. The encoded form leaves facts out where
// names are long or room is short, and what it lacks proves nothing: then the same
// page with all its facts is asked.
func (k *kit) confirmed(ctx context.Context, r artifact.Reader, show clip.Show, e envelope.Envelope, wrong func(envelope.Envelope) *envelope.Failure) (*envelope.Failure, error) {
	f := wrong(e)
	if f == nil || k.facts == nil {
		return f, nil
	}
	e, err := k.facts.Page(ctx, r, show)
	if err != nil {
		return nil, err
	}
	return wrong(e), nil
}

// missed says that the page has nothing to show because what it asks for is not
// there.
func (w window) missed(e envelope.Envelope, size int64) *envelope.Failure {
	total, known := size, true
	switch {
	case w.unit == "" || binary(e):
		return nil
	case w.unit == coverage.Item && e.View.Unit != coverage.Item:
		return bad("read it without item", "what the pointer %s names has no items", short(w.pointer))
	case w.unit == coverage.Byte && w.inside && decoded(e.View):
		total, known = e.View.ByteTotal.Value, e.View.ByteTotal.Relation == coverage.Eq
	case w.unit == coverage.Byte && w.pointer != "":
		total, known = w.sizeOf(e.View), len(e.View.Bytes) == 0
	case w.unit != coverage.Byte:
		total, known = e.View.UnitTotal.Value, e.View.UnitTotal.Relation == coverage.Eq
	}
	if known && w.from >= total && (w.from > 0 || total > 0) {
		return w.pastEnd(total)
	}
	return nil
}

// decoded reports whether v is of what a string in JSON holds.
func decoded(v envelope.View) bool {
	return slices.ContainsFunc(v.Transforms, func(t envelope.Transform) bool { return t.Name == clip.InsideTransform })
}

// sizeOf is the number of bytes in the value at w.pointer, of which v shows none.
func (w window) sizeOf(v envelope.View) int64 {
	for _, o := range v.Omissions {
		if o.Pointer == w.pointer && o.Unit == coverage.Byte {
			return o.Total.Value
		}
	}
	return 0
}

// binary reports whether an artifact is described and not shown.
func binary(e envelope.Envelope) bool {
	return slices.ContainsFunc(e.Reasons, func(r coverage.Reason) bool { return r.Code == coverage.NotText })
}
