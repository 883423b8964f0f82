// Package jsonview chooses what to show of a JSON document (RFC 8259) within a
// limit, in one pass over a stream of any size.
//
// A [View] reads the document; a [view.Plan] is what it shows within one limit:
// JSON again, of the same root type, made of the source's own bytes.
//
//	v := jsonview.New(jsonview.Options{Retain: 4096})
//	io.Copy(v, r)
//	v.End()
//	if err := v.Err(); err != nil { … } // not JSON: say so, and show it as text
//	p := v.Plan(view.Limit{Bytes: 2000})
//
// # What is shown
//
// A view grows by steps in a fixed order, of which the longest run that fits is
// shown; order.go has the order and its reasons. In short: members near the root
// come first, with their short values whole and the others empty; then containers
// and long strings side by side get their share in bytes, each from its head.
//
//   - An element of an array of at most MaxRecord bytes is whole or left out. A
//     larger one is a fragment: all its members in their smallest form, which then
//     grow like everything else. Only the first element that is shown of an array
//     may be a fragment though it is small, so that something is shown.
//   - Other objects may lack members, those at their end.
//   - Strings of up to [MaxShort] bytes are never shortened. Longer ones are cut
//     between grapheme clusters (UAX #29), never inside an escape. Of a data URI or
//     long base64 only the head is shown, with its type and SHA-256.
//   - Numbers and names of more than [MaxName] bytes are left out, unless the whole
//     document fits; likewise white space between two parts of more than 128 bytes,
//     which is no omission.
//   - A lone surrogate escape is shown as \ufffd.
//
// # What is said
//
// For each container that lacks something an omission says how many of its items
// (members, elements, or bytes of a string's raw body) are shown, shown in part,
// and there in all; nothing is said of what lies inside an omission. Rest names,
// the most useful first, what a page can show: items or bytes of the value at a
// pointer. Following it, every scalar is shown exactly once. Where a pointer does
// not lead to a value, because an earlier member has the same name, Rest names
// bytes of the container around it, which are shown as text.
//
// # What it costs
//
// Memory is in proportion to Retain and MaxRecord, and one bit for each open
// bracket; it does not depend on the document. What can no longer be shown is
// scanned in silence, and so is the inside of elements while they may be shown whole.
// Of a list that is not shown from its head every element is looked at: BenchmarkEnds
// has the figures.
package jsonview
