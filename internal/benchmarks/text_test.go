package benchmarks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/internal/textview"
	"github.com/toolclip/toolclip/internal/view"
)

const textSize = 64 << 20

// logText is the log of a server: ASCII, lines of some hundred bytes.
func logText() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < textSize; i++ {
		fmt.Fprintf(&b, "2026-11-29T20:%02d:%02dZ INFO server/handler.go:%d request id=%08x path=/api/v1/items/%d status=200 took=%dms\n",
			i/60%60, i%60, i%900, i*7919, i%5000, i%250)
	}
	return b.Bytes()
}

// cjkText is Chinese prose, three bytes for nearly every character.
func cjkText() []byte {
	const line = "请求处理完成，返回结果共三百二十条，用时十五毫秒。下一步是检查缓存并写入数据库。\n"
	return []byte(strings.Repeat(line, textSize/len(line)))
}

// textFloors are what the bytes cost at least: for a log to be checked and its
// lines counted, for Chinese to be checked.
var textFloors = map[string]func(p []byte) bool{
	"log": func(p []byte) bool { return utf8.Valid(p) && bytes.Count(p, []byte{'\n'}) > 0 },
	"cjk": utf8.Valid,
}

// BenchmarkText makes a view of 16 KiB of 64 MB of text. Promised: for log at
// most 1.3 times its floor, for cjk not more than its floor, and with -saved at
// most 1.15 times hashing and saving alone.
func BenchmarkText(b *testing.B) {
	for _, in := range []struct {
		name string
		make func() []byte
	}{{"log", logText}, {"cjk", cjkText}} {
		p := in.make()
		run := func(name string, f func(b *testing.B, p []byte)) {
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(p)))
				b.ReportAllocs()
				for b.Loop() {
					f(b, p)
				}
			})
		}
		run(in.name+"/toolclip", clipText)
		run(in.name+"/engine", engineText)
		run(in.name+"/floor", func(b *testing.B, p []byte) { need(b, textFloors[in.name](p)) })
		run(in.name+"-saved/toolclip", clipTextSaved)
		run(in.name+"-saved/floor", func(b *testing.B, p []byte) { floorSaved(b, p) })
	}
}

func clipText(b *testing.B, p []byte) {
	c, err := clip.New(clip.Config{})
	require.NoError(b, err)
	e, err := c.Clip(context.Background(), p)
	require.NoError(b, err)
	need(b, e.Content != "")
}

func clipTextSaved(b *testing.B, p []byte) {
	store, err := artifact.OpenDir(b.TempDir(), nil)
	require.NoError(b, err)
	defer func() { require.NoError(b, store.Close()) }()
	c, err := clip.New(clip.Config{Store: store, MustSave: true})
	require.NoError(b, err)
	e, err := c.Clip(context.Background(), io.Reader(&pieces{p}))
	require.NoError(b, err)
	need(b, e.Content != "")
}

// engineText is the text engine alone, without envelope, in pieces of 32 KiB.
func engineText(b *testing.B, p []byte) {
	v := textview.New(textview.Options{Retain: budget})
	for len(p) > 0 {
		n := min(len(p), 32<<10)
		_, _ = v.Write(p[:n])
		p = p[n:]
	}
	v.End()
	need(b, v.Plan(view.Limit{Bytes: budget}).Content != "")
}

// BenchmarkTextHard is what the engine does with inputs that take its slow paths.
func BenchmarkTextHard(b *testing.B) {
	for _, in := range []struct{ name, unit string }{
		{"one-line", "x"},
		{"progress-bar", "\rdownloading 12% [==>      ]"},
		{"colours-on-one-line", "\x1b[31mred\x1b[0m "},
		{"coloured-lines", "\x1b[32mINFO\x1b[0m something happened\n"},
		{"not-utf8", "\xffx"},
		{"combining-marks", "e\u0301"},
		{"empty-lines", "\n"},
	} {
		b.Run(in.name, func(b *testing.B) {
			p := []byte(strings.Repeat(in.unit, textSize/4/len(in.unit)))
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			for b.Loop() {
				engineText(b, p)
			}
		})
	}
}
