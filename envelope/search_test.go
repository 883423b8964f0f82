package envelope

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/coverage"
)

func TestWindowsSayWhatLiesBeforeThem(t *testing.T) {
	lines := func(cuts ...Cut) Envelope {
		return Envelope{Part: Part{
			MediaType: "text/plain", Content: "b\nd\n", Acquired: AcquiredUnknown,
			View: View{
				Bytes: []coverage.Range{{Start: 2, End: 4}, {Start: 8, End: 10}}, ByteTotal: coverage.Exactly(12),
				Unit: coverage.Line, Units: []coverage.Range{{Start: 1, End: 2}, {Start: 4, End: 5}}, UnitTotal: coverage.Exactly(6),
				Cuts: cuts,
			},
		}}
	}
	e := Style{}.Word(lines(Cut{At: 0}, Cut{At: 2}), nil)
	require.Equal(t, "line 1 not shown", e.View.Cuts[0].Mark)
	require.Equal(t, "lines 3-4 not shown", e.View.Cuts[1].Mark)

	e = Style{}.Word(lines(Cut{At: 2}), nil)
	require.Equal(t, "lines 3-4 not shown", e.View.Cuts[0].Mark)

	columns := lines(Cut{At: 0}, Cut{At: 2})
	columns.View.Units, columns.View.Partly = nil, 1
	e = Style{}.Word(columns, nil)
	require.Equal(t, "2 bytes not shown", e.View.Cuts[0].Mark)
	require.Equal(t, "4 bytes not shown", e.View.Cuts[1].Mark)
}

func TestASearchThatShowsAllItsMatchesLacksNothing(t *testing.T) {
	e := Envelope{
		Part: Part{Content: "b\n", Acquired: AcquiredUnknown, View: View{Bytes: []coverage.Range{{Start: 2, End: 4}}, ByteTotal: coverage.Exactly(6)}},
		Scan: &coverage.Scan{
			Predicate: "b", Engine: "literal", Unit: coverage.Byte, Scanned: []coverage.Range{{Start: 0, End: 6}},
			Of: coverage.Exactly(6), Matched: coverage.Exactly(1), Returned: 1,
		},
	}
	require.NotContains(t, Style{}.Word(e, nil).Notice, "No call")

	e.Scan.Matched = coverage.Exactly(2)
	require.Contains(t, Style{}.Word(e, nil).Notice, "found 2, 1 shown")

	e.Scan.Matched, e.NoNext = coverage.Exactly(1), "nothing was kept"
	require.Contains(t, Style{}.Word(e, nil).Notice, "nothing was kept", "of a keep rule, the rest is still missing")
}
