package artifact_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/internal/dirfs"
	"github.com/toolclip/toolclip/internal/faultfs"
)

// BenchmarkArtifact measures a Dir beside what can't be done without. Each
// iteration does both, in turns, so that a busy machine slows down both; x-floor
// is the ratio of their median times.
//
//   - save: the floor copies to a file and hashes with the same system calls for
//     durability: fsync, link, fsync of the folder, unlink.
//   - page: the floor reads and hashes the 64 KiB blocks that a page touches.
//   - line, item: opens a large artifact, finds a line or an item and reads it;
//     read-B/op is what was read from the disk for it.
//   - open: Open, one byte, Close.
func BenchmarkArtifact(b *testing.B) {
	for _, size := range []int{4 << 10, 1 << 20, 64 << 20} {
		b.Run("save/"+strconv.Itoa(size>>10)+"KiB", func(b *testing.B) { benchSave(b, size) })
	}
	for _, size := range []int{4 << 10, 16 << 10, 64 << 10, 1 << 20} {
		b.Run("page/"+strconv.Itoa(size>>10)+"KiB", func(b *testing.B) { benchPage(b, size) })
	}
	b.Run("line", func(b *testing.B) {
		benchFind(b, func(r artifact.Reader, n int64) (at, off int64, ok bool) {
			at, off = r.(artifact.LineIndexer).LineBefore(n)
			return at, off, true
		})
	})
	b.Run("item", func(b *testing.B) {
		benchFind(b, func(r artifact.Reader, n int64) (at, off int64, ok bool) {
			return r.(artifact.ItemIndexer).ItemBefore(n)
		})
	})
	b.Run("open", benchOpen)
}

// versus are the times of both.
type versus struct{ store, floor []time.Duration }

func timed(times *[]time.Duration, f func()) {
	start := time.Now()
	f()
	*times = append(*times, time.Since(start))
}

// run times store and floor; after cleans up after both.
func (v *versus) run(b *testing.B, store, floor, after func()) {
	for n := 0; b.Loop(); n++ {
		first, second := func() { timed(&v.store, store) }, func() { timed(&v.floor, floor) }
		if n%2 == 1 {
			first, second = second, first
		}
		first()
		second()
		after()
	}
	s, f := median(v.store), median(v.floor)
	b.ReportMetric(float64(s)/float64(f), "x-floor")
	b.ReportMetric(float64(s.Nanoseconds()), "store-ns/op")
	b.ReportMetric(float64(f.Nanoseconds()), "floor-ns/op")
	b.ReportMetric(0, "ns/op")
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func benchSave(b *testing.B, size int) {
	dir := b.TempDir()
	d, err := artifact.OpenDir(filepath.Join(dir, "store"), &artifact.Options{MaxBytes: -1, MaxCount: -1, SweepEvery: -1})
	must(b, err)
	defer d.Close()
	must(b, os.Mkdir(filepath.Join(dir, "floor"), 0o700))
	must(b, os.Mkdir(filepath.Join(dir, "tmp"), 0o700))
	data, n := noise(size), 0
	var v versus
	var last artifact.Handle
	v.run(b, func() {
		w, err := d.Create(context.Background(), artifact.Draft{})
		must(b, err)
		_, err = io.Copy(w, onlyReader{bytes.NewReader(data)})
		must(b, err)
		i, err := w.Commit(context.Background())
		must(b, err)
		last = i.Handle
	}, func() {
		n++
		floorSave(b, dir, strconv.Itoa(n), data)
	}, func() {
		os.Remove(filepath.Join(dir, "floor", strconv.Itoa(n))) // as little in one folder as in the other
		d.Delete(context.Background(), artifact.Scope{}, last)
	})
}

// floorSave is what saving can't do without.
func floorSave(b *testing.B, dir, name string, data []byte) {
	temp := filepath.Join(dir, "tmp", name)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	must(b, err)
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(f, h), onlyReader{bytes.NewReader(data)})
	must(b, err)
	h.Sum(nil)
	must(b, f.Sync())
	must(b, os.Link(temp, filepath.Join(dir, "floor", name)))
	folder, err := os.Open(filepath.Join(dir, "floor"))
	must(b, err)
	must(b, folder.Sync())
	must(b, folder.Close())
	must(b, os.Remove(temp))
	must(b, f.Close())
}

// onlyReader hides the short cuts of io.Copy: a tool's output has none.
type onlyReader struct{ io.Reader }

