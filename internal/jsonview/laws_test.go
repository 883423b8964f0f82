package jsonview

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

// words of which generated strings are made: what has broken other tools.
var words = []string{
	"a", "id", "the quick brown fox ", "你好世界", "é", "e\u0301", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷🇯🇵", "क्षि", `\n`, `\"`, `\\`, `\/`, `\u00e9`, `\u0301`,
	`\ud83d\ude00`, `\ud83d\udc69\u200d\ud83d\udc67`, `\ud83d`, `\ude00`, `\ud83d\ud83d\ude00`, "~", "/", ".", "[", strings.Repeat("\u0301", 70), strings.Repeat("x", 64), "0123456789",
}

func bodies(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(0, most).Draw(t, "words")
		var b strings.Builder
		for range n {
			b.WriteString(rapid.SampledFrom(words).Draw(t, "word"))
		}
		return b.String()
	})
}

func spaces() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"", "", "", "", " ", "\n  ", "\t\r\n", strings.Repeat(" ", 130)})
}

func drawBlob(t *rapid.T) string {
	n := rapid.IntRange(0, 600).Draw(t, "blob")
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*i*7 + i*131 + n)
	}
	return rapid.SampledFrom([]string{"data:image/png;base64,", "data:;base64,", ""}).Draw(t, "header") + base64.StdEncoding.EncodeToString(b)
}

// drawJSON draws a document; depth bounds its nesting.
func drawJSON(t *rapid.T, depth int) string {
	var b strings.Builder
	writeJSON(t, &b, depth, rapid.IntRange(0, 6).Draw(t, "root"))
	return spaces().Draw(t, "before") + b.String() + spaces().Draw(t, "after")
}

func writeJSON(t *rapid.T, b *strings.Builder, depth, kind int) {
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		b.WriteString(rapid.SampledFrom([]string{"0", "-1.5e+10", "9007199254740993", "1E400", "true", "false", "null", "12345678901234567890123456789012345678901234567890", strings.Repeat("7", 1500)}).Draw(t, "scalar"))
	case 1:
		fmt.Fprintf(b, `"%s"`, bodies(4).Draw(t, "short"))
	case 2:
		if rapid.IntRange(0, 5).Draw(t, "isBlob") == 0 {
			fmt.Fprintf(b, `"%s"`, drawBlob(t))
			return
		}
		fmt.Fprintf(b, `"%s"`, bodies(40).Draw(t, "long"))
	case 3, 5:
		b.WriteByte('{')
		writeKids(t, b, depth, func(i int) {
			name := fmt.Sprintf("k%d", i)
			switch rapid.IntRange(0, 9).Draw(t, "name") {
			case 0:
				name = bodies(3).Draw(t, "name")
			case 1:
				name = "twin"
			case 2:
				if rapid.IntRange(0, 9).Draw(t, "longName") == 0 {
					name = strings.Repeat("n", 1100)
				}
			}
			fmt.Fprintf(b, `"%s"%s:%s`, name, spaces().Draw(t, "s"), spaces().Draw(t, "s"))
		})
		b.WriteByte('}')
	default:
		b.WriteByte('[')
		writeKids(t, b, depth, func(int) {})
		b.WriteByte(']')
	}
}

func writeKids(t *rapid.T, b *strings.Builder, depth int, name func(i int)) {
	n := rapid.SampledFrom([]int{0, 1, 2, 3, 5, 9}).Draw(t, "kids")
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	mixed := rapid.Bool().Draw(t, "mixed")
	for i := range n {
		if i > 0 {
			b.WriteString(spaces().Draw(t, "s") + ",")
		}
		b.WriteString(spaces().Draw(t, "s"))
		name(i)
		if mixed {
			kind = rapid.IntRange(0, 6).Draw(t, "kind")
		}
		writeJSON(t, b, depth-1, kind)
	}
	b.WriteString(spaces().Draw(t, "s"))
}

