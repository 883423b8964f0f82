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
							s := layout{parts: 2, more: kept, listed: kept}
							require.Equal(t, style.Reserve(c.like(s, "", ceiling), cfg.MaxInput), c.reserved(s, ceiling))
						}
					}
				}
			}
		}
	}
}

// The room that is kept free for the frame is that for what the envelope turns out to
// show.
func TestTheFrameIsThatOfTheLayout(t *testing.T) {
	for _, store := range []artifact.Store{nil, artifact.NewMemory(nil)} {
		for _, n := range []int{1, 2, 3, 12} {
			for budget := 940; budget < 3000; budget += 170 {
				c, err := New(Config{Budget: Bytes(budget), Store: store, Followups: AllFollowups})
				require.NoError(t, err)
				r := Result{Parts: make([]Named, n)}
				for i := range r.Parts {
					r.Parts[i].Content = strings.Repeat("a line\n", 300)
				}
				e, err := c.Clip(t.Context(), r)
				require.NoError(t, err)
				s := layoutOf(e)
				require.Equal(t, s.more, len(e.Parts) < n && n > 1)
				require.Equal(t, s.listed, s.more && store != nil)
				_, kept := c.frames.Load(s)
				require.True(t, kept, "%d contents in %d bytes: %+v", n, budget, s)
			}
		}
	}
}

// What is remembered is bounded, however many languages callers name.
func TestReservesAreForgotten(t *testing.T) {
	m := memo{most: 4}
	for i := range 100 {
		m.put(shape{layout: layout{parts: i}}, fmt.Sprint(i))
		require.LessOrEqual(t, len(m.now)+len(m.old), 8)
		s, ok := m.get(shape{layout: layout{parts: i}})
		require.True(t, ok)
		require.Equal(t, fmt.Sprint(i), s)
	}
	_, ok := m.get(shape{layout: layout{parts: 1}})
	require.False(t, ok)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 100 {
				m.put(shape{layout: layout{parts: j}}, strings.Repeat("x", i))
				m.get(shape{layout: layout{parts: j + 1}})
			}
		})
	}
	wg.Wait()
}
