package clip

import (
	"context"
	"errors"
	"io"
	"time"
)

// grace is how long closing a writing tool waits for it to return. A tool that
// heeds its context returns at once.
const grace = 250 * time.Millisecond

// errStopped is what a writing tool's Write returns once nobody reads.
var errStopped = errors.New("clip: the result is no longer read")

// Writing turns a tool that writes its result into one that returns a Reader, for
// any of the Wraps:
//
//	run := clip.Wrap(c, clip.Writing(func(ctx context.Context, in In, w io.Writer) error {
//		cmd := exec.CommandContext(ctx, "make", in.Target)
//		cmd.Stdout, cmd.Stderr = w, w
//		return cmd.Run()
//	}))
//
// fn runs in a goroutine of its own while its output is read; the error that it
// returns comes after all it has written, a panic as a *[PanicError]. When the
// context ends, writes fail, and what was written so far is the result. A tool
// that ignores both its context and its writes keeps that goroutine until it
// returns; nobody waits for it longer than a quarter of a second.
func Writing[C context.Context, In any](fn func(C, In, io.Writer) error) func(C, In) (io.Reader, error) {
	return func(ctx C, in In) (io.Reader, error) {
		pr, pw := io.Pipe()
		r := &written{PipeReader: pr, done: make(chan struct{})}
		go func() {
			defer close(r.done)
			err := errors.New("clip: the tool ended its goroutine") // runtime.Goexit runs the defers alone
			defer func() { pw.CloseWithError(err) }()
			defer recovered(&err)
			err = fn(ctx, in, pw)
		}()
		return r, nil
	}
}

// written is the reading end of a tool that writes.
type written struct {
	*io.PipeReader
	done chan struct{}
}

// Close makes the tool's writes fail and gives it time to return.
func (w *written) Close() error {
	err := w.CloseWithError(errStopped)
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-w.done:
	case <-t.C:
	}
	return err
}
