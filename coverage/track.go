package coverage

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Track passes seq on and counts each item that the consumer took as loaded: after
// its loop body ended, also by break. An item in whose body the consumer panics is
// counted as failed, and so is one whose id panics. Items that are never taken are not counted, so that they are
// missed.
func Track[T any](l *Ledger, seq iter.Seq[T], id func(T) string) iter.Seq[T] {
	return func(yield func(T) bool) {
		for item := range seq {
			if !track(l, item, id, yield) {
				return
			}
		}
	}
}

func track[T any](l *Ledger, item T, idOf func(T) string, take func(T) bool) bool {
	id, message, done := "", "the function that takes the id panicked", false
	defer func() {
		if !done {
			l.Failed(id, Reason{Code: Panicked, Layer: LayerCapture, Message: message})
		}
	}()
	id, message = idOf(item), "the consumer panicked"
	more := take(item)
	done = true
	l.Loaded(id, nil)
	return more
}

// TrackErr is Track for a sequence whose items may be errors, as readers of pages
// and rows are. A pair with an error is passed on and noted: the ledger isn't
// complete any more, and the error explains what of an expected universe did not
// come. Its item is not looked at. Cancelled contexts and deadlines are told from
// sources that stopped.
func TrackErr[T any](l *Ledger, seq iter.Seq2[T, error], id func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range seq {
			var more bool
			if err != nil {
				l.Note(Reason{Code: codeOf(err), Message: fmt.Sprint(err)})
				more = yield(item, err)
			} else {
				more = track(l, item, id, func(item T) bool { return yield(item, nil) })
			}
			if !more {
				return
			}
		}
	}
}

// codeOf is why reading stopped with err.
func codeOf(err error) Code {
	switch {
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return TimeLimit
	}
	return ReadFailed
}
