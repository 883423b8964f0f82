//go:build unix

package artifact_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/internal/dirfs"
	"github.com/toolclip/toolclip/internal/faultfs"
)

// childEnv makes the test binary play a part in another process's test.
const childEnv = "ARTIFACT_TEST_CHILD"

// parts are what a child can play; an error is printed and fails the test.
var parts = map[string]func(args []string) error{
	"killed":   partKilled,
	"worker":   partWorker,
	"readonly": partReadOnly,
	"fewfiles": partFewFiles,
	"bigfile":  partBigFile,
	"reader":   partReader,
}

func TestMain(m *testing.M) {
	part := os.Getenv(childEnv)
	if part == "" {
		os.Exit(m.Run())
	}
	if err := parts[part](os.Args[1:]); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// child is a command that plays a part.
func child(t *testing.T, part string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), childEnv+"="+part)
	return cmd
}

// nobody makes cmd run without privileges, if this process has any: root may
// write where the mode says that nobody may.
func nobody(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	exe := filepath.Join(dir, "exe")
	b, err := os.ReadFile(cmd.Path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(exe, b, 0o755))
	cmd.Path = exe
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}

// openTemp is a folder that everybody may enter.
func openTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "artifact")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// TestKillBeforeEveryStep kills a process before each of its file-system steps:
// of opening, saving, deleting, sweeping, and recovering from the kill before,
// for four processes in a row go on in the folder that the one before left.
func TestKillBeforeEveryStep(t *testing.T) {
	const inARow, chains = 4, 4
	var last atomic.Int64 // the first step that a process did not reach
	last.Store(math.MaxInt64)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range chains {
		wg.Go(func() {
			for {
				from := 1 + inARow*(next.Add(1)-1)
				if from >= last.Load() || t.Failed() {
					return
				}
				if done := killChain(t, from, inARow); done > 0 {
					last.Store(done)
				}
			}
		})
	}
	wg.Wait()
	require.Greater(t, last.Load(), int64(100))
	require.Less(t, last.Load(), int64(1000))
}

// killChain kills one process before each of the steps from, from+1 … in one
// folder, verifies what is left, and returns the step that was not reached, if
// any.
func killChain(t *testing.T, from int64, n int) (done int64) {
	dir := fastTemp(t)
	var said []string
	for step := from; step < from+int64(n); step++ {
		var out bytes.Buffer
		cmd := child(t, "killed", dir, strconv.FormatInt(step, 10))
		cmd.Stdout = &out
		err := cmd.Run()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		said = append(said, lines...)
		if lines[len(lines)-1] == "done" {
			assert.NoError(t, err)
			done = step
			break
		}
		var exit *exec.ExitError
		if !assert.ErrorAs(t, err, &exit, "%s", &out) || !assert.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), "step %d: %s", step, &out) {
			return 0
		}
	}
	c := &clock{t: epoch}
	d, err := artifact.OpenDir(dir, playOptions(c))
	if !assert.NoError(t, err) {
		return 0
	}
	defer d.Close()
	assert.NoError(t, verify(d, c, said), "killed before step %d and after, said %q", from, said)
	ageTemps(t, dir)
	_, err = d.Sweep(t.Context())
	assert.NoError(t, err)
	for _, sub := range []string{dirfs.Temp, "s"} {
		names, err := os.ReadDir(filepath.Join(dir, sub))
		assert.NoError(t, err)
		for _, n := range names {
			assert.Equal(t, "idempotency", n.Name(), "left in %s", sub)
		}
	}
	return done
}

// fastTemp is a folder in memory if there is one: a killed process needs no disk.
func fastTemp(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "artifact")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func partKilled(args []string) error {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	under, err := dirfs.Open(args[0])
	if err != nil {
		return err
	}
	f := &faultfs.FS{FS: under, Before: func(s faultfs.Step) error {
		if s.N == int64(n) {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}}
	c := &clock{t: epoch}
	d, err := artifact.OpenDirFS(f, playOptions(c))
	if err != nil {
		return err
	}
	play(d, c, n, func(s string) { fmt.Println(s) })
	return nil
}

// ageTemps makes temporary files as old as those that a sweep takes.
func ageTemps(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	for _, sub := range []string{dirfs.Temp, "s"} {
		names, err := os.ReadDir(filepath.Join(dir, sub))
		assert.NoError(t, err)
		for _, n := range names {
			assert.NoError(t, os.Chtimes(filepath.Join(dir, sub, n.Name()), old, old))
		}
	}
}

// TestLivingWriterIsNotSwept: another process's unfinished file stays, however
// old it looks.
func TestLivingWriterIsNotSwept(t *testing.T) {
	dir := t.TempDir()
	mine, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	defer mine.Close()
	other, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	defer other.Close()
	w, err := mine.Create(t.Context(), artifact.Draft{})
	require.NoError(t, err)
	_, err = w.Write(noise(600_000))
	require.NoError(t, err)
	ageTemps(t, dir)
	s, err := other.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, s.Cleaned)
	i, err := w.Commit(t.Context())
	require.NoError(t, err)
	require.True(t, bytes.Equal(noise(600_000), readAll(t, other, artifact.Scope{}, i.Handle)))
}

