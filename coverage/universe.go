package coverage

import "slices"

// Kind is what is known beforehand about the records that there are.
type Kind string

// The kinds, the most that is known first.
const (
	KindEnumerated  Kind = "enumerated"  // every id
	KindCounted     Kind = "counted"     // how many
	KindExhaustible Kind = "exhaustible" // that there is an end, which a cursor reaches
	KindAtLeast     Kind = "at_least"    // that there are so many or more
	KindOpen        Kind = "open"        // nothing: the web, an index that ranks
)

// Universe is the set of records that there are to load. It is not the request: a
// request for 60 of 65 can be fulfilled, and the universe is incomplete all the
// same. The zero Universe is Open.
type Universe struct {
	kind Kind
	n    int64
	ids  []string
}

// Enumerated is a universe of known ids; Ledger.Expect adds more. An id that is
// given twice is expected twice.
func Enumerated(ids ...string) Universe {
	return Universe{kind: KindEnumerated, ids: slices.Clone(ids)}
}

// Counted is a universe of n records of unknown ids: the total that a source
// states. A negative n, with which many APIs say "unknown", is CountedAtLeast(0).
func Counted(n int64) Universe {
	if n < 0 {
		return CountedAtLeast(0)
	}
	return Universe{kind: KindCounted, n: n}
}

// Exhaustible is a universe that ends when its cursor does; see Page.Done.
func Exhaustible() Universe { return Universe{kind: KindExhaustible} }

// CountedAtLeast is a universe of n records or more: a total that the source caps or
// estimates. It is never complete, because the rest has no number.
func CountedAtLeast(n int64) Universe { return Universe{kind: KindAtLeast, n: max(0, n)} }

// Open is a universe without an end. It is never complete: that every planned
// call was made is the most that can be said.
func Open() Universe { return Universe{kind: KindOpen} }

// known returns u with the kind of the zero Universe filled in.
func (u Universe) known() Universe {
	if u.kind == "" {
		u.kind = KindOpen
	}
	return u
}

// count is how many records there are, as far as the universe itself says; that
// of an enumerated one is in the ledger.
func (u Universe) count() Count {
	switch u.kind {
	case KindCounted:
		return Exactly(u.n)
	case KindAtLeast:
		return AtLeast(u.n)
	}
	return Count{}
}

// authority is who says how many records there are.
func (u Universe) authority() string {
	switch u.kind {
	case KindEnumerated:
		return "manifest"
	case KindCounted, KindAtLeast:
		return "source_total"
	case KindExhaustible:
		return "end_of_cursor"
	}
	return "none"
}
