package jsonview

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

type order struct {
	ID     int    `json:"id"`
	Status string `json:"status,omitempty"`
	N      int    `json:"n"`
	Note   string `json:"note,omitempty"`
}

func drawOrders(t *rapid.T) (string, []order) {
	n := rapid.IntRange(0, 60).Draw(t, "orders")
	var rows []string
	var all []order
	for i := range n {
		o := order{ID: i, N: rapid.IntRange(0, 3).Draw(t, "n")}
		o.Status = rapid.SampledFrom([]string{"", "open", "done"}).Draw(t, "status")
		o.Note = strings.Repeat("x", rapid.SampledFrom([]int{0, 10, 100, 6000}).Draw(t, "note"))
		row, err := json.Marshal(o)
		require.NoError(t, err)
		rows, all = append(rows, string(row)), append(all, o)
	}
	return "[" + strings.Join(rows, ", ") + "]", all
}

func readOnly(o Options, doc string) *View {
	v := New(o)
	fmt.Fprint(v, doc)
	v.End()
	return v
}

// A query shows the records for which every condition holds, in order, and nothing
// else; what it can't judge it counts.
func TestOnlyMatchesAreShownAndAllAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc, all := drawOrders(t)
		o := Options{Only: true, Retain: 1 << 20, Keep: []Rule{{Pointer: "/status", Op: "==", Value: "open"}, {Pointer: "/n", Op: ">=", Value: "1"}}}
		var want []order
		unjudged := int64(0)
		for _, x := range all {
			if x.Status == "open" && x.N >= 1 {
				want = append(want, x)
			} else if x.Status == "" && x.N >= 1 {
				unjudged++
			}
		}
		whole := readOnly(o, doc).Plan(view.Limit{Bytes: 1 << 20})
		var got []order
		require.NoError(t, json.Unmarshal([]byte(whole.Content), &got), whole.Content)
		require.Equal(t, len(want), len(got))
		for i := range want {
			require.Equal(t, want[i], got[i])
		}
		require.Equal(t, int64(len(want)), whole.Scan.Matched)
		require.Equal(t, int64(len(want)), whole.Scan.Returned)
		require.Equal(t, unjudged, whole.Scan.Unjudged)
		require.Equal(t, int64(len(all)), whole.Scan.Of)
		require.Empty(t, whole.Rest)
		require.Equal(t, `/status == "open" and /n >= "1"`, whole.Scan.Predicate)
	})
}

// What a small limit leaves is reached by asking on from where Rest says.
func TestOnlyGoesOnWhereTheLastMatchWasShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc, all := drawOrders(t)
		o := Options{Only: true, Retain: 5000, Unit: view.Item, Keep: []Rule{{Pointer: "/status", Op: "==", Value: "open"}}}
		limit := view.Limit{Bytes: rapid.Int64Range(MinLimit, 5000).Draw(t, "bytes")}
		var want, got []int
		for _, x := range all {
			if x.Status == "open" {
				want = append(want, x.ID)
			}
		}
		for calls := 0; ; calls++ {
			require.LessOrEqual(t, calls, len(all)+1)
			p := readOnly(o, doc).Plan(limit)
			require.Equal(t, int64(len(want)-len(got)), p.Scan.Matched)
			var page []order
			require.NoError(t, json.Unmarshal([]byte(p.Content), &page), p.Content)
			require.Len(t, page, int(p.Scan.Returned))
			for _, x := range page {
				got = append(got, x.ID)
			}
			next := int64(-1)
			for _, r := range p.Rest {
				switch {
				case r.Pointer != "" || r.Unit != view.Item: // the rest of a record that is shown in part
				case r.To == r.From+1 && p.Scan.Returned == 0: // a record of which nothing fits
					got = append(got, int(r.From))
					next = r.To
				default:
					next = r.From
				}
			}
			if len(got) == len(want) {
				break
			}
			require.Greater(t, next, o.From, "%+v", p)
			o.From = next
		}
		require.Equal(t, want, got)
	})
}

func TestOnlyWithoutAMatchHasNothingToAskFor(t *testing.T) {
	for _, limit := range []int64{2, 100, 1 << 20} {
		p := readOnly(Options{Only: true, Retain: 1 << 20, Unit: view.Item, Keep: []Rule{{Pointer: "/a", Op: "==", Value: "9"}}}, `[{"a":1},{"a":2}]`).Plan(view.Limit{Bytes: limit})
		require.Equal(t, "[]", p.Content)
		require.Empty(t, p.Rest)
		require.Zero(t, p.Scan.Matched)
		require.Equal(t, []view.Range{{Start: 0, End: 2}}, p.Scan.Scanned)
	}
}

func TestOnlyIsNestedInTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc, _ := drawOrders(t)
		o := Options{Only: true, Retain: 3000, Keep: []Rule{{Pointer: "/n", Op: ">", Value: "1"}}}
		v := readOnly(o, doc)
		n := rapid.Int64Range(0, 2900).Draw(t, "bytes")
		small, large := v.Plan(view.Limit{Bytes: n}), v.Plan(view.Limit{Bytes: n + rapid.Int64Range(0, 100).Draw(t, "more")})
		require.LessOrEqual(t, int64(len(small.Content)), n)
		for _, r := range small.Units {
			for i := r.Start; i < r.End; i++ {
				require.True(t, hasUnit(large.Units, i), "%v %v", small.Units, large.Units)
			}
		}
	})
}

func hasUnit(rs []view.Range, i int64) bool {
	for _, r := range rs {
		if r.Start <= i && i < r.End {
			return true
		}
	}
	return false
}

// With JSON the type of a rule's value counts, as in JSON itself.
func TestRulesMayTellTypesApart(t *testing.T) {
	const src = `[{"T":null},{"T":"null"},{"T":3},{"T":"3"},{"T":3.0},{"T":true},{"T":"true"},{},{"T":[3]}]`
	for _, c := range []struct {
		op, value         string
		matched, unjudged int64
	}{
		{"==", `null`, 1, 2}, {"==", `3`, 2, 6}, {"==", `"3"`, 1, 5}, {"==", `"\u0033"`, 1, 5}, {"==", `true`, 1, 7},
		{"!=", `null`, 6, 2}, {"!=", `3`, 1, 6}, {"!=", `false`, 2, 7},
		{">", `2`, 2, 7}, {">", `"2"`, 3, 6}, {"contains", `"u"`, 2, 6}, {"contains", `3`, 0, 9},
	} {
		v := show(t, src, Options{Retain: 1000, Keep: []Rule{{Pointer: "/T", Op: c.op, Value: c.value, JSON: true}}, Only: true}, func(int) int { return 1 << 20 })
		s := v.Plan(view.Limit{Bytes: 1000}).Scan
		require.Equal(t, []int64{c.matched, c.unjudged}, []int64{s.Matched, s.Unjudged}, "%s %s", c.op, c.value)
		require.Equal(t, "/T "+c.op+" "+c.value, s.Predicate)
	}
	for _, bad := range []string{"", "x", " 3", "[3]", "{}", "'3'", "3 4"} {
		require.Error(t, Rule{Op: "==", Value: bad, JSON: true}.check(), "%q", bad)
	}
}
