package coverage

import "iter"

// Track passes seq on and counts each item that the consumer took as loaded: after
// its loop body ended, also by break. An item in whose body the consumer panics is
// counted as failed. Items that are never taken are not counted, so that they are
// missed.
func Track[T any](l *Ledger, seq iter.Seq[T], id func(T) string) iter.Seq[T] {
	return func(yield func(T) bool) {
		for item := range seq {
			if !track(l, id(item), func() bool { return yield(item) }) {
				return
			}
		}
	}
}

func track(l *Ledger, id string, take func() bool) bool {
	done := false
	defer func() {
		if !done {
			l.Failed(id, Reason{Code: Panicked, Layer: LayerCapture, Message: "the consumer panicked"})
		}
	}()
	more := take()
	done = true
	l.Loaded(id, nil)
	return more
}
