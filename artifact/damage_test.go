package artifact_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
)

var testCtx = context.Background()

// readDamaged opens and reads an artifact whose file was changed. It returns an
// error unless every answer is ErrCorrupt or the bytes that were saved.
func readDamaged(d artifact.Store, i artifact.Info, data []byte) (damaged bool, err error) {
	r, err := d.Open(testCtx, artifact.Scope{}, i.Handle)
	if err != nil {
		return true, wantCorrupt(err)
	}
	defer r.Close()
	if r.Info() != i {
		return true, fmt.Errorf("Info is now %+v", r.Info())
	}
	got, err := io.ReadAll(io.NewSectionReader(r, 0, i.Size))
	if !bytes.Equal(got, data[:len(got)]) {
		return true, errors.New("other bytes")
	}
	if err == nil && len(got) < len(data) {
		return true, errors.New("the end is missing without an error")
	}
	return err != nil, wantCorrupt(err)
}

func wantCorrupt(err error) error {
	if err == nil || errors.Is(err, artifact.ErrCorrupt) {
		return nil
	}
	return fmt.Errorf("want ErrCorrupt, got %w", err)
}

// TestEveryBitOfAFileIsGuarded flips each bit of the file of a small artifact:
// content, manifest and trailer.
func TestEveryBitOfAFileIsGuarded(t *testing.T) {
	data := []byte("first line\nsecond line\n")
	d, i, path := planted(t, data)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for bit := range len(whole) * 8 {
		b := append([]byte(nil), whole...)
		b[bit/8] ^= 1 << (bit % 8)
		require.NoError(t, os.WriteFile(path, b, 0o600))
		damaged, err := readDamaged(d, i, data)
		require.NoError(t, err, "bit %d", bit)
		require.True(t, damaged, "bit %d of %d makes no difference", bit, len(whole)*8)
	}
}

// TestFlippedBitInALargeFile flips bits in the data, the index page, the manifest
// and the trailer. In the data one block is lost and no other.
func TestFlippedBitInALargeFile(t *testing.T) {
	const size = group + 3*block + 5
	data := noise(size)
	d, i, path := planted(t, data)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	page := int(artifact.Physical(group)) - 10 // the end of the first index page
	for _, off := range []int{0, group - 1, group, page, page + 10, page + 10 + 3*block, len(whole) - 200, len(whole) - 1} {
		require.NoError(t, flip(path, int64(off)))
		damaged, err := readDamaged(d, i, data)
		require.NoError(t, err, "byte %d", off)
		require.True(t, damaged, "byte %d of %d makes no difference", off, len(whole))
		require.NoError(t, flip(path, int64(off)))
	}
	at := int64(group + block + 100)
	require.NoError(t, flip(path, artifact.Physical(at)))
	r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
	require.NoError(t, err)
	defer r.Close()
	for off := int64(0); off < size; off += block {
		p := make([]byte, min(block, size-off))
		n, err := r.ReadAt(p, off)
		if off != group+block {
			require.NoError(t, err)
			require.True(t, bytes.Equal(data[off:off+int64(len(p))], p))
			continue
		}
		var e *artifact.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, off, e.Offset)
		require.Equal(t, i.Handle, e.Handle)
		require.Zero(t, n)
		require.Equal(t, make([]byte, len(p)), p, "no unverified byte leaves")
	}
	require.EqualError(t, firstErr(r.ReadAt(make([]byte, 1), at)), "artifact: corrupt: block at byte 16842752")
}

