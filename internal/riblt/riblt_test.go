package riblt

import (
	"crypto/sha256"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"unsafe"

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
		m := rapid.IntRange(Min, 200).Draw(t, "cells")
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

// randomTable has d elements with small multiplicities.
func randomTable(r *rand.Rand, m, d int) *Table {
	t := New(m)
	for range d {
		var x Item
		for i := range 31 {
			x[i] = byte(r.Uint32())
		}
		h, _ := hashOf(&x)
		t.Add(&x, &h, int64(r.IntN(2)*2-1)*int64(1+r.IntN(3)))
	}
	return t
}

// The curve in the package comment. It prints all of it with -v.
func TestCapacity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	least := map[int]map[int]int{ // of 100, by cells and by percent
		32:  {25: 95, 50: 75},
		64:  {25: 98, 40: 97, 50: 94, 55: 90},
		96:  {40: 98, 50: 94},
		128: {40: 99, 50: 98, 55: 93},
		200: {40: 99, 50: 98},
		256: {50: 99, 55: 98, 60: 88},
		512: {55: 99, 60: 96},
	}
	trials := 200
	if testing.Short() {
		trials = 100
	}
	for _, m := range []int{32, 64, 96, 128, 200, 256, 512} {
		for _, percent := range []int{25, 40, 50, 55, 60, 70} {
			good := 0
			for range trials {
				if _, ok := randomTable(r, m, m*percent/100).Decode(hashOf); ok {
					good++
				}
			}
			t.Logf("%4d cells, %4d differences: %5.1f%% decoded", m, m*percent/100, 100*float64(good)/float64(trials))
			require.GreaterOrEqual(t, 100*good/trials, least[m][percent], "%d cells, %d differences", m, m*percent/100)
		}
	}
}

