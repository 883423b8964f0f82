package followup_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// JSON may be cut in several places at once. In every form the reads that are
// offered, and those that they offer, lead to every value.
func TestTheReadsThatAreOfferedLeadToEveryCut(t *testing.T) {
	t.Parallel()
	text := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	sources := map[string]string{
		"strings side by side": `{"a":` + text(3000) + `,"b":` + text(3000) + `,"c":[` + text(3000) + `]}`,
		"lists in lists":       `{"a":[[` + text(100) + `,` + text(3000) + `,` + text(1500) + `],` + text(90) + `,3,4,5]}`,
		"long records":         `{"rows":[{"id":1,"log":` + text(4000) + `},{"id":2,"log":` + text(4000) + `}],"b":{"c":` + text(2000) + `}}`,
		"a deep tree":          strings.Repeat(`{"a":[1,`, 300) + text(9000) + strings.Repeat("]}", 300),
	}
	for form := clip.TextForm; form <= clip.InBandForm; form++ {
		for name, src := range sources {
			for _, budget := range []int{2400, 3100, 4100} {
				c, err := clip.New(clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups, Budget: clip.Bytes(budget), Form: form})
				require.NoError(t, err)
				e, err := c.Clip(context.Background(), src)
				require.NoError(t, err)
				seen := readAll(t, c, e)
				for _, g := range seen.Gaps(int64(len(src))) {
					require.Empty(t, strings.Trim(src[g.Start:g.End], " ,"), "form %d, %s, budget %d: bytes %d to %d are never offered", form, name, budget, g.Start, g.End)
				}
			}
		}
	}
}

// readAll follows all reads that are offered and returns the bytes that were shown.
func readAll(t *testing.T, c *clip.Clipper, e envelope.Envelope) (seen coverage.Set) {
	tools, err := followup.Tools(c, nil)
	require.NoError(t, err)
	read := tools[0]
	seen = seen.Add(e.View.Bytes...)
	todo := e.Next
	for calls := 0; len(todo) > 0; calls++ {
		require.Less(t, calls, 1000, "there is no end to the calls")
		next := todo[0]
		todo = todo[1:]
		if next.Search {
			continue
		}
		require.Equal(t, read.Name, next.Tool)
		args, err := json.Marshal(next.Arguments)
		require.NoError(t, err)
		p, err := read.Call(context.Background(), args)
		require.NoError(t, err)
		require.Nil(t, p.Failure)
		seen = seen.Add(p.View.Bytes...)
		todo = append(todo, p.Next...)
	}
	return seen
}
