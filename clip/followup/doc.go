// Package followup has the tools that a model calls for the rest of a result: it
// reads on, searches, queries records and looks at the shape of what is kept.
//
//	tools, err := followup.Tools(c, nil)
//	…
//	for _, t := range tools {
//		declare(t.Name, t.Description, t.Schema) // to the provider
//		calls[t.Name] = t.Call
//	}
//
// [Tools] builds exactly the tools that the Clipper's Config.Followups names, so
// that an envelope never names a call that the loop does not have. They use the
// Clipper's store, budget, form and style.
//
// # What a call answers
//
// Every answer is an envelope. An argument that makes no sense, an artifact that
// is not there, a position past the end: each is an envelope with a Failure that
// says what is valid and what to do, so that the model can correct itself and the
// loop goes on. A Go error is returned when the context ended, when
// Config.Caller could not say who asks, and otherwise never.
//
// # Whose artifacts
//
// The scope comes from Config.Caller, on every call, never from the arguments.
// For an artifact of another scope the answer is that of one that never was.
//
// # How positions count
//
// Lines and items count from 1, and the last one named is included. Bytes count
// from 0, and the last one is not.
package followup
