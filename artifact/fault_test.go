package artifact_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/internal/dirfs"
	"github.com/toolclip/toolclip/internal/faultfs"
)

// TestFaultAtEveryStep plays the life of a store once for each of its file-system
// steps and lets that step fail, or that one and all after it. What was promised
// holds on a healthy disk afterwards, nothing more is there than was promised or
// announced as unclear, and no space is lost.
func TestFaultAtEveryStep(t *testing.T) {
	for name, fault := range map[string]error{
		"EIO": syscall.EIO, "ENOSPC": syscall.ENOSPC, "EFBIG": syscall.EFBIG, "EROFS": syscall.EROFS, "short write": faultfs.ErrShort,
	} {
		if raceEnabled && fault != syscall.EIO {
			continue // the steps are the same, and so are the goroutines
		}
		for _, sticky := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s sticky=%v", name, sticky), func(t *testing.T) {
				n := int64(1)
				for faultAt(t, n, sticky, fault, false) {
					n++
				}
				require.Greater(t, n, int64(100))
			})
		}
	}
}

// TestFaultAfterEveryStep: the step is done, and its reply lost.
func TestFaultAfterEveryStep(t *testing.T) {
	n := int64(1)
	for faultAt(t, n, false, syscall.EIO, true) {
		n++
	}
	require.Greater(t, n, int64(100))
}

// faultAt plays with a fault at step n and reports whether there was such a step.
func faultAt(t *testing.T, n int64, sticky bool, fault error, after bool) bool {
	disk, c := faultfs.NewDisk(), newClock()
	_, err := artifact.OpenDirFS(disk, playOptions(c)) // the sub-folders are there
	require.NoError(t, err)
	inject := func(s faultfs.Step) error {
		if s.N == n || sticky && s.N > n {
			return fault
		}
		return nil
	}
	f := &faultfs.FS{FS: disk}
	if after {
		f.After = inject
	} else {
		f.Before = inject
	}
	var said []string
	d, err := artifact.OpenDirFS(f, playOptions(c))
	if err == nil {
		play(d, c, 0, func(s string) { said = append(said, s) })
	} else {
		require.ErrorIs(t, err, fault)
	}
	healthy, err := artifact.OpenDirFS(disk, playOptions(c))
	require.NoError(t, err)
	require.NoError(t, verify(healthy, c, said), "step %d, said %q", n, said)
	requireNothingLeft(t, disk, said, fmt.Sprintf("step %d, said %q", n, said))
	return f.Steps() >= n
}

// requireNothingLeft: no temporary file is left, and hardly more artifacts than
// were promised: the one that verify saved, and one of which the outcome was
// unknown.
func requireNothingLeft(t *testing.T, disk dirfs.FS, said []string, what string) {
	t.Helper()
	require.Empty(t, namesIn(t, disk, dirfs.Temp), what)
	promised := map[string]bool{}
	for _, line := range said {
		if f := strings.Fields(line); len(f) == 3 {
			promised[f[1]] = true
		}
	}
	require.LessOrEqual(t, len(namesIn(t, disk, "a")), len(promised)+2, what)
}

func namesIn(t *testing.T, disk dirfs.FS, dir string) (names []string) {
	t.Helper()
	require.NoError(t, disk.List(dir, func(n string) bool { names = append(names, n); return true }))
	return names
}

// TestFailedCommitIsInvisible: after an error that does not say "outcome
// unknown" there is nothing, whichever step failed.
func TestFailedCommitIsInvisible(t *testing.T) {
	for _, after := range []bool{false, true} {
		failures, unknown := 0, 0
		for n := int64(1); ; n++ {
			disk := faultfs.NewDisk()
			var at int64
			var failed string
			f := &faultfs.FS{FS: disk}
			inject := func(s faultfs.Step) error {
				if at > 0 && s.N == at {
					failed = s.Op
					return syscall.EIO
				}
				return nil
			}
			if after {
				f.After = inject
			} else {
				f.Before = inject
			}
			d, err := artifact.OpenDirFS(f, nil)
			require.NoError(t, err)
			w, err := d.Create(t.Context(), artifact.Draft{})
			require.NoError(t, err)
			at = f.Steps() + n
			_, err = w.Write(noise(600_000))
			if err == nil {
				_, err = w.Commit(t.Context())
			}
			if f.Steps() < at {
				require.NoError(t, err)
				break
			}
			visible := len(namesIn(t, disk, "a"))
			switch {
			case err == nil: // the bytes are safe, the temporary name is left to a sweep
				require.Equal(t, "remove", failed)
				require.Equal(t, 1, visible)
			case errors.Is(err, artifact.ErrOutcomeUnknown):
				unknown++
			default:
				failures++
				require.ErrorIs(t, err, syscall.EIO)
				require.ErrorIs(t, err, artifact.ErrUnavailable)
				require.Zero(t, visible, "step %d", n)
			}
		}
		require.Greater(t, failures, 5)
		require.Zero(t, unknown, "one fault is not enough to make the outcome unknown")
	}
}

