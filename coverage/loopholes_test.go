package coverage_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/toolclip/toolclip/coverage"
)

// What follows was tried to talk a ledger into more than it knows.

// part is a response with status 206.
func part(rng, etag, body string) *http.Response {
	return &http.Response{StatusCode: 206, ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(body)),
		Header: http.Header{"Content-Range": {"bytes " + rng}, "Etag": {etag}}, Body: io.NopCloser(strings.NewReader(body))}
}

func bytesOf(t *testing.T, rs ...*http.Response) Report {
	t.Helper()
	l := New(Enumerated("a"), nil)
	l.Loaded("a", nil)
	for i, r := range rs {
		p := l.Page(fmt.Sprint(i))
		_, err := io.Copy(io.Discard, p.Body(r))
		require.NoError(t, err)
		p.Done(More)
	}
	l.Seal()
	return l.Report()
}

func TestAPartIsCreditedWithTheBytesThatCameAndNotWithItsHeader(t *testing.T) {
	for _, body := range []string{"", "01234", "0123456789x"} {
		r := bytesOf(t, part("0-9/10", `"v1"`, body))
		require.False(t, r.ByteComplete, "%q", body)
		require.False(t, r.InputComplete, "%q", body)
	}
	decoded := part("0-9/10", `"v1"`, "0123456789")
	decoded.Uncompressed, decoded.ContentLength = true, -1
	require.False(t, bytesOf(t, decoded).ByteComplete, "how many encoded bytes came is not known")
	require.True(t, bytesOf(t, part("0-9/10", "", "0123456789")).ByteComplete)
}

// RFC 9110, section 15.3.7.3: parts are joined under one strong validator.
func TestPartsWithoutAStrongValidatorDoNotMakeAWhole(t *testing.T) {
	for etag, want := range map[string]string{"": "unknown", `W/"v1"`: "unknown", `"v1"`: "yes"} {
		r := bytesOf(t, part("0-4/10", etag, "01234"), part("5-9/10", etag, "56789"))
		require.Equal(t, want, r.Bytes.Complete, "%q", etag)
	}
}

func TestNotAllBytesCameWhereAPageFailed(t *testing.T) {
	l := New(Enumerated("a"), nil)
	l.Loaded("a", nil)
	p := l.Page("1")
	io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: 2, Body: io.NopCloser(strings.NewReader("ok"))}))
	p.Done(More)
	require.False(t, l.Report().ByteComplete, "more may come")
	l.Page("2").Fail(Reason{Code: Timeout})
	l.Seal()
	require.False(t, l.Report().ByteComplete)
}

func TestALateErrorPageIsStillOne(t *testing.T) {
	l := New(Enumerated("a"), nil)
	l.Loaded("a", nil)
	p := l.Page("1")
	p.Done(CursorAbsent)
	io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 500, ProtoMajor: 1, ContentLength: 2, Body: io.NopCloser(strings.NewReader("no"))}))
	l.Seal()
	require.False(t, l.Report().InputComplete)
	require.Equal(t, "HTTP status 500", code(t, l.Report(), HTTPStatus).Message)
}

// A length that no body has is taken as any other, and the state can be read.
func TestAnAbsurdContentLengthBreaksNothing(t *testing.T) {
	l := New(Enumerated("a"), &Options{Key: testKey})
	for i := range 3 {
		p := l.Page(fmt.Sprint(i))
		io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: math.MaxInt64, Body: io.NopCloser(strings.NewReader("x"))}))
		p.Done(More)
	}
	l.Seal()
	r := l.Report()
	require.Equal(t, "no", r.Bytes.Complete)
	require.Greater(t, r.Bytes.Expected.Value, int64(1)<<62, "no overflow")
	require.Equal(t, Gte, r.Bytes.Expected.Relation)
	b, err := l.MarshalBinary()
	require.NoError(t, err)
	require.NoError(t, New(Enumerated(), &Options{Key: testKey}).UnmarshalBinary(b))
}

