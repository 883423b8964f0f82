package clip

import (
	"context"
	"errors"
	"fmt"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// Errors of tools are code of others: a typed nil in an error, a method that
// panics must not take the call down with it.

// joined is the one error there is, or all of them joined.
func joined(errs []error) error {
	var some []error
	for _, err := range errs {
		if err != nil && !seen(some, err) {
			some = append(some, err)
		}
	}
	if len(some) == 1 {
		return some[0]
	}
	return errors.Join(some...)
}

func seen(errs []error, err error) bool {
	for _, e := range errs {
		if is(e, err) || is(err, e) {
			return true
		}
	}
	return false
}

// stopped notes that the tool did not get to the end of this content.
func (t *content) stopped(err error) {
	t.err = err
	if exited(err) {
		return // the command came to its own end, and all of its output was read
	}
	t.acquired, t.goesOn = envelope.AcquiredNo, true
	r := coverage.Reason{Code: coverage.ReadFailed, Layer: coverage.LayerTransport, Where: fmt.Sprintf("byte %d", t.in.n), Message: says(err)}
	switch {
	case is(err, context.DeadlineExceeded):
		r.Code, r.Retryable = coverage.TimeLimit, true
	case is(err, context.Canceled):
		r.Code, r.Retryable = coverage.Cancelled, true
	case panicked(err):
		r.Code, r.Layer = coverage.Panicked, coverage.LayerSource
	}
	t.reasons = append(t.reasons, r)
}

// exited reports whether err is a command's own exit status (os/exec.ExitError),
// and not the death by a signal.
func exited(err error) (yes bool) {
	defer func() { _ = recover() }()
	var x interface{ ExitCode() int }
	return errors.As(err, &x) && x.ExitCode() >= 0
}

func panicked(err error) (yes bool) {
	defer func() { _ = recover() }()
	var p *PanicError
	return errors.As(err, &p)
}

// is is errors.Is for errors of others, whose methods may panic.
func is(err, target error) (yes bool) {
	defer func() { _ = recover() }()
	return errors.Is(err, target)
}

// failureOf is a tool's error as the model is told it.
func (c *Clipper) failureOf(err error) *envelope.Failure {
	if c.cfg.ReadOnly {
		return envelope.ReadFailureOf(err)
	}
	return envelope.FailureOf(err)
}

// says is the text of an error of others, for people.
func says(err error) string { return short(envelope.FailureOf(err).Message) }
