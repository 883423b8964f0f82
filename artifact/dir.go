package artifact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"
	"time"

	"github.com/toolclip/toolclip/internal/dirfs"
)

// Dir is a [Store] in a folder. Several processes may use one folder at once, on
// one machine: it must be a local file system with hard links.
//
// The folder and what is in it are for its owner alone: modes 0700 and 0600.
// Nothing is encrypted.
type Dir struct{ *Keeper }

// OpenDir opens the store in the folder at path, which it makes if need be; nil
// options are the defaults. A folder in which nothing can be written now can be
// opened and read.
func OpenDir(path string, o *Options) (*Dir, error) {
	fsys, err := dirfs.Open(path)
	if err != nil {
		return nil, fmt.Errorf("artifact: opening the store: %w", err)
	}
	d, err := openDir(fsys, o)
	if err != nil {
		return nil, fmt.Errorf("artifact: opening the store in %q: %w", path, errors.Join(err, fsys.Close()))
	}
	return d, nil
}

// openDir is OpenDir on any file system.
func openDir(fsys dirfs.FS, o *Options) (*Dir, error) {
	opts := o.withDefaults()
	f := &folder{fs: fsys, unsynced: opts.Unsynced, slots: make(chan struct{}, opts.MaxOpen)}
	if err := f.prepare(); err != nil {
		return nil, err
	}
	return &Dir{New(f, &opts)}, nil
}

// folder is the Backend of a Dir: one file for each blob, named by its key.
type folder struct {
	fs       dirfs.FS
	unsynced bool
	slots    chan struct{} // one for each file that is open
}

// prepare makes the sub-folders and finds out whether files can be linked.
func (f *folder) prepare() error {
	made := false
	for _, dir := range []string{artifactPrefix, tombstonePrefix, markPrefix, secretPrefix, dirfs.Temp} {
		switch err := f.fs.Mkdir(strings.TrimSuffix(dir, "/")); {
		case err == nil:
			made = true
		case !errors.Is(err, fs.ErrExist):
			return err
		}
	}
	if made {
		if err := f.fs.Sync("."); err != nil {
			return err
		}
	}
	return f.probe()
}

// probeName begins the names of files that probe makes.
const probeName = "probe"

// probe fails if files can be made but not linked from folder to folder.
func (f *folder) probe() error {
	name := tempName(probeName)
	file, err := f.fs.Create(name)
	if err != nil {
		return nil // nothing can be written now; it can be read
	}
	to := secretPrefix + path.Base(name)
	err = f.fs.Link(name, to)
	if err == nil {
		err = f.fs.Remove(to)
	}
	if err = errors.Join(err, file.Close(), f.fs.Remove(name)); err != nil {
		return fmt.Errorf("files can't be linked, which a store needs (local disks can): %w", err)
	}
	return nil
}

// tempName is a new name for a file that will be known as base.
func tempName(base string) string {
	return dirfs.Temp + "/" + base + "." + string(NewHandle())
}

// slotWait is how long a file may wait for its turn.
const slotWait = 30 * time.Second

// acquire waits for the right to open one more file.
func (f *folder) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case f.slots <- struct{}{}:
		return nil
	default:
	}
	t := time.NewTimer(slotWait)
	defer t.Stop()
	select {
	case f.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return fmt.Errorf("%d files are open and none was closed for %v; commit or abort Writers, or raise Options.MaxOpen", cap(f.slots), slotWait)
	}
}

func (f *folder) free() { <-f.slots }

// Size implements [Backend].
func (f *folder) Size(ctx context.Context, key string) (size int64, err error) {
	err = f.with(ctx, key, func(file dirfs.File) error {
		info, err := file.Stat()
		if err == nil {
			size = info.Size()
		}
		return err
	})
	return size, err
}

// ReadAt implements [Backend].
func (f *folder) ReadAt(ctx context.Context, key string, p []byte, off int64) (n int, err error) {
	err = f.with(ctx, key, func(file dirfs.File) error {
		var err error
		n, err = file.ReadAt(p, off)
		return err
	})
	return n, err
}