func TestADropIsNoCopyOfWhatNeverCame(t *testing.T) {
	for name, u := range map[string]Universe{"exhaustible": Exhaustible(), "counted": Counted(1), "at least": CountedAtLeast(1), "open": Open()} {
		l := New(u, &Options{TrustEnd: true})
		l.Loaded("a", nil)
		l.Duplicate("b")
		l.Snapshot("v1", "v1")
		l.Page("1").Done(CursorAbsent)
		l.Seal()
		r := l.Report()
		require.False(t, r.InputComplete, name)
		require.NotContains(t, []State{StateComplete, StateExhausted, StatePlanExecuted, StateUnverifiable}, r.Acquisition.State, name)
		require.True(t, r.Records.Balanced, name)
		require.NotEmpty(t, r.Reasons, name)
		require.NotContains(t, r.Claim("en"), "c to c+", name)
		require.Error(t, r.SafeToAdvance("v1"), name)
	}
}

func TestAShardWithoutACursorIsNotAtItsEnd(t *testing.T) {
	shard := func(name string, pages bool) *Ledger {
		l := New(Exhaustible(), &Options{Key: testKey, Shard: name})
		if pages {
			l.Loaded("a", nil)
			l.Page("1").Done(CursorAbsent)
		}
		l.Snapshot("v1", "v1")
		l.Commit()
		return l
	}
	for _, fold := range []bool{false, true} {
		l := New(Exhaustible(), &Options{Key: testKey, TrustEnd: true})
		require.NoError(t, l.Merge(shard("0", true)))
		require.NoError(t, l.Merge(shard("1", false)))
		if fold {
			l.Fold()
		}
		l.Seal()
		require.Equal(t, StateUnverifiable, l.Report().Acquisition.State)
		require.False(t, l.Report().InputComplete)
	}
}

// Numbers are the names that shards and pages have.
func TestAShardDoesNotMeetThePageOfAnother(t *testing.T) {
	l := New(Enumerated(), &Options{Key: testKey})
	for _, name := range []string{"1", "2"} {
		s := New(Enumerated(), &Options{Key: testKey, Shard: name})
		s.Plan("1", "2")
		s.Page("1").Done(More)
		if name == "2" {
			s.Page("2").Done(CursorAbsent)
		}
		s.Commit()
		require.NoError(t, l.Merge(s))
	}
	l.Seal()
	require.Equal(t, []string{"1/2"}, l.Report().Plan.Unreachable)
	require.False(t, l.Report().InputComplete)
}

func TestAVersionIsCheckedOnlyWhereEveryShardLooked(t *testing.T) {
	report := func(versions [][2]string, own [2]string, fold bool) Report {
		l := New(Counted(2), &Options{Key: testKey})
		l.Snapshot(own[0], own[1])
		for i, v := range versions {
			s := New(Counted(2), &Options{Key: testKey, Shard: fmt.Sprint(i)})
			s.Loaded(fmt.Sprint(i), nil)
			s.Snapshot(v[0], v[1])
			s.Commit()
			require.NoError(t, l.Merge(s))
		}
		if fold {
			l.Fold()
		}
		l.Seal()
		return l.Report()
	}
	both, none := [2]string{"v1", "v1"}, [2]string{}
	start, end := [2]string{"v1", ""}, [2]string{"", "v1"}
	for _, fold := range []bool{false, true} {
		for _, vs := range [][][2]string{{both, none}, {none, both}, {start, end}, {both, start}, {end, both}} {
			r := report(vs, none, fold)
			require.Equal(t, "unknown", r.Snapshot.Isolation, "%v", vs)
			require.ErrorIs(t, r.SafeToPrune(), ErrUnsafe)
			require.ErrorIs(t, r.SafeToAdvance("v1"), ErrUnsafe)
		}
		require.NoError(t, report([][2]string{both, both}, none, fold).SafeToAdvance("v1"))
		require.NoError(t, report([][2]string{none, none}, both, fold).SafeToAdvance("v1"), "the merging ledger looked before and after all of them")
		require.Equal(t, "changed", report([][2]string{both, {"v2", ""}}, both, fold).Snapshot.Isolation)
	}
}

func TestAContentThatCannotBeComparedIsDoubt(t *testing.T) {
	for _, remember := range []int{0, -1} {
		for _, bare := range []bool{false, true} {
			l := New(Enumerated(), &Options{Remember: remember})
			l.ExpectContent("a", sha256Of("right"))
			if bare {
				l.ExpectContent("b", sha256Of("b"))
				l.Loaded("b", nil)
			} else {
				l.Expect("b")
				l.Loaded("b", []byte("b"))
			}
			l.Loaded("a", []byte("wrong"))
			l.Seal()
			require.False(t, l.Report().InputComplete, "remember %d", remember)
		}
	}
}

