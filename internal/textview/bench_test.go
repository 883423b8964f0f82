package textview

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/view"
)

const benchSize = 16 << 20

func logText() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < benchSize; i++ {
		fmt.Fprintf(&b, "2026-11-29T20:%02d:%02dZ INFO server/handler.go:%d request id=%08x path=/api/v1/items/%d status=200 took=%dms\n", i/60%60, i%60, i%900, i*7919, i%5000, i%250)
	}
	return b.Bytes()
}

func cjkText() []byte {
	return []byte(strings.Repeat("请求处理完成，返回结果共三百二十条，用时十五毫秒。下一步是检查缓存并写入数据库。\n", benchSize/120))
}

// BenchmarkView reads a text in chunks of 64 KiB and plans once; the floor is
// what checking and counting it costs.
func BenchmarkView(b *testing.B) {
	for _, in := range []struct {
		name string
		text []byte
	}{{"log", logText()}, {"cjk", cjkText()}} {
		b.Run(in.name+"/floor", func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			for b.Loop() {
				utf8.Valid(in.text)
				bytes.Count(in.text, []byte{'\n'})
			}
		})
		b.Run(in.name+"/textview", func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			b.ReportAllocs()
			for b.Loop() {
				v := New(Options{Retain: 16 << 10})
				for p := in.text; len(p) > 0; {
					n := min(len(p), 64<<10)
					v.Write(p[:n])
					p = p[n:]
				}
				v.End()
				v.Plan(view.Limit{Bytes: 16 << 10})
			}
		})
	}
}