func drawOptions(t *rapid.T) Options {
	o := Options{
		MaxRecord: rapid.SampledFrom([]int64{0, 66, 150, 700}).Draw(t, "maxRecord"),
		Ends:      rapid.SampledFrom([]Ends{DefaultEnds, Head, Tail, HeadAndTail}).Draw(t, "ends"),
		TailShare: rapid.SampledFrom([]float64{0, 0.1, 0.5, 0.9}).Draw(t, "share"),
	}
	pruneOften = rapid.Bool().Draw(t, "pruneOften")
	if rapid.IntRange(0, 3).Draw(t, "required") == 0 {
		o.Required = []string{"k2", "twin", "k7"}
	}
	if rapid.IntRange(0, 3).Draw(t, "rules") == 0 {
		o.Keep = []Rule{{Pointer: "/k1", Op: "!=", Value: "null"}, {Pointer: "", Op: "contains", Value: "fox"}, {Pointer: "/0", Op: "exists", Value: ""}}
	}
	return o
}

func drawLimit(t *rapid.T, size int) view.Limit {
	l := view.Limit{Bytes: int64(rapid.IntRange(0, size+10).Draw(t, "bytes"))}
	l.Unit = rapid.SampledFrom([]view.Unit{view.Byte, view.Byte, view.Byte, view.Rune, view.Grapheme, view.Line}).Draw(t, "unit")
	if l.Unit != view.Byte {
		l.N = int64(rapid.IntRange(0, size+10).Draw(t, "n"))
	}
	return l
}

// TestLaw01To06 proves each plan against the source: within the limit, whole runes
// and clusters, valid and of the same root, verbatim, counted right, complete only
// if it is; whatever the limit and its unit.
func TestLaw01To06PlanAgreesWithTheSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawJSON(t, 3)
		o := drawOptions(t)
		for range 6 {
			l := drawLimit(t, len(src))
			o.Retain = l.Bytes
			checkPlan(t, src, show(t, src, o, all).Plan(l), l, o)
		}
	})
}

// TestLaw09Chunking: any split gives the same plan.
func TestLaw09Chunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawJSON(t, 3)
		o := drawOptions(t)
		l := drawLimit(t, len(src))
		o.Retain = l.Bytes + int64(rapid.IntRange(0, 100).Draw(t, "more"))
		pruneOften = false
		want := show(t, src, o, all).Plan(l)
		seed := rapid.IntRange(1, 97).Draw(t, "seed")
		require.Equal(t, want, show(t, src, o, func(int) int { return 1 }).Plan(l))
		pruneOften = true
		defer func() { pruneOften = false }()
		require.Equal(t, want, show(t, src, o, all).Plan(l), "%+v %+v %s", o, l, src)
		require.Equal(t, want, show(t, src, o, func(i int) int { return i*seed%41 + seed%7 }).Plan(l))
	})
}

// TestLaw10Nested: every range shown at a limit is shown at any larger one,
// whatever each view retains.
func TestLaw10Nested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawJSON(t, 3)
		o := drawOptions(t)
		from := rapid.IntRange(0, len(src)).Draw(t, "from")
		unit := rapid.SampledFrom([]view.Unit{view.Byte, view.Rune, view.Grapheme, view.Line}).Draw(t, "unit")
		var before cover
		for b := from; b < from+12; b++ {
			l := view.Limit{Bytes: int64(b)}
			if unit != view.Byte {
				l = view.Limit{Bytes: int64(from + 6), Unit: unit, N: int64(b)}
			}
			o.Retain = l.Bytes
			c := checkPlan(t, src, show(t, src, o, all).Plan(l), l, o)
			for i := range before {
				if before[i] > c[i] {
					require.Fail(t, "not nested", "byte %d shown at %d is not at %d: %s", i, b-1, b, src)
				}
			}
			before = c
		}
	})
}

// TestLaw07TheRestIsReachable follows Rest until nothing is left: every name,
// scalar and byte of a string is shown exactly once.
func TestLaw07TheRestIsReachable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawJSON(t, 3)
		o := drawOptions(t)
		readAll(t, src, o, int64(rapid.IntRange(MinLimit, 900).Draw(t, "limit")))
	})
}