// TestPageIntoADamagedBlock: what lies in the block before is read, what lies in
// the damaged one is not, now or from what a Reader remembers.
func TestPageIntoADamagedBlock(t *testing.T) {
	data := noise(3*block + 5)
	d, i, path := planted(t, data)
	require.NoError(t, flip(path, 2*block+1000))
	r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
	require.NoError(t, err)
	defer r.Close()
	for range 2 {
		p := make([]byte, 100)
		n, err := r.ReadAt(p, 2*block-50)
		var e *artifact.Error
		require.ErrorAs(t, err, &e)
		require.EqualValues(t, 2*block, e.Offset)
		require.Equal(t, 50, n)
		require.Equal(t, append(bytes.Clone(data[2*block-50:2*block]), make([]byte, 50)...), p)
		n, err = r.ReadAt(p, 2*block+990)
		require.ErrorIs(t, err, artifact.ErrCorrupt)
		require.Zero(t, n)
		require.Equal(t, make([]byte, 100), p)
		_, err = r.ReadAt(p, 3*block-1)
		require.ErrorIs(t, err, artifact.ErrCorrupt)
		_, err = r.ReadAt(p[:5], 3*block)
		require.NoError(t, err)
		require.Equal(t, data[3*block:], p[:5])
	}
}

// TestEveryBitOfAnIndexIsGuarded: with a damaged page nothing is read from its
// group, and no line is said to be where it is not.
func TestEveryBitOfAnIndexIsGuarded(t *testing.T) {
	data := noise(2*block + 5)
	d, i, path := planted(t, data)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for bit := range 3 * 44 * 8 {
		b := bytes.Clone(whole)
		b[len(data)+bit/8] ^= 1 << (bit % 8)
		require.NoError(t, os.WriteFile(path, b, 0o600))
		damaged, err := readDamaged(d, i, data)
		require.NoError(t, err, "bit %d", bit)
		require.True(t, damaged, "bit %d makes no difference", bit)
		r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
		require.NoError(t, err)
		at, off := r.(artifact.LineIndexer).LineBefore(i.Lines)
		require.Zero(t, at+off, "bit %d", bit)
		require.NoError(t, r.Close())
	}
}

func firstErr(_ int, err error) error { return err }

// TestTruncatedAndExtendedFiles: every length but the right one is noticed, also
// under an open Reader.
func TestTruncatedAndExtendedFiles(t *testing.T) {
	data := []byte("a short artifact")
	d, i, path := planted(t, data)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for n := range len(whole) + 40 {
		b := append(append([]byte(nil), whole...), make([]byte, 40)...)[:n]
		require.NoError(t, os.WriteFile(path, b, 0o600))
		damaged, err := readDamaged(d, i, data)
		require.NoError(t, err, "%d bytes", n)
		require.Equal(t, n != len(whole), damaged, "%d bytes", n)
	}
	large := noise(3 * block)
	d, i, path = planted(t, large)
	r, err := d.Open(t.Context(), artifact.Scope{}, i.Handle)
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, os.Truncate(path, block+10))
	p := make([]byte, len(large))
	n, err := r.ReadAt(p, 0)
	require.ErrorIs(t, err, artifact.ErrCorrupt)
	require.True(t, bytes.Equal(large[:n], p[:n]))
	require.Equal(t, make([]byte, len(large)-n), p[n:])
}

// TestSwappedFilesAreNoticed: each file knows its name.
func TestSwappedFilesAreNoticed(t *testing.T) {
	d, i, path := planted(t, []byte("one"))
	j := save(t, d, artifact.Draft{}, []byte("two"))
	other := filepath.Join(filepath.Dir(path), artifact.BlobName(artifact.Scope{}, j.Handle))
	require.NoError(t, os.Rename(path, path+"2"))
	require.NoError(t, os.Rename(other, path))
	require.NoError(t, os.Rename(path+"2", other))
	for _, h := range []artifact.Handle{i.Handle, j.Handle} {
		_, err := d.Open(t.Context(), artifact.Scope{}, h)
		require.ErrorIs(t, err, artifact.ErrCorrupt)
		require.ErrorContains(t, err, "another artifact's")
	}
	gone, late := save(t, d, artifact.Draft{}, nil), save(t, d, artifact.Draft{}, nil)
	require.NoError(t, d.Delete(t.Context(), artifact.Scope{}, gone.Handle))
	require.NoError(t, d.Delete(t.Context(), artifact.Scope{}, late.Handle))
	tombs := filepath.Join(filepath.Dir(filepath.Dir(path)), "d")
	require.NoError(t, os.Rename(filepath.Join(tombs, artifact.BlobName(artifact.Scope{}, gone.Handle)), filepath.Join(tombs, artifact.BlobName(artifact.Scope{}, late.Handle))))
	_, err := d.Open(t.Context(), artifact.Scope{}, late.Handle)
	require.ErrorIs(t, err, artifact.ErrCorrupt)
	require.ErrorContains(t, err, "another's")
}

