package benchmarks

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
)

// noIndex is a Reader that does not know where items begin.
type noIndex struct{ artifact.Reader }

// BenchmarkPage reads a page of 64 MB of records from a directory: with the index of
// its items, and by reading all of it.
func BenchmarkPage(b *testing.B) {
	ctx := context.Background()
	store, err := artifact.OpenDir(b.TempDir(), nil)
	require.NoError(b, err)
	defer func() { require.NoError(b, store.Close()) }()
	c, err := clip.New(clip.Config{Store: store, MustSave: true, Followups: clip.AllFollowups})
	require.NoError(b, err)
	e, err := c.Clip(ctx, input(b, jsonInputs[0].make))
	require.NoError(b, err)
	r, err := store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
	require.NoError(b, err)
	defer r.Close()
	half := e.View.UnitTotal.Value / 2
	for name, show := range map[string]clip.Show{
		"items": {Unit: coverage.Item, At: half, To: 2 * half},
		"field": {Pointer: fmt.Sprintf("/%d/text", half)},
	} {
		for impl, r := range map[string]artifact.Reader{"index": r, "scan": noIndex{r}} {
			b.Run("page="+name+"/impl="+impl, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					e, err := c.Page(ctx, r, show)
					require.NoError(b, err)
					need(b, e.Content != "")
				}
			})
		}
	}
}
