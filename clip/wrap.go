package clip

import (
	"context"

	"github.com/toolclip/toolclip/envelope"
)

// Wrap wraps a tool: the function that it returns calls fn, reads what fn
// returned to its end, saves it, and returns the envelope of what fits.
//
// Out is a string, a []byte, a json.RawMessage, an io.Reader (closed when it is
// an io.Closer, also when the context ends while it is being read: a Reader that
// can block should be a Closer that another goroutine may close), an iter.Seq or
// an iter.Seq2 of values and errors (read as JSON Lines), a [Result], an
// Envelope, or any value, which encoding/json encodes without HTML escaping.
//
// The envelope is valid whatever happened: fn's error is in it as a Failure, and
// what was read before the error is shown and saved. The error that Wrap's
// function returns is fn's own value, as Config.Return selects. A panic in fn is
// a *[PanicError].
//
// The options change the policy for this tool. Wrap panics when they make it
// illegal: that is a mistake in the program, as in http.Handle.
func Wrap[C context.Context, In, Out any](c *Clipper, fn func(C, In) (Out, error), opts ...func(*Config)) func(C, In) (envelope.Envelope, error) {
	return WrapVia(c, fn, func(e envelope.Envelope) envelope.Envelope { return e }, opts...)
}

// WrapText is Wrap for loops that take a string: the envelope's text, or the JSON
// value that InBandForm makes of it.
func WrapText[C context.Context, In, Out any](c *Clipper, fn func(C, In) (Out, error), opts ...func(*Config)) func(C, In) (string, error) {
	c, err := c.With(opts...)
	if err != nil {
		panic(err)
	}
	return WrapVia(c, fn, c.text)
}

// WrapVia is Wrap for loops with a result type of their own.
func WrapVia[C context.Context, In, Out, R any](c *Clipper, fn func(C, In) (Out, error), to func(envelope.Envelope) R, opts ...func(*Config)) func(C, In) (R, error) {
	c, err := c.With(opts...)
	if err != nil {
		panic(err)
	}
	return func(ctx C, in In) (R, error) {
		e, err := c.call(ctx, func() (any, error) { return fn(ctx, in) }, in)
		return to(e), err
	}
}

// call makes one call of a tool; the caller is known before anything happens.
func (c *Clipper) call(ctx context.Context, fn func() (any, error), args any) (envelope.Envelope, error) {
	who, err := c.caller(ctx)
	if err != nil {
		return c.refuse(err), err
	}
	out, err := protect(fn)
	return c.guarded(func() (envelope.Envelope, error) { return c.clip(ctx, who, together(out, err, args)) })
}

func protect(fn func() (any, error)) (out any, err error) {
	defer recovered(&err)
	return fn()
}

// together is what fn returned as one value. A Result keeps what the tool put
// into it; an Envelope without an error stays what it is.
func together(out any, err error, args any) any {
	var r Result
	switch v := out.(type) {
	case Result:
		r = v
	case *Result:
		if v != nil {
			r = *v
		}
	case envelope.Envelope, *envelope.Envelope:
		if err == nil {
			return out
		}
		r = Result{Content: out}
	default:
		r = Result{Content: out}
	}
	if err != nil {
		r.Err = err
	}
	if r.Args == nil {
		r.Args = args
	}
	return r
}
