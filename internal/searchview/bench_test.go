package searchview

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"
)

// benchText is 8 MiB of log lines, one in a thousand with a match.
func benchText() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 8<<20; i++ {
		if i%1000 == 500 {
			fmt.Fprintf(&b, "2026-01-02T03:04:05Z worker-%d ERROR code=%d connection refused\n", i%7, i)
		} else {
			fmt.Fprintf(&b, "2026-01-02T03:04:05Z worker-%d info request %d took %d ms\n", i%7, i, i%13)
		}
	}
	return b.Bytes()
}

// BenchmarkSearch measures whole searches; floor/… is what package regexp needs to
// say of each line whether it matches, without counting lines or keeping any.
func BenchmarkSearch(b *testing.B) {
	text := benchText()
	long := bytes.ReplaceAll(text, lineFeed, []byte(" "))
	for _, pattern := range []string{`ERROR`, `ERROR code=\d+`, `(?i)error`, `took \d\d\d ms`, `(\d+) ms$`} {
		re := regexp.MustCompile(pattern)
		for _, context := range []int{0, 3} {
			b.Run(fmt.Sprintf("lines/%s/context=%d", pattern, context), func(b *testing.B) {
				benchmark(b, text, Options{Expr: re, Retain: 16 << 10, Context: context, Charset: "utf-8"})
			})
		}
		b.Run("one_line/"+pattern, func(b *testing.B) {
			benchmark(b, long, Options{Expr: re, Retain: 16 << 10, Charset: "utf-8"})
		})
		b.Run("floor/"+pattern, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for line := range bytes.Lines(text) {
					re.Match(line)
				}
			}
		})
	}
}

func benchmark(b *testing.B, text []byte, o Options) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		v := New(o)
		for at := 0; at < len(text); at += 64 << 10 {
			_, _ = v.Write(text[at:min(len(text), at+64<<10)])
		}
		v.End()
	}
}
