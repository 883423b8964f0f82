// Package view has what the readers of formats (textview, jsonview) share: the
// limit on a view, and the plan that says what a view shows and what it lacks.
//
// It is the vocabulary of package envelope without its JSON form, so that byte
// work depends on no public package.
package view

// Range is the half-open interval [Start, End), 0-based.
type Range struct{ Start, End int64 }

// Len is the number of units in r.
func (r Range) Len() int64 { return max(0, r.End-r.Start) }

// Unit is a second measure beside bytes.
type Unit uint8

// The units in which a Limit may count.
const (
	Byte Unit = iota
	Rune
	Grapheme
	Line
	Item
)

// Limit is the most that a view's content may cost: at most Bytes bytes and at
// most N units. With Unit Byte, N is not read. A Limit with larger numbers and
// the same Unit never gives a view that shows less.
type Limit struct {
	Bytes int64
	Unit  Unit
	N     int64
}

// Plan is one view of one content. Without transforms Content is the
// concatenation of Bytes and Context together, in the order of the source.
type Plan struct {
	MediaType  string
	Content    string
	Cuts       []int64 // offsets in Content of bytes that don't follow in the source what stands before them
	Complete   bool    // nothing is omitted and no transform lost anything
	Exact      bool    // Complete, and Content's bytes are the source's
	Bytes      []Range
	Context    []Range // shown for orientation, not counted
	Pointer    string  // the container that Units counts
	Unit       Unit    // people's unit, Line or Item; Byte: there is none
	Units      []Range // whole units that are shown
	Partly     int64   // units of which a part is shown
	UnitTotal  int64   // -1: not counted
	Omissions  []Omission
	Unlisted   int64 // omissions beyond those listed
	Transforms []Transform
	Rest       []Rest // what can be asked for next, the first first
	Scan       *Scan  // of keep rules and of Around
}

// Omission is what one container lacks: Shown + Part + omitted = Total.
type Omission struct {
	Pointer string
	Unit    Unit
	Shown   int64
	Part    int64
	Total   int64 // -1: not counted
	Bytes   Range // the hull of what is missing
	Units   Range // the hull of the missing units
	Of      string
	SHA256  string
}

// Transform is a named change made to what is shown, with the number of places.
type Transform struct {
	Name  string
	Count int64
	Loses bool
}

// Rest is a range that the view lacks and that a read can show: units From to To
// (0-based, half-open) of the container that Pointer names.
type Rest struct {
	Pointer string
	Unit    Unit // Line, Item or Byte
	From    int64
	To      int64
	Bytes   Range // the same, in bytes of the artifact
	Inside  bool  // of what the string at Pointer holds
}

// Scan is what a rule looked at and found.
type Scan struct {
	Predicate string
	Engine    string
	Unit      Unit
	Scanned   []Range
	Of        int64
	Matched   int64
	Returned  int64
	Unjudged  int64
}
