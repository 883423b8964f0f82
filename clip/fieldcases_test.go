package clip_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
)

// Inputs that broke other tools, and what is right. The number in a name is that
// of the kind, the rest says what must hold.

func TestCase01CutBeforeARuneThatDoesNotFit(t *testing.T) {
	src := strings.Repeat("a", 199) + "字" + strings.Repeat("b", 50)
	p, err := clip.Text([]byte(src), clip.Bytes(200), clip.Show{Ends: clip.Head})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("a", 199), p.Content)
	require.False(t, p.View.Complete)
	require.Equal(t, coverage.Exactly(252), p.View.ByteTotal)
}

func TestCase02TheUnitIsTheOneThatWasNamed(t *testing.T) {
	src := strings.Repeat("字", 40_000)
	c := newClipper(t, clip.Config{Budget: clip.Runes(25_000)})
	e, err := c.Clip(ctx, src)
	require.NoError(t, err)
	n := utf8.RuneCountInString(e.Text())
	require.LessOrEqual(t, n, 25_000)
	require.Greater(t, n, 24_000, "runes, not bytes")
	require.Contains(t, e.Text(), "budget 25000")
}

func TestCase04TheBudgetHoldsAfterReplacement(t *testing.T) {
	p, err := clip.Text(bytes.Repeat([]byte{0xff}, 3000), clip.Bytes(2000), clip.Show{MediaType: "text/plain", Charset: "utf-8"})
	require.NoError(t, err)
	require.LessOrEqual(t, len(p.Content), 2000)
	require.True(t, utf8.ValidString(p.Content))
}

func TestCase07WholeClustersAtTheCut(t *testing.T) {
	for _, cluster := range []string{"🇫🇷", "👩‍👩‍👧‍👦", "e\u0301", "क्ष"} {
		src := strings.Repeat(cluster, 20)
		for n := range len(src) + 1 {
			p, err := clip.Text([]byte(src), clip.Bytes(n), clip.Show{Ends: clip.Head})
			require.NoError(t, err)
			require.Zero(t, len(p.Content)%len(cluster), "%d bytes: %q", n, p.Content)
			require.LessOrEqual(t, len(p.Content), n)
		}
	}
}

func TestCase09TheBudgetCutsZeroWidthContent(t *testing.T) {
	for _, bit := range []string{"\n", "\x00", "\x1b[31m", "\u0301", "\u200b"} {
		src := "x" + strings.Repeat(bit, 2<<20/len(bit))
		e, err := newClipper(t, clip.Config{}).Clip(ctx, src)
		require.NoError(t, err)
		require.LessOrEqual(t, len(e.Text()), clip.DefaultBytes, "%q", bit)
	}
}

func TestCase10AStringIsShortenedInside(t *testing.T) {
	src := `{"results":[{"text":"` + strings.Repeat("word ", 12_000) + `"}]}`
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(50_000)}).Clip(ctx, json.RawMessage(src))
	require.NoError(t, err)
	require.True(t, json.Valid([]byte(e.Content)))
	var doc struct{ Results []struct{ Text string } }
	require.NoError(t, json.Unmarshal([]byte(e.Content), &doc))
	require.NotEmpty(t, doc.Results[0].Text)
	require.Contains(t, pointers(e.View.Omissions), "/results/0/text")
}

func TestCase14ShownOfTotalIsSaid(t *testing.T) {
	var slugs []string
	for i := range 53 {
		slugs = append(slugs, fmt.Sprintf("r%d", i))
	}
	p, err := json.Marshal(map[string]any{"slugs": slugs})
	require.NoError(t, err)
	part, err := clip.JSON(p, clip.Bytes(200), clip.Show{})
	require.NoError(t, err)
	require.Equal(t, coverage.Exactly(53), part.View.Omissions[0].Total)
	require.Equal(t, "/slugs", part.View.Omissions[0].Pointer)
	require.Positive(t, part.View.Omissions[0].Shown)
}

func TestCase15NumbersAreThoseOfTheSource(t *testing.T) {
	row := `{"id":9007199254740993,"q":-4185925123159566327,"w":18446744073709551617,"f":1.0,"e":1E400}`
	src := "[" + strings.TrimSuffix(strings.Repeat(row+",", 500), ",") + "]"
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(2000)}).Clip(ctx, json.RawMessage(src))
	require.NoError(t, err)
	require.Contains(t, e.Content, row)
	require.Empty(t, strings.ReplaceAll(strings.Trim(e.Content, "[]"), ",", "")[:0])
	for _, got := range strings.SplitAfter(strings.Trim(e.Content, "[]"), "},") {
		require.Equal(t, row, strings.TrimSuffix(got, ","))
	}
}

