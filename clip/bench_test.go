package clip_test

import (
	"testing"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
)

// BenchmarkNew bounds what a policy costs, and BenchmarkCall what a call costs
// beside the reading of its result.
func BenchmarkNew(b *testing.B) {
	store := artifact.NewMemory(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := clip.New(clip.Config{Store: store, Followups: clip.AllFollowups}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	for name, src := range map[string]string{"small": "3 files changed\n", "large": lines("a line of the log", 5000)} {
		b.Run(name, func(b *testing.B) {
			c := newClipper(b, clip.Config{})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Clip(ctx, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