// TestUnknownOutcomeIsSaid: the folder can't be synced and nothing removed.
func TestUnknownOutcomeIsSaid(t *testing.T) {
	for _, key := range []string{"", "k"} {
		disk := faultfs.NewDisk()
		broken := false
		f := &faultfs.FS{FS: disk, Before: func(s faultfs.Step) error {
			if broken && (s.Op == "syncdir" && s.Name == "a" || s.Op == "remove" && strings.HasPrefix(s.Name, "a/")) {
				return syscall.EIO
			}
			return nil
		}}
		d, err := artifact.OpenDirFS(f, nil)
		require.NoError(t, err)
		w, err := d.Create(t.Context(), artifact.Draft{IdempotencyKey: key})
		require.NoError(t, err)
		broken = true
		_, err = w.Commit(t.Context())
		require.ErrorIs(t, err, artifact.ErrOutcomeUnknown)
		require.ErrorIs(t, err, syscall.EIO)
		_, again := w.Commit(t.Context())
		require.Equal(t, err, again)
		if key == "" {
			continue
		}
		_, err = retryKey(t, d, key)
		require.ErrorIs(t, err, artifact.ErrOutcomeUnknown, "still not durable")
		broken = false
		i, err := retryKey(t, d, key)
		require.NoError(t, err)
		crashed, err := artifact.OpenDirFS(disk.Crash(rand.New(rand.NewPCG(1, 1)), 0), nil)
		require.NoError(t, err)
		_, err = crashed.Stat(t.Context(), artifact.Scope{}, i.Handle)
		require.NoError(t, err, "what the retry promised is durable")
	}
}

func retryKey(t *testing.T, d *artifact.Dir, key string) (artifact.Info, error) {
	t.Helper()
	w, err := d.Create(t.Context(), artifact.Draft{IdempotencyKey: key})
	require.NoError(t, err)
	return w.Commit(t.Context())
}

// storeThatBreaks is a store with one artifact on disk, whose steps for which at
// holds fail while broken is set.
func storeThatBreaks(t *testing.T, disk *faultfs.Disk, broken *bool, at func(faultfs.Step) bool) (*artifact.Dir, artifact.Info) {
	d, err := artifact.OpenDirFS(&faultfs.FS{FS: disk, Before: func(s faultfs.Step) error {
		if *broken && at(s) {
			return syscall.EIO
		}
		return nil
	}}, nil)
	require.NoError(t, err)
	return d, save(t, d, artifact.Draft{}, []byte("x"))
}

// TestDeletionIsFinishedByASweep: when the bytes can't be removed the artifact is
// deleted all the same, the error says what remains, and a sweep removes it.
func TestDeletionIsFinishedByASweep(t *testing.T) {
	disk, broken := faultfs.NewDisk(), false
	d, i := storeThatBreaks(t, disk, &broken, func(s faultfs.Step) bool { return s.Op == "remove" && strings.HasPrefix(s.Name, "a/") })
	broken = true
	err := d.Delete(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, syscall.EIO)
	require.ErrorContains(t, err, "it is deleted")
	_, err = d.Stat(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrDeleted)
	require.Len(t, namesIn(t, disk, "a"), 1)
	broken = false
	_, err = d.Sweep(t.Context())
	require.NoError(t, err)
	require.Empty(t, namesIn(t, disk, "a"))
	_, err = d.Stat(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrDeleted)
}

// fullDisk has room for nothing until the bytes of an artifact are removed, or, if never
// is set, not even then.
func fullDisk(disk *faultfs.Disk, full *bool, never bool) *faultfs.FS {
	return &faultfs.FS{FS: disk, Before: func(s faultfs.Step) error {
		switch {
		case *full && s.Op == "write":
			return syscall.ENOSPC
		case s.Op == "remove" && strings.HasPrefix(s.Name, "a/") && !never:
			*full = false
		}
		return nil
	}}
}

