// Package searchview finds the matches of an expression in a text and shows them
// in windows.
//
// It reads the text once, in any chunks, with memory that depends on what is
// shown and not on the text: a line may be as long as it likes. Every match is
// counted; the first ones are kept with the lines around them.
//
// # What a match is
//
// A line ends with LF or with the end of the text, and a match never spans a
// line feed. A CR before it belongs to the line, and $ stands before it too. Within a line the matches are those of regexp.FindAllIndex: leftmost
// first, not overlapping. A search that starts inside a line sees what stands
// before it, so that ^ and \b mean there what they mean in the whole line.
//
// # How it is bounded
//
// Lines are matched by package regexp where that takes an instant. Long lines,
// and expressions with many instructions, are matched by a machine of the same
// semantics that takes the text as it comes and can stop after any rune.
// Options.Stop ends the search; what was not searched is then not in
// Scan.Scanned. A match that is decided only more than 64 KiB after its end costs
// the search its memory of what stood between: that stretch is in Scan.Unjudged.
//
// # How it is shown
//
// The pieces of the view come in one sequence that depends on the text and the
// Options alone: for each match its line, then the lines around it, the nearest
// first. Of a long line only a window of columns is shown. The first match comes
// in smaller steps, so that a small limit shows something of it. A view is the
// longest beginning of that sequence that fits its limit, so that a larger limit
// never shows less.
package searchview
