package tokens_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/tokens"
)

func ExampleBound() {
	for _, s := range []string{"internationalization", "12345678", "                x", "错误", "\xff"} {
		fmt.Println(len(s), tokens.Bound([]byte(s)))
	}
	// Output:
	// 20 13
	// 8 3
	// 17 2
	// 6 4
	// 1 3
}

// The bound is never above the bytes of the text once its invalid bytes are
// replaced, and never 0 for something.
func TestBoundIsAtMostBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) })).Draw(t, "p")
		n := tokens.Bound(p)
		require.LessOrEqual(t, n, len(replaced(p)))
		require.Equal(t, len(p) == 0, n == 0)
	})
}

// replaced has three bytes for each that is invalid.
func replaced(p []byte) string {
	var b strings.Builder
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		b.WriteRune(r)
		p = p[n:]
	}
	return b.String()
}

// More text never has a smaller bound: a budget in tokens can be filled from the
// start.
func TestBoundGrowsWithTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "the ", " ", "  ", "1", "23", "中", "'s", "(\"", "/", "\n", "X", "é", "🎉"})).Draw(t, "s"), "")
		last := 0
		for i := range s {
			n := tokens.Bound([]byte(s[:i]))
			require.GreaterOrEqual(t, n, last, "%q", s[:i])
			last = n
		}
		require.GreaterOrEqual(t, tokens.Bound([]byte(s)), last)
	})
}

// The hand-made cases behind the proof's steps.
func TestBoundSteps(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         int
	}{
		{"nothing", "", 0},
		{"one byte is one token", "a", 1},
		{"a pair that is a token", "th", 1},
		{"a pair that is none", "bq", 2},
		{"upper then lower", "Th", 1},
		{"lower then upper are split", "tH", 2},
		{"a space belongs to its word", " t", 1},
		{"digits go in threes", "1234567", 3},
		{"digits beside a superscript may be split elsewhere", "123²", 5},
		{"79 spaces and one that joins", strings.Repeat(" ", 80) + "x", 2},
		{"spaces at the end", strings.Repeat(" ", 79), 2},
		{"a contraction may end a piece", "'th", 3},
		{"marks in a run", `":`, 1},
		{"a slash may belong to the line feed before", "\n/(", 3},
		{"three bytes of a frequent character", "中", 2},
	} {
		require.Equal(t, c.want, tokens.Bound([]byte(c.text)), c.reason)
	}
}

// The estimate depends on the text alone, not on the pieces in which it comes.
func TestEstimateInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := []byte(rapid.String().Draw(t, "p"))
		var e tokens.Estimator
		for rest := p; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			e.Write(rest[:n])
			rest = rest[n:]
		}
		require.Equal(t, tokens.Estimate(p), e.Tokens())
	})
}

func ExampleEstimate() {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 100)
	fmt.Println(tokens.Estimate([]byte(text)), tokens.Bound([]byte(text)))
	// Output: 1024 3100
}