// TestFullDiskCanBeFreed: what is deleted or has expired makes room, and is still told
// as deleted and as expired.
func TestFullDiskCanBeFreed(t *testing.T) {
	for want, free := range map[error]func(d *artifact.Dir, i artifact.Info, now *time.Time) error{
		artifact.ErrDeleted: func(d *artifact.Dir, i artifact.Info, _ *time.Time) error {
			return d.Delete(t.Context(), artifact.Scope{}, i.Handle)
		},
		artifact.ErrExpired: func(d *artifact.Dir, _ artifact.Info, now *time.Time) error {
			*now = now.Add(25 * time.Hour)
			s, err := d.Sweep(t.Context()) // the first; nobody can note that it was
			require.Equal(t, 1, s.Expired)
			return err
		},
	} {
		full, now := false, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		disk := faultfs.NewDisk()
		d, err := artifact.OpenDirFS(fullDisk(disk, &full, false), &artifact.Options{Now: func() time.Time { return now }})
		require.NoError(t, err)
		i := save(t, d, artifact.Draft{}, noise(100_000))
		full = true
		_, err = retryKey(t, d, "")
		require.ErrorIs(t, err, syscall.ENOSPC)
		require.NoError(t, free(d, i, &now), "%v", want)
		_, err = d.Stat(t.Context(), artifact.Scope{}, i.Handle)
		require.ErrorIs(t, err, want)
		require.Empty(t, namesIn(t, disk, "a"))
		require.Empty(t, namesIn(t, disk, dirfs.Temp))
		save(t, d, artifact.Draft{}, noise(100_000))
	}
}

// TestDiskThatStaysFull: if there is no room for a tombstone even then, that is said.
func TestDiskThatStaysFull(t *testing.T) {
	full, disk := false, faultfs.NewDisk()
	d, err := artifact.OpenDirFS(fullDisk(disk, &full, true), &artifact.Options{MaxCount: 1})
	require.NoError(t, err)
	i := save(t, d, artifact.Draft{}, noise(100_000))
	full = true
	err = d.Delete(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrUnavailable)
	require.ErrorContains(t, err, "its bytes are removed, but there is no room to note that")
	require.Empty(t, namesIn(t, disk, "a"))
	_, err = d.Stat(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrNotFound)
	full = false
	save(t, d, artifact.Draft{}, nil) // its place is free
}

// TestUnclearDeletionIsSaid: a tombstone of which nobody knows whether it is
// durable. Deleting again finds out.
func TestUnclearDeletionIsSaid(t *testing.T) {
	disk, broken := faultfs.NewDisk(), false
	d, i := storeThatBreaks(t, disk, &broken, func(s faultfs.Step) bool { return s.Op == "syncdir" })
	broken = true
	err := d.Delete(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrOutcomeUnknown)
	require.ErrorIs(t, err, artifact.ErrUnavailable)
	require.ErrorIs(t, err, syscall.EIO)
	broken = false
	require.ErrorIs(t, d.Delete(t.Context(), artifact.Scope{}, i.Handle), artifact.ErrDeleted)
	require.Empty(t, namesIn(t, disk, "a"))
	crashed, err := artifact.OpenDirFS(disk.Crash(rand.New(rand.NewPCG(1, 1)), 0), nil)
	require.NoError(t, err)
	_, err = crashed.Stat(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrDeleted)
}

// TestFailedSyncKillsTheWriter: the next sync would succeed, and mean nothing.
func TestFailedSyncKillsTheWriter(t *testing.T) {
	syncs := 0
	f := &faultfs.FS{FS: faultfs.NewDisk(), Before: func(s faultfs.Step) error {
		if s.Op == "sync" {
			if syncs++; syncs == 1 {
				return syscall.EIO
			}
		}
		return nil
	}}
	d, err := artifact.OpenDirFS(f, nil)
	require.NoError(t, err)
	w, err := d.Create(t.Context(), artifact.Draft{})
	require.NoError(t, err)
	for range 3 {
		_, err = w.Commit(t.Context())
		require.ErrorIs(t, err, syscall.EIO)
	}
	require.Equal(t, 1, syncs)
}

// TestReadFaultIsNotCorruption: a disk that can't be read now is not one that
// holds other bytes.
func TestReadFaultIsNotCorruption(t *testing.T) {
	var broken error
	f := &faultfs.FS{FS: faultfs.NewDisk(), Before: func(s faultfs.Step) error {
		if s.Op == "read" {
			return broken
		}
		return nil
	}}
	d, err := artifact.OpenDirFS(f, nil)
	require.NoError(t, err)
	i := save(t, d, artifact.Draft{}, noise(200_000))
	r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
	require.NoError(t, err)
	defer r.Close()
	broken = syscall.EIO
	n, err := r.ReadAt(make([]byte, 200_000), 0)
	require.Zero(t, n)
	require.ErrorIs(t, err, artifact.ErrUnavailable)
	require.ErrorIs(t, err, syscall.EIO)
	require.NotErrorIs(t, err, artifact.ErrCorrupt)
	broken = nil
	_, err = r.ReadAt(make([]byte, 200_000), 0)
	require.NoError(t, err)
}

