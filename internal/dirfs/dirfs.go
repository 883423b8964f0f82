// Package dirfs has the few file-system calls of a store in a folder, each as
// one method, so that tests can fail, kill or crash between any two of them.
//
// Names have one or two components, "a" or "a/b". Nothing outside the root is
// ever reached, whatever links are planted.
package dirfs

import (
	"io"
	"io/fs"
)

// FS is a folder.
type FS interface {
	// Mkdir makes a folder that only its owner may use. One that is there is an
	// fs.ErrExist, except that it must be a folder of ours and private.
	Mkdir(name string) error

	// Create makes a file that was not there and locks it until it is closed.
	Create(name string) (File, error)

	// Open opens a regular file for reading. Anything else (a link, a pipe, a
	// device) is an error that is ErrNotRegular, and never waits.
	Open(name string) (File, error)

	// Link gives a file a second name. A name that is taken is an fs.ErrExist.
	Link(old, new string) error

	// Remove removes a file.
	Remove(name string) error

	// Sync makes the names in a folder durable.
	Sync(dir string) error

	// List calls f with each name in a folder until f returns false.
	List(dir string, f func(name string) bool) error

	// Abandoned reports whether no living process has the file open from Create.
	Abandoned(name string) (bool, error)

	// Close releases the folder.
	Close() error
}

// File is an open file.
type File interface {
	io.Writer
	io.ReaderAt
	Stat() (fs.FileInfo, error)
	Sync() error
	Close() error
}
