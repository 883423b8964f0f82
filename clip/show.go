package clip

import (
	"regexp"
	"time"

	"github.com/toolclip/toolclip/coverage"
)

// Show selects what is shown; the zero Show is the stable default of the
// content's kind: the head and the tail of plain text (logs and the output of
// commands have their errors first and their summaries last), the head of
// documents (Markdown, HTML, XML, CSV, source code) and of JSON.
//
// Plain text is shown as a terminal would leave it: carriage returns, backspaces and
// erase sequences are applied, and what that hides is a transform that loses. Nothing is
// hidden of a document, which is what has a MediaType of text other than text/plain, nor
// of a text that has carriage returns and no line feed, backspace or escape, if the first
// carriage return is among its first 4 KiB: there they end lines, as shown; lines are
// counted by line feeds.
//
// A Charset is not kept with the artifact: the Config that the follow-up tools have needs
// it too. That of a MediaType is kept: "text/plain; charset=windows-1251".
type Show struct {
	MediaType string  // as declared; "" sniffs
	Charset   string  // as declared (WHATWG label); "" detects
	Ends      Ends    // head, tail or both
	Tail      float64 // the tail's share of the budget when both are shown; 0: a half

	// A page: units At to To of the container that Pointer names, 0-based and
	// half-open. Unit is Line, Item or Byte; "" pages nothing.
	Pointer string        // RFC 6901; "" is the root. In a string on its way that holds JSON it goes on
	Inside  bool          // what the string at Pointer holds, decoded: JSON as JSON, anything else as text
	Unit    coverage.Unit // of At and To; "" with a Pointer: the value, by its structure
	At      int64         // the first
	To      int64         // the one behind the last; 0: to the end

	// A search: windows round the matches of Around, line by line as grep does it,
	// from byte At on. All matches are counted. $ stands before CR LF too.
	Around  *regexp.Regexp
	Context int           // lines on either side of a match
	Hits    int           // matches that are kept for showing; 0: 100
	Time    time.Duration // after which the search stops and says how far it came; 0: never

	Keep      []Keep   // records that come first
	Only      bool     // a query: nothing but the records for which every rule of Keep holds
	Outline   bool     // the shape of a JSON document (paths, types, counts) in place of its values
	Required  []string // keys of objects that come first
	MaxRecord int      // bytes of one record; 0: the format's default
	Raw       bool     // no terminal folding, control characters kept
	Fold      bool     // a run of identical lines becomes one, with its count
}

// Ends says which end of a sequence is shown.
type Ends int

// The ends. DefaultEnds is that of the content's kind. A tail begins at the start of a
// line, or inside a long one, but never inside a row that was folded as a terminal would
// leave it: where the last row alone does not fit, no tail is shown.
const (
	DefaultEnds Ends = iota
	Head
	Tail
	HeadAndTail
)

// Keep is a rule for records: those for which it holds come first. Pointer (RFC
// 6901) is looked up in each element. Op is one of == != < <= > >= exists
// contains. Value is compared as a number when both are numbers, exactly and not
// as floats; as text otherwise, so that 3 also meets "3". Records are the elements of
// arrays of JSON: other content has none, and is shown as if there were no rule; where
// Show.Only asks for nothing else, a reason says that it could not be done.
//
// With JSON, Value is a JSON scalar (a string in quotes, a number, true, false, null)
// and its type counts: null is equal to nothing else, and whether "3" is 3 can't be
// judged, which is counted.
type Keep struct {
	Pointer, Op, Value string
	JSON               bool
}

// stopper tells a search that its time is over.
func (s *Show) stopper() func() bool {
	if s.Around == nil || s.Time <= 0 {
		return nil
	}
	end := time.Now().Add(s.Time)
	return func() bool { return time.Now().After(end) }
}
