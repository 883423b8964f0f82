package clip_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
)

// steps is a store that does something before each step, and behind the last. It does
// not heed its context.
type steps struct {
	artifact.Store
	at func(step string) error

	created, committed, aborted, deleted atomic.Int64
	written                              atomic.Int64 // bytes
}

func (s *steps) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	if err := s.at("create"); err != nil {
		return nil, err
	}
	w, err := s.Store.Create(context.WithoutCancel(ctx), d)
	if err != nil {
		return nil, err
	}
	s.created.Add(1)
	return &stepsWriter{w, s}, nil
}

func (s *steps) Delete(ctx context.Context, scope artifact.Scope, h artifact.Handle) error {
	s.deleted.Add(1)
	return s.Store.Delete(ctx, scope, h)
}

type stepsWriter struct {
	artifact.Writer
	s *steps
}

func (w *stepsWriter) Write(p []byte) (int, error) {
	if err := w.s.at("write"); err != nil {
		return 0, err
	}
	w.s.written.Add(int64(len(p)))
	return w.Writer.Write(p)
}

func (w *stepsWriter) Commit(ctx context.Context) (artifact.Info, error) {
	if err := w.s.at("commit"); err != nil {
		return artifact.Info{}, err
	}
	i, err := w.Writer.Commit(context.WithoutCancel(ctx))
	if err != nil {
		return i, err
	}
	w.s.committed.Add(1)
	return i, w.s.at("committed")
}

func (w *stepsWriter) Abort() error {
	w.s.aborted.Add(1)
	return w.Writer.Abort()
}

// visible is how many artifacts somebody could open.
func (s *steps) visible() int64 { return s.committed.Load() - s.deleted.Load() }

func newSteps(at func(string) error) *steps {
	return &steps{Store: artifact.NewMemory(nil), at: at}
}

// only does what is wanted at one step.
func only(step string, do func() error) func(string) error {
	return func(s string) error {
		if s == step {
			return do()
		}
		return nil
	}
}

// counting counts the bytes that were read of it.
type counting struct {
	io.Reader
	n *atomic.Int64
}

func (c counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// sizes are around those of blocks and of the ring that they go round in.
var sizes = []int{0, 1, 57 << 10, 64<<10 - 1, 64 << 10, 64<<10 + 1, 8*64<<10 - 1, 8 * 64 << 10, 8*64<<10 + 1, 1_300_001}

func bytesOf(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = "0123456789abcde\n"[i%16] + byte(i>>16)&1
	}
	return p
}

// However it arrives and whatever stands between, what is saved is what was read.
func TestWhatIsSavedIsWhatWasRead(t *testing.T) {
	odd := func(w io.Writer, r io.Reader) (int64, error) {
		_, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, make([]byte, 12_345))
		return 0, err
	}
	for _, n := range sizes {
		src := bytesOf(n)
		for name, content := range map[string]func() any{
			"bytes":     func() any { return src },
			"string":    func() any { return string(src) },
			"reader":    func() any { return bytes.NewReader(src) },
			"stream":    func() any { return iotest.HalfReader(bytes.NewReader(src)) },
			"late EOF":  func() any { return iotest.DataErrReader(bytes.NewReader(src)) },
			"fails":     func() any { return io.MultiReader(bytes.NewReader(src), iotest.ErrReader(errDisk)) },
			"many tiny": func() any { return iotest.OneByteReader(bytes.NewReader(src)) },
		} {
			for _, redact := range []clip.Redactor{nil, odd} {
				store := artifact.NewMemory(nil)
				c := newClipper(t, clip.Config{Store: store, Redact: redact, MustSave: true})
				e, err := c.Clip(ctx, content())
				if name == "fails" {
					require.ErrorIs(t, err, errDisk)
					require.Contains(t, placesOf(e.Reasons), fmt.Sprintf("byte %d", n), "where it failed")
				} else {
					require.NoError(t, err)
				}
				require.Equal(t, coverage.Exactly(int64(n)).Value, e.View.ByteTotal.Value)
				r, err := store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
				require.NoError(t, err)
				got, err := io.ReadAll(io.NewSectionReader(r, 0, r.Info().Size))
				require.NoError(t, err)
				require.True(t, bytes.Equal(src, got), "%s of %d bytes", name, n)
				require.NoError(t, r.Close())
			}
		}
	}
}

