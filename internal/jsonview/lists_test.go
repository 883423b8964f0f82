package jsonview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// lists are the arrays of a tree.
func (v *value) lists() (out []*value) {
	if v.kind == '[' {
		out = append(out, v)
	}
	for _, k := range v.kids {
		out = append(out, k.lists()...)
	}
	return out
}

// twin says that v's pointer does not lead to it, because an earlier member has the
// name of it or of what it is in.
func (v *value) twin() bool {
	for ; v.parent != nil; v = v.parent {
		for _, k := range v.parent.kids {
			if k == v {
				break
			}
			if k.nameAt >= 0 && k.name == v.name {
				return true
			}
		}
	}
	return false
}

// jumping is show with a jump wherever Ahead allows one to an element of list for
// which known holds.
func jumping(t require.TestingT, src string, list *value, o Options, size int, known func(i int) bool) (v *View, jumps int) {
	v = New(o)
	if pruneOften {
		v.slack, v.loud, v.nodeRoom, v.byteRoom = 16, 5, 1, 1
	}
	for i := 0; i < len(src); {
		j := min(len(src), i+size)
		_, _ = v.Write([]byte(src[i:j]))
		i = j
		item, ok := v.Ahead(list.pointer)
		if !ok {
			continue
		}
		for k := min(item, int64(len(list.kids)-1)); k >= 0 && list.kids[k].start > i; k-- {
			if known(int(k)) {
				i = list.kids[k].start
				v.Jump(list.pointer, k, int64(i))
				jumps++
				break
			}
		}
	}
	v.End()
	require.NoError(t, v.Err(), "%s", src)
	return v, jumps
}

// A page of items is the same, to the byte and to the number, whether all was read or
// what does not matter was jumped over.
func TestJumpsChangeNoPlan(t *testing.T) {
	jumped := 0
	rapid.Check(t, func(t *rapid.T) {
		src := drawList(t)
		if rapid.Bool().Draw(t, "any document") {
			src = drawJSON(t, 3)
		}
		o := drawOptions(t)
		defer func() { pruneOften = false }()
		for _, list := range tree(src).lists() {
			if list.twin() {
				continue
			}
			o.Pointer, o.Unit = list.pointer, view.Item
			n := len(list.kids)
			for range 3 {
				o.From = int64(rapid.IntRange(0, n+2).Draw(t, "from"))
				o.To = int64(rapid.IntRange(0, n+2).Draw(t, "to"))
				l := drawLimit(t, 2000)
				o.Retain = l.Bytes
				want := show(t, src, o, all)
				every := rapid.IntRange(1, 4).Draw(t, "every")
				got, jumps := jumping(t, src, list, o, rapid.IntRange(1, 60).Draw(t, "piece"), func(i int) bool { return i%every == 0 })
				require.Equal(t, want.Plan(l), got.Plan(l), "%+v of %s", o, src)
				require.Equal(t, want.Values(), got.Values())
				jumped += jumps
			}
		}
	})
	require.Positive(t, jumped)
}

// all lists what v is and has in it.
func (v *value) all() []*value {
	out := []*value{v}
	for _, k := range v.kids {
		out = append(out, k.all()...)
	}
	return out
}

// The same holds for a page of what lies in an item, in any unit.
func TestJumpsToWhatIsInAnItemChangeNoPlan(t *testing.T) {
	jumped := 0
	rapid.Check(t, func(t *rapid.T) {
		src := drawList(t)
		if rapid.Bool().Draw(t, "any document") {
			src = drawJSON(t, 4)
		}
		o := drawOptions(t)
		defer func() { pruneOften = false }()
		for _, list := range tree(src).lists() {
			if list.inArray() {
				continue
			}
			for _, in := range list.all()[1:] {
				if in.twin() || rapid.IntRange(0, 3).Draw(t, "skip") > 0 {
					continue
				}
				o.Pointer, o.Unit = in.pointer, rapid.SampledFrom([]view.Unit{view.Item, view.Byte}).Draw(t, "unit")
				o.From = int64(rapid.IntRange(0, 30).Draw(t, "from"))
				o.To = int64(rapid.IntRange(0, 300).Draw(t, "to"))
				l := drawLimit(t, 1000)
				o.Retain = l.Bytes
				want := show(t, src, o, all)
				got, jumps := jumping(t, src, list, o, rapid.IntRange(1, 60).Draw(t, "piece"), func(int) bool { return true })
				require.Equal(t, want.Plan(l), got.Plan(l), "%+v of %s", o, src)
				jumped += jumps
			}
		}
	})
	require.Positive(t, jumped)
}

