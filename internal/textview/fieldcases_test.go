package textview

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/view"
	"github.com/toolclip/toolclip/internal/visible"
)

// Inputs that broke other tools. The names say the kind; each was made anew.

func planOf(o Options, src string, bytes int64) view.Plan {
	o.Retain = max(o.Retain, bytes)
	return atOnce(o, src).Plan(view.Limit{Bytes: bytes})
}

func transform(p view.Plan, name string) view.Transform {
	for _, t := range p.Transforms {
		if t.Name == name {
			return t
		}
	}
	return view.Transform{}
}

func TestRuneOnTheLimitIsLeftOut(t *testing.T) {
	src := strings.Repeat("a", 199) + "中" + strings.Repeat("b", 50)
	p := planOf(Options{Ends: Head}, src, 200)
	require.Equal(t, src[:199], p.Content)
	require.Equal(t, []view.Range{{Start: 0, End: 199}}, p.Bytes)
	require.Equal(t, []view.Rest{{Unit: view.Byte, From: 199, To: 252, Bytes: view.Range{Start: 199, End: 252}}}, p.Rest)
}

func TestRunesAreNotBytes(t *testing.T) {
	src := strings.Repeat("中", 40000)
	v := atOnce(Options{Retain: 100000, Ends: Head, Count: view.Rune}, src)
	require.Equal(t, int64(40000), v.Totals().Runes)
	p := v.Plan(view.Limit{Bytes: 100000, Unit: view.Rune, N: 25000})
	require.Equal(t, 25000, utf8.RuneCountInString(p.Content))
}

func TestWindowSnapsToRunes(t *testing.T) {
	src := strings.Repeat("前文", 100) + "KEYWORD" + strings.Repeat("后文", 100)
	at := int64(strings.Index(src, "KEYWORD"))
	for d := range int64(6) {
		p := planOf(Options{Unit: view.Byte, From: at - 10 + d, To: at + 10 + d}, src, 4096)
		require.True(t, utf8.ValidString(p.Content))
		require.Contains(t, p.Content, "KEYWORD")
		require.Empty(t, p.Transforms)
		require.Equal(t, p, read(Options{Retain: 4096, Unit: view.Byte, From: at - 10 + d, To: at + 10 + d}, src, func() int { return 1 }).Plan(view.Limit{Bytes: 4096}))
		require.GreaterOrEqual(t, p.Bytes[0].Start, at-10+d)
		require.Less(t, p.Bytes[0].Start, at-10+d+3)
	}
}

func TestReplacementCountsAgainstTheLimit(t *testing.T) {
	p := planOf(Options{Ends: Head}, strings.Repeat("\xff", 3000), 2000)
	require.Equal(t, strings.Repeat("\uFFFD", 666), p.Content)
	require.Equal(t, view.Transform{Name: InvalidUTF8, Count: 666, Loses: true}, transform(p, InvalidUTF8))
	require.Equal(t, []view.Range{{Start: 0, End: 666}}, p.Bytes)
}

func TestRunesMayArriveInPieces(t *testing.T) {
	for _, r := range []string{"é", "中", "🎉"} {
		for k := 1; k < len(r); k++ {
			v := New(Options{Retain: 100})
			v.Write([]byte("a" + r[:k]))
			v.Write([]byte(r[k:] + "b"))
			require.Equal(t, "a"+r+"b", v.Plan(view.Limit{Bytes: 100}).Content)
			v = New(Options{Retain: 100})
			v.Write([]byte("a" + r[:k]))
			p := v.Plan(view.Limit{Bytes: 100})
			require.Equal(t, "a"+strings.Repeat("\uFFFD", k), p.Content, "the end comes in the middle of a rune")
			require.False(t, p.Complete)
		}
	}
}

