package clip

import (
	"context"

	"github.com/toolclip/toolclip/artifact"
)

// saver keeps one content in the store while it is read. A store that fails or
// panics never fails the tool: the error is kept and the rest is not saved.
type saver struct {
	w   artifact.Writer
	err error
}

// save begins an artifact. Cancelling the call does not cancel it: what was read
// is kept.
func (c *Clipper) save(ctx context.Context, who Caller, s source, r *Result) *saver {
	if c.cfg.Store == nil {
		return nil
	}
	d := artifact.Draft{Scope: who.Scope, TTL: c.cfg.TTL, MediaType: s.mediaType, Source: r.Source, Version: r.Version}
	sv := &saver{}
	sv.try(func() (err error) {
		sv.w, err = c.cfg.Store.Create(context.WithoutCancel(ctx), d)
		return err
	})
	return sv
}

func (s *saver) write(p []byte) {
	if s == nil || s.err != nil {
		return
	}
	s.try(func() error {
		_, err := s.w.Write(p)
		return err
	})
}

// commit ends the artifact. nil, nil: there is no store.
func (s *saver) commit(ctx context.Context) (*artifact.Info, error) {
	if s == nil || s.err != nil {
		return nil, s.failed()
	}
	var info artifact.Info
	s.try(func() (err error) {
		info, err = s.w.Commit(context.WithoutCancel(ctx))
		return err
	})
	if s.err != nil {
		return nil, s.err
	}
	return &info, nil
}

func (s *saver) failed() error {
	if s == nil {
		return nil
	}
	return s.err
}

// try runs one step and, when it fails, abandons the artifact.
func (s *saver) try(step func() error) {
	err := func() (err error) {
		defer recovered(&err)
		return step()
	}()
	if err == nil {
		return
	}
	s.err = err
	if s.w != nil {
		func() {
			defer recovered(new(error))
			_ = s.w.Abort()
		}()
	}
}
