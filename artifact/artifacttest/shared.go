package artifacttest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/toolclip/toolclip/artifact"
)

func concurrent(c *check) {
	s := c.store(artifact.Options{})
	c.parallel(16, func(i int) error {
		sc := artifact.Scope{User: fmt.Sprint(i % 4)}
		for round := range 4 {
			data := noise(1 + i*7919 + round*100_003)
			info, err := trySave(s, artifact.Draft{Scope: sc}, data)
			if err != nil {
				return err
			}
			if err := readTogether(s, sc, info.Handle, data); err != nil {
				return err
			}
			if err := s.Delete(bg, sc, info.Handle); err != nil {
				return fmt.Errorf("calling Delete: %w", err)
			}
			if _, err := s.Stat(bg, sc, info.Handle); !errors.Is(err, artifact.ErrDeleted) {
				return fmt.Errorf("calling Stat after Delete: %v", err)
			}
		}
		return nil
	})
}

// readTogether reads one Reader from three goroutines.
func readTogether(s artifact.Store, sc artifact.Scope, h artifact.Handle, data []byte) error {
	r, err := s.Open(bg, sc, h)
	if err != nil {
		return fmt.Errorf("calling Open: %w", err)
	}
	errs := make(chan error, 3)
	for part := range 3 {
		go func() {
			from, to := len(data)*part/3, len(data)*(part+1)/3
			got := make([]byte, to-from)
			_, err := r.ReadAt(got, int64(from))
			if err == io.EOF {
				err = nil
			}
			if err == nil && !bytes.Equal(got, data[from:to]) {
				err = errors.New("concurrent reads of one Reader gave other bytes")
			}
			errs <- err
		}()
	}
	return errors.Join(<-errs, <-errs, <-errs, r.Close())
}

func reopened(c *check) {
	s := c.store(artifact.Options{TTL: time.Hour, MaxBytes: 1000})
	kept := c.save(s, artifact.Draft{Scope: mine, TTL: -1, IdempotencyKey: "k"}, noise(700))
	gone := c.save(s, artifact.Draft{Scope: mine}, noise(100))
	late := c.save(s, artifact.Draft{Scope: mine}, noise(100))
	c.ok(s.Delete(bg, mine, gone.Handle), "Delete")
	again := c.reopen(s)
	i, err := again.Stat(bg, mine, kept.Handle)
	c.ok(err, "Stat in the second store")
	if i != kept {
		c.fail("the second store says %+v, the first said %+v", i, kept)
	}
	c.same(again, mine, kept.Handle, noise(700))
	_, err = again.Stat(bg, mine, gone.Handle)
	c.is(err, artifact.ErrDeleted, "Stat of a deleted artifact in the second store")
	_, err = again.Stat(bg, artifact.Scope{}, kept.Handle)
	c.is(err, artifact.ErrNotFound, "a stranger's Stat in the second store")
	_, err = trySave(again, artifact.Draft{Scope: mine}, noise(201))
	c.over(err, 1000, "saving over the quota in the second store")
	if j := c.save(again, artifact.Draft{Scope: mine, IdempotencyKey: "k"}, noise(700)); j != kept {
		c.fail("the key gave %+v in the second store, %+v in the first", j, kept)
	}
	c.clock.add(time.Hour)
	c.expired(again, late)
}

func twoStores(c *check) {
	s := c.store(artifact.Options{Grace: -1, TTL: time.Hour})
	stores := []artifact.Store{s, c.reopen(s)}
	c.agree(func(i int) artifact.Store { return stores[i%4/2] })
	c.parallel(8, func(i int) error { // what one deletes is deleted for the other
		a, b := stores[i%2], stores[1-i%2]
		for range 10 {
			info, err := trySave(a, artifact.Draft{Scope: mine}, noise(1000))
			if err != nil {
				return err
			}
			if got, err := load(b, mine, info.Handle); err != nil || !bytes.Equal(got, noise(1000)) {
				return fmt.Errorf("reading in the other store: %d bytes, %v", len(got), err)
			}
			if err := b.Delete(bg, mine, info.Handle); err != nil {
				return fmt.Errorf("calling Delete in the other store: %w", err)
			}
			if _, err := a.Stat(bg, mine, info.Handle); !errors.Is(err, artifact.ErrDeleted) {
				return fmt.Errorf("calling Stat after the other store's Delete: %v", err)
			}
		}
		return nil
	})
	i := c.save(s, artifact.Draft{Scope: mine}, []byte("x"))
	c.clock.add(time.Hour)
	c.parallel(8, func(n int) error {
		if sw, ok := stores[n%2].(Sweeper); ok {
			_, err := sw.Sweep(bg)
			return err
		}
		return nil
	})
	for _, s := range stores {
		c.expired(s, i)
	}
}

