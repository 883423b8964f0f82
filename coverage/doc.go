// Package coverage says how much of what reached the model, and why not the
// rest.
//
// It holds the words that all packages share: [Unit], [Count], [Range],
// [Reason], [Layer] and [Scan]. On them stand [Ledger], the account of a set of
// records on its way to a model, its [Report], and [Reading], what each reader
// has seen of an artifact.
//
// Three kinds of completeness are never mixed: acquisition (did the tool get all
// of its source), view (does the model see all that was acquired) and answer
// (never assessed here).
package coverage
