package clip_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// Two layers in a program may both clip. The second loses nothing of what the first
// one says.

// twoLayers are a Clipper and one with a smaller budget over the same store.
func twoLayers(t *testing.T, change ...func(*clip.Config)) (big, small *clip.Clipper) {
	big, err := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups}).With(change...)
	require.NoError(t, err)
	small, err = big.With(func(cfg *clip.Config) { cfg.Budget = clip.Bytes(2000) })
	require.NoError(t, err)
	return big, small
}

func TestAnErrorBesideAnEnvelopeIsToldOnce(t *testing.T) {
	big, small := twoLayers(t)
	boom := errors.New("boom")
	inner := clip.Wrap(big, tool(lines("x", 3000), error(boom)))
	want, _ := inner(ctx, none{})
	for _, outer := range []*clip.Clipper{big, small} {
		e, err := clip.Wrap(outer, inner)(ctx, none{})
		require.True(t, err == error(boom))
		require.Equal(t, 1, strings.Count(e.Text(), "boom"))
		require.Equal(t, want.View.UnitTotal, e.View.UnitTotal, "it is the log that is shown, not its envelope as data")
	}
	fine, err := big.Clip(ctx, "fine\n")
	require.NoError(t, err)
	e, err := clip.Wrap(big, tool(fine, error(boom)))(ctx, none{})
	require.True(t, err == error(boom))
	require.Equal(t, "fine\n", e.Content)
	require.Contains(t, e.Text(), "boom")
}

func TestCutFurtherKeepsArtifactsCallsAndReasons(t *testing.T) {
	big, small := twoLayers(t)
	e, err := big.Clip(ctx, clip.Result{
		Did:   "Listed them.",
		Parts: []clip.Named{{Name: "a", Content: lines("a", 3000)}, {Name: "b", Content: lines("b", 30)}},
		Next:  paging(envelope.Next{Tool: "list", Arguments: map[string]any{"cursor": "x"}}),
	})
	require.NoError(t, err)
	got, err := small.Clip(ctx, e)
	require.NoError(t, err)
	require.LessOrEqual(t, len(got.Text()), 2000)
	require.Len(t, got.Parts, 2)
	for i, p := range got.Parts {
		require.Equal(t, e.Parts[i].Artifact, p.Artifact)
		require.Equal(t, e.Parts[i].View.UnitTotal, p.View.UnitTotal)
		requireVerbatim(t, []byte(lines(p.Name, int(p.View.UnitTotal.Value))), p)
	}
	require.Equal(t, envelope.AcquiredNo, got.Acquired)
	require.Equal(t, []coverage.Code{coverage.PageLimit}, codesOf(got.Reasons))
	require.Equal(t, "Listed them.", got.Did)
	var tools []string
	for _, n := range got.Next {
		tools = append(tools, n.Tool)
	}
	require.Equal(t, []string{"artifact_read", "artifact_search", "list"}, tools)
}

func TestCutFurtherKeepsLowerBoundsAndRedaction(t *testing.T) {
	big, small := twoLayers(t, func(cfg *clip.Config) {
		cfg.MaxInput = 100_000
		cfg.Redact = clip.RedactRegexp(16, regexp.MustCompile(`endless\nendless\n`))
	})
	e, err := big.Clip(ctx, endless{})
	require.NoError(t, err)
	got, err := small.Clip(ctx, e)
	require.NoError(t, err)
	require.Equal(t, coverage.Gte, got.View.ByteTotal.Relation)
	require.Equal(t, e.View.ByteTotal, got.View.ByteTotal)
	require.Contains(t, codesOf(got.Reasons), coverage.ByteLimit)
	require.Contains(t, codesOf(got.Reasons), coverage.Redacted)
}

func TestCutFurtherKeepsToItsPage(t *testing.T) {
	big, small := twoLayers(t)
	e, err := big.Clip(ctx, lines("line", 3000))
	require.NoError(t, err)
	for _, show := range []clip.Show{
		{Unit: coverage.Line, At: 100, To: 2000},
		{Unit: coverage.Byte, At: 333, To: 9000},
	} {
		p := page(t, big, e, show)
		got, err := small.Clip(ctx, p)
		require.NoError(t, err)
		require.LessOrEqual(t, len(got.Text()), 2000)
		require.Equal(t, p.View.Bytes[0].Start, got.View.Bytes[0].Start, "a page begins where it began")
		requireVerbatim(t, []byte(lines("line", 3000)), got.Part)
	}
}

