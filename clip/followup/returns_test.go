package followup_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
)

// What the description of search says of carriage returns finds the beginnings and the
// ends of lines, however they end.
func TestTheDescribedPatternsFindLinesThatEndInCR(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	begin, end := `(^|\r)`, `(\r|$)`
	require.Contains(t, b.calls["artifact_search"].Description, "write "+begin+" for ^ and "+end+" for $")
	for media, ending := range map[string]string{"text/plain": "\r\n", "text/csv": "\r", "text/markdown": "\n"} {
		e := b.save(clip.Result{MediaType: media, Content: strings.Repeat("a,FAIL"+ending, 400)})
		for _, pattern := range []string{begin + "a", "FAIL" + end} {
			found := b.call("artifact_search", map[string]any{"artifact": e.Artifact.Handle, "pattern": pattern})
			require.Nil(t, found.Failure)
			require.Equal(t, coverage.Exactly(400), found.Scan.Matched, "%s %s", media, pattern)
		}
	}
}
