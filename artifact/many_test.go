package artifact_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/internal/dirfs"
	"github.com/toolclip/toolclip/internal/faultfs"
)

// TestTenThousandWriters are all begun before the first is committed. No handle
// repeats, no file is left, and age, count and bytes have their limits.
func TestTenThousandWriters(t *testing.T) {
	const n = 10_000
	c := newClock()
	dir := fastDir(t)
	d, err := artifact.OpenDir(dir, &artifact.Options{Now: c.now, TTL: time.Hour, MaxCount: n, MaxBytes: n * 100, Grace: -1})
	require.NoError(t, err)
	defer d.Close()
	var ready, wg sync.WaitGroup
	ready.Add(n)
	var seen sync.Map
	var failed atomic.Pointer[error]
	for i := range n {
		wg.Go(func() {
			if err := oneOfMany(d, &ready, &seen, i); err != nil {
				failed.Store(&err)
			}
		})
	}
	wg.Wait()
	require.Nil(t, failed.Load())
	_, err = d.Create(t.Context(), artifact.Draft{})
	require.ErrorIs(t, err, artifact.ErrOverQuota)
	temps, err := os.ReadDir(filepath.Join(dir, dirfs.Temp))
	require.NoError(t, err)
	require.Empty(t, temps)
	c.advance(time.Hour)
	s, err := d.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, artifact.Swept{Expired: n, Bytes: n * 100}, s)
	save(t, d, artifact.Draft{}, noise(100))
}

func oneOfMany(d *artifact.Dir, ready *sync.WaitGroup, seen *sync.Map, i int) error {
	w, err := d.Create(context.Background(), artifact.Draft{})
	ready.Done()
	if err != nil {
		return err
	}
	ready.Wait()
	if _, err := w.Write(noise(100)); err != nil {
		return err
	}
	info, err := w.Commit(context.Background())
	if err != nil {
		return err
	}
	if was, dup := seen.LoadOrStore(info.Handle, i); dup {
		return fmt.Errorf("writers %d and %d got one handle", was, i)
	}
	return nil
}

