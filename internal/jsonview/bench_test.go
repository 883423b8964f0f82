package jsonview

import (
	"encoding/json"
	"strings"
	"testing"
)

// What it costs to show a list from another end than its head, or what a rule holds for,
// beside the check of the standard library.
func BenchmarkEnds(b *testing.B) {
	for name, row := range map[string]string{
		"records": `{"id":1,"text":"some text, 一些文字","tags":["a","b"],"ok":true},`,
		"large":   `{"id":1,"text":"` + strings.Repeat("some text, 一些文字", 300) + `","tags":["a","b"],"ok":true},`,
		"ones":    "1,",
	} {
		src := []byte("[" + strings.Repeat(row, 1+(4<<20)/len(row)) + "0]")
		run := func(impl string, read func()) {
			b.Run(name+"/"+impl, func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					read()
				}
			})
		}
		for ends, impl := range map[Ends]string{Head: "head", Tail: "tail", HeadAndTail: "both"} {
			run(impl, func() {
				v := New(Options{Retain: 16 << 10, Ends: ends})
				_, _ = v.Write(src)
				v.End()
			})
		}
		run("keep", func() {
			v := New(Options{Retain: 16 << 10, Keep: []Rule{{Pointer: "/ok", Op: "==", Value: "false"}}})
			_, _ = v.Write(src)
			v.End()
		})
		run("valid", func() { json.Valid(src) })
	}
}
