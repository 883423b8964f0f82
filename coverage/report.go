package coverage

import (
	"encoding/hex"
	"fmt"
	"log/slog"
)

// SchemaName is the version of the JSON form of a Report; see Schema.
const SchemaName = "coverage/1"

// Summary is the short form of a report; an envelope carries it. Every true in it
// rests on evidence; what is not known is false or left out.
type Summary struct {
	// Requested is how many records there are to load: the universe, whatever
	// limit the request had. Before the seal, when more ids may be expected, it is
	// a lower bound in an enumerated one.
	Requested Count `json:"requested,omitzero"`

	// Loaded is how many of them the model gets whole, doubles not counted. In
	// constant memory, where doubles aren't known, it is an estimate.
	Loaded Count `json:"loaded,omitzero"`

	// Filtered is how many were left out by a rule.
	Filtered Count `json:"filtered,omitzero"`

	// ByteComplete: all bytes came, by length, framing or digest.
	ByteComplete bool `json:"byteComplete"`

	// IdentityComplete: the records that came are those that were expected, each
	// as often as expected.
	IdentityComplete bool `json:"identityComplete"`

	// InputComplete: every record there is was loaded, or left out by a rule that
	// is named. It rests on identities or, in a counted universe, on the count.
	InputComplete bool `json:"inputComplete"`

	// SourceSnapshot is the version of the source, or two joined by ".." when it
	// changed during reading.
	SourceSnapshot string `json:"sourceSnapshot,omitempty"`

	// Reasons are why anything is missing, in the order of Codes.
	Reasons []Reason `json:"reasons,omitempty"`
}

// State is what can be said of acquisition.
type State string

// The states.
const (
	StateComplete      State = "complete"
	StateIncomplete    State = "incomplete"
	StateExhausted     State = "exhausted"     // a cursor came to its end over one version; nobody counted
	StateUnverifiable  State = "unverifiable"  // no loss was seen, and none could have been ruled out
	StateIndeterminate State = "indeterminate" // not sealed, or accounts that don't fit together
	StatePlanExecuted  State = "plan_executed" // open universe: every planned call was made
	StatePlanPartial   State = "plan_partial"  // open universe: some were not
)

// Basis is the weakest evidence on which a State rests.
type Basis string

// The bases, the strongest first.
const (
	BasisIdentity   Basis = "identity"   // digests over ids are equal
	BasisCount      Basis = "count"      // as many different records as there are
	BasisExhaustion Basis = "exhaustion" // the source said that there is no more
	BasisNone       Basis = "none"
)

// Report is the full account, coverage/1. It is a value: the ledger can go on.
type Report struct {
	Schema string `json:"schema"`
	Summary
	Universe    UniverseInfo `json:"universe"`
	Snapshot    SnapshotInfo `json:"snapshot"`
	Request     RequestInfo  `json:"request"`
	Plan        PlanInfo     `json:"plan"`
	Records     Records      `json:"records"`
	Bytes       BytesInfo    `json:"bytes"`
	Identity    IdentityInfo `json:"identity"`
	Merge       MergeInfo    `json:"merge"`
	Acquisition Acquisition  `json:"acquisition"`
	View        ViewInfo     `json:"view"`
	Answer      AnswerInfo   `json:"answer"`
	Claims      Claims       `json:"claims"`
}

// UniverseInfo is what there is to load.
type UniverseInfo struct {
	Kind      Kind   `json:"kind"`
	Count     Count  `json:"count,omitzero"`
	Authority string `json:"authority"` // who says so: manifest, source_total, end_of_cursor, none
}

// SnapshotInfo is the version of the source.
type SnapshotInfo struct {
	Isolation string `json:"isolation"` // version_checked, changed, unknown
	Start     string `json:"start,omitempty"`
	End       string `json:"end,omitempty"`
}

// RequestInfo is what was asked for, which is not what there is.
type RequestInfo struct {
	Limit     int64 `json:"limit,omitempty"`
	Fulfilled bool  `json:"fulfilled"` // the limit was reached, or there was no more
}

