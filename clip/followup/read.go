package followup

import (
	"context"

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
	show := clip.Show{Pointer: w.pointer, Unit: w.unit, At: w.from, To: w.to}
	if w.unit == "" && w.pointer == "" {
		show.Ends = clip.Head // what is asked for without a place is read from the beginning
	}
	e, err := k.c.Page(ctx, r, show)
	if err != nil {
		return envelope.Envelope{}, err
	}
	if f := w.missed(e, r.Info().Size); f != nil {
		return envelope.Envelope{}, f
	}
	return e, nil
}

// missed says that the page has nothing because the window begins behind the end.
func (w window) missed(e envelope.Envelope, size int64) *envelope.Failure {
	switch {
	case w.unit == coverage.Byte && w.pointer == "":
		if w.from >= size && (size > 0 || w.from > 0) {
			return w.pastEnd(size)
		}
	case w.unit != "" && e.View.Unit == w.unit && e.View.UnitTotal.Relation == coverage.Eq:
		if total := e.View.UnitTotal.Value; w.from >= total && (total > 0 || w.from > 0) {
			return w.pastEnd(total)
		}
	}
	return nil
}
