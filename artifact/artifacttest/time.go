package artifacttest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/toolclip/toolclip/artifact"
)

func announced(c *check) {
	s := c.store(artifact.Options{TTL: time.Hour})
	start := c.clock.now()
	for ttl, want := range map[time.Duration]time.Time{
		0:                start.Add(time.Hour),
		time.Nanosecond:  start.Add(time.Nanosecond),
		90 * time.Minute: start.Add(90 * time.Minute),
		1e9 * 3600 * 876: start.Add(1e9 * 3600 * 876),
		-1:               {},
	} {
		c.clock.set(start)
		i := c.save(s, artifact.Draft{Scope: mine, TTL: ttl}, []byte("x"))
		if !i.ExpiresAt.Equal(want) {
			c.fail("TTL %v from %v: ExpiresAt is %v, want %v", ttl, start, i.ExpiresAt, want)
		}
		if want.IsZero() {
			c.clock.add(200 * 365 * 24 * time.Hour)
			c.same(s, mine, i.Handle, []byte("x"))
			continue
		}
		c.clock.set(want.Add(-time.Nanosecond))
		c.same(s, mine, i.Handle, []byte("x"))
		c.clock.set(want)
		c.expired(s, i)
		c.clock.add(time.Hour)
		c.expired(s, i)
	}
}

// expired fails unless the owner is told that i has expired, and when.
func (c *check) expired(s artifact.Store, i artifact.Info) {
	for call, f := range every {
		err := f(s, mine, i.Handle)
		c.is(err, artifact.ErrExpired, call+" at or after ExpiresAt")
		var e *artifact.Error
		if !errors.As(err, &e) || !e.At.Equal(i.ExpiresAt) || e.Handle != i.Handle {
			c.fail("%s of an expired artifact: %#v does not say which and when (%v)", call, err, i.ExpiresAt)
		}
	}
}

func fromCommit(c *check) {
	s := c.store(artifact.Options{TTL: time.Hour})
	w := c.create(s, artifact.Draft{Scope: mine})
	c.clock.add(50 * time.Minute)
	_, err := w.Write([]byte("slow"))
	c.ok(err, "Write")
	c.clock.add(50 * time.Minute)
	i, err := w.Commit(bg)
	c.ok(err, "Commit")
	if want := c.clock.now().Add(time.Hour); !i.ExpiresAt.Equal(want) {
		c.fail("ExpiresAt is %v, want an hour from Commit, %v", i.ExpiresAt, want)
	}
	c.same(s, mine, i.Handle, []byte("slow"))
}

func expiredStays(c *check) {
	s := c.store(artifact.Options{TTL: time.Hour, Grace: time.Minute, Remember: 24 * time.Hour})
	i := c.save(s, artifact.Draft{Scope: mine}, []byte("x"))
	kept := c.save(s, artifact.Draft{Scope: mine, TTL: -1}, []byte("kept"))
	c.clock.add(time.Hour)
	c.expired(s, i)
	for range 3 {
		c.sweep(s)
		c.expired(s, i)
		c.clock.add(2 * time.Minute)
	}
	c.same(s, mine, kept.Handle, []byte("kept"))
	c.clock.add(48 * time.Hour)
	c.sweep(s)
	_, err := s.Stat(bg, mine, i.Handle)
	c.is(err, artifact.ErrNotFound, "Stat after the tombstone is forgotten")
	c.same(s, mine, kept.Handle, []byte("kept"))
}

// clockJumps turns the clock by ten years and back, with sweeps meanwhile.
func clockJumps(c *check) {
	s := c.store(artifact.Options{TTL: time.Hour, Grace: time.Minute})
	i := c.save(s, artifact.Draft{Scope: mine}, []byte("x"))
	now := c.clock.now()
	const years = 10 * 365 * 24 * time.Hour
	for _, jump := range []time.Duration{years, years + 2*time.Minute, -years, time.Hour, time.Hour + 2*time.Minute, -time.Hour} {
		c.clock.set(now.Add(jump))
		c.sweep(s)
		c.clock.set(now)
		c.same(s, mine, i.Handle, []byte("x"))
		c.sweep(s)
		c.same(s, mine, i.Handle, []byte("x"))
	}
	c.clock.set(now.Add(time.Hour))
	for range 3 {
		c.sweep(s)
		c.clock.add(2 * time.Minute)
	}
	c.clock.set(now) // a clock that goes back does not bring it back
	c.expired(s, i)
}

