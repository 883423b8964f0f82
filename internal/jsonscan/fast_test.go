package jsonscan

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rememberSoon makes scanners remember gaps whatever the length of the input.
func rememberSoon(t testing.TB) {
	was := minInput
	minInput = 0
	t.Cleanup(func() { minInput = was })
}

// tail makes room, so that what is before it is within the reach of fast.
var tail = strings.Repeat(" ", 2*margin)

// checkFast proves that fast, which reads large pieces, judges and tells as scan
// does on its own, which reads small ones, and as the oracle does.
func checkFast(t require.TestingT, p []byte, skip func(Kind, int64) int) {
	err := Check(p)
	require.Equal(t, oracle(p), err == nil, "%q: %v", p, err)
	for _, skip := range []func(Kind, int64) int{never, skip} {
		fast, ferr := events(p, func(int) int { return len(p) }, skip)
		slow, serr := events(p, func(int) int { return margin - 1 }, skip)
		if slow != fast { // comparing is cheaper than require
			require.Equal(t, slow, fast, "%q", p)
		}
		require.Equal(t, serr, ferr, "%q", p)
		require.Equal(t, err, ferr, "%q", p)
	}
}

// list writes p again and again, as the elements of a list inside an object.
func list(p string, n int) []byte {
	return []byte(`{"list":[` + strings.Repeat(p+",", n) + p + `],"end":[]}` + tail)
}

// FuzzFast reads lists of equal elements, whole and with one byte changed.
func FuzzFast(f *testing.F) {
	for i, t := range texts {
		f.Add([]byte(t), uint16(i*37), byte(i))
	}
	for _, t := range records {
		f.Add([]byte(t), uint16(1), byte('x'))
	}
	rememberSoon(f)
	f.Fuzz(func(t *testing.T, p []byte, at uint16, b byte) {
		if len(p) > 1<<10 {
			return
		}
		skip := func(k Kind, i int64) int { return int(i+int64(at)) % 23 }
		q := list(string(p), 6)
		checkFast(t, q, skip)
		q[int(at)%len(q)] = b
		checkFast(t, q, skip)
	})
}

// records are elements as tools return them, and some that are hard.
var records = []string{
	`{"id":9007199254740993,"name":"record","ok":true,"score":1.25,"tags":["a","b"],"none":null,"no":false}`,
	"{\n    \"id\": -1,\n    \"of\": [\n        [ 1.5e3, 0 ],\n        { }\n    ],\n    \"t\": \"line\\nline \\u4e2d 中文 é 😀\"\n}",
	`[[-65.61361699999998,43.42027300000001],[-65.566101,43.508331000000055]]`, `[[[]],{"a":{}},[{}],0]`, `{"a":{"b":{"c":{"d":[[[["deep"]]]]}}}}`,
	`123456789012345678`, `12345678`, `1234567890123456789012345`, `0.1234567890123456789012345`, `-0.0e-0`, `12345678.5`, `1.5E+10`, `"\ud83d\ude00"`,
	`"` + strings.Repeat("long ", 40) + `"`, `{"` + strings.Repeat("name", 80) + `":1}`, `{"a" : 1 , "b"  :2}`, `""`, `{"":""}`,
	`[1,{}]`, `{"a":1,"b":[[],[[]]]}`, `[[],1,[ ] ]`, "{\"a\":[ 1\n]\n}",
}

func TestFastAgreesOnRecordsWithOneByteChanged(t *testing.T) {
	rememberSoon(t)
	const odd = " \n,:[]{}\"\\0123456789-+.eEtruefalsn\x00\x80\xc3\xe4\xed\xf0\xff"
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range records {
		whole := list(s, 5)
		checkFast(t, whole, func(_ Kind, at int64) int { return int(at) % 5 })
		for i := range len(whole) - len(tail) {
			for range 2 {
				p := bytes.Clone(whole)
				p[i] = odd[r.IntN(len(odd))]
				checkFast(t, p, func(_ Kind, at int64) int { return int(at) % 5 })
			}
		}
	}
}

// Lists of records that differ a little, at any depth and with any silence.
func TestFastAgreesOnAlmostRegularLists(t *testing.T) {
	rememberSoon(t)
	rapid.Check(t, func(t *rapid.T) {
		pick := rapid.SliceOfN(rapid.SampledFrom(records), 1, 4).Draw(t, "of")
		order := rapid.SliceOfN(rapid.IntRange(0, len(pick)-1), 1, 24).Draw(t, "order")
		depth := rapid.SampledFrom([]int{0, 1, 5, 60, 61, 62, 63, 64, 65, 127, 130}).Draw(t, "depth")
		var list []string
		for _, i := range order {
			list = append(list, pick[i])
		}
		text := strings.Repeat(`[7,{"in":`, depth) + "[" + strings.Join(list, ",") + "]" + strings.Repeat(`},"out"]`, depth) + tail
		p := []byte(text)
		if rapid.Bool().Draw(t, "damage") {
			i := rapid.IntRange(0, len(p)-len(tail)-1).Draw(t, "at")
			p[i] = rapid.Byte().Draw(t, "byte")
		}
		m := rapid.Int64Range(1, 40).Draw(t, "silence")
		checkFast(t, p, func(_ Kind, at int64) int { return int(at % m) })
	})
}

