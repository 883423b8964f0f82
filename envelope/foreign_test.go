package envelope

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestForeignTextIsOneVisibleLineWithinItsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, limit := genForeign().Draw(t, "s"), rapid.IntRange(0, 60).Draw(t, "limit")
		got := visible(s, limit)
		require.True(t, utf8.ValidString(got))
		if got != ellipsis {
			require.LessOrEqual(t, len(got), limit)
		}
		for _, r := range got {
			require.True(t, r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) || r == '\u200c' || r == '\u200d', "%q", r)
			require.NotEqual(t, '”', r)
		}
		require.Equal(t, visible(s, 1<<20), visible(s, 1<<20))
	})
}

func TestWhatIsCutIsSaidToBe(t *testing.T) {
	require.Equal(t, "ab…", visible("abcdefg", 5))
	require.Equal(t, "abcde", visible("abcde", 5))
	require.Equal(t, "…", visible("abcde", 2), "an ellipsis takes three bytes")
	require.Equal(t, "中…", visible("中文字", 8), "whole runes")
	require.Equal(t, "a…", visible("a\u202eb", 6), "whole escapes")
}

func TestWhatHasNoGlyphIsSpeltOut(t *testing.T) {
	for in, want := range map[string]string{
		"a\n\t b":       "a b",
		"\x1b[31mred":   `\u001b[31mred`,
		"a\u202eb":      `a\u202eb`,
		"\U000E0041":    `\U000e0041`,
		"\xff":          `\xff`,
		"\uFFFD":        "\uFFFD",
		"x”y":           `x\u201dy`,
		"👩\u200d👧":      "👩\u200d👧",
		"a\u200db":      `a\u200db`,
		"می\u200cخواهم": "می\u200cخواهم",
		"\u2028x":       "x",
	} {
		require.Equal(t, want, visible(in, 100), "%q", in)
	}
}

func TestNamesAreQuotedWhenTheyAreNoWords(t *testing.T) {
	require.Equal(t, "/a~1b/0", label("/a~1b/0", 99))
	require.Equal(t, "“a b”", label("a b", 99))
	require.Equal(t, "“a]”", label("a]", 99))
	require.Equal(t, "", label("", 99))
	require.Equal(t, "aaaaa…", label(strings.Repeat("a", 99), 8))
}
