package jsonview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

func outlineOf(t require.TestingT, src string, retain int64, size func(int) int) *Outline {
	o := NewOutline(retain)
	for i := 0; i < len(src); {
		j := min(len(src), i+max(1, size(i)))
		_, err := o.Write([]byte(src[i:j]))
		require.NoError(t, err)
		i = j
	}
	o.End()
	require.NoError(t, o.Err())
	return o
}

func TestOutlineTellsTheShape(t *testing.T) {
	src := `{"items":[{"id":1,"name":"abc"},{"id":2,"name":null}],"total":2,"a b":{"*":[[],[1,2]]}}`
	require.Equal(t, strings.TrimPrefix(`
(root) object, 3 members, bytes 0-87
/items array, 2 items, bytes 9-53
/items/* object ×2, 2 members, bytes 10-52
/items/*/id number ×2, bytes 16-39
/items/*/name string ×1, null ×1, 3 bytes, bytes 25-51
/total number, bytes 62-63
"/a b" object, 1 member, bytes 70-86
"/a b/~*" array, 2 items, bytes 75-85
"/a b/~*/*" array ×2, 0-2 items, bytes 76-84
"/a b/~*/*/*" number ×2, bytes 80-83
`, "\n"), outlineOf(t, src, 1000, all).Plan(view.Limit{Bytes: 1000}).Content)
}

// The lines agree with a tree read the plain way, whatever the split; a larger
// limit has all lines of a smaller one.
func TestOutlineAgreesWithTheSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawJSON(t, 3)
		want := map[string]int{}
		tree(src).each(func(v *value) {
			at := ""
			for k := v; k.parent != nil; k = k.parent {
				token := "*"
				if k.parent.kind == '{' {
					token = k.name
				}
				at = "/" + token + at
			}
			want[at]++
		})
		o := outlineOf(t, src, 1<<20, all)
		var lines []string
		for b := int64(0); b <= 1<<20; b = b*2 + 9 {
			p := o.Plan(view.Limit{Bytes: b})
			require.LessOrEqual(t, int64(len(p.Content)), b)
			now := strings.SplitAfter(p.Content, "\n")
			require.Subset(t, now, lines)
			require.EqualValues(t, len(now)-1, view.Range{End: int64(len(now) - 1)}.Len())
			lines = now[:len(now)-1]
			require.Equal(t, outlineOf(t, src, b, func(i int) int { return i % 5 }).Plan(view.Limit{Bytes: b}).Content, p.Content)
		}
		for _, p := range o.paths {
			n := int64(0)
			for _, k := range p.kinds {
				n += k
			}
			require.Positive(t, n)
		}
		if o.gone > 0 { // a name too long to be a path
			return
		}
		require.LessOrEqual(t, len(want), len(lines)) // escapes may write one name in two ways
	})
}

// drawRecords is a list of records whose members come and go; some are wide, so that
// shallow paths turn up when deep ones have taken all the room.
func drawRecords(t *rapid.T) string {
	wide := func(name string) string {
		var list []string
		for i := range rapid.IntRange(0, 40).Draw(t, "wide") {
			list = append(list, fmt.Sprintf(`"%s%d":%d`, name, i, i))
		}
		return "{" + strings.Join(list, ",") + "}"
	}
	var list []string
	for range rapid.IntRange(1, 8).Draw(t, "records") {
		var members []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(strings.Split("abcdefgh", "")), 0, 8, rapid.ID).Draw(t, "names") {
			v := "1"
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 0:
				v = wide(name)
			case 1:
				v = `[` + wide(name) + `,2,"text"]`
			case 2:
				v = `[1,null]`
			case 3:
				v = `{"x":{"y":` + wide("z") + `}}`
			case 4:
				v = `[[1,2],[]]`
			case 5:
				v = `{}`
			}
			members = append(members, `"`+name+`":`+v)
		}
		list = append(list, "{"+strings.Join(members, ",")+"}")
	}
	return "[" + strings.Join(list, ",") + "]"
}

