package clip

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/tokens"
)

// oneEach counts a token for every byte.
type oneEach struct{}

func (oneEach) CountTokens(p []byte) int { return len(p) }

func tokensShown(c TokenCounter, shown string, all int64) envelope.Omission {
	k := &call{Clipper: &Clipper{cfg: Config{Budget: Tokens(2000, c)}}}
	var o envelope.Omission
	(&content{call: k}).inTokens(&o, shown, all)
	return o
}

// Where almost nothing is left, rounding does not make the total less than what is shown.
func TestARoundedTotalIsMoreThanWhatIsShown(t *testing.T) {
	shown := strings.Repeat("x", 1003)
	o := tokensShown(oneEach{}, shown, tokens.Estimate([]byte(shown))+1)
	require.Equal(t, int64(1003), o.Shown)
	require.Greater(t, o.Total.Value, o.Shown)
	o = tokensShown(oneEach{}, shown, 0) // and where the estimates contradict each other
	require.Greater(t, o.Total.Value, o.Shown)
}

// An estimate of what is shown never exceeds the bound that the budget holds.
func TestAnEstimateIsWithinTheBound(t *testing.T) {
	shown := strings.Repeat("aB 0", 30)
	require.Greater(t, tokens.Estimate([]byte(shown)), int64(tokens.Bound([]byte(shown))))
	o := tokensShown(TokenBound, shown, 100_000)
	require.Equal(t, coverage.Estimate, o.Relation)
	require.Equal(t, int64(tokens.Bound([]byte(shown))), o.Shown)
}

func TestRunsOfAView(t *testing.T) {
	v := envelope.View{
		Bytes:   []coverage.Range{{Start: 10, End: 13}, {Start: 20, End: 21}},
		Context: []coverage.Range{{Start: 0, End: 2}, {Start: 30, End: 31}},
	}
	runs, ok := runsOf(v, "[[abcd]")
	require.True(t, ok)
	require.Equal(t, []string{"abc", "d"}, runs)
	for _, content := range []string{"[[abcd", "[[abcd]]", ""} {
		_, ok = runsOf(v, content)
		require.False(t, ok, "the ranges are not what makes up %q", content)
	}
}
