package coverage

import (
	"math"
	"strconv"
)

// Unit is what is counted.
type Unit string

// The units. A Grapheme is an extended grapheme cluster (UAX #29). A Line ends
// with LF or with the end of the text; nothing else ends a line. An Item is an
// element of an array, a record, a row or a hunk.
const (
	Byte     Unit = "byte"
	Rune     Unit = "rune"
	Grapheme Unit = "grapheme"
	Line     Unit = "line"
	Item     Unit = "item"
	Token    Unit = "token"
)

// Relation says how a number relates to the truth.
type Relation string

// The relations.
const (
	Eq       Relation = "eq"       // the truth is this number
	Gte      Relation = "gte"      // the truth is this number or more
	Estimate Relation = "estimate" // the truth is near this number
	Unknown  Relation = "unknown"  // the number says nothing
)

// Count is a number with its relation to the truth. The zero Count is unknown,
// so that a count that nobody made can't be taken for "none"; so is one of a negative
// number, with which many sources say "unknown".
type Count struct {
	Value    int64    `json:"value"`
	Relation Relation `json:"relation"`
}

// Exactly returns a Count of which the truth is n; of a negative n it is unknown.
func Exactly(n int64) Count { return counted(n, Eq) }

// AtLeast returns a Count of which the truth is n or more; of a negative n it is unknown.
func AtLeast(n int64) Count { return counted(n, Gte) }

func counted(n int64, r Relation) Count {
	if n < 0 {
		return Count{}
	}
	return Count{n, r}
}

// Known reports whether c says anything: its relation is Eq, Gte or Estimate, and its
// value not negative.
func (c Count) Known() bool {
	return c.Value >= 0 && (c.Relation == Eq || c.Relation == Gte || c.Relation == Estimate)
}

// IsZero reports whether c is unknown. It makes `json:",omitzero"` leave an
// unknown count out.
func (c Count) IsZero() bool { return !c.Known() }

// Plus returns the count of two disjoint things together. The relation is the
// weaker of both; a sum with an unknown part is at least the known part, and one
// that is too great for an int64 at least the greatest.
func (c Count) Plus(d Count) Count {
	switch {
	case !c.Known() && !d.Known():
		return Count{}
	case !c.Known():
		return Count{d.Value, weaker(Gte, d.Relation)}
	case !d.Known():
		return Count{c.Value, weaker(Gte, c.Relation)}
	}
	sum := Count{plus(c.Value, d.Value), weaker(c.Relation, d.Relation)}
	if sum.Value == math.MaxInt64 {
		sum.Relation = weaker(sum.Relation, Gte)
	}
	return sum
}

// plus is a+b, and math.MaxInt64 if that is too great for an int64.
func plus(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// String is the number as people write it: "12", "12+", "~12" or "?".
func (c Count) String() string {
	n := strconv.FormatInt(c.Value, 10)
	switch {
	case !c.Known():
		return "?"
	case c.Relation == Eq:
		return n
	case c.Relation == Gte:
		return n + "+"
	}
	return "~" + n
}

// of is the English word that agrees with c: one for "1" and "~1", many for "0",
// "2", "1+" and "?".
func (c Count) of(one, many string) string {
	if c.Value == 1 && (c.Relation == Eq || c.Relation == Estimate) {
		return one
	}
	return many
}

// weaker orders the relations of known counts: eq, then gte, then estimate.
func weaker(a, b Relation) Relation {
	if a == Estimate || b == Estimate {
		return Estimate
	}
	if a == Gte || b == Gte {
		return Gte
	}
	return Eq
}

// Layer is where on the way from the source to the model something was lost.
type Layer string

// The layers, from the source to the model.
const (
	LayerSource    Layer = "source"    // the source itself gave a part
	LayerTransport Layer = "transport" // lost on the way to the tool
	LayerCapture   Layer = "capture"   // the tool or its caller stopped reading
	LayerFilter    Layer = "filter"    // left out by a rule
	LayerRedaction Layer = "redaction" // must not be seen
	LayerBudget    Layer = "budget"    // the budget was spent
	LayerPage      Layer = "page"      // outside the range that was asked for
)

// Reason is one cause of something missing. Envelopes and reports use this one
// type. The zero Count means that nobody counted how much is missing.
type Reason struct {
	Code      Code   `json:"code"`
	Layer     Layer  `json:"layer"`
	Unit      Unit   `json:"unit,omitempty"`      // of Count and Limit
	Count     Count  `json:"count,omitzero"`      // how much is missing
	Limit     int64  `json:"limit,omitempty"`     // the limit that fired; 0 is none
	Where     string `json:"where,omitempty"`     // a page, a shard, an offset, a JSON Pointer
	Message   string `json:"message,omitempty"`   // in words, for people
	Retryable bool   `json:"retryable,omitempty"` // the same call may succeed later
}

// Scan is what a search, a query or a keep rule looked at and found. A negative
// answer ("there is none") is licensed by a Scan of the whole, never by what was
// shown.
type Scan struct {
	Predicate string  `json:"predicate"`         // what was looked for
	Engine    string  `json:"engine"`            // how it was read: "literal", "re2", "pointer"
	Unit      Unit    `json:"unit"`              // of Scanned and Of
	Scanned   []Range `json:"scanned"`           // what was looked at
	Of        Count   `json:"of,omitzero"`       // how much there is
	Matched   Count   `json:"matched,omitzero"`  // matches in what was looked at
	Returned  int64   `json:"returned"`          // matches that were handed on; -1: not counted
	Unjudged  Count   `json:"unjudged,omitzero"` // could be neither matched nor ruled out
}

// Whole reports whether s looked at everything and could judge all of it, so
// that a Matched of exactly zero means "there is none".
func (s Scan) Whole() bool {
	if s.Of.Relation != Eq || s.Matched.Relation != Eq || s.Matched.Value < 0 || (s.Unjudged.Known() && s.Unjudged.Value != 0) {
		return false
	}
	return Set(nil).Add(s.Scanned...).is(s.Of.Value)
}
