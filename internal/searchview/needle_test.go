package searchview

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestANeedleStandsInEveryMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t, 20)
		p := newProgram(drawExpr(t))
		for _, m := range p.re.FindAllIndex(text, -1) {
			if p.needs != nil {
				require.GreaterOrEqual(t, p.needs.index(text[m[0]:m[1]]), 0, "%q in %q", p.needs.text, text[m[0]:m[1]])
			}
			if p.prefix != nil {
				require.Zero(t, p.prefix.index(text[m[0]:m[1]]), "%q in %q", p.prefix.text, text[m[0]:m[1]])
			}
		}
	})
}

func TestANeedleInEitherCaseIsWhereRegexpFindsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.SampledFrom([]rune("aAbBzZ1-e")), 1, 4, -1).Draw(t, "word")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aAbBzZ1-eé")), 0, 40, -1).Draw(t, "text")
		n := foldNeedle([]rune(word))
		want := -1
		if m := regexp.MustCompile("(?i)" + regexp.QuoteMeta(word)).FindStringIndex(text); m != nil {
			want = m[0]
		}
		require.Equal(t, want, n.index([]byte(text)))
	})
}

func TestWhatIsKnownOfAnExpression(t *testing.T) {
	for _, c := range []struct{ pattern, needs, prefix, literal string }{
		{`needle`, "needle", "needle", "needle"},
		{`needle\d+`, "needle", "needle", ""},
		{`a.*needle`, "needle", "a", ""},
		{`(?i)needle`, "needle", "needle", ""},
		{`(?i)kubernetes`, "ubernete", "", ""}, // k and s have a third form
		{`(?i)Straße`, "tra", "", ""},
		{`(needle)+`, "needle", "needle", ""},
		{`(needle)?`, "", "", ""},
		{`a|b`, "", "", ""},
		{`\bneedle`, "needle", "", ""},
		{`(?:ab){2,}`, "ab", "ab", ""},
		{"\uFFFD", "", "", ""}, // also matches what is no UTF-8
		{strings.Repeat("x", maxNeedle+1), "", "", ""},
	} {
		p := newProgram(regexp.MustCompile(c.pattern))
		require.Equal(t, c.needs, textOf(p.needs), c.pattern)
		require.Equal(t, c.prefix, textOf(p.prefix), c.pattern)
		require.Equal(t, c.literal, string(p.literal), c.pattern)
	}
}

func textOf(n *needle) string {
	if n == nil {
		return ""
	}
	return string(n.text)
}

func TestGroupsThatCaptureAreLeftOut(t *testing.T) {
	p := newProgram(regexp.MustCompile(`(a(b)|c)+(?i)(?P<name>d)$`))
	require.Zero(t, p.re.NumSubexp())
	require.Equal(t, `(a(b)|c)+(?i)(?P<name>d)$`, p.source)
}
