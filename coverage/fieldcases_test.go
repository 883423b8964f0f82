package coverage_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/toolclip/toolclip/coverage"
)

// The cases are inputs that broke other tools.

// sealed loads ids into a ledger of u and reports.
func sealed(u Universe, o *Options, ids ...string) Report {
	l := New(u, o)
	for _, id := range ids {
		l.Loaded(id, nil)
	}
	l.Seal()
	return l.Report()
}

// code is the reason of r with a code, or fails.
func code(t *testing.T, r Report, c Code) Reason {
	t.Helper()
	for _, x := range r.Reasons {
		if x.Code == c {
			return x
		}
	}
	require.Failf(t, "no such reason", "%s in %+v", c, r.Reasons)
	return Reason{}
}

func TestCase51CountsAreEqualAndIdentitiesAreNot(t *testing.T) {
	for _, remember := range []int{0, -1} {
		o := &Options{Remember: remember}
		r := sealed(Enumerated("A", "B", "C", "D", "E"), o, "A", "B", "C", "D", "D")
		require.Equal(t, r.Records.Expected.Count, r.Records.Received.Count)
		require.False(t, r.InputComplete)
		require.Equal(t, []Named{{ID: "E", Times: 1}}, r.Identity.Missing.Named)
		require.Equal(t, []Named{{ID: "D", Times: 1}}, r.Identity.Surplus.Named)
		require.Equal(t, "both", r.Identity.Effect)

		r = sealed(Enumerated("A", "D", "D"), o, "A", "E", "E")
		require.False(t, r.InputComplete)
		require.Equal(t, []Named{{ID: "D", Times: 2}}, r.Identity.Missing.Named)
		require.Equal(t, []Named{{ID: "E", Times: 2}}, r.Identity.Surplus.Named)
	}
}

func TestCase52ATieAcrossPagesDoublesOneAndLosesOne(t *testing.T) {
	var ids, came []string
	for i := range 50 {
		ids = append(ids, strconv.Itoa(i))
		came = append(came, strconv.Itoa(i))
	}
	came[25] = "24" // the first of page 2 is the last of page 1
	r := sealed(Counted(50), nil, came...)
	require.False(t, r.InputComplete, "50 came, 49 different ones")
	require.Equal(t, Exactly(49), r.Loaded)
	require.Equal(t, Exactly(1), code(t, r, DuplicateID).Count)
	require.Equal(t, Exactly(1), r.Records.Unaccounted.Count)

	r = sealed(Counted(50), &Options{Remember: -1}, came...)
	require.False(t, r.InputComplete, "in constant memory doubles aren't known, so a count proves nothing")
	require.Equal(t, StateUnverifiable, r.Acquisition.State)

	require.True(t, sealed(Counted(50), nil, ids...).InputComplete)
}

func TestCase53AStrangerInPlaceOfARecord(t *testing.T) {
	r := sealed(Enumerated("A", "B", "C"), nil, "A", "B", "Z")
	require.False(t, r.InputComplete)
	require.Equal(t, Exactly(1), r.Records.Unexpected.Count)
	require.Equal(t, Exactly(1), r.Records.Unaccounted.Count)
	require.Equal(t, Exactly(1), code(t, r, UnexpectedID).Count)
}

