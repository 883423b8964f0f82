package clip

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// call is one call of a tool on its way to an envelope.
type call struct {
	*Clipper
	ctx   context.Context
	who   Caller
	r     Result
	tool  string
	parts []*content
	err   error // the tool's: returned, read or waited for

	killed  bool      // Wait failed, and not with an exit status: there may have been more
	unshown int       // contents at the end for which the budget has no frame
	page    *pageInfo // of a page; nil for a result

	list      string // the handle of the list of all contents; "": there is none
	listErr   error  // why it could not be kept
	inherited bool   // it was taken over, with the contents that were left out before

	progress *progress // of all contents; nil: nobody asks

	// Taken over from an envelope that is cut further.
	failure  *envelope.Failure // what the model was told; nil: it is made from err
	scan     *coverage.Scan
	kept     []envelope.Next   // calls that still hold
	none     string            // why there was no call
	dropped  int64             // contents that it did not have room for
	acquired envelope.Acquired // with them
	paged    bool              // several contents: the source has a next page
}

// readAll reads every content to its end, several at the same time, so that a
// command can fill two pipes.
func (k *call) readAll() {
	named := k.r.Parts
	if len(named) == 0 {
		named = []Named{{MediaType: k.r.MediaType, Content: k.r.Content}}
	}
	if k.cfg.Progress != nil {
		k.progress = &progress{hook: k.cfg.Progress, last: time.Now()}
	}
	k.parts = make([]*content, len(named))
	var wg sync.WaitGroup
	for i, n := range named {
		t := &content{call: k, name: name(n.Name), omitEmpty: n.OmitEmpty}
		k.parts[i] = t
		if _, streams := n.Content.(io.Reader); streams && len(named) > 1 {
			wg.Go(func() { t.read(n) })
		}
	}
	for i, n := range named {
		if _, streams := n.Content.(io.Reader); !streams || len(named) == 1 {
			k.parts[i].read(n)
		}
	}
	wg.Wait()
	k.err = joined(k.toolErrors())
	k.dropEmpty()
}

// dropEmpty leaves out the contents that need not be said when they are empty,
// all but the first when nothing else is there.
func (k *call) dropEmpty() {
	first := k.parts[0]
	k.parts = slices.DeleteFunc(k.parts, func(t *content) bool {
		return t.omitEmpty && t.in.n == 0 && t.err == nil
	})
	if len(k.parts) == 0 {
		k.parts = []*content{first}
	}
}

// toolErrors are what went wrong in the tool, each once.
func (k *call) toolErrors() []error {
	errs := []error{k.r.Err}
	for _, p := range k.parts {
		errs = append(errs, p.err)
	}
	if k.r.Wait != nil {
		err := protectErr(k.r.Wait)
		k.killed = err != nil && !exited(err)
		errs = append(errs, err)
	}
	return errs
}

// returned is the error for the loop.
func (k *call) returned() error {
	if k.cfg.MustSave {
		for _, p := range k.parts {
			if p.saveErr != nil {
				return fmt.Errorf("clip: the result could not be saved: %w", p.saveErr)
			}
		}
		if k.listErr != nil {
			return fmt.Errorf("clip: the list of the contents could not be saved: %w", k.listErr)
		}
	}
	if k.err == nil {
		return k.late()
	}
	if k.ctx.Err() != nil || k.cfg.Return == nil {
		return k.err
	}
	gets := true
	if err := protectErr(func() error { gets = k.cfg.Return(k.err); return nil }); err != nil || gets {
		return k.err
	}
	return nil
}

// late is the error of a context that had ended before the contents were read.
func (k *call) late() error {
	for _, p := range k.parts {
		if p.late != nil {
			return p.late
		}
	}
	return nil
}

// refuse is the envelope of a call that was not made for want of a caller.
func (c *Clipper) refuse(err error) envelope.Envelope {
	e := envelope.Envelope{Schema: envelope.Schema, Tool: c.cfg.Tool, Failure: envelope.FailureOf(err)}
	e.Failure.Kind, e.Failure.Effect, e.Failure.Handler = "unauthorized", envelope.EffectNone, "program"
	e.Acquired = envelope.AcquiredNo
	return c.within(e)
}

// content is one content of a call.
type content struct {
	*call
	name      string
	mediaType string // declared
	present   bool
	omitEmpty bool
	in        intake
	saved     *savedAs
	saveErr   error
	spans     int64 // redacted
	reasons   []coverage.Reason
	acquired  envelope.Acquired
	goesOn    bool           // the source has, or may have, more than was read: totals are lower bounds
	err       error          // the tool's, or that of its Reader
	ceiling   bool           // it is the budget's ceiling in bytes that ends the view
	late      error          // the context had ended before a content in memory was read
	of        *envelope.Part // the part whose Content is the content
}

