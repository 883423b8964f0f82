package followup_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// Every answer of every tool is within the budget, whatever it answers and however
// the budget counts.
func TestLaw01Budget(t *testing.T) {
	store := artifact.NewMemory(nil)
	keep := newBench(t, store, nil)
	contents := []string{
		keep.save(numbered(2000)).Artifact.Handle,
		keep.save(strings.Repeat("汉字 line ", 3000)).Artifact.Handle,
		keep.save(strings.Repeat("\xff\x1b[31m e\u0301\n", 3000)).Artifact.Handle,
		keep.save(records).Artifact.Handle,
		keep.save(orders(300)).Artifact.Handle,
		keep.save(map[string]any{"text": string(orders(300))}).Artifact.Handle,
		string(artifact.NewHandle()),
	}
	asked := []string{
		``, `"line":100`, `"byte":50`, `"item":3`, `"pointer":"/orders","item":200`, `"pointer":"/text/orders","item":200`, `"pointer":"/text","inside":true`,
		`"pointer":"/text","inside":true,"byte":900`, `"pointer":"/text","inside":true,"line":1`, `"line":100000`, `"line":"x"`, `"pattern":"line"`,
		`"pattern":"[0-9a-f]","context":2`, `"pattern":".","from":20`, `"pattern":"nowhere"`, `"pattern":"(","literal":true`, `"pattern":"a("`,
		`"where":[{"pointer":"/id","op":"==","value":1}]`, `"pointer":"/orders","where":[{"pointer":"/status","op":"!=","value":"done"}]`,
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(300, 4000).Draw(t, "n")
		budgets := []clip.Budget{clip.Bytes(n), clip.Runes(n), clip.Graphemes(n), clip.Lines(n / 20), clip.Tokens(n, nil)}
		cfg := clip.Config{
			Store: store, Followups: clip.AllFollowups, Budget: rapid.SampledFrom(budgets).Draw(t, "budget"),
			Form:  rapid.SampledFrom([]clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm}).Draw(t, "form"),
			Style: envelope.Style{Language: rapid.SampledFrom([]string{"en", "zh-Hans"}).Draw(t, "language"), Compact: rapid.Bool().Draw(t, "compact")},
		}
		c, err := clip.New(cfg)
		if errors.Is(err, clip.ErrBudget) {
			return
		}
		require.NoError(t, err)
		tools, err := followup.Tools(c, nil)
		if errors.Is(err, clip.ErrBudget) {
			return // the tools' names are longer than that of the Config
		}
		require.NoError(t, err)
		tool := rapid.SampledFrom(tools).Draw(t, "tool")
		args := ofHandle(rapid.SampledFrom(contents).Draw(t, "content"), rapid.SampledFrom(asked).Draw(t, "args"))
		e, err := tool.Call(context.Background(), json.RawMessage(args))
		require.NoError(t, err)
		require.True(t, utf8.ValidString(e.Text()))
		requireWithin(t, cfg, e)
	})
}

func requireWithin(t *rapid.T, cfg clip.Config, e envelope.Envelope) {
	rendered := e.Text()
	switch cfg.Form {
	case clip.JSONForm:
		p, err := json.Marshal(e)
		require.NoError(t, err)
		rendered = string(p)
	case clip.InBandForm:
		rendered = e.InBand("")
		require.True(t, json.Valid([]byte(rendered)))
	}
	var unit string
	var most int
	_, err := fmt.Sscanf(cfg.Budget.String(), "%d %s", &most, &unit)
	require.NoError(t, err)
	switch strings.TrimSuffix(unit, "s") {
	case "byte":
		require.LessOrEqual(t, len(rendered), most)
	case "rune":
		require.LessOrEqual(t, utf8.RuneCountInString(rendered), most)
	case "line":
		require.LessOrEqual(t, strings.Count(strings.TrimSuffix(e.Content, "\n"), "\n"), most)
	case "token":
		require.LessOrEqual(t, clip.TokenBound.CountTokens([]byte(rendered)), most)
	}
}

// A larger budget shows all that a smaller one shows of a search or a query.
func TestLaw10Nested(t *testing.T) {
	store := artifact.NewMemory(nil)
	keep := newBench(t, store, nil)
	text := keep.save(numbered(3000) + strings.Repeat("long line 7 ", 2000) + "\n" + numbered(500))
	list := keep.save(orders(500))
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1000, 6000).Draw(t, "n")
		more := n + rapid.IntRange(0, 200).Draw(t, "more")
		tool, args := "artifact_search", on(text, rapid.SampledFrom([]string{`"pattern":"7","context":1`, `"pattern":"line 2.*"`, `"pattern":"99","context":3`}).Draw(t, "args"))
		if rapid.Bool().Draw(t, "query") {
			tool, args = "artifact_query", on(list, `"pointer":"/orders","where":[{"pointer":"/amount","op":">","value":50}]`)
		}
		ask := func(n int) envelope.Envelope {
			c, err := clip.New(clip.Config{Store: store, Followups: clip.AllFollowups, Budget: clip.Bytes(n)})
			require.NoError(t, err)
			tools, err := followup.Tools(c, nil)
			require.NoError(t, err)
			for _, x := range tools {
				if x.Name == tool {
					e, err := x.Call(context.Background(), json.RawMessage(args))
					require.NoError(t, err)
					return e
				}
			}
			return envelope.Envelope{}
		}
		small, large := ask(n), ask(more)
		var set coverage.Set
		set = set.Add(large.View.Bytes...)
		for _, r := range small.View.Bytes {
			before := set.Len()
			require.Equal(t, before, coverage.Set(nil).Add(set...).Add(r).Len(), "%v is not within %v", r, set)
		}
		require.LessOrEqual(t, small.Scan.Returned, large.Scan.Returned)
	})
}

func TestToolsAreSafeForConcurrentUse(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(records)
	var wg sync.WaitGroup
	for range 4 {
		for tool, ask := range asks {
			wg.Go(func() {
				got, err := b.calls[tool].Call(context.Background(), json.RawMessage(on(e, ask)))
				if err != nil || got.Failure != nil {
					t.Error(tool, err, got.Failure)
				}
			})
		}
	}
	wg.Wait()
}
