package followup_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/envelope"
)

// records are a content that every tool can read.
var records = json.RawMessage("[" + strings.Repeat(`{"id":1,"name":"a line"},`, 500) + `{"id":2}]`)

// asks is a call of each tool.
var asks = map[string]string{
	"artifact_read":    `"line":1`,
	"artifact_search":  `"pattern":"line"`,
	"artifact_query":   `"where":[{"pointer":"/id","op":"==","value":1}]`,
	"artifact_outline": ``,
}

func TestTheOwnerIsToldWhyAnArtifactIsGone(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for kind, store := range stores(t, func() time.Time { return now }) {
		for tool, ask := range asks {
			t.Run(kind+"/"+tool, func(t *testing.T) {
				now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
				b := newBench(t, store, nil, func(c *clip.Config) { c.TTL = time.Hour })
				deleted, expired := b.save(records), b.save(records)
				require.NoError(t, store.Delete(ctx, artifact.Scope{}, artifact.Handle(deleted.Artifact.Handle)))
				now = now.Add(2 * time.Hour)

				e := b.call(tool, on(deleted, ask))
				require.Equal(t, "deleted", e.Failure.Kind)
				require.Contains(t, e.Failure.Message, "2026-01-02 03:04:05Z")

				e = b.call(tool, on(expired, ask))
				require.Equal(t, "expired", e.Failure.Kind)
				require.Contains(t, e.Failure.Message, "2026-01-02 04:04:05Z")
				require.Contains(t, e.Failure.Advice, "call the tool that gave the result again")
				require.Contains(t, e.Text(), "expired", "the model is told")

				e = b.call(tool, ofHandle(string(artifact.NewHandle()), ask))
				require.Equal(t, "not_found", e.Failure.Kind)

				for _, f := range []*envelope.Failure{e.Failure} {
					require.Equal(t, envelope.EffectNone, f.Effect)
					require.Equal(t, envelope.RetryNever, f.Retry)
				}
			})
		}
	}
}

type user struct{}

func asUser(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, user{}, name)
}

var errNobody = errors.New("nobody is logged in")

func callerOf(ctx context.Context) (clip.Caller, error) {
	name, ok := ctx.Value(user{}).(string)
	if !ok {
		return clip.Caller{}, errNobody
	}
	return clip.Caller{Scope: artifact.Scope{User: name}}, nil
}

// Whatever happened to it, a stranger is told the same, to the byte.
func TestAStrangerLearnsNothing(t *testing.T) {
	ctx := context.Background()
	now := time.Now()
	for kind, store := range stores(t, func() time.Time { return now }) {
		b := newBench(t, store, nil, func(c *clip.Config) { c.TTL, c.Caller = time.Hour, callerOf })
		alice, eve := asUser(ctx, "alice"), asUser(ctx, "eve")
		var handles []string
		for range 3 {
			e, err := b.clip.Clip(alice, records)
			require.NoError(t, err)
			handles = append(handles, e.Artifact.Handle)
		}
		require.NoError(t, store.Delete(alice, artifact.Scope{User: "alice"}, artifact.Handle(handles[1])))
		never := string(artifact.NewHandle())
		for tool, ask := range asks {
			said := func(ctx context.Context, h string) string {
				e, err := b.calls[tool].Call(ctx, json.RawMessage(ofHandle(h, ask)))
				require.NoError(t, err)
				p, err := json.Marshal(e)
				require.NoError(t, err)
				return string(p)
			}
			want := said(eve, never)
			require.Contains(t, want, "not_found")
			for _, h := range handles {
				require.Equal(t, want, said(eve, h), "%s %s", kind, tool)
			}
			require.NotContains(t, said(alice, handles[0]), `"failure"`)
		}
		now = now.Add(2 * time.Hour)
		for tool, ask := range asks {
			e, err := b.calls[tool].Call(eve, json.RawMessage(ofHandle(handles[2], ask)))
			require.NoError(t, err)
			require.Equal(t, "not_found", e.Failure.Kind, "expired is told to the owner only")
		}
		now = now.Add(-2 * time.Hour)
	}
}

func TestWithoutACallerNothingIsRead(t *testing.T) {
	store := artifact.NewMemory(nil)
	b := newBench(t, store, nil)
	kept := b.save(records) // in the scope of nobody
	b = newBench(t, store, nil, func(c *clip.Config) { c.Caller = callerOf })
	for tool, ask := range asks {
		e, err := b.calls[tool].Call(context.Background(), json.RawMessage(on(kept, ask)))
		require.ErrorIs(t, err, errNobody)
		require.Empty(t, e.Content)
		require.NotNil(t, e.Failure)
	}
}

func TestADamagedCopySaysWhichBlock(t *testing.T) {
	dir := t.TempDir()
	store, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	defer store.Close()
	b := newBench(t, store, nil)
	e := b.save(json.RawMessage(string(records[:len(records)-1]) + strings.Repeat(`,{"id":3,"name":"another"}`, 50_000) + "]"))
	damage(t, dir)
	for tool, ask := range asks {
		f := b.call(tool, on(e, ask)).Failure
		require.NotNil(t, f)
		require.Equal(t, "corrupt", f.Kind)
		require.Regexp(t, `block at byte \d+`, f.Message)
		require.Equal(t, envelope.EffectNone, f.Effect)
	}
}

