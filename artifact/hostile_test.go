package artifact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The files of these tests have true hashes and were written by somebody else.

// forged is a store with one artifact: pages and then m, with a true trailer.
func forged(t *testing.T, pages []byte, m manifest) (*Keeper, Handle) {
	t.Helper()
	b, h := NewMemoryBackend(), NewHandle()
	m.scope = Scope{}.id()
	m.name = nameOf(m.scope, h)
	u, err := b.Put(t.Context(), m.name.artifact())
	require.NoError(t, err)
	_, err = u.Write(m.append(pages))
	require.NoError(t, err)
	require.NoError(t, u.Commit(t.Context()))
	return New(b, nil), h
}

// truePage is the index page of data, which is one group at most, and its pageRef.
func truePage(t *testing.T, data []byte) (page, pageRef) {
	t.Helper()
	p := pending{}
	require.NoError(t, p.index(data, true))
	p.pages[0].sum = sha256.Sum256(p.page)
	return p.page, p.pages[0]
}

// lines are 3 blocks and a half, with a line in each but the second.
func lines() []byte {
	data := bytes.Repeat([]byte("x"), 3*blockSize+blockSize/2)
	data[10], data[20], data[2*blockSize+7], data[3*blockSize] = '\n', '\n', '\n', '\n'
	return data
}

// TestForgedIndexIsRefused: an index page that can't be true is damage, whatever
// its hash. Otherwise LineBefore could lead out of the artifact.
func TestForgedIndexIsRefused(t *testing.T) {
	data := lines()
	for name, forge := range map[string]func(es []blockEntry){
		"":                                    func(es []blockEntry) {},
		"the first line is beyond its block":  func(es []blockEntry) { es[3].first = blockSize/2 + 1 },
		"a line in a block without":           func(es []blockEntry) { es[1].first = 1 },
		"no line in a block with some":        func(es []blockEntry) { es[0].first = 0 },
		"more lines than bytes after a first": func(es []blockEntry) { es[0].first = blockSize },
		"lines that descend":                  func(es []blockEntry) { es[1].lines = math.MaxInt64 },
		"negative lines":                      func(es []blockEntry) { es[2].lines = -1 },
		"lines before the first block":        func(es []blockEntry) { es[0].lines = 1 },
		"a last line that no block has":       func(es []blockEntry) { es[3].first = 0 },
		"an end that is not the hash":         func(es []blockEntry) { es[3].after[0] ^= 1 },
	} {
		pg, ref := truePage(t, data)
		var es []blockEntry
		for i := range pg.len() {
			es = append(es, pg.entry(i))
		}
		forge(es)
		pg = pg[:0]
		for _, e := range es {
			pg = e.append(pg)
		}
		ref.sum = sha256.Sum256(pg)
		m := manifest{info: Info{Size: int64(len(data)), Lines: 5, SHA256: sha256.Sum256(data)}, lfs: 4, pages: []pageRef{ref}}
		k, h := forged(t, append(bytes.Clone(data), pg...), m)
		r, err := k.Open(t.Context(), Scope{}, h)
		require.NoError(t, err)
		at, off := r.(LineIndexer).LineBefore(4)
		got := make([]byte, len(data))
		_, err = r.ReadAt(got, 0)
		if name == "" {
			require.NoError(t, err)
			require.Equal(t, data, got)
			require.Equal(t, []int64{4, 3*blockSize + 1}, []int64{at, off})
			continue
		}
		require.ErrorIs(t, err, ErrCorrupt, name)
		require.ErrorContains(t, err, "index", name)
		require.Equal(t, []int64{0, 0}, []int64{at, off}, name)
	}
}