func corrupt(c *check) {
	if c.h.Corrupt == nil {
		panic(unproven("Harness.Corrupt is nil"))
	}
	const size = 300_000
	data := noise(size)
	for _, off := range []int64{0, 1, 70_000, size / 2, size - 1} {
		s := c.store(artifact.Options{})
		i := c.save(s, artifact.Draft{Scope: mine}, data)
		c.ok(c.h.Corrupt(s, mine, i.Handle, off), "Harness.Corrupt")
		c.open(s, mine, i.Handle, func(r artifact.Reader) { c.readDamaged(r, data, off) })
		_, err := s.Open(bg, artifact.Scope{}, i.Handle)
		c.is(err, artifact.ErrNotFound, "a stranger's Open of a damaged artifact")
		c.ok(s.Delete(bg, mine, i.Handle), "Delete of a damaged artifact")
	}
}

// readDamaged reads byte by place: what is true is given, what is not is said.
func (c *check) readDamaged(r artifact.Reader, data []byte, damaged int64) {
	good := 0
	for off := int64(0); off < int64(len(data)); off += 10_000 {
		got := make([]byte, 10_000)
		n, err := r.ReadAt(got, off)
		if !bytes.Equal(got[:n], data[off:off+int64(n)]) {
			c.fail("ReadAt at %d gave bytes that were not saved", off)
		}
		if err == nil || err == io.EOF {
			good++
			continue
		}
		c.is(err, artifact.ErrCorrupt, "ReadAt of a damaged block")
		var e *artifact.Error
		if !errors.As(err, &e) || e.Offset > damaged || e.Offset < damaged-1<<20 || e.Offset < 0 {
			c.fail("%v names offset %d, damaged is byte %d", err, e.Offset, damaged)
		}
	}
	if good == 0 {
		c.fail("one changed byte made the whole artifact unreadable")
	}
	if n, err := r.ReadAt(make([]byte, 1), damaged); err == nil || n > 0 {
		c.fail("the changed byte at %d was read without an error", damaged)
	}
}

func fault(c *check) {
	if c.h.Fault == nil {
		panic(unproven("Harness.Fault is nil"))
	}
	s := c.store(artifact.Options{MaxCount: 2})
	i := c.save(s, artifact.Draft{Scope: mine, TTL: -1}, []byte("x"))
	r, err := s.Open(bg, mine, i.Handle)
	c.ok(err, "Open")
	broken := errors.New("the storage is broken")
	restore := c.h.Fault(s, broken)
	for range 3 {
		_, err := trySave(s, artifact.Draft{Scope: mine}, noise(300_000))
		c.unavailable(err, broken, "saving")
		for call, f := range every {
			c.unavailable(f(s, mine, i.Handle), broken, call)
		}
		_, err = r.ReadAt(make([]byte, 1), 0)
		c.unavailable(err, broken, "ReadAt")
	}
	restore()
	c.same(s, mine, i.Handle, []byte("x"))
	_, err = r.ReadAt(make([]byte, 1), 0)
	c.ok(err, "ReadAt after the fault")
	c.ok(r.Close(), "Close")
	c.save(s, artifact.Draft{Scope: mine}, nil) // the quota of what failed was given back
}

// unavailable fails unless err is an ErrUnavailable and nothing else, and keeps
// its cause.
func (c *check) unavailable(err, cause error, what string) {
	c.is(err, artifact.ErrUnavailable, what+" while the storage is broken")
	c.is(err, cause, what+" while the storage is broken")
	for _, wrong := range []error{artifact.ErrNotFound, artifact.ErrCorrupt, artifact.ErrExpired, artifact.ErrDeleted} {
		if errors.Is(err, wrong) {
			c.fail("%s while the storage is broken says %v", what, wrong)
		}
	}
}

// leaks counts goroutines and, where /proc has them, open files.
func leaks(c *check) {
	s := c.store(artifact.Options{TTL: time.Hour})
	use := func() {
		i := c.save(s, artifact.Draft{Scope: mine}, noise(600_000))
		c.same(s, mine, i.Handle, noise(600_000))
		c.open(s, mine, i.Handle, func(artifact.Reader) {})
		c.ok(s.Delete(bg, mine, i.Handle), "Delete")
		w := c.create(s, artifact.Draft{Scope: mine})
		_, err := w.Write(noise(600_000))
		c.ok(err, "Write")
		c.ok(w.Abort(), "Abort")
		if sw, ok := s.(Sweeper); ok {
			_, err := sw.Sweep(bg)
			c.ok(err, "Sweep")
		}
	}
	use()
	goroutines, files := runtime.NumGoroutine(), openFiles()
	for range 10 {
		use()
	}
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > goroutines+5 || openFiles() > files+5 { // other tests may have some of their own
		if time.Now().After(deadline) {
			c.fail("ten uses left %d goroutines and %d files", runtime.NumGoroutine()-goroutines, openFiles()-files)
		}
		time.Sleep(time.Millisecond)
	}
}

func openFiles() int {
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(names)
}
