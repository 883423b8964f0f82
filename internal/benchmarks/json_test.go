package benchmarks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"testing"

	"github.com/buger/jsonparser"
	"github.com/bytedance/sonic"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/jsonview"
	"github.com/toolclip/toolclip/internal/view"
)

const budget = 16 << 10

// jsonImpls are what is measured. strict says that the impl refuses what is not
// RFC 8259 JSON in UTF-8; the others do less, and are bounds.
var jsonImpls = []struct {
	name   string
	strict bool
	run    func(tb testing.TB, p []byte)
}{
	{"toolclip", true, toolclip},
	{"toolclip-saved", true, toolclipSaved}, // with an artifact.Dir
	{"floor-saved", false, floorSaved},      // hash and save alone, in the same store
	{"decode-cut-encode", false, decodeCutEncode},
	{"scan", true, func(tb testing.TB, p []byte) { need(tb, jsonscan.Valid(p)) }},
	{"valid", false, func(tb testing.TB, p []byte) { need(tb, json.Valid(p)) }}, // grammar, not UTF-8
	{"jsontext", true, readTokens},
	{"jsonparser", false, eachValue},                                             // neither grammar nor UTF-8
	{"sonic", false, func(tb testing.TB, p []byte) { need(tb, sonic.Valid(p)) }}, // not UTF-8, and lax
	{"sha256", false, func(_ testing.TB, p []byte) { sha256.Sum256(p) }},
}

// BenchmarkJSON makes a view of 16 KiB of 64 MB, arriving in pieces of 32 KiB.
func BenchmarkJSON(b *testing.B) {
	for _, in := range jsonInputs {
		for _, impl := range jsonImpls {
			b.Run("input="+in.name+"/impl="+impl.name, func(b *testing.B) {
				p := input(b, in.make)
				b.SetBytes(int64(len(p)))
				b.ReportAllocs()
				for b.Loop() {
					impl.run(b, p)
				}
			})
		}
	}
}

func need(tb testing.TB, ok bool) {
	if !ok {
		tb.Fatal("not accepted")
	}
}

// pieces is a stream: it hides that the bytes are in memory.
type pieces struct{ p []byte }

func (r *pieces) Read(p []byte) (int, error) {
	if len(r.p) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 32<<10)], r.p)
	r.p = r.p[n:]
	return n, nil
}

func toolclip(tb testing.TB, p []byte) {
	v := jsonview.New(jsonview.Options{Retain: budget})
	for len(p) > 0 {
		n := min(len(p), 32<<10)
		_, _ = v.Write(p[:n])
		p = p[n:]
	}
	v.End()
	need(tb, v.Err() == nil)
	need(tb, v.Plan(view.Limit{Bytes: budget}).Content != "")
}

func toolclipSaved(tb testing.TB, p []byte) {
	store, err := artifact.OpenDir(tb.TempDir(), nil)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, store.Close()) }()
	c, err := clip.New(clip.Config{Store: store, MustSave: true, Show: clip.Show{MediaType: "application/json"}})
	require.NoError(tb, err)
	e, err := c.Clip(context.Background(), io.Reader(&pieces{p}))
	require.NoError(tb, err)
	need(tb, e.Content != "")
}

func floorSaved(tb testing.TB, p []byte) {
	store, err := artifact.OpenDir(tb.TempDir(), nil)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, store.Close()) }()
	w, err := store.Create(context.Background(), artifact.Draft{})
	require.NoError(tb, err)
	_, err = io.Copy(w, &pieces{p})
	require.NoError(tb, err)
	_, err = w.Commit(context.Background())
	require.NoError(tb, err)
}

// decodeCutEncode is what is often written instead: decode, keep the first items,
// encode again.
func decodeCutEncode(tb testing.TB, p []byte) {
	var v any
	require.NoError(tb, json.Unmarshal(p, &v))
	out, err := json.Marshal(cut(v))
	require.NoError(tb, err)
	need(tb, len(out) > 0)
}

func cut(v any) any {
	switch v := v.(type) {
	case string:
		return v[:min(len(v), budget)]
	case []any:
		return v[:min(len(v), budget/200)]
	case map[string]any:
		for k := range v {
			v[k] = cut(v[k])
		}
	}
	return v
}

func readTokens(tb testing.TB, p []byte) {
	d := jsontext.NewDecoder(&pieces{p}, jsontext.AllowDuplicateNames(true))
	for {
		if _, err := d.ReadToken(); err == io.EOF {
			return
		} else if err != nil {
			tb.Fatal(err)
		}
	}
}

func eachValue(tb testing.TB, p []byte) {
	n := 0
	count := func([]byte, jsonparser.ValueType, int, error) { n++ }
	if bytes.HasPrefix(p, []byte("{")) {
		_, err := jsonparser.ArrayEach(p, count, "rows")
		require.NoError(tb, err)
	} else if bytes.HasPrefix(p, []byte("[")) {
		_, err := jsonparser.ArrayEach(p, count)
		require.NoError(tb, err)
	} else {
		_, err := jsonparser.ParseString(p[1 : len(p)-1])
		require.NoError(tb, err)
	}
}

// Every impl accepts what is measured, in small; the strict ones refuse what is
// not JSON.
func TestJSONImplsDoTheWork(t *testing.T) {
	for _, impl := range jsonImpls {
		impl.run(t, []byte(`[{"id":1,"text":"你好"},{"id":2}]`))
	}
	for _, bad := range []string{"[1,]", "\"\xff\"", "[1] 2"} {
		require.False(t, jsonscan.Valid([]byte(bad)))
		v := jsonview.New(jsonview.Options{Retain: budget})
		_, _ = v.Write([]byte(bad))
		v.End()
		require.Error(t, v.Err())
	}
}
