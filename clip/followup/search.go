package followup

import (
	"context"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/searchview"
)

// maxContext is the most lines on either side of a match that a call may ask for.
const maxContext = 20

// search shows the places that match, with the number of all of them.
func (k *kit) search(ctx context.Context, a *args) (envelope.Envelope, error) {
	show, f := k.searchShow(a)
	if f != nil {
		return envelope.Envelope{}, f
	}
	r, err := k.open(ctx, a)
	if err != nil {
		return envelope.Envelope{}, err
	}
	defer r.Close()
	if size := r.Info().Size; show.At > size {
		return envelope.Envelope{}, window{unit: coverage.Byte, from: show.At}.pastEnd(size)
	}
	return k.c.Page(ctx, r, show)
}

// searchShow reads pattern, literal, context and from.
func (k *kit) searchShow(a *args) (clip.Show, *envelope.Failure) {
	show := clip.Show{Unit: coverage.Byte}
	pattern, f := a.text(clip.ArgPattern, true)
	if f != nil {
		return show, f
	}
	literal, f := a.truth(clip.ArgLiteral)
	if f != nil {
		return show, f
	}
	re, err := searchview.Compile(pattern, literal, k.limits.PatternSize)
	if err != nil {
		return show, bad("", "pattern: %v", err)
	}
	show.Around, show.Hits, show.Time = re, k.limits.Hits, max(0, k.limits.Time)
	if a.has(clip.ArgContext) {
		n, f := a.number(clip.ArgContext, 0)
		switch {
		case f != nil:
			return show, f
		case n > maxContext:
			return show, bad("read the lines around a match instead", "context: %d is too many lines, at most %d are shown on either side", n, maxContext)
		}
		show.Context = int(n)
	}
	if a.has(clip.ArgFrom) {
		if show.At, f = a.number(clip.ArgFrom, 0); f != nil {
			return show, f
		}
	}
	return show, nil
}
