package clip

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/envelope"
)

// A reserve that was made for another Clipper is the one that this Config would get.
func TestAReserveIsThatOfTheConfig(t *testing.T) {
	store := artifact.NewMemory(nil)
	for _, followups := range []Followups{{}, AllFollowups, {Read: "r"}} {
		for _, budget := range []Budget{Bytes(9000), Runes(9000), Lines(9).Under(9000), Tokens(9000, nil)} {
			for _, style := range []envelope.Style{{}, {Compact: true}, {Language: "zh"}} {
				for _, kept := range []bool{false, true} {
					cfg := Config{Budget: budget, Style: style, Followups: followups, MaxInput: 1 << 20}
					if kept {
						cfg.Store = store
					}
					c := &Clipper{cfg: cfg, frames: &frames{}}
					for _, ceiling := range []bool{false, true} {
						for range 2 {
							require.Equal(t, style.Reserve(c.like(2, "", ceiling), cfg.MaxInput), c.reserved(2, ceiling))
						}
					}
				}
			}
		}
	}
}

// What is remembered is bounded, however many languages callers name.
func TestReservesAreForgotten(t *testing.T) {
	m := memo{most: 4}
	for i := range 100 {
		m.put(shape{parts: i}, fmt.Sprint(i))
		require.LessOrEqual(t, len(m.now)+len(m.old), 8)
		s, ok := m.get(shape{parts: i})
		require.True(t, ok)
		require.Equal(t, fmt.Sprint(i), s)
	}
	_, ok := m.get(shape{parts: 1})
	require.False(t, ok)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 100 {
				m.put(shape{parts: j}, strings.Repeat("x", i))
				m.get(shape{parts: j + 1})
			}
		})
	}
	wg.Wait()
}