// TestTruePagesAreBelieved: what a Writer makes of any text is never refused.
func TestTruePagesAreBelieved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		for range rapid.IntRange(1, 6).Draw(t, "runs") {
			run := rapid.SampledFrom([]string{"\n", "x", "ab\n"}).Draw(t, "text")
			n := rapid.SampledFrom([]int{1, 2, 1000, blockSize - 1, blockSize, blockSize + 1}).Draw(t, "times")
			data = append(data, strings.Repeat(run, n)...)
		}
		p := pending{}
		require.NoError(t, p.index(data, true))
		s := span{size: int64(len(data)), sum: sha256.Sum256(p.page), first: chainStart, last: sha256.Sum256(data), to: p.lfs}
		require.True(t, s.holds(p.page))
		require.EqualValues(t, bytes.Count(data, lf), p.lfs)
	})
}

// TestForgedManifestIsRefused: numbers that can't be of one artifact.
func TestForgedManifestIsRefused(t *testing.T) {
	page := func(first int64) itemPageRef { return itemPageRef{first: first} }
	for name, forge := range map[string]func(m *manifest){
		"":                          func(m *manifest) {},
		"more lines than bytes":     func(m *manifest) { m.info.Size, m.pages, m.lfs, m.info.Lines = 8, nil, 8, 9 },
		"more lines than LFs":       func(m *manifest) { m.info.Lines += 2 },
		"fewer lines than LFs":      func(m *manifest) { m.info.Lines = m.lfs - 1 },
		"bytes without a line":      func(m *manifest) { m.info.Size, m.pages, m.info.Lines, m.lfs = 8, nil, 0, 0 },
		"a line without bytes":      func(m *manifest) { m.info.Size, m.pages, m.info.Lines, m.lfs = 0, nil, 1, 0 },
		"another beginning":         func(m *manifest) { m.pages[0].before[0] ^= 1 },
		"lines before the first":    func(m *manifest) { m.pages[0].lines = 1 },
		"lines that descend":        func(m *manifest) { m.pages[1].lines, m.pages[2].lines = 5, 4 },
		"more lines than there are": func(m *manifest) { m.pages[2].lines = m.lfs + 1 },
		"lines that are negative":   func(m *manifest) { m.pages[1].lines = -1 },
		"more lines than bytes in a group": func(m *manifest) {
			m.lfs, m.info.Lines = groupSize+5, groupSize+5
			m.pages[1].lines, m.pages[2].lines = groupSize+1, groupSize+1
		},
		"no page":         func(m *manifest) { m.pages = nil },
		"a page too many": func(m *manifest) { m.pages = append(m.pages, m.pages[2]) },
		"more items than bytes": func(m *manifest) {
			m.items = &itemIndex{total: m.info.Size + 1, starts: 1, pages: []itemPageRef{page(0)}}
		},
		"items without a start":       func(m *manifest) { m.items = &itemIndex{total: 1} },
		"a start without items":       func(m *manifest) { m.items = &itemIndex{starts: 1, pages: []itemPageRef{page(0)}} },
		"more starts than items":      func(m *manifest) { m.items = &itemIndex{total: 1, starts: 2, pages: []itemPageRef{page(0)}} },
		"more starts than blocks":     func(m *manifest) { m.items = &itemIndex{total: 9999, starts: 999, pages: []itemPageRef{page(0)}} },
		"starts that need more pages": func(m *manifest) { m.items = &itemIndex{total: 99, starts: 3} },
		"a first item that is not 0":  func(m *manifest) { m.items = &itemIndex{total: 99, starts: 3, pages: []itemPageRef{page(1)}} },
		"a negative first item":       func(m *manifest) { m.items = &itemIndex{total: 99, starts: 3, pages: []itemPageRef{page(-1)}} },
	} {
		m := manifest{info: Info{Size: 2*groupSize + 7, Lines: 5}, lfs: 5, pages: []pageRef{{before: chainStart}, {lines: 2}, {lines: 2}}}
		forge(&m)
		_, err := parseManifest(trailedOf(t, m.append(nil)))
		if name == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, errManifest, name)
	}
	m := manifest{info: Info{Size: 2 * startsPerPage * blockSize, Lines: 1}, items: &itemIndex{total: 9999, starts: startsPerPage + 1}}
	for range groups(m.info.Size) {
		m.pages = append(m.pages, pageRef{before: chainStart})
	}
	for first, ok := range map[int64]bool{startsPerPage: true, startsPerPage - 1: false, 9998: true, 9999: false} {
		m.items.pages = []itemPageRef{page(0), page(first)}
		_, err := parseManifest(trailedOf(t, m.append(nil)))
		require.Equal(t, ok, err == nil, "the second page begins with item %d", first)
	}
}

