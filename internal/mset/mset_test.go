package mset

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func sumOf(k *Key, ids ...string) Sum {
	var s Sum
	for _, id := range ids {
		h := k.Hash(id)
		s.Add(&h)
	}
	return s
}

// Whatever way an id of this length is hashed, and whether or not the toolchain has
// its state where the fastest way looks for it.
func TestHashIsTheDocumentedFormula(t *testing.T) {
	require.True(t, direct, "this toolchain has another encoding of the state, so that hashing is slower")
	t.Cleanup(func() { direct = true })
	secret := []byte("run key")
	b := append([]byte("coverage/1\x00"), byte(len(secret)))
	b = append(append(b, secret...), "id"...)
	key := sha256.Sum256(b)
	k := NewKey(secret, "id")
	lengths := []int{5000, 200_000}
	for n := range 300 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		id := strings.Repeat("x", n)
		msg := binary.AppendUvarint(slices.Clone(key[:16]), uint64(n))
		want := Hash(sha256.Sum256(append(msg, id...)))
		for _, direct = range []bool{true, false} {
			require.Equal(t, want, k.Hash(id), "id of %d bytes, directly: %v", n, direct)
		}
	}
}

func TestSumsThatXorOrConcatenationConfuse(t *testing.T) {
	k := NewKey(nil, "id")
	require.NotEqual(t, sumOf(k, "A", "D", "D"), sumOf(k, "A", "E", "E"), "pairs cancel under XOR")
	require.NotEqual(t, sumOf(k, "1", "11"), sumOf(k, "11", "1", ""), "the empty id counts")
	require.NotEqual(t, sumOf(k, "x0", "y"), sumOf(k, "x", "0y"), "ids are length-prefixed")
	require.Equal(t, sumOf(k, "A", "B", "C"), sumOf(k, "C", "A", "B"), "order is free")
	require.NotEqual(t, sumOf(k, "A"), sumOf(NewKey([]byte{1}, "id"), "A"), "the key matters")
	require.NotEqual(t, sumOf(k, "A"), sumOf(NewKey(nil, "item"), "A"), "the kind matters")
}

// A Sum behaves as a big number modulo 2^256.
func TestSumIsArithmeticModulo2To256(t *testing.T) {
	mod := new(big.Int).Lsh(big.NewInt(1), 256)
	number := func(s Sum) *big.Int {
		b := s.Append(nil)
		slices.Reverse(b)
		return new(big.Int).SetBytes(b)
	}
	k := NewKey([]byte("k"), "id")
	rapid.Check(t, func(t *rapid.T) {
		var s Sum
		want := new(big.Int)
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			h := k.Hash(rapid.String().Draw(t, "id"))
			n := rapid.Int64().Draw(t, "times")
			s.AddTimes(&h, n)
			hb := slices.Clone(h[:])
			slices.Reverse(hb)
			want.Add(want, new(big.Int).Mul(new(big.Int).SetBytes(hb), big.NewInt(n)))
			want.Mod(want, mod)
			if number(s).Cmp(want) != 0 {
				t.Fatalf("got %x, want %x", number(s), want)
			}
		}
		var b [32]byte
		copy(b[:], s.Append(nil))
		if Read(&b) != s {
			t.Fatal("Read does not undo Append")
		}
		if !s.Plus(s).Minus(s).Minus(s).IsZero() {
			t.Fatal("Plus and Minus are not inverse")
		}
	})
}

func TestAddIsAddTimesOne(t *testing.T) {
	k := NewKey(nil, "id")
	h := k.Hash("a")
	var s, u Sum
	s.Add(&h)
	u.AddTimes(&h, 1)
	require.Equal(t, u, s)
	u.AddTimes(&h, -1)
	require.True(t, u.IsZero())
}

func TestHashDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes the standard library allocate")
	}
	k := NewKey(nil, "id")
	var s Sum
	long := strings.Repeat("x", 1000)
	for _, id := range []string{"order-000000000000001", "https://example.com/orders/000000000000001"} {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			h := k.Hash(id)
			s.Add(&h)
		}))
	}
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() { k.Hash(long) }), 1.0, "from a pool, which may be empty")
}

func BenchmarkHash(b *testing.B) {
	k := NewKey(nil, "id")
	for _, n := range []int{20, 36, 80, 200} { // 36 is a UUID
		id := strings.Repeat("x", n)
		raw := []byte(id)
		b.Run(strconv.Itoa(n)+"/floor", func(b *testing.B) {
			for b.Loop() {
				sha256.Sum256(raw)
			}
		})
		b.Run(strconv.Itoa(n)+"/keyed", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.Hash(id)
			}
		})
	}
}
