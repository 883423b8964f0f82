package artifact

import (
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
	ErrIncomplete  = errors.New("artifact: incomplete")        // begun, never committed
	ErrUnavailable = errors.New("artifact: store unavailable") // the store can't answer now: try again
	ErrOverQuota   = errors.New("artifact: over quota")        // saving it would exceed a limit
)

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
	Handle Handle    // empty for not found
	At     time.Time // when it expired or was deleted
	Offset int64     // of the first byte of the corrupt block
	Limit  int64     // the quota, in the unit that Cause names
	Cause  error     // may be nil
}

// Error says what is wrong and, where there is one, the cause.
func (e *Error) Error() string {
	s := e.State.Error()
	switch {
	case e.State == ErrCorrupt:
		s = fmt.Sprintf("%s: block at byte %d", s, e.Offset)
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