func TestCase54APageThatFailsStopsWhatComesAfter(t *testing.T) {
	l := New(Counted(80), nil)
	l.Snapshot("v1", "v1")
	for page := 1; page <= 8; page++ {
		p := l.Page(fmt.Sprintf("page %d", page))
		if page == 2 {
			p.Fail(Reason{Code: Timeout, Message: "timeout after 30s", Retryable: true})
			l.Page("page 2").Fail(Reason{Code: Timeout, Message: "timeout after 30s", Retryable: true})
			continue
		}
		for i := range 10 {
			l.Loaded(fmt.Sprint(page, "/", i), nil)
		}
		p.Done(More)
	}
	l.Seal()
	r := l.Report()
	require.Equal(t, StateIncomplete, r.Acquisition.State)
	require.ErrorIs(t, r.SafeToPrune(), ErrUnsafe)
	require.ErrorIs(t, r.SafeToAdvance("v1"), ErrUnsafe)
	require.Equal(t, []string{"page 2"}, r.Plan.Unreachable)
	require.EqualValues(t, 1, r.Plan.TimedOut)
	require.EqualValues(t, 9, r.Plan.Attempts)
	require.Equal(t, Exactly(10), r.Records.NotAttempted.Count, "the page accounts for what is missing")
	require.Equal(t, Exactly(0), r.Records.Unaccounted.Count)
	require.Equal(t, "page 2", code(t, r, Timeout).Where)

	// The retry succeeds: then nothing is wrong.
	l = New(Enumerated("a"), nil)
	l.Page("1").Fail(Reason{})
	l.Page("1").Done(CursorAbsent)
	l.Loaded("a", nil)
	l.Seal()
	require.True(t, l.Report().InputComplete, l.Report().String())
}

func TestCase56WhatEndsACursorDependsOnTheProtocol(t *testing.T) {
	walk := func(meaning EmptyCursor, trust bool, ends ...EndSignal) Report {
		l := New(Exhaustible(), &Options{EmptyCursor: meaning, TrustEnd: trust})
		l.Snapshot("v1", "v1")
		for i, e := range ends {
			l.Loaded(strconv.Itoa(i), nil)
			l.Page(strconv.Itoa(i)).Done(e)
		}
		l.Seal()
		return l.Report()
	}
	empty := ""
	require.Equal(t, CursorEmpty, EndOf(&empty))
	require.Equal(t, CursorAbsent, EndOf(nil))
	next := "abc"
	require.Equal(t, More, EndOf(&next))

	require.Equal(t, StateExhausted, walk(EmptyEnds, false, More, CursorEmpty).Acquisition.State)
	require.Equal(t, StateUnverifiable, walk(EmptyGoesOn, false, More, CursorEmpty).Acquisition.State)
	require.Equal(t, StateUnverifiable, walk(EmptyUnknown, false, More, CursorEmpty).Acquisition.State)
	require.Equal(t, StateUnverifiable, walk(EmptyEnds, false, More, EmptyPage).Acquisition.State, "an empty page is no end")
	require.Equal(t, StateExhausted, walk(EmptyEnds, false, EmptyPage, More, CursorAbsent).Acquisition.State)
	require.Equal(t, StateUnverifiable, walk(EmptyEnds, false, More).Acquisition.State)
	require.Equal(t, StateUnverifiable, walk(EmptyEnds, false).Acquisition.State, "no page at all")

	r := walk(EmptyEnds, false, More, More, PageCap)
	require.Equal(t, StateIncomplete, r.Acquisition.State, "a cursor that never ends meets a cap")
	code(t, r, PageLimit)
	r = walk(EmptyEnds, false, More, NoProgress)
	require.Equal(t, StateIncomplete, r.Acquisition.State)
	code(t, r, CursorRepeated)

	require.False(t, walk(EmptyEnds, false, CursorAbsent).InputComplete, "the end of a cursor is enough on request only")
	r = walk(EmptyEnds, true, CursorAbsent)
	require.True(t, r.InputComplete)
	require.Equal(t, BasisExhaustion, r.Acquisition.Basis)
	require.Equal(t, Exactly(1), r.Requested)
}

func TestCase57ExactlyTheCap(t *testing.T) {
	var ids []string
	for i := range 200 {
		ids = append(ids, strconv.Itoa(i))
	}
	o := &Options{Limit: 200}
	require.True(t, sealed(Counted(200), o, ids...).InputComplete, "exactly the limit is all there is")

	r := sealed(Counted(296_000), o, ids...)
	require.False(t, r.InputComplete)
	require.True(t, r.Request.Fulfilled)
	require.Equal(t, Exactly(295_800), code(t, r, EntryLimit).Count)
	require.EqualValues(t, 200, code(t, r, EntryLimit).Limit)

	l := New(Counted(202), o) // the limit left two out, of which one came after all
	for _, id := range append(ids, "one more") {
		l.Loaded(id, nil)
	}
	l.Seal()
	require.Equal(t, Exactly(1), code(t, l.Report(), EntryLimit).Count)
	p := New(Counted(202), o)
	p.Page("2").Fail(Reason{})
	for _, id := range ids {
		p.Loaded(id, nil)
	}
	p.Seal()
	require.False(t, code(t, p.Report(), EntryLimit).Count.Known(), "the page may account for both")

	r = sealed(Exhaustible(), o, ids...)
	require.Equal(t, StateUnverifiable, r.Acquisition.State, "200 under a cap of 200 may be all or not")
	code(t, r, EntryLimit)
}

