//go:build unix

package dirfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// nonBlocking keeps the opening of a pipe from waiting for its other end.
const nonBlocking = syscall.O_NONBLOCK

// private is an error unless info is a folder that only we may use.
func private(name string, info fs.FileInfo) error {
	if !info.IsDir() {
		return fmt.Errorf("%q is not a folder", name)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("folder %q has mode %#o, others may use it; chmod it to 0700", name, mode)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() && os.Geteuid() != 0 {
		return fmt.Errorf("folder %q belongs to user %d, this is user %d", name, st.Uid, os.Geteuid())
	}
	return nil
}

func links(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// NoSpace reports whether err is that of a full disk, or of a full share of one.
func NoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func syncDir(d *os.File) error { return d.Sync() }

// lock takes the lock of a file that was just made.
func lock(f *os.File) error {
	got, err := tryLock(f)
	if err == nil && !got {
		err = errors.New("a sweep took the new file for an abandoned one")
	}
	return err
}

// tryLock takes an advisory lock that ends with the open file, at the latest
// with the process. A file system without locks has only free files.
func tryLock(f *os.File) (got bool, err error) {
	c, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	cerr := c.Control(func(fd uintptr) {
		err = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB)
	})
	if cerr != nil {
		return false, cerr
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOLCK) {
		return true, nil
	}
	return err == nil, err
}
