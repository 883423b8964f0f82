package coverage_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	. "github.com/toolclip/toolclip/coverage"
)

func self(s string) string { return s }

func TestTrackCountsWhatTheConsumerTook(t *testing.T) {
	for taken := range 4 {
		l := New(Enumerated("a", "b", "c"), nil)
		n := 0
		for range Track(l, slices.Values([]string{"a", "b", "c"}), self) {
			if n++; n == taken {
				break
			}
		}
		l.Seal()
		want := int64(taken)
		if taken == 0 {
			want = 3 // it never broke off
		}
		require.Equal(t, Exactly(want), l.Report().Loaded)
		require.Equal(t, want == 3, l.Report().InputComplete)
	}
}

func TestTrackBooksAPanicAsAFailure(t *testing.T) {
	l := New(Enumerated("a", "b"), nil)
	require.PanicsWithValue(t, "boom", func() {
		for id := range Track(l, slices.Values([]string{"a", "b"}), self) {
			if id == "b" {
				panic("boom")
			}
		}
	}, "the panic is the caller's and goes on")
	l.Seal()
	r := l.Report()
	require.Equal(t, Exactly(1), r.Loaded)
	require.Equal(t, "b", code(t, r, Panicked).Where)
}

func TestALedgerIsSafeForConcurrentUse(t *testing.T) {
	var ids []string
	for i := range 1000 {
		ids = append(ids, strconv.Itoa(i))
	}
	root := New(Enumerated(ids...), &Options{Remember: 500})
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			shard := New(Enumerated(), &Options{Key: root.Key(), Shard: strconv.Itoa(w)})
			for i := w; i < len(ids); i += 8 {
				if i%16 < 8 {
					root.Loaded(ids[i], []byte(ids[i]))
				} else {
					shard.Loaded(ids[i], []byte(ids[i]))
				}
			}
			p := root.Page(strconv.Itoa(w))
			p.Done(CursorAbsent)
			shard.Commit()
			if err := root.Merge(shard); err != nil {
				t.Error(err)
			}
			root.Report()
			root.MarshalBinary()
			root.Fold()
			root.Snapshot("v", "v")
		})
	}
	wg.Wait()
	require.NoError(t, root.Merge(root))
	root.Seal()
	r := root.Report()
	require.True(t, r.InputComplete, r.String())
	require.EqualValues(t, 8, r.Merge.Committed)
	require.EqualValues(t, 8, r.Plan.Succeeded)
}

func TestRulesAreCountedByNameUpToALimit(t *testing.T) {
	for _, remember := range []int{0, -1} {
		l := New(Enumerated(), &Options{Remember: remember})
		for i := range 300 {
			id := strconv.Itoa(i)
			l.Expect(id)
			l.Filtered(id, "rule "+strconv.Itoa(1000-i))
		}
		l.Seal()
		r := l.Report()
		require.True(t, r.InputComplete)
		require.LessOrEqual(t, len(r.Reasons), 65)
		var sum int64
		for _, x := range r.Reasons {
			require.Equal(t, FilteredOut, x.Code)
			sum += x.Count.Value
		}
		require.EqualValues(t, 300, sum, "what is pooled is still counted")
	}
}

func TestWhichRulesAreNamedDoesNotDependOnTheOrder(t *testing.T) {
	report := func(order []int, remember int) Report {
		l := New(Counted(int64(len(order))), &Options{Key: testKey, Remember: remember})
		for _, i := range order {
			l.Filtered(strconv.Itoa(i), "rule "+strconv.Itoa(i%100))
		}
		l.Seal()
		return l.Report()
	}
	var up, down []int
	for i := range 300 {
		up, down = append(up, i), append(down, 299-i)
	}
	for _, remember := range []int{-1, 0} {
		want := text(report(up, remember))
		require.Equal(t, want, text(report(down, remember)))
		require.Contains(t, want, "rule 10")
	}
}

func TestReasonsKeepTheFirstPlace(t *testing.T) {
	l := New(Counted(3), nil)
	for _, at := range []string{"line 12", "line 9", "line 100"} {
		l.Failed(at, Reason{Code: ParseFailed, Where: at, Message: "no closing brace at " + at, Retryable: at != "line 9"})
	}
	l.Seal()
	x := code(t, l.Report(), ParseFailed)
	require.Equal(t, Reason{Code: ParseFailed, Layer: LayerSource, Unit: Item, Count: Exactly(3), Where: "line 9",
		Message: "no closing brace at line 9"}, x)
}

func TestForeignTextIsBounded(t *testing.T) {
	l := New(Counted(1), nil)
	long := string(make([]byte, 100_000))
	l.Failed("x", Reason{Code: Code(long), Where: long, Message: long + "\xff", Layer: Layer(long), Unit: Unit(long), Limit: -5, Count: Exactly(-1)})
	l.Snapshot(long, long)
	l.Plan(long)
	l.Page(long).Done(EndSignal(long))
	l.Seal()
	require.Less(t, len(text(l.Report())), 40_000)
	require.Less(t, len(l.Report().String()), 3_000)
}