func TestCase58ShardsThatTimedOutDoNotCountAsSuccessful(t *testing.T) {
	l := New(CountedAtLeast(0), nil)
	for i := range 40 {
		p := l.Page(fmt.Sprint("shard ", i))
		if i < 12 {
			p.Fail(Reason{Code: Timeout, Layer: LayerSource})
		} else {
			p.Done(CursorAbsent)
		}
	}
	l.Seal()
	p := l.Report().Plan
	require.EqualValues(t, 40, p.Units)
	require.EqualValues(t, 28, p.Succeeded)
	require.EqualValues(t, 12, p.TimedOut)
	require.Equal(t, StateIncomplete, l.Report().Acquisition.State)

	// A source that only says so itself.
	l = New(Counted(2), nil)
	l.Loaded("a", nil)
	l.Loaded("b", nil)
	l.Note(Reason{Code: SourcePartial, Message: "timed_out: true"})
	l.Seal()
	require.False(t, l.Report().InputComplete)
}

func TestCase59AnEmptyExtractionIsNotASuccess(t *testing.T) {
	l := New(Counted(78), nil)
	for i := range 78 {
		text := strings.Repeat("x", i%2)
		if text == "" {
			l.Failed(strconv.Itoa(i), Reason{Code: Empty})
			continue
		}
		l.Loaded(strconv.Itoa(i), []byte(text))
	}
	l.Seal()
	r := l.Report()
	require.False(t, r.InputComplete)
	require.Equal(t, Exactly(39), r.Loaded)
	require.Equal(t, Exactly(39), code(t, r, Empty).Count)
	require.Equal(t, Exactly(78), r.Records.Received.Count, "they came")
	require.True(t, r.Records.Balanced)
}

func TestCase60FourLinesEachNamed(t *testing.T) {
	lines := []string{`{"id":"a","kind":"x"}`, `not JSON`, `{"id":"c"}`, `{"id":"d","kind":"y"}`}
	l := New(Counted(4), nil)
	id, kind := JSONID("id"), JSONID("kind")
	for i, line := range lines {
		switch at := fmt.Sprintf("line %d", i+1); {
		case id([]byte(line)) == "":
			l.Failed(at, Reason{Code: ParseFailed})
		case kind([]byte(line)) == "":
			l.Filtered(at, "no kind")
		default:
			l.Loaded(at, []byte(line))
		}
	}
	l.Seal()
	r := l.Report()
	require.Equal(t, Exactly(2), r.Loaded)
	require.Equal(t, Exactly(1), r.Filtered)
	require.Equal(t, Exactly(1), r.Records.Failed.Count)
	require.Equal(t, "line 2", code(t, r, ParseFailed).Where)
	require.Equal(t, "no kind", code(t, r, FilteredOut).Where)
	require.False(t, r.InputComplete)
	require.EqualValues(t, len(lines[0])+len(lines[3]), r.Records.Loaded.Bytes)
}

func TestCase64ABatchThatIsMergedTwiceCountsOnce(t *testing.T) {
	u := Enumerated("a", "b", "c")
	root := New(u, nil)
	batch := func(attempt int, ids ...string) *Ledger {
		l := New(Enumerated(), &Options{Key: root.Key(), Shard: "batch 1", Attempt: attempt})
		for _, id := range ids {
			l.Loaded(id, nil)
		}
		l.Commit()
		return l
	}
	require.NoError(t, root.Merge(batch(0, "a", "b", "c")))
	root.Seal()
	once := text(root.Report())
	require.True(t, root.Report().InputComplete)
	require.NoError(t, root.Merge(batch(0, "a", "b", "c")))
	require.NoError(t, root.Merge(batch(1, "c", "b", "a")), "a retry with the same records")
	require.Equal(t, once, text(root.Report()))

	require.NoError(t, root.Merge(batch(2, "a", "b")))
	r := root.Report()
	require.Equal(t, StateIndeterminate, r.Acquisition.State)
	require.Equal(t, []string{"batch 1"}, r.Merge.Conflicts)
	require.Equal(t, "batch 1", code(t, r, NondeterministicRetry).Where)
	require.False(t, r.InputComplete)
}