func TestClustersStayWhole(t *testing.T) {
	clusters := []string{"🇩🇪", "🇫🇷", "👨‍👩‍👧‍👦", "e\u0301", "क्षि", "👍🏽", "각", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"}
	for _, c := range append(clusters, strings.Repeat("🇩🇪", 20)) {
		src := strings.Repeat(c, 60)
		for b := int64(0); b < 200; b++ {
			for _, ends := range []Ends{Head, Tail, HeadAndTail} {
				p := planOf(Options{Ends: ends}, src, b)
				one := c
				if strings.HasPrefix(c, "🇩🇪🇩🇪") {
					one = "🇩🇪"
				}
				require.Zero(t, len(p.Content)%len(one), "%q at %d", c, b)
				require.Empty(t, strings.ReplaceAll(p.Content, one, ""))
				require.LessOrEqual(t, min(b, int64(len(src)))-int64(len(p.Content)), int64(2*len(one)), "%q at %d, ends %d", c, b, ends)
			}
		}
	}
}

// A cluster that is too long to be kept whole is cut between runes, and that is
// counted.
func TestLongClusterIsCutAndCounted(t *testing.T) {
	src := "e" + strings.Repeat("\u0301", 500)
	p := planOf(Options{Ends: Head}, src, 300)
	require.Equal(t, src[:255], p.Content)
	require.Equal(t, view.Transform{Name: ClusterCut, Count: 1}, transform(p, ClusterCut))
	v := atOnce(Options{Retain: 10, Count: view.Grapheme}, src)
	require.Equal(t, int64(8), v.Totals().Graphemes)
}

// A cluster that is as long as may be, but whole, was not cut.
func TestClusterOfMaxBytesIsWhole(t *testing.T) {
	src := strings.Repeat("ee"+strings.Repeat("\u0301", 63), 20)
	p := planOf(Options{Ends: Head}, src, 300)
	require.Equal(t, src[:257], p.Content)
	require.Empty(t, p.Transforms)
}

func TestGBKIsRecognised(t *testing.T) {
	src := "\xb4\xed\xce\xf3\xa3\xba\xce\xc4\xbc\xfe\xb2\xbb\xb4\xe6\xd4\xda\n"
	p := planOf(Options{}, strings.Repeat(src, 10), 60)
	require.Equal(t, "错误：文件不存在\n错误：文件不存在\n", p.Content)
	require.Equal(t, []view.Range{{Start: 0, End: 17}, {Start: 153, End: 170}}, p.Bytes, "ranges are of the source")
	require.Equal(t, view.Transform{Name: "decoded:gbk", Count: 1}, p.Transforms[0])
	require.False(t, p.Exact)
	q := planOf(Options{Charset: "utf-8"}, src, 200)
	require.Positive(t, transform(q, InvalidUTF8).Count)
}

func TestInvisibleMegabytesAreCut(t *testing.T) {
	for _, s := range []string{"\n", "\x00", "\x1b[31m", "\u0301", "\u200b", "\r", "\b", " \b", "\x1b]8;;x\x07", "\ufeff", "\r\n"} {
		src := "x" + strings.Repeat(s, (2<<20)/len(s))
		for _, raw := range []bool{false, true} {
			p := planOf(Options{Raw: raw}, src, 1000)
			require.LessOrEqual(t, len(p.Content), 1000)
			require.NotEmpty(t, p.Bytes)
		}
	}
}

func TestLongLinesPageToTheirEnd(t *testing.T) {
	for _, c := range []struct {
		reason, src string
		limit       int64
	}{
		{"one line of 32 KB, limit 30 KB", strings.Repeat("x", 32<<10), 30 << 10},
		{"5 lines of 100 KB", strings.Repeat(strings.Repeat("y", 100<<10)+"\n", 5), 16 << 10},
		{"a short line, then 1 MB", "short\n" + strings.Repeat("z", 1<<20), 16 << 10},
		{"limit+1 lines", "x1\nx2\nx3", 6},
		{"limit+1 lines and a line feed", "x1\nx2\nx3\n", 6},
		{"a progress bar whose last state does not fit", strings.Repeat("10%\r", 300) + strings.Repeat("=", 700) + "\n", MinBytes},
	} {
		for _, ends := range []Ends{Head, Tail, HeadAndTail} {
			total, pages := 0, 0
			p := planOf(Options{Ends: ends}, c.src, c.limit)
			for rest := p.Rest; ; {
				for _, r := range p.Bytes {
					total += int(r.Len())
				}
				if len(rest) == 0 {
					break
				}
				r := rest[0]
				p = planOf(Options{Unit: r.Unit, From: r.From, To: r.To}, c.src, c.limit)
				require.NotEmpty(t, p.Bytes, c.reason)
				rest = append(append([]view.Rest{}, p.Rest...), rest[1:]...)
				pages++
				require.Less(t, pages, 2000)
			}
			require.Equal(t, len(c.src), total, c.reason)
		}
	}
}

func TestLastLineCountsWithOrWithoutLineFeed(t *testing.T) {
	for _, src := range []string{"x1\nx2\nx3", "x1\nx2\nx3\n"} {
		v := atOnce(Options{Retain: 100, Ends: Head}, src)
		p := v.Plan(view.Limit{Bytes: 100, Unit: view.Line, N: 2})
		require.Equal(t, int64(3), p.UnitTotal)
		require.Equal(t, "x1\nx2\n", p.Content)
		require.Equal(t, view.Line, p.Rest[0].Unit)
		require.Equal(t, int64(2), p.Rest[0].From)
		require.Equal(t, int64(3), p.Rest[0].To)
		page := planOf(Options{Unit: view.Line, From: 2, To: 3}, src, 100)
		require.Equal(t, src[6:], page.Content)
		require.Empty(t, page.Rest)
	}
}

func TestWindowBehindTheEndIsEmpty(t *testing.T) {
	for _, unit := range []view.Unit{view.Line, view.Byte} {
		for _, from := range []int64{3, 4, 9, 1 << 62, -1 << 62, -1} {
			src := "a\nb\nc"
			if unit == view.Byte {
				src = "abc"
			}
			p := planOf(Options{Unit: unit, From: from}, src, 100)
			if from < 0 {
				require.Equal(t, src, p.Content)
				continue
			}
			require.Empty(t, p.Content, "%d", from)
			require.Empty(t, p.Rest)
			require.False(t, p.Complete)
			require.Equal(t, lineCount(src), p.UnitTotal)
		}
	}
}

func TestOnlyLineFeedEndsALine(t *testing.T) {
	p := planOf(Options{}, "a\u2028b\u0085c\vd\fe\r\nf", 200)
	require.Equal(t, "a<U+2028>b<U+0085>c␋d␌e\r\nf", p.Content)
	require.Equal(t, int64(2), p.UnitTotal)
	require.Equal(t, int64(2), transform(p, Controls).Count)
	require.Equal(t, int64(2), transform(p, Hidden).Count)
	require.True(t, p.Complete, "what was made visible is not lost")
	require.False(t, p.Exact)
}

func TestTrueTail(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 3<<20; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	b.WriteString("FAIL\n")
	p := planOf(Options{Ends: Tail}, b.String(), 1<<20)
	require.True(t, strings.HasSuffix(p.Content, "\nFAIL\n"))
	require.True(t, strings.HasSuffix(b.String(), p.Content))
	require.Greater(t, len(p.Content), 1<<20-20)
	require.Equal(t, int64(b.Len()), p.Bytes[0].End)
}

func TestErrorAtTheStartAndSummaryAtTheEnd(t *testing.T) {
	src := "start\nsetup\nerror: the cause\n" + strings.Repeat("noise of a build\n", 20000) + "3 failed\n2 skipped\nexit 1\n"
	p := planOf(Options{}, src, 400)
	require.Contains(t, p.Content, "error: the cause\n")
	require.True(t, strings.HasSuffix(p.Content, "3 failed\n2 skipped\nexit 1\n"))
	require.Equal(t, int64(20006), p.UnitTotal)
}

func TestFoldingIsWhatATerminalShows(t *testing.T) {
	for _, c := range []struct {
		src, want string
		folded    int64
		complete  bool
	}{
		{"a\rb\rc\n", "c\n", 4, false},
		{"10%\r20%\r100%\n", "100%\n", 8, false},
		{"Hello\rHi\x1b[K", "Hi", 9, false},
		{"a\r\nb\r\n", "a\r\nb\r\n", 0, true},
		{"a\r\r\nb", "a\r\nb", 1, true},
		{"done\r", "done", 1, true},
		{"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link", 0, false},
		{"\x1b[31mred\x1b[0m", "red", 0, true},
		{"ab\bc", "ac", 2, false},
		{"N\bNA\bA", "NA", 4, true},
		{"\x1b[2Jx", "␛[2Jx", 0, true},
		{"\x1b[900Gx", "␛[900Gx", 0, true}, // shorter than nine hundred blanks
		{"xe\u0301y\rab", "aby", 5, false}, // one column, one cluster
	} {
		p := planOf(Options{}, c.src, 200)
		require.Equal(t, c.want, p.Content, "%q", c.src)
		require.Equal(t, c.folded, transform(p, Folded).Count, "%q", c.src)
		require.Equal(t, c.complete, p.Complete, "%q", c.src)
		require.Equal(t, []view.Range{{Start: 0, End: int64(len(c.src))}}, p.Bytes)
		raw := planOf(Options{Raw: true}, c.src, 200)
		require.Equal(t, c.src, raw.Content)
		require.True(t, raw.Exact)
	}
}

// A progress bar of 50 MB on one line, with a log before and after it, needs the
// room of its last state.
func TestEndlessProgressBar(t *testing.T) {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	v := New(Options{Retain: 4096})
	for i := range 2000 {
		fmt.Fprintf(v, "line %d of the log\n", i)
	}
	bar := []byte(strings.Repeat("\rdownloading 12% [==>      ]", 2000))
	for n := 0; n < 50<<20; n += len(bar) {
		v.Write(bar)
	}
	v.Write([]byte("\rdownloading 100% [========]\ndone\n"))
	require.Less(t, heap()-before, int64(1<<20))
	p := v.Plan(view.Limit{Bytes: 4096})
	require.True(t, strings.HasSuffix(p.Content, "line 1999 of the log\ndownloading 100% [========]\ndone\n"), "%q", p.Content)
	require.Equal(t, int64(2002), p.UnitTotal)
	require.Less(t, int64(50<<20), transform(p, Folded).Count)
	require.LessOrEqual(t, len(p.Content), 4096)
	runtime.KeepAlive(v)
}

// What a terminal leaves of the end of a long line does not depend on where the part of
// it begins that is kept, and so not on the limit.
func TestTheEndOfALongLineIsTheSameAtEveryLimit(t *testing.T) {
	for _, end := range []string{"\x1b[X" + strings.Repeat("\x1b]8;;http://x\x1b\\", 3), "end\rE", "\b\b..", "x\x1b[5Gy", "\rE" + strings.Repeat("y", 900)} {
		for _, after := range []string{"", "\n", "\nlast\n"} {
			src := strings.Repeat("x", 18_500) + end + after
			var before view.Plan
			for n := int64(16); n < 1200; n += 1 + n/16 {
				o := Options{Retain: n, Ends: Tail, Charset: "utf-8"}
				v := read(o, src, func() int { return int(n) })
				p := v.Plan(view.Limit{Bytes: n})
				for _, r := range before.Bytes {
					require.True(t, contained(r, p.Bytes), "%v at %d is not in %v: …%q", r, n, p.Bytes, end+after)
				}
				before = p
			}
		}
	}
}

func TestCapsHold(t *testing.T) {
	src := strings.Repeat("0123456789", 100)
	for _, b := range []int64{200, 50, 10, 1, 0} {
		for _, ends := range []Ends{Head, Tail, HeadAndTail} {
			p := planOf(Options{Ends: ends}, src, b)
			require.Equal(t, int(b), len(p.Content))
		}
	}
}

// Bytes of a text that grows for ever do not pile up.
func TestLaw14MemoryIsBounded(t *testing.T) {
	for _, c := range []struct {
		reason string
		o      Options
		chunk  string
	}{
		{"a log", Options{}, strings.Repeat("2026-11-29 INFO something happened\n", 1000)},
		{"one line", Options{}, strings.Repeat("x", 32<<10)},
		{"one line of colours", Options{}, strings.Repeat("\x1b[31mx\x1b[0m", 3<<10)},
		{"colours alone", Options{}, strings.Repeat("\x1b[31m\x1b[m", 3<<10)},
		{"flags", Options{}, strings.Repeat("🇩🇪", 4<<10)},
		{"marks", Options{}, strings.Repeat("\u0301", 16<<10)},
		{"no UTF-8", Options{}, strings.Repeat("\xff\xfe", 16<<10)},
		{"GBK", Options{Charset: "gbk"}, strings.Repeat("a\xb4\xed\xce\xf3b\n", 2<<10)},
		{"GBK progress", Options{Charset: "gbk"}, strings.Repeat("\ra\xb4\xed\xce\xf3b", 2<<10)},
		{"UTF-16", Options{Charset: "utf-16le"}, strings.Repeat("a\x00-N\n\x00", 4<<10)},
		{"repeated lines", Options{Fold: true}, strings.Repeat("the same\n", 4<<10)},
		{"pairs of lines", Options{Fold: true}, strings.Repeat("one\ntwo\n", 4<<10)},
		{"repeated lines in GBK", Options{Fold: true, Charset: "gbk"}, strings.Repeat("a\xb4\xed\xce\xf3b\n", 2<<10)},
		{"GBK behind a window", Options{Charset: "gbk", Unit: view.Line, To: 3}, strings.Repeat("a\xb4\xed\xce\xf3b\n", 2<<10)},
		{"GBK before a window", Options{Charset: "gbk", Unit: view.Byte, From: 1 << 40}, strings.Repeat("a\xb4\xed\xce\xf3b\n", 2<<10)},
		{"an unfinished sequence", Options{}, "\x1b]0;" + strings.Repeat("x", 32<<10)},
		{"graphemes counted", Options{Count: view.Grapheme}, strings.Repeat("e\u0301", 8<<10)},
	} {
		c.o.Retain = 4096
		v := New(c.o)
		var m runtime.MemStats
		measure := func() int64 {
			runtime.GC()
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		for range 20 {
			v.Write([]byte(c.chunk))
		}
		before := measure()
		for range 80 {
			v.Write([]byte(c.chunk))
		}
		grown := measure() - before
		require.Less(t, grown, int64(200<<10), c.reason)
		v.End()
		require.LessOrEqual(t, len(v.Plan(view.Limit{Bytes: 4096}).Content), 4096, c.reason)
		runtime.KeepAlive(v)
	}
}

// The middle of a log costs no allocation for a line.
func TestNoAllocationPerLine(t *testing.T) {
	v := New(Options{Retain: 1024})
	chunk := []byte(strings.Repeat("2026-11-29 INFO something happened\n", 1000))
	for range 10 {
		v.Write(chunk)
	}
	require.Less(t, testing.AllocsPerRun(50, func() { v.Write(chunk) }), 2.0)
}

// Work is linear: ten times the hostile bytes take about ten times as long.
func TestLinearTime(t *testing.T) {
	for _, s := range []string{"\u0301", "🇩🇪", "\x1b[", "\x1b]", "\r", "\b ", "\x1b[500@a", "a\x1b[500P", "\xff", "\x1b[K\t", "x\r\n"} {
		took := func(n int) time.Duration {
			src := []byte(strings.Repeat(s, n/len(s)))
			best := time.Hour
			for range 3 {
				start := time.Now()
				v := New(Options{Retain: 2000})
				v.Write(src)
				v.Plan(view.Limit{Bytes: 2000})
				best = min(best, time.Since(start))
			}
			return best
		}
		small, large := took(100<<10), took(1000<<10)
		require.Less(t, large, 40*small+100*time.Millisecond, "%q: %v then %v", s, small, large)
	}
}

// A limit beyond what was retained is that limit: nothing is shown that a smaller
// Retain could not show.
func TestLimitIsAtMostRetain(t *testing.T) {
	v := atOnce(Options{Retain: 100}, strings.Repeat("0123456789\n", 5000))
	require.Equal(t, v.Plan(view.Limit{Bytes: 100}), v.Plan(view.Limit{Bytes: 1 << 40}))
	require.Equal(t, v.Plan(view.Limit{Bytes: 0}), v.Plan(view.Limit{Bytes: -1, N: -1}))
}

// A limit in lines counts the line that has no line feed.
func TestLimitInLines(t *testing.T) {
	src := "1\n2\n3\n4\n5"
	for n, want := range []string{"", "5", "1\n5", "1\n2\n5", "1\n2\n4\n5", src} {
		if n == 1 {
			want = "1\n" // one line is no line for the tail's half
		}
		p := atOnce(Options{Retain: 100}, src).Plan(view.Limit{Bytes: 100, Unit: view.Line, N: int64(n)})
		require.Equal(t, want, p.Content, "%d lines", n)
		p = atOnce(Options{Retain: 100, Ends: Tail}, src).Plan(view.Limit{Bytes: 100, Unit: view.Line, N: int64(n)})
		require.Equal(t, src[min(len(src), max(0, 10-2*n)):], p.Content, "%d lines of the end", n)
	}
}

// A source of a byte order mark alone has no text: nothing is missing, but the
// bytes are not the same.
func TestMarkAlone(t *testing.T) {
	p := planOf(Options{}, "\xef\xbb\xbf", 100)
	require.Empty(t, p.Content)
	require.True(t, p.Complete)
	require.False(t, p.Exact)
	require.Zero(t, p.UnitTotal)
}

// At MinBytes something of every window is shown, also of what grows most when it
// is made visible.
func TestMinBytesShowsSomething(t *testing.T) {
	for r := rune(0); r <= 0xE0FFF; r++ {
		if r >= 0x80 && !visible.Hidden(r) || r > 0xE0020 && r%131 != 0 {
			continue
		}
		for _, s := range []string{string(r), "e" + string(r), "\x1b" + string(r)} {
			p := planOf(Options{Ends: Head}, strings.Repeat(s, 300), MinBytes)
			require.NotEmpty(t, p.Bytes, "%+q", s)
		}
	}
	for _, s := range []string{"\x1b[" + strings.Repeat("1", 61) + "A", "\x1b]0;" + strings.Repeat("x", 4000) + "\a"} {
		p := planOf(Options{Ends: Head}, strings.Repeat(s, 300), MinBytes)
		require.NotEmpty(t, p.Bytes, "%+q", s)
	}
}

// Sequences are counted one by one, also where one follows another, and also
// where text in one of them makes the loss.
func TestRemovedSequencesAreCounted(t *testing.T) {
	p := planOf(Options{}, "\x1b[1m\x1b[31mred\x1b[0m\x1b[?25h", 100)
	require.Equal(t, []view.Transform{{Name: Codes, Count: 4}}, p.Transforms)
	p = planOf(Options{}, "\x1b[1m\x1b]8;;http://x\a\x1b[31mlink\x1b]8;;\a", 100)
	require.Equal(t, []view.Transform{{Name: Codes, Count: 4, Loses: true}}, p.Transforms)
}