// limit is the greatest d/m for large m, by the equations in the package comment,
// when the last octave has the given share of its cells.
func limit(share float64) float64 {
	const octaves = 16
	decodes := func(l float64) bool { // l is the differences for each cell of the last octave
		var unnamed, open [octaves]float64
		for i := range unnamed {
			unnamed[i] = 1
		}
		for range 5000 {
			for i := range open {
				open[i] = 1 - math.Exp(-math.Ldexp(l, i)*unnamed[i])
			}
			open[0] = 1 - share*math.Exp(-l*unnamed[0])
			for i := range unnamed {
				unnamed[i] = 1
				for j := range open {
					if j != i {
						unnamed[i] *= open[j]
					}
				}
			}
			if slices.Max(unnamed[:]) < 1e-9 {
				return true
			}
		}
		return false
	}
	low, high := 0.1, 3.0
	for high-low > 1e-4 {
		if mid := (low + high) / 2; decodes(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low / (1 + share)
}

func TestCapacityFollowsTheTheory(t *testing.T) {
	for share := 0.05; share <= 1; share += 0.05 {
		got := limit(share)
		require.InDelta(t, 0.6585, got, 0.0095, "with %.2f of the last octave", share)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, m := range []int{2560, 4096} { // a quarter of the last octave, and all of it
		l := limit(float64(m-2048) / 2048)
		if m == 4096 {
			l = limit(1)
		}
		for range 5 {
			_, ok := randomTable(r, m, int((l-0.05)*float64(m))).Decode(hashOf)
			require.True(t, ok, "%d cells, below the limit", m)
			_, ok = randomTable(r, m, int((l+0.05)*float64(m))).Decode(hashOf)
			require.False(t, ok, "%d cells, above the limit", m)
		}
	}
}

// placesOf are the cells of h among the first m.
func placesOf(h *Hash, m int) []int32 {
	var at places
	return at[:h.places(m, &at)]
}

// Every octave has one cell of an element, each as often as any other, whatever the
// cells in other octaves are.
func TestAnElementIsInOneCellOfEachOctave(t *testing.T) {
	const trials = 1 << 18
	var seen [64]int
	var pairs [64][64]int
	var high [14]int // how often the upper half of an octave is taken
	for i := range trials {
		h := Hash(sha256.Sum256([]byte(strconv.Itoa(i))))
		all := placesOf(&h, Max)
		if len(all) != len(high) {
			t.Fatalf("%d cells in %d octaves", len(all), len(high))
		}
		for k, at := range all {
			size := max(8, 8<<k>>1)
			first := size * min(k, 1)
			if int(at) < first || int(at) >= first+size {
				t.Fatalf("cell %d is not in octave %d", at, k)
			}
			if int(at)-first >= size/2 {
				high[k]++
			}
		}
		for _, a := range all[:4] {
			seen[a]++
			for _, b := range all[:4] {
				pairs[a][b]++
			}
		}
	}
	octave := func(i int) int { return max(3, bits.Len(uint(i))) }
	size := func(i int) int { return 1 << max(3, octave(i)-1) }
	for i, n := range seen {
		require.InEpsilon(t, trials/size(i), n, 0.06, "cell %d", i)
		for j, n := range pairs[i] {
			want := float64(trials) / float64(size(i)*size(j))
			if octave(i) != octave(j) && math.Abs(float64(n)-want) > 6*math.Sqrt(want) {
				t.Errorf("cells %d and %d are taken together %d times, not some %.0f", i, j, n, want)
			}
		}
	}
	for k, n := range high {
		require.InEpsilon(t, trials/2, n, 0.02, "octave %d", k)
	}
}

// No two octaves use the same bit of the hash, and none uses the last byte.
func TestOctavesUseBitsOfTheirOwn(t *testing.T) {
	var zero Hash
	base := placesOf(&zero, Max)
	used := 0
	for bit := range 256 {
		h := zero
		h[bit/8] ^= 1 << (bit % 8)
		changed := 0
		for k, at := range placesOf(&h, Max) {
			if at != base[k] {
				changed++
			}
		}
		require.LessOrEqual(t, changed, 1, "bit %d", bit)
		require.True(t, changed == 0 || bit < 248)
		used += changed
	}
	require.Equal(t, 3+3+4+5+6+7+8+9+10+11+12+13+14+15, used)
}

// Rateless: the first cells of a table are the table of that length.
func TestAPrefixIsATable(t *testing.T) {
	long := New(Max)
	for i := range 500 {
		add(long, strconv.Itoa(i), int64(i%7-3))
	}
	for _, m := range []int{Min, 9, 31, 64, 100, 256, 1023, 4096, 60_000} {
		short := New(m)
		for i := range 500 {
			add(short, strconv.Itoa(i), int64(i%7-3))
		}
		require.Equal(t, short.Append(nil), long.Append(nil)[:m*cellBytes], "%d cells", m)
	}
}

func TestTablesHaveALeastAndAGreatestLength(t *testing.T) {
	for m, want := range map[int]int{-1: Min, 0: Min, 1: Min, Min: Min, 9: 9, Max: Max, Max + 1: Max} {
		require.Equal(t, want, New(m).Len())
	}
	for _, n := range []int{0, 1, cellBytes, Min*cellBytes - 1, (Min - 1) * cellBytes, Min*cellBytes + 1, (Max + 1) * cellBytes} {
		_, err := Parse(make([]byte, n))
		require.Error(t, err, "%d bytes", n)
	}
	_, err := Parse(make([]byte, Max*cellBytes))
	require.NoError(t, err)
}

// A cell is a line of the cache, so that no addition touches two.
func TestACellIsALineOfTheCache(t *testing.T) {
	require.EqualValues(t, 64, unsafe.Sizeof(cell{}))
	for _, m := range []int{8, 13, 64, 100, 256, 1000} {
		require.Zero(t, uintptr(unsafe.Pointer(&New(m).cells[0]))%64, "%d cells", m)
	}
}

// Two elements in one cell have half their sum in common with two copies of a third.
// Of elements that are their own hash a linear check would hold for it as well.
func TestHalfTheSumOfTwoElementsIsNoElement(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	itself := func(x *Item) (Hash, bool) { return Hash(*x), x[31] == 0xff }
	alone := 0
	for range 2000 {
		table, pair := New(Min), [2]Item{}
		for i := range pair {
			for j := range 31 {
				pair[i][j] = byte(r.Uint32())
			}
			pair[i][0] &^= 1 // the sum is even
			pair[i][31] = 0xff
			h, _ := itself(&pair[i])
			table.Add(&pair[i], &h, 1)
		}
		ds, ok := table.Decode(itself)
		for _, d := range ds {
			require.Contains(t, pair, d.Item)
		}
		if len(ds) == 0 {
			alone++
			require.False(t, ok)
		}
	}
	require.Greater(t, alone, 100, "so many were in one cell")
}

func TestDamagedTablesEnd(t *testing.T) {
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