func deleted(c *check) {
	s := c.store(artifact.Options{Remember: 24 * time.Hour})
	i := c.save(s, artifact.Draft{Scope: mine}, []byte("x"))
	c.clock.add(time.Second)
	at := c.clock.now()
	c.ok(s.Delete(bg, mine, i.Handle), "Delete")
	c.clock.add(time.Second)
	for call, f := range every {
		err := f(s, mine, i.Handle)
		c.is(err, artifact.ErrDeleted, call+" after Delete")
		var e *artifact.Error
		if !errors.As(err, &e) || !e.At.Equal(at) || e.Handle != i.Handle {
			c.fail("%s of a deleted artifact: %#v does not say which and when (%v)", call, err, at)
		}
	}
	c.clock.set(i.ExpiresAt.Add(time.Hour))
	_, err := s.Stat(bg, mine, i.Handle)
	c.is(err, artifact.ErrDeleted, "Stat after Delete and its time")
}

// openReader deletes and sweeps under an open Reader.
func openReader(c *check) {
	s := c.store(artifact.Options{TTL: time.Hour, Grace: time.Minute})
	data := noise(500_000)
	use := func(r artifact.Reader, state error) {
		got := make([]byte, len(data))
		done := make(chan error, 1)
		go func() {
			_, err := r.ReadAt(got, 0)
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil && err != io.EOF {
				c.is(err, state, "reading on")
			} else if !bytes.Equal(got, data) {
				c.fail("an open Reader gave other bytes")
			}
		case <-time.After(20 * time.Second):
			c.fail("an open Reader stalled")
		}
	}
	i := c.save(s, artifact.Draft{Scope: mine}, data)
	c.open(s, mine, i.Handle, func(r artifact.Reader) {
		use(r, nil)
		c.ok(s.Delete(bg, mine, i.Handle), "Delete")
		use(r, artifact.ErrDeleted)
	})
	i = c.save(s, artifact.Draft{Scope: mine}, data)
	c.open(s, mine, i.Handle, func(r artifact.Reader) {
		c.clock.add(time.Hour)
		use(r, artifact.ErrExpired)
		for range 3 {
			c.sweep(s)
			use(r, artifact.ErrExpired)
			c.clock.add(2 * time.Minute)
		}
	})
}

func contexts(c *check) {
	s := c.store(artifact.Options{MaxCount: 2})
	done, cancel := context.WithCancel(bg)
	cancel()
	_, err := s.Create(done, artifact.Draft{Scope: mine})
	c.is(err, context.Canceled, "Create with a context that is done")

	for writes := range 3 { // the context of Create ends the Writer
		ctx, cancel := context.WithCancel(bg)
		w, err := s.Create(ctx, artifact.Draft{Scope: mine})
		c.ok(err, "Create")
		for range writes {
			_, err := w.Write(noise(300_000))
			c.ok(err, "Write")
		}
		cancel()
		_, err = w.Write([]byte("x"))
		c.is(err, context.Canceled, "Write after the context of Create ended")
		_, err = w.Commit(bg)
		c.is(err, context.Canceled, "Commit after the context of Create ended")
		c.ok(w.Abort(), "Abort")
	}
	w := c.create(s, artifact.Draft{Scope: mine})
	_, err = w.Commit(done)
	c.is(err, context.Canceled, "Commit with a context that is done")

	i := c.save(s, artifact.Draft{Scope: mine}, noise(100_000))
	ctx, cancel := context.WithCancel(bg)
	r, err := s.Open(ctx, mine, i.Handle)
	c.ok(err, "Open")
	_, err = r.ReadAt(make([]byte, 10), 0)
	c.ok(err, "ReadAt")
	cancel()
	_, err = r.ReadAt(make([]byte, 10), 0)
	c.is(err, context.Canceled, "ReadAt after the context of Open ended")
	c.ok(r.Close(), "Close")
	_, err = s.Open(done, mine, i.Handle)
	c.is(err, context.Canceled, "Open with a context that is done")
	_, err = s.Stat(done, mine, i.Handle)
	c.is(err, context.Canceled, "Stat with a context that is done")
	c.is(s.Delete(done, mine, i.Handle), context.Canceled, "Delete with a context that is done")
	c.same(s, mine, i.Handle, noise(100_000))
}
