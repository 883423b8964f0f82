package dirfs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/dirfs"
)

// Close gives back each folder that was used, and nothing works after it.
func TestCloseReleasesAllFolders(t *testing.T) {
	before := openFiles(t)
	for range 3 {
		f, err := dirfs.Open(filepath.Join(t.TempDir(), "new"))
		require.NoError(t, err)
		for _, dir := range []string{"a", "b"} {
			require.NoError(t, f.Mkdir(dir))
			require.NoError(t, f.Sync(dir))
		}
		file, err := f.Create("a/x")
		require.NoError(t, err)
		require.NoError(t, f.Link("a/x", "b/x"))
		require.NoError(t, f.Sync("."))
		require.NoError(t, file.Close())
		require.NoError(t, f.Close())
		require.Equal(t, before, openFiles(t))

		_, err = f.Open("a/x")
		require.ErrorIs(t, err, fs.ErrClosed)
		require.ErrorIs(t, f.Sync("a"), fs.ErrClosed)
		require.ErrorIs(t, f.Link("a/x", "b/y"), fs.ErrClosed)
		require.ErrorIs(t, f.Mkdir("c"), fs.ErrClosed)
	}
}

// openFiles lists what this process has open, where the system tells.
func openFiles(t *testing.T) []string {
	const list = "/proc/self/fd"
	entries, err := os.ReadDir(list)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("nobody tells which files are open")
	}
	require.NoError(t, err)
	var open []string
	for _, e := range entries {
		if to, err := os.Readlink(filepath.Join(list, e.Name())); err == nil { // not the list itself
			open = append(open, to)
		}
	}
	return open
}
