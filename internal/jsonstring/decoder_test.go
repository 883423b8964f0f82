package jsonstring

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

// decode decodes what follows an opening quote, in pieces of n bytes.
func decode(p string, n int) (string, *Decoder) {
	var out []byte
	d := New(func(p []byte) { out = append(out, p...) })
	for len(p) > 0 {
		n := min(n, len(p))
		_, _ = d.Write([]byte(p[:n]))
		p = p[n:]
	}
	return string(out), d
}

func TestEveryEscapeAndEverySplit(t *testing.T) {
	for body, want := range map[string]string{
		``: "", `plain 字`: "plain 字", `\"\\\/\b\f\n\r\t`: "\"\\/\b\f\n\r\t", `\u0041\u00e9\u5b57`: "Aé字",
		`\ud83d\ude00`: "😀", `x\ud83d`: "x\xff", `\ud83dx`: "\xffx", `\ud83d\n`: "\xff\n", `\ude00`: "\xff",
		`\ud83d\ud83d\ude00`: "\xff😀", `\ud83d\u0041`: "\xffA", `\ud83d\ud83d\ud83d`: "\xff\xff\xff", `\uFFFD\u0000`: "\ufffd\x00", `\\u0041\\\\n`: `\u0041\\n`,
	} {
		for n := 1; n <= len(body)+1; n++ {
			got, d := decode(body+`","after":"\n"}`, n)
			require.Equal(t, want, got, "%s by %d", body, n)
			require.True(t, d.ended)
		}
	}
}

func TestAStringThatStopsIsNotEnded(t *testing.T) {
	for _, body := range []string{"", "abc", `abc\`, `abc\u00`, `\ud83d\ude0`, `abc\"`} {
		_, d := decode(body, 2)
		require.False(t, d.ended, body)
	}
}

// What encoding/json makes of a string is the oracle.
func FuzzDecoder(f *testing.F) {
	for _, s := range []string{`"a\nb"`, `"\ud83d\ude00"`, `"\ud83d\ud83d\u00e9"`, `"` + strings.Repeat(`x\t`, 3000) + `"`} {
		f.Add(s, uint8(1))
		f.Add(s, uint8(7))
	}
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		if !jsonscan.Valid([]byte(s)) || s[0] != '"' {
			return
		}
		var want string
		require.NoError(t, json.Unmarshal([]byte(s), &want))
		got, d := decode(s[1:], int(n)+1)
		require.Equal(t, want, strings.ReplaceAll(got, "\xff", "\ufffd"))
		require.True(t, d.ended)
	})
}

func BenchmarkDecoder(b *testing.B) {
	for name, body := range map[string]string{"plain": strings.Repeat("a line of text ", 70_000), "lines": strings.Repeat(`a line of a log that a tool returned\n`, 28_000), "quotes": strings.Repeat(`{\"id\":1},`, 100_000)} {
		b.Run(name, func(b *testing.B) {
			p, n := []byte(body), 0
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			for b.Loop() {
				d := New(func(p []byte) { n += len(p) })
				_, _ = d.Write(p)
			}
		})
	}
}