// TestProcessesShareAFolder: three processes save, read each other's, race for
// keys, delete and sweep in one folder.
func TestProcessesShareAFolder(t *testing.T) {
	dir := t.TempDir()
	start := strconv.FormatInt(time.Now().Add(300*time.Millisecond).UnixNano(), 10)
	outs := make([]bytes.Buffer, 3)
	cmds := make([]*exec.Cmd, 3)
	for i := range cmds {
		cmds[i] = child(t, "worker", dir, strconv.Itoa(i), start)
		cmds[i].Stdout = &outs[i]
		require.NoError(t, cmds[i].Start())
	}
	keys := map[string]string{}
	kinds := map[string]string{}
	var handles []artifact.Handle
	for i, cmd := range cmds {
		require.NoError(t, cmd.Wait(), "%s", &outs[i])
		for _, line := range strings.Split(strings.TrimSpace(outs[i].String()), "\n") {
			f := strings.Fields(line)
			if f[0] == "saved" {
				handles = append(handles, artifact.Handle(f[1]))
				continue
			}
			key, handle, kind := f[1], f[2], f[3]
			if was, ok := keys[key]; ok {
				require.Equal(t, was, handle, "key %s has two handles", key)
				require.Equal(t, kinds[key], kind, "key %s stands for two contents", key)
			}
			keys[key], kinds[key] = handle, kind
		}
	}
	require.Len(t, keys, workerRounds, "each key was won once")
	require.Len(t, handles, 3*workerRounds)
	d, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	defer d.Close()
	for _, h := range handles {
		require.Equal(t, noise(5000), readAll(t, d, artifact.Scope{}, h))
	}
	for key, h := range keys {
		require.Equal(t, kinds[key], string(readAll(t, d, artifact.Scope{}, artifact.Handle(h))))
	}
	s, err := d.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, s.Damaged)
}

const workerRounds = 60

// partWorker saves, races for keys, deletes and sweeps.
func partWorker(args []string) error {
	dir, me := args[0], args[1]
	start, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	d, err := artifact.OpenDir(dir, &artifact.Options{Grace: -1, SweepEvery: -1})
	if err != nil {
		return err
	}
	defer d.Close()
	ctx := context.Background()
	put := func(draft artifact.Draft, b []byte) (artifact.Info, error) {
		w, err := d.Create(ctx, draft)
		if err != nil {
			return artifact.Info{}, err
		}
		defer w.Abort()
		if _, err := w.Write(b); err != nil {
			return artifact.Info{}, err
		}
		return w.Commit(ctx)
	}
	time.Sleep(time.Until(time.Unix(0, start)))
	for round := range workerRounds {
		i, err := put(artifact.Draft{}, noise(5000))
		if err != nil {
			return fmt.Errorf("saving: %w", err)
		}
		fmt.Println("saved", i.Handle)
		k, err := put(artifact.Draft{IdempotencyKey: fmt.Sprint(round)}, []byte("of"+me))
		if err == nil {
			fmt.Println("keyed", round, k.Handle, "of"+me)
		} else if !errors.Is(err, artifact.ErrKeyReused) {
			return fmt.Errorf("key %d: %w", round, err)
		}
		gone, err := put(artifact.Draft{TTL: time.Duration(round%2) * time.Nanosecond}, noise(300_000))
		if err != nil {
			return fmt.Errorf("saving: %w", err)
		}
		if err := d.Delete(ctx, artifact.Scope{}, gone.Handle); err != nil && !errors.Is(err, artifact.ErrExpired) {
			return fmt.Errorf("deleting: %w", err)
		}
		if round%10 == 0 {
			if _, err := d.Sweep(ctx); err != nil {
				return fmt.Errorf("sweeping: %w", err)
			}
		}
	}
	return nil
}

// TestAnotherProcessReads: a handle is all that a reader needs to be told.
func TestAnotherProcessReads(t *testing.T) {
	dir := t.TempDir()
	d, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	defer d.Close()
	i := save(t, d, artifact.Draft{}, noise(300_000))
	out, err := child(t, "reader", dir, string(i.Handle)).Output()
	require.NoError(t, err, "%s", out)
	require.True(t, bytes.Equal(noise(300_000), out))
}

func partReader(args []string) error {
	d, err := artifact.OpenDir(args[0], nil)
	if err != nil {
		return err
	}
	defer d.Close()
	r, err := d.Open(context.Background(), artifact.Scope{}, artifact.Handle(args[1]))
	if err != nil {
		return err
	}
	_, err = io.Copy(os.Stdout, io.NewSectionReader(r, 0, r.Info().Size))
	return errors.Join(err, r.Close())
}

