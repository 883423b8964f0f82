package beamcoverage_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/coverage/beamcoverage"
)

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

// testMain gives the engine a folder for what it leaves behind.
func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "beamcoverage-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("TMPDIR", dir); err != nil {
		panic(err)
	}
	return ptest.MainRetWithDefault(m, "prism")
}

func init() {
	register.Function2x0(bundleEvents)
	register.Function2x0(shardEvents)
	register.Function2x0(twice)
	register.Function2x1(keep)
	register.Emitter1[beamcoverage.Event]()
	register.Emitter2[string, beamcoverage.Event]()
	register.Emitter1[[]byte]()
}

const (
	shards   = 20
	perShard = 500
)

func id(shard, i int) string { return fmt.Sprintf("order-%02d-%04d", shard, i) }

// eventsOf is what a shard reports: each record expected and loaded, but for a few.
func eventsOf(shard int, emit func(beamcoverage.Event)) {
	for i := range perShard {
		emit(beamcoverage.Event{Call: beamcoverage.Expect, ID: id(shard, i)})
		if i%100 == 99 {
			emit(beamcoverage.Event{Call: beamcoverage.Filtered, ID: id(shard, i), Note: "every hundredth"})
			continue
		}
		emit(beamcoverage.Event{Call: beamcoverage.Loaded, ID: id(shard, i), Content: []byte("content")})
	}
}

func bundleEvents(shard int, emit func(beamcoverage.Event)) { eventsOf(shard, emit) }

func shardEvents(shard int, emit func(string, beamcoverage.Event)) {
	eventsOf(shard, func(e beamcoverage.Event) { emit(strconv.Itoa(shard), e) })
}

// twice hands every state on twice, as a bundle does that is run again by an engine
// that does not isolate attempts. Prism itself never retries.
func twice(state []byte, emit func([]byte)) {
	emit(state)
	emit(state)
}

// results are the states that pipelines in this process have put out, by name.
var results sync.Map

func keep(state []byte, name string) []byte {
	results.Store(name, state)
	return state
}

var options = beamcoverage.Options{Key: []byte("one key for all workers of a run"), Remember: -1}

// run runs a pipeline over numbers of bundles and reads the state it puts out.
func run(t *testing.T, o beamcoverage.Options, bundles []int, build func(beam.Scope, beam.PCollection) beam.PCollection) coverage.Report {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	out := build(s, beam.CreateList(s, bundles))
	beam.ParDo(s, keep, out, beam.SideInput{Input: beam.Create(s, t.Name())})
	_, err := ptest.RunWithMetrics(p)
	require.NoError(t, err)
	state, ok := results.Load(t.Name())
	require.True(t, ok, "the pipeline has put a state out")
	r, err := beamcoverage.Report(o, state.([]byte))
	require.NoError(t, err)
	return r
}

func numbers(n int) (ns []int) {
	for i := range n {
		ns = append(ns, i)
	}
	return ns
}

func combined(o beamcoverage.Options) func(beam.Scope, beam.PCollection) beam.PCollection {
	return func(s beam.Scope, bundles beam.PCollection) beam.PCollection {
		return beamcoverage.Combine(s, o, beam.ParDo(s, bundleEvents, bundles))
	}
}

func merged(o beamcoverage.Options, again bool) func(beam.Scope, beam.PCollection) beam.PCollection {
	return func(s beam.Scope, bundles beam.PCollection) beam.PCollection {
		states := beamcoverage.Shards(s, o, beam.ParDo(s, shardEvents, bundles))
		if again {
			states = beam.ParDo(s, twice, states)
		}
		return beamcoverage.Merge(s, o, states)
	}
}

func TestAPipelineIsComplete(t *testing.T) {
	for _, remember := range []int{-1, 0} {
		t.Run(strconv.Itoa(remember), func(t *testing.T) {
			o := options
			o.Remember = remember
			r := run(t, o, numbers(shards), combined(o))
			require.True(t, r.InputComplete, r.String())
			require.Equal(t, coverage.BasisIdentity, r.Acquisition.Basis)
			require.Equal(t, coverage.Exactly(shards*perShard*99/100), r.Loaded)
			require.Equal(t, coverage.Exactly(shards*perShard/100), r.Filtered)
		})
	}
}

