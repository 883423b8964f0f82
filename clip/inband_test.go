package clip_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// The other laws draw InBandForm among the forms; here is what it alone promises.

// inBand is a policy for loops that only pass JSON, with a store and calls.
func inBand(t require.TestingT, b clip.Budget) *clip.Clipper {
	return newClipper(t, clip.Config{Form: clip.InBandForm, Budget: b, Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
}

func TestInBandIsOneValueWithTheSameRootThatReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		cfg.Form, cfg.Style.Member = clip.InBandForm, rapid.SampledFrom([]string{"", "_clip", "id"}).Draw(t, "member")
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		src := drawBytes(t)
		e, err := newClipper(t, cfg).Clip(ctx, src)
		require.NoError(t, err)

		out := e.InBand(cfg.Style.Member)
		require.True(t, json.Valid([]byte(out)), "%s", out)
		if k := kindOf(append(src, 'x')); json.Valid(src) && (k == '{' || k == '[') {
			require.Equal(t, k, kindOf([]byte(out)), "%s", out)
		}
		got, err := envelope.ParseInBand([]byte(out), cfg.Style.Member)
		require.NoError(t, err)
		if !e.View.Complete {
			require.Equal(t, unnamed(unframed(e)), unnamed(got), "the same facts as the JSON form")
		}
		if json.Valid([]byte(e.Content)) && e.MediaType == "application/json" {
			require.Equal(t, strings.TrimSpace(e.Content), strings.TrimSpace(got.Content), "nothing else is in the data")
		}
	})
}

// unframed is e without what frames text, and without places where they are many.
func unframed(e envelope.Envelope) envelope.Envelope {
	e.Fence, e.Closing = "", ""
	if len(e.View.Bytes)+len(e.View.Context) > 16 {
		e.View.Bytes, e.View.Context = nil, nil
	}
	if len(e.View.Cuts) > 16 || e.MediaType == "application/json" {
		e.View.Cuts = nil
	}
	return e
}

func TestInBandCompleteResultsStandBare(t *testing.T) {
	for want, result := range map[string]any{
		`{"a":1}`:                `{"a":1}`,
		`[1,2]`:                  []int{1, 2},
		`"3 files changed\n"`:    "3 files changed\n",
		`"[PARTIAL 1 of 2]\n<>"`: "[PARTIAL 1 of 2]\n<>",
		`null`:                   json.RawMessage(`null`),
	} {
		e, err := inBand(t, clip.Bytes(4000)).Clip(ctx, result)
		require.NoError(t, err)
		require.Equal(t, want, e.InBand(""))
	}
}

// Names like the marker's cost a longer name: it is within the budget too.
func TestInBandNamesInTheDataAreWithinTheBudget(t *testing.T) {
	var members []string
	for i := range 600 {
		members = append(members, fmt.Sprintf(`"$clip%d":{"$clip":"%s"}`, i, strings.Repeat("x", i%70)))
	}
	src := `{"$clip":0,` + strings.Join(members, ",") + "}"
	var before coverage.Set
	for n := smallest(t, clip.Config{Form: clip.InBandForm}, clip.Bytes); n < 9000; n += 97 {
		e, err := newClipper(t, clip.Config{Form: clip.InBandForm, Budget: clip.Bytes(n)}).Clip(ctx, src)
		require.NoError(t, err)
		out := e.InBand("")
		require.LessOrEqual(t, len(out), n)
		got, err := envelope.ParseInBand([]byte(out), "")
		require.NoError(t, err)
		require.Equal(t, e.Content, got.Content)
		now := coverage.Set(nil).Add(e.View.Bytes...)
		require.Zero(t, missed(now, before), "at %d", n)
		before = now
	}
	require.Greater(t, before.Len(), int64(5000))
}

func TestInBandTextIsAString(t *testing.T) {
	src := lines("a <line> of text", 900)
	e, err := inBand(t, clip.Bytes(4000)).Clip(ctx, src)
	require.NoError(t, err)
	var doc map[string]struct {
		Notice  string
		Content string
		Next    []envelope.Next
	}
	require.NoError(t, json.Unmarshal([]byte(e.InBand("")), &doc))
	require.Len(t, doc, 1)
	require.True(t, strings.HasPrefix(doc["$clip"].Notice, "[PARTIAL lines 1-"), doc["$clip"].Notice)
	require.Equal(t, e.Content, doc["$clip"].Content)
	require.Equal(t, "artifact_read", doc["$clip"].Next[0].Tool)
}

func TestInBandOfSeveralContentsIsTheMarkerAlone(t *testing.T) {
	e, err := inBand(t, clip.Bytes(4000)).Clip(ctx, clip.Result{Parts: []clip.Named{
		{Name: "stdout", Content: lines("out", 900)}, {Name: "stderr", Content: `{"a":1}`},
	}})
	require.NoError(t, err)
	out := e.InBand("")
	require.LessOrEqual(t, len(out), 4000)
	got, err := envelope.ParseInBand([]byte(out), "")
	require.NoError(t, err)
	require.Equal(t, unnamed(unframed(e)), unnamed(got))
	require.Equal(t, `{"a":1}`, got.Parts[1].Content)
}

func TestInBandIsWhatWrapTextReturns(t *testing.T) {
	rows := "[" + strings.TrimSuffix(strings.Repeat(`{"id":1},`, 4000), ",") + "]"
	run := clip.WrapText(inBand(t, clip.Bytes(3000)), func(context.Context, int) (json.RawMessage, error) {
		return json.RawMessage(rows), nil
	}, func(cfg *clip.Config) { cfg.Style.Member = "_note" })
	out, err := run(ctx, 0)
	require.NoError(t, err)
	require.LessOrEqual(t, len(out), 3000)
	var items []map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &items))
	require.Contains(t, items[len(items)-1], "_note")
	require.Contains(t, items[0], "id")
}

func TestInBandMembersNameIsChecked(t *testing.T) {
	for _, member := range []string{strings.Repeat("x", 65), "\xff"} {
		_, err := clip.New(clip.Config{Form: clip.InBandForm, Style: envelope.Style{Member: member}})
		require.ErrorContains(t, err, "Style.Member")
	}
	_, err := clip.New(clip.Config{Form: clip.InBandForm + 1})
	require.ErrorContains(t, err, "InBandForm")
}

// A gap in JSON is told by omissions: its place costs the encoded forms nothing.
func TestEncodedFormsListNoCutsOfJSON(t *testing.T) {
	src := "{" + repeat(400, func(i int) string { return fmt.Sprintf(`"k%d":[%s]`, i, strings.Repeat("7,", 40)+"7") }) + "}"
	for _, form := range []clip.Form{clip.JSONForm, clip.InBandForm} {
		e, err := newClipper(t, clip.Config{Form: form, Budget: clip.Bytes(6000)}).Clip(ctx, json.RawMessage(src))
		require.NoError(t, err)
		require.Greater(t, len(e.View.Bytes), 3)
		require.Empty(t, e.View.Cuts)
		e, err = newClipper(t, clip.Config{Form: form, Budget: clip.Bytes(6000)}).Clip(ctx, lines("a line", 3000))
		require.NoError(t, err)
		require.NotEmpty(t, e.View.Cuts, "a gap in text is where it is")
	}
}
