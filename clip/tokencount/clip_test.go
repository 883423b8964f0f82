package tokencount_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/tokencount"
	"github.com/toolclip/toolclip/envelope"
)

// budget clips out to n tokens.
func budget(t require.TestingT, n int, count clip.TokenCounter, form clip.Form, out any) envelope.Envelope {
	c, err := clip.New(clip.Config{
		Budget: clip.Tokens(n, count), Form: form, Store: artifact.NewMemory(nil), Followups: clip.AllFollowups,
	})
	require.NoError(t, err)
	e, err := c.Clip(context.Background(), out)
	require.NoError(t, err)
	return e
}

// results are texts that cost many tokens for their bytes.
func results() *rapid.Generator[string] {
	units := []string{"a log line of plain words\n", "中文字", "🎉👨‍👩‍👧", "q7Zx+/9Kd", "<|endoftext|>", " \n\t", "\x1b[31m", "\xff", "{\"id\":9007199254740993}", "a\u0301", "\u202e"}
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 5).Draw(t, "kinds") {
			b.WriteString(strings.Repeat(rapid.SampledFrom(units).Draw(t, "unit"), rapid.IntRange(1, 900).Draw(t, "times")))
		}
		return b.String()
	})
}

func TestLaw01TheRenderingHasNoMoreTokensThanTheBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out := results().Draw(t, "result")
		n := rapid.IntRange(700, 3000).Draw(t, "budget")
		count := tokencount.O200k()
		if rapid.Bool().Draw(t, "cl100k_base") {
			count = tokencount.Cl100k()
		}
		require.LessOrEqual(t, count.CountTokens([]byte(budget(t, n, count, clip.TextForm, out).Text())), n)
		n += 1500 // the encoded form has fields beside the content
		b, err := json.Marshal(budget(t, n, count, clip.JSONForm, out))
		require.NoError(t, err)
		require.LessOrEqual(t, count.CountTokens(b), n)
	})
}

// asked is a counter that notes what it is asked.
type asked struct {
	clip.TokenCounter
	times, bytes, longest int
}

func (a *asked) CountTokens(p []byte) int {
	a.times++
	a.bytes += len(p)
	a.longest = max(a.longest, len(p))
	return a.TokenCounter.CountTokens(p)
}

// A tokenizer is slow: it is never asked about the whole result, only about strings
// within the budget's ceiling in bytes, and not often.
func TestTheCounterIsAskedAboutWhatFitsOnly(t *testing.T) {
	for name, out := range map[string]string{
		"log":    strings.Repeat("2026-11-29T18:00:00Z INFO request served path=/v1/items status=200 ms=12\n", 100_000),
		"one":    strings.Repeat("x", 8<<20),
		"cjk":    strings.Repeat("请求处理完成，返回结果共三百二十条。\n", 100_000),
		"base64": strings.Repeat("q7Zx+/9KdW2mVb0Y", 500_000),
		"json":   `{"items":[` + strings.Repeat(`{"id":9007199254740993,"name":"text"},`, 100_000) + `{}]}`,
	} {
		const n = 4000
		a := &asked{TokenCounter: tokencount.O200k()}
		e := budget(t, n, a, clip.TextForm, out)
		require.False(t, e.View.Complete)
		t.Logf("%s: asked %d times about %d bytes, at most %d at once", name, a.times, a.bytes, a.longest)
		require.LessOrEqual(t, a.longest, 8*n, name)
		require.LessOrEqual(t, a.times, 200, name)
		require.LessOrEqual(t, a.bytes, 2<<20, name)
	}
}

// An exact counter shows about twice what the bound that needs no tokenizer does.
func TestAnExactCountShowsMoreThanTheBound(t *testing.T) {
	out := strings.Repeat("2026-11-29T18:00:00Z INFO request served path=/v1/items status=200 ms=12\n", 10_000)
	exact := budget(t, 4000, tokencount.O200k(), clip.TextForm, out)
	bound := budget(t, 4000, nil, clip.TextForm, out)
	require.Greater(t, len(exact.Content), len(bound.Content)*5/4)
}
