package textview

import (
	"regexp"
	"strings"

	"github.com/toolclip/toolclip/internal/charset"
	"github.com/toolclip/toolclip/internal/view"
	"pgregory.net/rapid"
)

// tokens are the pieces of which generated texts are made: what real output has,
// and what breaks tools that cut.
var tokens = []string{
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
	strings.Repeat("🇩🇪", 40), strings.Repeat("50%\r", 1500), strings.Repeat("y", 5000), strings.Repeat("\xff", 700),
	strings.Repeat("\x1b[31mz\x1b[0m", 200), strings.Repeat("w", 2000) + "\r" + "v", strings.Repeat("same line\n", 50),
	strings.Repeat("7", 9000), strings.Repeat("中", 4000), strings.Repeat("spin\b\b\b\b", 800),
}

// text draws a text of up to some dozens of tokens.
func text(t *rapid.T) string {
	var b strings.Builder
	n := rapid.IntRange(0, 40).Draw(t, "tokens")
	for range n {
		if rapid.IntRange(0, 24).Draw(t, "kind") == 0 {
			b.WriteString(rapid.SampledFrom(long).Draw(t, "long"))
		} else {
			s := rapid.SampledFrom(tokens).Draw(t, "token")
			b.WriteString(strings.Repeat(s, rapid.SampledFrom([]int{1, 1, 1, 2, 7}).Draw(t, "times")))
		}
	}
	return b.String()
}

var patterns = []*regexp.Regexp{
	regexp.MustCompile("中"), regexp.MustCompile("0123"), regexp.MustCompile(`(?i)LINE|x{3}`), regexp.MustCompile("^a|b $"),
	regexp.MustCompile("yy+|7"), regexp.MustCompile(""),
}

// options draws any options, for a source of size bytes that is taken as UTF-8.
func options(t *rapid.T, size int) Options {
	o := Options{
		Ends:      rapid.SampledFrom([]Ends{DefaultEnds, Head, Tail, HeadAndTail}).Draw(t, "ends"),
		TailShare: rapid.SampledFrom([]float64{0, 0.1, 0.5, 0.9, 1}).Draw(t, "share"),
		Charset:   "utf-8",
		Raw:       rapid.Bool().Draw(t, "raw"),
	}
	switch rapid.IntRange(0, 4).Draw(t, "selection") {
	case 0:
		o.Fold = true
	case 1:
		o.Around = rapid.SampledFrom(patterns).Draw(t, "around")
		o.Context = rapid.IntRange(0, 3).Draw(t, "context")
	}
	if rapid.IntRange(0, 2).Draw(t, "window") == 0 {
		o.Unit = rapid.SampledFrom([]view.Unit{view.Line, view.Byte}).Draw(t, "unit")
		most := size + 2
		if o.Unit == view.Line {
			most = 12
		}
		o.From = int64(rapid.IntRange(0, most).Draw(t, "from"))
		o.To = int64(rapid.IntRange(0, most).Draw(t, "to"))
	}
	return o
}

// limit draws a limit; small ones more often.
func limit(t *rapid.T) view.Limit {
	return view.Limit{
		Bytes: int64(rapid.OneOf(rapid.IntRange(0, 200), rapid.IntRange(0, 9000)).Draw(t, "bytes")),
		Unit:  rapid.SampledFrom([]view.Unit{view.Byte, view.Byte, view.Rune, view.Grapheme, view.Line}).Draw(t, "limit unit"),
		N:     int64(rapid.IntRange(0, 60).Draw(t, "n")),
	}
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