// TestForgedManifestCostsNothing: what it announces is not made room for before it
// is there.
func TestForgedManifestCostsNothing(t *testing.T) {
	m := manifest{info: Info{Size: 1 << 60, Lines: 1}, items: &itemIndex{total: 1 << 50, starts: 1 << 40}}
	body := trailedOf(t, m.append(nil))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := parseManifest(body)
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, errManifest)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

// TestItemPageEndsWhereTheNextBegins: the manifest has the first item of each.
func TestItemPageEndsWhereTheNextBegins(t *testing.T) {
	for last, ok := range map[int64]bool{startsPerPage - 1: true, startsPerPage + 10: true, startsPerPage + 11: false} {
		var starts []ItemStart
		for i := range int64(startsPerPage - 1) {
			starts = append(starts, ItemStart{i, i * blockSize})
		}
		p := itemPage(appendItemPage(nil, append(starts, ItemStart{last, startsPerPage * blockSize})))
		x := &itemIndex{total: 9999, starts: startsPerPage + 1, pages: []itemPageRef{{sum: sha256.Sum256(p)}, {first: startsPerPage + 11}}}
		require.Equal(t, ok, x.holds(0, p, 2*startsPerPage*blockSize), "the last one is item %d", last)
	}
}

// TestForgedItemsAreRefused: a page of items that can't be true gives no answer.
func TestForgedItemsAreRefused(t *testing.T) {
	data := lines()
	size := int64(len(data))
	pg, ref := truePage(t, data)
	for name, starts := range map[string][]ItemStart{
		"":                   {{0, 1}, {5, blockSize}, {9, size - 1}},
		"items that descend": {{0, 1}, {5, blockSize}, {5, size - 1}},
		"places that don't":  {{0, 1}, {5, blockSize}, {9, blockSize}},
		"before the bytes":   {{0, -1}, {5, blockSize}, {9, size - 1}},
		"behind the bytes":   {{0, 1}, {5, blockSize}, {9, size}},
		"far behind":         {{0, 1}, {5, blockSize}, {9, math.MaxInt64}},
		"too many items":     {{0, 1}, {5, blockSize}, {10, size - 1}},
		"another first":      {{1, 1}, {5, blockSize}, {9, size - 1}},
		"around the numbers": {{0, 1}, {5, math.MinInt64}, {9, -5}},
		"negative":           {{0, 1}, {-5, blockSize}, {9, size - 1}},
		"too close":          {{0, 1}, {9, 9}},
	} {
		b := appendItemPage(nil, starts)
		m := manifest{
			info: Info{Size: size, Lines: 5, SHA256: sha256.Sum256(data)}, lfs: 4, pages: []pageRef{ref},
			items: &itemIndex{total: 10, starts: int64(len(starts)), pages: []itemPageRef{{sum: sha256.Sum256(b)}}},
		}
		k, h := forged(t, append(append(bytes.Clone(data), pg...), b...), m)
		r, err := k.Open(t.Context(), Scope{}, h)
		require.NoError(t, err)
		at, off, ok := r.(ItemIndexer).ItemBefore(8)
		require.Equal(t, name == "", ok, name)
		if ok {
			require.Equal(t, ItemStart{5, blockSize}, ItemStart{at, off})
		}
		_, err = r.ReadAt(make([]byte, size), 0)
		require.NoError(t, err, "the bytes are as they were")
	}
}

