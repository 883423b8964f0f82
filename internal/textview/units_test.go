package textview

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/terminal"
	"github.com/toolclip/toolclip/internal/tokens"
	"github.com/toolclip/toolclip/internal/view"
)

// naiveUnits are the places in src at which its runes or clusters end, by definition.
func naiveUnits(unit view.Unit, src string) map[int64]bool {
	ends := map[int64]bool{}
	for at := 0; at < len(src); {
		stop := len(src)
		if unit == view.Grapheme && src[at] == '\x1b' {
			_, _, n := terminal.Sequence([]byte(src[at:]), true)
			stop = at + n
		}
		for at < stop {
			n := 1
			if unit == view.Rune {
				_, n = utf8.DecodeRuneInString(src[at:])
			} else {
				n = graphemes.Next([]byte(src[at:stop]), true)
			}
			at += n
			ends[int64(at)] = true
			if unit == view.Grapheme && stop == len(src) {
				break // an escape sequence may follow
			}
		}
	}
	return ends
}

// checkUnits compares what p says of src in runes or clusters with the definition.
func checkUnits(t require.TestingT, unit view.Unit, src string, p view.Plan) {
	o := p.Omissions[1]
	require.Equal(t, unit, o.Unit)
	ends := naiveUnits(unit, src)
	var shown int64
	for _, r := range p.Bytes {
		require.True(t, r.Start == 0 || ends[r.Start], "what is shown begins inside a unit, at %d", r.Start)
		require.True(t, ends[r.End], "what is shown ends inside a unit, at %d", r.End)
		for e := range ends {
			if r.Start < e && e <= r.End {
				shown++
			}
		}
	}
	require.Equal(t, int64(len(ends)), o.Total)
	require.Equal(t, shown, o.Shown)
}

// Runes and clusters that are shown are counted in the source, whatever folding,
// removed colours and pictures of control characters have made of them.
func TestLaw05UnitsOfTheBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := plainStart(text(t))
		o, l := options(t, len(src)), limit(t, len(src))
		o.Retain, o.Count = l.Bytes, pick(t, "unit of the budget", []view.Unit{view.Rune, view.Grapheme})
		p := atOnce(o, src).Plan(l)
		switch len(p.Omissions) {
		case 1:
			window := o.Unit == view.Byte && (o.From > 0 || o.To > 0)
			require.True(t, o.Count == view.Grapheme && (window || len(src) > slack), "always known but then")
		case 2:
			checkUnits(t, o.Count, src, p)
		}
	})
}

func FuzzUnits(f *testing.F) {
	for i, s := range append(particles, long...) {
		f.Add([]byte(s+particles[(i*5)%len(particles)]+"\n"+s), uint16(i*3), uint8(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, bytes uint16, bits uint8) {
		src := plainStart(string(b))
		o := Options{
			Retain: int64(bytes), Charset: "utf-8", Raw: bits&1 != 0, Fold: bits&2 != 0,
			Ends: Ends(bits >> 2 & 3), Count: []view.Unit{view.Rune, view.Grapheme}[bits>>4&1],
		}
		if p := atOnce(o, src).Plan(view.Limit{Bytes: int64(bytes)}); len(p.Omissions) == 2 {
			checkUnits(t, o.Count, src, p)
		}
	})
}

// A progress bar of which the last state is shown stands for all that came.
func TestFoldedTextIsCountedAsItCame(t *testing.T) {
	src := strings.Repeat("50%\r", 100000) + "100%\nlast\n" + strings.Repeat("x\n", 1000)
	for unit, total := range map[view.Unit]int64{view.Rune: 402010, view.Grapheme: 402010} {
		v := atOnce(Options{Retain: 40, Ends: Head, Count: unit}, src)
		p := v.Plan(view.Limit{Bytes: 40})
		require.True(t, strings.HasPrefix(p.Content, "100%\nlast\n"), "%q", p.Content)
		require.Equal(t, view.Omission{Unit: unit, Shown: 400010 + int64(len(p.Content)-10), Total: total}, p.Omissions[1])
	}
}

// What is no text is seen wherever it stands, not only where it is shown.
func TestInvalidBytesAnywhereAreSeen(t *testing.T) {
	for _, unit := range []view.Unit{view.Rune, view.Grapheme} {
		for src, invalid := range map[string]bool{
			"":           false,
			"中文e\u0301":  false,
			"\uFFFD":     false,
			"a\xffb":     true,
			"中\xe4\xb8":  true,
			"\xe4\xb8\n": true,
		} {
			for _, step := range []int{1, len(src) + 1} {
				v := read(Options{Count: unit, Charset: "utf-8"}, src, func() int { return step })
				require.Equal(t, invalid, v.Totals().Invalid, "%q", src)
			}
		}
	}
	// Where an encoding can't decode something, that is no text either.
	v := atOnce(Options{Count: view.Rune, Charset: "shift_jis"}, "\x82\xa0\xff")
	require.True(t, v.Totals().Invalid)
	require.Equal(t, int64(2), v.Totals().Runes)
}

// The estimate is that of the text, after decoding, in any pieces.
func TestTokensAreEstimatedOverTheText(t *testing.T) {
	src := strings.Repeat("请求处理完成 request served 200\n", 500)
	want := tokens.Estimate([]byte(src))
	for _, step := range []int{1, 7, 1 << 20} {
		v := read(Options{Tokens: true}, src, func() int { return step })
		require.Equal(t, want, v.Totals().Tokens)
	}
	require.Equal(t, int64(-1), atOnce(Options{}, src).Totals().Tokens)
	wide := "\xff\xfe" + strings.Join(strings.Split("hello world", ""), "\x00") + "\x00"
	require.Equal(t, tokens.Estimate([]byte("hello world")), atOnce(Options{Tokens: true}, wide).Totals().Tokens)
}