func TestCase25TotalsDoNotDependOnTheLastNewline(t *testing.T) {
	for _, src := range []string{"x1\nx2\nx3", "x1\nx2\nx3\n"} {
		p, err := clip.Text([]byte(src), clip.Lines(2), clip.Show{Ends: clip.Head})
		require.NoError(t, err)
		require.Equal(t, "x1\nx2\n", p.Content)
		require.Equal(t, coverage.Exactly(3), p.View.UnitTotal)
	}
}

func TestCase35TheTailIsTheTail(t *testing.T) {
	src := lines("numbered line with some text", 90_000) + "FAIL\n"
	e, err := newClipper(t, clip.Config{}).Clip(ctx, strings.NewReader(src))
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(e.Content, "FAIL\n"))
	require.Equal(t, coverage.Exactly(int64(len(src))), e.View.ByteTotal)
}

func TestCase38HeadAndTailOfALog(t *testing.T) {
	src := "start\nok\nERROR first\n" + lines("noise", 20_000) + "3 failed\n2 passed\ndone\n"
	e, err := newClipper(t, clip.Config{}).Clip(ctx, src)
	require.NoError(t, err)
	require.Contains(t, e.Content, "ERROR first")
	require.Contains(t, e.Content, "3 failed\n2 passed\ndone\n")
}

func TestCase39TheLimitThatFiredIsNamed(t *testing.T) {
	e, err := newClipper(t, clip.Config{Budget: clip.Lines(10)}).Clip(ctx, lines("x", 1000))
	require.NoError(t, err)
	last := e.Reasons[len(e.Reasons)-1]
	require.Equal(t, coverage.OverBudget, last.Code)
	require.Equal(t, coverage.Line, last.Unit)
	require.Equal(t, int64(10), last.Limit)
	require.LessOrEqual(t, strings.Count(e.Content, "\n"), 10)
}

func TestCase41NeverAboveTheCapAndTwiceIsOnce(t *testing.T) {
	src := strings.Repeat("0123456789", 100)
	for _, n := range []int{200, 50, 10, 0} {
		p, err := clip.Text([]byte(src), clip.Bytes(n), clip.Show{})
		require.NoError(t, err)
		require.LessOrEqual(t, len(p.Content), n)
		again, err := clip.Text([]byte(p.Content), clip.Bytes(n), clip.Show{})
		require.NoError(t, err)
		require.Equal(t, p.Content, again.Content)
	}
}

func TestCase44ASecretAcrossTheCutIsGone(t *testing.T) {
	secret := "sk-" + strings.Repeat("a1b2", 10)
	re := clip.RedactRegexp(64, regexp.MustCompile(`sk-[a-z0-9]{20,}`))
	store := artifact.NewMemory(nil)
	for at := 900; at < 1100; at += 3 {
		src := strings.Repeat("x", at) + " " + secret + " " + strings.Repeat("y", 2000)
		c := newClipper(t, clip.Config{Budget: clip.Bytes(1500), Redact: re, Store: store, Show: clip.Show{Ends: clip.Head}})
		e, err := c.Clip(ctx, strings.NewReader(src))
		require.NoError(t, err)
		require.NotContains(t, e.Text(), "sk-")
		require.NotContains(t, e.Text(), "a1b2")
		require.Equal(t, coverage.Exactly(int64(len(src)-len(secret)+len("[redacted]"))), e.View.ByteTotal)
		require.Contains(t, codesOf(e.Reasons), coverage.Redacted)
	}
}

func TestCase08ALegacyEncodingIsDecodedAndSaid(t *testing.T) {
	gbk := []byte("\xc4\xe3\xba\xc3\xa3\xac\xca\xc0\xbd\xe7\n") // 你好，世界
	for name, r := range map[string]clip.Result{
		"declared with the type": {Content: gbk, MediaType: "text/plain; charset=gbk"},
		"detected":               {Content: bytes.Repeat(gbk, 20)},
	} {
		e, err := newClipper(t, clip.Config{Store: artifact.NewMemory(nil)}).Clip(ctx, r)
		require.NoError(t, err)
		require.Contains(t, e.Content, "你好，世界", name)
		require.True(t, e.View.Complete, name)
		require.False(t, e.View.Exact, name)
		require.NotEmpty(t, e.View.Transforms, name)
		require.Equal(t, e.View.ByteTotal.Value, e.Artifact.Size, "the artifact has the raw bytes")
	}
}
