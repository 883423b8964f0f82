// Package clip hands on the part of a tool's result that a model should read, and
// says which part it is.
//
// A [Clipper] has one policy: a [Budget], a store for whole results, the calls
// that the loop has for the rest. [Wrap] puts it round a tool:
//
//	c, err := clip.New(clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
//	…
//	fetch := clip.Wrap(c, fetchDoc) // func(ctx, In) (envelope.Envelope, error)
//
// The result is read once, to its end, in memory that depends on the budget and
// not on the result. It is saved whole; then the view that fits is cut: text at
// line ends and never inside a rune or a grapheme cluster, JSON by its structure,
// so that what is shown is valid JSON in the bytes of the source. A complete small
// result is handed on as it is, without a word more.
//
// A loop that takes text gets [envelope.Envelope.Text]; one that passes on nothing but
// JSON sets Config.Form to InBandForm and gets [envelope.Envelope.InBand]. Where a
// result is a string in JSON that holds lines of text, or JSON again, Show.Inside shows
// what it holds, and a pointer leads on in it.
//
// [Text], [JSON] and [Cut] cut without a Clipper, a store or a notice.
//
// # What is guaranteed
//
// What reaches the model never exceeds the budget, notice included, counted on the
// rendered string. Every total is of the whole result. Whole units, units shown
// in part and units left out add up to the total. A larger budget shows all that
// a smaller one shows. The chunks in which a result arrives change nothing.
//
// # Memory
//
// Reading needs a few times the budget, plus 64 KiB, for each content of a result.
// A Go value that is neither text nor a Reader nor a sequence is encoded by
// encoding/json in one piece before it is read.
//
// # Time
//
// New and With measure the longest notice of their Config. That takes about a
// millisecond the first time and some microseconds again, for the last few hundred
// shapes of Config are remembered, but for those with a Catalog of their own. A budget in
// tokens, and the encoded form, are searched for: some ten to a hundred views of
// the same bytes are tried.
package clip
