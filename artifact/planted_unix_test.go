//go:build unix

package artifact_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
)

// TestPlantedFilesAreNotFollowed replaces an artifact's file by what is not one.
// No answer waits, and none has a byte that was not saved.
func TestPlantedFilesAreNotFollowed(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	for name, plant := range map[string]func(path string) error{
		"link out":          func(p string) error { return os.Symlink(outside, p) },
		"relative link out": func(p string) error { return os.Symlink("../../../../../../../../../../etc/passwd", p) },
		"link to itself":    func(p string) error { return os.Symlink(filepath.Base(p), p) },
		"link inside":       func(p string) error { return os.Symlink(filepath.Base(p)+"2", p) },
		"dangling link":     func(p string) error { return os.Symlink("nowhere", p) },
		"pipe":              func(p string) error { return syscall.Mkfifo(p, 0o600) },
		"folder":            func(p string) error { return os.Mkdir(p, 0o700) },
		"foreign hard link": func(p string) error { return os.Link(outside, p) },
		"linked elsewhere":  func(p string) error { return os.Link(p+"2", p) },
		"empty file":        func(p string) error { return os.WriteFile(p, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			d, i, path := planted(t, []byte("saved"))
			require.NoError(t, os.Rename(path, path+"2")) // not a name that a store lists
			require.NoError(t, plant(path))
			done := make(chan error, 1)
			go func() {
				_, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
				done <- err
			}()
			select {
			case err := <-done:
				require.ErrorIs(t, err, artifact.ErrCorrupt)
			case <-time.After(20 * time.Second):
				t.Fatal("Open waits")
			}
			_, err := d.Open(t.Context(), artifact.Scope{User: "stranger"}, i.Handle)
			require.ErrorIs(t, err, artifact.ErrNotFound)
			other, err := artifact.OpenDir(filepath.Dir(filepath.Dir(path)), nil)
			require.NoError(t, err)
			defer other.Close()
			s, err := other.Sweep(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, s.Damaged)
			b, err := os.ReadFile(outside)
			require.NoError(t, err)
			require.Equal(t, "secret", string(b))
		})
	}
}

// TestHardLinkElsewhereIsRefused: whoever holds another name of the file could
// change it between two reads.
func TestHardLinkElsewhereIsRefused(t *testing.T) {
	d, i, path := planted(t, []byte("saved"))
	elsewhere := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.Link(path, elsewhere))
	_, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrCorrupt)
	require.NoError(t, os.Remove(elsewhere))
	readAll(t, d, artifact.Scope{}, i.Handle)
}

// TestLeftoverLinkIsOurs: a process that died between giving the file its name
// and taking the temporary one away leaves two; that is no reason to refuse.
func TestLeftoverLinkIsOurs(t *testing.T) {
	d, i, path := planted(t, []byte("saved"))
	temp := filepath.Join(filepath.Dir(filepath.Dir(path)), "tmp", "left")
	require.NoError(t, os.Link(path, temp))
	require.Equal(t, "saved", string(readAll(t, d, artifact.Scope{}, i.Handle)))
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(temp, old, old))
	s, err := d.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, s.Cleaned)
	require.Equal(t, "saved", string(readAll(t, d, artifact.Scope{}, i.Handle)))
}

// TestRenamedFolderIsFollowed: the store is the folder that was opened, not what
// its path names later.
func TestRenamedFolderIsFollowed(t *testing.T) {
	d, i, path := planted(t, []byte("saved"))
	dir := filepath.Dir(filepath.Dir(path))
	evil := t.TempDir()
	require.NoError(t, os.Rename(dir, dir+"2"))
	require.NoError(t, os.Symlink(evil, dir))
	require.Equal(t, "saved", string(readAll(t, d, artifact.Scope{}, i.Handle)))
	j := save(t, d, artifact.Draft{}, noise(300_000))
	require.Equal(t, noise(300_000), readAll(t, d, artifact.Scope{}, j.Handle))
	names, err := os.ReadDir(evil)
	require.NoError(t, err)
	require.Empty(t, names)
}

