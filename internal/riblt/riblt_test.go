package riblt

import (
	"crypto/sha256"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func itemOf(id string) *Item {
	var x Item
	copy(x[:31], id)
	x[31] = byte(len(id))
	return &x
}

func hashOf(x *Item) (Hash, bool) { return sha256.Sum256(x[:]), x[31] < 32 }

func add(t *Table, id string, n int64) {
	x := itemOf(id)
	h, _ := hashOf(x)
	t.Add(x, &h, n)
}

// named are the decoded differences by id.
func named(t *testing.T, table *Table) (map[string]int64, bool) {
	ds, ok := table.Decode(hashOf)
	m := map[string]int64{}
	for _, d := range ds {
		id := string(d.Item[:d.Item[31]])
		require.NotContains(t, m, id, "named once")
		m[id] = d.N
	}
	return m, ok
}

func TestMissingAndDoubledAreNamedWithMultiplicity(t *testing.T) {
	table := New(64)
	for _, id := range []string{"A", "B", "C", "D", "E"} {
		add(table, id, 1)
	}
	for _, id := range []string{"D", "A", "C", "D", "B"} {
		add(table, id, -1)
	}
	got, ok := named(t, table)
	require.True(t, ok)
	require.Equal(t, map[string]int64{"E": 1, "D": -1}, got)
}

func TestEvenMultiplicitiesDoNotCancel(t *testing.T) {
	table := New(64)
	add(table, "A", 1)
	add(table, "D", 2)
	add(table, "A", -1)
	add(table, "E", -2)
	got, ok := named(t, table)
	require.True(t, ok)
	require.Equal(t, map[string]int64{"D": 2, "E": -2}, got)
}

func TestAMassLoadIsNamedExactly(t *testing.T) {
	table := New(256)
	for i := range 20_000 {
		id := strconv.Itoa(i)
		add(table, id, 1)
		if i >= 12 { // the first twelve are lost
			add(table, id, -1)
		}
		if i >= 100 && i < 130 { // a batch of thirty came twice
			add(table, id, -1)
		}
	}
	add(table, "777", -999)
	got, ok := named(t, table)
	require.True(t, ok)
	require.Len(t, got, 12+30+1)
	require.EqualValues(t, -999, got["777"])
	require.EqualValues(t, 1, got["11"])
	require.EqualValues(t, -1, got["129"])
}

// Tables behave as the multisets they stand for, in any order and split; a prefix
// is a table; what decodes is right.
func TestDecodeIsRightOrSaysThatItIsNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.MapOfN(rapid.StringN(0, 7, 31), rapid.Int64Range(-1<<62, 1<<62), 0, 60).Draw(t, "differences")
		m := rapid.IntRange(1, 200).Draw(t, "cells")
		longer := rapid.IntRange(0, 50).Draw(t, "longer")
		a, b := New(m+longer), New(m)
		for id, n := range ns {
			part := rapid.Int64Range(-1<<62, 1<<62).Draw(t, "part")
			add(a, id, part)
			add(b, id, n-part)
		}
		a.Plus(b)
		if a.Len() != m {
			t.Fatal("the sum has the length of the shorter table")
		}
		parsed, err := Parse(a.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		ds, ok := parsed.Decode(hashOf)
		for _, d := range ds {
			if n := ns[string(d.Item[:d.Item[31]])]; n != d.N {
				t.Fatalf("%q: named %d times, want %d", d.Item[:d.Item[31]], d.N, n)
			}
		}
		for _, n := range ns {
			if n == 0 {
				return
			}
		}
		if ok != (len(ds) == len(ns)) {
			t.Fatalf("ok is %v with %d of %d differences", ok, len(ds), len(ns))
		}
	})
}

// The bound in the package comment. It prints the curve with -v.
func TestCapacity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rate := func(m, d, trials int) int {
		good := 0
		for range trials {
			table := New(m)
			for range d {
				var x Item
				for i := range 31 {
					x[i] = byte(r.Uint32())
				}
				h, _ := hashOf(&x)
				table.Add(&x, &h, int64(r.IntN(2)*2-1)*int64(1+r.IntN(3)))
			}
			if _, ok := table.Decode(hashOf); ok {
				good++
			}
		}
		return good * 100 / trials
	}
	trials := 100
	if testing.Short() {
		trials = 40
	}
	for _, m := range []int{32, 64, 128, 256, 512} {
		for _, percent := range []int{40, 50, 55, 60, 70, 80} {
			got := rate(m, m*percent/100, trials)
			t.Logf("%4d cells, %4d differences: %3d%% decoded", m, m*percent/100, got)
			if m >= 64 && percent <= 50 {
				require.GreaterOrEqual(t, got, 90, "%d cells, %d differences", m, m*percent/100)
			}
			if m >= 128 && percent <= 50 {
				require.GreaterOrEqual(t, got, 97, "%d cells, %d differences", m, m*percent/100)
			}
		}
	}
}

// A cell is visited with the probability on which the paper's bound rests.
func TestPlacesFollowTheLaw(t *testing.T) {
	const trials = 200_000
	var seen [64]int
	for i := range trials {
		h := Hash(sha256.Sum256([]byte(strconv.Itoa(i))))
		p := place(&h)
		for j := uint64(0); j < uint64(len(seen)); j = p.next(j) {
			seen[j]++
		}
	}
	for i, n := range seen {
		want := trials / (1 + float64(i)/2)
		require.InEpsilon(t, want, n, 0.06, "cell %d", i)
	}
}

func TestDamagedTablesEnd(t *testing.T) {
	_, err := Parse(make([]byte, cellBytes+1))
	require.Error(t, err)
	_, err = Parse(nil)
	require.Error(t, err)
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		table := New(32)
		for i := range 10 {
			add(table, strconv.Itoa(i), 1)
		}
		b := table.Append(nil)
		for range 1 + r.IntN(20) {
			b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
		}
		damaged, err := Parse(b)
		require.NoError(t, err)
		_, ok := damaged.Decode(hashOf)
		require.False(t, ok)
	}
}

func TestAddDoesNotAllocate(t *testing.T) {
	table := New(256)
	x := itemOf("order-000000000000001")
	h, _ := hashOf(x)
	require.Zero(t, testing.AllocsPerRun(100, func() { table.Add(x, &h, 1) }))
}

func BenchmarkAdd(b *testing.B) {
	for _, m := range []int{64, 256, 1024} {
		b.Run(strconv.Itoa(m), func(b *testing.B) {
			table := New(m)
			hs := make([]Hash, 1024)
			for i := range hs {
				hs[i] = sha256.Sum256([]byte(strconv.Itoa(i)))
			}
			x := itemOf("order-000000000000001")
			i := 0
			for b.Loop() {
				i++
				table.Add(x, &hs[i&1023], 1)
			}
		})
	}
	b.Run("sha256", func(b *testing.B) {
		id := []byte("order-0000000000001")
		for b.Loop() {
			sha256.Sum256(id)
		}
	})
}
