package coverage

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// benchIDs are what real ids look like: twenty bytes.
func benchIDs() []string {
	ids := make([]string, 1<<14)
	for i := range ids {
		ids[i] = fmt.Sprintf("order-%014d", i)
	}
	return ids
}

// BenchmarkLedger/floor is the SHA-256 of the ids alone, the least that any ledger
// with cryptographic identity can cost. The others are what a record costs.
// Compare within one run.
func BenchmarkLedger(b *testing.B) {
	ids := benchIDs()
	content := make([]byte, 1024)
	b.Run("floor", func(b *testing.B) {
		raw := make([][]byte, len(ids))
		for i, id := range ids {
			raw[i] = []byte(id)
		}
		i := 0
		for b.Loop() {
			sha256.Sum256(raw[i&(1<<14-1)])
			i++
		}
	})
	run := func(name string, u Universe, o Options, content []byte) {
		b.Run(name, func(b *testing.B) {
			l := New(u, &o)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				l.Loaded(ids[i&(1<<14-1)], content)
				i++
			}
		})
	}
	run("digest", Enumerated(), Options{Remember: -1, Cells: -1}, nil)
	run("digest+sketch", Enumerated(), Options{Remember: -1}, nil)
	run("digest+sketch+1KiB", Enumerated(), Options{Remember: -1}, content)
	run("exact", Enumerated(), Options{Remember: 1 << 20}, nil)
	b.Run("floor+1KiB", func(b *testing.B) {
		for b.Loop() {
			sha256.Sum256(content)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		key := New(Enumerated(), nil).Key()
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			l := New(Enumerated(), &Options{Key: key, Remember: -1, Shard: "s"})
			for i := 0; pb.Next(); i++ {
				l.Loaded(ids[i&(1<<14-1)], nil)
			}
		})
	})
}

// BenchmarkLedgerAgainstFloor reports what a record costs in multiples of the
// SHA-256 of its id. Short blocks of each take turns and the fastest of each is
// compared, so that the figures hold on a busy machine.
func BenchmarkLedgerAgainstFloor(b *testing.B) {
	ids := benchIDs()
	raw := make([][]byte, len(ids))
	for i, id := range ids {
		raw[i] = []byte(id)
	}
	digest := New(Enumerated(), &Options{Remember: -1, Cells: -1})
	sketch := New(Enumerated(), &Options{Remember: -1})
	exact := New(Enumerated(), &Options{Remember: 1 << 20})
	ways := []func(i int){
		func(i int) { sha256.Sum256(raw[i]) },
		func(i int) { digest.Loaded(ids[i], nil) },
		func(i int) { sketch.Loaded(ids[i], nil) },
		func(i int) { exact.Loaded(ids[i], nil) },
	}
	best := make([]time.Duration, len(ways))
	const block = 256
	for n := 0; b.Loop(); n++ {
		for w, way := range ways {
			begun := time.Now()
			for i := range block {
				way((n*block + i) & (1<<14 - 1))
			}
			if took := time.Since(begun); best[w] == 0 || took < best[w] {
				best[w] = took
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(best[0].Nanoseconds())/block, "ns/floor")
	for w, name := range []string{"", "digest", "digest+sketch", "exact"} {
		if w > 0 {
			b.ReportMetric(float64(best[w])/float64(best[0]), name+"/floor")
		}
	}
}

func BenchmarkReport(b *testing.B) {
	for _, n := range []int{5, 1000, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			l := New(Enumerated(), nil)
			for _, id := range benchIDs()[:n] {
				l.Expect(id)
				l.Loaded(id, nil)
			}
			l.Seal()
			for b.Loop() {
				l.Report()
			}
		})
	}
}

func TestARecordInConstantMemoryDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes the standard library allocate")
	}
	content := []byte("content")
	for _, o := range []Options{{Remember: -1}, {Remember: -1, Cells: -1}} {
		l := New(Enumerated(), &o)
		require.Zero(t, testing.AllocsPerRun(1000, func() {
			l.Expect("order-000000000000001")
			l.Loaded("order-000000000000001", nil)
			l.Loaded("order-000000000000001", content)
			l.Duplicate("order-000000000000001")
		}))
	}
}

func TestAShardNeeds512Bytes(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(account{}), uintptr(512), "what a shard is in memory, without sketch and names")
	l := New(Enumerated(), &Options{Shard: "0", Remember: -1, Cells: -1})
	for i := range 100_000 {
		l.Loaded(strconv.Itoa(i), nil)
	}
	l.Commit()
	b, err := l.MarshalBinary()
	require.NoError(t, err)
	require.LessOrEqual(t, len(b), 512, "what a shard is on its way to the ledger that merges it")
}

// A stream of any length needs the same memory. TOOLCLIP_IDS sets the number of
// ids, to measure with 100,000,000.
func TestMemoryStaysFlat(t *testing.T) {
	n, shards := 200_000, 8
	if s := os.Getenv("TOOLCLIP_IDS"); s != "" {
		var err error
		n, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	root := New(Enumerated(), &Options{Remember: -1})
	var id []byte
	var peak uint64
	for i := range shards {
		s := New(Enumerated(), &Options{Key: root.Key(), Remember: -1, Shard: strconv.Itoa(i)})
		for j := i; j < n; j += shards {
			id = strconv.AppendInt(append(id[:0], "id-"...), int64(j), 10)
			name := unsafe.String(unsafe.SliceData(id), len(id)) // the ledger keeps no ids
			s.Expect(name)
			if j != 777 {
				s.Loaded(name, nil)
			}
			if j == 4242 {
				s.Loaded(name, nil)
			}
		}
		s.Commit()
		require.NoError(t, root.Merge(s))
		root.Fold()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	root.Seal()
	r := root.Report()
	require.Equal(t, []Named{{ID: "id-777", Times: 1}}, r.Identity.Missing.Named)
	require.Equal(t, []Named{{ID: "id-4242", Times: 1}}, r.Identity.Surplus.Named)
	require.Less(t, peak, uint64(64<<20))
	t.Logf("%d ids in %d shards, heap at most %d KiB", n, shards, peak>>10)
}
