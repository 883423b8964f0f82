package textview

import (
	"strings"

	"github.com/toolclip/toolclip/internal/charset"
	"github.com/toolclip/toolclip/internal/view"
	"pgregory.net/rapid"
)

// particles are the pieces of which generated texts are made: what real output has,
// and what breaks tools that cut.
var particles = []string{
	"a", "b ", "word ", "0123456789", "\n", "\n", "\n", "\r\n", "\t", "",
	"é", "中", "文字", "e\u0301", "👨‍👩‍👧‍👦", "🇩🇪", "🇫🇷", "👍🏽", "क्षि", "각", "ก็", "\u0600\u0031",
	"\x00", "\a", "\x1b", "\x7f", "\v", "\f", "\u0085", "\u2028",
	"\u200b", "\u202e", "\ufeff", "\U000E0041", "\u200d", "\ufe0f",
	"\xff", "\xe2\x82", "\xac", "\xf0\x9f", "\xed\xa0\x80", "\xc0\x80",
	"\r", "10%\r", "\b", "\b\b", "\x1b[K", "\x1b[2K\r", "\x1b[5G", "\x1b[3D", "\x1b[C", "\x1b[2P", "\x1b[@", "\x1b[X",
	"\x1b[31m", "\x1b[0m", "\x1b[1;32m", "\x1b]8;;http://x\x1b\\", "\x1b]8;;\x07", "\x1b]0;t\x07", "\x1b[2J", "\x1b[3A", "\x1b(B", "\x1b[",
	"\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", "م\u200cن",
}

// long is rarely drawn: what it takes to cross the engine's own thresholds.
var long = []string{
	strings.Repeat("x", 1025), strings.Repeat("中文", 300), strings.Repeat("ab cd\n", 300), strings.Repeat("\u0301", 200),
	strings.Repeat("\u034f", 64), strings.Repeat("e\u200d", 60), strings.Repeat("🇩🇪", 40), strings.Repeat("50%\r", 1500), strings.Repeat("y", 5000), strings.Repeat("\xff", 700),
	strings.Repeat("\x1b[31mz\x1b[0m", 200), strings.Repeat("w", 2000) + "\r" + "v", strings.Repeat("same line\n", 50),
	strings.Repeat("7", 9000), strings.Repeat("中", 4000), strings.Repeat("spin\b\b\b\b", 800),
}

// uniform draws a number below n. rapid prefers small numbers, which would draw
// the first of a list again and again.
func uniform(t *rapid.T, label string, n int) int {
	x := rapid.Uint64().Draw(t, label)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(n))
}

func pick[T any](t *rapid.T, label string, list []T) T { return list[uniform(t, label, len(list))] }

// text draws a text of up to some dozens of tokens.
func text(t *rapid.T) string {
	var b strings.Builder
	n := uniform(t, "tokens", 40)
	for range n {
		if uniform(t, "kind", 30) == 0 {
			b.WriteString(pick(t, "long", long))
		} else {
			b.WriteString(strings.Repeat(pick(t, "token", particles), pick(t, "times", []int{1, 1, 1, 1, 2, 7})))
		}
	}
	return b.String()
}

// options draws any options, for a source of size bytes that is taken as UTF-8.
func options(t *rapid.T, size int) Options {
	o := Options{
		Ends:      pick(t, "ends", []Ends{DefaultEnds, Head, Tail, HeadAndTail}),
		TailShare: pick(t, "share", []float64{0, 0.1, 0.5, 0.9, 1}),
		Charset:   "utf-8",
		Raw:       uniform(t, "raw", 3) == 0,
		Fold:      uniform(t, "fold", 6) == 0,
		Document:  uniform(t, "document", 3) == 0,
		Count:     pick(t, "count", []view.Unit{view.Byte, view.Byte, view.Rune, view.Grapheme}),
		Tokens:    uniform(t, "estimate", 4) == 0,
	}
	if uniform(t, "window", 3) == 0 {
		o.Unit = pick(t, "unit", []view.Unit{view.Line, view.Byte})
		most := size + 2
		if o.Unit == view.Line {
			most = 12
		}
		o.From, o.To = int64(uniform(t, "from", most)), int64(uniform(t, "to", most))
	}
	return o
}

// limit draws a limit for a source of size bytes: tiny, some of it, or all of it.
func limit(t *rapid.T, size int) view.Limit {
	l := view.Limit{Bytes: int64(uniform(t, "bytes", pick(t, "scale", []int{60, 400, size + 1})))}
	if uniform(t, "whole", 4) == 0 {
		l.Bytes = int64(3*size + 400)
	}
	l.Unit = pick(t, "limit unit", []view.Unit{view.Byte, view.Byte, view.Byte, view.Rune, view.Grapheme, view.Line})
	l.N = int64(uniform(t, "n", pick(t, "n scale", []int{4, 60, size + 1})))
	return l
}

// read gives src to a View in pieces of the lengths that next returns.
func read(o Options, src string, next func() int) *View {
	v := New(o)
	for len(src) > 0 {
		n := min(max(next(), 1), len(src))
		v.Write([]byte(src[:n]))
		src = src[n:]
	}
	v.End()
	return v
}

func atOnce(o Options, src string) *View {
	return read(o, src, func() int { return len(src) })
}

// plainStart makes sure that no byte order mark begins s, so that the text's
// bytes are the source's.
func plainStart(s string) string {
	if _, n := charset.Mark([]byte(s)); n > 0 {
		return "." + s
	}
	return s
}
