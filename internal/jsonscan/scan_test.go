package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// texts are inputs whose verdict the oracle gives; fuzzing starts from them.
var texts = []string{
	``, ` `, `{}`, `[]`, `""`, `0`, `-0`, `1.5e+10`, `1E400`, `true`, `false`, `null`, "\t[ 1 ,\r\n2 ]\n",
	`{"a":1,"a":2,"":{"b":[{},[]]}}`, `[1,]`, `[,1]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{'a':1}`, `[1}`, `{"a":1]`,
	`01`, `1.`, `.5`, `-`, `+1`, `1e`, `1e+`, `0x1`, `NaN`, `Infinity`, `tru`, `truee`, `nul`, `[1] 2`, `[1]//c`,
	`"\u00e9\n\"\\\/\b\f\r\t"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, `"\x"`, `"\u12g4"`, `"\`, `"\u12`,
	"\"a\nb\"", "\"\x00\"", "\"\x7f\"", "\xef\xbb\xbf{}", "\"\xc0\xaf\"", "\"\xe0\x80\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xff\"", "\"\xe4\xbd\"",
	`"你好世界你好世界"`, `"a你b好c世d界"`, `"é😀日本語ééé"`, "\"\u0080\u07ff\u0800\uffff\U00010000\U0010ffff\"", `"12345678901234567"`, `"1234567你"`,
	`[12345678901234567890,1234567.12345678901,-12345678]`, "[\n        1,\n                 2]", `[[[[[[]]]]]]`, strings.Repeat("[", 200) + strings.Repeat("]", 200),
}

func oracle(p []byte) bool { return json.Valid(p) && utf8.Valid(p) }

// log records events as text, as far as skip does not ask for silence.
type log struct {
	s    *Scanner
	skip func(k Kind, at int64) int // 1: Skip, 2: SkipTo
	b    strings.Builder
}

func (l *log) Begin(k Kind, at int64) {
	fmt.Fprintf(&l.b, "%v@%d ", k, at)
	if k == Array && l.s.watch.depth < 0 && at%3 > 0 {
		l.s.Watch()
		l.s.watch.stride = 16
	}
	switch l.skip(k, at) {
	case 1:
		l.s.Skip(k)
	case 2:
		l.s.SkipTo(l.s.Depth())
	}
}

func (l *log) End(k Kind, end, n, last int64) {
	fmt.Fprintf(&l.b, "/%v@%d,%d,%d ", k, end, n, last)
	if l.s.watch.depth == l.s.Depth() {
		items, starts := l.s.Unwatch(nil)
		fmt.Fprintf(&l.b, "%d items %v ", items, starts)
	}
}

func events(p []byte, cut func(i int) int, skip func(Kind, int64) int) (string, error) {
	l := &log{skip: skip}
	l.s = New(l, 0)
	for i := 0; i < len(p); {
		j := min(len(p), i+max(1, cut(i)))
		if _, err := l.s.Write(p[i:j]); err != nil {
			return l.b.String(), err
		}
		i = j
	}
	return l.b.String(), l.s.Close()
}

func never(Kind, int64) int { return 0 }

// FuzzScan compares with encoding/json and unicode/utf8, and every split with the whole.
func FuzzScan(f *testing.F) {
	for i, t := range texts {
		f.Add([]byte(t), uint8(i))
	}
	f.Fuzz(func(t *testing.T, p []byte, n uint8) { checkScan(t, p, int(n)) })
}

func checkScan(t *testing.T, p []byte, n int) {
	t.Helper()
	err := Check(p)
	require.Equal(t, oracle(p), err == nil, "%q: %v", p, err)
	for _, skip := range []func(Kind, int64) int{never, func(_ Kind, at int64) int { return int(at) % 7 }} {
		whole, werr := events(p, func(int) int { return len(p) }, skip)
		parts, perr := events(p, func(i int) int { return 1 + (i*7+n)%(n+1) }, skip)
		require.Equal(t, whole, parts, "%q", p)
		require.Equal(t, werr, perr, "%q", p)
		require.Equal(t, err, werr, "%q", p)
	}
	var se *SyntaxError
	if errors.As(err, &se) {
		require.LessOrEqual(t, se.Offset, int64(len(p)))
		require.Equal(t, int64(bytes.Count(p[:se.Offset], []byte("\n"))+1), se.Line, "%q", p)
		require.NotEmpty(t, se.Reason)
		// The byte is the first that cannot be there: what is before it is a value or can become one.
		if before := Check(p[:se.Offset]); before != nil {
			require.ErrorIs(t, before, ErrEnd, "%q", p)
		}
	}
}

func TestScanAgreesWithOracleOnEverySplit(t *testing.T) {
	for _, s := range texts {
		for n := range 12 {
			checkScan(t, []byte(s), n)
		}
	}
}

// Every byte and every pair of bytes in a string, at each place of a word.
func TestScanJudgesEveryRuneAtEveryPlace(t *testing.T) {
	for lead := range 256 {
		for next := range 256 {
			for _, tail := range []string{"", "\x80", "\x80\x80", "\xbf\xbf"} {
				for pad := range 3 {
					p := []byte(`"` + strings.Repeat("x", pad*3) + string([]byte{byte(lead), byte(next)}) + tail + "你好你好" + `"`)
					require.Equal(t, oracle(p), Valid(p), "%q", p)
				}
			}
		}
	}
}

// Four runes at once are what they are one by one, whatever byte is put anywhere.
func TestFourRunesAreJudgedAsEachOfThem(t *testing.T) {
	ends := "\x80\x9f\xa0\xbf"
	for at := range 12 {
		for b := range 256 {
			for next := range len(ends) {
				p := []byte("\xe1\x80\x80\xec\xbf\xbf中文text")
				p[at] = byte(b)
				if at%3 == 0 {
					p[at+1] = ends[next]
				}
				ok := utf8.Valid(p) && utf8.RuneCount(p[:12]) == 4
				usual := ok && bytes.IndexByte(p[:12], 0xE0) < 0 && bytes.IndexByte(p[:12], 0xED) < 0
				require.Equal(t, usual, four(load(p, 0), load(p, 6)), "%x", p)
			}
		}
	}
}

func TestScanJudgesTheParsingCorpus(t *testing.T) {
	dir := "../../../shared/corpus/json-parsing"
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if len(files) == 0 {
		t.Skip("no corpus in " + dir)
	}
	for _, f := range files {
		p, err := os.ReadFile(f)
		require.NoError(t, err)
		name := filepath.Base(f)
		got := Valid(p)
		switch name[0] {
		case 'y':
			require.True(t, got, name)
		case 'n':
			require.False(t, got, name)
		default: // left open by RFC 8259: the oracle decides
			require.Equal(t, oracle(p), got, name)
		}
	}
	t.Logf("%d files", len(files))
}

func TestScanCountsLoneSurrogates(t *testing.T) {
	for _, c := range []struct {
		text string
		lone int64
	}{
		{`"\ud83d\ude00"`, 0}, {`"\ud83d"`, 1}, {`"\ude00"`, 1}, {`"\ude00\ud83d"`, 2}, {`"\ud83d\ud83d\ude00"`, 1},
		{`"\ud83dx\ude00"`, 2}, {`["\ud83d","\ude00"]`, 2}, {`"\\ud83d"`, 0}, {`"\uD83D\uDE00\uDE00"`, 1},
	} {
		for size := 1; size <= len(c.text); size++ {
			s := New(nil, 0)
			for i := 0; i < len(c.text); i += size {
				_, err := s.Write([]byte(c.text[i:min(len(c.text), i+size)]))
				require.NoError(t, err)
			}
			require.NoError(t, s.Close())
			require.Equal(t, c.lone, s.Lone(), "%s by %d", c.text, size)
		}
	}
}

func TestScanSaysWhereAndWhy(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int64
		line   int64
		reason string
	}{
		{"{\n\"a\": 01}", 8, 2, `found '1' where JSON has '.', an exponent`},
		{"[1,\n\n]", 5, 3, `found ']' where JSON has a value`},
		{"\xef\xbb\xbf{}", 0, 1, "byte order mark"},
		{"{'a':1}", 1, 1, "strings are in double quotes"},
		{"[1] // x", 4, 1, "JSON has no comments"},
		{"[NaN]", 1, 1, `found 'N' where JSON has a value or ']'`},
		{"[1,2 ", 5, 1, "the input ends where JSON has ',' or a closing bracket"},
		{"\"\xff\"", 1, 1, "byte 0xff in a string is not UTF-8"},
		{"\"\n\"", 1, 1, "control byte 0x0a"},
		{"{} {}", 3, 1, "nothing but white space after the value"},
	} {
		var se *SyntaxError
		require.ErrorAs(t, Check([]byte(c.text)), &se, c.text)
		require.Equal(t, c.offset, se.Offset, c.text)
		require.Equal(t, c.line, se.Line, c.text)
		require.Contains(t, se.Error(), c.reason, c.text)
	}
}

func TestScanDepthIsBoundedAndCheap(t *testing.T) {
	s := New(nil, 1000)
	_, err := s.Write(bytes.Repeat([]byte("["), 1000))
	require.NoError(t, err)
	_, err = s.Write([]byte("["))
	require.ErrorIs(t, err, ErrDepth)
	var se *SyntaxError
	require.ErrorAs(t, err, &se)
	require.EqualValues(t, 1000, se.Offset)

	s = New(nil, 0)
	for range 8 << 20 >> 16 {
		_, err = s.Write(bytes.Repeat([]byte(`[`), 1<<16))
		require.NoError(t, err)
	}
	require.LessOrEqual(t, cap(s.bits)*8, 5<<18, "one bit for each open bracket, and the room of one growth")
	_, err = s.Write([]byte("["))
	require.ErrorIs(t, err, ErrDepth)
}

func TestScanAllocatesNothingPerToken(t *testing.T) {
	p := []byte("[" + strings.Repeat(`{"a":[1,-2.5e3,"x\n",true,null,"你好"]},`, 1000) + "0]")
	few := testing.AllocsPerRun(10, func() { require.NoError(t, Check(p)) })
	require.LessOrEqual(t, few, 4.0)
}

func ExampleScanner() {
	s := New(nil, 0)
	_, err := s.Write([]byte("{\"id\": 9007199254740993,\n \"tags\": [1 2]}"))
	fmt.Println(err)
	// Output:
	// not JSON at byte 37, line 2: found '2' where JSON has ',' or a closing bracket
}
