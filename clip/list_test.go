package clip_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// reports are n contents of which a few fill a small budget.
func reports(n int) clip.Result {
	var r clip.Result
	for i := range n {
		r.Parts = append(r.Parts, clip.Named{Name: fmt.Sprintf("report %d", i+1), Content: lines("a line", 400)})
	}
	return r
}

// savedText is all of what is kept as handle in scope.
func savedText(t *testing.T, store artifact.Store, scope artifact.Scope, handle string) string {
	r, err := store.Open(ctx, scope, artifact.Handle(handle))
	require.NoError(t, err)
	defer r.Close()
	p := make([]byte, r.Info().Size)
	_, err = r.ReadAt(p, 0)
	require.NoError(t, err)
	return string(p)
}

// forms are the forms, each with its smallest budget for cfg.
func forms(t *testing.T, cfg clip.Config, try func(clip.Config)) {
	for form := clip.TextForm; form <= clip.InBandForm; form++ {
		for _, language := range []string{"en", "zh-Hans"} {
			cfg.Form, cfg.Style.Language = form, language
			cfg.Budget = clip.Bytes(smallest(t, cfg, clip.Bytes))
			try(cfg)
		}
	}
}

// Where there is no room for even one content, the list is what is said.
func TestTheListIsNamedWhereNoContentHasRoom(t *testing.T) {
	none := 0
	cfg := clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups, Tool: "fetch_all"}
	forms(t, cfg, func(cfg clip.Config) {
		long := strings.Repeat("a long message ", 40)
		for _, err := range []error{nil, errors.New("short"), &envelope.Failure{Kind: long, Message: long, Advice: long}} {
			r := reports(12)
			r.Did, r.Err = long, err
			if err != nil {
				r.Coverage = &coverage.Report{Summary: coverage.Summary{Reasons: []coverage.Reason{{Message: long[:200]}, {Message: long[:200]}, {Message: long[:200]}}}}
			}
			e, got := newClipper(t, cfg).Clip(ctx, r)
			require.Equal(t, err, got)
			require.LessOrEqual(t, len(rendered(cfg, e)), smallest(t, cfg, clip.Bytes))
			require.Contains(t, rendered(cfg, e), e.List)
			require.False(t, e.View.Complete)
			n := int64(len(e.Parts))
			if n == 0 {
				none++
				require.Empty(t, e.Content)
				require.Contains(t, e.Notice, strings.TrimSuffix(cfg.Budget.String(), " bytes"), "why no more is shown")
			}
			require.Equal(t, []envelope.Omission{{
				Pointer: "/parts", Unit: coverage.Item, Shown: n, Total: coverage.Exactly(12), Units: coverage.Range{Start: n, End: 12},
			}}, e.View.Omissions)
			require.Contains(t, e.Next, envelope.Next{
				Tool: "artifact_read", Arguments: map[string]any{"artifact": e.List, "item": n + 1, "to": int64(12)},
				Gives: fmt.Sprintf("parts %d-12, each with the artifact to read it from", n+1),
			})
		}
	})
	require.NotZero(t, none, "there was always room for one")
}

// The list is an artifact like the contents: of the same caller, and of JSON.
func TestTheListIsTheCallers(t *testing.T) {
	ours := artifact.Scope{Tenant: "a", User: "b"}
	store := artifact.NewMemory(nil)
	c := newClipper(t, clip.Config{
		Store: store, Budget: clip.Bytes(1200),
		Caller: func(context.Context) (clip.Caller, error) { return clip.Caller{Scope: ours}, nil },
	})
	r := reports(5)
	r.Source = "the nightly job"
	r.Parts[3].Content = json.RawMessage(`{"a":1}`)
	r.Parts[4].Content, r.Parts[4].Name = "", "empty <&>"
	e, err := c.Clip(ctx, r)
	require.NoError(t, err)
	require.Less(t, len(e.Parts), 3)
	_, err = store.Open(ctx, artifact.Scope{Tenant: "a"}, artifact.Handle(e.List))
	require.ErrorIs(t, err, artifact.ErrNotFound)
	got, err := store.Open(ctx, ours, artifact.Handle(e.List))
	require.NoError(t, err)
	require.Equal(t, "application/json", got.Info().MediaType)
	require.Equal(t, "the nightly job", got.Info().Source)
	require.NoError(t, got.Close())

	text := savedText(t, store, ours, e.List)
	require.Contains(t, text, `,"bytes":0,"mediaType":"text/plain","name":"empty <&>"}]`)
	var list []struct {
		Artifact, MediaType string
		Bytes               int64
	}
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	require.Equal(t, e.Parts[0].Artifact.Handle, list[0].Artifact)
	require.Equal(t, "application/json", list[3].MediaType)
	require.EqualValues(t, 7, list[3].Bytes)
	require.Equal(t, `{"a":1}`, savedText(t, store, ours, list[3].Artifact))
	require.Empty(t, e.Next, "the loop has no tools: the field alone tells a program")
}

