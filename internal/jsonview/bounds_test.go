package jsonview

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/view"
)

// memory is what v holds.
func (v *View) memory() int {
	n := cap(v.whole) + cap(v.before) + cap(v.arena.buf) + cap(v.raw.buf) + cap(v.window.rest) + cap(v.passed.bits)*8 + cap(v.pass.buf)
	n += cap(v.arena.segs)*int(unsafe.Sizeof(segment{})) + cap(v.spans)*int(unsafe.Sizeof(span{}))
	n += cap(v.nodes)*int(unsafe.Sizeof(node{})) + cap(v.stack)*int(unsafe.Sizeof(frame{}))
	n += cap(v.steps)*int(unsafe.Sizeof(step{})) + cap(v.marks)*8 + cap(v.sides)
	return n
}

// endless writes head, then n times again, to v, and returns the most it held.
func endless(v *View, head, again string, n int) (peak int) {
	_, _ = io.WriteString(v, head)
	block := []byte(strings.Repeat(again, 1+4096/len(again)))
	for range n / len(block) {
		_, _ = v.Write(block)
		peak = max(peak, v.memory())
	}
	return peak
}

// Memory is in proportion to Retain, whatever comes.
func TestLaw14Bounded(t *testing.T) {
	long := strings.Repeat("x", 500)
	for _, c := range []struct{ name, head, again string }{
		{"records", "[0", `,{"id":1,"text":"some text, 一些文字","tags":["a","b"],"ok":true}`},
		{"tiny elements", "[0", ",1"},
		{"empty objects", "[0", ",{}"},
		{"large records", "[0", `,{"id":1,"text":"` + strings.Repeat(long, 20) + `","tags":["` + long + `","b"],"ok":true}`},
		{"brackets", "", "["},
		{"objects in objects", "", `{"a":`},
		{"one string", `"`, "endless text 你好"},
		{"one string of escapes", `"`, `\ud83d\ude00`},
		{"one cluster", `"e`, "\u0301"},
		{"one string in an element", `[{"a":"`, "endless"},
		{"one blob", `{"a":"data:image/png;base64,`, "QUJD"},
		{"one number", "[", "7"},
		{"one name", `{"`, "name"},
		{"members", `{"x":0`, `,"name":1`},
		{"members of an element", `[{"x":0`, `,"name":1`},
		{"long members of an element", `[{"x":0`, `,"name":"` + long + `"`},
		{"lists in an element", `[{"x":0`, `,"name":[1,2,{"a":"` + long + `"}]`},
		{"white space", "", " "},
		{"white space in an array", "[", " \n"},
		{"white space behind a name", `[{"a"`, " "},
		{"twins", `{"a":[1]`, `,"a":[1,[2]]`},
		{"long names", `{"a":[1]`, `,"` + strings.Repeat(long, 3) + `":1`},
	} {
		for _, o := range []Options{
			{}, {Ends: Tail}, {Ends: HeadAndTail, TailShare: 0.2}, {Keep: []Rule{{Pointer: "/id", Op: "==", Value: "2"}}}, {Keep: []Rule{{Pointer: "/id", Op: "==", Value: "1"}}, Ends: HeadAndTail},
			{Required: []string{"name"}}, {MaxRecord: 100}, {Unit: view.Item, From: 1 << 40}, {Unit: view.Byte, From: 1 << 40}, {Unit: view.Byte, Pointer: "/0/a"}, {Pointer: "/nothing"},
		} {
			o.Retain = 8 << 10
			v := New(o)
			peak := endless(v, c.head, c.again, 1<<18)
			require.NoError(t, v.Err(), c.name)
			require.Less(t, peak, 200*int(o.Retain), "%s %+v", c.name, o)
			late := endless(v, "", c.again, 1<<19)
			require.LessOrEqual(t, late, max(2*peak, 20*int(o.Retain)), "%s grows: %+v", c.name, o)
		}
	}
}

// What a view holds at its worst, of documents made to cost as much as they can. The
// heap is measured too: nothing is held that memory does not count.
func TestLaw14HostileDocumentsCostLittle(t *testing.T) {
	for _, c := range []struct {
		name, head, again string
		most              int // times Retain
	}{
		{"tiny elements", "[1", ",1", 9},
		{"empty objects", "[0", ",{}", 21},
		{"small elements", `["a"`, `,"some"`, 21},
		{"brackets", "", "[", 8},
		{"objects in objects", "", `{"":`, 8},
		{"tiny members", `{"x":0`, `,"":1`, 40},
		{"keys", `{"x":0`, `,"name":1`, 32},
		{"records", "[0", `,{"id":1,"text":"some text, 一些文字","tags":["a","b"],"ok":true}`, 10},
	} {
		for _, retain := range []int{16 << 10, 64 << 10} {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			v := New(Options{Retain: int64(retain)})
			peak := endless(v, c.head, c.again, 1<<20)
			runtime.GC()
			runtime.ReadMemStats(&after)
			require.NoError(t, v.Err())
			require.LessOrEqual(t, peak, c.most*retain, "%s, %d", c.name, retain)
			held := int(after.HeapAlloc) - int(before.HeapAlloc)
			require.LessOrEqual(t, held, c.most*retain+640<<10, "%s, %d: with what the scanner remembers", c.name, retain)
		}
	}
}

