package coverage_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/toolclip/toolclip/coverage"
)

func sha256Of(s string) [32]byte { return sha256.Sum256([]byte(s)) }

// The order of calls and how the work is divided leave no trace in the report.
func TestAnyOrderAndShardingGivesTheSameReport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, o := universeGen.Draw(t, "universe"), optionsGen.Draw(t, "options")
		steps := rapid.SliceOfN(stepGen(rareCalls), 0, 60).Draw(t, "steps")
		want := text(reportOf(u, o, steps))
		if got := text(reportOf(u, o, shuffled(t, steps))); got != want {
			t.Fatalf("in another order:\n%s\nwant:\n%s", got, want)
		}
		if got := text(sharded(t, u, o, steps)); got != want {
			t.Fatalf("in shards:\n%s\nwant:\n%s", got, want)
		}
	})
}

// sharded records steps in shards that are merged in any order, some of them twice,
// some by way of bytes, some by way of each other, some folded.
func sharded(t *rapid.T, u Universe, o Options, steps []step) Report {
	shards := make([]*Ledger, rapid.SampledFrom([]int{1, 2, 3, 8}).Draw(t, "shards"))
	for i := range shards {
		so := o
		so.Shard = strconv.Itoa(i)
		shards[i] = New(u, &so)
	}
	for _, s := range steps {
		if s.call == "snapshot" { // what one shard saw of the version says nothing about others
			for _, l := range shards {
				s.on(l)
			}
			continue
		}
		s.on(shards[rapid.IntRange(0, len(shards)-1).Draw(t, "shard")])
	}
	for _, l := range shards {
		l.Commit()
	}
	root := New(u, &o)
	for _, l := range shuffled(t, append(shards, shards[:len(shards)/2]...)) {
		if rapid.Bool().Draw(t, "as bytes") {
			l = throughBytes(t, l)
		}
		must(t, root.Merge(l))
		if rapid.Bool().Draw(t, "fold") {
			root.Fold()
		}
	}
	root.Seal()
	return root.Report()
}

// Partial sums that are added make the report of one ledger.
func TestAddingIsRecordingInOneLedger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, o := universeGen.Draw(t, "universe"), optionsGen.Draw(t, "options")
		steps := rapid.SliceOfN(stepGen(rareCalls), 0, 60).Draw(t, "steps")
		parts := make([]*Ledger, rapid.IntRange(1, 4).Draw(t, "parts"))
		for i := range parts {
			parts[i] = New(u, &o)
		}
		for _, s := range steps {
			s.on(parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")])
		}
		for len(parts) > 1 {
			i := rapid.IntRange(1, len(parts)-1).Draw(t, "next")
			must(t, parts[0].Add(parts[i]))
			parts = append(parts[:i], parts[i+1:]...)
		}
		parts[0].Seal()
		if got, want := text(parts[0].Report()), text(reportOf(u, o, steps)); got != want {
			t.Fatalf("added:\n%s\nwant:\n%s", got, want)
		}
	})
}

type fataler interface{ Fatal(...any) }

func must(t fataler, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func throughBytes(t fataler, l *Ledger) *Ledger {
	b, err := l.MarshalBinary()
	must(t, err)
	var again Ledger
	must(t, again.UnmarshalBinary(b))
	return &again
}

// Whatever was recorded, every number in the report adds up, and is not negative.
func TestEverySumBalances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, o := universeGen.Draw(t, "universe"), optionsGen.Draw(t, "options")
		steps := rapid.SliceOfN(stepGen(rareCalls), 0, 60).Draw(t, "steps")
		balance(t, reportOf(u, o, steps))
	})
}

type failer interface{ Fatalf(string, ...any) }