func (v *value) inArray() bool {
	for p := v.parent; p != nil; p = p.parent {
		if p.kind == '[' {
			return true
		}
	}
	return false
}

// blocksOf are the first elements in each 64 KiB.
func blocksOf(list *value) (out []jsonscan.Start) {
	block := -1
	for i, k := range list.kids {
		if b := k.start >> 16; b > block {
			block = b
			out = append(out, jsonscan.Start{Item: int64(i), Offset: int64(k.start)})
		}
	}
	return out
}

// What is noted of the longest list is what the source has, whatever is shown of it.
func TestItemsAreThoseOfTheSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pad := func(most int) string {
			return strings.Repeat("x", rapid.IntRange(0, most).Draw(t, "pad"))
		}
		elements := func(name string) string {
			var b strings.Builder
			for i := range rapid.IntRange(0, 60).Draw(t, name) {
				if i > 0 {
					b.WriteString(" ,\n")
				}
				switch i % 4 {
				case 0:
					fmt.Fprintf(&b, `{"id":%d,"tags":[1,2,["%s"]]}`, i, pad(20_000))
				case 1:
					b.WriteString(strings.Repeat("7,", 200) + "7")
				case 2:
					fmt.Fprintf(&b, `["%s",[[]],{}]`, pad(9000))
				case 3:
					fmt.Fprintf(&b, `"%s"`, pad(9000))
				}
			}
			return "[ " + b.String() + "]"
		}
		src := rapid.SampledFrom([]func() string{
			func() string { return elements("root") },
			func() string { return `{"a":{"b~/":` + elements("b") + `},"c":` + elements("c") + `,"d":[3]}` },
			func() string { return `{"text":"` + pad(90_000) + `","rows":` + elements("rows") + "}" },
		}).Draw(t, "document")()
		o := drawOptions(t)
		pruneOften = false
		o.Retain = 4000
		v := show(t, src, o, func(int) int { return 1000 })
		pointer, items, starts, ok := v.Items()
		if !ok {
			for _, list := range tree(src).lists() {
				require.True(t, list.parent != nil || len(blocksOf(list)) < 2, "the root is always seen")
			}
			return
		}
		list := tree(src).at(pointer)
		require.Equal(t, int64(len(list.kids)), items)
		require.Equal(t, blocksOf(list), starts)
	})
}

// at is the value at a pointer.
func (v *value) at(pointer string) *value {
	if v.pointer == pointer {
		return v
	}
	for _, k := range v.kids {
		if found := k.at(pointer); found != nil {
			return found
		}
	}
	return nil
}

// A second member of a name is none that its pointer leads to.
func TestItemsOfATwinAreNotToldUnderItsName(t *testing.T) {
	long := "[" + strings.Repeat(`"some text",`, 20_000) + "1]"
	for src, want := range map[string]string{
		`{"a":` + long + `}`:                     "/a",
		`{"a":[1],"a":` + long + `}`:             "",
		`{"x":{"y":{"z":` + long + `}},"a":[1]}`: "/x/y/z",
		`[[1],` + long + `,[2]]`:                 "",
	} {
		v := show(t, src, Options{Retain: 1000}, all)
		pointer, items, _, ok := v.Items()
		require.Equal(t, want, pointer)
		switch {
		case src[0] == '[':
			require.True(t, ok)
			require.Equal(t, int64(3), items)
		case want == "":
			require.False(t, ok)
		default:
			require.Equal(t, int64(20_001), items)
		}
	}
}