// TestFolderThatCantBeWritten: what is there is read, saving is unavailable with
// the cause, and nothing is taken for missing.
func TestFolderThatCantBeWritten(t *testing.T) {
	base := openTemp(t)
	dir := filepath.Join(base, "store")
	d, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	i := save(t, d, artifact.Draft{}, []byte("x"))
	require.NoError(t, d.Close())
	require.NoError(t, filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if os.Geteuid() == 0 {
			require.NoError(t, os.Chown(p, 65534, 65534))
		}
		if info.IsDir() {
			require.NoError(t, os.Chmod(p, 0o500))
		}
		return err
	}))
	t.Cleanup(func() {
		filepath.Walk(dir, func(p string, _ os.FileInfo, err error) error { os.Chmod(p, 0o700); return nil })
	})
	cmd := child(t, "readonly", dir, string(i.Handle))
	nobody(t, cmd, base)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func partReadOnly(args []string) error {
	d, err := artifact.OpenDir(args[0], nil)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := d.Stat(ctx, artifact.Scope{}, artifact.Handle(args[1])); err != nil {
		return err
	}
	w, err := d.Create(ctx, artifact.Draft{})
	if err != nil {
		return err
	}
	_, err = w.Commit(ctx)
	if !errors.Is(err, artifact.ErrUnavailable) || !errors.Is(err, os.ErrPermission) || errors.Is(err, artifact.ErrOutcomeUnknown) {
		return fmt.Errorf("Commit: %w", err)
	}
	err = d.Delete(ctx, artifact.Scope{}, artifact.Handle(args[1]))
	if !errors.Is(err, artifact.ErrUnavailable) || errors.Is(err, artifact.ErrOutcomeUnknown) {
		return fmt.Errorf("Delete: %w", err)
	}
	_, err = d.Stat(ctx, artifact.Scope{}, artifact.Handle(args[1]))
	return err
}

// TestFolderOfOthers: a path that the caller may not open is refused with the
// cause, not taken for an empty store.
func TestFolderOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to make a folder of somebody else")
	}
	base := openTemp(t)
	dir := filepath.Join(base, "store")
	d, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	require.NoError(t, d.Close())
	cmd := child(t, "readonly", dir, "x")
	nobody(t, cmd, base)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "permission denied")
}

// TestFewFiles: with three file descriptors for each of MaxOpen and a dozen for the Dir, a
// thousand Readers may be open and a hundred Writers at work; none fails.
func TestFewFiles(t *testing.T) {
	out, err := child(t, "fewfiles", t.TempDir()).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func partFewFiles(args []string) error {
	const maxOpen, dir, process = 10, 12, 8 // the process has its streams, a poller, files of its cgroup
	lim := syscall.Rlimit{Cur: 3*maxOpen + dir + process, Max: 3*maxOpen + dir + process}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &lim); err != nil {
		return err
	}
	d, err := artifact.OpenDir(args[0], &artifact.Options{MaxOpen: maxOpen})
	if err != nil {
		return err
	}
	ctx := context.Background()
	errs := make(chan error)
	for range 100 {
		go func() {
			w, err := d.Create(ctx, artifact.Draft{})
			if err == nil {
				_, err = w.Write(noise(300_000))
			}
			if err == nil {
				var i artifact.Info
				if i, err = w.Commit(ctx); err == nil {
					err = openMany(d, i.Handle, 10)
				}
			}
			errs <- err
		}()
	}
	for range 100 {
		err = errors.Join(err, <-errs)
	}
	return err
}

// openMany opens n Readers at once and reads with each.
func openMany(d *artifact.Dir, h artifact.Handle, n int) error {
	var all []artifact.Reader
	for range n {
		r, err := d.Open(context.Background(), artifact.Scope{}, h)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	for _, r := range all {
		if _, err := r.ReadAt(make([]byte, 10), 1000); err != nil {
			return err
		}
		if err := r.Close(); err != nil {
			return err
		}
	}
	return nil
}

// TestFilesThatMayNotGrow: the real EFBIG, half-way through a save.
func TestFilesThatMayNotGrow(t *testing.T) {
	dir := t.TempDir()
	out, err := child(t, "bigfile", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, sub := range []string{"a", dirfs.Temp} {
		names, err := os.ReadDir(filepath.Join(dir, sub))
		require.NoError(t, err)
		require.Empty(t, names)
	}
}

func partBigFile(args []string) error {
	lim := syscall.Rlimit{Cur: 500_000, Max: 500_000}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &lim); err != nil {
		return err
	}
	d, err := artifact.OpenDir(args[0], &artifact.Options{MaxCount: 1})
	if err != nil {
		return err
	}
	for range 2 { // the second finds the quota free
		w, err := d.Create(context.Background(), artifact.Draft{})
		if err != nil {
			return err
		}
		_, err = w.Write(noise(700_000))
		if !errors.Is(err, syscall.EFBIG) || !errors.Is(err, artifact.ErrUnavailable) {
			return fmt.Errorf("Write: %w", err)
		}
		if _, err := w.Commit(context.Background()); !errors.Is(err, artifact.ErrIncomplete) || !errors.Is(err, syscall.EFBIG) {
			return fmt.Errorf("Commit: %w", err)
		}
	}
	return nil
}
