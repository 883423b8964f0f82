// Package envelope is what a tool author hands to the loop: what was shown of how
// much, why only this, and how to get the rest. It holds plain values only and does
// not import the store.
//
// # One value, two forms
//
// An [Envelope] says everything about one tool call. [Envelope.Text] is what a model
// reads; [Envelope.Map], or encoding/json, is what a program reads, and [Parse] reads it
// back. State is never read from text.
//
//	[PARTIAL lines 1-178 of 549 (24310 of 156021 bytes; budget 16384). Whole kept as artifact k3v…q7 until 2026-11-29 18:00Z.
//	More: artifact_read {"line":179,"to":549} or artifact_search {"pattern":"…"}. Not shown is not absent.]
//	-- ab739461
//	…content…
//	-- ab739461 371 lines follow
//
// In text, lines and items count from 1 and both ends are included; in fields, ranges
// are 0-based and half-open. A handle stands once: calls are printed without it, and the
// word before it ("artifact") is the argument that takes it.
//
// # Words and facts
//
// The facts are fields that the tool and package clip set. [Style.Word] words them once,
// in a language, within what fits, and sets Notice, Closing, Fence, and what belongs to
// them (Part.Heading, Cut.Mark). Text is then a pure function of the fields: rendered
// again, history is the same.
//
// No field is computed by recognising the package's own vocabulary in content, with one
// exception: a complete content that looks like a notice or a fence gets Notice, Closing
// and Fence, so that it can't pass for one. Everything that others wrote and that stands
// in a notice (messages, names, pointers, arguments) is quoted, on one line, with
// everything invisible spelt out, and limited.
//
// This keeps content from changing what a program reads, and lets a model tell content
// from frame. It does not keep a model from believing, or obeying, what a content says.
//
// # Failures
//
// A tool returns a [Failure] as its error to say what went wrong, what was and was not
// done, what to do next, and whether calling again can help. [FailureOf] makes one of
// any error, and claims no more than the error's type tells.
package envelope
