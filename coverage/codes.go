package coverage

import "slices"

// Code is one of a closed list of reasons; Codes lists them all. The class of
// loss is in the name, the place is in Reason.Layer.
type Code string

// The codes that callers give to a Ledger or a Result, and those that only the
// library gives.
const (
	// Not attempted.
	EntryLimit   Code = "entry_limit"  // a limit on records was reached
	PageLimit    Code = "page_limit"   // a limit on pages was reached
	ByteLimit    Code = "byte_limit"   // a limit on bytes was reached
	TimeLimit    Code = "time_limit"   // a deadline was reached
	Cancelled    Code = "cancelled"    // the caller stopped the work
	RateLimited  Code = "rate_limited" // the source refused for now
	Unauthorized Code = "unauthorized" // the source refused
	Unreachable  Code = "unreachable"  // a unit of the plan could not be reached
	NotPlanned   Code = "not_planned"  // a unit was never tried

	// Failed.
	PageFailed     Code = "page_failed"
	Timeout        Code = "timeout"
	HTTPStatus     Code = "http_status"
	ReadFailed     Code = "read_failed" // the source stopped with an error
	DecodeFailed   Code = "decode_failed"
	ParseFailed    Code = "parse_failed"
	Empty          Code = "empty_extraction"
	SchemaMismatch Code = "schema_mismatch"
	WriteFailed    Code = "write_failed"
	ToolFailed     Code = "tool_failed" // the tool returned an error beside its content
	Panicked       Code = "panicked"    // the tool panicked

	// Partial.
	ByteTruncated  Code = "byte_truncated"
	FieldTruncated Code = "field_truncated"
	LineTruncated  Code = "line_truncated"
	RangeOnly      Code = "range_only"
	CharsetLossy   Code = "charset_lossy"

	// Filtered.
	FilteredOut     Code = "filtered"
	Excluded        Code = "excluded_by_policy"
	Redacted        Code = "redacted"
	UnsupportedType Code = "unsupported_type"
	TooLarge        Code = "too_large"

	// Identity.
	IdentityMismatch Code = "identity_mismatch"
	DuplicateID      Code = "duplicate"
	UnexpectedID     Code = "unexpected"
	VersionChanged   Code = "version_changed"
	ContentChanged   Code = "content_changed"

	// The source contradicts itself or says less than it has.
	SourcePartial        Code = "source_partial"
	SourceCap            Code = "source_cap"
	TotalInconsistent    Code = "total_inconsistent"
	CursorRepeated       Code = "cursor_repeated"
	CursorExpired        Code = "cursor_expired"
	LiveDrift            Code = "live_drift"
	TruncatedUnexplained Code = "truncated_unexplained"

	// Merging.
	ShardMissing          Code = "shard_missing"
	ShardConflict         Code = "shard_conflict"
	NondeterministicRetry Code = "nondeterministic_retry"
	PlanUnsealed          Code = "plan_unsealed"
	KeyMismatch           Code = "key_mismatch"

	// The view.
	OverBudget Code = "over_budget" // the model's budget was spent
	OffPage    Code = "off_page"    // outside the range that was asked for
	NotText    Code = "not_text"    // binary content is described, not shown
	TooDeep    Code = "too_deep"    // nested deeper than the library reads
	NotKept    Code = "not_kept"    // the whole result could not be saved
)

var codes = []Code{
	EntryLimit, PageLimit, ByteLimit, TimeLimit, Cancelled, RateLimited, Unauthorized, Unreachable, NotPlanned,
	PageFailed, Timeout, HTTPStatus, ReadFailed, DecodeFailed, ParseFailed, Empty, SchemaMismatch, WriteFailed, ToolFailed, Panicked,
	ByteTruncated, FieldTruncated, LineTruncated, RangeOnly, CharsetLossy,
	FilteredOut, Excluded, Redacted, UnsupportedType, TooLarge,
	IdentityMismatch, DuplicateID, UnexpectedID, VersionChanged, ContentChanged,
	SourcePartial, SourceCap, TotalInconsistent, CursorRepeated, CursorExpired, LiveDrift, TruncatedUnexplained,
	ShardMissing, ShardConflict, NondeterministicRetry, PlanUnsealed, KeyMismatch,
	OverBudget, OffPage, NotText, TooDeep, NotKept,
}

// Codes returns the closed list, in the order in which it is documented.
func Codes() []Code { return slices.Clone(codes) }

// Known reports whether c is in the closed list.
func (c Code) Known() bool { return slices.Contains(codes, c) }