// PlanInfo is the work in units; the states add up to Units.
type PlanInfo struct {
	Sealed     bool  `json:"sealed"`
	Units      int64 `json:"units"`
	Succeeded  int64 `json:"succeeded"`
	Failed     int64 `json:"failed"`
	TimedOut   int64 `json:"timedOut"`
	Skipped    int64 `json:"skipped"`
	NotStarted int64 `json:"notStarted"`
	Unfinished int64 `json:"unfinished"`

	Attempts int64 `json:"attempts"`
	Repeated int64 `json:"repeated"` // times that a unit was done again after it was done

	Unreachable []string  `json:"unreachable,omitempty"` // outstanding at the seal, at most 256
	Unlisted    int64     `json:"unlisted,omitempty"`    // outstanding units beyond those
	EndSignal   EndSignal `json:"endSignal,omitempty"`
	EndProof    string    `json:"endProof"` // proved, claimed, none, no_cursor
}

// Tally is a number of records with their bytes and the digest of their
// identities. What is not known is left out.
type Tally struct {
	Count  Count  `json:"count,omitzero"`
	Bytes  int64  `json:"bytes,omitempty"`  // of the contents that were given, all copies
	Digest string `json:"digest,omitempty"` // count and sum: "n:hex", see Identity
}

// Records is double-entry book-keeping: every record that was expected or came is
// in exactly one state. Over counts and over digests,
//
//	expected = loaded + loadedPartial + filtered + failed + notAttempted + unaccounted
//	received = loaded + loadedPartial + filtered + failedReceived + duplicate + unexpected
//
// where failedReceived are those of failed that came. In constant memory a surplus
// can't be split into duplicate and unexpected: both are unknown, Surplus is
// known, and the equations hold with it on the side of what was expected.
type Records struct {
	Expected       Tally `json:"expected"`
	Received       Tally `json:"received"`
	Loaded         Tally `json:"loaded"`
	LoadedPartial  Tally `json:"loadedPartial"`
	Filtered       Tally `json:"filtered"`
	Duplicate      Tally `json:"duplicate"`
	Failed         Tally `json:"failed"`
	FailedReceived Tally `json:"failedReceived"`
	NotAttempted   Tally `json:"notAttempted"`
	Unexpected     Tally `json:"unexpected"`
	Unaccounted    Tally `json:"unaccounted"` // the alarm
	Surplus        Tally `json:"surplus"`     // handed on more often than expected
	Balanced       bool  `json:"balanced"`    // the equations were checked and hold
}

// BytesInfo is the evidence about bytes.
type BytesInfo struct {
	Complete  string  `json:"complete"`          // yes, no, unknown
	Received  Count   `json:"received,omitzero"` // as sent, before decoding
	Expected  Count   `json:"expected,omitzero"` // by the headers, before decoding
	Decoded   int64   `json:"decoded,omitempty"` // of bodies that the transport decoded
	Framing   Framing `json:"framing,omitempty"` // the weakest
	Bodies    int64   `json:"bodies"`
	Whole     int64   `json:"whole"`
	Cut       int64   `json:"cut"`
	Doubtful  int64   `json:"doubtful"`
	Unseen    int64   `json:"unseen"`             // pages that were done and showed no body
	Digests   int64   `json:"digests"`            // bodies whose digest was verified
	Contents  string  `json:"contents"`           // contents against those promised: match, mismatch, unverified
	Shortened Count   `json:"shortened,omitzero"` // records of which a part was handed on
}

// Named is an id that is missing or in surplus.
type Named struct {
	ID    string `json:"id,omitempty"`   // left out when it is not known, empty, not UTF-8 or over 512 bytes; see Report.Resolve
	Hash  string `json:"hash,omitempty"` // hex, where ID was left out: of the id under the key, at least 31 bytes
	Times int64  `json:"times"`
}

// Names is a list of ids that may be longer than what is shown of it.
type Names struct {
	Count    Count   `json:"count,omitzero"`     // with multiplicity
	Named    []Named `json:"named,omitempty"`    // at most 256
	Unlisted int64   `json:"unlisted,omitempty"` // different ids beyond those
}