// Reading a document takes few allocations, whatever the number of its elements.
func TestLaw14FewAllocations(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, src := range map[string]string{
		"records": "[" + strings.Repeat(`{"id":1,"text":"some text, 一些文字","tags":["a","b"],"ok":true},`, 40000) + "0]",
		"rows":    `{"a":{"b":[` + strings.Repeat(`{"id":1,"text":"`+long+`","lists":[[1,2],[3],{"x":[]}]},`, 8000) + `0]},"c":1}`,
		"numbers": "[" + strings.Repeat(`[[-65.61361699999998,43.42027300000001],[-65.566101,43.508331000000055]],`, 30000) + "0]",
		"tree":    strings.Repeat(`{"name":"`, 1) + long + `","kids":[` + strings.Repeat(`{"name":"dir","kids":[{"name":"file","n":1.5}]},`, 30000) + `0]}`,
		"string":  `"` + strings.Repeat("endless text 你好", 100000) + `"`,
		"keys":    `{"x":0` + strings.Repeat(`,"name":[1,"a"]`, 100000) + "}",
	} {
		read := func() {
			v := New(Options{Retain: 16 << 10})
			for i := 0; i < len(src); i += 32 << 10 {
				_, _ = v.Write([]byte(src[i:min(len(src), i+32<<10)]))
			}
			v.End()
			require.NoError(t, v.Err())
		}
		pieces := float64((len(src) + 32<<10 - 1) / (32 << 10)) // of the test's own
		require.Less(t, testing.AllocsPerRun(3, read)-pieces, 50.0, name)
	}
}

// What was shown once is shown whole the second time.
func TestLaw11ViewsOfViewsAreWhole(t *testing.T) {
	src := `{"items":[` + strings.Repeat(`{"id":1,"text":"some text, 一些文字 \ud83d\ude00"},`, 400) + `{"last":true}],"text":"` + strings.Repeat("lorem ", 500) + `"}`
	for n := int64(2); n < 5000; n += 97 {
		l := view.Limit{Bytes: n}
		p := show(t, src, Options{Retain: n}, all).Plan(l)
		again := show(t, p.Content, Options{Retain: n}, all).Plan(l)
		require.Equal(t, p.Content, again.Content)
		require.True(t, again.Complete)
		require.True(t, again.Exact)
	}
}

// A result with an output schema still validates once what the schema requires
// fits; what a cut cannot keep (minItems, const) is said as an omission.
func TestLaw03SchemasSurvive(t *testing.T) {
	var rows []string
	for i := range 60 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"name":"row %d","price":%d.5,"tags":["a","b"],"owner":{"login":"u%d","admin":false},"note":%s}`,
			9007199254740993+i, i, i, i, []string{"null", `"` + strings.Repeat("n", 300) + `"`}[i%2]))
	}
	src := `{"preamble":"` + strings.Repeat("p", 5000) + `","results":[` + strings.Join(rows, ",") + `],"total":60,"next":null}`
	for _, s := range []string{
		`{"type":"object","required":["results","total"],"properties":{"results":{"type":"array"},"total":{"type":"integer"}}}`,
		`{"type":"object","required":["results","total"],"properties":{"results":{"type":"array","items":{"type":"object",
			"required":["id","name","price","tags","owner","note"],"properties":{"id":{"type":"integer","minimum":9007199254740992},"name":{"type":"string"},
			"price":{"type":"number"},"tags":{"type":"array","items":{"enum":["a","b"]}},"owner":{"type":"object"},"note":{"type":["string","null"]}},"additionalProperties":false}},
			"total":{"const":60},"next":{"type":"null"},"preamble":{"type":"string"}},"additionalProperties":false}`,
	} {
		var schema jsonschema.Schema
		require.NoError(t, json.Unmarshal([]byte(s), &schema))
		r, err := schema.Resolve(nil)
		require.NoError(t, err)
		for _, o := range []Options{{Required: []string{"results", "total"}}, {Required: []string{"results", "total"}, MaxRecord: 100}} {
			for n := int64(60); n < 9000; n += 61 {
				p := planOf(t, src, n, o)
				var v any
				require.NoError(t, json.Unmarshal([]byte(p.Content), &v))
				require.NoError(t, r.Validate(v), "%d: %s", n, p.Content)
			}
		}
	}
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal([]byte(`{"properties":{"results":{"minItems":60}}}`), &schema))
	r, err := schema.Resolve(nil)
	require.NoError(t, err)
	p := planOf(t, src, 3000, Options{})
	var v any
	require.NoError(t, json.Unmarshal([]byte(p.Content), &v))
	require.Error(t, r.Validate(v))
	require.Equal(t, "/results", p.Omissions[0].Pointer)
}

// Numbers that no arithmetic reaches.
func TestExtremeOptionsDoNoHarm(t *testing.T) {
	for _, o := range []Options{
		{Retain: math.MaxInt64}, {Retain: -5}, {Retain: 100, From: math.MaxInt64, To: math.MaxInt64}, {Retain: 100, From: -9, To: -9}, {Retain: 100, From: 5, To: 2},
		{Retain: 100, MaxRecord: math.MaxInt64 / 8}, {Retain: 100, MaxRecord: -1}, {Retain: 100, TailShare: math.NaN(), Ends: HeadAndTail}, {Retain: 100, TailShare: math.Inf(1), Ends: HeadAndTail},
		{Retain: 100, Unit: view.Byte, From: math.MaxInt64, To: math.MaxInt64}, {Retain: 100, Unit: view.Byte, From: 1, To: math.MaxInt64},
	} {
		for _, src := range []string{`[1,2,{"a":[3]}]`, `"` + strings.Repeat("text", 100) + `"`, `7`, `{"a":` + strings.Repeat(`[1,"x"],"b":`, 20) + `1}`} {
			for _, l := range []view.Limit{{Bytes: -1}, {Bytes: math.MaxInt64}, {Bytes: 50, Unit: view.Rune, N: -1}, {Bytes: 50, Unit: view.Line, N: math.MinInt64}, {Bytes: 50, Unit: 99}} {
				v := show(t, src, o, all)
				p := v.Plan(l)
				require.LessOrEqual(t, int64(len(p.Content)), max(0, l.Bytes))
			}
		}
	}
}