func balance(t failer, r Report) {
	c := &r.Records
	all := []Tally{c.Expected, c.Received, c.Loaded, c.LoadedPartial, c.Filtered, c.Duplicate, c.Failed, c.FailedReceived,
		c.NotAttempted, c.Unexpected, c.Unaccounted, c.Surplus}
	for i, x := range all {
		if x.Count.Value < 0 || x.Bytes < 0 {
			t.Fatalf("tally %d is negative: %+v", i, x)
		}
	}
	p := r.Plan
	if p.Units != p.Succeeded+p.Failed+p.TimedOut+p.Skipped+p.NotStarted+p.Unfinished {
		t.Fatalf("units don't add up: %+v", p)
	}
	exact := func(ts ...Tally) (n int64, ok bool) {
		for _, x := range ts {
			if x.Count.Relation != Eq {
				return 0, false
			}
			n += x.Count.Value
		}
		return n, true
	}
	if n, ok := exact(c.Loaded, c.LoadedPartial, c.Filtered, c.Failed, c.NotAttempted, c.Unaccounted); ok && c.Surplus.Count.Relation == Eq {
		if e, ok := exact(c.Expected); ok && n != e && r.Universe.Kind != KindCounted {
			t.Fatalf("expected %d, in states %d:\n%s", e, n, text(r))
		}
	}
	if n, ok := exact(c.Loaded, c.LoadedPartial, c.Filtered, c.FailedReceived, c.Duplicate, c.Unexpected); ok {
		if e, ok := exact(c.Received); ok && n != e {
			t.Fatalf("received %d, in states %d:\n%s", e, n, text(r))
		}
	}
	if r.Identity.Mode == "exact" && !c.Balanced {
		t.Fatalf("not balanced:\n%s", text(r))
	}
	if !sameDigest(c.Received, c.Loaded, c.LoadedPartial, c.Filtered, c.FailedReceived, c.Duplicate, c.Unexpected) ||
		!sameDigest(c.Expected, c.Loaded, c.LoadedPartial, c.Filtered, c.Failed, c.NotAttempted, c.Unaccounted) {
		t.Fatalf("identities don't add up:\n%s", text(r))
	}
}

// sameDigest adds the digests of the parts up and compares them with that of the
// whole, when all are known.
func sameDigest(whole Tally, parts ...Tally) bool {
	number := func(x Tally) *big.Int {
		_, digits, ok := strings.Cut(x.Digest, ":")
		if !ok {
			return nil
		}
		b, err := hex.DecodeString(digits)
		if err != nil {
			panic(err)
		}
		slices.Reverse(b)
		return new(big.Int).SetBytes(b)
	}
	want := number(whole)
	sum := new(big.Int)
	for _, p := range parts {
		n := number(p)
		if n == nil || want == nil {
			return true
		}
		sum.Add(sum, n)
	}
	return sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 256)).Cmp(want) == 0
}

// Everything is known in exact mode, so what the sketch says there must be true.
func TestConstantMemoryAgreesWithExactMode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfN(stepGen(calls), 0, 60).Draw(t, "steps")
		exact := reportOf(Enumerated(), Options{Key: testKey}, steps)
		rough := reportOf(Enumerated(), Options{Key: testKey, Remember: -1, Cells: rapid.SampledFrom([]int{-1, 2, 64}).Draw(t, "cells")}, steps)
		if rough.InputComplete && !exact.InputComplete {
			t.Fatalf("complete in constant memory only:\n%s\n%s", text(rough), text(exact))
		}
		for _, pair := range [][2]Tally{{rough.Records.Loaded, exact.Records.Loaded}, {rough.Records.Filtered, exact.Records.Filtered},
			{rough.Records.Unaccounted, exact.Records.Unaccounted}, {rough.Records.Expected, exact.Records.Expected},
			{rough.Records.Duplicate, exact.Records.Duplicate}, {rough.Records.Unexpected, exact.Records.Unexpected}} {
			if !compatible(pair[0], pair[1]) {
				t.Fatalf("%+v in constant memory, %+v in truth:\n%s\n%s", pair[0], pair[1], text(rough), text(exact))
			}
		}
	})
}

// compatible reports whether the rough tally says nothing that the exact one
// contradicts.
func compatible(rough, exact Tally) bool {
	if rough.Digest != "" && rough.Digest != exact.Digest {
		return false
	}
	switch rough.Count.Relation {
	case Eq:
		return rough.Count.Value == exact.Count.Value
	case Gte:
		return rough.Count.Value <= exact.Count.Value
	}
	return true
}

// No sequence of calls makes an open universe complete.
func TestOpenIsNeverComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := optionsGen.Draw(t, "options")
		o.TrustEnd = rapid.Bool().Draw(t, "trust")
		l := New(Open(), &o)
		for i := range rapid.IntRange(0, 3).Draw(t, "pages") {
			l.Page(strconv.Itoa(i)).Done(rapid.SampledFrom([]EndSignal{More, CursorAbsent, HasMoreFalse}).Draw(t, "end"))
		}
		for _, s := range rapid.SliceOfN(stepGen(rareCalls), 0, 40).Draw(t, "steps") {
			s.on(l)
		}
		l.Seal()
		r := l.Report()
		if r.InputComplete || r.IdentityComplete || r.Acquisition.Basis != BasisNone ||
			r.Acquisition.State != StatePlanExecuted && r.Acquisition.State != StatePlanPartial {
			t.Fatalf("an open universe is %s:\n%s", r.Acquisition.State, text(r))
		}
		if r.SafeToPrune() == nil || r.SafeToAdvance("x") == nil {
			t.Fatal("an open universe is safe")
		}
	})
}