// TestSwappedSubfolderLeadsNowhere: each of the store's own folders is replaced
// by a link to somewhere else, before and after it is opened.
func TestSwappedSubfolderLeadsNowhere(t *testing.T) {
	for _, sub := range []string{"a", "d", "x", "s", "tmp"} {
		t.Run(sub, func(t *testing.T) {
			d, i, path := planted(t, []byte("saved"))
			dir, evil := filepath.Dir(filepath.Dir(path)), t.TempDir()
			require.NoError(t, os.Rename(filepath.Join(dir, sub), filepath.Join(dir, sub+"2")))
			require.NoError(t, os.Symlink(evil, filepath.Join(dir, sub)))
			require.Equal(t, "saved", string(readAll(t, d, artifact.Scope{}, i.Handle)))
			if w, err := d.Create(t.Context(), artifact.Draft{IdempotencyKey: "k"}); err == nil {
				w.Commit(t.Context()) // may fail, may not leave
			}
			d.Delete(t.Context(), artifact.Scope{}, i.Handle)
			d.Sweep(t.Context())
			names, err := os.ReadDir(evil)
			require.NoError(t, err)
			require.Empty(t, names)
			_, err = artifact.OpenDir(dir, nil)
			require.ErrorContains(t, err, "is not a folder")
		})
	}
}

// TestReplacedSubfolderIsSaid: each of the store's own folders is removed, or replaced
// by another that could be its own. Nothing is said to be saved or deleted that is not.
func TestReplacedSubfolderIsSaid(t *testing.T) {
	for _, sub := range []string{"a", "d", "s", "tmp"} {
		for _, replaced := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s replaced %v", sub, replaced), func(t *testing.T) {
				d, i, file := planted(t, []byte("saved"))
				dir := filepath.Join(filepath.Dir(filepath.Dir(file)), sub)
				require.NoError(t, os.Rename(dir, dir+"2"))
				if replaced {
					require.NoError(t, os.Mkdir(dir, 0o700))
				}
				for key, needs := range map[string][]string{"": {"a", "tmp"}, "k": {"a", "tmp", "s"}} {
					w, err := d.Create(t.Context(), artifact.Draft{IdempotencyKey: key})
					if err == nil {
						var j artifact.Info
						if j, err = w.Commit(t.Context()); err == nil {
							require.Empty(t, readAll(t, d, artifact.Scope{}, j.Handle))
						}
					}
					requireReplaced(t, err, sub, needs...)
				}
				require.Equal(t, "saved", string(readAll(t, d, artifact.Scope{}, i.Handle)))
				err := d.Delete(t.Context(), artifact.Scope{}, i.Handle)
				requireReplaced(t, err, sub, "d", "tmp")
				_, err = d.Stat(t.Context(), artifact.Scope{}, i.Handle)
				require.Equal(t, sub != "d" && sub != "tmp", errors.Is(err, artifact.ErrDeleted), "%v", err)
				if names, err := os.ReadDir(dir); err == nil {
					require.Empty(t, names, "what was put there by mistake is removed")
				}
			})
		}
	}
}

// requireReplaced checks the error of what needs some of the store's folders, of which
// one is gone.
func requireReplaced(t *testing.T, err error, gone string, needs ...string) {
	t.Helper()
	if slices.Contains(needs, gone) {
		require.ErrorIs(t, err, artifact.ErrUnavailable)
		require.ErrorContains(t, err, "was removed or replaced while it was in use; open the store again")
		require.NotErrorIs(t, err, artifact.ErrNotFound)
		return
	}
	require.NoError(t, err)
}

// TestModes: what a Dir makes is for its owner alone, and folders that are not
// are refused.
func TestModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "new", "store")
	d, err := artifact.OpenDir(dir, nil)
	require.NoError(t, err)
	i := save(t, d, artifact.Draft{IdempotencyKey: "k"}, noise(300_000))
	require.NoError(t, d.Delete(t.Context(), artifact.Scope{}, i.Handle))
	save(t, d, artifact.Draft{}, nil)
	require.NoError(t, d.Close())
	files := 0
	require.NoError(t, filepath.WalkDir(filepath.Dir(dir), func(p string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		if e.IsDir() {
			require.EqualValues(t, 0o700, info.Mode().Perm(), p)
		} else {
			files++
			require.EqualValues(t, 0o600, info.Mode().Perm(), p)
		}
		return nil
	}))
	require.Equal(t, 3, files)
	require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o750))
	_, err = artifact.OpenDir(dir, nil)
	require.ErrorContains(t, err, "chmod it to 0700")
}