// read reads n to its end, saves it and closes it.
func (t *content) read(n Named) {
	if err := protectErr(func() error { t.take(n); return nil }); err != nil {
		t.stopped(err)
	}
}

func (t *content) take(n Named) {
	t.acquired = envelope.AcquiredUnknown
	s, err := open(t.ctx, n.Content)
	if err != nil {
		t.stopped(err)
	}
	switch {
	case n.MediaType != "":
		s.mediaType = n.MediaType
	case s.mediaType == "":
		s.mediaType = t.cfg.Show.MediaType // kept with the bytes, so that pages are read as the preview is
	}
	t.mediaType, t.present = s.mediaType, s.present
	t.in = t.newIntake(t.cfg.Show)
	t.in.show.MediaType = s.mediaType
	sv := t.save(t.ctx, t.who, s, &t.r)
	defer sv.abandon()
	t.copy(s, sv)
	t.in.End()
	why := ""
	if t.goesOn {
		why = t.why()
	}
	info, err := sv.commit(t.in.n, t.in.items(), why)
	t.saveErr = err
	if info != nil {
		t.saved = savedInfo(*info)
	}
}

// why says why these are not all bytes of the source.
func (t *content) why() string {
	for _, r := range t.reasons {
		if r.Message != "" {
			return short(string(r.Code) + ": " + r.Message)
		}
	}
	return "the source had more"
}

// copy moves the bytes of s through the redactor into the store and the engines.
func (t *content) copy(s source, sv *saver) {
	if s.close != nil {
		stop := context.AfterFunc(t.ctx, func() { _ = protectErr(s.close) })
		defer func() {
			if stop() {
				_ = protectErr(s.close)
			}
		}()
	}
	if s.end != nil {
		defer func() { _ = protectErr(s.end) }()
	}
	ctx := t.ctx
	if s.held {
		t.late, ctx = ctx.Err(), context.Background() // the tool is done: what it returned is not lost
	}
	src := &bounded{r: &reading{ctx: ctx, r: s.r}, left: t.cfg.MaxInput}
	dst := &sink{in: &t.in, save: sv, progress: t.progress}
	pass := func() error { return t.pass(dst, src) }
	if b, ok := s.r.(*bytes.Reader); ok && t.cfg.Redact == nil && int64(b.Len()) <= t.cfg.MaxInput {
		pass = func() error { return direct(ctx, dst, b) }
	}
	err := pass()
	dst.done() // where it stopped is known when all that was read has arrived
	if err != nil {
		t.stopped(err)
	}
	if src.more {
		t.acquired, t.goesOn = envelope.AcquiredNo, true
		t.reasons = append(t.reasons, coverage.Reason{
			Code: coverage.ByteLimit, Layer: coverage.LayerCapture, Unit: coverage.Byte, Limit: t.cfg.MaxInput,
			Message: "reading stopped at the most bytes that one result may have",
		})
	}
}

// direct gives the bytes of r to dst where they are, without a copy.
func direct(ctx context.Context, dst io.Writer, r *bytes.Reader) (err error) {
	defer recovered(&err)
	_, err = r.WriteTo(pieces{ctx, dst})
	return err
}

// pieces passes on what it is given in pieces that stay in the processor's cache
// while several readers go over them, and ends with the context.
type pieces struct {
	ctx context.Context
	w   io.Writer
}

const pieceLen = 128 << 10

func (p pieces) Write(b []byte) (int, error) {
	for at := 0; at < len(b); at += pieceLen {
		if err := p.ctx.Err(); err != nil {
			return at, err
		}
		if _, err := p.w.Write(b[at:min(at+pieceLen, len(b))]); err != nil {
			return at, err
		}
	}
	return len(b), nil
}

func (t *content) pass(dst *sink, src io.Reader) (err error) {
	defer recovered(&err)
	if t.cfg.Redact != nil {
		once := &gate{w: dst}
		defer once.shut()
		t.spans, err = t.cfg.Redact(once, src)
		if t.spans < 0 {
			t.spans = 1 // it says that there were some
		}
		if err == nil {
			err = drained(src)
		}
		return err
	}
	_, err = dst.ReadFrom(src)
	return err
}

// drained checks that a redactor has read everything: what it left unread would
// be lost without a word.
func drained(src io.Reader) error {
	n, err := io.Copy(io.Discard, src)
	if err == nil && n > 0 {
		err = fmt.Errorf("clip: the redactor left %d bytes unread", n)
	}
	return err
}
