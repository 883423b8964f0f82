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
	IdempotencyKey string        // a second Create with it, in the same scope, commits to the first one's artifact
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
	CapturedAt time.Time // of Commit
	ExpiresAt  time.Time // zero: never
}

// Store keeps artifacts. Implementations are safe for concurrent use.
//
// A caller outside an artifact's scope gets [ErrNotFound] from every method, the
// same as for a handle that never was. Inside the scope the errors tell apart
// what [Error] describes.
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
type Reader interface {
	io.ReaderAt
	io.Closer
	Info() Info
}

// LineIndexer is a Reader that finds a line without reading from the start.
type LineIndexer interface {
	// LineBefore returns the last indexed line at or before line (0-based) and
	// the byte offset at which it starts.
	LineBefore(line int64) (at, offset int64)
}
