package artifact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
)

// Keeper is a [Store] over a [Backend]: it has all that stores have in common.
// It is safe for concurrent use, and several Keepers, in several processes, may
// share what a Backend reaches. Memory and Dir are Keepers.
type Keeper struct {
	b      Backend
	o      Options
	quota  *quota
	sweeps sweeps
	closed atomic.Bool
	seed   atomic.Pointer[[]byte] // of secret; nil: not read yet
}

// New returns a Keeper over b; nil options are the defaults.
func New(b Backend, o *Options) *Keeper {
	opts := o.withDefaults()
	return &Keeper{b: b, o: opts, quota: newQuota(opts)}
}

// Close releases the Backend, if it is an [io.Closer]. What is done after it
// fails with [ErrUnavailable]; open Readers and Writers end.
func (k *Keeper) Close() error {
	if k.closed.Swap(true) {
		return nil
	}
	if c, ok := k.b.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

var errClosed = errors.New("the store was closed")

// ready is the first thing that every method asks.
func (k *Keeper) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if k.closed.Load() {
		return &Error{State: ErrUnavailable, Cause: errClosed}
	}
	return nil
}

// Open implements [Store].
func (k *Keeper) Open(ctx context.Context, s Scope, h Handle) (Reader, error) {
	m, err := k.find(ctx, s, h)
	if err != nil {
		return nil, err
	}
	return &reader{k: k, ctx: ctx, m: m, handle: h, key: m.name.artifact()}, nil
}

// Stat implements [Store].
func (k *Keeper) Stat(ctx context.Context, s Scope, h Handle) (Info, error) {
	m, err := k.find(ctx, s, h)
	if err != nil {
		return Info{}, err
	}
	return m.infoOf(h), nil
}

// infoOf is the Info of an artifact for whoever knows its handle.
func (m *manifest) infoOf(h Handle) Info {
	i := m.info
	i.Handle = h
	return i
}

// Delete implements [Store]. The bytes are gone when it returns: the tombstone
// is written first, then they are removed, and Readers that are open fail. If
// only the removal fails, the artifact is deleted for everybody, the error says
// what remains, and the next sweep removes it. A damaged artifact can be deleted. On a
// full disk the bytes go first, so that there is room for the tombstone.
func (k *Keeper) Delete(ctx context.Context, s Scope, h Handle) error {
	n := nameOf(s.id(), h)
	_, err := k.find(ctx, s, h)
	if errors.Is(err, ErrDeleted) {
		return k.finishDelete(ctx, n, h, err)
	}
	if err != nil && !errors.Is(err, ErrCorrupt) {
		return err
	}
	err = k.putTombstone(ctx, n, tombstone{deleted: true, at: stored(k.o.Now())})
	switch {
	case errors.Is(err, fs.ErrExist):
		return k.gone(ctx, n, h)
	case errors.Is(err, errCommit):
		return k.unclear(ctx, h, err)
	case err != nil:
		return failed(ctx, h, err)
	}
	if err := k.b.Delete(ctx, n.artifact()); err != nil {
		return failed(ctx, h, fmt.Errorf("it is deleted, its bytes remain until the next sweep: %w", err))
	}
	k.quota.remove(n)
	return nil
}

// finishDelete makes sure of a deletion that an earlier call may not have
// finished, and returns deleted.
func (k *Keeper) finishDelete(ctx context.Context, n name, h Handle, deleted error) error {
	if s, ok := k.b.(Syncer); ok {
		if err := s.Sync(ctx, n.tombstone()); err != nil {
			return k.unclear(ctx, h, err)
		}
	}
	if err := k.b.Delete(ctx, n.artifact()); err != nil {
		return failed(ctx, h, fmt.Errorf("it is deleted, its bytes remain until the next sweep: %w", err))
	}
	k.quota.remove(n)
	return deleted
}

// unclear is the error of a write that may have been done.
func (k *Keeper) unclear(ctx context.Context, h Handle, err error) error {
	return &Error{State: ErrUnavailable, Handle: h, Cause: fmt.Errorf("%w: %w", ErrOutcomeUnknown, failed(ctx, "", err))}
}

// find returns the manifest of a live artifact. For a stranger it does what it
// does for a handle that never was: it looks for a name that nobody made.
func (k *Keeper) find(ctx context.Context, s Scope, h Handle) (*manifest, error) {
	if err := k.ready(ctx); err != nil {
		return nil, err
	}
	if _, err := ParseHandle(string(h)); err != nil {
		return nil, notFound()
	}
	n := nameOf(s.id(), h)
	m, err := k.readManifest(ctx, n)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, k.gone(ctx, n, h)
	}
	if err != nil && !errors.Is(err, ErrCorrupt) {
		return nil, failed(ctx, h, err)
	}
	// The tombstone is looked for last: once it is there, the artifact is gone,
	// whether or not its bytes still are.
	if gone := k.gone(ctx, n, h); !errors.Is(gone, ErrNotFound) {
		return nil, gone
	}
	if err != nil {
		return nil, failed(ctx, h, err)
	}
	if m.expired(k) {
		return nil, &Error{State: ErrExpired, Handle: h, At: m.info.ExpiresAt}
	}
	return m, nil
}

// expired is decided by the announced time alone, whether or not a sweep ran.
func (m *manifest) expired(k *Keeper) bool {
	return !m.info.ExpiresAt.IsZero() && !m.info.ExpiresAt.After(k.o.Now())
}

// gone is what the tombstone says, ErrNotFound if there is none.
func (k *Keeper) gone(ctx context.Context, n name, h Handle) error {
	t, err := k.getTombstone(ctx, n)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notFound()
	case err != nil:
		return failed(ctx, h, err)
	}
	return t.error(h)
}

// tailGuess is how much of the end of a blob is read at first: the manifest of
// an artifact up to 800 MiB, and all of a small one.
const tailGuess = 4 << 10

// readManifest reads and verifies the manifest of n. Its error may be an
// fs.ErrNotExist or an ErrCorrupt.
func (k *Keeper) readManifest(ctx context.Context, n name) (*manifest, error) {
	size, err := k.b.Size(ctx, n.artifact())
	if err != nil {
		return nil, err
	}
	tail, err := k.readTail(ctx, n, size, tailGuess)
	if err != nil {
		return nil, err
	}
	length, err := trailerLength(tail, magic)
	if err != nil {
		return nil, damaged(err)
	}
	if length+trailerSize > int64(len(tail)) && length+trailerSize <= size {
		if tail, err = k.readTail(ctx, n, size, length+trailerSize); err != nil {
			return nil, err
		}
	}
	body, err := trailed(tail, magic)
	if err != nil {
		return nil, damaged(err)
	}
	m, err := parseManifest(body)
	switch {
	case err != nil:
		return nil, damaged(err)
	case m.name != n:
		return nil, damaged(errors.New("it is another artifact's blob"))
	case m.at()+length+trailerSize != size:
		return nil, damaged(fmt.Errorf("the blob has %d bytes, its manifest says %d", size, m.at()+length+trailerSize))
	}
	return m, nil
}

// readTail reads the last n bytes of a blob of size bytes, or all of it.
func (k *Keeper) readTail(ctx context.Context, nm name, size, n int64) ([]byte, error) {
	b := make([]byte, min(n, size))
	if got, err := k.b.ReadAt(ctx, nm.artifact(), b, size-int64(len(b))); got < len(b) {
		return nil, unlessEOF(err)
	}
	return b, nil
}
