package artifact_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/internal/faultfs"
)

// list is a JSON array of strings of the given lengths, and where they begin.
func list(lengths []int) (text []byte, all []artifact.ItemStart) {
	text = []byte("[ ")
	for i, n := range lengths {
		if i > 0 {
			text = append(text, ",\n"...)
		}
		all = append(all, artifact.ItemStart{Item: int64(i), Offset: int64(len(text))})
		text = append(text, '"')
		text = append(text, strings.Repeat("x", n)...)
		text = append(text, '"')
	}
	return append(text, " ]\n"...), all
}

// saveItems saves data with what is known of its items.
func saveItems(t testing.TB, s artifact.Store, d artifact.Draft, data []byte, x artifact.Items) artifact.Info {
	t.Helper()
	w, err := s.Create(context.Background(), d)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.(artifact.ItemMarker).MarkItems(x))
	i, err := w.Commit(context.Background())
	require.NoError(t, err)
	return i
}

// indexed opens an artifact for its items.
func indexed(t testing.TB, s artifact.Store, h artifact.Handle) artifact.ItemIndexer {
	t.Helper()
	r, err := s.Open(context.Background(), artifact.Scope{}, h)
	require.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	return r.(artifact.ItemIndexer)
}

// TestItemsAreFound: the nearest that was marked, never a wrong place, and near
// if the first one of each block was marked.
func TestItemsAreFound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lengths := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 100, 9000, block - 4, block, 200_000}), 0, 60).Draw(rt, "lengths")
		text, all := list(lengths)
		marks, thin := all, rapid.Bool().Draw(rt, "thin")
		if thin && len(all) > 0 { // as a scanner that can't know all would
			marks = all[:1:1]
			for _, s := range all[1:] {
				if rapid.Bool().Draw(rt, "marked") {
					marks = append(marks, s)
				}
			}
		}
		given := append([]artifact.ItemStart(nil), marks...)
		s := artifact.NewMemory(nil)
		i := saveItems(t, s, artifact.Draft{}, text, artifact.Items{Pointer: "/a~1b", Total: int64(len(all)), Starts: marks})
		require.Equal(rt, given, marks, "they stay the caller's")
		x := indexed(t, s, i.Handle)
		pointer, total, ok := x.Items()
		require.True(rt, ok)
		require.Equal(rt, "/a~1b", pointer)
		require.EqualValues(rt, len(all), total)
		for want := int64(-1); want <= total; want++ {
			at, off, ok := x.ItemBefore(want)
			require.Equal(rt, total > 0, ok)
			if !ok {
				continue
			}
			item := min(max(0, want), total-1)
			require.LessOrEqual(rt, at, item)
			require.Contains(rt, marks, artifact.ItemStart{Item: at, Offset: off})
			if !thin {
				require.Less(rt, all[item].Offset-off, int64(block))
			}
		}
	})
}

// TestItemsOfManyPages has an index of more than one page.
func TestItemsOfManyPages(t *testing.T) {
	const each, n = 40_000, 2100
	each1, starts := bytes.Repeat([]byte("x"), each), []artifact.ItemStart(nil)
	dir := fastDir(t)
	d, err := artifact.OpenDir(dir, &artifact.Options{Unsynced: true})
	require.NoError(t, err)
	defer d.Close()
	w, err := d.Create(t.Context(), artifact.Draft{})
	require.NoError(t, err)
	for i := range int64(n) {
		_, err := w.Write(each1)
		require.NoError(t, err)
		starts = append(starts, artifact.ItemStart{Item: 10 * i, Offset: each * i})
	}
	require.NoError(t, w.(artifact.ItemMarker).MarkItems(artifact.Items{Total: 10 * n, Starts: starts}))
	clear(starts) // they were copied
	i, err := w.Commit(t.Context())
	require.NoError(t, err)
	d, err = artifact.OpenDir(dir, nil) // the next process
	require.NoError(t, err)
	defer d.Close()
	x := indexed(t, d, i.Handle)
	for _, item := range []int64{math.MinInt64, 0, 9, 10, 16760, 16770, 16799, 16800, 20_989, 20_990, 20_999, 21_000, math.MaxInt64, 5, 20_995} {
		at, off, ok := x.ItemBefore(item)
		require.True(t, ok)
		item = min(max(0, item), 10*n-1)
		require.Equal(t, at/10*each, off)
		require.LessOrEqual(t, at, item)
		require.Less(t, item/10*each-off, int64(block), "item %d", item)
	}
}

