package clip_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
)

// What was declared as text and is none is never said to be text that is not text, in
// the result, in a page of it and in the list of contents.
func TestWhatIsNotTextIsNotCalledText(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + strings.Repeat("\x00", 5000)
	noise := strings.Repeat("\x00\x01\xff\xfe", 500)
	for _, x := range []struct{ declared, content, want string }{
		{"", png, "image/png"},
		{"text/plain", png, "image/png"},
		{"text/csv; charset=utf-8", png, "image/png"},
		{"application/json", png, "image/png"},
		{"text/csv", noise, "application/octet-stream"},
		{"application/vnd.own", noise, "application/vnd.own"},
	} {
		store := artifact.NewMemory(nil)
		cfg := clip.Config{Store: store, Budget: clip.Bytes(1200)}
		c := newClipper(t, cfg)
		e, err := c.Clip(ctx, clip.Result{MediaType: x.declared, Content: x.content})
		require.NoError(t, err)
		require.Equal(t, x.want, e.MediaType, x)
		require.Equal(t, x.want, e.View.Omissions[0].Of)
		require.Contains(t, e.Text(), x.want+" is not text")

		r, err := store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
		require.NoError(t, err)
		page, err := c.Page(ctx, r, clip.Show{})
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.Equal(t, x.want, page.MediaType, x)

		several := reports(12)
		several.Parts[11] = clip.Named{MediaType: x.declared, Content: x.content}
		e, err = c.Clip(ctx, several)
		require.NoError(t, err)
		require.Contains(t, savedText(t, store, artifact.Scope{}, e.List), `"mediaType":"`+x.want+`"}]`)
	}
}