func must(b testing.TB, err error) {
	if err != nil {
		b.Helper()
		b.Fatal(err)
	}
}

func benchPage(b *testing.B, size int) {
	const whole = 64 << 20
	dir := b.TempDir()
	d, err := artifact.OpenDir(dir, &artifact.Options{Unsynced: true})
	must(b, err)
	defer d.Close()
	i := save(b, d, artifact.Draft{}, noise(whole))
	r, err := d.Open(context.Background(), artifact.Scope{}, i.Handle)
	must(b, err)
	defer r.Close()
	raw, err := os.Open(filepath.Join(dir, "a", artifact.BlobName(artifact.Scope{}, i.Handle)))
	must(b, err)
	defer raw.Close()
	rnd := rand.New(rand.NewPCG(1, 2))
	p, buf := make([]byte, size), make([]byte, size+2*block)
	var off int64
	var v versus
	v.run(b, func() {
		off = rnd.Int64N(whole - int64(size))
		_, err := r.ReadAt(p, off)
		must(b, err)
	}, func() {
		from, to := off/block*block, min(whole, (off+int64(size)+block-1)/block*block)
		_, err := raw.ReadAt(buf[:to-from], from)
		must(b, err)
		for at := from; at < to; at += block {
			sha256.Sum256(buf[at-from : at-from+block])
		}
		copy(p, buf[off-from:])
	}, func() {})
}

// counting counts the bytes that are read, and how often.
type counting struct {
	dirfs.FS
	read, reads *atomic.Int64
}

func (c counting) Open(name string) (dirfs.File, error) {
	f, err := c.FS.Open(name)
	return countingFile{f, c}, err
}

type countingFile struct {
	dirfs.File
	c counting
}

func (f countingFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	f.c.read.Add(int64(n))
	f.c.reads.Add(1)
	return n, err
}

// benchFind makes an artifact of 1 GiB, whose lines are its items, and reads line
// n from the last indexed one before it.
func benchFind(b *testing.B, before func(r artifact.Reader, n int64) (at, off int64, ok bool)) {
	const width = 32
	under, err := dirfs.Open(b.TempDir())
	must(b, err)
	var read, reads atomic.Int64
	d, err := artifact.OpenDirFS(counting{under, &read, &reads}, &artifact.Options{Unsynced: true})
	must(b, err)
	defer d.Close()
	w, err := d.Create(context.Background(), artifact.Draft{})
	must(b, err)
	items := artifact.Items{Total: 1 << 30 / width}
	for n := range 1 << 10 { // 1 GiB
		_, err := w.Write(bytes.Repeat(fmt.Appendf(nil, "%031d\n", n), 1<<20/width))
		must(b, err)
	}
	for off := int64(0); off < 1<<30; off += block {
		items.Starts = append(items.Starts, artifact.ItemStart{Item: off / width, Offset: off})
	}
	must(b, w.(artifact.ItemMarker).MarkItems(items))
	i, err := w.Commit(context.Background())
	must(b, err)
	rnd := rand.New(rand.NewPCG(1, 2))
	p := make([]byte, block+width)
	read.Store(0)
	for b.Loop() {
		r, err := d.Open(context.Background(), artifact.Scope{}, i.Handle)
		must(b, err)
		n := rnd.Int64N(i.Lines)
		at, off, ok := before(r, n)
		got, err := r.ReadAt(p[:min(int64(len(p)), i.Size-off)], off)
		must(b, err)
		start := (n - at) * width
		if line, want := string(p[start:min(start+width, int64(got))]), fmt.Sprintf("%031d\n", n*width>>20); !ok || line != want {
			b.Fatalf("number %d is %q, want %q", n, line, want)
		}
		must(b, r.Close())
	}
	b.ReportMetric(float64(read.Load())/float64(b.N), "read-B/op")
}

func benchOpen(b *testing.B) {
	d, err := artifact.OpenDirFS(&faultfs.FS{FS: mustFS(b)}, &artifact.Options{Unsynced: true})
	must(b, err)
	defer d.Close()
	i := save(b, d, artifact.Draft{}, noise(16<<10))
	b.ReportAllocs()
	for b.Loop() {
		r, err := d.Open(context.Background(), artifact.Scope{}, i.Handle)
		must(b, err)
		_, err = r.ReadAt(make([]byte, 1), 0)
		must(b, err)
		must(b, r.Close())
	}
}

func mustFS(b *testing.B) dirfs.FS {
	f, err := dirfs.Open(b.TempDir())
	must(b, err)
	return f
}