// TestItemsThatCantBe are refused with what is wrong, nothing is recorded, and
// the artifact is saved all the same.
func TestItemsThatCantBe(t *testing.T) {
	text, all := list([]int{3, 3, 3})
	size := int64(len(text))
	for want, x := range map[string]artifact.Items{
		"artifact: Total is -1 items, the artifact has 24 bytes":                                                                                {Total: -1},
		"artifact: Total is 25 items, the artifact has 24 bytes":                                                                                {Total: size + 1, Starts: all},
		"artifact: Total is 0, and there are 3 Starts":                                                                                          {Starts: all},
		"artifact: Total is 3, and the first of the Starts is not item 0":                                                                       {Total: 3, Starts: all[1:]},
		"artifact: Total is 2, and the first of the Starts is not item 0":                                                                       {Total: 2},
		"artifact: Starts[0] is at byte -1":                                                                                                     {Total: 1, Starts: []artifact.ItemStart{{Item: 0, Offset: -1}}},
		"artifact: Starts[2], item 1 at byte 16, can't follow item 1 at byte 9: items ascend and have at least one byte each":                   {Total: 3, Starts: []artifact.ItemStart{all[0], all[1], {Item: 1, Offset: 16}}},
		"artifact: Starts[1], item 1 at byte 2, can't follow item 0 at byte 2: items ascend and have at least one byte each":                    {Total: 3, Starts: []artifact.ItemStart{all[0], {Item: 1, Offset: 2}}},
		"artifact: Starts[1], item 9 at byte 9, can't follow item 0 at byte 2: items ascend and have at least one byte each":                    {Total: 12, Starts: []artifact.ItemStart{all[0], {Item: 9, Offset: 9}}},
		"artifact: Starts[1], item 1 at byte -9223372036854775808, can't follow item 0 at byte 2: items ascend and have at least one byte each": {Total: 3, Starts: []artifact.ItemStart{all[0], {Item: 1, Offset: math.MinInt64}, {Item: 2, Offset: -5}}},
		"artifact: item 1 of 1 can't begin at byte 9 of 24":                                                                                     {Total: 1, Starts: all[:2]},
		"artifact: item 0 of 2 can't begin at byte 23 of 24":                                                                                    {Total: 2, Starts: []artifact.ItemStart{{Item: 0, Offset: 23}}},
		"artifact: item 0 of 1 can't begin at byte 24 of 24":                                                                                    {Total: 1, Starts: []artifact.ItemStart{{Item: 0, Offset: 24}}},
		"artifact: the items' Pointer has 65537 bytes, at most 65536 are kept":                                                                  {Pointer: strings.Repeat("/", 64<<10+1)},
	} {
		s := artifact.NewMemory(nil)
		for _, key := range []string{"", "k", "k"} { // the last one is a retry
			w, err := s.Create(t.Context(), artifact.Draft{IdempotencyKey: key})
			require.NoError(t, err)
			_, err = w.Write(text)
			require.NoError(t, err)
			m := w.(artifact.ItemMarker)
			require.NoError(t, m.MarkItems(artifact.Items{Total: 3, Starts: all}))
			require.EqualError(t, m.MarkItems(x), want)
			i, err := w.Commit(t.Context())
			require.NoError(t, err)
			_, _, ok := indexed(t, s, i.Handle).Items()
			require.False(t, ok)
			_, _, ok = indexed(t, s, i.Handle).ItemBefore(0)
			require.False(t, ok)
		}
	}
}

// TestItemsAfterTheEnd: a Writer that has ended says so.
func TestItemsAfterTheEnd(t *testing.T) {
	s := artifact.NewMemory(nil)
	for _, key := range []string{"", "k", "k"} {
		w, err := s.Create(t.Context(), artifact.Draft{IdempotencyKey: key})
		require.NoError(t, err)
		i, err := w.Commit(t.Context())
		require.NoError(t, err)
		require.ErrorContains(t, w.(artifact.ItemMarker).MarkItems(artifact.Items{}), "was committed")
		_, _, ok := indexed(t, s, i.Handle).Items()
		require.False(t, ok)
		w, err = s.Create(t.Context(), artifact.Draft{})
		require.NoError(t, err)
		require.NoError(t, w.Abort())
		require.ErrorContains(t, w.(artifact.ItemMarker).MarkItems(artifact.Items{}), "was aborted")
	}
}

