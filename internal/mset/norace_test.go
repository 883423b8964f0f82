//go:build !race

package mset

const raceEnabled = false
