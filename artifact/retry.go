package artifact

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"sync"
)

// retry is the Writer of an idempotency key that already names an artifact. It
// stores nothing and needs no quota: it only finds out whether the bytes are the
// same.
type retry struct {
	k     *Keeper
	ctx   context.Context // of Create: it governs the Writer's life
	draft Draft
	first *manifest
	h     Handle

	mu        sync.Mutex
	sum       hash.Hash
	size      int64
	err       error // why nothing more can be written
	committed bool
	info      Info
	outcome   error
}

// earlier is the Writer for a key whose artifact is there; nil if none is. That
// it is gone or can't be read is an error.
func (k *Keeper) earlier(ctx context.Context, d Draft, h Handle) (Writer, error) {
	m, err := k.find(ctx, d.Scope, h)
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &retry{k: k, ctx: ctx, draft: d, first: m, h: h, sum: sha256.New()}, nil
}

func (r *retry) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = r.k.ready(r.ctx)
	}
	if r.err != nil {
		return 0, r.err
	}
	r.sum.Write(p)
	r.size += int64(len(p))
	return len(p), nil
}

// MarkIncomplete implements [Marker]; the artifact was marked or not when it was
// made.
func (r *retry) MarkIncomplete(string) {}

// MarkItems implements [ItemMarker]; what is recorded is what the first Writer was
// told.
func (r *retry) MarkItems(x Items) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	return x.check(r.size)
}

func (r *retry) Abort() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = errAborted
	}
	return nil
}

func (r *retry) Commit(ctx context.Context) (Info, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.committed {
		r.committed = true
		r.info, r.outcome = r.tryCommit(ctx)
		r.err = errCommitted
	}
	return r.info, r.outcome
}

func (r *retry) tryCommit(ctx context.Context) (Info, error) {
	for _, c := range []context.Context{r.ctx, ctx} {
		if err := r.k.ready(c); err != nil {
			return Info{}, err
		}
	}
	if r.err != nil {
		return Info{}, &Error{State: ErrIncomplete, Cause: r.err}
	}
	if err := r.first.sameBytes(r.draft.IdempotencyKey, r.size, [32]byte(r.sum.Sum(nil))); err != nil {
		return Info{}, err
	}
	m, err := r.k.find(ctx, r.draft.Scope, r.h) // it may have gone meanwhile
	if err != nil {
		return Info{}, err
	}
	// Whoever committed it may have failed to make it durable.
	if s, ok := r.k.b.(Syncer); ok {
		if err := s.Sync(ctx, m.name.artifact()); err != nil {
			return Info{}, r.k.unclear(ctx, "", err)
		}
	}
	return m.infoOf(r.h), nil
}

// sameBytes is an ErrKeyReused unless m has these bytes.
func (m *manifest) sameBytes(key string, size int64, sum [32]byte) error {
	if m.info.Size == size && m.info.SHA256 == sum {
		return nil
	}
	return fmt.Errorf("%w: key %s: these are %d bytes, the first were %d", ErrKeyReused, quoted(key), size, m.info.Size)
}