// TestEveryBitOfATombstoneIsGuarded: a damaged tombstone is said to be damaged;
// it neither lies nor brings back what was deleted.
func TestEveryBitOfATombstoneIsGuarded(t *testing.T) {
	d, i, path := planted(t, []byte("x"))
	blob, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, d.Delete(t.Context(), artifact.Scope{}, i.Handle))
	require.NoError(t, os.WriteFile(path, blob, 0o600)) // as if Delete had died in between
	tomb := filepath.Join(filepath.Dir(filepath.Dir(path)), "d", filepath.Base(path))
	whole, err := os.ReadFile(tomb)
	require.NoError(t, err)
	_, err = d.Stat(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrDeleted)
	for bit := range len(whole) * 8 {
		b := append([]byte(nil), whole...)
		b[bit/8] ^= 1 << (bit % 8)
		require.NoError(t, os.WriteFile(tomb, b, 0o600))
		_, err := d.Stat(t.Context(), artifact.Scope{}, i.Handle)
		require.ErrorIs(t, err, artifact.ErrCorrupt, "bit %d", bit)
	}
}

// TestDamagedSecretStopsOnlyKeys: everything else goes on.
func TestDamagedSecretStopsOnlyKeys(t *testing.T) {
	d, i, path := planted(t, []byte("x"))
	save(t, d, artifact.Draft{IdempotencyKey: "k"}, nil)
	dir := filepath.Dir(filepath.Dir(path))
	require.NoError(t, flip(filepath.Join(dir, "s", "idempotency"), 3))
	d, err := artifact.OpenDir(dir, nil) // the next process
	require.NoError(t, err)
	defer d.Close()
	_, err = d.Create(t.Context(), artifact.Draft{IdempotencyKey: "k"})
	require.ErrorIs(t, err, artifact.ErrCorrupt)
	readAll(t, d, artifact.Scope{}, i.Handle)
	save(t, d, artifact.Draft{}, nil)
}

// TestDamagedArtifactsAreKept: a sweep can't know when they expire, so it leaves
// them, counts them, and their owner can delete them.
func TestDamagedArtifactsAreKept(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	o := &artifact.Options{Now: c.now, TTL: time.Hour, Grace: -1, SweepEvery: -1}
	d, err := artifact.OpenDir(dir, o)
	require.NoError(t, err)
	defer d.Close()
	i := save(t, d, artifact.Draft{}, []byte("x"))
	require.NoError(t, flip(filepath.Join(dir, "a", artifact.BlobName(artifact.Scope{}, i.Handle)), 40))
	c.advance(time.Hour)
	other, err := artifact.OpenDir(dir, o) // to which the damage is news
	require.NoError(t, err)
	defer other.Close()
	for _, d := range []*artifact.Dir{d, other, d} {
		s, err := d.Sweep(t.Context())
		require.NoError(t, err)
		require.Equal(t, artifact.Swept{Damaged: 1}, s)
		_, err = d.Stat(t.Context(), artifact.Scope{}, i.Handle)
		require.ErrorIs(t, err, artifact.ErrCorrupt)
	}
	require.NoError(t, d.Delete(t.Context(), artifact.Scope{}, i.Handle))
	s, err := other.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, artifact.Swept{}, s)
}
