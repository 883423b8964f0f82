package mcpenvelope_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// TestTokens measures what the notice, the fence and the closing of a partial text with
// one read and one search call cost a model, over 1,000 random handles and fences. Run
// it with -v for the figures.
func TestTokens(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	require.NoError(t, err)
	for _, c := range []struct {
		name  string
		style envelope.Style
		unit  coverage.Unit // of the budget
		most  int           // median, in tokens of o200k_base
	}{
		{"English", envelope.Style{}, coverage.Byte, 100},
		{"English, compact", envelope.Style{Compact: true}, coverage.Byte, 45},
		{"Simplified Chinese", envelope.Style{Language: "zh-Hans"}, coverage.Byte, 110},
		{"Traditional Chinese", envelope.Style{Language: "zh-Hant"}, coverage.Byte, 120},
		{"English, a budget in tokens", envelope.Style{}, coverage.Token, 110},
		{"Simplified Chinese, a budget in tokens", envelope.Style{Language: "zh-Hans"}, coverage.Token, 120},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var costs []int
			for range 1000 {
				e := c.style.Word(under(c.unit, partial(r)), nil)
				whole, _, err := codec.Encode(e.Text())
				require.NoError(t, err)
				content, _, err := codec.Encode(e.Content)
				require.NoError(t, err)
				costs = append(costs, len(whole)-len(content))
			}
			slices.Sort(costs)
			t.Logf("tokens of the frame: median %d, largest %d", costs[500], costs[999])
			require.LessOrEqual(t, costs[500], c.most)
		})
	}
}

// under is e under a budget in another unit.
func under(u coverage.Unit, e envelope.Envelope) envelope.Envelope {
	if e.Reasons[0].Unit = u; u != coverage.Byte {
		e.View.Omissions = []envelope.Omission{{Unit: u, Shown: 7421, Total: coverage.Count{Value: 47600, Relation: coverage.Estimate}}}
	}
	return e
}

func partial(r *rand.Rand) envelope.Envelope {
	h := random(r, 26, "abcdefghijklmnopqrstuvwxyz234567")
	return envelope.Envelope{
		Fence: random(r, 2, "abcdef") + random(r, 6, "0123456789"), // as it is drawn
		Part: envelope.Part{
			Content: strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 3),
			View: envelope.View{
				Bytes: []coverage.Range{{Start: 0, End: 24310}}, ByteTotal: coverage.Exactly(156021),
				Unit: coverage.Line, Units: []coverage.Range{{Start: 0, End: 178}}, UnitTotal: coverage.Exactly(549),
			},
			Reasons:  []coverage.Reason{{Code: coverage.OverBudget, Layer: coverage.LayerBudget, Unit: coverage.Byte, Limit: 16384}},
			Artifact: &envelope.Artifact{Handle: h, ExpiresAt: time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)},
		},
		Next: []envelope.Next{
			{Tool: "artifact_read", Arguments: map[string]any{"artifact": h, "line": 179, "to": 549}},
			{Tool: "artifact_search", Arguments: map[string]any{"artifact": h, "pattern": ""}, Search: true},
		},
	}
}

func random(r *rand.Rand, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// TestTheReserveHoldsInTokensToo: Reserve's contract is about measures that add up. For
// a real tokenizer it is not proved; here it is tried.
func TestTheReserveHoldsInTokensToo(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	require.NoError(t, err)
	count := func(s string) int {
		ids, _, err := codec.Encode(s)
		require.NoError(t, err)
		return len(ids)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, style := range []envelope.Style{{}, {Compact: true}, {Language: "zh"}, {Language: "zh-TW"}} {
		like := partial(r)
		reserve := count(style.Reserve(like, 1<<30))
		for range 300 {
			e := partial(r)
			e.View.UnitTotal = coverage.AtLeast(r.Int64N(1 << 30))
			frame := style.Word(e, func(string) bool { return false })
			text := frame.Text()
			content := frame.Content
			cost := count(text) - count(content)
			require.LessOrEqual(t, cost, reserve, fmt.Sprint(style, text))
		}
	}
}
