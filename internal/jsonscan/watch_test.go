package jsonscan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// However long the input, the starts are few, the first of their blocks, and the first
// of all is among them.
func TestStartsAreFew(t *testing.T) {
	w := watch{stride: watchStride}
	const size, step = 3 << 30, 10_007
	for at := int64(5); at < size; at += step {
		w.note(at)
		require.Less(t, len(w.starts), maxStarts)
	}
	require.Equal(t, Start{0, 5}, w.starts[0])
	require.Equal(t, int64((size-5+step-1)/step), w.items)
	require.Greater(t, len(w.starts), maxStarts/4)
	block := int64(-1)
	for _, s := range w.starts {
		require.Equal(t, int64(5)+s.Item*step, s.Offset)
		require.Equal(t, block+1, s.Offset/w.stride, "one in each block")
		require.Less(t, s.Offset%w.stride, int64(step), "the first in its block")
		block++
	}
}
