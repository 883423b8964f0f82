package coverage_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/toolclip/toolclip/coverage"
)

// busy is a ledger with something of everything.
func busy(t require.TestingT, o Options) *Ledger {
	o.Key = testKey
	l := New(Enumerated("a", "b", strings.Repeat("long", 20)), &o)
	l.ExpectContent("c", sha256Of("c"))
	l.Loaded("a", []byte("text"))
	l.Loaded("c", []byte("c"))
	l.Filtered("b", "rule")
	l.Failed("x", Reason{Code: Timeout, Message: "slow"})
	l.Truncated("y", Reason{})
	l.Duplicate("a")
	l.Note(Reason{Code: SourceCap, Count: Exactly(9)})
	l.Snapshot("v1", "v2")
	p := l.Page("1")
	io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 206, ProtoMajor: 1, ContentLength: 4,
		Header: http.Header{"Content-Range": {"bytes 0-3/8"}}, Body: io.NopCloser(strings.NewReader("text"))}))
	p.Done(More)
	l.Page("2").Fail(Reason{Code: HTTPStatus, Count: Exactly(10)})
	l.Plan("3")
	for _, shard := range []string{"0", "1", "2", "z"} {
		s := New(Enumerated(), &Options{Key: testKey, Shard: shard, Remember: -1, Cells: 8})
		s.Expect(shard)
		s.Loaded(shard, nil)
		s.Page("p").Done(CursorAbsent)
		if shard != "z" {
			s.Commit()
		}
		require.NoError(t, l.Merge(s))
	}
	l.Fold()
	return l
}

func TestAStateComesBackAsItWas(t *testing.T) {
	for _, o := range []Options{{}, {Remember: -1}, {Remember: -1, Cells: -1}, {Limit: 5, EmptyCursor: EmptyEnds, TrustEnd: true, Shard: "s", Attempt: 3}} {
		l := busy(t, o)
		b, err := l.MarshalBinary()
		require.NoError(t, err)
		var zero Ledger
		require.NoError(t, zero.UnmarshalBinary(b))
		again, err := zero.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, b, again)

		// With the key work goes on where it was.
		o.Key = testKey
		resumed := New(Enumerated(), &o)
		require.NoError(t, resumed.UnmarshalBinary(b))
		for _, x := range []*Ledger{l, resumed} {
			x.Loaded("late", []byte("late"))
			x.Seal()
		}
		require.Equal(t, text(l.Report()), text(resumed.Report()))
	}
}

func TestAStateWithoutItsKeyCanBeReadAndNotRecordedTo(t *testing.T) {
	l := New(Enumerated("a"), nil)
	l.Loaded("a", nil)
	l.Seal()
	var zero Ledger
	b, err := l.MarshalBinary()
	require.NoError(t, err)
	require.NoError(t, zero.UnmarshalBinary(b))
	require.True(t, zero.Report().InputComplete)
	require.Nil(t, zero.Key())
	require.NotContains(t, string(b), string(l.Key()), "the key stays secret")
	zero.Loaded("b", nil)
	require.False(t, zero.Report().InputComplete)
	code(t, zero.Report(), KeyMismatch)

	other := New(Enumerated(), nil)
	require.ErrorIs(t, other.UnmarshalBinary(b), ErrKey)
	counted := New(Counted(3), &Options{Key: l.Key()})
	require.ErrorIs(t, counted.UnmarshalBinary(b), ErrUniverse)
}

func TestDamageIsNoticed(t *testing.T) {
	b, err := busy(t, Options{}).MarshalBinary()
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		bad := append([]byte(nil), b...)
		i := rapid.IntRange(0, len(bad)-1).Draw(t, "at")
		bad[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		bad = bad[:rapid.IntRange(i+1, len(bad)).Draw(t, "length")]
		var l Ledger
		if err := l.UnmarshalBinary(bad); !errors.Is(err, ErrState) {
			t.Fatalf("a state with byte %d changed: %v", i, err)
		}
	})
}

// checked is b with a true checksum in place of its own.
func checked(b []byte) []byte {
	sum := sha256.Sum256(b[:len(b)-8])
	return append(b[:len(b)-8:len(b)-8], sum[:8]...)
}

