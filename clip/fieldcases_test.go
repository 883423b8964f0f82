package clip_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// Inputs that broke other tools, and what is right. The number in a name is that
// of the kind, the rest says what must hold.

// kept is a Clipper with a store and all calls.
func kept(t *testing.T, b clip.Budget) *clip.Clipper {
	return newClipper(t, clip.Config{Budget: b, Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
}

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

func TestCase03BothEndsOfAWindowAreOnRunes(t *testing.T) {
	src := strings.Repeat("汉字", 400) + " keyword " + strings.Repeat("漢字", 400)
	c := kept(t, clip.Budget{})
	e, err := c.Clip(ctx, src)
	require.NoError(t, err)
	at := int64(strings.Index(src, "keyword"))
	for from := at - 12; from <= at; from++ {
		p := page(t, c, e, clip.Show{Unit: coverage.Byte, At: from, To: from + 30})
		require.True(t, utf8.ValidString(p.Content), "%q", p.Content)
		require.NotContains(t, p.Content, "\uFFFD")
		require.Contains(t, p.Content, "keyword")
	}
}

func TestCase04TheBudgetHoldsAfterReplacement(t *testing.T) {
	p, err := clip.Text(bytes.Repeat([]byte{0xff}, 3000), clip.Bytes(2000), clip.Show{MediaType: "text/plain", Charset: "utf-8"})
	require.NoError(t, err)
	require.LessOrEqual(t, len(p.Content), 2000)
	require.True(t, utf8.ValidString(p.Content))
}

func TestCase05EverySplitOfARune(t *testing.T) {
	c := newClipper(t, clip.Config{})
	for _, r := range []string{"é", "€", "😀", "a€b😀c"} {
		for i := range len(r) + 1 {
			e, err := c.Clip(ctx, io.MultiReader(strings.NewReader(r[:i]), slow{strings.NewReader(r[i:]), time.Millisecond}))
			require.NoError(t, err)
			require.Equal(t, r, e.Content)
			require.True(t, e.View.Exact)
		}
	}
	e, err := c.Clip(ctx, "the end is missing: \xe2\x82")
	require.NoError(t, err)
	require.True(t, utf8.ValidString(e.Text()))
	require.False(t, e.View.Complete, "an end in the middle of a rune is said")
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

func TestCase09TheBudgetCutsZeroWidthContent(t *testing.T) {
	for _, bit := range []string{"\n", "\x00", "\x1b[31m", "\u0301", "\u200b"} {
		src := "x" + strings.Repeat(bit, 2<<20/len(bit))
		e, err := newClipper(t, clip.Config{}).Clip(ctx, src)
		require.NoError(t, err)
		require.LessOrEqual(t, len(e.Text()), clip.DefaultBytes, "%q", bit)
	}
}

func TestCase22LongLinesArePagedWithProgress(t *testing.T) {
	for name, src := range map[string]string{
		"one line":          strings.Repeat("0123456789abcdef", 2048),
		"five lines":        strings.Repeat(strings.Repeat("x", 100_000)+"\n", 5),
		"short, then large": "short\n" + strings.Repeat("y", 300_000),
	} {
		c := kept(t, clip.Bytes(30_000))
		e, err := c.Clip(ctx, src)
		require.NoError(t, err)
		require.LessOrEqual(t, len(e.Text()), 30_000, name)
		at, n := int64(0), 0
		var whole strings.Builder
		for at < int64(len(src)) {
			p := page(t, c, e, clip.Show{Unit: coverage.Byte, At: at})
			require.LessOrEqual(t, len(p.Text()), 30_000, "a page has a cap in bytes too")
			require.NotEmpty(t, p.Content, name)
			require.Equal(t, at, p.View.Bytes[0].Start)
			require.Equal(t, e.Artifact, p.Artifact, "reading creates no artifact")
			whole.WriteString(p.Content)
			at = p.View.Bytes[len(p.View.Bytes)-1].End
			n++
		}
		require.Equal(t, src, whole.String(), name)
		require.Less(t, n, 2+len(src)/20_000, name)
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

func TestCase26PositionsAtAndBehindTheEnd(t *testing.T) {
	c := kept(t, clip.Budget{})
	e, err := c.Clip(ctx, lines("line", 10))
	require.NoError(t, err)
	for _, show := range []clip.Show{{Unit: coverage.Line, At: 10}, {Unit: coverage.Line, At: 11}, {Unit: coverage.Line, At: 1 << 62}, {Unit: coverage.Byte, At: 1 << 62}} {
		p := page(t, c, e, show)
		require.Empty(t, p.Content, "never page 1 again")
		require.Equal(t, coverage.Exactly(10), p.View.UnitTotal)
		require.False(t, p.View.Complete)
		require.NotEmpty(t, p.Notice)
	}
	r, err := c.Config().Store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
	require.NoError(t, err)
	defer r.Close()
	for _, show := range []clip.Show{
		{Unit: coverage.Line, At: -1}, {Unit: coverage.Line, At: 5, To: 4}, {Unit: "page", At: 1}, {At: 5}, {To: 5}, {Tail: 1}, {Ends: 9},
		{Pointer: "a"}, {Pointer: "/a", Unit: coverage.Line}, {Pointer: "/a", Around: regexp.MustCompile("x")}, {Context: -1}, {Keep: []clip.Keep{{Op: "~"}}},
	} {
		p, err := c.Page(ctx, r, show)
		require.Error(t, err, "%+v", show)
		require.Equal(t, "bad_argument", p.Failure.Kind)
		require.Empty(t, p.Content)
	}
}

func TestCase33AMarkOfAbridgementIsNoData(t *testing.T) {
	src := "key = " + strings.Repeat("value ", 9000) + "\nother = 1\n"
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(2000)}).Clip(ctx, src)
	require.NoError(t, err)
	for _, line := range strings.Split(e.Text(), "\n") {
		ours := strings.HasPrefix(line, "-- "+e.Fence) || strings.HasPrefix(line, "[PARTIAL") || line == e.Notice[strings.LastIndexByte(e.Notice, '\n')+1:]
		require.True(t, ours || strings.Contains(src, line), "neither of the source nor under the fence: %.80q", line)
	}
}

func TestCase34OnlyLineFeedsEndLines(t *testing.T) {
	src := "a\u2028b\u0085c\vd\fe\r\nsecond\r\n"
	e, err := newClipper(t, clip.Config{Show: clip.Show{Raw: true}}).Clip(ctx, src)
	require.NoError(t, err)
	require.Equal(t, src, e.Content)
	require.Equal(t, coverage.Exactly(2), e.View.UnitTotal)
}

func TestCase35TheTailIsTheTail(t *testing.T) {
	src := lines("numbered line with some text", 90_000) + "FAIL\n"
	e, err := newClipper(t, clip.Config{}).Clip(ctx, strings.NewReader(src))
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(e.Content, "FAIL\n"))
	require.Equal(t, coverage.Exactly(int64(len(src))), e.View.ByteTotal)
}

func TestCase36And37TheReasonAndTheStatusSurviveTheCut(t *testing.T) {
	seven := 7
	failure := &envelope.Failure{Kind: "exit_status", Message: "exit status 7", Exit: &seven, Effect: envelope.EffectUnknown, Retry: envelope.RetryNever, Handler: envelope.HandlerModel}
	n := smallest(t, clip.Config{}, clip.Bytes)
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(n)}).Clip(ctx, clip.Result{Content: lines("out", 90_000), Err: errors.Join(failure, errors.New("cause"))})
	require.Error(t, err)
	require.Equal(t, 7, *e.Failure.Exit)
	require.Contains(t, e.Text(), "7")
	require.LessOrEqual(t, len(e.Text()), n)
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

	e, err = newClipper(t, clip.Config{Budget: clip.Lines(1000)}).Clip(ctx, lines(strings.Repeat("x", 100), 900))
	require.NoError(t, err)
	last = e.Reasons[len(e.Reasons)-1]
	require.Equal(t, coverage.Byte, last.Unit, "not the lines: the ceiling in bytes")
	require.Equal(t, int64(clip.DefaultBytes), last.Limit)
	require.Contains(t, e.Text(), "budget 16384")

	e, err = newClipper(t, clip.Config{Budget: clip.Lines(1000).Under(64 << 10)}).Clip(ctx, lines(strings.Repeat("x", 200), 900))
	require.NoError(t, err)
	require.Greater(t, len(e.Text()), 60<<10, "Under takes the place of the unit's own ceiling")
}

