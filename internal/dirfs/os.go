package dirfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// ErrNotRegular is what is not a plain file of ours.
var ErrNotRegular = errors.New("not a regular file")

// Open opens the folder at path, which it makes first if need be, durably and
// for its owner alone.
func Open(path string) (FS, error) {
	if err := makeAll(path); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &osFS{root: root, dirs: map[string]*os.Root{}}, nil
}

// makeAll makes path and syncs each folder in which it made one.
func makeAll(path string) error {
	_, err := os.Stat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(filepath.Clean(path))
	if err := makeAll(parent); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	d, err := os.Open(parent)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(d), d.Close())
}

// osFS is a folder of the operating system. Everything goes through roots that
// were opened once: renaming the folder changes nothing, and no link leads out.
type osFS struct {
	root *os.Root

	mu   sync.Mutex
	dirs map[string]*os.Root
}

// in returns the root of name's folder and the rest of name. A folder is opened
// once, so that each call costs one look-up.
func (f *osFS) in(name string) (*os.Root, string, error) {
	dir, base := path.Split(name)
	if dir == "" {
		return f.root, base, nil
	}
	r, err := f.dir(strings.TrimSuffix(dir, "/"))
	return r, base, err
}

func (f *osFS) dir(name string) (*os.Root, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r, ok := f.dirs[name]; ok {
		return r, nil
	}
	info, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := private(name, info); err != nil {
		return nil, err
	}
	r, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	f.dirs[name] = r
	return r, nil
}

// Mkdir also opens the folder, so that it is this one that is used from now on.
func (f *osFS) Mkdir(name string) error {
	err := f.root.Mkdir(name, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, derr := f.dir(name); derr != nil {
		return derr
	}
	return err
}

func (f *osFS) Create(name string) (File, error) {
	r, base, err := f.in(name)
	if err != nil {
		return nil, err
	}
	file, err := r.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(file); err != nil {
		return nil, errors.Join(err, file.Close(), r.Remove(base))
	}
	return file, nil
}

func (f *osFS) Open(name string) (File, error) {
	r, base, err := f.in(name)
	if err != nil {
		return nil, err
	}
	seen, err := r.Lstat(base)
	if err != nil {
		return nil, err
	}
	if !seen.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %q is a %s", ErrNotRegular, name, seen.Mode().Type())
	}
	file, err := r.OpenFile(base, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(seen, opened) {
		err = fmt.Errorf("%w: %q was replaced while it was opened", ErrNotRegular, name)
	}
	if err == nil && links(opened) > 1 && !f.ours(opened) {
		err = f.relinked(r, base, name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Temp is the folder of files that are not finished. A finished one is linked
// elsewhere and then removed here; in between it has two names.
const Temp = "tmp"

// ours reports whether the second name of a file is one in Temp.
func (f *osFS) ours(info fs.FileInfo) bool {
	if links(info) != 2 {
		return false
	}
	r, err := f.dir(Temp)
	if err != nil {
		return false
	}
	found := false
	_ = f.List(Temp, func(name string) bool {
		other, err := r.Lstat(name)
		found = err == nil && os.SameFile(info, other)
		return !found
	})
	return found
}

// relinked looks again at a file that had a second name which is not in Temp:
// it may just have been removed there.
func (f *osFS) relinked(r *os.Root, base, name string) error {
	info, err := r.Lstat(base)
	if err == nil && links(info) > 1 {
		err = fmt.Errorf("%w: %q is linked from elsewhere", ErrNotRegular, name)
	}
	return err
}

func (f *osFS) Link(old, new string) error { return f.root.Link(old, new) }

func (f *osFS) Remove(name string) error {
	r, base, err := f.in(name)
	if err != nil {
		return err
	}
	return r.Remove(base)
}

func (f *osFS) Sync(dir string) error {
	d, err := f.open(dir)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(d), d.Close())
}

func (f *osFS) open(dir string) (*os.File, error) {
	if dir == "." {
		return f.root.Open(".")
	}
	r, err := f.dir(dir)
	if err != nil {
		return nil, err
	}
	return r.Open(".")
}

// listBatch is how many names are read at once.
const listBatch = 512

func (f *osFS) List(dir string, each func(string) bool) (err error) {
	d, err := f.open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for {
		names, err := d.Readdirnames(listBatch)
		for _, n := range names {
			if !each(n) {
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// settleTime is how long a file has to get its lock after it was made.
const settleTime = time.Minute

// Abandoned tries the lock that Create took. A file that was made a moment ago,
// by the clock of the file system, may still be without.
func (f *osFS) Abandoned(name string) (bool, error) {
	r, base, err := f.in(name)
	if err != nil {
		return false, err
	}
	info, err := r.Lstat(base)
	if err != nil {
		return false, err
	}
	if age := time.Since(info.ModTime()); age >= 0 && age < settleTime {
		return false, nil
	}
	if !info.Mode().IsRegular() {
		return true, nil
	}
	file, err := r.OpenFile(base, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return false, err
	}
	free, err := tryLock(file)
	return free, errors.Join(err, file.Close())
}

func (f *osFS) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	errs := []error{f.root.Close()}
	for _, r := range f.dirs {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}
