package jsonview

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/view"
)

// FuzzPlan compares the plans of any bytes with a plain reading of them: whatever
// the split, one limit and the next, pages and all.
func FuzzPlan(f *testing.F) {
	for _, s := range []string{
		`[1,2,3]`, `{"a":[{"b":"c"},{"b":"d"}],"e":"f"}`, `"\ud83d\ude00\ud83d"`, `{"a":1,"a":[2,2]}`, `[[[[]],{}]]`, ` { "" : [ ] } `,
		`{"twin":{"x":[1,2]},"twin":{"x":[3,4]}}`, `["👩‍👩‍👧‍👦e\u0301","data:image/png;base64,AAAA"]`, `[{"k":"v"},7,{"k":"w"}]`, `0`, `nul`, "\"\xff\"",
	} {
		for i := range 8 {
			f.Add([]byte(s), uint16(i*5), uint8(i), uint8(i*37))
		}
	}
	f.Fuzz(func(t *testing.T, p []byte, limit uint16, seed, mode uint8) {
		if len(p) > 4<<10 {
			return
		}
		o := fuzzOptions(mode)
		l := view.Limit{Bytes: int64(limit) % 2048}
		o.Retain = l.Bytes
		src := string(p)
		if !json.Valid(p) || !utf8.Valid(p) {
			v := New(o)
			_, _ = v.Write(p)
			v.End()
			require.Error(t, v.Err())
			return
		}
		pruneOften = false
		want := show(t, src, o, all).Plan(l)
		small := checkPlan(t, src, want, l, o)
		pruneOften = mode%2 == 1
		require.Equal(t, want, show(t, src, o, func(i int) int { return (i*7 + int(seed)) % (int(seed) + 1) }).Plan(l))
		l.Bytes++
		o.Retain = l.Bytes + int64(seed)
		large := checkPlan(t, src, show(t, src, o, all).Plan(l), l, o)
		for i := range small {
			require.LessOrEqual(t, small[i], large[i], "byte %d", i)
		}
		readAll(t, src, o, MinLimit+int64(limit)%512)
	})
}

func fuzzOptions(mode uint8) (o Options) {
	o.Ends = Ends(mode / 2 % 4)
	o.MaxRecord = []int64{0, 66, 90, 300}[mode/8%4]
	if mode/32%2 == 1 {
		o.Keep = []Rule{{Pointer: "/k", Op: "==", Value: "v"}, {Pointer: "", Op: ">", Value: "1"}}
	}
	if mode/64%2 == 1 {
		o.Required = []string{"x", "twin"}
	}
	return o
}
