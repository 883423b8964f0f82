package envelope

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// Effect is what a failed call did.
type Effect string

// The effects. A call whose effect is unknown is never retried by itself: it may
// have been done.
const (
	EffectNone    Effect = "none"
	EffectDone    Effect = "done"
	EffectUnknown Effect = "unknown"
)

// Retry says whether calling again can help.
type Retry string

// The retries.
const (
	RetryNever       Retry = "never"
	RetryAfterChange Retry = "after_change" // with other arguments
	RetryLater       Retry = "later"        // the same call, after Failure.Wait
)

// Handler says who can do something about a failure.
type Handler string

// The handlers. The model is told to leave alone what is the program's or a
// person's.
const (
	HandlerModel   Handler = "model"
	HandlerProgram Handler = "program"
	HandlerPerson  Handler = "person"
)

// Failure is an error that a model can act on. A tool returns a *Failure as its
// error, alone or joined with or wrapped round its cause. The zero Failure says
// that nothing is known: effect unknown, retry never.
type Failure struct {
	Kind    string  `json:"kind"`                  // what sort of failure, for programs: "bad_argument"
	Message string  `json:"message"`               // what went wrong, for the model
	Effect  Effect  `json:"effect"`                // what the call did all the same
	Advice  string  `json:"advice,omitempty"`      // what to do next, for the model
	Retry   Retry   `json:"retry"`                 // whether calling again can help
	Wait    int     `json:"waitSeconds,omitempty"` // with RetryLater: not before; 0 is not known
	Handler Handler `json:"handler"`               // who can do something about it
	Exit    *int    `json:"exit,omitempty"`        // the exit status of a process; nil: there was none
}

// Error is the message. For errors.Is on a cause, join: errors.Join(failure, cause).
func (f *Failure) Error() string { return f.Message }

// The kinds that this package gives. A tool may give others.
const (
	kindArgument     = "bad_argument"
	kindRefused      = "refused"
	kindUnknown      = "outcome_unknown"
	kindQuota        = "over_quota"
	kindExpired      = "expired"
	kindUnavailable  = "unavailable"
	kindCancelled    = "cancelled"
	kindTimeout      = "timeout"
	kindExit         = "exit_status"
	kindSignal       = "signal"
	kindNotFound     = "not_found"
	kindUnauthorized = "permission"
	kindError        = "error"
)

// BadArgument says that the argument name had the value got, and which values are
// valid; nothing was done. Without valid values it says only that got is not one.
func BadArgument(name, got string, valid ...string) *Failure {
	f := &Failure{
		Kind: kindArgument, Message: english("fail.argument", label(name, maxName), strconv.Quote(visible(got, maxName))),
		Effect: EffectNone, Retry: RetryAfterChange, Handler: HandlerModel,
	}
	if len(valid) > 0 {
		f.Advice = english("fail.choose", label(name, maxName), alternatives(valid))
	}
	return f
}

// maxAlternatives is the most valid values that an advice lists; more are counted.
const maxAlternatives = 20

func alternatives(valid []string) string {
	var b strings.Builder
	for i, v := range valid[:min(len(valid), maxAlternatives)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(visible(v, maxName)))
	}
	if more := len(valid) - maxAlternatives; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// Refused says that a rule of the business forbade the call, and what to do
// instead; nothing was done.
func Refused(rule, advice string) *Failure {
	return &Failure{
		Kind: kindRefused, Message: rule, Advice: advice,
		Effect: EffectNone, Retry: RetryAfterChange, Handler: HandlerModel,
	}
}

// OutcomeUnknown says that what (a write, a payment) may or may not have happened,
// as after a time-out. It is not to be called again before somebody has looked.
func OutcomeUnknown(what string) *Failure {
	return &Failure{
		Kind: kindUnknown, Message: english("fail.outcome", what), Advice: english("fail.outcome.next"),
		Effect: EffectUnknown, Retry: RetryNever, Handler: HandlerModel,
	}
}

// OverQuota says that a limit on what was reached, and when there may be room
// again; 0 is not known. Nothing was done.
func OverQuota(what string, wait time.Duration) *Failure {
	return &Failure{
		Kind: kindQuota, Message: english("fail.quota", what),
		Effect: EffectNone, Retry: RetryLater, Wait: seconds(wait), Handler: HandlerModel,
	}
}

