package artifact_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/artifact/artifacttest"
	"github.com/toolclip/toolclip/internal/dirfs"
	"github.com/toolclip/toolclip/internal/faultfs"
)

// dirStore is a Dir that knows its folder and can be made to fail.
type dirStore struct {
	*artifact.Dir
	path string
	opts artifact.Options
	fail *atomic.Pointer[error]
}

func openDirStore(path string, o artifact.Options) (artifact.Store, error) {
	under, err := dirfs.Open(path)
	if err != nil {
		return nil, err
	}
	fail := new(atomic.Pointer[error])
	f := &faultfs.FS{FS: under, Before: func(faultfs.Step) error {
		if p := fail.Load(); p != nil {
			return *p
		}
		return nil
	}}
	d, err := artifact.OpenDirFS(f, &o)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &dirStore{d, path, o, fail}, nil
}

func TestDirKeepsEveryPromise(t *testing.T) {
	proveAll(t, dirHarness(t))
}

func TestMemoryKeepsEveryPromise(t *testing.T) {
	proveAll(t, memoryHarness())
}

// proveAll is the conformance suite, of which nothing may be left unproven.
func proveAll(t *testing.T, h artifacttest.Harness) {
	for _, o := range artifacttest.Check(h) {
		t.Run(o.Promise, func(t *testing.T) {
			if !o.Proven {
				t.Error(o)
			}
		})
	}
}

func dirHarness(t testing.TB) artifacttest.Harness {
	return artifacttest.Harness{
		New: func(o artifact.Options) (artifact.Store, error) { return openDirStore(t.TempDir(), o) },
		Reopen: func(s artifact.Store) (artifact.Store, error) {
			d := s.(*dirStore)
			return openDirStore(d.path, d.opts)
		},
		Corrupt: func(s artifact.Store, sc artifact.Scope, h artifact.Handle, off int64) error {
			return flip(filepath.Join(s.(*dirStore).path, "a", artifact.BlobName(sc, h)), artifact.Physical(off))
		},
		Fault: func(s artifact.Store, err error) func() {
			s.(*dirStore).fail.Store(&err)
			return func() { s.(*dirStore).fail.Store(nil) }
		},
	}
}

// flip changes one bit of a file.
func flip(path string, off int64) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var b [1]byte
	if _, err := f.ReadAt(b[:], off); err != nil {
		return err
	}
	b[0] ^= 0x10
	_, err = f.WriteAt(b[:], off)
	return err
}

// memoryHarness tests a Keeper on the Backend of a Memory, shared and damaged as
// a Memory itself can't be, and a Memory proper where that is enough.
func memoryHarness() artifacttest.Harness {
	type store struct {
		*artifact.Keeper
		b *brittle
		o artifact.Options
	}
	return artifacttest.Harness{
		New: func(o artifact.Options) (artifact.Store, error) {
			b := &brittle{Backend: artifact.NewMemoryBackend()}
			return store{artifact.New(b, &o), b, o}, nil
		},
		Reopen: func(s artifact.Store) (artifact.Store, error) {
			st := s.(store)
			return store{artifact.New(st.b, &st.o), st.b, st.o}, nil
		},
		Corrupt: func(s artifact.Store, _ artifact.Scope, _ artifact.Handle, off int64) error {
			s.(store).b.flipped.Store(off + 1)
			return nil
		},
		Fault: func(s artifact.Store, err error) func() {
			s.(store).b.fail.Store(&err)
			return func() { s.(store).b.fail.Store(nil) }
		},
	}
}

// brittle is a Backend that fails, or flips a bit of all that is read, on demand.
type brittle struct {
	artifact.Backend
	fail    atomic.Pointer[error]
	flipped atomic.Int64 // 1 + the place
}

func (b *brittle) err() error {
	if p := b.fail.Load(); p != nil {
		return *p
	}
	return nil
}

func (b *brittle) Put(ctx context.Context, key string) (artifact.Upload, error) {
	if err := b.err(); err != nil {
		return nil, err
	}
	return b.Backend.Put(ctx, key)
}

func (b *brittle) ReadAt(ctx context.Context, key string, p []byte, off int64) (int, error) {
	if err := b.err(); err != nil {
		return 0, err
	}
	n, err := b.Backend.ReadAt(ctx, key, p, off)
	if at := b.flipped.Load() - 1 - off; key[0] == 'a' && at >= 0 && at < int64(n) {
		p[at] ^= 1
	}
	return n, err
}

func (b *brittle) Size(ctx context.Context, key string) (int64, error) {
	if err := b.err(); err != nil {
		return 0, err
	}
	return b.Backend.Size(ctx, key)
}

func (b *brittle) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	if err := b.err(); err != nil {
		return func(yield func(string, error) bool) { yield("", err) }
	}
	return b.Backend.List(ctx, prefix)
}

func (b *brittle) Delete(ctx context.Context, key string) error {
	if err := b.err(); err != nil {
		return err
	}
	return b.Backend.Delete(ctx, key)
}
