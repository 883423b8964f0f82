//go:build !unix

package dirfs

import (
	"fmt"
	"io/fs"
	"os"
)

const nonBlocking = 0

func private(name string, info fs.FileInfo) error {
	if !info.IsDir() {
		return fmt.Errorf("%q is not a folder", name)
	}
	return nil
}

func links(fs.FileInfo) uint64 { return 1 }

// NoSpace is never sure: systems tell a full disk in different ways.
func NoSpace(error) bool { return false }

// syncDir does nothing: folders can't be synced here, names are durable when the
// file system says so.
func syncDir(*os.File) error { return nil }

func lock(*os.File) error { return nil }

// tryLock never succeeds: without locks nobody can tell that a file was
// abandoned, and one that is in use must stay.
func tryLock(*os.File) (bool, error) { return false, nil }