// seconds rounds up, so that nobody calls too early.
func seconds(d time.Duration) int {
	whole := max(0, d) / time.Second
	if d > whole*time.Second {
		whole++
	}
	return int(whole)
}

// Expired says that a saved result is no longer there since at (the zero time is
// not known), and how to get it anew; nothing was done.
func Expired(what string, at time.Time, advice string) *Failure {
	m := english("fail.expired", what)
	if !at.IsZero() {
		m = english("fail.expired.at", what, clock(at))
	}
	return &Failure{
		Kind: kindExpired, Message: m, Advice: advice,
		Effect: EffectNone, Retry: RetryAfterChange, Handler: HandlerModel,
	}
}

// Unavailable says that what (a service, a store) does not answer now. Nothing was
// done, and the same call may succeed after wait; 0 is not known.
func Unavailable(what string, wait time.Duration) *Failure {
	return &Failure{
		Kind: kindUnavailable, Message: english("fail.unavailable", what),
		Effect: EffectNone, Retry: RetryLater, Wait: seconds(wait), Handler: HandlerModel,
	}
}

// FailureOf makes a Failure of any error: the *Failure in its chain, else one that
// says what can be told from its type (cancelled, timed out, an exit status, not
// found, no permission). The effect of such an error is unknown, unless the error
// says more; the message is the error's, on one line, at most 2048 bytes, whole
// runes. FailureOf(nil) is nil.
//
// A *Failure is returned as it is, unless its strings are longer than 8 KiB: then a
// copy with shorter ones is.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	if f := find(err); f != nil {
		return f.limited()
	}
	f := &Failure{
		Kind: kindError, Message: errorText(err),
		Effect: EffectUnknown, Retry: RetryNever, Handler: HandlerModel,
	}
	f.classify(err)
	return f
}

// ReadFailureOf is FailureOf for a call that can only have read: nothing was done, so
// that the same call may be made again later, unless its arguments are what is wrong. A
// *Failure in err's chain says itself what was done, and stays as it is.
func ReadFailureOf(err error) *Failure {
	f := FailureOf(err)
	if f == nil || find(err) != nil {
		return f
	}
	f.Effect = EffectNone
	switch f.Kind {
	case kindTimeout:
		f.Retry, f.Advice = RetryLater, english("fail.timeout.read")
	case kindError:
		f.Retry = RetryLater
	}
	return f
}

// maxOwn is the most of a string of a tool's own Failure, in bytes.
const maxOwn = 8 << 10

// limited is f, or a copy with shorter strings.
func (f *Failure) limited() *Failure {
	if max(len(f.Kind), len(f.Message), len(f.Advice)) <= maxOwn {
		return f
	}
	g := *f
	for _, s := range []*string{&g.Kind, &g.Message, &g.Advice} {
		*s = shortened(*s, maxOwn)
	}
	return &g
}

// find is the *Failure in err's chain, or nil.
func find(err error) (f *Failure) {
	defer func() { _ = recover() }()
	errors.As(err, &f)
	return f
}

// errorText is err's text; errors are foreign code and may panic.
func errorText(err error) (s string) {
	defer func() {
		if recover() != nil {
			s = fmt.Sprintf("an error of type %T", err)
		}
	}()
	return visible(err.Error(), maxString)
}

// classify tells what err's type says. A process that ended has an exit status, unless
// a signal ended it.
func (f *Failure) classify(err error) {
	defer func() { _ = recover() }() // an Is, As or Unwrap of the caller's may do anything
	var exit interface{ ExitCode() int }
	var slow interface{ Timeout() bool } // of context, net and os
	switch {
	case errors.Is(err, context.Canceled):
		f.Kind, f.Handler = kindCancelled, HandlerProgram
	case errors.As(err, &slow) && slow.Timeout():
		f.Kind = kindTimeout
		f.Advice = english("fail.timeout.next")
	case errors.As(err, &exit):
		f.Kind, f.Retry = kindSignal, RetryAfterChange
		if code := exit.ExitCode(); code >= 0 {
			f.Kind, f.Exit = kindExit, &code
		}
	case errors.Is(err, fs.ErrNotExist):
		f.Kind, f.Retry = kindNotFound, RetryAfterChange
	case errors.Is(err, fs.ErrPermission):
		f.Kind, f.Handler = kindUnauthorized, HandlerPerson
	}
}
