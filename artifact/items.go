package artifact

// Items says where the items of one array or list begin in an artifact, so that
// item n is found without reading from the start. A store knows no format: who
// wrote the bytes has scanned them, and tells.
type Items struct {
	// Pointer is the JSON Pointer (RFC 6901) of the array in the artifact; empty:
	// the root, or a format with one list only, such as JSON Lines.
	Pointer string

	// Total is how many items there are.
	Total int64

	// Starts are some of the items with the place of their first byte, ascending.
	// Item 0 is the first of them, unless Total is 0. The first item that begins
	// in each 64 KiB of the artifact (from a multiple of 65536 on) is what a store
	// keeps; more cost time, fewer make finding an item slower.
	Starts []ItemStart
}

// ItemStart is the place of one item.
type ItemStart struct {
	Item   int64 // 0-based
	Offset int64 // of its first byte, in bytes from the start of the artifact
}

// ItemMarker is a Writer that records where items begin. All Writers of this
// package are ItemMarkers.
type ItemMarker interface {
	// MarkItems records x. Call it after the last Write and before Commit; the
	// last call counts. It keeps nothing of x. An error says what can't be true
	// of the bytes that were written, or why the Writer has ended; then no items
	// are recorded, and the artifact is none the worse. That x is true is the
	// caller's to know. The Writer of a retry with an idempotency key leaves the
	// first one's items as they are.
	MarkItems(x Items) error
}

// ItemIndexer is a Reader that finds an item without reading from the start. All
// Readers of this package are ItemIndexers.
type ItemIndexer interface {
	// Items returns what was recorded of the whole; ok is false if nothing was.
	Items() (pointer string, total int64, ok bool)

	// ItemBefore returns the last indexed item at or before item (0-based) and
	// the place of its first byte. A negative item is taken for the first, one
	// beyond the last for the last. Item n begins less than 64 KiB after offset,
	// unless fewer items were marked than Items says. ok is false if there are
	// none, or the index can't be read now: then read from the start.
	ItemBefore(item int64) (at, offset int64, ok bool)
}
