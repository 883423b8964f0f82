// Package artifact keeps the whole bytes of a tool result once, so that paging
// and searching read the same bytes.
//
//	w, err := store.Create(ctx, artifact.Draft{Scope: scope, MediaType: "text/plain"})
//	...
//	_, err = io.Copy(w, result)
//	info, err := w.Commit(ctx) // info.Handle is for the model, info.ExpiresAt for the notice
//	...
//	r, err := store.Open(ctx, scope, info.Handle)
//	defer r.Close()
//	_, err = r.ReadAt(page, offset)
//
// # What a store promises
//
// Visible by Commit alone. Before it nothing can be opened, after it everything;
// nothing is ever seen in part. A Writer that is aborted, forgotten, or whose
// context ends leaves nothing.
//
// Never changed. An artifact has the bytes, the hash and the expiry that Commit
// returned until it is gone. Its bytes are read back verified, or not at all: a
// flipped bit is [ErrCorrupt] with the place, and the rest stays readable.
//
// Kept for the time that was announced. The time to live is fixed by the Draft
// and runs from Commit; Info.ExpiresAt is when it is over. From then on the
// artifact is expired, whether or not its bytes were removed yet, and not before.
// No quota removes what has not expired: saving is refused instead.
//
// Theirs alone. Each call names a [Scope], and outside the scope of an artifact
// every answer is the same [ErrNotFound], equal in bytes to that for a handle
// that never was. A handle is not a permission and a hash is not a key.
//
// Gone is said as gone. Inside the scope the errors tell apart an artifact that
// has expired, was deleted, is damaged, can't be reached now, and never was or is
// forgotten. A tombstone remembers it for Options.Remember. It holds neither
// content nor hash.
//
// Durable as the store says. [Memory] lives as long as the process. A [Dir]
// survives it, and the machine: when Commit returns, the bytes, the manifest and
// the name are on disk (unless Options.Unsynced). Commit fails with an error that
// says "outcome unknown" when the store can't tell; a retry with the same
// idempotency key then finds out and never makes a second copy.
//
// # Another backend
//
// [New] makes a store with all these promises of a [Backend]: five methods that
// know nothing of scopes, times and quotas. Package artifacttest proves whether a
// store, of whatever make, keeps them.
package artifact
