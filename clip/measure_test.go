package clip_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/tokens"
)

// threes counts a token for every three bytes, as if it were some model's tokenizer.
type threes struct{}

func (threes) CountTokens(p []byte) int { return (len(p) + 2) / 3 }

// counted is the omission of e's content in a unit, if there is one.
func counted(p envelope.Part, u coverage.Unit) (envelope.Omission, bool) {
	for _, o := range p.View.Omissions {
		if o.Unit == u && o.Pointer == "" {
			return o, true
		}
	}
	return envelope.Omission{}, false
}

func clipped(t require.TestingT, b clip.Budget, out any) envelope.Envelope {
	e, err := newClipper(t, clip.Config{Budget: b, Store: artifact.NewMemory(nil), Followups: clip.AllFollowups}).Clip(ctx, out)
	require.NoError(t, err)
	return e
}

// With a budget in runes or clusters the envelope says how many of how many, exactly,
// in the fields and in the text.
func TestRunesAndClustersAreToldOfTheWhole(t *testing.T) {
	src := strings.Repeat("e\u0301 中文 🇩🇪\n", 2000)
	e := clipped(t, clip.Runes(2000), src)
	o, ok := counted(e.Part, coverage.Rune)
	require.True(t, ok)
	require.Equal(t, coverage.Exactly(int64(utf8.RuneCountInString(src))), o.Total)
	require.Equal(t, int64(utf8.RuneCountInString(e.Content)), o.Shown)
	require.Empty(t, o.Relation)
	require.Contains(t, e.Notice, "of 18000 Unicode characters; budget 2000)")

	e = clipped(t, clip.Graphemes(2000), src)
	o, ok = counted(e.Part, coverage.Grapheme)
	require.True(t, ok)
	require.Equal(t, coverage.Exactly(7*2000), o.Total)
	require.Equal(t, int64(7*strings.Count(e.Content, "\n")), o.Shown)
	require.Contains(t, e.Notice, "of 14000 grapheme clusters; budget 2000)")
}

// A budget in bytes or lines has its totals elsewhere.
func TestOtherBudgetsSayNoMore(t *testing.T) {
	for _, b := range []clip.Budget{clip.Bytes(2000), clip.Lines(20)} {
		require.Len(t, clipped(t, b, strings.Repeat("a line\n", 5000)).View.Omissions, 1)
	}
}

// Tokens that are shown are counted by the budget's counter, exactly; the total is an
// estimate, in the counter's own measure.
func TestTokensAreCountedWhereTheyAreShown(t *testing.T) {
	src := strings.Repeat("2026-11-29T18:00:00Z INFO request served path=/v1/items status=200 ms=12\n", 2000)
	e := clipped(t, clip.Tokens(1500, threes{}), src)
	o, ok := counted(e.Part, coverage.Token)
	require.True(t, ok)
	require.Equal(t, int64(threes{}.CountTokens([]byte(e.Content))), o.Shown)
	require.Empty(t, o.Relation)
	require.Equal(t, coverage.Estimate, o.Total.Relation)
	require.InEpsilon(t, threes{}.CountTokens([]byte(src)), o.Total.Value, 0.05)
	require.Regexp(t, `; \d+ of about \d{3}0+ tokens; budget 1500\)`, e.Notice)
}

// However little is left, the total is more than what is shown.
func TestAnEstimatedTotalIsMoreThanWhatIsShown(t *testing.T) {
	for n := 1600; n < 2600; n += 7 {
		e := clipped(t, clip.Tokens(1500, threes{}), strings.Repeat("中", n))
		if o, ok := counted(e.Part, coverage.Token); ok {
			require.Greater(t, o.Total.Value, o.Shown, "%d", n)
		} else {
			require.True(t, e.View.Complete)
		}
	}
}

// Without a counter there is a bound, which is no count: both numbers are estimates.
func TestWithoutACounterTokensAreEstimated(t *testing.T) {
	src := strings.Repeat("请求处理完成，返回结果共三百二十条。\n", 2000)
	e := clipped(t, clip.Tokens(3000, nil), src)
	o, ok := counted(e.Part, coverage.Token)
	require.True(t, ok)
	require.Equal(t, coverage.Estimate, o.Relation)
	require.Equal(t, tokens.Estimate([]byte(e.Content)), o.Shown)
	require.InEpsilon(t, tokens.Estimate([]byte(src)), o.Total.Value, 0.01)
	require.Regexp(t, `; about \d+ of about \d+ tokens; budget 3000\)`, e.Notice)
}

// Of a source that goes on, characters are a lower bound, and of tokens no total is told.
func TestTotalsOfASourceThatGoesOn(t *testing.T) {
	broken := func() io.Reader {
		return io.MultiReader(strings.NewReader(strings.Repeat("a line of text\n", 2000)), iotest.ErrReader(errors.New("reset")))
	}
	read := func(b clip.Budget) envelope.Envelope {
		e, err := newClipper(t, clip.Config{Budget: b}).Clip(ctx, broken())
		require.Error(t, err)
		return e
	}
	o, _ := counted(read(clip.Runes(1500)).Part, coverage.Rune)
	require.Equal(t, coverage.AtLeast(30000), o.Total)
	o, _ = counted(read(clip.Graphemes(1500)).Part, coverage.Grapheme)
	require.Equal(t, coverage.AtLeast(30000), o.Total)
	e, err := newClipper(t, clip.Config{Budget: clip.Runes(1500), Show: clip.Show{Charset: "utf-8"}}).Clip(ctx,
		io.MultiReader(strings.NewReader(strings.Repeat("caf\xe9\n", 2000)), iotest.ErrReader(errors.New("reset"))))
	require.Error(t, err)
	o, ok := counted(e.Part, coverage.Rune)
	require.True(t, ok)
	require.Zero(t, o.Total, "neither a lower bound nor an estimate")
	o, ok = counted(read(clip.Tokens(1500, threes{})).Part, coverage.Token)
	require.True(t, ok)
	require.Positive(t, o.Shown)
	require.Zero(t, o.Total)
	o, _ = counted(read(clip.Bytes(1500)).Part, coverage.Line)
	require.Equal(t, coverage.AtLeast(2000), o.Total)
}