// The list holds handles, which look like secrets: it is kept as it is.
func TestTheListIsNotRedacted(t *testing.T) {
	secret := func(w io.Writer, r io.Reader) (int64, error) {
		p, err := io.ReadAll(r)
		if err == nil {
			_, err = w.Write([]byte(strings.ToUpper(string(p))))
		}
		return 1, err
	}
	store := artifact.NewMemory(nil)
	e, err := newClipper(t, clip.Config{Store: store, Budget: clip.Bytes(1200), Redact: secret}).Clip(ctx, reports(5))
	require.NoError(t, err)
	require.Contains(t, savedText(t, store, artifact.Scope{}, e.List), e.Parts[0].Artifact.Handle)
}

func TestWithoutAStoreThereIsNoList(t *testing.T) {
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(1200)}).Clip(ctx, reports(12))
	require.NoError(t, err)
	require.Less(t, len(e.Parts), 12)
	require.Empty(t, e.List)
	require.NotContains(t, e.Text(), "list")
	require.Contains(t, e.Text(), "more parts are not shown")

	e, err = newClipper(t, clip.Config{Store: artifact.NewMemory(nil)}).Clip(ctx, reports(2))
	require.NoError(t, err)
	require.Len(t, e.Parts, 2)
	require.Empty(t, e.List, "both are there")
}

// fewer is a store that has room for n artifacts.
type fewer struct {
	artifact.Store
	n int
}

var errFull = errors.New("disk full")

func (s *fewer) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	if s.n--; s.n < 0 {
		return nil, errFull
	}
	return s.Store.Create(ctx, d)
}

func TestAListThatCanNotBeKeptIsSaid(t *testing.T) {
	for form := clip.TextForm; form <= clip.InBandForm; form++ {
		cfg := clip.Config{Form: form, Followups: clip.AllFollowups, Store: artifact.NewMemory(nil)}
		least := smallest(t, cfg, clip.Bytes)
		for _, n := range []int{least, least + 100, least + 1000} {
			for kept := range 13 {
				cfg.Budget, cfg.Store = clip.Bytes(n), &fewer{artifact.NewMemory(nil), kept}
				e, err := newClipper(t, cfg).Clip(ctx, reports(12))
				require.NoError(t, err)
				require.LessOrEqual(t, len(rendered(cfg, e)), n)
				require.Empty(t, e.List)
				if kept == 0 {
					require.NotContains(t, e.Notice, "list", "there is nothing to list")
					continue
				}
				require.Contains(t, e.Notice, "The list of the parts could not be saved")
				require.Contains(t, e.Reasons, coverage.Reason{Code: coverage.NotKept, Layer: coverage.LayerCapture, Message: "the list of the parts: disk full"})
			}
		}
	}
	c := newClipper(t, clip.Config{Budget: clip.Bytes(1200), Store: &fewer{artifact.NewMemory(nil), 12}, MustSave: true})
	_, err := c.Clip(ctx, reports(12))
	require.ErrorIs(t, err, errFull)
	require.ErrorContains(t, err, "the list of the contents")
}