// The records of a shard that is outstanding are not known.
func TestATotalWithoutAnOutstandingShardIsALowerBound(t *testing.T) {
	l := New(Enumerated(), &Options{Key: testKey})
	for _, name := range []string{"a", "b"} {
		s := New(Enumerated(name+"1", name+"2"), &Options{Key: testKey, Shard: name})
		s.Loaded(name+"1", nil)
		s.Loaded(name+"2", nil)
		if name == "a" {
			s.Commit()
		}
		require.NoError(t, l.Merge(s))
	}
	l.Seal()
	r := l.Report()
	require.Equal(t, AtLeast(2), r.Requested)
	require.False(t, r.IdentityComplete)
	require.False(t, r.ByteComplete)
	require.Contains(t, r.Claims.Deny, ClaimInterval)

	refused := New(Enumerated("a"), nil)
	require.ErrorIs(t, refused.Merge(New(Enumerated("b"), nil)), ErrKey)
	refused.Seal()
	require.Equal(t, AtLeast(1), refused.Report().Requested)
}

func TestNoIntervalWhereTheTotalIsInDoubt(t *testing.T) {
	for _, doubt := range []func(*Ledger){
		func(l *Ledger) { l.Note(Reason{Code: SourceCap}) },
		func(l *Ledger) { l.Note(Reason{Code: SourcePartial}) },
		func(l *Ledger) { l.Note(Reason{Code: LiveDrift}) },
		func(l *Ledger) { l.Snapshot("v1", "v2") },
		func(l *Ledger) { l.Expect("z") },
	} {
		for _, n := range []int64{2, 5} {
			l := New(Counted(n), nil)
			l.Loaded("a", nil)
			l.Loaded("b", nil)
			doubt(l)
			l.Seal()
			r := l.Report()
			require.Contains(t, r.Claims.Deny, ClaimInterval, r.String())
			require.NotContains(t, r.Claim("en"), "c to c+")
			require.NotContains(t, r.Claim("zh"), "c+")
		}
	}
	l := New(Counted(2), nil)
	l.Loaded("a", nil)
	require.Contains(t, l.Report().Claims.Deny, ClaimInterval, "it is not sealed")
}

func TestNothingIsKnownOfWhatTheModelDoesNotSee(t *testing.T) {
	r := sealed(Enumerated("a", "b"), nil, "a", "b")
	for _, c := range []Claim{ClaimAll, ClaimExactCount, ClaimMaxMin, ClaimRanking, ClaimInterval} {
		require.Contains(t, r.WithView(Item, Set{{0, 2}}, Exactly(2)).Claims.Allow, c)
		require.Contains(t, r.WithView(Item, Set{{0, 1}}, Exactly(2)).Claims.Deny, c)
	}
	require.Equal(t, "loaded_subset", r.WithView(Item, Set{{0, 1}}, Exactly(2)).Claims.Scope)
}

func TestNoneNeedsAScanThatFoundNone(t *testing.T) {
	r := sealed(Enumerated("a"), nil, "a")
	scan := Scan{Unit: Item, Scanned: []Range{{0, 1}}, Of: Exactly(1), Matched: Exactly(0)}
	require.Contains(t, r.WithView(Item, nil, Exactly(1), scan).Claims.Allow, ClaimNone)
	found := scan
	found.Matched = Exactly(1)
	require.Contains(t, r.WithView(Item, nil, Exactly(1), found).Claims.Deny, ClaimNone)
	require.Contains(t, r.WithView(Item, nil, Exactly(2), scan).Claims.Deny, ClaimNone, "it was of another whole")
}

// Many sources say -1 for "unknown".
func TestANegativeTotalIsNeverCovered(t *testing.T) {
	require.False(t, Scan{Of: Exactly(-1), Matched: Exactly(0)}.Whole())
	require.False(t, Scan{Of: Exactly(0), Matched: Exactly(-1)}.Whole())
	require.False(t, Set(nil).Covers(-1))
	require.False(t, sealed(Enumerated("a"), nil, "a").WithView(Item, nil, Exactly(-1)).View.Complete)
}