// An outline that had to forget paths shows what one that forgot none shows in the
// same limit: each count, length and range of bytes is of all values.
func TestOutlineForgetsOnlyWhatDoesNotFit(t *testing.T) {
	forgot := 0
	rapid.Check(t, func(t *rapid.T) {
		src := drawRecords(t)
		roomy := outlineOf(t, src, 1<<20, all)
		for b := int64(0); b <= 1000; b += 97 {
			l := view.Limit{Bytes: b}
			o := outlineOf(t, src, b, func(i int) int { return i % 7 })
			require.Equal(t, roomy.Plan(l).Content, o.Plan(l).Content, "%s", src)
			if o.gone > 0 {
				forgot++
			}
		}
	})
	require.Greater(t, forgot, 100)
}

// An object whose members were many, and then few because deep paths had to go, is
// still known by its members.
func TestOutlineKnowsAMemberAgainAfterForgettingOthers(t *testing.T) {
	members := func(name string, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"%s%d":%d`, name, i, i))
		}
		return strings.Join(list, ",")
	}
	src := `[{"a":[1],"h":{"h0":0}},{"b":{` + members("b", 24) + `},"h":{` + members("h", 17) + `}},{` + members("c", 8) + `},{"h":{"h0":0}}]`
	whole := outlineOf(t, src, 1<<20, all)
	for b := int64(560); b <= 610; b += 10 {
		l := view.Limit{Bytes: b}
		o := outlineOf(t, src, b, all)
		require.Equal(t, whole.Plan(l).Content, o.Plan(l).Content)
		require.Contains(t, o.Plan(l).Content, "/*/h/h0 number ×3,")
		require.Positive(t, o.gone)
	}
}

func TestLaw14OutlineIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"deep":` + strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000))
	for i := range 50000 {
		b.WriteString(`,"` + strings.Repeat("k", i%50) + string(rune('0'+i%10)) + `x` + strings.Repeat("y", i%37) + `":[` + strings.Repeat("1,", i%3) + "1]")
	}
	b.WriteString("}")
	o := outlineOf(t, b.String(), 1000, all)
	require.LessOrEqual(t, len(o.paths), 1000/16+16)
	p := o.Plan(view.Limit{Bytes: 1000})
	require.False(t, p.Complete)
	require.EqualValues(t, -1, p.UnitTotal)
	require.Contains(t, p.Content, "(root) object, 50001 members")
}

// A name is one path however it is escaped, among few members and among many.
func TestAnOutlineTakesANameForWhatItMeans(t *testing.T) {
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprintf(`"m%d":0`, i)
	}
	for _, more := range []string{`"m0":0`, strings.Join(many, ",")} {
		src := `[{"\u0061":"x",` + more + `,"a":1},{"a":null},{"\u0061":2,"\u0061/b":3,"a\/b":4}]`
		o := NewOutline(1 << 20)
		fmt.Fprint(o, src)
		o.End()
		require.NoError(t, o.Err())
		content := o.Plan(view.Limit{Bytes: 1 << 20}).Content
		require.Contains(t, content, "\n/*/a string ×1, number ×2, null ×1, 1 byte, bytes ")
		require.Contains(t, content, "\n/*/a~1b number ×2, bytes ")
		require.Equal(t, 1, strings.Count(content, "\n/*/a "), "%s", content)
	}
	o := NewOutline(1 << 20)
	long := strings.Repeat(`\u0061`, 300) // as it is written, too long to be held
	fmt.Fprintf(o, `{"%s":1,"%s":2}`, strings.Repeat("a", 300), long)
	o.End()
	p := o.Plan(view.Limit{Bytes: 1 << 20})
	require.False(t, p.Complete)
	require.Contains(t, p.Content, "/"+strings.Repeat("a", 300)+" number, bytes 304-305\n")
}