// A content that could not be kept is in the list all the same, with the reason.
func TestTheListSaysWhatWasNotKept(t *testing.T) {
	store := &thirdFails{Store: artifact.NewMemory(nil)}
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(1200), Store: store}).Clip(ctx, reports(4))
	require.NoError(t, err)
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(savedText(t, store, artifact.Scope{}, e.List)), &list))
	require.Len(t, list, 4)
	require.NotContains(t, list[2], "artifact")
	require.Equal(t, "disk full", list[2]["notKept"])
	require.NotContains(t, list[3], "notKept")
}

// thirdFails is a store that fails to begin its third artifact.
type thirdFails struct {
	artifact.Store
	n int
}

func (s *thirdFails) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	if s.n++; s.n == 3 {
		return nil, errFull
	}
	return s.Store.Create(ctx, d)
}

// What is left out may be incomplete: the whole then is.
func TestAContentThatIsLeftOutCountsForTheWhole(t *testing.T) {
	r := reports(12)
	r.Parts[11].Content = io.MultiReader(strings.NewReader("some"), broken{})
	store := artifact.NewMemory(nil)
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(1200), Store: store}).Clip(ctx, r)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(savedText(t, store, artifact.Scope{}, e.List)), &list))
	require.NotContains(t, list[10], "goesOn")
	require.Equal(t, true, list[11]["goesOn"])
	require.EqualValues(t, len("some"), list[11]["bytes"])
	require.Equal(t, envelope.AcquiredUnknown, e.Parts[0].Acquired)
	require.Equal(t, envelope.AcquiredNo, e.Acquired)
	smaller, err := newClipper(t, clip.Config{Budget: clip.Bytes(smallest(t, clip.Config{}, clip.Bytes))}).Clip(ctx, e)
	require.NoError(t, err)
	require.Less(t, len(smaller.Parts), len(e.Parts))
	require.Equal(t, envelope.AcquiredNo, smaller.Acquired)
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// An envelope that is cut further keeps its list; one that had none gets one.
func TestLaw11ASmallerBudgetKeepsTheList(t *testing.T) {
	none := 0
	for _, n := range []int{3, 12} {
		store := artifact.NewMemory(nil)
		for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
			cfg := clip.Config{Store: store, Followups: clip.AllFollowups, Form: form}
			least := smallest(t, cfg, clip.Bytes)
			cfg.Budget = clip.Bytes(least + 3000)
			r := reports(n)
			r.Did = strings.Repeat("done ", 100)
			e, err := newClipper(t, cfg).Clip(ctx, r)
			require.NoError(t, err)
			require.Equal(t, n > len(e.Parts), e.List != "")
			list := e.List
			for _, budget := range []int{least + 700, least + 100, least} {
				cfg.Budget = clip.Bytes(budget)
				e, err = newClipper(t, cfg).Clip(ctx, e)
				require.NoError(t, err)
				require.LessOrEqual(t, len(rendered(cfg, e)), budget)
				if len(e.Parts) < n || budget == least {
					requireListed(t, store, e, n)
				}
				require.True(t, list == "" || list == e.List, "the list is the same")
				list = e.List
				if len(e.Parts) == 0 {
					none++
				}
			}
		}
	}
	require.NotZero(t, none, "there was always room for one")
}

// requireListed checks that e shows fewer than n contents and has one call for the list
// of all of them, from the first that is left out on.
func requireListed(t *testing.T, store artifact.Store, e envelope.Envelope, n int) {
	shown := int64(len(e.Parts))
	require.Less(t, shown, int64(n))
	require.Equal(t, coverage.Exactly(int64(n)), e.View.Omissions[0].Total)
	require.Equal(t, shown, e.View.Omissions[0].Shown)
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(savedText(t, store, artifact.Scope{}, e.List)), &list))
	require.Len(t, list, n)
	calls := 0
	for _, next := range e.Next {
		if next.Arguments["artifact"] == e.List {
			require.Equal(t, map[string]any{"artifact": e.List, "item": shown + 1, "to": int64(n)}, next.Arguments)
			calls++
		}
	}
	require.Equal(t, 1, calls)
}
