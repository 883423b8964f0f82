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
//
// # A ledger
//
// Make one of a [Universe], say of every record what became of it, seal, report:
//
//	l := coverage.New(coverage.Enumerated(ids...), nil)
//	for item := range coverage.Track(l, items, id) {
//		…
//	}
//	l.Seal()
//	r := l.Report()
//
// Every record that was expected or came ends in exactly one state, and each state
// has a number and a digest of identities, so that a double does not make up for a
// loss. [Summary.InputComplete] is true on evidence only; [Summary.Claim] is the
// sentence that a model may build on; [Report.SafeToPrune] and
// [Report.SafeToAdvance] are for what deletes or moves on afterwards.
//
// A ledger of a few thousand records names every difference. A longer one goes on
// in constant memory and names as many as its sketch can hold. [Page] brings the
// evidence of pages and HTTP bodies, [Ledger.Merge] joins the accounts of shards on
// other machines.
//
// Without a source for what there is, nothing can be complete: [Open] universes
// have no way to it, and [Counted] ones rest on the source's word for its total.
package coverage