// join is a ledger that has merged the given ones.
func join(t fataler, u Universe, ls ...*Ledger) *Ledger {
	l := New(u, &Options{Key: testKey})
	for _, o := range ls {
		must(t, l.Merge(o))
	}
	return l
}

func state(t fataler, l *Ledger) string {
	b, err := l.MarshalBinary()
	must(t, err)
	return string(b)
}

// Merging is a join: commutative, associative, idempotent, over shards, attempts
// and blocks.
func TestMergeIsAJoin(t *testing.T) {
	u := Enumerated()
	part := rapid.Custom(func(t *rapid.T) *Ledger {
		l := New(u, &Options{Key: testKey})
		for range rapid.IntRange(0, 6).Draw(t, "shards") {
			s := New(u, &Options{Key: testKey, Shard: rapid.SampledFrom([]string{"0", "1", "2", "3", "x"}).Draw(t, "shard"),
				Attempt: rapid.IntRange(0, 2).Draw(t, "attempt"), Remember: rapid.SampledFrom([]int{0, -1}).Draw(t, "remember")})
			for _, st := range rapid.SliceOfN(stepGen(rareCalls), 0, 3).Draw(t, "steps") {
				st.on(s)
			}
			if rapid.IntRange(0, 4).Draw(t, "commit") > 0 {
				s.Commit()
			}
			must(t, l.Merge(s))
		}
		if rapid.Bool().Draw(t, "fold") {
			l.Fold()
		}
		return l
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := part.Draw(t, "a"), part.Draw(t, "b"), part.Draw(t, "c")
		if state(t, join(t, u, a, b)) != state(t, join(t, u, b, a)) {
			t.Fatal("not commutative")
		}
		if state(t, join(t, u, join(t, u, a, b), c)) != state(t, join(t, u, a, join(t, u, b, c))) {
			t.Fatal("not associative")
		}
		if state(t, join(t, u, a, a)) != state(t, join(t, u, a)) {
			t.Fatal("not idempotent")
		}
	})
}

func TestFoldingNeedsMemoryForAFewBlocksOnly(t *testing.T) {
	u := Enumerated()
	root := New(u, &Options{Key: testKey})
	const shards = 1000
	for i := range shards {
		s := New(u, &Options{Key: testKey, Shard: strconv.Itoa(i), Remember: -1})
		s.Expect(strconv.Itoa(i))
		s.Loaded(strconv.Itoa(i), nil)
		s.Page("0").Done(CursorAbsent)
		s.Commit()
		must(t, root.Merge(s))
		if i%100 == 99 {
			root.Fold()
		}
	}
	b, err := root.MarshalBinary()
	require.NoError(t, err)
	require.Less(t, len(b), 300_000, "some ten blocks with a sketch each, and a few shards")
	root.Seal()
	r := root.Report()
	require.True(t, r.InputComplete, r.String())
	require.EqualValues(t, shards, r.Merge.Shards)
	require.EqualValues(t, shards, r.Merge.Attempts)
	require.EqualValues(t, shards, r.Plan.Succeeded)
	require.Greater(t, r.Merge.Folded, int64(900))

	late := New(u, &Options{Key: testKey, Shard: "7", Attempt: 1})
	late.Loaded("another", nil)
	late.Commit()
	must(t, root.Merge(late))
	require.True(t, root.Report().InputComplete, "a later attempt at a folded shard is ignored")
}

