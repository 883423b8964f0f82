package clip

import (
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// Result is an Out with what only the tool knows. Every field may be zero. What is
// said beside content is bounded: names at 128 bytes, sentences at 2 KiB, Reasons at
// 16, of which the others are counted.
type Result struct {
	Tool      string            // overrides Config.Tool; for middleware
	Content   any               // any other Out of Wrap
	Parts     []Named           // several contents instead of one; read concurrently
	MediaType string            // of Content
	Source    string            // where the bytes came from, for people
	Version   string            // of the source
	Err       error             // the tool's error, beside its content
	Wait      func() error      // called once when every content has been read; its error joins Err
	Reasons   []coverage.Reason // what the tool itself lost
	Coverage  *coverage.Report  // the ledger's report of the records in Content
	Did       string            // what the call has done, in one sentence
	Args      any               // the call's arguments, for the audit log

	// Next is the tool's own paging. It is asked when the view is known, and its
	// calls come after the rest of this result. Where the view that fits must be
	// searched for, it is asked for each that is tried; the last answer counts. At
	// most eight calls are handed on, two where the form is JSON.
	Next func(envelope.View) []envelope.Next
}

// Named is one of several contents. As many are shown as the budget has room for,
// in order; the others are counted in an omission at /parts. They are saved too, and so
// is a list of all contents, the envelope's List: a JSON array of one object for each, in
// order, with its number (part), artifact, bytes, mediaType and name; goesOn says that
// its source has, or may have, more than these bytes, and notKept why one has no
// artifact. The last call of the rest reads the list, from the first content
// that is not shown on. Where there is no room for even one content, the list alone is
// named.
type Named struct {
	Name      string // for people; several may have the same; "": its number
	MediaType string // as declared; "" sniffs
	Content   any    // any Out of Wrap but a Result; Readers are read at the same time
	OmitEmpty bool   // leave it out when it has no bytes and nothing went wrong with it
}