func TestABundleThatIsLostIsNoticed(t *testing.T) {
	o := options
	o.Universe, o.Count, o.Remember = coverage.KindCounted, shards*perShard, 1<<20
	r := run(t, o, numbers(shards-1), func(s beam.Scope, bundles beam.PCollection) beam.PCollection {
		return beamcoverage.Combine(s, o, beam.ParDo(s, loadedOnly, bundles))
	})
	require.False(t, r.InputComplete)
	require.Equal(t, coverage.Exactly(perShard), r.Records.Unaccounted.Count)
}

func init() { register.Function2x0(loadedOnly) }

func loadedOnly(shard int, emit func(beamcoverage.Event)) {
	for i := range perShard {
		emit(beamcoverage.Event{Call: beamcoverage.Loaded, ID: id(shard, i)})
	}
}

// The loaded side of a bundle comes twice: every one of its records is named.
func TestADuplicatedBundleIsDetected(t *testing.T) {
	o := options
	o.Cells = 2048
	r := run(t, o, numbers(shards), func(s beam.Scope, bundles beam.PCollection) beam.PCollection {
		events := beam.ParDo(s, bundleEvents, bundles)
		again := beam.ParDo(s, loadedOnly, beam.CreateList(s, []int{7}))
		return beamcoverage.Combine(s, o, beam.Flatten(s, events, again))
	})
	require.False(t, r.InputComplete)
	require.Equal(t, coverage.Exactly(perShard), r.Identity.Surplus.Count, r.String())
	require.Equal(t, id(7, 0), r.Identity.Surplus.Named[0].ID)
	require.Empty(t, r.Identity.Missing.Named)
}

// The account of every shard comes twice: the report is that of once.
func TestADuplicatedAccountIsHarmless(t *testing.T) {
	once := run(t, options, numbers(shards), merged(options, false))
	require.True(t, once.InputComplete, once.String())
	require.EqualValues(t, shards, once.Merge.Committed)
	results.Clear()
	again := run(t, options, numbers(shards), merged(options, true))
	require.Equal(t, once, again)
}

const scaleShards = 64

// shardAccount is the account of one of scaleShards shards of n ids, of which one
// is lost in shard 7.
func shardAccount(shard, n int) ([]byte, error) {
	l := coverage.New(coverage.Enumerated(), &coverage.Options{Key: options.Key, Remember: -1, Shard: strconv.Itoa(shard)})
	var b []byte
	for i := shard; i < n; i += scaleShards {
		b = strconv.AppendInt(append(b[:0], "id-"...), int64(i), 10)
		id := unsafe.String(unsafe.SliceData(b), len(b)) // the ledger keeps no ids in constant memory
		l.Expect(id)
		if i != 7+10*scaleShards {
			l.Loaded(id, nil)
		}
	}
	l.Commit()
	return l.MarshalBinary()
}

func init() { register.Function2x2(shardAccount) }

// One id of many is lost, and named, from accounts of 15 KB each. TOOLCLIP_IDS sets
// the number of ids, to measure with 100,000,000.
func TestScale(t *testing.T) {
	n := 200_000
	if s := os.Getenv("TOOLCLIP_IDS"); s != "" {
		var err error
		n, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	begun := time.Now()
	r := run(t, options, numbers(scaleShards), func(s beam.Scope, bundles beam.PCollection) beam.PCollection {
		states := beam.ParDo(s, shardAccount, bundles, beam.SideInput{Input: beam.Create(s, n)})
		return beamcoverage.Merge(s, options, states)
	})
	require.Equal(t, []coverage.Named{{ID: fmt.Sprint("id-", 7+10*scaleShards), Times: 1}}, r.Identity.Missing.Named, r.String())
	require.Equal(t, coverage.Exactly(int64(n)), r.Requested)
	require.EqualValues(t, scaleShards, r.Merge.Folded)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d ids in %d shards: %v, heap obtained from the system at most %d MiB", n, scaleShards, time.Since(begun).Round(time.Second), m.HeapSys>>20)
}

func TestEventsSurviveTheWayBetweenWorkers(t *testing.T) {
	e := beamcoverage.Event{Call: beamcoverage.Failed, ID: "a\x00\xff", Content: []byte("x"), Code: coverage.Timeout, Note: "slow"}
	var b bytes.Buffer
	typ := reflect.TypeFor[beamcoverage.Event]()
	require.NoError(t, beam.NewElementEncoder(typ).Encode(e, &b))
	again, err := beam.NewElementDecoder(typ).Decode(&b)
	require.NoError(t, err)
	require.Equal(t, e, again)
}
