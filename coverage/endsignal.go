package coverage

// EndSignal is how a source said whether there is more.
type EndSignal string

// The end signals. Protocols contradict each other, so the signal is recorded and
// judged apart: what ends a cursor at one source goes on at another.
const (
	More         EndSignal = "more"           // there is a next page
	CursorAbsent EndSignal = "absent"         // no next cursor: an end in every protocol
	CursorEmpty  EndSignal = "empty_string"   // "" as next cursor; see Options.EmptyCursor
	HasMoreFalse EndSignal = "has_more_false" // the source says that there is no more
	TotalReached EndSignal = "total_reached"  // as many records as the source's total: no proof, the total may be capped
	ShortPage    EndSignal = "short_page"     // fewer records than asked for: no proof (AIP-158)
	EmptyPage    EndSignal = "empty_page"     // no records: no proof (AIP-158)
	PageCap      EndSignal = "page_cap"       // the reader stopped: no end
	NoProgress   EndSignal = "no_progress"    // the cursor leads back: no end
	Stopped      EndSignal = "error"          // the reader gave up: no end
)

// EmptyCursor is what an empty string as the next cursor means at a source.
type EmptyCursor string

// The meanings.
const (
	EmptyUnknown EmptyCursor = ""              // nobody said: no proof of the end
	EmptyEnds    EmptyCursor = "empty_ends"    // it ends the list (Google AIP-158)
	EmptyGoesOn  EmptyCursor = "empty_goes_on" // it is a cursor like any other (MCP from revision 2026-07-28)
)

// EndOf is the signal in a next cursor: absent, empty or more. With a cursor that
// is absent and one that is "" the same in the decoded page, decode into a pointer.
func EndOf(next *string) EndSignal {
	switch {
	case next == nil:
		return CursorAbsent
	case *next == "":
		return CursorEmpty
	}
	return More
}

// proof is how well it is known that a cursor came to its end.
type proof uint8

const (
	noEnd    proof = iota // it did not, or nobody said
	claimed               // something suggests it
	proved                // the source said so
	noCursor              // there was none to end
)

func (e EndSignal) proof(c *config) proof {
	switch e {
	case CursorAbsent, HasMoreFalse:
		return proved
	case CursorEmpty:
		switch c.empty {
		case EmptyEnds:
			return proved
		case EmptyGoesOn:
			return noEnd
		}
		return claimed
	case TotalReached, ShortPage, EmptyPage:
		return claimed
	}
	return noEnd
}

// known is e, or More for what is no signal: it proves nothing.
func (e EndSignal) known() EndSignal {
	switch e {
	case More, CursorAbsent, CursorEmpty, HasMoreFalse, TotalReached, ShortPage, EmptyPage, PageCap, NoProgress, Stopped:
		return e
	}
	return More
}

// stops reports whether e says that the reader stopped before the end.
func (e EndSignal) stops() bool { return e == PageCap || e == NoProgress || e == Stopped }
