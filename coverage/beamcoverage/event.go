package beamcoverage

import (
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/toolclip/toolclip/coverage"
)

func init() {
	beam.RegisterType(reflect.TypeFor[Event]())
	beam.RegisterType(reflect.TypeFor[Options]())
	beam.RegisterCoder(reflect.TypeFor[Account](), encodeAccount, decodeAccount)
	register.Combiner3[Account, Event, []byte](&sumFn{})
	register.Combiner3[Account, []byte, []byte](&joinFn{})
	register.DoFn2x2[string, []byte, []byte, error](&commitFn{})
}

// Call is what a ledger is told about a record.
type Call string

// The calls, named as the methods of coverage.Ledger.
const (
	Expect       Call = "expect"
	Loaded       Call = "loaded"
	Truncated    Call = "truncated"
	Filtered     Call = "filtered"
	Duplicate    Call = "duplicate"
	Failed       Call = "failed"
	NotAttempted Call = "not_attempted"
)

// Event is one call. It holds plain values, so that Beam has a coder for it.
type Event struct {
	Call    Call
	ID      string
	Content []byte        // with Loaded; empty says nothing about it, because coders don't tell nil from empty
	Code    coverage.Code // with Truncated, Failed and NotAttempted
	Note    string        // the rule with Filtered, otherwise a message
}

// record makes the call. An unknown one is noted as a loss: what it was to say is
// not known.
func (e Event) record(l *coverage.Ledger) {
	r := coverage.Reason{Code: e.Code, Message: e.Note}
	switch e.Call {
	case Expect:
		l.Expect(e.ID)
	case Loaded:
		l.Loaded(e.ID, e.content())
	case Truncated:
		l.Truncated(e.ID, r)
	case Filtered:
		l.Filtered(e.ID, e.Note)
	case Duplicate:
		l.Duplicate(e.ID)
	case Failed:
		l.Failed(e.ID, r)
	case NotAttempted:
		l.NotAttempted(e.ID, r)
	default:
		l.Note(coverage.Reason{Code: coverage.SchemaMismatch, Message: "an event with an unknown call"})
	}
}

func (e Event) content() []byte {
	if len(e.Content) == 0 {
		return nil
	}
	return e.Content
}

// Options are the same for all workers. They are part of the pipeline, so the key
// is visible to whoever can read its graph.
type Options struct {
	Universe coverage.Kind // "" is enumerated, with the ids of the Expect events
	Count    int64         // of a counted or at_least universe
	Key      []byte        // shared by all workers; not empty. See NewKey
	Remember int           // as in coverage.Options
	Cells    int           // as in coverage.Options
}

// NewKey draws a key for one run.
func NewKey() []byte { return coverage.New(coverage.Open(), nil).Key() }

func (o Options) universe() coverage.Universe {
	switch o.Universe {
	case coverage.KindCounted:
		return coverage.Counted(o.Count)
	case coverage.KindAtLeast:
		return coverage.CountedAtLeast(o.Count)
	case coverage.KindExhaustible:
		return coverage.Exhaustible()
	case coverage.KindOpen:
		return coverage.Open()
	}
	return coverage.Enumerated()
}

// ledger is an empty one with the key. A nil Key would be drawn anew by every
// worker, so it is one that says that it is empty and can't be secret.
func (o Options) ledger(shard string) *coverage.Ledger {
	key := o.Key
	if len(key) == 0 {
		key = coverage.PublicKey()
	}
	return coverage.New(o.universe(), &coverage.Options{Key: key, Remember: o.Remember, Cells: o.Cells, Shard: shard})
}

// read is a ledger with the key in the state of b; an empty b is an empty one.
func (o Options) read(shard string, b []byte) (*coverage.Ledger, error) {
	l := o.ledger(shard)
	if len(b) == 0 {
		return l, nil
	}
	return l, l.UnmarshalBinary(b)
}