// What complete means, by a model that knows nothing of how a ledger works.
func TestCompleteMeansWhatItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := optionsGen.Draw(t, "options")
		easy := rapid.SampledFrom([]step{{call: "expect", id: "a"}, {call: "load", id: "a"}, {call: "expect", id: "b"}, {call: "load", id: "b"},
			{call: "filter", id: "b"}, {call: "double", id: "a"}, {call: "fail", id: "b", code: Timeout}, {call: "truncate", id: "a"}, {call: "load", id: "c"}})
		steps := rapid.SliceOfN(rapid.OneOf(easy, easy, easy, stepGen(rareCalls)), 0, 12).Draw(t, "steps")
		r := reportOf(Enumerated(), o, steps)
		type ends struct{ expected, loaded, partial, filtered, other int }
		by := map[string]*ends{}
		for _, s := range steps {
			if s.call == "note" {
				if r.InputComplete {
					t.Fatalf("complete with a note:\n%s", text(r))
				}
				return
			}
			if by[s.id] == nil {
				by[s.id] = new(ends)
			}
			switch e := by[s.id]; s.call {
			case "expect", "promise":
				e.expected++
			case "load", "load bare":
				e.loaded++
			case "truncate":
				e.partial++
			case "filter":
				e.filtered++
			case "fail", "skip":
				e.other++
			}
		}
		for id, e := range by {
			whole := e.loaded <= e.expected && e.partial == 0 && e.loaded+e.filtered >= e.expected
			stranger := e.expected == 0 && e.loaded+e.partial+e.filtered+e.other > 0
			if r.InputComplete && (!whole || stranger) {
				t.Fatalf("complete, and %q is %+v:\n%s", id, *e, text(r))
			}
		}
	})
}

// numbered is a ledger that has merged committed shards of one record each.
func numbered(t fataler, shards ...int) *Ledger {
	l := New(Enumerated(), &Options{Key: testKey})
	for _, i := range shards {
		s := New(Enumerated(), &Options{Key: testKey, Shard: strconv.Itoa(i)})
		s.Expect(strconv.Itoa(i))
		s.Loaded(strconv.Itoa(i), nil)
		s.Commit()
		must(t, l.Merge(s))
	}
	return l
}

func TestOnlyAlignedBlocksAreFolded(t *testing.T) {
	for _, tt := range []struct {
		shards []int
		folded int64
	}{
		{[]int{1, 2}, 0},
		{[]int{0, 1, 2}, 2},
		{[]int{2, 3, 4, 5}, 4}, // as 2..3 and 4..5: 2..5 may not be one
		{[]int{0, 1, 2, 3, 8, 9, 11}, 6},
	} {
		l := numbered(t, tt.shards...)
		l.Fold()
		l.Seal()
		r := l.Report()
		require.EqualValues(t, tt.folded, r.Merge.Folded, "%v", tt.shards)
		require.EqualValues(t, len(tt.shards), r.Merge.Shards)
		require.Equal(t, Exactly(int64(len(tt.shards))), r.Loaded)
	}
	// Unaligned blocks could not be joined with aligned ones: 2..5 with 0..3.
	a, b := numbered(t, 2, 3, 4, 5), numbered(t, 0, 1, 2, 3)
	a.Fold()
	b.Fold()
	must(t, a.Merge(b))
	a.Seal()
	require.Equal(t, Exactly(6), a.Report().Loaded)
}

func TestOfNestedBlocksTheGreaterCounts(t *testing.T) {
	small, large := numbered(t, 0, 1), numbered(t, 0, 1, 2, 3)
	small.Fold()
	large.Fold()
	for _, ls := range [][]*Ledger{{small, large}, {large, small}} {
		l := join(t, Enumerated(), ls...)
		l.Seal()
		require.Equal(t, Exactly(4), l.Report().Loaded)
		require.EqualValues(t, 4, l.Report().Merge.Folded)
	}
}

// Two machines fold the same shards, one of them after a retry that found the same.
func TestEqualBlocksAfterMoreAttemptsJoin(t *testing.T) {
	folded := func(attempt int) *Ledger {
		l := New(Enumerated(), &Options{Key: testKey})
		for _, name := range []string{"0", "1"} {
			s := New(Enumerated(), &Options{Key: testKey, Shard: name, Attempt: attempt})
			s.Commit()
			must(t, l.Merge(s))
		}
		l.Fold()
		return l
	}
	u, first, again := Enumerated(), folded(0), folded(1)
	require.Equal(t, state(t, join(t, u, first, again)), state(t, join(t, u, again, first)))
	l := join(t, u, first, again)
	l.Seal()
	require.EqualValues(t, 2, l.Report().Merge.Folded)
	require.EqualValues(t, 4, l.Report().Merge.Attempts)
}

func TestACommittedAttemptIsNotReplacedByOneThatIsNot(t *testing.T) {
	l := numbered(t, 7)
	retry := New(Enumerated(), &Options{Key: testKey, Shard: "7", Attempt: 1})
	must(t, l.Merge(retry))
	l.Seal()
	require.True(t, l.Report().InputComplete, l.Report().String())
}