func readAll(t require.TestingT, src string, o Options, limit int64) (pages int) {
	l := view.Limit{Bytes: limit}
	o.Retain = limit
	c := make(cover, len(src))
	todo := []Options{o}
	named := map[string]bool{}
	for len(todo) > 0 {
		o := todo[0]
		todo = todo[1:]
		pages++
		require.Less(t, pages, 10*len(src)+10, "it ends")
		p := show(t, src, o, all).Plan(l)
		page := checkPlan(t, src, p, l, o)
		checkRest(t, src, p)
		for i := range page {
			c[i] += page[i]
		}
		for _, r := range p.Rest {
			named[r.Pointer] = true
			next := o
			next.Pointer, next.Unit, next.From, next.To = r.Pointer, r.Unit, r.From, r.To
			require.Greater(t, r.To, r.From, "%+v of %+v in %s", r, o, src)
			if len(p.Bytes) == 0 {
				require.False(t, next.Pointer == o.Pointer && next.Unit == o.Unit && next.From == o.From && next.To == o.To && pages > 1, "progress: %+v", next)
			}
			todo = append(todo, next)
		}
	}
	tree(src).each(func(k *value) {
		if k.nameAt >= 0 {
			for i := k.nameAt; i < stringEnd(src, k.nameAt); i++ {
				if c[i] == 0 && named[k.pointer] {
					continue // its value was shown by itself, and the call for it names it
				}
				once(t, c, i, src)
			}
		}
		from, to := k.start, k.end
		switch k.kind {
		case '{', '[':
			return
		case '"':
			from, to = from+1, to-1
		}
		for i := from; i < to; i++ {
			once(t, c, i, src)
		}
	})
	return pages
}

func once(t require.TestingT, c cover, i int, src string) {
	if c[i] != 1 {
		require.Fail(t, "not shown once", "byte %d %q %d times: %s", i, src[i], c[i], src)
	}
}

// drawList draws a document around a list whose elements are of all sizes.
func drawList(t *rapid.T) string {
	var b strings.Builder
	text := func(most int) string { return strings.Repeat("x", rapid.IntRange(0, most).Draw(t, "text")) }
	fmt.Fprintf(&b, `{"before":"%s","list":[`, text(600))
	n := rapid.IntRange(1, 40).Draw(t, "n")
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			fmt.Fprintf(&b, "%d", i)
		case 1:
			fmt.Fprintf(&b, `{"k":"v","a":%d}`, i)
		case 2:
			fmt.Fprintf(&b, `{"a":"%s","k":"%s"}`, text(300), rapid.SampledFrom([]string{"v", "w"}).Draw(t, "k"))
		case 3:
			fmt.Fprintf(&b, `"%s"`, text(250))
		case 4:
			fmt.Fprintf(&b, `{"b":["%s","%s",%d],"c":{"d":"%s"},"k":"v"}`, text(300), text(300), i, text(200))
		case 5:
			fmt.Fprintf(&b, `[%s1]`, strings.Repeat("1,", rapid.IntRange(0, 80).Draw(t, "ones")))
		}
	}
	fmt.Fprintf(&b, `],"after":"%s","other":[%s1]}`, text(300), strings.Repeat("1,", rapid.IntRange(0, 80).Draw(t, "ones")))
	return b.String()
}

// TestLaw14ForgettingChangesNothing: a View that forgets as early as it can gives
// the plans of one that keeps everything.
func TestLaw14ForgettingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := drawList(t)
		o := Options{
			MaxRecord: rapid.SampledFrom([]int64{66, 100, 200}).Draw(t, "maxRecord"),
			Ends:      rapid.SampledFrom([]Ends{Head, Tail, HeadAndTail}).Draw(t, "ends"),
			TailShare: rapid.SampledFrom([]float64{0.1, 0.5, 0.9}).Draw(t, "share"),
		}
		if rapid.Bool().Draw(t, "rules") {
			o.Keep = []Rule{{Pointer: "/k", Op: "==", Value: "v"}}
		}
		defer func() { pruneOften = false }()
		step := rapid.IntRange(20, 60).Draw(t, "step")
		for n := 50; n < 1500; n += step {
			l := view.Limit{Bytes: int64(n)}
			o.Retain = l.Bytes
			pruneOften = false
			want := show(t, src, o, all).Plan(l)
			pruneOften = true
			require.Equal(t, want, show(t, src, o, all).Plan(l), "%+v %s", o, src)
		}
	})
}
