package clip_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/cryptotest"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// FuzzClip checks any bytes under any budget against what must hold whatever they
// are: the budget, UTF-8, verbatim content, the account, the same root in JSON, and
// the same envelope whatever the chunks.
func FuzzClip(f *testing.F) {
	for _, s := range []string{
		"", "plain\n", lines("a log line", 99), `{"a":[1,2,{"b":"c"}],"d":"` + string(bytes.Repeat([]byte("word "), 300)) + `"}`,
		"[" + string(bytes.Repeat([]byte("[1],"), 400)) + "0]", "\xff\xfea\x00b\x00", "a\rb\x1b[31mred\x1b[0m\b\n", "🇫🇷👩‍👩‍👧‍👦e\u0301\u202e",
		"[PARTIAL 1 of 2]\n-- ab123456\n", `"\ud83d\ude00\ud83d"`, "\x00\x01\x02",
	} {
		f.Add([]byte(s), uint8(0), uint8(0))
		f.Add([]byte(s), uint8(3), uint8(7))
		f.Add([]byte(s), uint8(3), uint8(128))
	}
	type policy struct {
		cfg  clip.Config
		unit string
		n    int
		*clip.Clipper
	}
	made := map[[2]uint8]policy{} // making a Clipper costs more than a call
	policyOf := func(t *testing.T, above, kind uint8) policy {
		if p, ok := made[[2]uint8{above, kind}]; ok {
			return p
		}
		units := []struct {
			name   string
			budget func(int) clip.Budget
		}{{"byte", clip.Bytes}, {"rune", clip.Runes}, {"grapheme", clip.Graphemes}, {"token", func(n int) clip.Budget { return clip.Tokens(n, nil) }}}
		u := units[kind%4]
		cfg := clip.Config{Form: clip.Form(kind >> 2 & 1)}
		if kind>>7 == 1 {
			cfg.Form = clip.InBandForm
		}
		cfg.Show = clip.Show{Ends: clip.Ends(kind >> 3 & 3), Raw: kind>>5&1 == 1, Fold: kind>>6&1 == 1}
		n := smallest(t, cfg, u.budget) + 100*int(above)
		cfg.Budget = u.budget(n)
		p := policy{cfg, u.name, n, newClipper(t, cfg)}
		made[[2]uint8{above, kind}] = p
		return p
	}
	f.Fuzz(func(t *testing.T, src []byte, above uint8, kind uint8) {
		p := policyOf(t, above%20, kind)
		cryptotest.SetGlobalRandom(t, 1)
		e, err := p.Clip(ctx, src)
		require.NoError(t, err)
		requireWithin(t, p.cfg, p.unit, p.n, e, "fuzz")
		requireAccount(t, src, e)

		cryptotest.SetGlobalRandom(t, 1)
		again, err := p.Clip(ctx, iotest.OneByteReader(bytes.NewReader(src)))
		require.NoError(t, err)
		require.Equal(t, unnamed(e), unnamed(again), "one byte at a time")
	})
}

// requireAccount checks what an envelope of src says against src.
func requireAccount(t require.TestingT, src []byte, e envelope.Envelope) {
	v := e.View
	require.True(t, utf8.ValidString(e.Content))
	requireVerbatim(t, src, e.Part)
	require.Equal(t, coverage.Exactly(int64(len(src))), v.ByteTotal)
	require.LessOrEqual(t, coverage.Set(nil).Add(v.Bytes...).Len(), int64(len(src)))
	if v.Exact {
		require.Equal(t, string(src), e.Content)
	}
	require.Equal(t, v.Complete && !v.Exact, v.Complete && len(v.Transforms) > 0, "complete and not exact: a transform says why")
	if !v.Complete {
		require.NotEmpty(t, e.Notice)
	}
	for _, o := range v.Omissions {
		if o.Total.Known() {
			require.LessOrEqual(t, o.Shown+o.Part, o.Total.Value, "%+v", o)
		}
	}
	if e.MediaType == "application/json" && e.Content != "" {
		require.True(t, json.Valid([]byte(e.Content)), "%q", e.Content)
		require.Equal(t, kindOf(src), kindOf([]byte(e.Content)))
	}
}
