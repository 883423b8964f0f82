package tokencount

import (
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer"
	"pgregory.net/rapid"
)

// encodings are the counters with the patterns as tiktoken writes them. The group at
// the end changes nothing; it keeps regexp2 from taking code that was generated for
// the same pattern and splits runs of white space at every line feed.
var encodings = []struct {
	name    string
	counter func() *counter
	codec   tokenizer.Encoding
	pattern *regexp2.Regexp
}{
	{"o200k_base", o200k, tokenizer.O200kBase, regexp2.MustCompile(`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+(?:)`, regexp2.None)},
	{"cl100k_base", cl100k, tokenizer.Cl100kBase, regexp2.MustCompile(`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+(?:)`, regexp2.None)},
}

// matches are the pieces of s by the regular expression.
func matches(t require.TestingT, re *regexp2.Regexp, s string) []string {
	var out []string
	m, err := re.FindStringMatch(s)
	for ; m != nil; m, err = re.FindNextMatch(m) {
		out = append(out, m.String())
	}
	require.NoError(t, err)
	return out
}

func pieces(piece func(string) int, s string) []string {
	var out []string
	for len(s) > 0 {
		n := piece(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// hostile draws texts on which a splitter can go wrong: case that changes, letters
// without case, marks behind anything, contractions, digits of many scripts, white
// space of all kinds.
func hostile() *rapid.Generator[string] {
	alphabets := []string{
		"abcXYZ", "aA中あʰǅ\u0301\u0903'", "'sStTrReEvVlLmMdDſ", "019²½٣Ⅷ", " \t\n\r\u00a0\u0085\u2028\u3000\u000b\u000c\u001c",
		"!/-_.'\"#(){}<|>", "é中한ไทยनमस्ते", "🎉👨‍👩‍👧🇩🇪👍🏽", "\x00\x1b\x7f\u200d\ufeff\ufffd", " \n x/",
	}
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "runs") {
			runes := []rune(rapid.SampledFrom(alphabets).Draw(t, "alphabet"))
			for range rapid.IntRange(1, 6).Draw(t, "length") {
				b.WriteRune(rapid.SampledFrom(runes).Draw(t, "rune"))
			}
		}
		return b.String()
	})
}

// texts are many, for they are short.
func texts(t *rapid.T) []string { return rapid.SliceOfN(hostile(), 50, 50).Draw(t, "texts") }

func TestPiecesAreThoseOfThePattern(t *testing.T) {
	for _, e := range encodings {
		t.Run(e.name, func(t *testing.T) {
			piece := e.counter().piece
			rapid.Check(t, func(t *rapid.T) {
				for _, s := range texts(t) {
					require.Equal(t, matches(t, e.pattern, s), pieces(piece, s), "%q", s)
				}
			})
		})
	}
}

// The cases that tell the encodings and their patterns apart.
func TestPieces(t *testing.T) {
	for _, c := range []struct{ text, o200k, cl100k string }{
		{"Hello world", "Hello| world", "Hello| world"},
		{"camelCaseHTTPServer", "camel|Case|HTTPServer", "camelCaseHTTPServer"},
		{"I'll don't", "I'll| don't", "I|'ll| don|'t"},
		{"中AB", "中|AB", "中AB"},
		{"12345", "123|45", "123|45"},
		{"a/b\n/", "a|/b|\n|/", "a|/b|\n|/"},
		{"x;\n/y", "x|;\n/|y", "x|;\n|/y"},
		{" \n  \n\n x", " \n  \n\n| x", " \n  \n\n| x"},
		{"   x", "  | x", "  | x"},
		{"e\u0301", "e\u0301", "e|\u0301"},
	} {
		require.Equal(t, c.o200k, strings.Join(pieces(o200kPiece, c.text), "|"), "o200k_base: %q", c.text)
		require.Equal(t, c.cl100k, strings.Join(pieces(cl100kPiece, c.text), "|"), "cl100k_base: %q", c.text)
	}
}

// feedsWithin reports whether s has white space in which something stands between two
// line feeds: the tokenizer's own splitter takes that for several pieces.
func feedsWithin(s string) bool {
	for _, run := range strings.FieldsFunc(s, func(r rune) bool { return classOf(r) != space }) {
		if strings.ContainsAny(strings.TrimRight(run, "\r\n"), "\r\n") {
			return true
		}
	}
	return false
}

func TestCountsAreThoseOfTheTokenizer(t *testing.T) {
	for _, e := range encodings {
		t.Run(e.name, func(t *testing.T) {
			codec, err := tokenizer.Get(e.codec)
			require.NoError(t, err)
			rapid.Check(t, func(t *rapid.T) {
				for _, s := range texts(t) {
					agree(t, e.counter(), codec, s)
				}
			})
		})
	}
}

// agree checks a count against the tokenizer's, where that splits as its pattern says
// and passes over nothing (in cl100k_base it passes over U+007F).
func agree(t require.TestingT, c *counter, codec tokenizer.Codec, s string) {
	if feedsWithin(s) || strings.TrimSpace(s) != s || unassigned(s) {
		return
	}
	ids, words, err := codec.Encode(s)
	require.NoError(t, err)
	if strings.Join(words, "") == s {
		require.Equal(t, len(ids), c.CountTokens([]byte(s)), "%q", s)
	}
}

func TestVocabulariesAreWhole(t *testing.T) {
	for i, words := range []int{199998, 100256} {
		v := encodings[i].counter().words
		require.Len(t, v, words)
		for b := range 256 {
			_, ok := v[string([]byte{byte(b)})]
			require.True(t, ok, "every byte is a token, so that nothing is ever left out: %#x", b)
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"", "Hello, world!\n", "<|endoftext|>", "中AB\u0301'ſ", " \n  \n\n x", strings.Repeat("ab", 200)} {
		f.Add(s)
	}
	var codecs []tokenizer.Codec
	for _, e := range encodings {
		codec, err := tokenizer.Get(e.codec)
		require.NoError(f, err)
		codecs = append(codecs, codec)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "\uFFFD")
		for i, e := range encodings {
			require.Equal(t, matches(t, e.pattern, s), pieces(e.counter().piece, s), "%q", s)
			agree(t, e.counter(), codecs[i], s)
		}
	})
}

// naive merges as the definition says: the leftmost pair with the lowest rank, again
// and again.
func naive(v vocabulary, piece string) int {
	if _, ok := v[piece]; ok {
		return 1
	}
	var parts []string
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := uint32(noRank), -1
		for i := range len(parts) - 1 {
			if rank, ok := v[parts[i]+parts[i+1]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			return len(parts)
		}
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
}

func TestMergingIsThatOfTheDefinition(t *testing.T) {
	for _, e := range encodings {
		t.Run(e.name, func(t *testing.T) {
			v, m := e.counter().words, new(merger)
			rapid.Check(t, func(t *rapid.T) {
				runes := rapid.StringOfN(rapid.RuneFrom([]rune("aabbccinthe! é中한\u0301\n ")), 1, 60, -1)
				for _, piece := range rapid.SliceOfN(runes, 20, 20).Draw(t, "pieces") {
					require.Equal(t, naive(v, piece), m.count(v, piece), "%q", piece)
				}
			})
		})
	}
}