// Of attempts at one shard the last that was committed counts, in whatever order
// they come: with its pages, its numbers, and whatever the one before it lacked.
func TestTheLastCommittedAttemptCounts(t *testing.T) {
	attempt := func(n int, loaded []string, end func(*Page), commit bool) *Ledger {
		l := New(Enumerated(), &Options{Key: testKey, Shard: "s", Attempt: n})
		for _, id := range loaded {
			l.Loaded(id, nil)
		}
		end(l.Page("1"))
		if commit {
			l.Commit()
		}
		return l
	}
	done, failed := func(p *Page) { p.Done(CursorAbsent) }, func(p *Page) { p.Fail(Reason{Code: Timeout}) }
	report := func(ls ...*Ledger) Report {
		root := New(Enumerated("a", "b"), &Options{Key: testKey})
		for _, l := range ls {
			require.NoError(t, root.Merge(l))
		}
		root.Seal()
		return root.Report()
	}
	all := []string{"a", "b"}
	for _, tt := range []struct {
		first, last *Ledger
		complete    bool
		loaded      int64
	}{
		{attempt(0, all, failed, true), attempt(1, all, done, true), true, 2},
		{attempt(0, all, done, true), attempt(1, all, failed, true), false, 2},
		{attempt(0, all, done, true), attempt(1, all[:1], done, true), false, 1},
		{attempt(0, all[:1], done, true), attempt(1, all, done, true), false, 2}, // they contradict each other
		{attempt(0, all, done, true), attempt(1, all[:1], failed, false), true, 2},
		{attempt(0, all[:1], failed, false), attempt(1, all, done, true), true, 2},
	} {
		for _, r := range []Report{report(tt.first, tt.last), report(tt.last, tt.first)} {
			require.Equal(t, tt.complete, r.InputComplete, r.String())
			require.Equal(t, Exactly(tt.loaded), r.Loaded)
		}
	}
}

func TestAttemptsWithOtherContentAreTold(t *testing.T) {
	root := New(Enumerated("a"), nil)
	for attempt, content := range []string{"x", "y"} {
		l := New(Enumerated(), &Options{Key: root.Key(), Shard: "s", Attempt: attempt})
		l.Loaded("a", []byte(content))
		l.Commit()
		require.NoError(t, root.Merge(l))
	}
	root.Seal()
	require.Equal(t, StateIndeterminate, root.Report().Acquisition.State)
	code(t, root.Report(), NondeterministicRetry)
}

func TestCase65AnOpenSearchIsNeverComplete(t *testing.T) {
	var ids []string
	for i := range 20 {
		ids = append(ids, strconv.Itoa(i))
	}
	l := New(Open(), &Options{Limit: 20})
	p := l.Page("query 1")
	for _, id := range ids {
		l.Loaded(id, nil)
	}
	p.Done(HasMoreFalse)
	l.Seal()
	r := l.Report()
	require.Equal(t, StatePlanExecuted, r.Acquisition.State)
	require.False(t, r.InputComplete)
	require.Contains(t, r.Claim("en"), "how many there are is not known")
	require.Equal(t, "plan", r.Claims.Scope)
	require.Contains(t, r.Claims.Deny, ClaimNone)

	l = New(Open(), nil)
	l.Plan("query 1", "query 2")
	l.Page("query 1").Done(HasMoreFalse)
	l.Seal()
	require.Equal(t, StatePlanPartial, l.Report().Acquisition.State)
}

