package graphemes_test

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	uax29 "github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/graphemes"
)

func ExampleNext() {
	for b := []byte("e\u0301🇩🇪!"); len(b) > 0; {
		n := graphemes.Next(b, true)
		fmt.Printf("%+q\n", b[:n])
		b = b[n:]
	}
	// Output:
	// "e\u0301"
	// "\U0001f1e9\U0001f1ea"
	// "!"
}

// case17 is one line of GraphemeBreakTest.
type case17 struct {
	line  string
	text  string
	edges []int // boundaries inside
}

func breakTest(t *testing.T) []case17 {
	f, err := os.Open("testdata/GraphemeBreakTest-17.0.0.txt")
	require.NoError(t, err)
	defer f.Close()
	var cases []case17
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := case17{line: line}
		for i, word := range strings.Fields(line) {
			switch {
			case word == "÷" && i > 0:
				c.edges = append(c.edges, len(c.text))
			case word != "÷" && word != "×":
				r, err := strconv.ParseUint(word, 16, 32)
				require.NoError(t, err)
				c.text += string(rune(r))
			}
		}
		cases = append(cases, c)
	}
	require.Len(t, cases, 766)
	return cases
}

// Every boundary of GraphemeBreakTest is found, and no other.
func TestNextPassesGraphemeBreakTest(t *testing.T) {
	for _, c := range breakTest(t) {
		var edges []int
		for at := 0; at < len(c.text); {
			at += graphemes.Next([]byte(c.text[at:]), true)
			edges = append(edges, at)
		}
		require.Equal(t, c.edges, edges, c.line)
	}
}

// Certain says yes only where GraphemeBreakTest has a boundary, whatever stands
// before.
func TestCertainPassesGraphemeBreakTest(t *testing.T) {
	certain := 0
	for _, c := range breakTest(t) {
		for i, r := range c.text {
			if i == 0 {
				continue
			}
			p, _ := utf8.DecodeLastRuneInString(c.text[:i])
			if graphemes.Certain(p, r) {
				certain++
				require.Contains(t, c.edges, i, c.line)
			}
		}
	}
	require.Greater(t, certain, 200)
}

// sample draws text in which clusters are long and rules meet.
func sample(t *rapid.T) string {
	parts := rapid.SliceOf(rapid.SampledFrom([]string{
		"a", "中", "\r", "\n", "e", "\u0301", "\u200d", "👨", "🏽", "🇩", "क", "\u094d", "ष", "\u093f", "ᄀ", "ᅡ", "ᆨ", "각", "\u0600",
		"\xff", "\xe2\x82", "\ufe0f", strings.Repeat("\u0301", 70), strings.Repeat("🇩", 33),
	})).Draw(t, "parts")
	return strings.Join(parts, "")
}

// naive splits valid UTF-8 by the segmenter, and what is not byte by byte.
func naive(s string) []string {
	var out []string
	for len(s) > 0 {
		n := 0
		for n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			n += size
		}
		if n == 0 {
			out, s = append(out, s[:1]), s[1:]
			continue
		}
		c := uax29.FromString(s[:n])
		c.Next()
		k := len(c.Value())
		for k > graphemes.Max || !utf8.RuneStart(append([]byte(s), 'x')[k]) {
			k = min(k-1, graphemes.Max)
		}
		out, s = append(out, s[:k]), s[k:]
	}
	return out
}

// Next is the segmenter on the whole text, with clusters of more than Max bytes
// cut between runes.
func TestNextEqualsSegmentingTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sample(t)
		var got []string
		for b := []byte(s); len(b) > 0; {
			n := graphemes.Next(b, true)
			require.Positive(t, n)
			require.LessOrEqual(t, n, graphemes.Max)
			got = append(got, string(b[:n]))
			b = b[n:]
		}
		require.Equal(t, naive(s), got)
		require.Equal(t, int64(len(got)), graphemes.Count([]byte(s)))
	})
}

// What Next says of a start of the text it says of the whole; and it says
// something as soon as it has Max bytes and a rune.
func TestNextWaitsUntilItIsSure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sample(t)
		k := rapid.IntRange(0, len(s)).Draw(t, "k")
		n := graphemes.Next([]byte(s[:k]), false)
		if n != 0 {
			require.Equal(t, graphemes.Next([]byte(s), true), n)
		}
		if k >= graphemes.Max+2*utf8.UTFMax {
			require.NotZero(t, n)
		}
	})
}

// A certain boundary is one of the whole text.
func TestSyncFindsBoundariesOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sample(t)
		edges := map[int]bool{}
		at := 0
		for _, c := range naive(s) {
			at += len(c)
			edges[at] = true
		}
		k := rapid.IntRange(0, len(s)).Draw(t, "k")
		if n := graphemes.Sync([]byte(s[k:])); n >= 0 {
			require.Positive(t, n)
			require.True(t, edges[k+n], "%+q at %d", s, k+n)
		}
	})
}

// Boundary tells a cluster that was cut from one that ended.
func TestBoundaryTellsCutsFromEnds(t *testing.T) {
	long := []byte("e" + strings.Repeat("\u0301", 100) + "x")
	n := graphemes.Next(long, true)
	require.Equal(t, 127, n)
	require.False(t, graphemes.Boundary(long, n))
	require.True(t, graphemes.Boundary([]byte("e\u0301x"), 3))
}
