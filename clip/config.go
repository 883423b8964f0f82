package clip

import (
	"context"
	"log/slog"
	"time"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// DefaultMaxInput is how much of one content is read when Config.MaxInput is 0:
// 4 GiB.
const DefaultMaxInput = 4 << 30

// Config is a Clipper's policy. The zero Config works: 16 KiB, text form, English,
// nothing kept, which the notice says.
type Config struct {
	Budget   Budget         // zero: Bytes(DefaultBytes)
	Form     Form           // which rendering the budget bounds
	Show     Show           // what is shown
	Style    envelope.Style // how the facts are worded
	Tool     string         // the tool's name; usually an option of Wrap
	MaxInput int64          // bytes read of one content; 0: DefaultMaxInput. What is beyond is a reason

	Store     artifact.Store // nil: nothing is kept. See Clip for one that does not answer
	TTL       time.Duration  // how long artifacts are kept; 0: the store's
	MustSave  bool           // a failed save is an error; otherwise the envelope says so
	Followups Followups      // the calls that the loop has; zero: none

	Caller  func(context.Context) (Caller, error) // who asks; nil: the zero Caller. An error fails closed
	Reading *coverage.Reading                     // what readers have seen; nil: not tracked

	Redact Redactor // runs before saving and before cutting
	// ReadOnly says that the tool only reads: of an error that does not say what was done
	// (a refused connection, a time-out) the model is told that nothing was, and that it
	// may call again. Without it, whether something was done is said to be unknown, also
	// where no connection came about: the tool may have done something before.
	ReadOnly bool

	Return func(error) bool // which of the tool's errors the loop gets; nil: all. Cancellation is always returned

	Log      *slog.Logger   // a record for each call; nil: none
	LogArgs  bool           // the record holds Result.Args
	Progress func(Progress) // at most ten calls a second, never two at a time for one call of a tool
}

// Caller is who asks, derived from the context of each call.
type Caller struct {
	Scope  artifact.Scope // whose artifacts
	Reader string         // whose context window, for Reading
	CallID string         // of the provider, for the log
}

// Followups names the follow-up tools that the loop has; one with the name "" it
// has not. Envelopes name only these. Package followup builds them. A name is at
// most 64 of A-Z a-z 0-9 _ - . and no two are the same.
type Followups struct{ Read, Search, Query, Outline string }

// AllFollowups are the four under their usual names.
var AllFollowups = Followups{"artifact_read", "artifact_search", "artifact_query", "artifact_outline"}

// Form is a rendering of the envelope.
type Form int

// The forms. JSONForm is the Envelope as encoding/json writes it, in one line; the
// budget holds with HTML escaping, which is longer, and without. InBandForm is for
// loops that pass on nothing but JSON: the data, with a marker named by Style.Member in
// them where there is something to say. Both list less than the text form may: at most
// eight omissions and four reasons of each content, sentences of 512 bytes, calls of a
// kilobyte, and no cuts of JSON, of which the omissions say what is missing.
const (
	TextForm   Form = iota // Envelope.Text
	JSONForm               // the encoded Envelope, or its Map
	InBandForm             // Envelope.InBand
)

// Progress is how far a long call is: what was read so far, of all its contents.
type Progress struct{ Bytes, Lines int64 }
