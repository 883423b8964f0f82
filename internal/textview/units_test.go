package textview

import (
	"fmt"
	"slices"
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
func naiveUnits(unit view.Unit, src string) []int64 {
	var ends []int64
	b := []byte(src)
	for at := 0; at < len(src); {
		stop := len(src)
		if unit == view.Grapheme && src[at] == '\x1b' {
			_, _, n := terminal.Sequence(b[at:], true)
			stop = at + n
		}
		for at < stop {
			n := 1
			if unit == view.Rune {
				_, n = utf8.DecodeRune(b[at:])
			} else {
				n = graphemes.Next(b[at:stop], true)
			}
			at += n
			ends = append(ends, int64(at))
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
	for _, r := range p.Bytes {
		require.True(t, r.Start == 0 || slices.Contains(ends, r.Start), "what is shown begins inside a unit, at %d", r.Start)
		require.Contains(t, ends, r.End, "what is shown ends inside a unit")
	}
	require.Equal(t, view.Omission{Unit: unit, Shown: unitsIn(ends, p.Bytes), Total: int64(len(ends))}, o)
}

// unitsIn is how many of the units with these ends lie in rs.
func unitsIn(ends []int64, rs []view.Range) (n int64) {
	for _, r := range rs {
		first, _ := slices.BinarySearch(ends, r.Start+1)
		last, _ := slices.BinarySearch(ends, r.End+1)
		n += int64(last - first)
	}
	return n
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
			Retain: int64(bytes), Charset: "utf-8", Raw: bits&1 != 0, Fold: bits&2 != 0, Document: bits&32 != 0,
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

// Sources on which the ways that text takes to what is shown differ: folded in the head
// and on the way to the tail, removed, made visible, told as repetitions.
func TestUnitsOnEveryWay(t *testing.T) {
	long := func(s string, n int) string { return strings.Repeat(s, n/len(s)+1) }
	sources := map[string]string{
		"pieces as long, with fewer runes":    long("中\u034fa\u0301\u034f", 3000),
		"a progress bar in Chinese":           "x\n" + long("50% 完成\r", 20_000) + "100% 完成\nlast\n",
		"one without an end":                  "x\n" + long("50% e\u0301\r", 20_000),
		"a row that is only coloured":         "x\n" + long("\x1b[31m中\x1b[0m", 20_000) + "\rz\nlast\n",
		"a row longer folded than it came":    "x\n" + long("中\x1b[900Gy\n", 30_000),
		"a row of text behind a movement":     "x\n\r" + long("中文 text ", 70_000) + "\nlast\n",
		"movements behind a long row of text": "x\n" + long("中文 text ", 70_000) + long("\b\b", 30_000) + "\nlast\n",
		"longer folded, behind many colours":  "x\n" + long("\x1b[31m", 6_000) + "中\x1b[1000Gy\nlast\n",
		"a row of movements that are shown":   "x\n" + long("\x1b[900G中\x1b[1G", 20_000) + "\nlast\n",
		"a row of text that begins in one":    "x\n\x1b[2K" + long("中", 6_000) + "\x1b[0m" + long("文", 70_000) + "\nlast\n",
		"lines that repeat":                   "x\n" + long("eine Zeile é\n", 3_000) + "y\n" + long("z\n", 20_000),
	}
	var filler string
	for i := range 9000 {
		filler += fmt.Sprintf("line %d\n", i)
	}
	whole := map[string]string{}
	for name, body := range sources {
		whole[name+", before text"], whole[name+", behind text"] = body+"\n"+filler, filler+body
	}
	for name, src := range whole {
		for _, unit := range []view.Unit{view.Rune, view.Grapheme} {
			places := naiveUnits(unit, src)
			for _, ends := range []Ends{Head, Tail} {
				for _, bytes := range []int64{700, 90_000} {
					o := Options{Retain: bytes, Ends: ends, Count: unit, Charset: "utf-8", Fold: true}
					p := atOnce(o, src).Plan(view.Limit{Bytes: bytes})
					if bytes > 700 && len(p.Omissions) == 0 {
						continue // all of it
					}
					require.Len(t, p.Omissions, 2, "%s, %v, %d", name, ends, bytes)
					want := view.Omission{Unit: unit, Shown: unitsIn(places, p.Bytes), Total: int64(len(places))}
					require.Equal(t, want, p.Omissions[1], "%s, %v, %d", name, ends, bytes)
				}
			}
		}
	}
}

// Where a tail begins inside thousands of flags, nobody can tell how many it shows.
func TestClustersThatCanNotBeToldApartAreNotCounted(t *testing.T) {
	src := strings.Repeat("🇩🇪", 20_000)
	p := atOnce(Options{Retain: 900, Ends: Tail, Count: view.Grapheme}, src).Plan(view.Limit{Bytes: 900})
	require.Len(t, p.Omissions, 1)
	p = atOnce(Options{Retain: 900, Ends: Head, Count: view.Grapheme}, src).Plan(view.Limit{Bytes: 900})
	require.Len(t, p.Omissions, 2)
}
