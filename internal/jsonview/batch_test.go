package jsonview

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/view"
)

// A list of small elements fills the limit to the last element that fits, whichever
// of its ends is shown, and all that is said of it is true.
func TestSmallElementsFillTheLimit(t *testing.T) {
	for _, c := range []struct {
		element func(i int) string
		size    int64 // of the largest, with its comma
	}{
		{func(i int) string { return fmt.Sprint(i % 10) }, 2},
		{func(i int) string { return fmt.Sprintf("%d.25", i) }, 8},
		{func(int) string { return "{}" }, 3},
		{func(i int) string { return strings.Repeat("7", 1+i*i%11) }, 12},
		{func(i int) string { return fmt.Sprintf(`["],",%d]`, i%10) }, 9},
		{func(i int) string { return fmt.Sprintf("\n  \"\\\"%d,\"", i%10) }, 9},
	} {
		var list []string
		for i := range 2000 {
			list = append(list, c.element(i))
		}
		src := "[" + strings.Join(list, ",") + "]"
		for _, ends := range []Ends{Head, Tail, HeadAndTail} {
			for n := int64(150); n < 1500; n += 7 {
				o := Options{Retain: n, Ends: ends}
				l := view.Limit{Bytes: n}
				p := show(t, src, o, all).Plan(l)
				checkPlan(t, src, p, l, o)
				require.Greater(t, int64(len(p.Content)), n-2*c.size-1, "%s", p.Content)
				var got []any
				require.NoError(t, json.Unmarshal([]byte(p.Content), &got))
			}
		}
	}
}

// What a keep rule holds for is shown alone where only that is wanted, also of small
// elements that stand among others.
func TestSmallElementsAreJudgedOneByOne(t *testing.T) {
	src := "[" + strings.Repeat("1,2,2,1,1,", 300) + "2]"
	o := Options{Retain: 200, Keep: []Rule{{Op: "==", Value: "2", JSON: true}}, Only: true}
	p := show(t, src, o, all).Plan(view.Limit{Bytes: 200})
	require.Equal(t, "["+strings.Repeat("2,", len(p.Content)/2-1)+"2]", p.Content)
	require.EqualValues(t, 601, p.Scan.Matched)
	require.EqualValues(t, len(p.Content)/2, p.Scan.Returned)
	require.Greater(t, len(p.Content), 195)
}

// Which small elements go together is a property of the document, not of what was
// forgotten when they came.
func TestSmallElementsGoTogetherWhateverWasForgotten(t *testing.T) {
	defer func() { pruneOften = false }()
	for long := 64; long < 200; long += 3 {
		src := `{"list":["` + strings.Repeat("x", long) + `",1,[` + strings.Repeat("1,", 53) + `1]],"other":[1]}`
		for n := int64(40); n < 400; n++ {
			o, l := Options{Retain: n, MaxRecord: MaxShort + 2}, view.Limit{Bytes: n}
			pruneOften = false
			want := show(t, src, o, all).Plan(l)
			pruneOften = true
			require.Equal(t, want, show(t, src, o, all).Plan(l), "%+v", o)
		}
	}
}
