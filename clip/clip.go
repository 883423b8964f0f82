package clip

import (
	"context"
	"fmt"
	"slices"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/envelope"
)

// Clipper clips results by one policy. It is safe for concurrent use.
type Clipper struct {
	cfg     Config
	reserve string // the longest frame round one content
	frames  *frames
}

// New returns a Clipper with the policy cfg. It refuses an illegal Config with an
// error that names the field, and a budget below the smallest legal one with an
// [ErrBudget] that names the smallest.
func New(cfg Config) (c *Clipper, err error) {
	defer recovered(&err) // a TokenCounter or a Catalog may panic
	cfg.Budget = cfg.Budget.orDefault()
	if cfg.MaxInput == 0 {
		cfg.MaxInput = DefaultMaxInput
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg.Show.Keep, cfg.Show.Required = slices.Clone(cfg.Show.Keep), slices.Clone(cfg.Show.Required)
	c = &Clipper{cfg: cfg, frames: &frames{}}
	c.reserve = c.frame(alone)
	if err := c.checkBudget(); err != nil {
		return nil, err
	}
	return c, nil
}

// With returns a Clipper with changes; c stays as it is. Like New it refuses an
// illegal Config.
func (c *Clipper) With(opts ...func(*Config)) (*Clipper, error) {
	if len(opts) == 0 {
		return c, nil
	}
	cfg := c.cfg
	for _, o := range opts {
		o(&cfg)
	}
	return New(cfg)
}

// Config returns a copy of c's policy, with the defaults filled in.
func (c *Clipper) Config() Config { return c.cfg }

// Clip makes the envelope of one result: a Result, an Envelope, or any other Out
// of [Wrap]. It reads the result to its end, saves it when there is a store, and
// shows what fits.
//
// The envelope is valid beside an error too: nothing that was read is lost. The
// error is the tool's own, as Config.Return selects, that of a Caller that can't
// be told, that of a save when MustSave is set, or that of a context that ended. A
// content in memory is read and saved although the context has ended: the envelope
// then has no Failure, and the context's error is beside it.
//
// The store works in a goroutine of its own, at most half a megabyte behind the
// reader. A store that does nothing for two seconds after the context has ended is not
// waited for: the result is then not kept and says so, and the goroutine lives until
// the store returns. While the context has not ended, Clip waits.
func (c *Clipper) Clip(ctx context.Context, out any) (envelope.Envelope, error) {
	who, err := c.caller(ctx)
	if err != nil {
		closeContent(out)
		return c.refuse(err), err
	}
	return c.guarded(func() (envelope.Envelope, error) { return c.clip(ctx, who, out) })
}

func (c *Clipper) clip(ctx context.Context, who Caller, out any) (envelope.Envelope, error) {
	switch v := out.(type) {
	case envelope.Envelope:
		if v.Worded() {
			return c.again(ctx, who, v, nil)
		}
	case *envelope.Envelope:
		if v != nil {
			return c.clip(ctx, who, *v)
		}
		out = nil
	case *Result:
		if v != nil {
			return c.clip(ctx, who, *v)
		}
		out = nil
	case Result:
		if e, ok := passed(v); ok {
			return c.again(ctx, who, e, v.Err)
		}
		return c.result(ctx, who, v)
	}
	return c.result(ctx, who, Result{Content: out})
}

// passed reports whether r is nothing but an Envelope that this process made, with
// or without an error beside it, as a tool returns it that was wrapped before.
func passed(r Result) (envelope.Envelope, bool) {
	e, ok := r.Content.(envelope.Envelope)
	if p, is := r.Content.(*envelope.Envelope); is && p != nil {
		e, ok = *p, true
	}
	return e, ok && e.Worded() && len(r.Parts) == 0 && r.Wait == nil
}

// result reads r's contents, saves them and settles what is shown.
func (c *Clipper) result(ctx context.Context, who Caller, r Result) (envelope.Envelope, error) {
	r = tame(r)
	k := &call{Clipper: c, ctx: ctx, who: who, r: r, tool: r.Tool}
	if k.tool == "" {
		k.tool = c.cfg.Tool
	}
	k.readAll()
	e := k.settle()
	k.credit(e)
	k.audit(e)
	return e, k.returned()
}

func (c *Clipper) caller(ctx context.Context) (Caller, error) {
	if c.cfg.Caller == nil {
		return Caller{}, nil
	}
	var who Caller
	err := protectErr(func() (err error) {
		who, err = c.cfg.Caller(ctx)
		return err
	})
	if err != nil {
		return Caller{}, fmt.Errorf("clip: who is calling: %w", err)
	}
	return who, nil
}

// Page makes the envelope of a part of a saved artifact: units show.At to show.To
// of what show.Pointer names, as far as the budget goes. The zero Show shows it
// as Clip would. Page saves nothing and reads nothing but r, all of it, so that
// every total is of the whole; where r is an [artifact.ItemIndexer] that knows where the
// items of a page begin, it reads no more than makes the same page. r stays open. An
// illegal Show, a place that is not there and an artifact that can't be read are errors,
// told in the envelope too.
func (c *Clipper) Page(ctx context.Context, r artifact.Reader, show Show) (envelope.Envelope, error) {
	who, err := c.caller(ctx)
	if err != nil {
		return c.refuse(err), err
	}
	return c.guarded(func() (envelope.Envelope, error) { return c.page(ctx, who, r, show) })
}