// with opens the file of key for as long as do takes.
func (f *folder) with(ctx context.Context, key string, do func(dirfs.File) error) error {
	if err := f.acquire(ctx); err != nil {
		return err
	}
	defer f.free()
	file, err := f.fs.Open(key)
	if errors.Is(err, dirfs.ErrNotRegular) {
		return damaged(err)
	}
	if err != nil {
		return err
	}
	err = do(file)
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	return err
}

// List implements [Backend].
func (f *folder) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := f.acquire(ctx); err != nil {
			yield("", err)
			return
		}
		names, err := f.names(strings.TrimSuffix(prefix, "/"))
		f.free()
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				yield("", err)
				return
			}
			if !yield(prefix+name, nil) {
				return
			}
		}
		if err != nil {
			yield("", err)
		}
	}
}

func (f *folder) names(dir string) (names []string, err error) {
	err = f.fs.List(dir, func(name string) bool {
		names = append(names, name)
		return true
	})
	return names, err
}

// Delete implements [Backend].
func (f *folder) Delete(ctx context.Context, key string) error {
	if err := f.acquire(ctx); err != nil {
		return err
	}
	defer f.free()
	if err := f.fs.Remove(key); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return f.sync(key)
}

// sync makes the name of key, or its absence, durable.
func (f *folder) sync(key string) error {
	if f.unsynced {
		return nil
	}
	return f.fs.Sync(path.Dir(key))
}

// Sync implements [Syncer].
func (f *folder) Sync(ctx context.Context, key string) error {
	if err := f.acquire(ctx); err != nil {
		return err
	}
	defer f.free()
	return f.sync(key)
}

// Clean implements [Cleaner]: it removes the files of dead Writers.
func (f *folder) Clean(ctx context.Context) (cleaned int, err error) {
	if err := f.acquire(ctx); err != nil {
		return 0, err
	}
	defer f.free()
	names, err := f.leftovers()
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return cleaned, err
		}
		dead, err := f.fs.Abandoned(name)
		if err == nil && dead {
			if err = f.fs.Remove(name); err == nil {
				cleaned++
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another sweep may have been faster
			return cleaned, err
		}
	}
	return cleaned, nil
}

// leftovers are the files that a process may have left when it died.
func (f *folder) leftovers() (names []string, err error) {
	temps, err := f.names(dirfs.Temp)
	for _, n := range temps {
		names = append(names, dirfs.Temp+"/"+n)
	}
	if err != nil {
		return names, err
	}
	others, err := f.names(strings.TrimSuffix(secretPrefix, "/"))
	for _, n := range others {
		if strings.HasPrefix(n, probeName+".") {
			names = append(names, secretPrefix+n)
		}
	}
	return names, err
}

// Close implements io.Closer.
func (f *folder) Close() error { return f.fs.Close() }

// Put implements [Backend].
func (f *folder) Put(ctx context.Context, key string) (Upload, error) {
	if err := f.acquire(ctx); err != nil {
		return nil, err
	}
	temp := tempName(path.Base(key))
	file, err := f.fs.Create(temp)
	if err != nil {
		f.free()
		return nil, err
	}
	return &upload{f: f, key: key, temp: temp, file: file}, nil
}

// upload is a file in the folder of unfinished ones.
type upload struct {
	f    *folder
	key  string
	temp string
	file dirfs.File
}

func (u *upload) Write(p []byte) (int, error) {
	n, err := u.file.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

// Commit implements [Upload]. The order is the promise: the bytes are durable
// before the file gets its name, the name before Commit returns. A file whose
// sync failed is given up: a second sync would succeed and mean nothing.
func (u *upload) Commit(ctx context.Context) error {
	defer u.f.free()
	err := u.publish(ctx)
	_ = u.f.fs.Remove(u.temp) // if this fails, the next sweep does it
	if cerr := u.file.Close(); err == nil {
		err = cerr // the lock was held until now, so that no sweep took the file
	}
	return err
}

func (u *upload) publish(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !u.f.unsynced {
		if err := u.file.Sync(); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := u.f.fs.Link(u.temp, u.key)
	if err == nil || errors.Is(err, fs.ErrExist) {
		if serr := u.f.sync(u.key); serr != nil {
			return serr
		}
	}
	return err
}

// Abort implements [Upload].
func (u *upload) Abort() error {
	defer u.f.free()
	return errors.Join(u.file.Close(), u.f.fs.Remove(u.temp))
}
