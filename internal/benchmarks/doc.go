// Package benchmarks measures toolclip beside what its users would otherwise
// write, and beside the floor: what the same bytes cost to hash and save. It is a
// module of its own, so that the library needs none of these peers.
//
//	go test -run='^$' -bench=JSON -benchtime=1s -count=10 | benchstat -col=/impl -
//
// Use ratios within one run; times of different machines, or of one machine on
// different days, do not compare.
package benchmarks
