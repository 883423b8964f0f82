package coverage_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/toolclip/toolclip/coverage"
)

// Credit is for what was returned.
func TestCase62ReadingCreditsWhatWasReturned(t *testing.T) {
	r := NewReading(0)
	r.Shown("a", "sha", Line, Range{0, 200}) // lines 1-386 were asked for
	require.Equal(t, Set{{0, 200}}, r.Seen("a", "sha", Line))
	require.Equal(t, Range{200, 386}, r.Seen("a", "sha", Line).Gaps(386)[0], "the next unread range")
}

// Two halves are a whole, and a new version starts again.
func TestCase63ReadingUnitesRangesAndStartsAgainForANewVersion(t *testing.T) {
	r := NewReading(0)
	r.Shown("a", "v1", Line, Range{50, 100})
	r.Shown("a", "v1", Line, Range{0, 50})
	require.True(t, r.Seen("a", "v1", Line).Covers(100))
	require.Empty(t, r.Seen("a", "v2", Line))
	require.Empty(t, r.Seen("b", "v1", Line), "another reader's window")
	require.Empty(t, r.Seen("a", "v1", Byte), "another unit")
}

// A first window read a hundred times.
func TestCase28ReadingNamesTheNextUnreadRange(t *testing.T) {
	r := NewReading(0)
	for range 100 {
		r.Shown("a", "sha", Line, Range{0, 50})
	}
	require.Equal(t, Set{{50, 200}}, r.Seen("a", "sha", Line).Gaps(200))
}

func TestCompactionEmptiesTheWindowAndKeepsTheHistory(t *testing.T) {
	r := NewReading(0)
	r.Shown("a", "sha", Line, Range{0, 50})
	r.Shown("b", "sha", Line, Range{0, 50})
	r.Scanned("a", "sha", Scan{Predicate: "x", Unit: Line, Scanned: []Range{{0, 50}}, Of: Exactly(50), Matched: Exactly(0)})
	require.Len(t, r.Scans("a", "sha"), 1)
	require.True(t, r.Scans("a", "sha")[0].Whole())
	r.Compacted("a")
	require.Empty(t, r.Seen("a", "sha", Line))
	require.Empty(t, r.Scans("a", "sha"))
	require.Equal(t, Set{{0, 50}}, r.EverSeen("a", "sha", Line))
	require.Equal(t, Set{{0, 50}}, r.Seen("b", "sha", Line), "another reader")
	r.Shown("a", "sha", Line, Range{10, 20})
	require.Equal(t, Set{{10, 20}}, r.Seen("a", "sha", Line))
}

func TestReadingIsBoundedAndForgetsTheOldest(t *testing.T) {
	r := NewReading(2)
	for i := range 3 {
		r.Shown("a", fmt.Sprint(i), Line, Range{0, 1})
		r.Seen("a", "0", Line) // keeps the first one young
	}
	require.NotEmpty(t, r.Seen("a", "0", Line))
	require.Empty(t, r.Seen("a", "1", Line))
	require.NotEmpty(t, r.Seen("a", "2", Line))
}

// What is credited was shown, also when fragments are dropped.
func TestReadingOfManyFragmentsUnderstates(t *testing.T) {
	var r Reading // the zero Reading is usable
	for i := range int64(5000) {
		r.Shown("a", "sha", Byte, Range{3 * i, 3*i + 1})
	}
	r.Shown("a", "sha", Byte, Range{100_000, 100_500})
	seen := r.Seen("a", "sha", Byte)
	require.LessOrEqual(t, len(seen), 4096)
	for _, s := range seen[:len(seen)-1] {
		require.EqualValues(t, 1, s.Len())
		require.Zero(t, s.Start%3)
	}
	require.Equal(t, Range{100_000, 100_500}, seen[len(seen)-1], "the largest stay")
}

func TestReadingIsSafeForConcurrentUse(t *testing.T) {
	r := NewReading(8)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				reader := fmt.Sprint(i % 3)
				r.Shown(reader, fmt.Sprint(j%12), Line, Range{int64(j), int64(j + 1)})
				r.Seen(reader, fmt.Sprint(j%12), Line)
				r.Scanned(reader, fmt.Sprint(j%12), Scan{})
				if j%50 == 0 {
					r.Compacted(reader)
				}
			}
		})
	}
	wg.Wait()
}
