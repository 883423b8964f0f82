package clip_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// What is not there is said; the whole content is no answer to a question about a
// part of it.
func TestAPageOfAPlaceThatIsNotThereIsAFailure(t *testing.T) {
	ctx := context.Background()
	store := artifact.NewMemory(nil)
	c, err := clip.New(clip.Config{Store: store, Followups: clip.AllFollowups})
	require.NoError(t, err)
	for _, tc := range []struct {
		content any
		show    clip.Show
		want    string // "" for no failure
	}{
		{`{"a":[1,2]}`, clip.Show{Pointer: "/b"}, `there is nothing at pointer "/b"`},
		{`{"a":[1,2]}`, clip.Show{Pointer: "/a/2", Unit: coverage.Item}, `there is nothing at pointer "/a/2"`},
		{`{"a":[1,2]}`, clip.Show{Pointer: "/a", Unit: coverage.Item}, ""},
		{`{"a":[1,2]}`, clip.Show{Pointer: "/a"}, ""},
		{`{"a":[1,2`, clip.Show{Pointer: "/a"}, "not JSON"},
		{"plain text", clip.Show{Unit: coverage.Item}, "not JSON"},
		{"\x00\x01\x02 binary \x00", clip.Show{Pointer: "/a"}, "not JSON"},
		{"plain text", clip.Show{Unit: coverage.Line}, ""},
	} {
		e, err := c.Clip(ctx, tc.content)
		require.NoError(t, err)
		r, err := store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
		require.NoError(t, err)
		e, err = c.Page(ctx, r, tc.show)
		require.NoError(t, r.Close())
		if tc.want == "" {
			require.NoError(t, err)
			require.Nil(t, e.Failure)
			require.NotEmpty(t, e.Content)
			continue
		}
		var f *envelope.Failure
		require.ErrorAs(t, err, &f)
		require.Contains(t, f.Message, tc.want)
		require.Equal(t, "bad_argument", e.Failure.Kind)
		require.Empty(t, e.Content)
		require.Contains(t, e.Text(), tc.want)
	}
}
