package clip

import (
	"fmt"
	"runtime/debug"

	"github.com/toolclip/toolclip/envelope"
)

// PanicError is a panic in a tool, in its Reader or in a hook, as an error. Stack
// is for logs; the model is never shown it.
type PanicError struct {
	Value any
	Stack []byte
}

// Error says that the tool panicked, and with what.
func (e *PanicError) Error() string { return fmt.Sprintf("the tool panicked: %.500v", e.Value) }

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// recovered turns a panic into an error; it must be deferred itself.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}

func protectErr(fn func() error) (err error) {
	defer recovered(&err)
	return fn()
}

// guarded keeps a fault of the library's own, or of a hook that it calls, from the
// caller: it becomes a Failure and a [PanicError].
func (c *Clipper) guarded(fn func() (envelope.Envelope, error)) (e envelope.Envelope, err error) {
	defer func() {
		if err != nil && e.Schema == "" {
			e = c.failed(err)
		}
	}()
	defer recovered(&err)
	return fn()
}

// failed is an envelope without content.
func (c *Clipper) failed(err error) envelope.Envelope {
	e := envelope.Envelope{Schema: envelope.Schema, Tool: c.cfg.Tool, Failure: envelope.FailureOf(err)}
	e.Acquired = envelope.AcquiredUnknown
	_ = protectErr(func() error { e = c.within(e); return nil })
	return e
}
