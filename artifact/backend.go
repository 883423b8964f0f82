package artifact

import (
	"context"
	"io"
	"iter"
)

// Backend is where a [Keeper] keeps its blobs: the small driver that whoever
// brings another storage writes. Scopes, expiry, tombstones, quotas, hashes and
// retries are the Keeper's.
//
// A key is one of the prefixes "a/", "d/", "s/" or "x/" and 1 to 26 of the
// characters a–z and 2–7. A blob is written once, whole, and never changed.
//
// A missing key is an error that is [io/fs.ErrNotExist], a key that is taken one
// that is [io/fs.ErrExist]; every other error means that the Backend could not
// answer now. All methods are safe for concurrent use, by several processes too
// if the Backend is shared, and stop when ctx is done.
type Backend interface {
	// Put begins a blob. The key is looked at by Commit alone.
	Put(ctx context.Context, key string) (Upload, error)

	// ReadAt reads len(p) bytes of a blob from off. It returns fewer only with an
	// error: io.EOF at the end of the blob.
	ReadAt(ctx context.Context, key string, p []byte, off int64) (int, error)

	// Size is the length of a blob in bytes.
	Size(ctx context.Context, key string) (int64, error)

	// List yields the keys that begin with prefix, which is one of the four, in
	// any order. Keys that come or go meanwhile may be missing or not. It ends
	// after the first error.
	List(ctx context.Context, prefix string) iter.Seq2[string, error]

	// Delete removes a blob, durably. A missing key is no error.
	Delete(ctx context.Context, key string) error
}

// Upload receives the bytes of one blob. It is for one goroutine and is ended by
// one Commit or Abort. Write must not keep its argument.
type Upload interface {
	io.Writer

	// Commit makes the blob visible at once and whole, and durable before it
	// returns, if no blob has the key. Of several Uploads of one key exactly one
	// succeeds; the others get fs.ErrExist, by when the first one's blob is
	// durable. After any other error the blob may be visible or not, never in
	// part. A Commit that fails leaves nothing behind but, perhaps, the blob.
	Commit(ctx context.Context) error

	// Abort forgets the bytes.
	Abort() error
}

// Syncer is a Backend in which a blob can be visible before it is durable, after
// a Commit that failed in between.
type Syncer interface {
	// Sync makes a blob that is visible durable.
	Sync(ctx context.Context, key string) error
}

// Cleaner is a Backend that can leave something behind when a process dies.
// Each sweep calls it.
type Cleaner interface {
	// Clean removes what dead processes left and returns how many things.
	Clean(ctx context.Context) (int, error)
}