// TestItemsOfARetry: the artifact stays as its first Writer made it.
func TestItemsOfARetry(t *testing.T) {
	text, all := list([]int{1, 2})
	for _, late := range []bool{false, true} { // the second one begins before the first has ended, or after
		s := artifact.NewMemory(nil)
		w, err := s.Create(t.Context(), artifact.Draft{IdempotencyKey: "k"})
		require.NoError(t, err)
		if !late {
			saveItems(t, s, artifact.Draft{IdempotencyKey: "k"}, text, artifact.Items{Pointer: "/first", Total: 2, Starts: all})
		}
		_, err = w.Write(text)
		require.NoError(t, err)
		if late {
			saveItems(t, s, artifact.Draft{IdempotencyKey: "k"}, text, artifact.Items{Pointer: "/first", Total: 2, Starts: all})
		}
		require.NoError(t, w.(artifact.ItemMarker).MarkItems(artifact.Items{}))
		i, err := w.Commit(t.Context())
		require.NoError(t, err)
		pointer, total, ok := indexed(t, s, i.Handle).Items()
		require.True(t, ok)
		require.Equal(t, "/first", pointer)
		require.EqualValues(t, 2, total)
	}
}

// TestEveryBitOfTheItemsIsGuarded: a damaged page of items gives no answer, and
// takes nothing else with it.
func TestEveryBitOfTheItemsIsGuarded(t *testing.T) {
	d, _, path := planted(t, nil)
	text, all := list([]int{70_000, 70_000, 70_000})
	i := saveItems(t, d, artifact.Draft{}, text, artifact.Items{Total: 3, Starts: all})
	path = strings.Replace(path, path[strings.LastIndex(path, "/")+1:], artifact.BlobName(artifact.Scope{}, i.Handle), 1)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	at := len(text) + 4*44 // after the index page
	for bit := range 3 * 16 * 8 {
		b := bytes.Clone(whole)
		b[at+bit/8] ^= 1 << (bit % 8)
		require.NoError(t, os.WriteFile(path, b, 0o600))
		x := indexed(t, d, i.Handle)
		_, _, ok := x.ItemBefore(1)
		require.False(t, ok, "bit %d", bit)
		_, total, ok := x.Items()
		require.True(t, ok)
		require.EqualValues(t, 3, total)
		require.Equal(t, text, readAll(t, d, artifact.Scope{}, i.Handle))
		require.NoError(t, os.WriteFile(path, whole, 0o600))
		got, off, ok := x.ItemBefore(1)
		require.True(t, ok, "what was damaged is not remembered")
		require.Equal(t, all[1], artifact.ItemStart{Item: got, Offset: off})
	}
	require.NoError(t, os.Truncate(path, int64(at+16)))
	_, err = d.Open(t.Context(), artifact.Scope{}, i.Handle)
	require.ErrorIs(t, err, artifact.ErrCorrupt)
}

// TestItemsWhenTheDiskFails: there is no answer now, and one later.
func TestItemsWhenTheDiskFails(t *testing.T) {
	var broken error
	d, err := artifact.OpenDirFS(&faultfs.FS{FS: faultfs.NewDisk(), Before: func(s faultfs.Step) error {
		if s.Op == "read" {
			return broken
		}
		return nil
	}}, nil)
	require.NoError(t, err)
	text, all := list([]int{1, 2, 3})
	i := saveItems(t, d, artifact.Draft{}, text, artifact.Items{Total: 3, Starts: all})
	ctx, cancel := context.WithCancel(t.Context())
	r, err := d.Open(ctx, artifact.Scope{}, i.Handle)
	require.NoError(t, err)
	x := r.(artifact.ItemIndexer)
	broken = syscall.EIO
	_, _, ok := x.ItemBefore(2)
	require.False(t, ok)
	broken = nil
	at, off, ok := x.ItemBefore(2)
	require.True(t, ok)
	require.Equal(t, all[0], artifact.ItemStart{Item: at, Offset: off}, "the first one of the block is indexed")
	cancel()
	_, _, ok = x.ItemBefore(2)
	require.False(t, ok, "its context is done")
	x = indexed(t, d, i.Handle)
	require.NoError(t, x.(artifact.Reader).Close())
	_, _, ok = x.ItemBefore(2)
	require.False(t, ok, "it is closed")
}