func TestAPublishedKeyLetsAnyoneRecompute(t *testing.T) {
	l := New(Enumerated("a", "b"), nil)
	l.Loaded("a", nil)
	l.Loaded("b", nil)
	require.Empty(t, l.Report().Identity.Key, "secret until the seal")
	l.Seal()
	r := l.Report()
	require.Equal(t, fmt.Sprintf("%x", l.Key()), r.Identity.Key)
	again := sealed(Enumerated("b", "a"), &Options{Key: l.Key()}, "b", "a")
	require.Equal(t, r.Records.Loaded.Digest, again.Records.Loaded.Digest)
	require.Empty(t, again.Identity.Key, "a key of the caller's is not published")
	require.NotEqual(t, l.Key(), New(Open(), nil).Key(), "fresh for each run")
	require.Equal(t, KeyPublic, sealed(Open(), &Options{Key: PublicKey()}).Identity.KeyMode)
}

// The digest in a published report, computed anew with the standard library alone.
func TestTheDigestIsTheDocumentedFormula(t *testing.T) {
	ids := []string{"a", "a long id, of more than thirty-eight bytes", "ü"}
	r := sealed(Enumerated(ids...), nil, ids...)
	key, err := hex.DecodeString(r.Identity.Key)
	require.NoError(t, err)
	k := sha256.Sum256(slices.Concat([]byte("coverage/1\x00"), []byte{byte(len(key))}, key, []byte("id")))
	sum := new(big.Int)
	for _, id := range ids {
		h := sha256.Sum256(slices.Concat(k[:16], []byte{byte(len(id))}, []byte(id)))
		slices.Reverse(h[:])
		sum.Add(sum, new(big.Int).SetBytes(h[:]))
	}
	var b [32]byte
	sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 256)).FillBytes(b[:])
	slices.Reverse(b[:])
	require.Equal(t, fmt.Sprintf("%d:%x", len(ids), b), r.Records.Loaded.Digest)
}

func TestMergeRefusesWhatDoesNotFitAndRemembersIt(t *testing.T) {
	root := New(Counted(1), nil)
	root.Loaded("a", nil)
	root.Seal()
	require.True(t, root.Report().InputComplete)
	other := New(Counted(1), &Options{Shard: "x"})
	require.ErrorIs(t, root.Merge(other), ErrKey)
	require.Equal(t, StateIndeterminate, root.Report().Acquisition.State)
	code(t, root.Report(), KeyMismatch)

	root = New(Counted(1), nil)
	require.ErrorIs(t, root.Merge(New(Counted(2), &Options{Key: root.Key(), Shard: "x"})), ErrUniverse)
	root.Seal()
	require.Equal(t, StateIndeterminate, root.Report().Acquisition.State)

	root = New(Enumerated("a"), nil)
	nameless := New(Enumerated(), &Options{Key: root.Key()})
	nameless.Loaded("a", nil)
	require.ErrorIs(t, root.Merge(nameless), ErrShard)
	require.NoError(t, root.Merge(nil))
	require.NoError(t, root.Merge(root), "itself")
}

func TestAnAttemptIsPrivateUntilItIsCommitted(t *testing.T) {
	root := New(Enumerated("a"), nil)
	s := New(Enumerated(), &Options{Key: root.Key(), Shard: "s"})
	s.Loaded("a", nil)
	require.NoError(t, root.Merge(s))
	root.Seal()
	r := root.Report()
	require.Equal(t, Exactly(0), r.Loaded)
	require.Equal(t, "s", code(t, r, ShardMissing).Where)
	require.EqualValues(t, 1, r.Merge.Shards)
	require.Zero(t, r.Merge.Committed)
	s.Commit()
	require.NoError(t, root.Merge(s))
	require.True(t, root.Report().InputComplete, root.Report().String())
	s.Loaded("a", nil)
	require.NoError(t, root.Merge(s))
	require.False(t, root.Report().InputComplete, "recorded after the commit")
}

