package beamcoverage

import (
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/toolclip/toolclip/coverage"
)

// Combine adds up a PCollection of Event to a PCollection of one state.
func Combine(s beam.Scope, o Options, events beam.PCollection) beam.PCollection {
	return beam.Combine(s.Scope("coverage.Combine"), &sumFn{Options: o}, events)
}

// Shards makes of a PCollection of KV<string, Event> one committed state for each
// key, which is the name of the shard.
func Shards(s beam.Scope, o Options, events beam.PCollection) beam.PCollection {
	s = s.Scope("coverage.Shards")
	return beam.ParDo(s, &commitFn{Options: o}, beam.CombinePerKey(s, &sumFn{Options: o}, events))
}

// Merge joins a PCollection of states ([]byte) to a PCollection of one.
func Merge(s beam.Scope, o Options, states beam.PCollection) beam.PCollection {
	return beam.Combine(s.Scope("coverage.Merge"), &joinFn{Options: o}, states)
}

// Report reads a state, seals it and reports. Only call it when the pipeline has
// ended with success: what a failed one has written is not all.
func Report(o Options, state []byte) (coverage.Report, error) {
	l, err := o.read("", state)
	if err != nil {
		return coverage.Report{}, fmt.Errorf("beamcoverage: %w", err)
	}
	l.Seal()
	return l.Report(), nil
}

// Account is an accumulator. It is a ledger while it is on one worker and bytes
// between workers.
type Account struct {
	ledger *coverage.Ledger
	state  []byte
}

func encodeAccount(a Account) []byte {
	if a.ledger == nil {
		return a.state
	}
	b, err := a.ledger.MarshalBinary()
	if err != nil {
		panic(err) // MarshalBinary has no error to return
	}
	return b
}

func decodeAccount(b []byte) Account { return Account{state: b} }

// open gives the account its ledger. An error ends the bundle, which the runner
// tries again.
func (a *Account) open(o Options) error {
	if a.ledger != nil {
		return nil
	}
	l, err := o.read("", a.state)
	if err != nil {
		return fmt.Errorf("beamcoverage: reading an account: %w", err)
	}
	a.ledger, a.state = l, nil
	return nil
}

// sumFn is the CombineFn of Combine: accumulators add up.
type sumFn struct{ Options Options }

func (f *sumFn) CreateAccumulator() Account { return Account{} }

func (f *sumFn) AddInput(a Account, e Event) (Account, error) {
	if err := a.open(f.Options); err != nil {
		return a, err
	}
	e.record(a.ledger)
	return a, nil
}

func (f *sumFn) MergeAccumulators(a, b Account) (Account, error) {
	if err := a.open(f.Options); err != nil {
		return a, err
	}
	if err := b.open(f.Options); err != nil {
		return a, err
	}
	return a, a.ledger.Add(b.ledger)
}

func (f *sumFn) ExtractOutput(a Account) []byte { return encodeAccount(a) }

// commitFn turns the sum of a shard into its committed account.
type commitFn struct{ Options Options }

func (f *commitFn) ProcessElement(shard string, state []byte) ([]byte, error) {
	l := f.Options.ledger(shard)
	sum, err := f.Options.read("", state)
	if err == nil {
		err = l.Add(sum)
	}
	if err != nil {
		return nil, fmt.Errorf("beamcoverage: shard %q: %w", shard, err)
	}
	l.Commit()
	return l.MarshalBinary()
}

// joinFn is the CombineFn of Merge: accumulators join.
type joinFn struct{ Options Options }

func (f *joinFn) CreateAccumulator() Account { return Account{} }

func (f *joinFn) AddInput(a Account, state []byte) (Account, error) {
	return f.MergeAccumulators(a, Account{state: state})
}

func (f *joinFn) MergeAccumulators(a, b Account) (Account, error) {
	if err := a.open(f.Options); err != nil {
		return a, err
	}
	var l coverage.Ledger
	switch {
	case b.ledger != nil:
		return a, a.merge(b.ledger)
	case len(b.state) == 0:
		return a, nil
	}
	if err := l.UnmarshalBinary(b.state); err != nil {
		return a, fmt.Errorf("beamcoverage: reading an account: %w", err)
	}
	return a, a.merge(&l)
}

// merge joins l and folds shards with numbers for names, so that an accumulator
// stays small.
func (a *Account) merge(l *coverage.Ledger) error {
	if err := a.ledger.Merge(l); err != nil {
		return err
	}
	a.ledger.Fold()
	return nil
}

func (f *joinFn) ExtractOutput(a Account) []byte { return encodeAccount(a) }
