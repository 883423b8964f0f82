package clip

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
)

// What is reserved for a handle and a hash holds whichever are drawn, so that what is
// shown does not depend on them.
func TestLaw10NoHandleCostsMoreThanIsReserved(t *testing.T) {
	c, err := New(Config{Budget: Tokens(5000, nil), Store: artifact.NewMemory(nil), Followups: AllFollowups, Form: JSONForm})
	require.NoError(t, err)
	for _, form := range []Form{TextForm, JSONForm, InBandForm} {
		c, err := c.With(func(cfg *Config) { cfg.Form = form })
		require.NoError(t, err)
		e := c.like(layout{parts: 2, more: true, listed: true}, "", false)
		costly := c.cfg.Style.Reserve(e, c.cfg.MaxInput)
		if form != TextForm {
			costly = c.cfg.render(e)
		}
		require.Contains(t, costly, costlyHandle)
		rapid.Check(t, func(t *rapid.T) {
			sum := sha256.Sum256([]byte(rapid.String().Draw(t, "content")))
			drawn := strings.ReplaceAll(costly, costlySum, hex.EncodeToString(sum[:]))
			for strings.Contains(drawn, costlyHandle) {
				drawn = strings.Replace(drawn, costlyHandle, string(artifact.NewHandle()), 1)
			}
			require.LessOrEqual(t, c.cfg.Budget.cost(drawn), c.cfg.Budget.cost(costly), "%s", drawn)
		})
	}
}
