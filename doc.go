// Package toolclip is an overview of the library; it has no code.
//
// A tool's result is often larger than a model should read. toolclip hands on a
// part of it, says exactly which part, why only that, and how to get the rest;
// it keeps the whole result where later reads and searches find the same bytes;
// and it never lets a part pass for the whole.
//
//	tool ──bytes──▶ clip ──view──▶ envelope ──text or JSON──▶ any agent loop
//	                 │                ▲
//	                 └──whole──▶ artifact ──read, search──┘
//	records ──▶ coverage.Ledger ──summary──▶ envelope
//
// The packages:
//
//   - [github.com/toolclip/toolclip/clip] cuts text and JSON to a budget and
//     wraps tool functions. Start here.
//   - [github.com/toolclip/toolclip/clip/followup] has the tools that a model
//     calls for the rest.
//   - [github.com/toolclip/toolclip/artifact] keeps whole results.
//   - [github.com/toolclip/toolclip/artifact/artifacttest] proves the promises
//     of a store, also of yours.
//   - [github.com/toolclip/toolclip/envelope] is the value that an agent loop
//     gets for one tool call.
//   - [github.com/toolclip/toolclip/coverage] has the words that all share and
//     the ledger of a data set on its way to a model.
package toolclip
