package dirfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
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
	top, err := opened(root)
	if err != nil {
		return nil, err
	}
	return &osFS{root: root, dirs: map[string]*folder{".": top}}, nil
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
	dirs map[string]*folder
}

// folder is a folder that was opened. What its name leads to later may be another.
type folder struct {
	*os.Root
	self *os.File // to sync it
	info fs.FileInfo
}

// opened is r as a folder; it closes r if that fails.
func opened(r *os.Root) (*folder, error) {
	self, err := r.Open(".")
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	d := &folder{Root: r, self: self}
	if d.info, err = self.Stat(); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *folder) close() error { return errors.Join(d.Root.Close(), d.self.Close()) }

// in returns name's folder and the rest of name.
func (f *osFS) in(name string) (*folder, string, error) {
	d, err := f.dir(path.Dir(name))
	return d, path.Base(name), err
}

// dir returns the folder with this name. It is opened once, so that each call costs
// one look-up, and a sync none.
func (f *osFS) dir(name string) (*folder, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d, ok := f.dirs[name]; ok {
		return d, nil
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
	d, err := opened(r)
	if err != nil {
		return nil, err
	}
	f.dirs[name] = d
	return d, nil
}

// check is an error if the name of a folder no longer leads to the one that was opened.
func (f *osFS) check(name string) error {
	if name == "." {
		return nil // what was opened is it, whatever its name is now
	}
	d, err := f.dir(name)
	if err != nil {
		return err
	}
	info, err := f.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(info, d.info) {
		return fmt.Errorf("folder %q was removed or replaced while it was in use; open the store again", name)
	}
	return err
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
func (f *osFS) relinked(r *folder, base, name string) error {
	info, err := r.Lstat(base)
	if err == nil && links(info) > 1 {
		err = fmt.Errorf("%w: %q is linked from elsewhere", ErrNotRegular, name)
	}
	return err
}

// Link finds both folders by their names, as there is no other way; what it put
// into one that nobody looks into is removed again.
func (f *osFS) Link(old, new string) error {
	err := f.root.Link(old, new)
	gone := f.check(path.Dir(new))
	switch {
	case gone == nil && err == nil:
		return nil
	case gone == nil:
		gone = f.check(path.Dir(old))
	case err == nil:
		err = f.root.Remove(new)
	}
	return errors.Join(gone, err)
}

func (f *osFS) Remove(name string) error {
	r, base, err := f.in(name)
	if err != nil {
		return err
	}
	return r.Remove(base)
}

func (f *osFS) Sync(dir string) error {
	d, err := f.dir(dir)
	if err != nil {
		return err
	}
	return syncDir(d.self)
}

// listBatch is how many names are read at once.
const listBatch = 512

func (f *osFS) List(dir string, each func(string) bool) (err error) {
	kept, err := f.dir(dir)
	if err != nil {
		return err
	}
	d, err := kept.Open(".") // a place of its own to read from
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
	var errs []error
	for _, d := range f.dirs {
		errs = append(errs, d.close())
	}
	return errors.Join(errs...)
}