// fastDir is a folder in memory if there is one.
func fastDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "artifact")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestForgottenWriterIsCleanedUpAfter: its file, its quota and its turn come back,
// and the log says that somebody forgot it.
func TestForgottenWriterIsCleanedUpAfter(t *testing.T) {
	var log lockedBuffer
	dir := t.TempDir()
	d, err := artifact.OpenDir(dir, &artifact.Options{MaxCount: 1, MaxOpen: 1, Log: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, err)
	defer d.Close()
	w, err := d.Create(t.Context(), artifact.Draft{})
	require.NoError(t, err)
	_, err = w.Write(noise(600_000))
	require.NoError(t, err)
	_, err = d.Create(t.Context(), artifact.Draft{})
	require.ErrorIs(t, err, artifact.ErrOverQuota)
	runtime.KeepAlive(w)
	w = nil
	require.Eventually(t, func() bool {
		runtime.GC()
		next, err := d.Create(t.Context(), artifact.Draft{})
		return err == nil && next.Abort() == nil
	}, 20*time.Second, 5*time.Millisecond)
	temps, err := os.ReadDir(filepath.Join(dir, dirfs.Temp))
	require.NoError(t, err)
	require.Empty(t, temps)
	save(t, d, artifact.Draft{}, noise(600_000))
	require.Contains(t, log.String(), "neither committed nor aborted")
	require.Equal(t, 1, strings.Count(log.String(), "\n"))
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// TestCancelledWriterIsCleanedUpAfter: nobody has to call Abort.
func TestCancelledWriterIsCleanedUpAfter(t *testing.T) {
	dir := t.TempDir()
	d, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	defer d.Close()
	ctx, cancel := context.WithCancel(t.Context())
	w, err := d.Create(ctx, artifact.Draft{})
	require.NoError(t, err)
	_, err = w.Write(noise(600_000))
	require.NoError(t, err)
	cancel()
	require.Eventually(t, func() bool {
		temps, err := os.ReadDir(filepath.Join(dir, dirfs.Temp))
		return err == nil && len(temps) == 0
	}, 20*time.Second, time.Millisecond)
	runtime.KeepAlive(w)
}

// TestPanicInTheSource: what was read can be committed as incomplete, and the
// store goes on.
func TestPanicInTheSource(t *testing.T) {
	each(t, artifact.Options{MaxCount: 1}, func(t *testing.T, s artifact.Store) {
		w, err := s.Create(t.Context(), artifact.Draft{})
		require.NoError(t, err)
		func() {
			defer func() { require.Equal(t, "boom", recover()) }()
			io.Copy(w, io.MultiReader(bytes.NewReader(noise(300_000)), panicking{}))
		}()
		w.(artifact.Marker).MarkIncomplete("the tool panicked")
		i, err := w.Commit(t.Context())
		require.NoError(t, err)
		require.Equal(t, "the tool panicked", i.Incomplete)
		require.True(t, bytes.HasPrefix(noise(300_000), readAll(t, s, artifact.Scope{}, i.Handle)))
		require.NoError(t, s.Delete(t.Context(), artifact.Scope{}, i.Handle))
		save(t, s, artifact.Draft{}, nil)
	})
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("boom") }

// TestNotFoundTakesTheSameSteps: for a handle that never was and for those of
// others, live or gone, the same calls of the file system are made.
func TestNotFoundTakesTheSameSteps(t *testing.T) {
	c := newClock()
	f := &faultfs.FS{FS: faultfs.NewDisk()}
	d, err := artifact.OpenDirFS(f, &artifact.Options{Now: c.now})
	require.NoError(t, err)
	for kind, h := range foreignHandles(t, d, c) {
		var steps []string
		f.Before = func(s faultfs.Step) error {
			steps = append(steps, s.Op+" "+filepath.Dir(s.Name))
			return nil
		}
		_, err := d.Open(t.Context(), artifact.Scope{User: "stranger"}, h)
		require.ErrorIs(t, err, artifact.ErrNotFound)
		require.Equal(t, []string{"open a", "open d"}, steps, kind)
	}
}

// foreignHandles are a handle that never was, and a live, a deleted and an
// expired one of the zero Scope.
func foreignHandles(t *testing.T, s artifact.Store, c *clock) map[string]artifact.Handle {
	live := save(t, s, artifact.Draft{TTL: -1}, noise(1000))
	gone := save(t, s, artifact.Draft{}, noise(1000))
	late := save(t, s, artifact.Draft{TTL: time.Minute}, noise(1000))
	require.NoError(t, s.Delete(t.Context(), artifact.Scope{}, gone.Handle))
	c.advance(time.Minute)
	return map[string]artifact.Handle{"never": artifact.NewHandle(), "live": live.Handle, "deleted": gone.Handle, "expired": late.Handle}
}

// TestNotFoundTakesTheSameTime compares the medians of a stranger's look-ups on a
// real folder. It fails only if in none of twenty rounds they are alike; an
// answer that reads a manifest first takes more than twice the time.
func TestNotFoundTakesTheSameTime(t *testing.T) {
	c := newClock()
	d, err := artifact.OpenDir(fastDir(t), &artifact.Options{Now: c.now})
	require.NoError(t, err)
	defer d.Close()
	handles := foreignHandles(t, d, c)
	var spread float64
	for range 20 {
		times := map[string][]time.Duration{}
		for range 300 {
			for kind, h := range handles {
				start := time.Now()
				_, err := d.Open(t.Context(), artifact.Scope{User: "stranger"}, h)
				times[kind] = append(times[kind], time.Since(start))
				require.ErrorIs(t, err, artifact.ErrNotFound)
			}
		}
		var medians []time.Duration
		for _, all := range times {
			slices.Sort(all)
			medians = append(medians, all[len(all)/2])
		}
		slices.Sort(medians)
		if spread = float64(medians[len(medians)-1]) / float64(medians[0]); spread < 1.25 {
			return
		}
	}
	t.Fatalf("the medians differ by a factor of %.2f", spread)
}

// TestReadersGoOnWhileSweepsRun: Readers that read across expiry and sweeps get
// true bytes, and at last ErrExpired.
func TestReadersGoOnWhileSweepsRun(t *testing.T) {
	var now atomic.Int64
	now.Store(epoch.UnixNano())
	clock := func() time.Time { return time.Unix(0, now.Load()) }
	d, err := artifact.OpenDir(fastDir(t), &artifact.Options{Now: clock, TTL: time.Hour, Grace: time.Minute, SweepEvery: -1})
	require.NoError(t, err)
	defer d.Close()
	data := noise(300_000)
	var wg sync.WaitGroup
	for range 20 {
		i := save(t, d, artifact.Draft{}, data)
		r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
		require.NoError(t, err)
		wg.Go(func() {
			defer r.Close()
			p := make([]byte, len(data))
			for {
				_, err := r.ReadAt(p, 0)
				if err != nil {
					if !errors.Is(err, artifact.ErrExpired) {
						t.Errorf("got %v", err)
					}
					return
				}
				if !bytes.Equal(p, data) {
					t.Error("other bytes")
				}
			}
		})
	}
	now.Add(int64(time.Hour))
	for range 3 {
		time.Sleep(5 * time.Millisecond)
		_, err := d.Sweep(t.Context())
		require.NoError(t, err)
		now.Add(int64(time.Minute))
	}
	wg.Wait()
}

// TestSweepReports what it does in each of its phases.
func TestSweepReports(t *testing.T) {
	c := newClock()
	d, err := artifact.OpenDir(fastDir(t), &artifact.Options{Now: c.now, TTL: time.Hour, Grace: time.Minute, Remember: 24 * time.Hour, SweepEvery: -1})
	require.NoError(t, err)
	defer d.Close()
	save(t, d, artifact.Draft{}, noise(1000))
	save(t, d, artifact.Draft{}, noise(500))
	gone := save(t, d, artifact.Draft{}, noise(500))
	require.NoError(t, d.Delete(t.Context(), artifact.Scope{}, gone.Handle))
	sweep := func(after time.Duration) artifact.Swept {
		c.advance(after)
		s, err := d.Sweep(t.Context())
		require.NoError(t, err)
		return s
	}
	require.Equal(t, artifact.Swept{}, sweep(0))
	require.Equal(t, artifact.Swept{Waiting: 2}, sweep(time.Hour))
	require.Equal(t, artifact.Swept{Waiting: 2}, sweep(59*time.Second))
	require.Equal(t, artifact.Swept{Expired: 2, Bytes: 1500}, sweep(time.Second))
	require.Equal(t, artifact.Swept{}, sweep(0))
	require.Equal(t, artifact.Swept{Forgotten: 1}, sweep(23*time.Hour))
	require.Equal(t, artifact.Swept{Forgotten: 2}, sweep(2*time.Hour))
}

// TestRoomIsNotMadeByAClockThatWentBack: what looked expired for a moment is
// looked at again before it is removed.
func TestRoomIsNotMadeByAClockThatWentBack(t *testing.T) {
	c, jumps := newClock(), 0
	s := artifact.NewMemory(&artifact.Options{TTL: time.Hour, MaxCount: 1, SweepEvery: -1, Now: func() time.Time {
		if jumps > 0 {
			jumps--
			return c.t.Add(24 * time.Hour)
		}
		return c.t
	}})
	i := save(t, s, artifact.Draft{}, []byte("x"))
	jumps = 1
	_, err := s.Create(t.Context(), artifact.Draft{})
	require.ErrorIs(t, err, artifact.ErrOverQuota)
	require.Zero(t, jumps)
	readAll(t, s, artifact.Scope{}, i.Handle)
}

// TestTombstonesHaveALimit: the oldest are forgotten first.
func TestTombstonesHaveALimit(t *testing.T) {
	c := newClock()
	s := artifact.NewMemory(&artifact.Options{Now: c.now, MaxCount: 3})
	var all []artifact.Info
	for range 5 {
		i := save(t, s, artifact.Draft{}, nil)
		require.NoError(t, s.Delete(t.Context(), artifact.Scope{}, i.Handle))
		all = append(all, i)
		c.advance(time.Second)
	}
	swept, err := s.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, artifact.Swept{Forgotten: 2}, swept)
	for n, i := range all {
		want := artifact.ErrDeleted
		if n < 2 {
			want = artifact.ErrNotFound
		}
		_, err := s.Stat(t.Context(), artifact.Scope{}, i.Handle)
		require.ErrorIs(t, err, want)
	}
}

// TestCreateSweepsByItself: a program that never calls Sweep does not grow.
func TestCreateSweepsByItself(t *testing.T) {
	c := newClock()
	s := artifact.NewMemory(&artifact.Options{Now: c.now, TTL: time.Minute, Remember: -1})
	b := runtimeBytes()
	for range 200 {
		save(t, s, artifact.Draft{}, noise(1<<20))
		c.advance(6 * time.Minute)
	}
	require.Less(t, runtimeBytes()-b, int64(32<<20))
	runtime.KeepAlive(s)
}

func runtimeBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemoryOfAnArtifact: what a stored artifact costs in memory beside its bytes.
func TestMemoryOfAnArtifact(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector needs memory of its own")
	}
	const n = 20_000
	for kind, s := range map[string]artifact.Store{
		"Memory": artifact.NewMemory(nil),
		"Dir": func() artifact.Store {
			d, err := artifact.OpenDirFS(discarding{faultfs.NewDisk()}, nil)
			require.NoError(t, err)
			return d
		}(),
	} {
		before := runtimeBytes()
		for range n {
			save(t, s, artifact.Draft{}, nil)
		}
		each := (runtimeBytes() - before) / n
		t.Logf("%s: %d bytes for each artifact", kind, each)
		require.LessOrEqual(t, each, int64(512), kind)
		runtime.KeepAlive(s)
	}
}