// TestPowerLossAtEveryStep stops the machine before each step: what was not
// synced is gone, there, or half there, each on its own. What was promised holds.
func TestPowerLossAtEveryStep(t *testing.T) {
	require.NoError(t, crashEverywhere(func(d *faultfs.Disk) dirfs.FS { return d }))
}

// TestPowerLossFindsMissingSyncs: without either sync the same test fails, so it
// can.
func TestPowerLossFindsMissingSyncs(t *testing.T) {
	for _, op := range []string{"sync", "syncdir"} {
		err := crashEverywhere(func(d *faultfs.Disk) dirfs.FS { return lying{d, op} })
		require.Error(t, err, "without %s", op)
	}
}

// crashEverywhere returns the first promise that a crash broke.
func crashEverywhere(over func(*faultfs.Disk) dirfs.FS) error {
	stop := errors.New("stopped")
	for n := int64(1); ; n++ {
		disk, c := faultfs.NewDisk(), newClock()
		if _, err := artifact.OpenDirFS(disk, playOptions(c)); err != nil {
			return err
		}
		f := &faultfs.FS{FS: over(disk), Before: func(s faultfs.Step) error {
			if s.N >= n {
				return stop
			}
			return nil
		}}
		var said []string
		var crashed []*faultfs.Disk
		d, err := artifact.OpenDirFS(f, playOptions(c))
		if err == nil {
			play(d, c, 0, func(s string) {
				if f.Steps() < n {
					said = append(said, s)
				}
			})
		}
		rnd := rand.New(rand.NewPCG(uint64(n), 7))
		for _, keep := range []float64{0, 0.5, 0.5, 1} {
			crashed = append(crashed, disk.Crash(rnd, keep))
		}
		for i, disk := range crashed {
			d, err := artifact.OpenDirFS(disk, playOptions(c))
			if err != nil {
				return err
			}
			if err := verify(d, c, said); err != nil {
				return fmt.Errorf("crash %d before step %d, said %q: %w", i, n, said, err)
			}
		}
		if f.Steps() < n {
			return nil
		}
	}
}

// lying is a disk that says it synced.
type lying struct {
	*faultfs.Disk
	op string
}

func (l lying) Sync(dir string) error {
	if l.op == "syncdir" {
		return nil
	}
	return l.Disk.Sync(dir)
}

func (l lying) Create(name string) (dirfs.File, error) {
	f, err := l.Disk.Create(name)
	if l.op == "sync" && err == nil {
		return unsyncedFile{f}, nil
	}
	return f, err
}

type unsyncedFile struct{ dirfs.File }

func (unsyncedFile) Sync() error { return nil }

// TestContextEndsAtEveryStep cancels a save before each step: the error is the
// context's, and nothing is left.
func TestContextEndsAtEveryStep(t *testing.T) {
	for n := int64(1); ; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		disk := faultfs.NewDisk()
		var at int64
		f := &faultfs.FS{FS: disk, Before: func(s faultfs.Step) error {
			if s.N == at {
				cancel()
			}
			return nil
		}}
		d, err := artifact.OpenDirFS(f, &artifact.Options{SweepEvery: -1, MaxCount: 1})
		require.NoError(t, err)
		at = f.Steps() + n
		var i artifact.Info
		w, err := d.Create(ctx, artifact.Draft{})
		for k := 0; err == nil && k < 5; k++ {
			_, err = w.Write(noise(100_000))
		}
		if err == nil {
			i, err = w.Commit(ctx)
		}
		done := f.Steps() < at
		cancel()
		if err == nil { // it came too late
			require.Equal(t, bytesOf(noise(100_000), 5), readAll(t, d, artifact.Scope{}, i.Handle))
			if done {
				return
			}
			continue
		}
		require.ErrorIs(t, err, context.Canceled, "step %d", n)
		requireNothingLeft(t, disk, nil, fmt.Sprintf("step %d", n))
		require.Empty(t, namesIn(t, disk, "a"), "step %d", n)
		save(t, d, artifact.Draft{}, nil) // and its quota is free
	}
}

func bytesOf(b []byte, times int) (all []byte) {
	for range times {
		all = append(all, b...)
	}
	return all
}