// damage flips a bit in the middle of the largest file in dir.
func damage(t *testing.T, dir string) {
	var largest string
	var size int64
	require.NoError(t, filepath.Walk(dir, func(p string, i os.FileInfo, err error) error {
		if err == nil && i.Mode().IsRegular() && i.Size() > size {
			largest, size = p, i.Size()
		}
		return err
	}))
	require.NoError(t, os.Chmod(largest, 0o600))
	data, err := os.ReadFile(largest)
	require.NoError(t, err)
	data[size/2] ^= 1
	require.NoError(t, os.WriteFile(largest, data, 0o600))
}

// away is a store that does not answer, or that breaks.
type away struct {
	artifact.Store
	err  error
	at   string // "open" or "read"; with err nil it panics there
	hook func()
}

type awayReader struct {
	artifact.Reader
	a *away
}

func (a *away) fail() error {
	if a.hook != nil {
		a.hook()
	}
	if a.err == nil {
		panic("the driver broke")
	}
	return a.err
}

func (a *away) Open(ctx context.Context, s artifact.Scope, h artifact.Handle) (artifact.Reader, error) {
	if a.at == "open" {
		return nil, a.fail()
	}
	r, err := a.Store.Open(ctx, s, h)
	return awayReader{r, a}, err
}

func (r awayReader) ReadAt([]byte, int64) (int, error) { return 0, r.a.fail() }

func TestAStoreThatDoesNotAnswerIsWorthAnotherCall(t *testing.T) {
	memory := artifact.NewMemory(nil)
	kept := newBench(t, memory, nil).save(records)
	for _, at := range []string{"open", "read"} {
		for _, err := range []error{
			errors.New("dial tcp 10.0.0.1:5432: secret host unreachable"),
			&artifact.Error{State: artifact.ErrUnavailable, Cause: errors.New("secret host")},
		} {
			b := newBench(t, &away{memory, err, at, nil}, nil)
			for tool, ask := range asks {
				e := b.call(tool, on(kept, ask))
				require.Equal(t, "unavailable", e.Failure.Kind)
				require.Equal(t, envelope.RetryLater, e.Failure.Retry)
				require.NotContains(t, e.Text(), "secret")
			}
		}
		b := newBench(t, &away{memory, nil, at, nil}, nil)
		for tool, ask := range asks {
			e := b.call(tool, on(kept, ask)) // and it does not panic
			require.NotNil(t, e.Failure)
			require.Empty(t, e.Content)
		}
	}
}

func TestCancellationIsReturned(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	kept := b.save(records)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for tool, ask := range asks {
		e, err := b.calls[tool].Call(ctx, json.RawMessage(on(kept, ask)))
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, e.Content)
		require.NotNil(t, e.Failure)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	b = newBench(t, &away{b.store, context.Canceled, "read", nil}, nil)
	for tool, ask := range asks { // somebody else's cancellation is not the loop's
		e, err := b.calls[tool].Call(ctx, json.RawMessage(on(kept, ask)))
		require.NoError(t, err)
		require.Equal(t, "unavailable", e.Failure.Kind)
	}
}

func TestACallThatIsCancelledOnTheWayIsReturned(t *testing.T) {
	memory := artifact.NewMemory(nil)
	kept := newBench(t, memory, nil).save(records)
	for _, at := range []string{"open", "read"} {
		for tool, ask := range asks {
			ctx, cancel := context.WithCancel(context.Background())
			b := newBench(t, &away{memory, errors.New("connection closed"), at, cancel}, nil)
			_, err := b.calls[tool].Call(ctx, json.RawMessage(on(kept, ask)))
			require.ErrorIs(t, err, context.Canceled)
		}
	}
}

func TestToolsRefusesWhatCannotWork(t *testing.T) {
	_, err := followup.Tools(nil, nil)
	require.Error(t, err)

	c, err := clip.New(clip.Config{Followups: clip.AllFollowups})
	require.NoError(t, err)
	_, err = followup.Tools(c, nil)
	require.ErrorContains(t, err, "no Config.Store")

	c, err = clip.New(clip.Config{})
	require.NoError(t, err)
	tools, err := followup.Tools(c, nil)
	require.NoError(t, err)
	require.Empty(t, tools, "none is named")

	c, err = clip.New(clip.Config{Store: artifact.NewMemory(nil), Followups: clip.Followups{Search: "find"}})
	require.NoError(t, err)
	tools, err = followup.Tools(c, nil)
	require.NoError(t, err)
	require.Len(t, tools, 1)
	require.Equal(t, "find", tools[0].Name)
	require.NotContains(t, tools[0].Description, "artifact_read", "a call that the loop does not have is not named")
	require.False(t, strings.Contains(tools[0].Description, "  "))
}
