package followup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/envelope"
)

// Tool is a tool without an SDK. It is safe for concurrent use.
type Tool struct {
	Name        string
	Description string         // for the model
	Schema      map[string]any // of the arguments: JSON Schema 2020-12, an object without other properties

	// Call answers one call; the arguments are a JSON object, nil and null are an
	// empty one. See the package comment for its errors. The envelope is valid
	// beside an error too.
	Call func(context.Context, json.RawMessage) (envelope.Envelope, error)
}

// Limits bound searches and queries. The zero value and nil have the defaults.
type Limits struct {
	Time        time.Duration // of one search, after which it says how far it came; 0: 5 s; negative: none
	PatternSize int           // bytes of a pattern; 0: 1 KiB
	Hits        int           // matches that one search shows; 0: 100; negative: as many as the budget allows. All are counted
}

// The defaults of Limits.
const (
	DefaultTime = 5 * time.Second
	DefaultHits = 100
)

func (l *Limits) orDefault() Limits {
	var d Limits
	if l != nil {
		d = *l
	}
	if d.Time == 0 {
		d.Time = DefaultTime
	}
	switch {
	case d.Hits == 0:
		d.Hits = DefaultHits
	case d.Hits < 0:
		d.Hits = math.MaxInt32
	}
	return d
}

// Tools builds the tools that c's Config.Followups names, in the order read,
// search, query, outline; none when it names none. It refuses a Config without a
// Store, and a budget that is too small for the tools' own answers.
func Tools(c *clip.Clipper, l *Limits) ([]Tool, error) {
	if c == nil {
		return nil, errors.New("followup: Tools needs a Clipper")
	}
	cfg := c.Config()
	f := cfg.Followups
	var tools []Tool
	for _, d := range []definition{
		{f.Read, readDescription, readSchema, (*kit).read},
		{f.Search, searchDescription, searchSchema, (*kit).search},
		{f.Query, queryDescription, querySchema, (*kit).query},
		{f.Outline, outlineDescription, outlineSchema, (*kit).outline},
	} {
		if d.name == "" {
			continue
		}
		if cfg.Store == nil {
			return nil, fmt.Errorf("followup: Config.Followups names %q, but there is no Config.Store to read from", d.name)
		}
		t, err := d.tool(c, l.orDefault())
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// definition is one of the tools, before it has a Clipper.
type definition struct {
	name        string
	description func(clip.Followups, Limits) string
	schema      func(Limits) map[string]any
	answer      func(*kit, context.Context, *args) (envelope.Envelope, error)
}

func (d *definition) tool(c *clip.Clipper, l Limits) (Tool, error) {
	own, err := c.With(func(cfg *clip.Config) {
		cfg.Tool = d.name
		cfg.Redact = nil // what is kept was redacted before it was saved
	})
	if err != nil {
		return Tool{}, fmt.Errorf("followup: %s: %w", d.name, err)
	}
	k := &kit{c: own, cfg: own.Config(), limits: l, name: d.name, answer: d.answer}
	if k.cfg.Form != clip.TextForm {
		k.facts, err = own.With(func(cfg *clip.Config) {
			cfg.Form, cfg.Budget = clip.TextForm, clip.Budget{}
			cfg.Reading, cfg.Log, cfg.Progress = nil, nil, nil // nobody sees it
		})
		if err != nil {
			return Tool{}, fmt.Errorf("followup: %s: %w", d.name, err)
		}
	}
	k.schema = d.schema(l)
	return Tool{Name: d.name, Description: d.description(k.cfg.Followups, l), Schema: d.schema(l), Call: k.call}, nil
}

// kit is what the call of one tool needs. It never changes.
type kit struct {
	c      *clip.Clipper
	facts  *clip.Clipper // whose pages lack no facts; nil: c's don't
	cfg    clip.Config
	limits Limits
	name   string
	schema map[string]any
	answer func(*kit, context.Context, *args) (envelope.Envelope, error)
}

// call answers one call. A panic of the store or of a hook is a failure.
func (k *kit) call(ctx context.Context, raw json.RawMessage) (e envelope.Envelope, err error) {
	defer func() {
		if v := recover(); v != nil {
			e, err = k.failed(ctx, broken(v)), ctx.Err()
		}
	}()
	if err := ctx.Err(); err != nil {
		return k.failed(ctx, envelope.FailureOf(err)), err
	}
	scope, err := k.scope(ctx)
	if err != nil {
		e, _ := k.c.Clip(ctx, nil) // says in the Clipper's words that nobody asked
		return e, err
	}
	a, f := parse(raw, k.schema)
	if f != nil {
		return k.failed(ctx, f), nil
	}
	a.scope = scope
	e, err = k.answer(k, ctx, a)
	if err == nil {
		return e, nil
	}
	if cerr := ctx.Err(); cerr != nil {
		return k.failed(ctx, envelope.FailureOf(cerr)), cerr
	}
	return k.failed(ctx, failureOf(err)), nil
}

// scope is whose artifacts the caller may read. It fails closed.
func (k *kit) scope(ctx context.Context) (artifact.Scope, error) {
	if k.cfg.Caller == nil {
		return artifact.Scope{}, nil
	}
	who, err := k.cfg.Caller(ctx)
	if err != nil {
		return artifact.Scope{}, fmt.Errorf("followup: who is calling: %w", err)
	}
	return who.Scope, nil
}

// failed is the envelope of f, within the budget.
func (k *kit) failed(ctx context.Context, f *envelope.Failure) envelope.Envelope {
	e := k.cfg.Style.Word(envelope.Envelope{
		Schema: envelope.Schema, Tool: k.name, Failure: f,
		Part: envelope.Part{Acquired: envelope.AcquiredUnknown},
	}, nil)
	if fit, err := k.c.Clip(context.WithoutCancel(ctx), e); err == nil {
		return fit
	}
	return e
}

// open opens the artifact that the arguments name, for a caller of their scope.
func (k *kit) open(ctx context.Context, a *args) (artifact.Reader, error) {
	s, f := a.text(clip.ArgArtifact, true)
	if f != nil {
		return nil, f
	}
	h, err := artifact.ParseHandle(s)
	if err != nil {
		return nil, badHandle(s)
	}
	return k.cfg.Store.Open(ctx, a.scope, h)
}