func placesOf(rs []coverage.Reason) (out []string) {
	for _, r := range rs {
		out = append(out, r.Where)
	}
	return out
}

// Reading goes on while the store is busy, as far as the blocks between them reach
// and no further.
func TestReadingIsAheadOfSavingByALimitedLength(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read atomic.Int64
		busy := make(chan struct{})
		store := newSteps(only("write", func() error { <-busy; return nil }))
		c := newClipper(t, clip.Config{Store: store, MustSave: true})
		src := bytesOf(3 << 20)
		go func() {
			synctest.Wait() // the call waits for the store, the store for us
			require.Greater(t, read.Load(), int64(256<<10), "reading waits for saving")
			require.LessOrEqual(t, read.Load(), int64(640<<10), "saving does not hold reading back")
			close(busy)
		}()
		e, err := c.Clip(ctx, counting{bytes.NewReader(src), &read})
		require.NoError(t, err)
		require.Equal(t, int64(len(src)), e.Artifact.Size)
	})
}

// A store that does not answer holds no call for long after its context has ended,
// and keeps nothing that nobody knows of.
func TestAStoreThatDoesNotAnswerHoldsNoCall(t *testing.T) {
	for _, step := range []string{"create", "write", "commit", "committed"} {
		for _, n := range sizes[1:] {
			for name, content := range map[string]any{"held": bytesOf(n), "stream": counting{bytes.NewReader(bytesOf(n)), new(atomic.Int64)}} {
				synctest.Test(t, func(t *testing.T) {
					hang := make(chan struct{})
					store := newSteps(only(step, func() error { <-hang; return nil }))
					c := newClipper(t, clip.Config{Store: store, MustSave: true, Followups: clip.AllFollowups})
					limited, cancel := context.WithTimeout(ctx, time.Minute)
					defer cancel()
					start := time.Now()
					e, err := c.Clip(limited, content)
					require.Error(t, err, "MustSave")
					require.LessOrEqual(t, time.Since(start), time.Minute+5*time.Second, "%s, %s", step, name)
					require.NotEmpty(t, e.Content)
					require.Nil(t, e.Artifact)
					require.Empty(t, e.Next)
					require.Contains(t, codesOf(e.Reasons), coverage.NotKept)

					close(hang)
					synctest.Wait()
					require.Zero(t, store.visible())
					if step == "create" || step == "write" {
						require.Zero(t, store.committed.Load(), "a part is not committed")
					}
					require.Equal(t, store.created.Load(), store.aborted.Load(), "what was begun is given up")
				})
			}
		}
	}
}

// heeding is a store whose writes wait for their context's end.
type heeding struct{ artifact.Store }

type heedingWriter struct {
	artifact.Writer
	ctx context.Context
}

func (s heeding) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	w, err := s.Store.Create(ctx, d)
	return heedingWriter{w, ctx}, err
}

func (w heedingWriter) Write([]byte) (int, error) {
	<-w.ctx.Done()
	return 0, w.ctx.Err()
}

// A store that is left is told so: one that heeds its context leaves nothing behind.
func TestAStoreThatIsLeftIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClipper(t, clip.Config{Store: heeding{artifact.NewMemory(nil)}})
		limited, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		before := runtime.NumGoroutine()
		e, _ := c.Clip(limited, bytesOf(100_000))
		require.Contains(t, codesOf(e.Reasons), coverage.NotKept)
		synctest.Wait()
		require.LessOrEqual(t, runtime.NumGoroutine(), before)
	})
}

// Progress is of what was read, whether it goes through a redactor or not.
func TestProgressCountsWhatARedactorPassesOn(t *testing.T) {
	for _, redact := range []clip.Redactor{nil, func(w io.Writer, r io.Reader) (int64, error) { _, err := io.Copy(w, r); return 0, err }} {
		synctest.Test(t, func(t *testing.T) {
			var last clip.Progress
			c := newClipper(t, clip.Config{Redact: redact, Progress: func(p clip.Progress) { last = p }})
			src := bytesOf(300_000)
			_, err := c.Clip(ctx, slow{bytes.NewReader(src), time.Second})
			require.NoError(t, err)
			require.Equal(t, clip.Progress{Bytes: 300_000, Lines: int64(bytes.Count(src, []byte("\n")))}, last)
		})
	}
}

