// Package beamcoverage keeps a coverage ledger in an Apache Beam pipeline, on any
// runner of the Go SDK: Prism on one machine, Flink or Dataflow on many.
//
// There are two ways, and they differ in what a retry does:
//
//   - [Combine] adds up events. A runner combines every element exactly once, also
//     when it runs a bundle again. If a source or a sink upstream emits a record
//     twice, that is a double, and the report names it.
//   - [Shards] makes an account for each shard, and [Merge] joins accounts by the
//     name of the shard. An account that comes twice counts once.
//
// Beam's own counters are no ledger: they fall back from committed to attempted
// values, and retries add to them.
//
// A state is the bytes of [coverage.Ledger.MarshalBinary]; [Report] reads it.
package beamcoverage