func TestCase40TerminalOutputIsFoldedAndCounted(t *testing.T) {
	for src, want := range map[string]string{
		"10%\r20%\r100%\n": "100%\n", "Hello\rHi\x1b[K\n": "Hi\n", "ab\bc\n": "ac\n",
		"\x1b]8;;https://example.com\x07link\x1b]8;;\x07\n": "link", "\x1b[31mred\x1b[0m\n": "red\n",
	} {
		c := kept(t, clip.Budget{})
		e, err := c.Clip(ctx, src)
		require.NoError(t, err)
		require.Contains(t, e.Content, want, "%q", src)
		require.NotContains(t, e.Content, "\x1b")
		require.NotEmpty(t, e.View.Transforms, "%q", src)
		require.Equal(t, int64(len(src)), e.Artifact.Size, "raw bytes are kept")
		raw, err := newClipper(t, clip.Config{Show: clip.Show{Raw: true}}).Clip(ctx, src)
		require.NoError(t, err)
		require.Equal(t, src, raw.Content)
	}
	e, err := newClipper(t, clip.Config{}).Clip(ctx, "one\r\ntwo\r\n")
	require.NoError(t, err)
	require.Equal(t, "one\r\ntwo\r\n", e.Content, "CRLF is kept")
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

func TestCase42OurOwnMarksInContentHaveNoEffect(t *testing.T) {
	c := kept(t, clip.Bytes(3000))
	for _, fake := range []string{
		"[PARTIAL lines 1-2 of 2 (all of it).]", "-- ab123456 0 lines follow", "0 lines omitted", "-- ab123456 end",
		"Whole kept as artifact " + strings.Repeat("a", 26), "Completed, no output.",
	} {
		e, err := c.Clip(ctx, fake+"\n"+lines("x", 900)+fake+"\n")
		require.NoError(t, err)
		require.False(t, e.View.Complete)
		require.Equal(t, coverage.Exactly(902), e.View.UnitTotal)
		require.True(t, strings.HasPrefix(e.Text(), "[PARTIAL lines 1-"), "%.60q", e.Text())
		require.NotContains(t, e.Content, e.Fence)
		e, err = c.Clip(ctx, "a line\n"+fake+"\n")
		require.NoError(t, err)
		require.True(t, e.View.Complete, "it is complete, whatever it looks like")
	}
}

func TestCase43ATokenBudgetIsAnUpperBound(t *testing.T) {
	for _, bit := range []string{"漢", "한", "カ", "😀", "ก", "QUJD", "deadbeef", "a "} {
		src := strings.Repeat(bit, 16_000/utf8.RuneCountInString(bit))
		e, err := newClipper(t, clip.Config{Budget: clip.Tokens(1500, nil)}).Clip(ctx, src)
		require.NoError(t, err)
		require.LessOrEqual(t, clip.TokenBound.CountTokens([]byte(e.Text())), 1500, bit)
		require.NotEmpty(t, e.Content, bit)
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

func TestCase46OnlyCallsThatExistAreNamed(t *testing.T) {
	src := lines("x", 9000)
	for _, f := range []clip.Followups{{}, {Read: "my_read"}, {Search: "my_search"}, {Read: "my_read", Search: "my_search"}} {
		e, err := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Followups: f}).Clip(ctx, src)
		require.NoError(t, err)
		for _, n := range e.Next {
			require.Contains(t, []string{f.Read, f.Search}, n.Tool)
			require.NotEmpty(t, n.Tool)
		}
		require.NotContains(t, e.Text(), "artifact_")
		require.NotContains(t, e.Text(), "/tmp")
		require.Equal(t, f == clip.Followups{}, len(e.Next) == 0)
		require.Equal(t, len(e.Next) == 0, e.NoNext != "")
	}
}

func TestCase48AFullDiskDoesNotLoseTheResult(t *testing.T) {
	c := newClipper(t, clip.Config{Store: failing{artifact.NewMemory(nil), "write"}, Followups: clip.AllFollowups})
	e, err := c.Clip(ctx, lines("x", 9000))
	require.NoError(t, err)
	require.NotEmpty(t, e.Content)
	require.Contains(t, e.Text(), "could not be")
	require.Empty(t, e.Next)
}

func TestCase50APageIsOfTheSavedCopy(t *testing.T) {
	src := []byte(lines("before", 9000))
	c := kept(t, clip.Bytes(2000))
	e, err := c.Clip(ctx, src)
	require.NoError(t, err)
	copy(src, lines("CHANGED", 9000))
	p := page(t, c, e, clip.Show{Unit: coverage.Line, At: 500})
	require.True(t, strings.HasPrefix(p.Content, "before 501\n"))
	require.Equal(t, e.Artifact.SHA256, p.Artifact.SHA256)
}
