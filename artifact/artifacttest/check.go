package artifacttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/toolclip/toolclip/artifact"
)

// clock is the suite's clock. It stands still until it is turned.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = t
}

// check is the test of one promise.
type check struct {
	h      Harness
	clock  *clock
	stores []artifact.Store
}

// store makes a store with the suite's clock. It sweeps when it is told to.
func (c *check) store(o artifact.Options) artifact.Store {
	o.Now = c.clock.now
	o.SweepEvery = -1
	s, err := c.h.New(o)
	c.ok(err, "Harness.New")
	c.stores = append(c.stores, s)
	return s
}

// reopen makes a second store over the data of s.
func (c *check) reopen(s artifact.Store) artifact.Store {
	if c.h.Reopen == nil {
		panic(unproven("Harness.Reopen is nil"))
	}
	again, err := c.h.Reopen(s)
	c.ok(err, "Harness.Reopen")
	c.stores = append(c.stores, again)
	return again
}

func (c *check) sweep(s artifact.Store) {
	sw, ok := s.(Sweeper)
	if !ok {
		panic(unproven("the store is not a Sweeper"))
	}
	_, err := sw.Sweep(context.Background())
	c.ok(err, "Sweep")
}

func (c *check) fail(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

func (c *check) ok(err error, what string) {
	if err != nil {
		c.fail("%s: %w", what, err)
	}
}

func (c *check) is(err, want error, what string) {
	if !errors.Is(err, want) {
		c.fail("%s: got error %v, want %v", what, err, want)
	}
}

// mine is the scope of the suite's artifacts.
var mine = artifact.Scope{Tenant: "tenant", User: "user", Task: "task"}

var bg = context.Background()

// save stores data in one Write.
func (c *check) save(s artifact.Store, d artifact.Draft, data []byte) artifact.Info {
	i, err := trySave(s, d, data)
	c.ok(err, "saving")
	return i
}

func trySave(s artifact.Store, d artifact.Draft, data []byte) (artifact.Info, error) {
	w, err := s.Create(bg, d)
	if err != nil {
		return artifact.Info{}, fmt.Errorf("calling Create: %w", err)
	}
	if n, err := w.Write(data); err != nil || n != len(data) {
		return artifact.Info{}, errors.Join(fmt.Errorf("calling Write: %d of %d bytes: %w", n, len(data), err), w.Abort())
	}
	i, err := w.Commit(bg)
	if err != nil {
		return artifact.Info{}, fmt.Errorf("calling Commit: %w", err)
	}
	return i, nil
}

// load reads an artifact whole.
func load(s artifact.Store, sc artifact.Scope, h artifact.Handle) ([]byte, error) {
	r, err := s.Open(bg, sc, h)
	if err != nil {
		return nil, fmt.Errorf("calling Open: %w", err)
	}
	b, err := io.ReadAll(io.NewSectionReader(r, 0, r.Info().Size))
	return b, errors.Join(err, r.Close())
}

// same fails unless the artifact has exactly want.
func (c *check) same(s artifact.Store, sc artifact.Scope, h artifact.Handle, want []byte) {
	got, err := load(s, sc, h)
	c.ok(err, "reading")
	if !bytes.Equal(got, want) {
		c.fail("read %d bytes that differ from the %d bytes that were saved", len(got), len(want))
	}
}

// open opens an artifact and closes it after use.
func (c *check) open(s artifact.Store, sc artifact.Scope, h artifact.Handle, use func(artifact.Reader)) {
	r, err := s.Open(bg, sc, h)
	c.ok(err, "Open")
	use(r)
	c.ok(r.Close(), "Reader.Close")
}

// create begins an artifact.
func (c *check) create(s artifact.Store, d artifact.Draft) artifact.Writer {
	w, err := s.Create(bg, d)
	c.ok(err, "Create")
	return w
}

// noise is n bytes with lines in them, the same for the same n.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}).Read(b)
	return b
}

// every is each of the calls that look up a handle.
var every = map[string]func(artifact.Store, artifact.Scope, artifact.Handle) error{
	"Open": func(s artifact.Store, sc artifact.Scope, h artifact.Handle) error {
		r, err := s.Open(bg, sc, h)
		if err == nil {
			r.Close()
		}
		return err
	},
	"Stat": func(s artifact.Store, sc artifact.Scope, h artifact.Handle) error {
		_, err := s.Stat(bg, sc, h)
		return err
	},
	"Delete": func(s artifact.Store, sc artifact.Scope, h artifact.Handle) error {
		return s.Delete(bg, sc, h)
	},
}

// parallel runs n functions at once and fails with the first error.
func (c *check) parallel(n int, f func(i int) error) {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					errs[i] = fmt.Errorf("panic: %v", r)
				}
			}()
			errs[i] = f(i)
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			c.fail("goroutine %d of %d: %w", i, n, err)
		}
	}
}
