package artifact

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/toolclip/toolclip/internal/dirfs"
)

// A record is a small blob: a body with a trailer, of one of these kinds.
const (
	tombstoneMagic = "tctomb\x01\n"
	markMagic      = "tcmark\x01\n"
	secretMagic    = "tcseed\x01\n"
)

// maxRecord is more than any record has, in bytes.
const maxRecord = 512

// errCommit is in the error of a record that may be stored, or may not.
var errCommit = errors.New("storing a record")

// putRecord stores a record. An fs.ErrExist error means that there is one, an
// errCommit that nobody knows, any other that nothing was stored.
func (k *Keeper) putRecord(ctx context.Context, key, magic string, body []byte) error {
	u, err := k.b.Put(ctx, key)
	if err != nil {
		return err
	}
	blob := appendTrailer(body, body, magic)
	n, err := u.Write(blob)
	if err == nil && n < len(blob) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return errors.Join(err, u.Abort())
	}
	if err := u.Commit(ctx); err != nil {
		return fmt.Errorf("%w: %w", errCommit, err)
	}
	return nil
}

// getRecord is the verified body of a record. A damaged one is an ErrCorrupt.
func (k *Keeper) getRecord(ctx context.Context, key, magic string) ([]byte, error) {
	size, err := k.b.Size(ctx, key)
	if err != nil {
		return nil, err
	}
	if size > maxRecord {
		return nil, damaged(fmt.Errorf("a record of %d bytes", size))
	}
	b := make([]byte, size)
	if n, err := k.b.ReadAt(ctx, key, b, 0); int64(n) < size {
		return nil, unlessEOF(err)
	}
	body, err := trailed(b, magic)
	if err != nil {
		return nil, damaged(errors.New("a record beside it is damaged"))
	}
	return body, nil
}

// damaged is the error for what is not a block of data.
func damaged(cause error) error {
	return &Error{State: ErrCorrupt, Offset: -1, Cause: cause}
}

// unlessEOF is err, or that bytes are missing which were there a moment ago.
func unlessEOF(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return damaged(errors.New("it is shorter than it says"))
	}
	return err
}

// tombstone says that an artifact is gone, why and since when. It holds nothing
// of the artifact's content and not its hash.
type tombstone struct {
	deleted bool // by somebody; otherwise it expired
	at      time.Time
}

// putTombstone stores t, or fails as putRecord does. Where a full disk has no room for
// it the bytes of the artifact go first and make some, for otherwise nothing could be
// removed any more: whoever looks in between, or after a crash then, finds nothing.
func (k *Keeper) putTombstone(ctx context.Context, n name, t tombstone) error {
	err := k.tryTombstone(ctx, n, t)
	if !dirfs.NoSpace(err) {
		return err
	}
	if derr := k.b.Delete(ctx, n.artifact()); derr != nil {
		return errors.Join(err, derr)
	}
	k.quota.remove(n)
	if err = k.tryTombstone(ctx, n, t); dirfs.NoSpace(err) {
		return fmt.Errorf("its bytes are removed, but there is no room to note that; it will be not found: %w", err)
	}
	return err
}

func (k *Keeper) tryTombstone(ctx context.Context, n name, t tombstone) error {
	kind := byte(0)
	if t.deleted {
		kind = 1
	}
	body := append(append([]byte(nil), n[:]...), kind)
	return k.putRecord(ctx, n.tombstone(), tombstoneMagic, appendTime(body, t.at))
}

func (k *Keeper) getTombstone(ctx context.Context, n name) (tombstone, error) {
	body, err := k.getRecord(ctx, n.tombstone(), tombstoneMagic)
	if err != nil {
		return tombstone{}, err
	}
	d := decoder{b: body}
	named, kind, at := name(d.take(16)), d.take(1)[0], d.time()
	if d.failed || named != n || kind > 1 {
		return tombstone{}, damaged(errors.New("its tombstone is another's"))
	}
	return tombstone{deleted: kind == 1, at: at}, nil
}

// error is what t says to a caller inside the scope.
func (t tombstone) error(h Handle) error {
	if t.deleted {
		return &Error{State: ErrDeleted, Handle: h, At: t.at}
	}
	return &Error{State: ErrExpired, Handle: h, At: t.at}
}

// secret is what handles of idempotency keys are derived from: drawn by
// whichever process needs it first, the same for all.
func (k *Keeper) secret(ctx context.Context) ([]byte, error) {
	if b := k.seed.Load(); b != nil {
		return *b, nil
	}
	for {
		body, err := k.getRecord(ctx, secretKey, secretMagic)
		if err == nil {
			k.seed.Store(&body)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return body, err
		}
		seed := make([]byte, 32, maxRecord)
		rand.Read(seed) // never fails: crypto/rand
		if err := k.putRecord(ctx, secretKey, secretMagic, seed); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
}
