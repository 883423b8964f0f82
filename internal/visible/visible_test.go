package visible_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/visible"
)

func ExampleAppendCluster() {
	for _, c := range []string{"a", "\u202e", "👩‍🚀", "e\u200d"} {
		out, n := visible.AppendCluster(nil, []byte(c), 0)
		fmt.Printf("%s %d\n", out, n)
	}
	// Output:
	// a 0
	// <U+202E> 1
	// 👩‍🚀 0
	// e<U+200D> 1
}

// show makes a text visible cluster by cluster.
func show(s string) (string, int) {
	var out []byte
	total := 0
	var prev rune
	for b := []byte(s); len(b) > 0; {
		n := graphemes.Next(b, true)
		var k int
		out, k = visible.AppendCluster(out, b[:n], prev)
		total += k
		prev, _ = utf8.DecodeLastRune(b[:n])
		b = b[n:]
	}
	return string(out), total
}

// Valid sequences stay; the same characters elsewhere are shown.
func TestValidSequencesStay(t *testing.T) {
	for _, s := range []string{
		"plain text, ünïcode, 中文, ไทย, العربية, हिन्दी",
		"👨‍👩‍👧‍👦", "🏳️‍🌈", "❤️", "❤︎", "1️⃣", "#️⃣", "👍🏽", "🧑🏽‍🚀",
		"\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", // England
		"می\u200cخواهم", // Persian with its non-joiner
		"क्\u200dष",     // a half form
		"葛\U000E0100",   // an ideographic variant
		"≨\uFE00",       // a mathematical one
		"ᠠ\u180b",       // a Mongolian one
		"e\u0301", "\u0600\u0661",
	} {
		got, n := show(s)
		require.Equal(t, s, got)
		require.Zero(t, n)
	}
}

func TestHiddenCharactersAreShown(t *testing.T) {
	for _, c := range []struct{ reason, in, want string }{
		{"right-to-left override", "a\u202eb", "a<U+202E>b"},
		{"isolates", "\u2066x\u2069", "<U+2066>x<U+2069>"},
		{"zero-width space", "pass\u200bword", "pass<U+200B>word"},
		{"a mark inside", "a\ufeffb", "a<U+FEFF>b"},
		{"soft hyphen", "a\u00adb", "a<U+00AD>b"},
		{"C1 control", "a\u009b31m", "a<U+009B>31m"},
		{"line separator", "a\u2028b", "a<U+2028>b"},
		{"a joiner between letters that do not join", "a\u200db", "a<U+200D>b"},
		{"a joiner at the start", "\u200da", "<U+200D>a"},
		{"two joiners", "م\u200c\u200cن", "م\u200c<U+200C>ن"},
		{"a selector on a letter", "a\ufe0f", "a<U+FE0F>"},
		{"a selector on a selector", "❤\ufe0f\ufe0f", "❤\ufe0f<U+FE0F>"},
		{"selectors that carry bytes", "😀\U000E0101\U000E0102", "😀<U+E0101><U+E0102>"},
		{"tags without a flag", "x\U000E0041\U000E0042", "x<U+E0041><U+E0042>"},
		{"a flag with a message", "\U0001F3F4" + strings.Repeat("\U000E0061", 7) + "\U000E007F", "\U0001F3F4" + strings.Repeat("<U+E0061>", 7) + "<U+E007F>"},
		{"a flag that does not end", "\U0001F3F4\U000E0067\U000E0062\U000E0065", "\U0001F3F4<U+E0067><U+E0062><U+E0065>"},
		{"Hangul filler", "a\u3164b", "a<U+3164>b"},
	} {
		got, n := show(c.in)
		require.Equal(t, c.want, got, c.reason)
		require.Equal(t, strings.Count(c.want, "<U+"), n, c.reason)
	}
}

// What comes out has no format character except in sequences, is valid UTF-8,
// and is the input where nothing was hidden.
func TestOutputHidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.ToValidUTF8(rapid.String().Draw(t, "s"), "")
		got, n := show(s)
		require.True(t, utf8.ValidString(got))
		if n == 0 {
			require.Equal(t, s, got)
		} else {
			require.Greater(t, len(got), len(s))
		}
		for _, r := range got {
			require.False(t, unicode.Is(unicode.Bidi_Control, r))
		}
	})
}

// Every C0 control has a picture of its own.
func TestControlPictures(t *testing.T) {
	require.Equal(t, '␛', visible.Control(0x1b))
	require.Equal(t, '␀', visible.Control(0))
	require.Equal(t, '␡', visible.Control(0x7f))
	require.Equal(t, '␍', visible.Control('\r'))
}

// The tables agree with those of the standard library where it has them.
func TestHiddenAgreesWithUnicode(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		switch {
		case unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Join_Control, r),
			unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r),
			0x80 <= r && r < 0xA0:
			require.True(t, visible.Hidden(r), "%U", r)
		case unicode.IsGraphic(r) && !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Mn, r) && visible.Hidden(r):
			require.True(t, r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 || r >= 0xFFF0 && r <= 0xFFFB, "%U", r)
		}
	}
}