// Bytes that are no characters are counted one by one, which is a guess at how many
// characters they were meant to be.
func TestCharactersOfWhatIsNoTextAreAnEstimate(t *testing.T) {
	line, err := simplifiedchinese.GBK.NewEncoder().String("请求处理完成\n")
	require.NoError(t, err)
	c := newClipper(t, clip.Config{Budget: clip.Runes(1500), Show: clip.Show{Charset: "utf-8"}})
	e, err := c.Clip(ctx, strings.Repeat(line, 1000))
	require.NoError(t, err)
	o, ok := counted(e.Part, coverage.Rune)
	require.True(t, ok)
	require.Equal(t, coverage.Estimate, o.Total.Relation)
	require.Contains(t, e.Notice, "of about 13000 Unicode characters")

	e = clipped(t, clip.Runes(1500), strings.Repeat(line, 1000))
	o, _ = counted(e.Part, coverage.Rune)
	require.Equal(t, coverage.Exactly(7000), o.Total, "where the encoding is known, they are counted")
}

// In JSON the characters of the ranges that are shown are counted, in the source's bytes.
func TestCharactersInJSON(t *testing.T) {
	src := `{"items":[` + strings.TrimSuffix(strings.Repeat(`{"id":9007199254740993,"name":"中文"},`, 500), ",") + `],"end":"é"}`
	e := clipped(t, clip.Runes(2000), json.RawMessage(src))
	o, ok := counted(e.Part, coverage.Rune)
	require.True(t, ok)
	require.Equal(t, coverage.Exactly(int64(utf8.RuneCountInString(src))), o.Total)
	var shown int
	for _, r := range e.View.Bytes {
		shown += utf8.RuneCountInString(src[r.Start:r.End])
	}
	require.Equal(t, int64(shown), o.Shown)

	e = clipped(t, clip.Tokens(1500, threes{}), json.RawMessage(src))
	o, ok = counted(e.Part, coverage.Token)
	require.True(t, ok)
	require.Equal(t, int64(threes{}.CountTokens([]byte(e.Content))), o.Shown, "a tokenizer is asked about the content as it is")
	require.NotContains(t, e.Notice, "the root")
}

// A page of text tells how much of the whole it shows too; a page of items does not.
func TestPagesInTokens(t *testing.T) {
	c := newClipper(t, clip.Config{Budget: clip.Tokens(1500, threes{}), Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
	r := opened(t, c, strings.Repeat("a line of text\n", 3000))
	defer r.Close()
	e, err := c.Page(ctx, r, clip.Show{Unit: coverage.Line, At: 100})
	require.NoError(t, err)
	o, ok := counted(e.Part, coverage.Token)
	require.True(t, ok)
	require.InEpsilon(t, 15000, o.Total.Value, 0.05)

	items := opened(t, c, "["+strings.TrimSuffix(strings.Repeat(`{"id":1},`, 2000), ",")+"]")
	defer items.Close()
	e, err = c.Page(ctx, items, clip.Show{Unit: coverage.Item, At: 10})
	require.NoError(t, err)
	require.NotEmpty(t, e.View.Omissions)
	_, ok = counted(e.Part, coverage.Token)
	require.False(t, ok, "whether a store knows where items begin must make no difference")
}

// Several contents have their own counts.
func TestEachContentHasItsCounts(t *testing.T) {
	e := clipped(t, clip.Tokens(3000, threes{}), clip.Result{Parts: []clip.Named{
		{Name: "a", Content: strings.Repeat("one\n", 5000)}, {Name: "b", Content: "short\n"}, {Name: "c", Content: strings.Repeat("three\n", 5000)},
	}})
	for i, want := range []int64{20000 / 3, 0, 30000 / 3} {
		o, ok := counted(e.Parts[i], coverage.Token)
		require.Equal(t, want > 0, ok)
		if ok {
			require.Equal(t, int64(threes{}.CountTokens([]byte(e.Parts[i].Content))), o.Shown)
			require.InEpsilon(t, want, o.Total.Value, 0.05)
		}
	}
}

// Cutting without a Clipper tells the same.
func TestTextAndCutTellTheBudgetsUnit(t *testing.T) {
	src := []byte(strings.Repeat("一行文字\n", 1000))
	p, err := clip.Text(src, clip.Tokens(500, threes{}), clip.Show{})
	require.NoError(t, err)
	o, ok := counted(p, coverage.Token)
	require.True(t, ok)
	require.Equal(t, int64(threes{}.CountTokens([]byte(p.Content))), o.Shown)
	p, err = clip.Cut(bytes.NewReader(src), clip.Runes(50), clip.Show{})
	require.NoError(t, err)
	o, ok = counted(p, coverage.Rune)
	require.True(t, ok)
	require.Equal(t, envelope.Omission{Unit: coverage.Rune, Shown: 50, Total: coverage.Exactly(5000)}, o)
}
