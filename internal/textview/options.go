// Package textview shows a part of a text of any size: which part fits a limit,
// which lines and bytes that is, what is missing and how to ask for it.
//
// A View reads the source once, in memory that grows with the limit and not with
// the source. It keeps the start of the window as it will be shown and the end
// of it as it came; the middle is only counted. Plan then takes, for any limit,
// the last of a fixed sequence of stops that fits: ends of lines; in the first
// line that is shown and in lines of more than LongLine bytes also the
// boundaries of grapheme clusters. The stops do not depend on the limit, so that
// what is shown at a limit is shown at every larger one.
//
// # Words
//
// The text is the source after decoding: UTF-16 and legacy encodings become
// UTF-8, a byte order mark goes. Lines and totals count the text; only LF ends a
// line, and a last line without LF counts. Ranges of bytes are of the source.
//
// What is shown is changed where it could not be read or would mislead: bytes
// that are not UTF-8 become U+FFFD, control and other hidden characters become
// visible, and a line with carriage returns, backspaces or erase sequences is
// shown as a terminal would leave it. Each change is a named, counted
// transform. The limit counts what is shown, after the changes. In a document
// (Options.Document) a carriage return becomes a line feed instead, and where one
// stands a view may begin or end as between lines.
//
// # Rows
//
// Folding imitates a terminal of 1024 columns, on which a stretch of 4 KiB
// without cursor movement is settled too. A folded row is shown whole or not at
// all; only where it is the first and does not fit, a part of it is shown as it
// came, with the movements made visible. A row that would be longer folded than
// as it came, because a sequence moves the cursor far to the right, is shown as
// it came.
//
// # Clusters
//
// Clusters are those of UAX #29 with two departures: one of more than 128 bytes
// counts once for each piece of at most 128, and an escape sequence ends the
// cluster that its last character begins, so that what stands behind a colour is
// what it would be without it. Clusters shown are not counted where a window of
// bytes may begin or end inside one, nor where the tail begins in a line in which
// they can't be told apart.
//
// # What a tail can't do
//
// A tail does not begin inside a folded row, and shows nothing where the last
// row alone does not fit. It reaches back over 2 × Retain + 8 KiB of text, so
// that a text of which more than two thirds are colours fills less of a tail
// than it might. In a line where clusters can't be told apart for more than 4
// KiB (thousands of flags, of combining marks) its edge is one of runes.
package textview

import "github.com/toolclip/toolclip/internal/view"

// Ends says which ends of the window are shown when the whole does not fit.
type Ends uint8

// The ends. DefaultEnds is Head for a window (From or To is set) and
// HeadAndTail for a whole text.
const (
	DefaultEnds Ends = iota
	Head
	Tail
	HeadAndTail
)

// DefaultTailShare is the tail's share of the limit where both ends are shown:
// an error is as likely in the first lines as a summary in the last.
const DefaultTailShare = 0.5

// LongLine is the length in bytes, as shown, above which a line may be cut
// inside although another was shown before it.
const LongLine = 1024

// MinBytes is the smallest Limit.Bytes at which every non-empty window shows
// something: no piece that can't be cut is longer when shown. (The longest is a
// cluster of 128 bytes that are 64 combining grapheme joiners, made visible.)
const MinBytes = 512

// MaxRetain is the largest Options.Retain, 256 MiB; larger ones count as this.
const MaxRetain = 256 << 20

// Options say what of a text is shown. The zero Options show both ends of the
// whole text as far as a Limit of zero bytes goes: nothing; set Retain.
type Options struct {
	Retain int64 // the largest Limit.Bytes that Plan will be asked for; at most MaxRetain

	Ends      Ends
	TailShare float64 // of HeadAndTail, between 0 and 1; 0: DefaultTailShare

	// Window: units From to To (0-based, half-open) of Unit view.Line or
	// view.Byte; To 0 is the end of the text. What is outside is counted, not
	// shown. A character belongs to the window of bytes in which it begins.
	Unit     view.Unit
	From, To int64

	Charset string // declared label; "" or an unknown one: detected

	Raw bool // no terminal folding; control and hidden characters are kept
	// Document is a text that was not written for a terminal: nothing is folded. A
	// carriage return ends a line as it is shown, not as lines are counted; backspaces
	// and sequences that move the cursor become visible. Raw goes before it.
	Document bool
	// Fold shows a run of identical lines as its first and a line that says how
	// many more there were, where that is shorter. Lines of more than 4 KiB are
	// not compared.
	Fold bool

	// Count asks for the total of runes or grapheme clusters too (view.Rune,
	// view.Grapheme), and for how many of them are shown, which costs time over the
	// whole text. A view that is not whole tells both in a second Omission.
	Count view.Unit

	// Tokens asks for an estimate of the tokens of the text.
	Tokens bool
}

// Totals count the whole source, whatever is shown of it.
type Totals struct {
	Bytes     int64 // of the source
	Text      int64 // bytes of the text: the source in UTF-8
	Lines     int64
	Runes     int64 // -1: not asked for; a byte that is no UTF-8 counts as one
	Graphemes int64 // -1: not asked for; see the package comment on clusters
	Invalid   bool  // where runes or clusters are counted: some bytes are no UTF-8, or no text in the encoding
	Tokens    int64 // an estimate in o200k_base; -1: not asked for
	Charset   string
}
