package clip

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/toolclip/toolclip/artifact"
)

// saver keeps one content in the store while it is read. A store that fails or
// panics never fails the tool: the error is kept and the rest is not saved.
//
// It hashes and writes in a goroutine of its own while the same bytes are read for
// their view; the goroutine ends with commit.
type saver struct {
	w    artifact.Writer
	err  error // only the goroutine touches it until commit
	in   chan []byte
	done chan struct{}
	over bool // commit has begun
}

// save begins an artifact. Cancelling the call does not cancel it: what was read
// is kept.
func (c *Clipper) save(ctx context.Context, who Caller, s source, r *Result) *saver {
	if c.cfg.Store == nil {
		return nil
	}
	d := artifact.Draft{Scope: who.Scope, TTL: c.cfg.TTL, MediaType: s.mediaType, Source: r.Source, Version: r.Version}
	sv := &saver{in: make(chan []byte), done: make(chan struct{})}
	sv.try(func() (err error) {
		sv.w, err = c.cfg.Store.Create(context.WithoutCancel(ctx), d)
		return err
	})
	go sv.run()
	return sv
}

func (s *saver) run() {
	for p := range s.in {
		if s.err == nil {
			s.try(func() error { return writeAll(s.w, p) })
		}
		s.done <- struct{}{}
	}
	close(s.done)
}

func writeAll(w artifact.Writer, p []byte) error {
	n, err := w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return err
}

// begin saves p in the background; wait must follow before p changes.
func (s *saver) begin(p []byte) {
	if s != nil {
		s.in <- p
	}
}

func (s *saver) wait() {
	if s != nil {
		<-s.done
	}
}

// abandon ends a saver that was not committed.
func (s *saver) abandon() {
	if s == nil || s.over {
		return
	}
	s.over = true
	close(s.in)
	<-s.done
	s.fail(errAbandoned)
}

var errAbandoned = errors.New("clip: reading the result was given up")

// incomplete tells the store, if it takes it, why these are not all bytes of the
// source, so that whoever reads the artifact later is told too.
func (s *saver) incomplete(why string) {
	if s == nil || s.w == nil {
		return
	}
	if m, ok := s.w.(artifact.Marker); ok {
		_ = protectErr(func() error { m.MarkIncomplete(why); return nil })
	}
}

// commit ends the artifact of n bytes. nil, nil: there is no store.
func (s *saver) commit(ctx context.Context, n int64) (*artifact.Info, error) {
	if s == nil {
		return nil, nil
	}
	s.over = true
	close(s.in)
	<-s.done
	if s.err != nil {
		return nil, s.err
	}
	var info artifact.Info
	s.try(func() (err error) {
		info, err = s.w.Commit(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		return credible(info, n)
	})
	if s.err != nil {
		return nil, s.err
	}
	return &info, nil
}

// try runs one step and, when it fails, abandons the artifact.
func (s *saver) try(step func() error) {
	err := func() (err error) {
		defer recovered(&err)
		return step()
	}()
	if err != nil {
		s.fail(err)
	}
}

// fail abandons the artifact.
func (s *saver) fail(err error) {
	s.err = err
	if s.w != nil {
		func() {
			defer recovered(new(error))
			_ = s.w.Abort()
		}()
	}
}

// credible checks what a store says about an artifact of n bytes: a model is never
// given a handle that can't be right.
func credible(info artifact.Info, n int64) error {
	if _, err := artifact.ParseHandle(string(info.Handle)); err != nil {
		return fmt.Errorf("clip: the store gave no valid handle: %w", err)
	}
	if info.Size != n {
		return fmt.Errorf("clip: the store kept %d of %d bytes", info.Size, n)
	}
	return nil
}