func TestAPlannedShardThatNeverCameIsMissed(t *testing.T) {
	root := New(Counted(1), nil)
	root.Plan("0", "1")
	s := New(Counted(1), &Options{Key: root.Key(), Shard: "0"})
	s.Loaded("a", nil)
	s.Commit()
	require.NoError(t, root.Merge(s))
	root.Seal()
	r := root.Report()
	require.False(t, r.InputComplete)
	require.Equal(t, []string{"1"}, r.Plan.Unreachable)
	require.EqualValues(t, 1, r.Plan.NotStarted)
}

func TestWithoutASealNothingIsDecided(t *testing.T) {
	l := New(Enumerated("a"), nil)
	l.Loaded("a", nil)
	require.Equal(t, StateIndeterminate, l.Report().Acquisition.State)
	l.Seal()
	require.True(t, l.Report().InputComplete)
	l.Loaded("a", nil)
	require.Equal(t, StateIndeterminate, l.Report().Acquisition.State, "recorded after the seal")
}

func TestZeroExpectedIsCompleteAndSaysSo(t *testing.T) {
	r := sealed(Enumerated(), nil)
	require.True(t, r.InputComplete)
	require.Equal(t, "0 records were expected and 0 were loaded.", r.Claim("en"))
}

func TestARecordWithoutAnIDMakesTheLedgerUnverifiable(t *testing.T) {
	r := sealed(Counted(1), nil, "")
	require.False(t, r.InputComplete)
	require.Equal(t, StateUnverifiable, r.Acquisition.State)
	require.EqualValues(t, 1, r.Identity.Nameless)
}

func TestDriftIsAReason(t *testing.T) {
	l := New(Enumerated("a"), nil)
	l.Loaded("a", nil)
	l.Snapshot("v1", "")
	l.Snapshot("", "v2")
	l.Seal()
	r := l.Report()
	require.False(t, r.InputComplete)
	require.Equal(t, "v1..v2", r.SourceSnapshot)
	code(t, r, VersionChanged)
}

func TestTwoShardsThatBeganAtDifferentVersionsDrifted(t *testing.T) {
	for end := range 2 {
		l := New(Enumerated("a"), nil)
		l.Loaded("a", nil)
		for _, v := range []string{"v1", "v2"} {
			if end == 0 {
				l.Snapshot(v, "")
			} else {
				l.Snapshot("", v)
			}
		}
		l.Seal()
		r := l.Report()
		require.False(t, r.InputComplete)
		require.Equal(t, "v1..v2", r.SourceSnapshot)
	}
}

func TestADoubleThatWasDroppedDoesNotDisturbTheSketch(t *testing.T) {
	l := New(Enumerated("a", "b"), &Options{Remember: -1})
	l.Loaded("a", nil)
	l.Duplicate("a")
	l.Seal()
	require.Equal(t, []Named{{ID: "b", Times: 1}}, l.Report().Identity.Missing.Named)
	require.Equal(t, Exactly(1), l.Report().Records.Duplicate.Count)
}

func TestContentsAreEvidenceOfBytes(t *testing.T) {
	for _, remember := range []int{0, -1} {
		load := func(content string) Report {
			l := New(Enumerated(), &Options{Remember: remember})
			l.ExpectContent("a", sha256Of("whole"))
			l.Loaded("a", []byte(content))
			l.Seal()
			return l.Report()
		}
		r := load("whole")
		require.True(t, r.InputComplete)
		require.True(t, r.ByteComplete)
		r = load("who")
		require.False(t, r.InputComplete, "the same id with other content")
		require.False(t, r.ByteComplete)
		require.Equal(t, "mismatch", r.Bytes.Contents)
		code(t, r, ContentChanged)
	}
	require.False(t, sealed(Enumerated("a"), nil, "a").ByteComplete, "nobody promised anything")
}

func TestAFailedStrangerIsNotExpected(t *testing.T) {
	l := New(Enumerated("a"), nil)
	l.Loaded("a", nil)
	l.Failed("stranger", Reason{Code: Timeout})
	l.Seal()
	r := l.Report()
	require.False(t, r.InputComplete, "a page was asked for that is not in the list")
	require.Equal(t, Exactly(1), code(t, r, UnexpectedID).Count)
	require.Equal(t, Exactly(0), r.Records.Failed.Count)
}