func TestSumsDoNotOverflow(t *testing.T) {
	const most = math.MaxInt64
	require.Equal(t, AtLeast(most), Exactly(most).Plus(Exactly(1)))
	require.Equal(t, Count{most, Estimate}, Exactly(most).Plus(Count{most, Estimate}))
	require.Equal(t, int64(most), Set{{-most, -1}, {0, most}}.Len())

	l := New(Enumerated("a", "b"), nil)
	for i := range 3 {
		l.Page(fmt.Sprint(i)).Fail(Reason{Count: Exactly(most), Unit: Item})
		l.Note(Reason{Code: EntryLimit, Count: Exactly(most), Unit: Item})
	}
	l.Seal()
	require.Equal(t, AtLeast(most), code(t, l.Report(), EntryLimit).Count)
	require.Equal(t, Exactly(2), l.Report().Records.NotAttempted.Count)
}

func TestTheSealOfAShardIsNotThatOfTheWhole(t *testing.T) {
	s := New(Enumerated("a"), &Options{Key: testKey, Shard: "s"})
	s.Loaded("a", nil)
	s.Seal()
	b, err := s.MarshalBinary()
	require.NoError(t, err)
	l := New(Enumerated(), &Options{Key: testKey})
	require.NoError(t, l.UnmarshalBinary(b))
	require.False(t, l.Report().Plan.Sealed)
	require.False(t, l.Report().InputComplete)
}

// A ledger that meets an older state of itself does not go back to it.
func TestAnOlderStateOfAnAttemptDoesNotWin(t *testing.T) {
	for i := range 20 { // whatever the hashes are
		l := New(Enumerated("a", "b"), &Options{Shard: "s"})
		l.Loaded("a", nil)
		require.NoError(t, l.Merge(l))
		l.Loaded("b", fmt.Append(nil, i))
		require.Equal(t, Exactly(2), l.Report().Loaded)
	}
}

func TestAFilterWithoutANameIsNotNamedByAnID(t *testing.T) {
	l := New(Enumerated("a", "b"), nil)
	l.Filtered("a", "")
	l.Filtered("b", "")
	l.Seal()
	require.Equal(t, "(no name)", code(t, l.Report(), FilteredOut).Where)
	require.Equal(t, Exactly(2), code(t, l.Report(), FilteredOut).Count)
}

func TestACallThatWasCutIsNotExecuted(t *testing.T) {
	l := New(Open(), nil)
	p := l.Page("q")
	io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: 9, Body: io.NopCloser(strings.NewReader("short"))}))
	p.Done(CursorAbsent)
	l.Seal()
	require.Equal(t, StatePlanPartial, l.Report().Acquisition.State)
}

// Both would be decoded to U+FFFD, and a double of one would hide the loss of the other.
func TestIDsWithLoneSurrogatesAreNotOne(t *testing.T) {
	id := JSONID("id")
	for _, s := range []string{`\ud800`, `a\uDC01b`, `\ud800\ud800`, `\ud800\u0041`, `\\\ud800`} {
		require.Empty(t, id([]byte(`{"id":"`+s+`"}`)), s)
	}
	for s, want := range map[string]string{`\ud83d\ude00`: "\U0001F600", `\ufffd`: "\uFFFD", `\\ud800`: `\ud800`, "\uFFFD": "\uFFFD"} {
		require.Equal(t, want, id([]byte(`{"id":"`+s+`"}`)), s)
	}
}

// Two ledgers that merge shards and are merged again both have no name.
func TestASealIsNotMerged(t *testing.T) {
	sub := New(Enumerated(), &Options{Key: testKey})
	s := New(Enumerated("a"), &Options{Key: testKey, Shard: "s"})
	s.Loaded("a", nil)
	s.Commit()
	require.NoError(t, sub.Merge(s))
	sub.Seal()
	require.True(t, sub.Report().InputComplete)
	root := New(Enumerated(), &Options{Key: testKey})
	require.NoError(t, root.Merge(sub))
	require.Equal(t, StateIndeterminate, root.Report().Acquisition.State, "others may come")
	root.Seal()
	require.Equal(t, StateComplete, root.Report().Acquisition.State)
}

func TestMoreThanTheWholeIsNotTheWhole(t *testing.T) {
	r := sealed(Enumerated("a"), nil, "a")
	require.False(t, r.WithView(Item, Set{{0, 9}}, Exactly(5)).View.Complete, "the total is wrong")
	require.False(t, Scan{Scanned: []Range{{0, 9}}, Of: Exactly(5), Matched: Exactly(0)}.Whole())
}

