package faultfs

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"sync"
	"time"

	"github.com/toolclip/toolclip/internal/dirfs"
)

// Disk is a folder in memory that knows what would survive a loss of power: the
// bytes that a file had at its last Sync, and the names that a folder had at its.
type Disk struct {
	mu   sync.Mutex
	dirs map[string]*folder
}

type folder struct{ now, synced map[string]*inode }

type inode struct {
	now, synced []byte
	locked      bool
}

// NewDisk returns an empty Disk.
func NewDisk() *Disk { return &Disk{dirs: map[string]*folder{".": newFolder()}} }

func newFolder() *folder { return &folder{map[string]*inode{}, map[string]*inode{}} }

// Crash returns the Disk as it may be after a loss of power: each change that was
// not synced is there with the probability keep, on its own, whatever came before
// or after it. Unsynced bytes of a file are there in part.
func (d *Disk) Crash(rnd *rand.Rand, keep float64) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := &Disk{dirs: map[string]*folder{}}
	moved := map[*inode]*inode{}
	for name, f := range d.dirs {
		g := newFolder()
		for _, base := range union(f.now, f.synced) {
			n := f.synced[base]
			if f.now[base] != n && rnd.Float64() < keep {
				n = f.now[base]
			}
			if n != nil {
				g.now[base] = crashed(n, moved, rnd, keep)
			}
		}
		g.synced = maps.Clone(g.now)
		after.dirs[name] = g
	}
	return after
}

func union(a, b map[string]*inode) []string {
	both := maps.Clone(a)
	maps.Copy(both, b)
	var names []string
	for n := range both {
		names = append(names, n)
	}
	return names
}

// crashed is what is left of n, the same for each of its names.
func crashed(n *inode, moved map[*inode]*inode, rnd *rand.Rand, keep float64) *inode {
	if m, ok := moved[n]; ok {
		return m
	}
	b := append([]byte(nil), n.synced...)
	if lost := len(n.now) - len(b); lost > 0 && rnd.Float64() < keep {
		b = append(b, n.now[len(b):len(b)+rnd.IntN(lost+1)]...)
		if torn := len(b) - len(n.synced); torn > 0 && rnd.Float64() < 0.5 {
			clear(b[len(n.synced)+rnd.IntN(torn):]) // a block that was allocated and not written
		}
	}
	moved[n] = &inode{now: b, synced: append([]byte(nil), b...)}
	return moved[n]
}

func (d *Disk) in(name string) (*folder, string, error) {
	dir, base := path.Split(name)
	f, ok := d.dirs[path.Clean(dir)]
	if !ok {
		return nil, "", fs.ErrNotExist
	}
	return f, base, nil
}

// Mkdir implements dirfs.FS, as do the methods after it. Folders are durable at
// once: a store makes its own before it keeps anything.
func (d *Disk) Mkdir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.dirs[name]; ok {
		return fs.ErrExist
	}
	d.dirs[name] = newFolder()
	return nil
}

func (d *Disk) Create(name string) (dirfs.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f, base, err := d.in(name)
	if err != nil {
		return nil, err
	}
	if _, ok := f.now[base]; ok {
		return nil, fs.ErrExist
	}
	n := &inode{locked: true}
	f.now[base] = n
	return &diskFile{d: d, n: n, lock: true}, nil
}

func (d *Disk) Open(name string) (dirfs.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return nil, err
	}
	return &diskFile{d: d, n: n}, nil
}

func (d *Disk) find(name string) (*inode, error) {
	f, base, err := d.in(name)
	if err != nil {
		return nil, err
	}
	n, ok := f.now[base]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return n, nil
}

func (d *Disk) Link(old, new string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(old)
	if err != nil {
		return err
	}
	f, base, err := d.in(new)
	if err != nil {
		return err
	}
	if _, ok := f.now[base]; ok {
		return fs.ErrExist
	}
	f.now[base] = n
	return nil
}

func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.find(name); err != nil {
		return err
	}
	f, base, _ := d.in(name)
	delete(f.now, base)
	return nil
}

func (d *Disk) Sync(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	f, ok := d.dirs[dir]
	if !ok {
		return fs.ErrNotExist
	}
	f.synced = maps.Clone(f.now)
	return nil
}

func (d *Disk) List(dir string, each func(string) bool) error {
	d.mu.Lock()
	f, ok := d.dirs[dir]
	var names []string
	if ok {
		names = union(f.now, nil)
	}
	d.mu.Unlock()
	if !ok {
		return fs.ErrNotExist
	}
	for _, n := range names {
		if !each(n) {
			break
		}
	}
	return nil
}

func (d *Disk) Abandoned(name string) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return false, err
	}
	return !n.locked, nil
}

func (d *Disk) Close() error { return nil }

type diskFile struct {
	d    *Disk
	n    *inode
	lock bool
}

func (f *diskFile) Write(p []byte) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.n.now = append(f.n.now, p...)
	return len(p), nil
}

func (f *diskFile) ReadAt(p []byte, off int64) (int, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if off < 0 {
		return 0, fmt.Errorf("offset %d", off)
	}
	n := 0
	if off < int64(len(f.n.now)) {
		n = copy(p, f.n.now[off:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *diskFile) Sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.n.synced = append([]byte(nil), f.n.now...)
	return nil
}

func (f *diskFile) Close() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.lock {
		f.n.locked = false
	}
	return nil
}

func (f *diskFile) Stat() (fs.FileInfo, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	return diskInfo(len(f.n.now)), nil
}

// diskInfo is the size of a file.
type diskInfo int

func (i diskInfo) Name() string     { return "" }
func (i diskInfo) Size() int64      { return int64(i) }
func (diskInfo) Mode() fs.FileMode  { return 0o600 }
func (diskInfo) ModTime() time.Time { return time.Time{} }
func (diskInfo) IsDir() bool        { return false }
func (diskInfo) Sys() any           { return nil }