func TestAShardThatWasBegunIsOutstanding(t *testing.T) {
	root := New(Enumerated("a"), nil)
	root.Loaded("a", nil)
	require.NoError(t, root.Merge(New(Enumerated(), &Options{Key: root.Key(), Shard: "s"})))
	root.Seal()
	require.Equal(t, StateIncomplete, root.Report().Acquisition.State)
}

func TestOneIDWithTwoContents(t *testing.T) {
	l := New(Enumerated("a", "a"), nil)
	l.Loaded("a", []byte("x"))
	l.Loaded("a", []byte("yy"))
	l.Seal()
	r := l.Report()
	require.Equal(t, Exactly(2), r.Loaded)
	require.EqualValues(t, 3, r.Records.Loaded.Bytes)
	require.Equal(t, StateIncomplete, r.Acquisition.State)
	require.Equal(t, Exactly(1), code(t, r, ContentChanged).Count)
}

func TestTheEndOfACursorNeedsOneVersionAndNoReturn(t *testing.T) {
	walk := func(version string, pages ...string) Report {
		l := New(Exhaustible(), &Options{TrustEnd: true})
		l.Snapshot(version, version)
		for i, p := range pages {
			l.Loaded(strconv.Itoa(i), nil)
			l.Page(p).Done(More)
		}
		l.Page("last").Done(CursorAbsent)
		l.Seal()
		return l.Report()
	}
	require.Equal(t, StateExhausted, walk("v1", "1", "2").Acquisition.State)
	require.Equal(t, StateUnverifiable, walk("", "1", "2").Acquisition.State, "the source may have changed")
	r := walk("v1", "1", "1", "1")
	require.Equal(t, StateUnverifiable, r.Acquisition.State, "the cursor came back")
	require.EqualValues(t, 2, r.Plan.Repeated)
	code(t, r, CursorRepeated)
}

func TestEveryCursorMustEnd(t *testing.T) {
	root := New(Exhaustible(), nil)
	root.Snapshot("v1", "v1")
	shard := func(name string, end EndSignal) *Ledger {
		l := New(Exhaustible(), &Options{Key: root.Key(), Shard: name})
		l.Loaded(name, nil)
		if end != "" {
			l.Page("1").Done(end)
		}
		l.Commit()
		return l
	}
	require.NoError(t, root.Merge(shard("0", CursorAbsent)))
	root.Seal()
	require.Equal(t, StateExhausted, root.Report().Acquisition.State)
	for _, end := range []EndSignal{"", More, ShortPage} {
		other := New(Exhaustible(), &Options{Key: root.Key()})
		require.NoError(t, other.Merge(root))
		require.NoError(t, other.Merge(shard("1", end)))
		other.Fold()
		other.Snapshot("v1", "v1")
		other.Seal()
		require.Equal(t, StateUnverifiable, other.Report().Acquisition.State, "the cursor of shard 1 ended with %q", end)
	}
}

func TestMoreThanTheTotalIsAContradiction(t *testing.T) {
	r := sealed(Counted(1), nil, "a", "b")
	require.Equal(t, StateUnverifiable, r.Acquisition.State)
	code(t, r, TotalInconsistent)
}

func TestInConstantMemoryASurplusIsTakenFromTheOnlyState(t *testing.T) {
	r := sealed(Enumerated("a", "b", "c"), &Options{Remember: -1}, "a", "b", "b", "x")
	require.Equal(t, Exactly(2), r.Loaded)
	require.Equal(t, Exactly(2), r.Records.Surplus.Count)
	require.False(t, r.Records.Unexpected.Count.Known(), "doubles and strangers can't be told apart")
	require.Equal(t, AtLeast(0), r.Records.Duplicate.Count)
}

func TestBeyondItsCapacityASketchSaysAtLeast(t *testing.T) {
	l := New(Enumerated(), &Options{Remember: -1, Cells: 16})
	for i := range 1000 {
		l.Expect(strconv.Itoa(i))
		if i < 900 {
			l.Loaded(strconv.Itoa(i), nil)
		}
	}
	l.Seal()
	r := l.Report()
	require.False(t, r.Identity.Decoded)
	require.Equal(t, AtLeast(100), r.Identity.Missing.Count)
	require.Empty(t, r.Identity.Missing.Named, "what is not verified is not passed on")
	require.Equal(t, "unknown", r.Identity.Effect)
	require.Equal(t, Count{Value: 900, Relation: Estimate}, r.Loaded)
}