// IdentityInfo says how identities were compared. A digest is the sum, modulo
// 2^256 and read least byte first, of SHA-256(K || uvarint(len id) || id) over the
// ids, with K the first 16 bytes of
// SHA-256("coverage/1\x00" || uvarint(len key) || key || "id").
type IdentityInfo struct {
	Algorithm string  `json:"algorithm"`
	KeyMode   KeyMode `json:"keyMode"`
	KeyID     string  `json:"keyId"`         // hex
	Key       string  `json:"key,omitempty"` // hex; of a sealed ledger that drew it, or public
	Mode      string  `json:"mode"`          // exact, sketch, digest
	Status    string  `json:"status"`        // match, mismatch, unverified
	Effect    string  `json:"effect"`        // none, omission, commission, both, unknown
	Decoded   bool    `json:"decoded"`       // Missing and Surplus are the whole difference
	Missing   Names   `json:"missing"`       // expected, and in no state
	Surplus   Names   `json:"surplus"`       // handed on more often than expected
	Nameless  int64   `json:"nameless,omitempty"`
	Cells     int     `json:"cells,omitempty"`
}

// MergeInfo says which accounts the report is of.
type MergeInfo struct {
	Shards    int64    `json:"shards"`
	Committed int64    `json:"committed"`
	Attempts  int64    `json:"attempts"` // the sum of the numbers of tries that are known
	Folded    int64    `json:"folded,omitempty"`
	Conflicts []string `json:"conflicts,omitempty"` // at most 256
}

// Acquisition is the axis on which a ledger judges.
type Acquisition struct {
	State State `json:"state"`
	Basis Basis `json:"basis"`
}

// ViewInfo is what of it the model sees; see Report.WithView.
type ViewInfo struct {
	Assessed bool    `json:"assessed"`
	Unit     Unit    `json:"unit,omitempty"`
	Shown    []Range `json:"shown,omitempty"`
	Total    Count   `json:"total,omitzero"`
	Complete bool    `json:"complete"`
	Scans    []Scan  `json:"scans,omitempty"`
}

// AnswerInfo is never assessed here.
type AnswerInfo struct {
	Assessed bool `json:"assessed"`
}

// Report computes the verdict from what has been recorded so far.
func (l *Ledger) Report() Report {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := builder{ledger: l, conf: &l.conf, all: l.fold()}
	return b.report()
}

// String is the report in a few sentences, the claim first.
func (r Report) String() string {
	s := r.Claim("en") + " State: " + string(r.Acquisition.State)
	if r.Acquisition.Basis != BasisNone {
		s += ", by " + string(r.Acquisition.Basis)
	}
	if p := r.Plan; p.EndProof == "claimed" && r.Universe.Kind == KindExhaustible {
		s += "; the end of the cursor is claimed (" + string(p.EndSignal) + "), not proved"
	}
	for i, reason := range r.Reasons {
		sep := "; "
		if i == 0 {
			sep = ". Reasons: "
		}
		s += sep + reason.String()
	}
	return s + "."
}

// String is the reason in words: code, number, place and message.
func (r Reason) String() string {
	s := string(r.Code)
	if r.Count.Known() {
		s += " " + r.Count.String()
		if r.Unit != "" {
			s += " " + r.Count.of(string(r.Unit), string(r.Unit)+"s")
		}
	}
	if r.Limit != 0 {
		s += fmt.Sprintf(" (limit %d)", r.Limit)
	}
	if r.Where != "" {
		s += " at " + quote(r.Where)
	}
	if r.Message != "" {
		s += ": " + quote(r.Message)
	}
	return s
}

// LogValue is the summary as a group of attributes.
func (s Summary) LogValue() slog.Value {
	codes := make([]string, 0, len(s.Reasons))
	for _, r := range s.Reasons {
		codes = append(codes, string(r.Code))
	}
	return slog.GroupValue(
		slog.String("requested", s.Requested.String()), slog.String("loaded", s.Loaded.String()),
		slog.String("filtered", s.Filtered.String()), slog.Bool("inputComplete", s.InputComplete),
		slog.Bool("identityComplete", s.IdentityComplete), slog.Bool("byteComplete", s.ByteComplete),
		slog.String("sourceSnapshot", s.SourceSnapshot), slog.Any("reasons", codes))
}

// LogValue is the verdict and the summary as a group of attributes.
func (r Report) LogValue() slog.Value {
	return slog.GroupValue(append([]slog.Attr{
		slog.String("state", string(r.Acquisition.State)), slog.String("basis", string(r.Acquisition.Basis)),
	}, r.Summary.LogValue().Group()...)...)
}

func hexKey(key []byte) string { return hex.EncodeToString(key) }
