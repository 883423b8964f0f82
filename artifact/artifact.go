package artifact

import (
	"context"
	"io"
	"time"
)

// Scope is whose artifact it is. Scopes are compared as a whole; no field
// contains another. The zero Scope is that of a program with one user.
type Scope struct{ Tenant, User, Task string }

// Draft is what is known of an artifact before its bytes.
type Draft struct {
	Scope          Scope
	TTL            time.Duration // how long it is kept, from Commit; 0: the store's; negative: for ever
	MediaType      string        // as the tool declared it; may be empty
	Source         string        // where the bytes came from, for people
	Version        string        // of the source, when the tool knows it
	IdempotencyKey string        // a second Create with it, in the same scope, commits to the first one's artifact; see [Store]
}

// Info describes a committed artifact. It never changes.
type Info struct {
	Handle     Handle
	Size       int64 // in bytes
	Lines      int64 // lines of the raw bytes, a last line without LF included; -1: not counted
	SHA256     [32]byte
	MediaType  string
	Source     string
	Version    string
	Incomplete string    // why these are not all bytes of the source, as a [Marker] was told; empty: nobody said so
	CapturedAt time.Time // of Commit
	ExpiresAt  time.Time // zero: never
}

// Store keeps artifacts. Implementations are safe for concurrent use.
//
// A caller outside an artifact's scope gets [ErrNotFound] from every method, the
// same as for a handle that never was. Inside the scope the errors tell apart
// what [Error] describes. A context that is done is answered with its own error.
//
// An idempotency key makes a retry safe after an unclear outcome: a second Writer
// with the same key and scope commits to the same handle, if it has the same
// bytes, and fails with [ErrKeyReused] if it has others. Use a key for one
// result only, such as the id of the call; after its artifact is deleted or has
// expired, Create or Commit says so.
type Store interface {
	// Create begins an artifact. Nothing is visible before Commit. ctx governs
	// the Writer's whole life.
	Create(ctx context.Context, d Draft) (Writer, error)

	// Open returns a Reader of the whole artifact. ctx governs the Reader's whole
	// life: once it is done, reads fail with its error.
	Open(ctx context.Context, s Scope, h Handle) (Reader, error)

	// Stat returns what Open(…).Info() would.
	Stat(ctx context.Context, s Scope, h Handle) (Info, error)

	// Delete removes the artifact and leaves a tombstone, so that a later Open
	// says "deleted" and not "not found".
	Delete(ctx context.Context, s Scope, h Handle) error
}

// Writer receives an artifact's bytes. It is for one goroutine. Each Writer ends
// with Commit or Abort; both may be called more than once, the first one decides.
type Writer interface {
	io.Writer

	// Commit makes the artifact visible, whole and durable as the store promises.
	// Its ctx governs the commit alone. After an error nothing is visible, unless
	// the error says that the outcome is unknown.
	Commit(ctx context.Context) (Info, error)

	// Abort forgets the bytes. After Commit it does nothing.
	Abort() error
}

// Reader reads a committed artifact. Every byte that it returns has been
// verified. It is safe for concurrent use.
//
// ReadAt follows [io.ReaderAt]; at Info().Size and beyond it returns io.EOF, a
// negative offset is an error. When the artifact is deleted meanwhile, or is
// swept some time after it expired, reads fail with ErrDeleted or ErrExpired;
// they never stall and never return other bytes.
type Reader interface {
	io.ReaderAt
	io.Closer
	Info() Info
}

// Marker is a Writer that records that the source had more than was written, so
// that a later reader of the artifact does not take it for the whole. All
// Writers of this package are Markers.
type Marker interface {
	// MarkIncomplete says why bytes are missing; Info.Incomplete returns it. Call
	// it before Commit; the last call counts.
	MarkIncomplete(why string)
}

// LineIndexer is a Reader that finds a line without reading from the start.
type LineIndexer interface {
	// LineBefore returns the last indexed line at or before line (0-based) and
	// the byte offset at which it starts. Line 0 at byte 0 is always indexed; a
	// line beyond the last is taken for the last. Whoever reads on from offset
	// to line n reads less than 128 KiB, unless the lines are longer.
	LineBefore(line int64) (at, offset int64)
}
