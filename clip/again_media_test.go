package clip_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// oldRows are rows that end in CR, behind which one line feed follows: nothing in the
// bytes tells them from a progress bar.
func oldRows() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "row %d,of a table\r", i)
	}
	return b.String() + "last\r\n"
}

// What a smaller Clipper makes of an envelope is what it makes of the result, for a
// declared document, for one that its first bytes prove, and for JSON that is none.
func TestCutFurtherIsOfTheSameKind(t *testing.T) {
	html := "<!DOCTYPE html><html><body>" + oldRows()
	for name, r := range map[string]clip.Result{
		"csv":      {MediaType: "text/csv", Content: oldRows()},
		"markdown": {MediaType: "text/markdown; charset=utf-8", Content: oldRows()},
		"html":     {Content: html},
		"log":      {MediaType: "text/plain", Content: html + lines("a line", 400)},
		"no JSON":  {MediaType: "application/json", Content: `{"a":` + lines("a line", 400)},
		"stops":    {MediaType: "application/json", Content: `{"a":"` + strings.Repeat("a text ", 1000)},
	} {
		t.Run(name, func(t *testing.T) {
			store := artifact.NewMemory(nil)
			large := newClipper(t, clip.Config{Store: store, Budget: clip.Bytes(3000)})
			small := newClipper(t, clip.Config{Store: store, Budget: clip.Bytes(1500)})
			first, err := large.Clip(ctx, r)
			require.NoError(t, err)
			further, err := small.Clip(ctx, first)
			require.NoError(t, err)
			direct, err := small.Clip(ctx, r)
			require.NoError(t, err)
			require.Less(t, len(direct.Content), len(first.Content))
			direct.Artifact.Handle = further.Artifact.Handle
			require.Equal(t, direct.Part, further.Part)
		})
	}
}

// A page is read as the preview is, also where Config.Show alone says what it is.
func TestAPageIsOfTheKindThatTheConfigDeclares(t *testing.T) {
	store := artifact.NewMemory(nil)
	c := newClipper(t, clip.Config{Store: store, Budget: clip.Bytes(3000)})
	declared, err := c.With(func(cfg *clip.Config) { cfg.Show.MediaType = "text/csv" })
	require.NoError(t, err)
	e, err := declared.Clip(ctx, oldRows())
	require.NoError(t, err)
	require.Equal(t, []string{"cr_line_ends"}, transformNames(e.View))

	r, err := store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
	require.NoError(t, err)
	defer r.Close()
	require.Equal(t, "text/csv", r.Info().MediaType)
	page, err := c.Page(ctx, r, clip.Show{Unit: coverage.Byte, At: e.View.Bytes[0].End})
	require.NoError(t, err)
	require.Equal(t, []string{"cr_line_ends"}, transformNames(page.View))
	require.True(t, strings.HasPrefix(oldRows()[e.View.Bytes[0].End:], strings.ReplaceAll(page.Content[:100], "\n", "\r")))
}

func transformNames(v envelope.View) (names []string) {
	for _, x := range v.Transforms {
		names = append(names, x.Name)
	}
	return names
}
