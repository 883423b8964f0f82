package jsonview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

// What small and large views find with keep rules is the same: the records that are
// not shown are judged by all rules too.
func TestRulesFindTheSameInAnyLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc, _ := drawOrders(t)
		for _, only := range []bool{false, true} {
			o := Options{Only: only, Keep: []Rule{{Pointer: "/status", Op: "==", Value: "open"}, {Pointer: "/n", Op: ">=", Value: "1"}}}
			o.Retain = 1 << 20
			want := readOnly(o, doc).Plan(view.Limit{Bytes: 1 << 20}).Scan
			o.Retain = int64(rapid.IntRange(2, 200).Draw(t, "limit"))
			got := readOnly(o, doc).Plan(view.Limit{Bytes: o.Retain}).Scan
			require.Equal(t, []int64{want.Of, want.Matched, want.Unjudged}, []int64{got.Of, got.Matched, got.Unjudged})
		}
	})
}

// When nothing of a match can be shown, the first is named.
func TestOnlyNamesTheFirstMatchThatDoesNotFit(t *testing.T) {
	src := `[{"s":"no"},{"s":"yes"},{"s":"no"},{"s":"yes"},{"s":"yes"}]`
	o := Options{Only: true, Keep: []Rule{{Pointer: "/s", Op: "==", Value: "yes"}}, Retain: 5}
	p := show(t, src, o, all).Plan(view.Limit{Bytes: 5})
	require.Equal(t, "[]", p.Content)
	require.EqualValues(t, 3, p.Scan.Matched)
	require.Equal(t, []view.Rest{{Unit: view.Item, From: 1, To: 2}, {Unit: view.Item, From: 2, To: 5}}, p.Rest)
}

// A fragment of an element may have as many lines as are left.
func TestFragmentsUseAllLines(t *testing.T) {
	for _, src := range []string{"[[\n1,\n2,\n3,\n4,\n5,\n6]]", "[\n[\n1,\n2,\n3,\n4,\n5,\n6]]"} {
		src = strings.ReplaceAll(src, "1", strings.Repeat("1", 70))
		for n := int64(2); n <= 6; n++ {
			p := show(t, src, Options{Retain: 1000}, all).Plan(view.Limit{Bytes: 1000, Unit: view.Line, N: n})
			require.EqualValues(t, n, strings.Count(p.Content, "\n")+1, "%d lines: %s", n, p.Content)
		}
	}
}

// An element of MaxRecord bytes is whole or left out; one byte more, and it is shown
// in part.
func TestMaxRecordIsTheLargestWholeElement(t *testing.T) {
	for _, size := range []int{99, 100, 101} {
		for _, elem := range []string{`"` + strings.Repeat("x", size-2) + `"`, `{"a":"` + strings.Repeat("x", size-8) + `"}`} {
			require.Len(t, elem, size)
			p := planOf(t, `[1,`+elem+`,2]`, 95, Options{MaxRecord: 100})
			require.Equal(t, size > 100, strings.Contains(p.Content, "xx"), "%d: %s", size, p.Content)
		}
	}
}

// White space of up to maxGap bytes is shown, at any place, and never lost.
func TestWhiteSpaceAtTheLimit(t *testing.T) {
	long := strings.Repeat("n", MaxName+1)
	for n := maxGap - 3; n <= maxGap+3; n++ {
		s := strings.Repeat(" ", n)
		for _, src := range []string{
			`{"a":1,` + s + `"b":2}`, `{"a":1` + s + `,"b":2` + s + `}`, `[1,` + s + `2` + s + `]`, `{` + s + `"a"` + s + `:` + s + `1}`,
			`{"` + long + `":[[1]],` + s + `"b":2,"c":[3]}`, `{"` + long + `":[[1]]` + s + `,"b":2,"c":[3]}`,
		} {
			for _, limit := range []int64{200, 300, 500, 2000} {
				p := planOf(t, src+strings.Repeat(" ", 2000), limit, Options{})
				require.NotEmpty(t, p.Content)
			}
		}
	}
}

// Of more than 64 required names it is not known which came before; then no pointer
// is named that may lead elsewhere.
func TestManyRequiredNamesTwice(t *testing.T) {
	var names []string
	for i := range 80 {
		names = append(names, fmt.Sprintf("n%d", i))
	}
	list := "[" + strings.Repeat("1,", 500) + "1]"
	for _, i := range []int{3, 63, 64, 79} {
		src := fmt.Sprintf(`{"%s":%s,"x":0,"%[1]s":%[2]s}`, names[i], list)
		o := Options{Required: names, Retain: 300}
		p := show(t, src, o, all).Plan(view.Limit{Bytes: 300})
		checkRest(t, src, p)
		twice := 0
		for _, r := range p.Rest {
			if r.Pointer == "/"+names[i] && r.Bytes.Start > int64(len(list)+10) {
				twice++
			}
		}
		require.Zero(t, twice, "the pointer leads to the first")
	}
}

// White space that is left out of a complete view is counted by places, also before
// and behind the value; a view without any is exact, a query's too.
func TestWhiteSpaceIsCountedWhereItIsLeftOut(t *testing.T) {
	wide := strings.Repeat(" ", 300)
	rule := []Rule{{Pointer: "/id", Op: "==", Value: "1"}}
	for _, c := range []struct {
		src    string
		o      Options
		limit  int64
		places int64
	}{
		{`[{"id":1}, {"id":1} ]`, Options{Only: true, Keep: rule}, 1000, 0},
		{`{"l":[{"id":1}]}`, Options{Only: true, Keep: rule}, 1000, 0},
		{`[]`, Options{Only: true, Keep: rule}, 1000, 0},
		{` [{"id":1}]`, Options{Only: true, Keep: rule}, 1000, 1},
		{` [{"id":1}] `, Options{Only: true, Keep: rule}, 1000, 2},
		{`[1,` + wide + `2]`, Options{}, 100, 1},
		{wide + `[1,` + wide + `2` + wide + `]` + wide, Options{}, 100, 4},
	} {
		c.o.Retain = 1000
		p := show(t, c.src, c.o, all).Plan(view.Limit{Bytes: c.limit})
		checkPlan(t, c.src, p, view.Limit{Bytes: c.limit}, c.o)
		require.True(t, p.Complete, "%s", c.src)
		require.Equal(t, c.places == 0, p.Exact, "%s", c.src)
		var want []view.Transform
		if c.places > 0 {
			want = []view.Transform{{Name: "white_space", Count: c.places}}
		}
		require.Equal(t, want, p.Transforms, "%s", c.src)
	}
}
