package artifact

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The states of a handle, for errors.Is. Only ErrNotFound is ever told to a
// caller outside the artifact's scope.
var (
	ErrNotFound    = errors.New("artifact: not found")         // never was, or is forgotten, or is not yours
	ErrExpired     = errors.New("artifact: expired")           // its time is over: fetch it again
	ErrDeleted     = errors.New("artifact: deleted")           // somebody in the scope deleted it
	ErrCorrupt     = errors.New("artifact: corrupt")           // the stored bytes are not those that were saved
	ErrIncomplete  = errors.New("artifact: incomplete")        // a Writer that lacks bytes: nothing was saved
	ErrUnavailable = errors.New("artifact: store unavailable") // the store can't answer now: try again
	ErrOverQuota   = errors.New("artifact: over quota")        // saving it would exceed a limit
)

// ErrOutcomeUnknown is a Commit or Delete that failed so late that it may have
// been done. Create again with the same idempotency key, or Delete again, to
// find out.
var ErrOutcomeUnknown = errors.New("artifact: outcome unknown")

// ErrKeyReused is a Commit of other bytes under an idempotency key that already
// names an artifact. Nothing was saved; the first artifact is as it was.
var ErrKeyReused = errors.New("artifact: idempotency key already names other bytes")

// ErrDraft is a Draft that no store takes.
var ErrDraft = errors.New("artifact: bad draft")

// Error is the detail behind each of the sentinels:
//
//	var e *artifact.Error
//	if errors.As(err, &e) && errors.Is(err, artifact.ErrExpired) {
//		log.Print("expired at ", e.At)
//	}
//
// A not-found Error has State alone, so that strangers learn nothing from it.
type Error struct {
	State  error     // one of the sentinels
	Handle Handle    // empty for not found and before there is one
	At     time.Time // when it expired or was deleted
	Offset int64     // corrupt: of the first byte of the damaged block; -1: not a block, see Cause
	Limit  int64     // over quota: the limit, in the unit that Cause names
	Cause  error     // may be nil
}

// Error says what is wrong and, where there is one, the cause.
func (e *Error) Error() string {
	s := e.State.Error()
	switch {
	case e.State == ErrCorrupt && e.Offset >= 0:
		s = fmt.Sprintf("%s: block at byte %d", s, e.Offset)
	case e.State == ErrOverQuota:
		s = fmt.Sprintf("%s: limit %d", s, e.Limit)
	case !e.At.IsZero():
		s = fmt.Sprintf("%s at %s", s, e.At.UTC().Format(time.RFC3339))
	}
	if e.Cause != nil {
		s = fmt.Sprintf("%s: %v", s, e.Cause)
	}
	return s
}

// Unwrap returns the state and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.State}
	}
	return []error{e.State, e.Cause}
}

// notFound is the one answer to strangers, and to the owner of what never was.
func notFound() error { return &Error{State: ErrNotFound} }

// failed is err of a Backend as a caller gets it: the context's error as it is,
// an Error with its handle, anything else as ErrUnavailable.
func failed(ctx context.Context, h Handle, err error) error {
	if err == nil {
		return nil
	}
	if cerr := ctx.Err(); cerr != nil {
		return cerr
	}
	var e *Error
	if errors.As(err, &e) {
		c := *e
		if c.State != ErrNotFound {
			c.Handle = h
		}
		return &c
	}
	return &Error{State: ErrUnavailable, Handle: h, Cause: err}
}

func isNotFound(err error) bool { return errors.Is(err, ErrNotFound) }
