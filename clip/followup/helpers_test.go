package followup_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/envelope"
)

// bench is a loop with a store and the follow-up tools.
type bench struct {
	t     testing.TB
	clip  *clip.Clipper
	store artifact.Store
	calls map[string]followup.Tool
}

func newBench(t testing.TB, store artifact.Store, l *followup.Limits, opts ...func(*clip.Config)) *bench {
	cfg := clip.Config{Store: store, Budget: clip.Bytes(2000), Followups: clip.AllFollowups}
	for _, o := range opts {
		o(&cfg)
	}
	c, err := clip.New(cfg)
	require.NoError(t, err)
	b := &bench{t: t, clip: c, store: store, calls: map[string]followup.Tool{}}
	tools, err := followup.Tools(c, l)
	require.NoError(t, err)
	for _, tool := range tools {
		b.calls[tool.Name] = tool
	}
	return b
}

// save clips a result and returns its envelope.
func (b *bench) save(content any) envelope.Envelope {
	e, err := b.clip.Clip(context.Background(), content)
	require.NoError(b.t, err)
	return e
}

// call calls a tool with args: JSON, or anything that becomes JSON.
func (b *bench) call(tool string, args any) envelope.Envelope {
	raw, ok := args.(string)
	if !ok {
		p, err := json.Marshal(args)
		require.NoError(b.t, err)
		raw = string(p)
	}
	require.Contains(b.t, b.calls, tool)
	e, err := b.calls[tool].Call(context.Background(), json.RawMessage(raw))
	require.NoError(b.t, err)
	return e
}

// on is the arguments of a call on the artifact of e.
func on(e envelope.Envelope, args string) string { return ofHandle(e.Artifact.Handle, args) }

func ofHandle(h, args string) string {
	if args != "" {
		args = "," + args
	}
	return `{"artifact":"` + h + `"` + args + `}`
}

// stores are the kinds of store that come with the library, with the clock now.
func stores(t *testing.T, now func() time.Time) map[string]artifact.Store {
	o := &artifact.Options{Now: now, SweepEvery: -1}
	dir, err := artifact.OpenDir(t.TempDir(), o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = dir.Close() })
	return map[string]artifact.Store{"memory": artifact.NewMemory(o), "dir": dir}
}
