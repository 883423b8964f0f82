package coverage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/mset"
)

// What was decoded is passed on only when it adds up to the digest.
func TestADecodeThatDoesNotAddUpIsRefused(t *testing.T) {
	key := mset.NewKey([]byte("key"), "id")
	for _, id := range []string{"short", strings.Repeat("long", 20)} {
		h, other := key.Hash(id), key.Hash("other")
		s := newSketch(64)
		s.add(id, &h, 2)
		var sum, wrong mset.Sum
		sum.AddTimes(&h, 2)
		wrong.AddTimes(&other, 2)
		ds, ok := s.decode(key, 2, sum)
		require.True(t, ok)
		require.Len(t, ds, 1)
		require.EqualValues(t, 2, ds[0].n)
		_, ok = s.decode(key, 2, wrong)
		require.False(t, ok, "another sum")
		_, ok = s.decode(key, 1, sum)
		require.False(t, ok, "another number")
		_, ok = s.decode(mset.NewKey(nil, "id"), 2, sum)
		require.False(t, ok && id == "short", "another key")
	}
}

// Of long ids the highest byte of the hash is not known; all others are compared.
func TestSumsOfLongIDsAreComparedInAllBytesButOne(t *testing.T) {
	a := mset.Sum{1, 2, 3, 4}
	for bit := range 256 {
		b := a
		b[bit/64] ^= 1 << (bit % 64)
		require.False(t, agree(a, b, false))
		require.Equal(t, bit >= 248, agree(a, b, true), "bit %d", bit)
	}
}
