// Package faultfs has file systems for tests: one that fails on demand at any
// step, and one that loses power.
package faultfs

import (
	"errors"
	"io/fs"
	"sync/atomic"

	"github.com/toolclip/toolclip/internal/dirfs"
)

// Step is one call of the file system.
type Step struct {
	N    int64  // the how many-th, from 1
	Op   string // "create", "write", "sync", "link" …
	Name string // of the file or folder; of a link the new name
}

// ErrShort makes a write write half of its bytes and say so, without an error,
// as io.Writer forbids and some systems do. Other steps fail with it.
var ErrShort = errors.New("faultfs: short write")

// FS is a file system that asks before each step.
type FS struct {
	dirfs.FS

	// Before is called before each step; its error is that of the step, which
	// is then not done. nil: no faults. It may be called concurrently.
	Before func(Step) error

	// After is called after each step that was done; its error hides that.
	After func(Step) error

	steps atomic.Int64
}

// Steps is how many steps there were.
func (f *FS) Steps() int64 { return f.steps.Load() }

func (f *FS) step(op, name string, do func() error) error {
	s := Step{f.steps.Add(1), op, name}
	if f.Before != nil {
		if err := f.Before(s); err != nil {
			return err
		}
	}
	err := do()
	if err == nil && f.After != nil {
		err = f.After(s)
	}
	return err
}

// Mkdir implements dirfs.FS, as do the methods after it.
func (f *FS) Mkdir(name string) error {
	return f.step("mkdir", name, func() error { return f.FS.Mkdir(name) })
}

func (f *FS) Create(name string) (dirfs.File, error) { return f.file("create", name, f.FS.Create) }

func (f *FS) Open(name string) (dirfs.File, error) { return f.file("open", name, f.FS.Open) }

func (f *FS) file(op, name string, open func(string) (dirfs.File, error)) (out dirfs.File, err error) {
	var in dirfs.File
	err = f.step(op, name, func() error {
		in, err = open(name)
		return err
	})
	if err != nil {
		if in != nil { // it was opened, and the reply was lost
			err = errors.Join(err, in.Close())
		}
		return nil, err
	}
	return &file{in, f, name}, nil
}

func (f *FS) Link(old, new string) error {
	return f.step("link", new, func() error { return f.FS.Link(old, new) })
}

func (f *FS) Remove(name string) error {
	return f.step("remove", name, func() error { return f.FS.Remove(name) })
}

func (f *FS) Sync(dir string) error {
	return f.step("syncdir", dir, func() error { return f.FS.Sync(dir) })
}

func (f *FS) List(dir string, each func(string) bool) error {
	return f.step("list", dir, func() error { return f.FS.List(dir, each) })
}

func (f *FS) Abandoned(name string) (yes bool, err error) {
	err = f.step("abandoned", name, func() error {
		yes, err = f.FS.Abandoned(name)
		return err
	})
	return yes, err
}

type file struct {
	dirfs.File
	fs   *FS
	name string
}

func (f *file) Write(p []byte) (n int, err error) {
	err = f.fs.step("write", f.name, func() error {
		n, err = f.File.Write(p)
		return err
	})
	if errors.Is(err, ErrShort) {
		return f.File.Write(p[:len(p)/2])
	}
	return n, err
}

func (f *file) ReadAt(p []byte, off int64) (n int, err error) {
	err = f.fs.step("read", f.name, func() error {
		n, err = f.File.ReadAt(p, off)
		return err
	})
	return n, err
}

func (f *file) Stat() (info fs.FileInfo, err error) {
	err = f.fs.step("stat", f.name, func() error {
		info, err = f.File.Stat()
		return err
	})
	return info, err
}

func (f *file) Sync() error { return f.fs.step("sync", f.name, f.File.Sync) }

// Close closes the file even when the step fails, as the system does.
func (f *file) Close() error {
	done := false
	err := f.fs.step("close", f.name, func() error {
		done = true
		return f.File.Close()
	})
	if !done {
		return errors.Join(err, f.File.Close())
	}
	return err
}