// page reads a part of the artifact of e.
func page(t *testing.T, c *clip.Clipper, e envelope.Envelope, show clip.Show) envelope.Envelope {
	r, err := c.Config().Store.Open(context.Background(), artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
	require.NoError(t, err)
	defer r.Close()
	p, err := c.Page(ctx, r, show)
	require.NoError(t, err)
	return p
}

// The matches of a search are no view that could be made again from the artifact:
// they are cut themselves, and what is cut is offered by its bytes.
func TestCutFurtherKeepsASearchASearch(t *testing.T) {
	big, small := twoLayers(t)
	src := strings.Repeat(strings.Repeat("noise\n", 20)+"a needle in here\n", 900)
	e, err := big.Clip(ctx, src)
	require.NoError(t, err)
	found := page(t, big, e, clip.Show{Around: regexp.MustCompile("needle"), Context: 1})
	require.Greater(t, len(found.Text()), 2000)
	got, err := small.Clip(ctx, found)
	require.NoError(t, err)
	require.LessOrEqual(t, len(got.Text()), 2000)
	require.Contains(t, got.Content, "needle")
	scan := *found.Scan
	scan.Returned = -1 // some are no longer shown
	require.Equal(t, &scan, got.Scan)
	require.False(t, got.View.Complete)
	require.Equal(t, found.Artifact, got.Artifact)
	for _, n := range got.Next {
		require.Equal(t, e.Artifact.Handle, n.Arguments[clip.ArgArtifact])
	}
	shown := coverage.Set(nil).Add(got.View.Bytes...)
	require.Equal(t, shown.Len(), shown.Add(found.View.Bytes...).Len()-missed(shown, found.View.Bytes), "no byte is claimed that was not shown")
}

// missed is how many bytes of rs are not in s.
func missed(s coverage.Set, rs []coverage.Range) int64 { return s.Add(rs...).Len() - s.Len() }

func TestAPageNamesTheBudgetOnlyIfTheBudgetCutIt(t *testing.T) {
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
	e, err := c.Clip(ctx, lines("line", 9000))
	require.NoError(t, err)
	few := page(t, c, e, clip.Show{Unit: coverage.Line, At: 10, To: 20})
	require.Equal(t, []coverage.Code{coverage.OffPage}, codesOf(few.Reasons))
	require.NotContains(t, few.Text(), "budget")
	many := page(t, c, e, clip.Show{Unit: coverage.Line, At: 10, To: 5000})
	require.Equal(t, []coverage.Code{coverage.OverBudget, coverage.OffPage}, codesOf(many.Reasons))
	all := int64(len(lines("line", 5000)) - len(lines("line", 10)))
	require.Equal(t, all-int64(len(many.Content)), many.Reasons[0].Count.Value, "of the page, not of the artifact")
	for _, at := range []int64{9000, 9001, 1 << 60} {
		none := page(t, c, e, clip.Show{Unit: coverage.Line, At: at})
		require.Empty(t, none.Content)
		require.Equal(t, coverage.Exactly(9000), none.View.UnitTotal)
		require.False(t, none.View.Complete)
	}
}

func TestCutFurtherCountsTheContentsThatWereNotShown(t *testing.T) {
	big, small := twoLayers(t)
	e, err := big.Clip(ctx, parts(300, numbered, lines("y", 60)))
	require.NoError(t, err)
	require.Less(t, len(e.Parts), 300)
	got, err := small.Clip(ctx, e)
	require.NoError(t, err)
	require.Less(t, len(got.Parts), len(e.Parts))
	require.Equal(t, coverage.Exactly(300), got.View.Omissions[0].Total)
	require.Equal(t, int64(len(got.Parts)), got.View.Omissions[0].Shown)
}

// Without a store it is the content itself that is cut; what is said of it is still
// about the source.
func TestCutFurtherWithoutAStoreSpeaksOfTheSource(t *testing.T) {
	src := lines("line", 9000)
	big := newClipper(t, clip.Config{})
	small := newClipper(t, clip.Config{Budget: clip.Bytes(2000)})
	e, err := big.Clip(ctx, src)
	require.NoError(t, err)
	got, err := small.Clip(ctx, e)
	require.NoError(t, err)
	require.LessOrEqual(t, len(got.Text()), 2000)
	require.Equal(t, coverage.Exactly(int64(len(src))), got.View.ByteTotal)
	require.NotEmpty(t, got.View.Bytes)
	require.Zero(t, missed(coverage.Set(nil).Add(e.View.Bytes...), got.View.Bytes))
	requireVerbatim(t, []byte(src), got.Part)
	require.Equal(t, clip.NoNextUnkept, got.NoNext)
}

// Of an answer that is cut further, the number of matches that are shown is not known,
// and not that of before.
func TestLaw11MatchesShownAreNotThoseOfBefore(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "line %d %s\n", i, []string{"needle", "", "", "", ""}[i%5])
	}
	store := artifact.NewMemory(nil)
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
		c := newClipper(t, clip.Config{Form: form, Budget: clip.Bytes(16000), Store: store, Followups: clip.AllFollowups})
		whole, err := c.Clip(ctx, b.String())
		require.NoError(t, err)
		found := pageOf(t, c, store, whole, clip.Show{Around: regexp.MustCompile("needle")})
		shown := int64(strings.Count(found.Content, "needle"))
		require.Equal(t, shown, found.Scan.Returned)

		same, err := c.Clip(ctx, found)
		require.NoError(t, err)
		require.Equal(t, shown, same.Scan.Returned)

		small, err := c.With(func(cfg *clip.Config) { cfg.Budget = clip.Bytes(3000) })
		require.NoError(t, err)
		less, err := small.Clip(ctx, found)
		require.NoError(t, err)
		require.Less(t, int64(strings.Count(less.Content, "needle")), shown)
		require.EqualValues(t, -1, less.Scan.Returned)
		require.Equal(t, coverage.Exactly(400), less.Scan.Matched)
		require.NotContains(t, less.Notice, fmt.Sprint(shown, " shown"))
		require.Contains(t, less.Notice, "found 400.")
	}
}
