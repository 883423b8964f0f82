package clip_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
)

// table is a table of n rows, each ended by end.
func table(n int, end string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,name %d%s", i, i*7, end)
	}
	return b.String()
}

// The rows of a spreadsheet that end with CR are rows, declared or not.
func TestCarriageReturnsThatEndLinesAreNoProgressBar(t *testing.T) {
	for _, media := range []string{"", "text/plain", "text/csv", "text/tab-separated-values", "text/markdown"} {
		c := kept(t, clip.Bytes(1500))
		e, err := c.Clip(ctx, clip.Result{Content: table(9, "\r"), MediaType: media})
		require.NoError(t, err)
		require.Equal(t, table(9, "\n"), e.Text(), media)
		require.True(t, e.View.Complete, media)
		require.Equal(t, "cr_line_ends", e.View.Transforms[0].Name)
		require.Equal(t, coverage.Exactly(9), e.View.Transforms[0].Count)

		src := table(400, "\r")
		e, err = c.Clip(ctx, clip.Result{Content: src, MediaType: media})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(e.Content, table(20, "\n")), media)
		require.NotContains(t, e.Text(), "terminal_folded")
		for _, tr := range e.View.Transforms {
			require.False(t, tr.Loses, "%+v", tr)
		}
		shown := coverage.Set(nil).Add(e.View.Bytes...)
		for gaps := shown.Gaps(int64(len(src))); len(gaps) > 0; gaps = shown.Gaps(int64(len(src))) {
			e = page(t, c, e, clip.Show{Unit: coverage.Byte, At: gaps[0].Start, To: gaps[0].End})
			require.True(t, strings.HasSuffix(e.Content, "\n"), "a page ends with a row")
			require.Equal(t, gaps[0].Start, e.View.Bytes[0].Start, "and the next begins there")
			shown = shown.Add(e.View.Bytes...)
		}
		e = page(t, c, e, clip.Show{Around: regexp.MustCompile(`200,name \d+`)})
		require.Contains(t, e.Content, "200,name 1400")
	}
}

// A progress bar is known by the line feed behind it, however late it comes, and by
// what only a terminal understands.
func TestAProgressBarIsFoldedHoweverLongItIs(t *testing.T) {
	bar := strings.Repeat("\r 12%|###      | 12/100", 9000)
	for _, src := range []string{bar + "\rdone     \nall well\n", "\x1b[K" + bar + "\rdone", bar + "\x1b[2K\rdone", bar + "\b\b\b\rdone"} {
		e, err := kept(t, clip.Bytes(1500)).Clip(ctx, src)
		require.NoError(t, err)
		require.Less(t, len(e.Content), 200)
		require.Contains(t, e.Content, "done")
		require.Contains(t, e.Text(), "[ALTERED ", "what a terminal would not show is said to be hidden")
		require.Contains(t, e.Text(), "terminal_folded")
		require.Equal(t, int64(len(src)), e.Artifact.Size, "and kept")
	}
}

// What was declared to be a document is never folded, whatever else ends its lines.
func TestADocumentIsNeverFolded(t *testing.T) {
	for _, media := range []string{"text/csv", "text/markdown", "application/xml", "text/x-python", "application/jsonl"} {
		e, err := kept(t, clip.Budget{}).Clip(ctx, clip.Result{Content: "first\nsecond\rthird\x1b[K\b\nlast\n", MediaType: media})
		require.NoError(t, err)
		require.Equal(t, "first\nsecond\nthird␛[K␈\nlast\n", e.Content, media)
		require.Equal(t, coverage.Exactly(3), e.View.UnitTotal, "lines are counted by line feeds")
		require.True(t, e.View.Complete)
	}
	src := "<!DOCTYPE html><html>\r<p>one\n<p>two"
	e, err := kept(t, clip.Budget{}).Clip(ctx, src)
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(src, "\r", "\n"), e.Content, "what nobody declared but the first bytes prove")
}

// A log is a log although its first line begins like an array.
func TestALogThatBeginsWithABracketHasATail(t *testing.T) {
	e, err := kept(t, clip.Bytes(1500)).Clip(ctx, "[INFO] start\n"+lines("noise", 900)+"[ERROR] the cause\n")
	require.NoError(t, err)
	require.Contains(t, e.Content, "[INFO] start\n")
	require.Contains(t, e.Content, "[ERROR] the cause\n")
}

// How text with carriage returns arrives changes nothing, where the doubt about them
// ends within the first bytes, far behind them, or never.
func TestLaw09DoubtAboutCarriageReturns(t *testing.T) {
	fixRandom := func() { cryptotest.SetGlobalRandom(t, 9) }
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 8).Draw(t, "pieces") {
			bit := rapid.SampledFrom([]string{"a,b\r", "row\r", "\r", "x", "\r\n", "\n", "\b", "\x1b[K", strings.Repeat("y", 4094), strings.Repeat("1,2\r", 1100)}).Draw(t, "piece")
			b.WriteString(bit)
		}
		media := rapid.SampledFrom([]string{"", "text/csv"}).Draw(t, "media type")
		c := newClipper(t, clip.Config{Budget: clip.Bytes(1500), Show: clip.Show{MediaType: media}})
		fixRandom()
		want, err := c.Clip(ctx, strings.NewReader(b.String()))
		require.NoError(t, err)
		for _, split := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
			fixRandom()
			got, err := c.Clip(ctx, split(bytes.NewReader([]byte(b.String()))))
			require.NoError(t, err)
			require.Equal(t, unnamed(want), unnamed(got))
		}
		if !strings.ContainsAny(b.String(), "\n\b\x1b") && strings.Contains(b.String()[:min(b.Len(), 4096)], "\r") {
			require.NotContains(t, unnamed(want), "terminal_folded")
		}
	})
}
