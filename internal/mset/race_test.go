//go:build race

package mset

// raceEnabled is whether the race detector is on, under which the standard library
// allocates where it otherwise doesn't.
const raceEnabled = true