func TestARecordWhoseIDCannotBeTakenIsALoss(t *testing.T) {
	l := New(Exhaustible(), &Options{TrustEnd: true})
	func() {
		defer func() { require.NotNil(t, recover(), "the panic is the caller's") }()
		for range Track(l, slices.Values([]string{"a", "b"}), func(s string) string {
			if s == "b" {
				panic("no id")
			}
			return s
		}) {
		}
	}()
	l.Snapshot("v1", "v1")
	l.Page("1").Done(CursorAbsent)
	l.Seal()
	require.Equal(t, StateIncomplete, l.Report().Acquisition.State)
	require.Equal(t, Exactly(1), code(t, l.Report(), Panicked).Count)
}

// The response says more than the parser that stumbled over it.
func TestWhatIsWrongWithAResponseIsNotHiddenByWhatFollowsFromIt(t *testing.T) {
	l := New(Counted(3), nil)
	p := l.Page("1")
	p.Body(&http.Response{StatusCode: 503, ProtoMajor: 1, Body: http.NoBody})
	p.Fail(Reason{Code: ParseFailed, Message: "invalid character '<'", Count: Exactly(3), Unit: Item})
	l.Seal()
	x := code(t, l.Report(), HTTPStatus)
	require.Equal(t, Exactly(3), x.Count)
	require.True(t, x.Retryable)
	require.Equal(t, "HTTP status 503; invalid character '<'", x.Message)
}

// An empty key is what a variable has that nobody set.
func TestAnEmptyKeyIsNoKey(t *testing.T) {
	a, b := New(Open(), &Options{Key: []byte{}}), New(Open(), nil)
	require.Len(t, a.Key(), 32)
	require.NotEqual(t, a.Key(), b.Key())
	require.Equal(t, KeyRun, a.Report().Identity.KeyMode)
}

func TestAnUnprovedEndIsSaid(t *testing.T) {
	l := New(Exhaustible(), nil)
	l.Loaded("a", nil)
	l.Page("1").Done(CursorEmpty)
	l.Seal()
	require.Contains(t, l.Report().String(), "State: unverifiable; the end of the cursor is claimed (empty_string), not proved.")
}

// A loaded record that was cut or changed counts as more or as less than it is.
func TestNoIntervalOverRecordsThatMayNotBeWhole(t *testing.T) {
	for name, doubt := range map[string]func(*Ledger){
		"a record has other content": func(l *Ledger) { l.ExpectContent("z", sha256Of("right")); l.Loaded("z", []byte("wrong")) },
		"a body was cut": func(l *Ledger) {
			p := l.Page("1")
			io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: 9, Body: io.NopCloser(strings.NewReader("short"))}))
			p.Done(More)
		},
		"a body may be cut": func(l *Ledger) {
			p := l.Page("1")
			io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: -1, Body: io.NopCloser(strings.NewReader("short"))}))
			p.Done(More)
		},
		"a note says so": func(l *Ledger) { l.Note(Reason{Code: CharsetLossy}) },
	} {
		l := New(Enumerated("a", "b"), nil)
		l.Loaded("a", nil)
		doubt(l)
		l.Seal()
		r := l.Report()
		require.Contains(t, r.Claims.Deny, ClaimInterval, name)
		require.NotContains(t, r.Claim("en"), "c to c+", name)
		require.Equal(t, name == "a record has other content", slices.Contains(r.Claims.Deny, ClaimLowerBound), name)
	}
	cut := New(Enumerated("a", "b"), nil)
	cut.Loaded("a", nil)
	cut.Truncated("b", Reason{})
	cut.Seal()
	require.Contains(t, cut.Report().Claims.Allow, ClaimInterval, "the one that was cut is not among the loaded")
}

// What is said to be done and then to have failed is in doubt.
func TestAPageThatFailsAfterItWasDoneIsNotComplete(t *testing.T) {
	l := New(Exhaustible(), &Options{TrustEnd: true})
	p := l.Page("1")
	l.Loaded("a", nil)
	p.Done(CursorAbsent)
	p.Fail(Reason{Code: ReadFailed, Count: Exactly(5)})
	p.Done(CursorAbsent)
	l.Seal()
	r := l.Report()
	require.False(t, r.InputComplete)
	require.Error(t, r.SafeToPrune())
	require.Len(t, r.Reasons, 1)
	require.Equal(t, ReadFailed, r.Reasons[0].Code)
	require.Equal(t, "1", r.Reasons[0].Where)
}