func TestSafeToPruneAndToAdvance(t *testing.T) {
	count := func(snapshot bool) Report {
		l := New(Counted(1), nil)
		l.Loaded("a", nil)
		if snapshot {
			l.Snapshot("v1", "v1")
		}
		l.Seal()
		return l.Report()
	}
	require.NoError(t, sealed(Enumerated("a"), nil, "a").SafeToPrune())
	require.ErrorIs(t, count(false).SafeToPrune(), ErrUnsafe, "a replaced record would be deleted")
	require.NoError(t, count(true).SafeToPrune())
	require.NoError(t, count(true).SafeToAdvance("v1"))
	require.ErrorIs(t, count(true).SafeToAdvance("v2"), ErrUnsafe)
	require.ErrorIs(t, sealed(Enumerated("a"), nil, "a").SafeToAdvance("v1"), ErrUnsafe, "no version is known")
	err := sealed(Enumerated("a", "b"), nil, "a").SafeToPrune()
	require.ErrorContains(t, err, "truncated_unexplained")
	require.True(t, errors.Is(err, ErrUnsafe))
}

// A listing that came back empty must not delete everything; whoever knows better
// decides for himself.
func TestAnEmptySourceDoesNotLicenseDeletingEverything(t *testing.T) {
	for name, u := range map[string]Universe{"enumerated": Enumerated(), "counted": Counted(0), "exhaustible": Exhaustible()} {
		for _, remember := range []int{0, -1} {
			l := New(u, &Options{TrustEnd: true, Remember: remember})
			l.Snapshot("v1", "v1")
			l.Page("1").Done(CursorAbsent)
			l.Seal()
			r := l.Report()
			require.ErrorIs(t, r.SafeToPrune(), ErrUnsafe, name)
			if r.InputComplete {
				require.ErrorIs(t, r.SafeToPrune(), ErrEmpty, name)
				require.NoError(t, r.SafeToAdvance("v1"), "to move on loses nothing")
			}
		}
	}
	require.NotErrorIs(t, sealed(Enumerated("a"), nil).SafeToPrune(), ErrEmpty, "it is known not to be empty")
	require.NotErrorIs(t, sealed(Counted(0), nil).SafeToPrune(), ErrEmpty, "the source may have changed as well")
	require.NotErrorIs(t, New(Enumerated(), nil).Report().SafeToPrune(), ErrEmpty, "who knows what comes before the seal")
	require.NoError(t, sealed(Enumerated("a"), nil, "a").SafeToPrune())
	filtered := New(Enumerated("a"), nil)
	filtered.Filtered("a", "rule")
	filtered.Seal()
	require.NoError(t, filtered.Report().SafeToPrune(), "there is one record, and it is accounted for")
}

// More ids may come before the seal.
func TestATotalBeforeTheSealIsALowerBound(t *testing.T) {
	l := New(Enumerated("a", "b"), &Options{Limit: 1})
	l.Loaded("a", nil)
	r := l.Report()
	require.Equal(t, AtLeast(2), r.Requested)
	require.Equal(t, AtLeast(2), r.Universe.Count)
	require.Equal(t, AtLeast(2), r.Records.Expected.Count)
	require.NotEqual(t, Eq, r.Claims.Missing.Relation)
	require.Contains(t, r.Claim("en"), "1 record was loaded; there are at least 2")
	require.Equal(t, AtLeast(0), New(Enumerated(), nil).Report().Requested)
	l.Seal()
	require.Equal(t, Exactly(2), l.Report().Requested)
	require.Equal(t, Exactly(2), l.Report().Records.Expected.Count)
	l.Expect("late")
	require.Equal(t, AtLeast(3), l.Report().Requested, "the seal was broken, so nobody knows whether others follow")
}