// The context's end does not cut a store off that is slow and works.
func TestASlowStoreIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newSteps(func(step string) error {
			if step != "committed" { // that is behind the last step
				time.Sleep(1900 * time.Millisecond)
			}
			return nil
		})
		c := newClipper(t, clip.Config{Store: store, MustSave: true})
		over, cancel := context.WithCancel(ctx)
		cancel()
		src := bytesOf(2 << 20)
		e, err := c.Clip(over, src)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, int64(len(src)), e.Artifact.Size)
		require.Equal(t, int64(1), store.visible())
	})
}

// Whatever ends a call early, in the store, in the source or in the redactor, it
// leaves nothing running, and nothing half kept.
func TestNothingRunsAfterACall(t *testing.T) {
	fail := func() error { return errDisk }
	boom := func() error { panic("boom") }
	exit := func() error { runtime.Goexit(); return nil }
	stores := map[string]func(string) error{"well": func(string) error { return nil }}
	for _, step := range []string{"create", "write", "commit"} {
		stores[step+" fails"], stores[step+" panics"], stores[step+" exits"] = only(step, fail), only(step, boom), only(step, exit)
	}
	third := 0
	stores["third write fails"] = only("write", func() error {
		if third++; third%3 == 0 {
			return errDisk
		}
		return nil
	})
	src := bytesOf(1 << 20)
	sources := map[string]func(cancel func()) any{
		"bytes":    func(func()) any { return src },
		"ends":     func(func()) any { return bytes.NewBuffer(src) },
		"fails":    func(func()) any { return io.MultiReader(bytes.NewReader(src), iotest.ErrReader(errDisk)) },
		"panics":   func(func()) any { return panicking{bytes.NewReader(src)} },
		"cancels":  func(cancel func()) any { return &cancelling{bytes.NewReader(src), cancel, 5} },
		"encodes?": func(func()) any { return func() {} },
	}
	redactors := map[string]clip.Redactor{
		"none":   nil,
		"copies": func(w io.Writer, r io.Reader) (int64, error) { _, err := io.Copy(w, r); return 0, err },
		"fails": func(w io.Writer, r io.Reader) (int64, error) {
			_, err := io.CopyN(w, r, 700_000)
			return 0, fmt.Errorf("x: %w", err)
		},
		"panics": func(w io.Writer, r io.Reader) (int64, error) { _, _ = io.CopyN(w, r, 700_000); panic("redactor") },
	}
	for sname, at := range stores {
		for cname, content := range sources {
			for rname, redact := range redactors {
				synctest.Test(t, func(t *testing.T) {
					name := strings.Join([]string{"store: " + sname, "source: " + cname, "redactor: " + rname}, ", ")
					store := newSteps(at)
					c := newClipper(t, clip.Config{Store: store, Redact: redact})
					before := runtime.NumGoroutine()
					ctx, cancel := context.WithCancel(ctx)
					defer cancel()
					e, _ := c.Clip(ctx, content(cancel))
					synctest.Wait()
					require.LessOrEqual(t, runtime.NumGoroutine(), before, name) // one of an earlier test may have ended
					require.Equal(t, e.Artifact != nil, store.visible() == 1, name)
					require.Equal(t, store.created.Load(), store.visible()+store.aborted.Load(), name)
				})
			}
		}
	}
}

// cancelling ends the context of its own call after n reads.
type cancelling struct {
	io.Reader
	cancel func()
	n      int
}

func (c *cancelling) Read(p []byte) (int, error) {
	if c.n--; c.n == 0 {
		c.cancel()
	}
	return c.Reader.Read(p[:min(len(p), 50_000)])
}

// Law 9 holds where the source fails, too.
func TestLaw09ChunksChangeNothingBeforeAnError(t *testing.T) {
	for _, n := range sizes[1:] {
		src := bytesOf(n)
		c := newClipper(t, clip.Config{})
		failing := func(r io.Reader) io.Reader { return io.MultiReader(r, iotest.ErrReader(errDisk)) }
		want, err := c.Clip(ctx, failing(bytes.NewReader(src)))
		require.ErrorIs(t, err, errDisk)
		for _, r := range []io.Reader{iotest.OneByteReader(bytes.NewReader(src)), iotest.HalfReader(bytes.NewReader(src))} {
			got, err := c.Clip(ctx, failing(r))
			require.ErrorIs(t, err, errDisk)
			require.Equal(t, want.Reasons, got.Reasons)
			require.Equal(t, want.View, got.View)
		}
	}
}
