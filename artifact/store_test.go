package artifact_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
)

// clock is a clock that tests turn.
type clock struct{ t time.Time }

func (c *clock) now() time.Time          { return c.t }
func (c *clock) advance(d time.Duration) { c.t = c.t.Add(d) }

func newClock() *clock { return &clock{time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)} }

// each runs a test for each kind of store.
func each(t *testing.T, o artifact.Options, f func(t *testing.T, s artifact.Store)) {
	t.Run("Memory", func(t *testing.T) { f(t, artifact.NewMemory(&o)) })
	t.Run("Dir", func(t *testing.T) {
		d, err := artifact.OpenDir(t.TempDir(), &o)
		require.NoError(t, err)
		defer d.Close()
		f(t, d)
	})
}

func save(t testing.TB, s artifact.Store, d artifact.Draft, data []byte) artifact.Info {
	t.Helper()
	w, err := s.Create(t.Context(), d)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	info, err := w.Commit(t.Context())
	require.NoError(t, err)
	return info
}

func readAll(t testing.TB, s artifact.Store, sc artifact.Scope, h artifact.Handle) []byte {
	t.Helper()
	r, err := s.Open(t.Context(), sc, h)
	require.NoError(t, err)
	defer r.Close()
	b, err := io.ReadAll(io.NewSectionReader(r, 0, r.Info().Size))
	require.NoError(t, err)
	return b
}

// planted is a store with one artifact, whose file is at path.
func planted(t *testing.T, data []byte) (d *artifact.Dir, i artifact.Info, path string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	d, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	i = save(t, d, artifact.Draft{}, data)
	return d, i, filepath.Join(dir, "a", artifact.BlobName(artifact.Scope{}, i.Handle))
}

// noise is n bytes with lines in them, the same for the same n. It is not to be
// written to.
func noise(n int) []byte {
	if b, ok := noises.Load(n); ok {
		return b.([]byte)
	}
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}).Read(b)
	noises.Store(n, b)
	return b
}

var noises sync.Map

const (
	block = 64 << 10
	group = 256 * block
)

func TestWhatWasSavedIsReadBack(t *testing.T) {
	sizes := []int{0, 1, 100, block - 1, block, block + 1, 3*block + 5, 4 * block, 4*block + 1, 9 * block, group, group + block + 7}
	each(t, artifact.Options{}, func(t *testing.T, s artifact.Store) {
		for _, n := range sizes {
			data := noise(n)
			info := save(t, s, artifact.Draft{MediaType: "x/y", Source: "a\xffb", Version: "7"}, data)
			require.EqualValues(t, n, info.Size)
			require.Equal(t, sha256.Sum256(data), info.SHA256)
			require.Equal(t, countLines(data), info.Lines)
			require.True(t, bytes.Equal(data, readAll(t, s, artifact.Scope{}, info.Handle)), "size %d", n)
			again, err := s.Stat(t.Context(), artifact.Scope{}, info.Handle)
			require.NoError(t, err)
			require.Equal(t, info, again)
			require.Equal(t, "a\xffb", again.Source)
		}
	})
}

func countLines(b []byte) int64 {
	n := int64(bytes.Count(b, []byte("\n")))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

func TestReaderIsAReaderAt(t *testing.T) {
	each(t, artifact.Options{}, func(t *testing.T, s artifact.Store) {
		data := noise(2*block + 77)
		info := save(t, s, artifact.Draft{}, data)
		r, err := s.Open(t.Context(), artifact.Scope{}, info.Handle)
		require.NoError(t, err)
		defer r.Close()
		require.NoError(t, iotest.TestReader(io.NewSectionReader(r, 0, info.Size), data))
	})
}

func TestStatesAreToldApart(t *testing.T) {
	c := newClock()
	each(t, artifact.Options{Now: c.now, TTL: time.Hour}, func(t *testing.T, s artifact.Store) {
		ctx, mine := t.Context(), artifact.Scope{Tenant: "t", User: "u"}
		kept := save(t, s, artifact.Draft{Scope: mine, TTL: -1}, []byte("kept"))
		deleted := save(t, s, artifact.Draft{Scope: mine}, []byte("deleted"))
		expired := save(t, s, artifact.Draft{Scope: mine}, []byte("expired"))
		require.NoError(t, s.Delete(ctx, mine, deleted.Handle))
		c.advance(time.Hour)

		for want, h := range map[error]artifact.Handle{
			nil: kept.Handle, artifact.ErrDeleted: deleted.Handle, artifact.ErrExpired: expired.Handle, artifact.ErrNotFound: artifact.NewHandle(),
		} {
			_, err := s.Stat(ctx, mine, h)
			require.ErrorIs(t, err, want)
			for _, stranger := range []artifact.Scope{{}, {Tenant: "t"}, {Tenant: "tu"}, {Tenant: "t", User: "u", Task: "x"}} {
				_, err := s.Open(ctx, stranger, h)
				require.Equal(t, &artifact.Error{State: artifact.ErrNotFound}, err)
				require.Equal(t, &artifact.Error{State: artifact.ErrNotFound}, s.Delete(ctx, stranger, h))
			}
		}
		var e *artifact.Error
		_, err := s.Open(ctx, mine, expired.Handle)
		require.True(t, errors.As(err, &e))
		require.Equal(t, expired.ExpiresAt, e.At)
	})
}

func TestNothingIsSeenBeforeCommitOrAfterAbort(t *testing.T) {
	each(t, artifact.Options{MaxCount: 1, MaxBytes: 5 * block}, func(t *testing.T, s artifact.Store) {
		for range 3 { // an aborted Writer gives its quota back
			w, err := s.Create(t.Context(), artifact.Draft{})
			require.NoError(t, err)
			_, err = w.Write(noise(5 * block))
			require.NoError(t, err)
			require.NoError(t, w.Abort())
			_, err = w.Write([]byte("x"))
			require.Error(t, err)
			_, err = w.Commit(t.Context())
			require.ErrorIs(t, err, artifact.ErrIncomplete)
		}
		ctx, cancel := context.WithCancel(t.Context())
		w, err := s.Create(ctx, artifact.Draft{})
		require.NoError(t, err)
		cancel()
		_, err = w.Write([]byte("x"))
		require.ErrorIs(t, err, context.Canceled)
		_, err = w.Commit(t.Context())
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, w.Abort())
		save(t, s, artifact.Draft{}, nil)
	})
}
