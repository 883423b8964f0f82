package coverage

import "iter"

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