// FuzzIndexPages changes a block's entry and an item's start: a page that is taken
// for true leads nowhere but to places in the artifact.
func FuzzIndexPages(f *testing.F) {
	data := lines()
	p := pending{}
	if err := p.index(data, true); err != nil {
		f.Fatal(err)
	}
	f.Add(uint8(3), int64(3), uint32(1), uint8(2), int64(9), int64(len(data)-1), int64(3))
	f.Add(uint8(3), int64(4), uint32(0), uint8(0), int64(0), int64(0), int64(0))
	f.Add(uint8(1), int64(2), uint32(blockSize), uint8(1), int64(-1), int64(math.MaxInt64), int64(9))
	f.Fuzz(func(t *testing.T, block uint8, before int64, first uint32, start uint8, item, offset, n int64) {
		pg := page(bytes.Clone(p.page))
		e := pg[int(block%4)*entrySize+32:]
		binary.BigEndian.PutUint64(e, uint64(before))
		binary.BigEndian.PutUint32(e[8:], first)
		s := span{size: int64(len(data)), sum: sha256.Sum256(pg), last: pg.entry(3).after, to: 4}
		if s.holds(pg) {
			at, off := pg.lineBefore(0, max(1, n))
			if at < 0 || at > min(4, max(1, n)) || off < 0 || off > s.size {
				t.Fatalf("for line %d: line %d at byte %d", n, at, off)
			}
		}
		starts := []ItemStart{{0, 1}, {5, blockSize}, {9, blockSize + 9}}
		starts[start%3] = ItemStart{item, offset}
		ip := itemPage(appendItemPage(nil, starts))
		x := &itemIndex{total: 10, starts: 3, pages: []itemPageRef{{sum: sha256.Sum256(ip)}}}
		if x.holds(0, ip, int64(len(data))) {
			want := min(max(0, n), 9)
			if got := ip.before(want); got.Item < 0 || got.Item > want || got.Offset < 0 || got.Offset >= int64(len(data)) {
				t.Fatalf("for item %d: item %d at byte %d", want, got.Item, got.Offset)
			}
		}
	})
}

// TestIndexOfManyItemsIsStoredInPieces, so that no Commit needs the memory for
// all of it.
func TestIndexOfManyItemsIsStoredInPieces(t *testing.T) {
	const n = 40*startsPerPage + 3
	b := NewMemoryBackend()
	p := pending{k: New(b, nil), items: &Items{Total: n}}
	for i := range int64(n) {
		p.items.Starts = append(p.items.Starts, ItemStart{i, i * blockSize})
	}
	m := &manifest{}
	tail, err := p.finishItems(context.Background(), m, []byte("tail"))
	require.NoError(t, err)
	require.LessOrEqual(t, len(tail), flushSize)
	require.NoError(t, p.put(t.Context(), tail))
	require.NoError(t, p.up.Commit(t.Context()))
	require.EqualValues(t, n, m.items.starts)
	require.Len(t, m.items.pages, 41)
	size, err := b.Size(t.Context(), p.name.artifact())
	require.NoError(t, err)
	require.EqualValues(t, len("tail")+n*startSize, size)
	whole := make([]byte, size)
	_, err = b.ReadAt(t.Context(), p.name.artifact(), whole, 0)
	require.NoError(t, err)
	for i := range int64(n) {
		at := whole[len("tail")+int(i)*startSize:]
		require.EqualValues(t, i, binary.BigEndian.Uint64(at))
		require.EqualValues(t, i*blockSize, binary.BigEndian.Uint64(at[8:]))
	}
	for i, ref := range m.items.pages {
		off, length := m.items.pageAt(i)
		pg := itemPage(whole[int64(len("tail"))+off:][:length])
		require.True(t, m.items.holds(i, pg, n*blockSize))
		require.EqualValues(t, i*startsPerPage, ref.first)
		require.Equal(t, i, m.items.pageOf(ref.first))
		require.Equal(t, i, m.items.pageOf(pg.start(pg.len()-1).Item))
	}
}