// Names that are too long, or no text, are shortened and stay apart.
func TestLongNamesStayApart(t *testing.T) {
	long := strings.Repeat("x", 600)
	l := New(Counted(1), nil)
	l.Loaded("a", nil)
	l.Page(long + "1").Done(More)
	l.Page(long + "2").Fail(Reason{})
	l.Plan("\xff", "\xfe")
	l.Snapshot(long+"1", long+"2")
	l.Seal()
	r := l.Report()
	require.EqualValues(t, 4, r.Plan.Units)
	require.EqualValues(t, 1, r.Plan.Failed)
	require.Equal(t, "changed", r.Snapshot.Isolation)
	for _, name := range r.Plan.Unreachable {
		require.LessOrEqual(t, len(name), 512)
		require.True(t, utf8.ValidString(name))
	}
	require.ErrorIs(t, r.SafeToAdvance(long), ErrUnsafe)
	root := New(Counted(2), nil)
	for _, shard := range []string{long + "1", long + "2"} {
		s := New(Counted(2), &Options{Key: root.Key(), Shard: shard})
		s.Loaded(shard, nil)
		s.Page(shard).Done(More)
		s.Commit()
		require.NoError(t, root.Merge(s))
	}
	root.Seal()
	require.True(t, root.Report().InputComplete)
	require.EqualValues(t, 2, root.Report().Plan.Succeeded)
	late := New(Counted(2), &Options{Key: root.Key(), Shard: long})
	late.Page(long)
	late.Commit()
	require.NoError(t, root.Merge(late))
	require.NoError(t, resolvedSchema(t).Validate(object(t, root.Report())))
}

// rows is a source of ids that is interrupted by errors where ids begin with "!".
func rows(ids ...string) func(func(string, error) bool) {
	return func(yield func(string, error) bool) {
		for _, id := range ids {
			message, failed := strings.CutPrefix(id, "!")
			var err error
			switch {
			case message == "cancelled":
				err = fmt.Errorf("reading rows: %w", context.Canceled)
			case message == "deadline":
				err = fmt.Errorf("reading rows: %w", context.DeadlineExceeded)
			case failed:
				err = errors.New(message)
			}
			if failed {
				id = ""
			}
			if !yield(id, err) {
				return
			}
		}
	}
}

func TestTrackErrCountsWhatTheConsumerTook(t *testing.T) {
	for taken := range 4 {
		l := New(Enumerated("a", "b", "c"), nil)
		var got []string
		for id, err := range TrackErr(l, rows("a", "b", "c"), self) {
			require.NoError(t, err)
			if got = append(got, id); len(got) == taken {
				break
			}
		}
		l.Seal()
		require.Equal(t, Exactly(int64(len(got))), l.Report().Loaded)
		require.Equal(t, len(got) == 3, l.Report().InputComplete)
		require.Equal(t, []string{"a", "b", "c"}[:len(got)], got)
	}
}

// Whatever the universe, where the error is, and what the consumer does about it.
func TestAnErrorInASequenceIsNeverComplete(t *testing.T) {
	for name, u := range map[string]Universe{"enumerated": Enumerated("a", "b"), "counted": Counted(2), "exhaustible": Exhaustible(), "open": Open()} {
		for _, ids := range [][]string{{"!reset", "a", "b"}, {"a", "!reset", "b"}, {"a", "b", "!reset"}, {"!reset"}, {"a", "b", "!cancelled"}, {"a", "b", "!deadline"}} {
			for _, goOn := range []bool{true, false} {
				for _, remember := range []int{0, -1} {
					l := New(u, &Options{TrustEnd: true, Remember: remember})
					for _, err := range TrackErr(l, rows(ids...), func(id string) string {
						require.NotEmpty(t, id, "the item beside an error is nobody's")
						return id
					}) {
						if err != nil && !goOn {
							break
						}
					}
					l.Snapshot("v1", "v1")
					l.Page("1").Done(CursorAbsent)
					l.Seal()
					r := l.Report()
					require.False(t, r.InputComplete, "%s, %v: %s", name, ids, r)
					require.NotContains(t, []State{StateComplete, StateExhausted, StatePlanExecuted}, r.Acquisition.State, "%s, %v", name, ids)
					require.Error(t, r.SafeToPrune())
					require.Error(t, r.SafeToAdvance("v1"))
				}
			}
		}
	}
}

func TestAnErrorInASequenceExplainsWhatDidNotCome(t *testing.T) {
	for message, c := range map[string]Code{"connection reset": ReadFailed, "cancelled": Cancelled, "deadline": TimeLimit} {
		l := New(Enumerated("a", "b", "c"), nil)
		for range TrackErr(l, rows("a", "!"+message), self) {
		}
		l.Seal()
		r := l.Report()
		require.Equal(t, Exactly(1), r.Loaded)
		require.Equal(t, Exactly(2), r.Records.NotAttempted.Count)
		require.Equal(t, Exactly(0), r.Records.Unaccounted.Count, "it is known why")
		require.Len(t, r.Reasons, 1)
		require.Equal(t, c, r.Reasons[0].Code)
		require.NotEmpty(t, r.Reasons[0].Message)
	}
}

func TestTrackErrBooksAPanicAsAFailure(t *testing.T) {
	l := New(Enumerated("a", "b"), nil)
	require.PanicsWithValue(t, "boom", func() {
		for id := range TrackErr(l, rows("a", "b"), self) {
			if id == "b" {
				panic("boom")
			}
		}
	})
	require.PanicsWithValue(t, "boom", func() {
		for range TrackErr(l, rows("!reset"), self) {
			panic("boom")
		}
	})
	l.Seal()
	r := l.Report()
	require.Equal(t, Exactly(1), r.Loaded)
	require.Equal(t, "b", code(t, r, Panicked).Where)
	require.Equal(t, "reset", code(t, r, ReadFailed).Message)
}