func TestOneStateHasOneForm(t *testing.T) {
	l := New(Counted(3), &Options{Key: testKey})
	l.Loaded("an id", nil)
	b, err := l.MarshalBinary()
	require.NoError(t, err)
	var zero Ledger
	require.NoError(t, zero.UnmarshalBinary(checked(b)))
	longer := checked(bytes.Replace(b, []byte("counted\x03"), []byte("counted\x83\x00"), 1))
	require.Len(t, longer, len(b)+1)
	require.ErrorIs(t, new(Ledger).UnmarshalBinary(longer), ErrState, "the same number in more bytes")
}

func TestIDsMustAddUpToTheirDigests(t *testing.T) {
	l := New(Counted(3), &Options{Key: testKey})
	l.Loaded("an id", nil)
	b, err := l.MarshalBinary()
	require.NoError(t, err)
	at := bytes.Index(b, []byte("an id")) + len("an id")
	b[at+3] ^= 1 // in the hash of the id
	require.ErrorIs(t, new(Ledger).UnmarshalBinary(checked(b)), ErrState)
}

func TestTheZeroLedgerIsOpen(t *testing.T) {
	var l Ledger
	l.Loaded("a", nil)
	l.Page("1").Done(CursorAbsent)
	l.Seal()
	require.Equal(t, StatePlanExecuted, l.Report().Acquisition.State)
}

// Whatever is read as a state, with a true checksum, ends without a panic, is
// written again as it was, and can be reported and folded.
func FuzzUnmarshal(f *testing.F) {
	for _, o := range []Options{{}, {Remember: -1}, {Remember: -1, Cells: -1}} {
		b, err := busy(f, o).MarshalBinary()
		require.NoError(f, err)
		f.Add(b[:len(b)-8])
	}
	small := New(Counted(3), &Options{Key: testKey, Remember: -1})
	small.Loaded("a", nil)
	b, err := small.MarshalBinary()
	require.NoError(f, err)
	f.Add(b[:len(b)-8])
	f.Fuzz(func(t *testing.T, b []byte) {
		sum := sha256.Sum256(b)
		b = append(b[:len(b):len(b)], sum[:8]...)
		var l Ledger
		if l.UnmarshalBinary(b) != nil {
			return
		}
		again, err := l.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, b, again)
		l.Seal()
		l.Report()
		l.Fold()
	})
}

// With a true checksum, and of no ledger: a commit without its records or with
// others, records without a commit, a block of nothing, a unit that was not begun
// and has a reason. Each would be read as another state than it is.
func TestStatesThatNoLedgerHasAreRefused(t *testing.T) {
	shard := New(Enumerated("a"), &Options{Key: testKey, Shard: "s"})
	shard.Commit()
	folded := numbered(t, 0, 1)
	folded.Fold()
	planned := New(Open(), &Options{Key: testKey})
	planned.Plan("u")
	const hash = 32
	for name, tt := range map[string]struct {
		l            *Ledger
		at           string // what the damaged place begins with
		change, with string
		drop         int // bytes after it
	}{
		"a commit without its records":    {shard, "\x01s\x00\x01\x01", "\x01\x01", "\x01\x00", hash},
		"records without a commit":        {shard, "\x01s\x00\x01\x01", "\x01\x01", "\x00\x01", 0},
		"a commit of other records":       {shard, "\x01s\x00\x01\x01", "\x01", "\x01\x55", 1},
		"a block without records":         {folded, "\x00\x01\x00\x01\x02\x01", "\x01", "\x00", hash},
		"a block of other records":        {folded, "\x00\x01\x00\x01\x02\x01", "\x01", "\x01\x55", 1},
		"a unit that has only a reason":   {planned, "\x01u\x00\x00\x00\x00\x00\x00\x00\x00", "\x00", "\x02", 0},
		"a unit that failed for no cause": {planned, "\x01u\x00", "\x00", "\x04", 0},
	} {
		b := []byte(state(t, tt.l))
		require.NoError(t, new(Ledger).UnmarshalBinary(b), name)
		i := bytes.Index(b, []byte(tt.at))
		require.Positive(t, i, name)
		i += len(tt.at)
		bad := append(bytes.Clone(b[:i-len(tt.change)]), tt.with...)
		bad = checked(append(bad, b[i+tt.drop:]...))
		require.ErrorIs(t, new(Ledger).UnmarshalBinary(bad), ErrState, name)
	}
}
