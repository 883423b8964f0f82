package envelope

import (
	"time"

	"github.com/toolclip/toolclip/coverage"
)

// Schema is the version of the JSON form that this package writes.
const Schema = "envelope/1"

// Envelope says everything about one tool call: what is shown of how much, why
// only that, how to get the rest. It is a plain struct, so that an SDK can infer
// a schema from it: no marshaller of its own, no raw JSON, no recursion.
//
// An Envelope with one content has it in the embedded Part; one with several
// (stdout and stderr, parallel results) has them in Parts and leaves the
// embedded Part's Content empty. Where not all of several are shown, an omission at
// /parts of the embedded Part counts them, and the artifact List names them all, each
// with its own artifact; where there is no room for even one, Parts is empty.
//
// The zero Envelope says that nothing is known: not complete, nothing kept.
// Notice, Closing, Fence, the parts' Heading and the cuts' Mark are set by
// [Style.Word]; no other field is ever computed from what content looks like.
//
// Copies share their slices: treat an Envelope as a value that nobody changes.
type Envelope struct {
	Schema   string            `json:"schema"`
	Tool     string            `json:"tool,omitempty"`
	Notice   string            `json:"notice,omitempty"`  // the facts as the model reads them; empty when content stands bare
	Closing  string            `json:"closing,omitempty"` // the last line; empty when content stands bare
	Fence    string            `json:"fence,omitempty"`   // drawn once, in no content; empty when content stands bare
	Part                       // the one part; its Content is empty when Parts is not
	Parts    []Part            `json:"parts,omitempty"`
	List     string            `json:"list,omitempty"`   // the handle of a list of all parts; empty when all are here or none was kept
	Next     []Next            `json:"next,omitempty"`   // the first is the one to make
	NoNext   string            `json:"noNext,omitempty"` // why there is no call that shows more
	Scan     *coverage.Scan    `json:"scan,omitempty"`   // of a search, a query or a keep rule
	Did      string            `json:"did,omitempty"`    // what the call has done, in one sentence
	Coverage *coverage.Summary `json:"coverage,omitempty"`
	Failure  *Failure          `json:"failure,omitempty"`

	mark mark // set by Style.Word in this process, lost in JSON
}

// Part is one piece of content with its account.
type Part struct {
	Name      string            `json:"name,omitempty"`
	MediaType string            `json:"mediaType,omitempty"`
	Heading   string            `json:"heading,omitempty"` // one of several parts: its name and facts as the model reads them
	Content   string            `json:"content"`           // always text; JSON stays as its source wrote it
	Base64    string            `json:"base64,omitempty"`  // images and audio (RFC 4648 section 4)
	View      View              `json:"view"`
	Reasons   []coverage.Reason `json:"reasons,omitempty"`
	Artifact  *Artifact         `json:"artifact,omitempty"` // nil: nothing was kept
	Acquired  Acquired          `json:"acquired"`
}

// Acquired says whether the tool got all of its source. It is about the way
// before the library; what was cut here is in View.
type Acquired string

// Whether the tool got all of its source. Unknown unless the tool or a ledger
// says so.
const (
	AcquiredYes     Acquired = "yes"
	AcquiredNo      Acquired = "no"
	AcquiredUnknown Acquired = "unknown"
)

// View is which part of the artifact is shown. Ranges are 0-based and half-open.
// Without transforms the content is the concatenation of Bytes and Context
// together, in the order of the source. With the transform "json_string" they and the
// totals are those of what the string holds that Pointer names or passes, decoded.
type View struct {
	Complete   bool             `json:"complete"`            // nothing is omitted and no transform lost anything
	Exact      bool             `json:"exact"`               // Complete, and the content's bytes are the artifact's
	Bytes      []coverage.Range `json:"bytes,omitempty"`     // of the artifact's bytes
	Context    []coverage.Range `json:"context,omitempty"`   // shown again for orientation, not counted: brackets, a header
	ByteTotal  coverage.Count   `json:"byteTotal,omitzero"`  // of the whole artifact
	Pointer    string           `json:"pointer,omitempty"`   // the container whose items Units counts (RFC 6901); "" is the root
	Unit       coverage.Unit    `json:"unit,omitempty"`      // people's unit: line or item
	Units      []coverage.Range `json:"units,omitempty"`     // whole units that are shown
	Partly     int64            `json:"partly,omitempty"`    // units of which a part is shown
	UnitTotal  coverage.Count   `json:"unitTotal,omitzero"`  // of the whole artifact, or of the container
	Omissions  []Omission       `json:"omissions,omitempty"` // at most 256 are listed
	Unlisted   int64            `json:"unlisted,omitempty"`  // omissions beyond those listed
	Transforms []Transform      `json:"transforms,omitempty"`
	Cuts       []Cut            `json:"cuts,omitempty"` // where content has a gap inside, in order
}

// Cut is a place in a content where something was left out. Text says there what is
// missing; JSON content is never interrupted. A cut at 0 tells what lies before the
// content; what lies behind it is in Closing.
type Cut struct {
	At   int64  `json:"at"`             // bytes of Content before the gap
	Mark string `json:"mark,omitempty"` // what is missing, as the model reads it
}

// Omission is what one container lacks in the view:
// Shown + Part + what is omitted = Total.
//
// Where the budget is in runes, grapheme clusters or tokens, one Omission says how much
// of the whole is shown in that unit, with the Pointer of the whole. Tokens that are
// shown are as the budget's counter counts them, or estimated where there is none; the
// total is an estimate.
type Omission struct {
	Pointer  string            `json:"pointer"` // of the container (RFC 6901); "" is the root
	Unit     coverage.Unit     `json:"unit"`
	Shown    int64             `json:"shown"`              // units shown whole
	Relation coverage.Relation `json:"relation,omitempty"` // of Shown; "" is exactly
	Part     int64             `json:"part,omitempty"`     // units of which a part is shown
	Total    coverage.Count    `json:"total,omitzero"`     // units in the container
	Bytes    coverage.Range    `json:"bytes,omitzero"`     // the hull of what is missing, in the artifact
	Units    coverage.Range    `json:"units,omitzero"`     // the hull of the missing units
	Of       string            `json:"of,omitempty"`       // what was cut, where that helps: "image/png", "base64"
	SHA256   string            `json:"sha256,omitempty"`   // of the value that was cut, in hex
}

// Transform is a named change made to what is shown, with the number of places.
type Transform struct {
	Name  string         `json:"name"`
	Count coverage.Count `json:"count,omitzero"`
	Loses bool           `json:"loses,omitempty"` // the shown text holds less than the source
}

// Artifact refers to the saved whole.
type Artifact struct {
	Handle    string    `json:"handle"`
	Size      int64     `json:"size"`
	SHA256    string    `json:"sha256"` // in hex
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// Next is a call that can be made now and shows more.
type Next struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Gives     string         `json:"gives"`            // what it shows, in words
	Search    bool           `json:"search,omitempty"` // a template: the caller fills in what to look for
}
