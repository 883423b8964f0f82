package clip

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/jsonview"
)

// pageInfo is what a page knows beside its bytes.
type pageInfo struct{ show Show }

// page reads all of r, so that every total is of the whole, and shows the window.
func (c *Clipper) page(ctx context.Context, who Caller, r artifact.Reader, show Show) (envelope.Envelope, error) {
	show = c.pageShow(show)
	if err := show.check("clip: Show"); err != nil {
		return c.badPage(err), err
	}
	info := r.Info()
	k := &call{Clipper: c, ctx: ctx, who: who, tool: c.cfg.Tool, page: &pageInfo{show}}
	t := &content{call: k, mediaType: info.MediaType, present: true, acquired: envelope.AcquiredUnknown, saved: savedInfo(info)}
	t.markedIncomplete(info)
	t.in = c.newIntake(show)
	if show.MediaType == "" {
		t.in.show.MediaType = info.MediaType
	}
	k.parts = []*content{t}
	if err := t.scanAll(r, info.Size); err != nil {
		k.err = fmt.Errorf("clip: reading the artifact: %w", err)
		return c.failed(k.err), k.err
	}
	if err := t.nowhere(); err != nil {
		return c.badPage(err), err
	}
	e := k.settle()
	k.credit(e)
	k.audit(e)
	return e, nil
}

// markedIncomplete takes over what the store was told when the artifact was saved:
// that the source had more.
func (t *content) markedIncomplete(info artifact.Info) {
	if info.Incomplete == "" {
		return
	}
	t.acquired, t.goesOn = envelope.AcquiredNo, true
	t.reasons = append(t.reasons, coverage.Reason{Code: coverage.SourcePartial, Layer: coverage.LayerSource, Message: short(info.Incomplete)})
}

// nowhere is the error for a place that the content does not have: a pointer to
// nothing, items of what is not JSON. The rest of the content is no answer to that.
func (t *content) nowhere() error {
	s := t.page.show
	if s.Around != nil || (s.Pointer == "" && s.Unit != coverage.Item && !s.Only && !s.Outline) {
		return nil
	}
	err := t.in.notJSON()
	if err == nil && t.in.seek != nil && t.in.holding() == nil {
		err = t.in.seek.Err()
	}
	f := &envelope.Failure{Message: "the artifact is not JSON: it has no items, pointers or outline", Advice: "read it by line or byte, or search it"}
	switch {
	case errors.Is(err, jsonview.ErrNoValue):
		f.Message = fmt.Sprintf("there is nothing at pointer %.200q", s.Pointer)
		f.Advice = "read the artifact without a pointer to see what it has"
	case err != nil:
		f.Message += " (" + short(err.Error()) + ")"
	case t.in.json != nil, t.in.holding() != nil:
		return nil
	case s.Inside:
		f.Message = fmt.Sprintf("there is no string at pointer %.200q, so that it has no lines", s.Pointer)
		f.Advice = "read it by item or byte"
	}
	return errors.Join(f, err)
}

// pageShow is show with what the Config says of all views.
func (c *Clipper) pageShow(s Show) Show {
	d := c.cfg.Show
	if s.MaxRecord == 0 {
		s.MaxRecord = d.MaxRecord
	}
	if s.Charset == "" {
		s.Charset = d.Charset
	}
	if s.Unit != "" && s.Ends == DefaultEnds {
		s.Ends = Head // a page goes on where the last one ended
	}
	s.Raw = s.Raw || d.Raw
	return s
}

func (c *Clipper) badPage(err error) envelope.Envelope {
	f := envelope.FailureOf(err)
	f.Kind, f.Effect, f.Retry, f.Handler = "bad_argument", envelope.EffectNone, envelope.RetryAfterChange, "model"
	return c.within(envelope.Envelope{
		Schema: envelope.Schema, Tool: c.cfg.Tool, Failure: f,
		Part: envelope.Part{Acquired: envelope.AcquiredUnknown},
	})
}

// scanAll gives all bytes of the artifact to the engines, or as much of it as makes
// the same page.
func (t *content) scanAll(r io.ReaderAt, size int64) (err error) {
	defer recovered(&err)
	if t.seekItems(r, size) {
		return nil
	}
	dst := &sink{in: &t.in}
	n, err := dst.ReadFrom(&reading{ctx: t.ctx, r: io.NewSectionReader(r, 0, size)})
	dst.done()
	if err == nil && n != size {
		err = fmt.Errorf("%d of %d bytes: %w", n, size, io.ErrUnexpectedEOF)
	}
	t.in.End()
	return err
}

// isPage reports whether the view was asked for by position, so that even all of
// it is not the whole content.
func (t *content) isPage() bool { return t.in.show.Unit != "" || t.in.show.Pointer != "" }

// offPage is the reason for what lies outside the range that was asked for.
func offPage() coverage.Reason {
	return coverage.Reason{Code: coverage.OffPage, Layer: coverage.LayerPage}
}
