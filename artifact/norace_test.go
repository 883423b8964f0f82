//go:build !race

package artifact_test

// raceEnabled: the race detector makes everything larger and slower.
const raceEnabled = false
