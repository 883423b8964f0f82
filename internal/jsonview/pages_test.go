package jsonview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/view"
)

// Pages by bytes that meet anywhere, be it inside a rune or an escape, share
// nothing and lose nothing.
func TestPagesByBytesMeetAnywhere(t *testing.T) {
	pruneOften = false
	body := `a你好\ud83d\ude00\\\"é\u00e9\ud83d👩‍👩‍👧‍👦z\\\\u0041`
	for _, src := range []string{`"` + body + `"`, `["` + body + `",12345]`} {
		size := int64(len(src))
		from := int64(0)
		if src[0] == '"' {
			size, from = size-2, 1
		}
		for cut := int64(1); cut < size; cut++ {
			c := make(cover, len(src))
			for _, w := range [][2]int64{{0, cut}, {cut, 0}} {
				for _, retain := range []int64{40, 400} { // a small view shows a part of the same window
					o := Options{Retain: retain, Unit: view.Byte, From: w[0], To: w[1]}
					if w[0] == 0 && w[1] == 0 {
						continue
					}
					p := show(t, src, o, func(i int) int { return i%3 + 1 }).Plan(view.Limit{Bytes: retain})
					if retain == 400 {
						c.add(p.Bytes)
						require.Empty(t, p.Rest)
					}
				}
			}
			for i := from; i < from+size; i++ {
				require.Equal(t, 1, c[i], "byte %d with a cut at %d of %s", i, cut, src)
			}
		}
	}
}

// Each Rest says where its items are.
func checkRest(t require.TestingT, src string, p view.Plan) {
	for _, r := range p.Rest {
		at := tree(src).find(r.Pointer)
		require.NotNil(t, at)
		require.Less(t, r.Bytes.Start, r.Bytes.End)
		if r.Unit == view.Item && !hasTwins(tree(src)) {
			require.LessOrEqual(t, r.Bytes.Start, int64(at.kids[r.From].start), "%+v %s", r, src)
			require.GreaterOrEqual(t, r.Bytes.End, int64(at.kids[r.To-1].end), "%+v %s", r, src)
			if r.From > 0 {
				require.GreaterOrEqual(t, r.Bytes.Start, int64(at.kids[r.From-1].end), "%+v %s", r, src)
			}
			if r.To < int64(len(at.kids)) {
				require.LessOrEqual(t, r.Bytes.End, int64(at.kids[r.To].start), "%+v %s", r, src)
			}
		}
	}
}

// Elements that are out of reach are judged and counted like those that are shown.
func TestKeepRulesJudgeWhatIsNotShown(t *testing.T) {
	pruneOften = false
	elem := `{"deep":{"x":[{"y":1,"z":[2,{"y":3}]},4]},"k":[5,{"y":6}]},`
	src := `{"list":[` + strings.Repeat(elem, 500) + `{"deep":{"x":[{"y":2}]}},7]}`
	for _, c := range []struct {
		rule              Rule
		matched, unjudged int64
	}{
		{Rule{Pointer: "/deep/x/0/y", Op: "==", Value: "1"}, 500, 1}, {Rule{Pointer: "/deep/x/0/y", Op: "==", Value: "2"}, 1, 1}, {Rule{Pointer: "/deep/x/0/z/1/y", Op: ">", Value: "2"}, 500, 2}, {Rule{Pointer: "/k/1/y", Op: "exists", Value: ""}, 500, 0},
	} {
		for _, only := range []bool{false, true} {
			for _, size := range []int{7, 1 << 20} {
				s := show(t, src, Options{Retain: 200, Keep: []Rule{c.rule}, Only: only}, func(int) int { return size }).Plan(view.Limit{Bytes: 200}).Scan
				require.EqualValues(t, 502, s.Of, "%+v", c)
				require.Equal(t, c.matched, s.Matched, "%+v", c)
				require.Equal(t, c.unjudged, s.Unjudged, "%+v", c)
			}
		}
	}
}

// A small element is whole however deep it goes, and pages lead to where a large
// one was not looked into.
func TestDeepElements(t *testing.T) {
	small := strings.Repeat("[", 300) + "1" + strings.Repeat("]", 300)
	src := fmt.Sprintf(`[%s,{"filler":"%s"},{"filler":"%s"}]`, small, strings.Repeat("x", 5000), strings.Repeat("x", 50000))
	for _, o := range []Options{{}, {Keep: []Rule{{Pointer: "/nothing", Op: "exists", Value: ""}}}} {
		p := planOf(t, src, 1000, o)
		require.Contains(t, p.Content, small)
	}
	readAll(t, strings.Repeat(`{"a":`, 700)+`"`+strings.Repeat("lorem ipsum ", 200)+`"`+strings.Repeat("}", 700), Options{}, 4000)
	readAll(t, strings.Repeat(`[`, 700)+`"`+strings.Repeat("lorem ipsum ", 500)+`"`+strings.Repeat("]", 700), Options{}, 2000)
}