// discarding is a disk that keeps no artifact, so that only the store's memory
// counts.
type discarding struct{ *faultfs.Disk }

func (d discarding) Link(old, new string) error {
	if strings.HasPrefix(new, "a/") {
		return nil
	}
	return d.Disk.Link(old, new)
}

// TestHugeArtifactInLittleMemory: 300 MiB are saved and a line near their end is
// found, in less than 8 MiB.
func TestHugeArtifactInLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 300 MiB")
	}
	d, err := artifact.OpenDir(fastDir(t), &artifact.Options{Unsynced: true})
	require.NoError(t, err)
	defer d.Close()
	chunk := bytes.Repeat([]byte("0123456789abcdef0123456789abcde\n"), 1<<20/32)
	before, most := runtimeBytes(), int64(0)
	w, err := d.Create(t.Context(), artifact.Draft{})
	require.NoError(t, err)
	for n := range 300 {
		_, err := w.Write(chunk)
		require.NoError(t, err)
		if n%50 == 0 {
			most = max(most, runtimeBytes()-before)
		}
	}
	i, err := w.Commit(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 300<<20/32, i.Lines)
	r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
	require.NoError(t, err)
	defer r.Close()
	line := i.Lines - 1000
	at, off := r.(artifact.LineIndexer).LineBefore(line)
	require.Equal(t, at*32, off)
	require.Less(t, (line-at)*32, int64(128<<10), "found within an index step")
	most = max(most, runtimeBytes()-before)
	t.Logf("%d KiB", most>>10)
	require.Less(t, most, int64(8<<20))
}

