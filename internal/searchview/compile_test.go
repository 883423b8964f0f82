package searchview

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestCompileTakesWhatModelsWrite(t *testing.T) {
	for _, c := range []struct {
		pattern string
		literal bool
		want    string
	}{
		{`timeout`, false, `timeout`},
		{`a.b`, true, `a\.b`},
		{`.*error.*`, false, `error`},
		{`.*?error.*?`, false, `error`},
		{`(?i).*error`, false, `(?i)error`},
		{`^.*error.*$`, false, `^.*error.*$`},
		{`.*`, false, `.*`},
		{`error\.*`, false, `error\.*`},
		{`a|.*`, false, `a|.*`},
		{`.*a|.*b`, false, `.*a|.*b`},
		{`.*(x|y)z.*`, false, `(x|y)z`},
		{`.*x*`, false, `.*x*`}, // without .* it would match between any two characters
		{`[.*]`, false, `[.*]`},
		{`中.*文`, false, `中.*文`},
	} {
		re, err := Compile(c.pattern, c.literal, 0)
		require.NoError(t, err, c.pattern)
		require.Equal(t, c.want, re.String())
	}
}

func TestCompileSaysWhatToChange(t *testing.T) {
	for _, c := range []struct {
		pattern string
		literal bool
		want    string
	}{
		{"", false, "empty"},
		{strings.Repeat("a", 1025), false, "1025 bytes, at most 1024"},
		{"a\xff", false, "UTF-8"},
		{"a\nb", true, "never spans lines"},
		{`a\nb`, false, "use $"},
		{`a[\n]`, false, "use $"},
		{`a(?=b)`, false, "no lookaround"},
		{`(a)\1`, false, `"\\1"`},
		{`a(b`, false, `set "literal" to true`},
		{`[z-a]`, false, `"z-a"`},
		{`(.{1,1000}x|.{1,1000}y){2}`, false, "counts go to 1000"},
		{`(.{1,600}x|.{1,600}y)z`, false, "instructions, at most 2000"},
		{`*a`, false, "missing argument"},
		{strings.Repeat("(", 1000) + strings.Repeat(")", 20), false, "can't be read"},
	} {
		re, err := Compile(c.pattern, c.literal, 0)
		require.ErrorContains(t, err, c.want, c.pattern)
		require.Nil(t, re)
		require.Less(t, len(err.Error()), 400)
	}
}

func FuzzCompile(f *testing.F) {
	for _, p := range patterns {
		f.Add(p, false, "ab\nneedle")
	}
	f.Add(`(?i).*É.*`, false, "x\xffé")
	f.Fuzz(func(t *testing.T, pattern string, literal bool, line string) {
		re, err := Compile(pattern, literal, 0)
		if err != nil {
			require.True(t, utf8.ValidString(err.Error()))
			require.Less(t, len(err.Error()), 1000)
			return
		}
		line = strings.ReplaceAll(line, "\n", "")
		want := regexp.QuoteMeta(pattern)
		if !literal {
			want = pattern
		}
		require.Equal(t, regexp.MustCompile(want).MatchString(line), re.MatchString(line), "the same lines")
	})
}