// The kinds of the brackets that a gap closes and stays in are part of it: the
// same bytes are wrong in another place.
func TestFastKnowsWhatAGapCloses(t *testing.T) {
	rememberSoon(t)
	for _, c := range []struct{ usual, wrong string }{
		{`[[1],[2]]`, `[1],[2]]`},
		{`{"a":[1],"b":[1],"c":0}`, `{"a":{"x":1],"b":[1],"c":0}`},
		{`{"a":[1,1,1]}`, `{"a":1,1,1}`},
		{`[{"a":1,"b":1},{"a":1,"b":1}]`, `[1,"b":1},{"a":1,"b":1}]`},
		// What is expected depends on the last two gaps, and the bracket is older.
		{`[5,[6,[1]]]`, `{"k":[5,[6,[1]]],[5,[6,[1]]]}`},
		{`{"k":[5,[6,[1]]],"k":[5,[6,[1]]],"k":[5,[6,[1]]]}`, `[[5,[6,[1]]],"k":[5,[6,[1]]]]`},
	} {
		for _, depth := range []int{0, 3} {
			around := func(s string) []byte {
				return []byte(strings.Repeat("[", depth) + "[" + strings.Repeat(c.usual+",", 9) + s + strings.Repeat("]", depth+1) + tail)
			}
			require.NoError(t, Check(around(c.usual)))
			require.Error(t, Check(around(c.wrong)), c.wrong)
			checkFast(t, around(c.wrong), never)
		}
	}
	// A gap closes no bracket that it did not find open.
	checkFast(t, []byte("["+strings.Repeat(`[[[1]],[[1]],1],`, 9)+"[1]],[[1]]"+tail), never)
}

func TestFastIsBoundedByTheMaximumDepth(t *testing.T) {
	rememberSoon(t)
	for depth := 1; depth < 12; depth++ {
		p := []byte("[" + strings.Repeat(`[[[1]]],`, 40) + strings.Repeat("[", depth) + "1")
		p = append(p, tail...)
		s := New(nil, 6)
		_, err := s.Write(p)
		if depth <= 5 {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, ErrDepth)
		slow := New(nil, 6)
		for i := range p {
			if _, err := slow.Write(p[i : i+1]); err != nil {
				break
			}
		}
		require.Equal(t, slow.Err(), s.Err())
	}
}

// What is remembered is bounded, and given up where it is of no use.
func TestFastRemembersLittle(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"list":[`)
	for i := range 200000 {
		b.WriteString(`{"name` + strings.Repeat("x", i%200) + `":1},`)
		b.WriteString(`{"` + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + `":1},`)
	}
	b.WriteString(`0]}`)
	s := New(nil, 0)
	_, err := s.Write([]byte(b.String()))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.LessOrEqual(t, (maxBlocks-1)*unsafe.Sizeof(block{})+unsafe.Sizeof(gaps{}), uintptr(420<<10), "as the package comment says")
	require.NotZero(t, s.gaps.wake, "it rests")
}

// A gap may be longer than what is left of a write.
func TestFastReadsNothingBehindAWrite(t *testing.T) {
	rememberSoon(t)
	whole := list(`{"`+strings.Repeat("name", 40)+`":1,"`+strings.Repeat("n", 70)+`":[2]}`, 20)
	for size := 1; size < 3*gapMax; size++ {
		s := New(nil, 0)
		for p := range slices.Chunk(whole, size) {
			_, err := s.Write(p)
			require.NoError(t, err)
		}
		require.NoError(t, s.Close())
	}
}

// In a regular list no gap is walked twice.
func TestFastReadsRegularListsByHeart(t *testing.T) {
	rememberSoon(t)
	for _, s := range records[:3] {
		p := list(s, 1000)
		c := New(nil, 0)
		_, err := c.Write(p[:len(p)/2])
		require.NoError(t, err)
		require.Less(t, c.gaps.first.n, 40)
		require.Less(t, c.gaps.missed, int64(len(p)/8), "no gap is walked again")
	}
}

// Nor is one where either of two comes behind a value, in any order.
func TestFastKnowsTwoGapsBehindAValue(t *testing.T) {
	rememberSoon(t)
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("[[[0,0],[0,0]]")
	for range 2000 {
		b.WriteString(",[[1,2]" + strings.Repeat(",[1,2]", r.IntN(4)) + "]")
	}
	s := New(nil, 0)
	_, err := s.Write([]byte(b.String()))
	require.NoError(t, err)
	require.Less(t, s.gaps.missed, int64(200), "the last gap that was walked")
	require.Zero(t, s.gaps.wake, "no need to rest")
}

func BenchmarkCheck(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"records", records[0]}, {"indented", records[1]}, {"numbers", records[2]}, {"string", `"` + strings.Repeat("text 和一些中文 ", 4000) + `"`},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := list(c.text, 1<<20/len(c.text))
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			for b.Loop() {
				if Check(p) != nil {
					b.Fatal("not accepted")
				}
			}
		})
	}
}