// TestPageReadsItsBlocksAlone: the 64 KiB blocks that it touches, each once, and
// parts of two at once.
func TestPageReadsItsBlocksAlone(t *testing.T) {
	var read, reads atomic.Int64
	d, err := artifact.OpenDirFS(counting{faultfs.NewDisk(), &read, &reads}, nil)
	require.NoError(t, err)
	i := save(t, d, artifact.Draft{}, noise(group+5*block+9))
	for _, page := range []struct{ off, size, read, reads int64 }{
		{5, 10, block, 1},
		{block - 1, 1, block, 1},
		{block - 1, 2, 2 * block, 1},
		{3*block + 1, block, 2 * block, 1},
		{3 * block, block, block, 1},
		{3 * block, 5 * block, 5 * block, 1},
		{3*block + 1, 5 * block, 6 * block, 3},
		{group - 1, 2, 2 * block, 3}, // and the page of the next group
		{group + 5*block + 8, 1, 9, 1},
		{group + 5*block - 1, 10, block + 9, 1},
	} {
		r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
		require.NoError(t, err)
		_, err = r.ReadAt(make([]byte, 1), page.off/group*group+2*block) // its index page is there
		require.NoError(t, err)
		read.Store(0)
		reads.Store(0)
		p := make([]byte, page.size)
		_, err = r.ReadAt(p, page.off)
		require.NoError(t, err)
		require.True(t, bytes.Equal(noise(group + 5*block + 9)[page.off:][:page.size], p))
		index := int64(0)
		if page.off == group-1 {
			index = 6 * 44
		}
		require.Equal(t, []int64{page.read + index, page.reads}, []int64{read.Load(), reads.Load()}, "%d bytes at %d", page.size, page.off)
		require.NoError(t, r.Close())
	}
}

// TestPagesInARowReadEachBlockOnce: the end of one is the beginning of the next.
func TestPagesInARowReadEachBlockOnce(t *testing.T) {
	const size = 9*block + 9
	for _, page := range []int64{1000, block / 2, block, block + block/3} {
		var read, reads atomic.Int64
		d, err := artifact.OpenDirFS(counting{faultfs.NewDisk(), &read, &reads}, nil)
		require.NoError(t, err)
		i := save(t, d, artifact.Draft{}, noise(size))
		r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
		require.NoError(t, err)
		read.Store(0)
		for off := int64(1); off < size; off += page {
			_, err := r.ReadAt(make([]byte, min(page, size-off)), off)
			require.NoError(t, err)
		}
		require.EqualValues(t, size+10*44, read.Load(), "pages of %d bytes", page)
		require.NoError(t, r.Close())
	}
}

// TestPagesAreVerifiedWithoutGarbage: a Reader that has read before allocates
// nothing, whether a page is a part of a block or many blocks.
func TestPagesAreVerifiedWithoutGarbage(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector, pools forget on purpose")
	}
	s := artifact.NewMemory(nil)
	i := save(t, s, artifact.Draft{}, noise(group+3*block+5))
	r, err := s.Open(t.Context(), artifact.Scope{}, i.Handle)
	require.NoError(t, err)
	defer r.Close()
	off := int64(0)
	for _, size := range []int{1, 5000, block, 3 * block} {
		p := make([]byte, size)
		require.Zero(t, testing.AllocsPerRun(100, func() {
			off = (off + 7*block + 1) % (i.Size - int64(size))
			if _, err := r.ReadAt(p, off); err != nil {
				t.Fatal(err)
			}
		}), "pages of %d bytes", size)
	}
}
