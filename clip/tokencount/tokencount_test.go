package tokencount

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/clip"
)

var both = []struct {
	name  string
	count func(string) int
}{
	{"o200k_base", func(s string) int { return O200k().CountTokens([]byte(s)) }},
	{"cl100k_base", func(s string) int { return Cl100k().CountTokens([]byte(s)) }},
}

// The counts are those that OpenAI's tools give.
func TestCountsThatAreKnown(t *testing.T) {
	for _, c := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"", 0, 0},
		{"hello world", 2, 2},
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
		{"a\n\nb\n\nc", 5, 5},
	} {
		require.Equal(t, c.o200k, both[0].count(c.text), "%q in o200k_base", c.text)
		require.Equal(t, c.cl100k, both[1].count(c.text), "%q in cl100k_base", c.text)
	}
}

// A special token in a text is text: its one id is the provider's alone to write.
func TestSpecialTokensInATextAreText(t *testing.T) {
	for _, s := range []string{"<|endoftext|>", "<|endofprompt|>", "<|im_start|>", "<|fim_prefix|>", "<|start|>", "<|channel|>"} {
		for _, e := range both {
			require.Greater(t, e.count(s), 3, "%s in %s", s, e.name)
			require.GreaterOrEqual(t, e.count("x"+s+"y"), e.count(s), "%s in %s", s, e.name)
		}
	}
}

// Whatever a sender puts in the place of bytes that are no UTF-8, no less is counted.
func TestInvalidBytesCountAsWhatReplacesThem(t *testing.T) {
	for name, s := range map[string]string{
		"a byte":                 "\xff",
		"a lone surrogate":       "x\xed\xa0\x80y",
		"a pair of surrogates":   "\xed\xa0\xbd\xed\xb8\x80",
		"a rune that was cut":    "abc\xe4\xb8",
		"an overlong form":       "\xc0\xaf",
		"a hundred bytes":        strings.Repeat("\xfe", 100),
		"a hundred cut runes":    strings.Repeat("\xe4\xb8", 100),
		"a rune behind a start":  "\xe4\xb8\xe4\xb8\xad",
		"beyond the last rune":   "\xf4\x90\x80\x80",
		"a start in the Latin 1": "caf\xe9 au lait",
	} {
		for _, e := range both {
			n := e.count(s)
			require.GreaterOrEqual(t, n, e.count(eachByte(s)), "%s in %s", name, e.name)
			require.GreaterOrEqual(t, n, e.count(eachSubpart(s)), "%s in %s", name, e.name)
		}
	}
}

func TestEachMaximalSubpartIsOneReplacement(t *testing.T) {
	// The example of the Unicode Standard, table 3-8, and those below it.
	for s, want := range map[string]string{
		"\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64": "a\ufffd\ufffd\ufffdb\ufffdc\ufffd\ufffdd",
		"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41":                 strings.Repeat("\ufffd", 8) + "A",
		"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41":                 strings.Repeat("\ufffd", 8) + "A",
		"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42":                 strings.Repeat("\ufffd", 5) + "A\ufffd\ufffdB",
		"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41":                 strings.Repeat("\ufffd", 4) + "A",
	} {
		require.Equal(t, want, eachSubpart(s), "%q", s)
	}
}

// The bound that is the default is one: no text has more tokens than it says.
func TestTheBoundHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, s := range texts(t) {
			for _, e := range both {
				require.LessOrEqual(t, e.count(s), clip.TokenBound.CountTokens([]byte(s)), "%q in %s", s, e.name)
			}
		}
	})
}

// A character that is newer than this build may be a letter or not; then the bound
// counts, which does not depend on it.
func TestCharactersOfTheFutureAreBounded(t *testing.T) {
	s := strings.Repeat("the internationalization \U0003FFF0", 50) // of a plane that nobody has assigned anything in
	require.True(t, unassigned(s))
	for _, c := range []*counter{o200k(), cl100k()} {
		bound, pieces := clip.TokenBound.CountTokens([]byte(s)), 0
		for rest := s; len(rest) > 0; {
			k := c.piece(rest)
			pieces += new(merger).count(c.words, rest[:k])
			rest = rest[k:]
		}
		require.Greater(t, bound, pieces)
		require.Equal(t, bound, c.count(s))
	}
	require.False(t, unassigned("a é中한🎉\u200d\ue000\U0001F1E9"), "private use and joiners are assigned")
}

// Newer patterns of cl100k_base take white space at the end of a text for one piece,
// also where it holds a line feed; older ones end a piece there. The tokens are as many.
func TestSpacesAtTheEnd(t *testing.T) {
	c, m := cl100k(), new(merger)
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.SampledFrom([]string{"\n", "\r\n", "\t", " ", "    ", "\n\n", "\u00a0", "\u3000"}), 1, 12)
		s := strings.Join(runs.Draw(t, "white space"), "")
		require.Equal(t, m.count(c.words, s), c.count(s), "%q", s)
	})
}

func TestCountersAreSafeForConcurrentUse(t *testing.T) {
	texts := []string{strings.Repeat("The quick brown fox. ", 50), strings.Repeat("中文字符", 100), strings.Repeat("a", 3000), " \n \n"}
	for _, e := range both {
		want := make([]int, len(texts))
		for i, s := range texts {
			want[i] = e.count(s)
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for i, s := range texts {
					if e.count(s) != want[i] {
						t.Errorf("%s: another count of text %d", e.name, i)
					}
				}
			})
		}
		wg.Wait()
	}
}

// Thirty-two times the text takes some hundred times as long at the most (caches and
// heaps are part of it), and not a thousand times: what makes tokenizers slow is one
// endless piece, and white space that is read again and again.
func TestCountingIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures times")
	}
	for _, unit := range []string{"中", "a", "A", " ", "\n", " \n", "\t\r", "!", "7", "\u0301", "🇩", "中A", "'s", "\xff"} {
		for _, e := range both {
			short, long := strings.Repeat(unit, 4096), strings.Repeat(unit, 32*4096)
			e.count(short)
			least := timeOf(e.count, short)
			for range 2 {
				least = min(least, timeOf(e.count, short))
			}
			most := timeOf(e.count, long)
			for range 3 { // another program may have had the processor
				if most >= 500*least {
					most = min(most, timeOf(e.count, long))
				}
			}
			require.Less(t, most, 500*least, "%q in %s", unit, e.name)
		}
	}
}

func timeOf(count func(string) int, s string) time.Duration {
	start := time.Now()
	count(s)
	return time.Since(start)
}
