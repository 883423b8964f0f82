package artifacttest

import (
	"bytes"
	"math"
	"math/rand/v2"

	"github.com/toolclip/toolclip/artifact"
)

// list is a JSON array of 2 MB and where its items begin.
func list() (text []byte, starts []artifact.ItemStart) {
	rnd := rand.New(rand.NewPCG(5, 6))
	text = []byte{'['}
	for len(text) < 2_000_000 {
		if len(starts) > 0 {
			text = append(text, ", "...)
		}
		n := rnd.IntN(200)
		if rnd.IntN(500) == 0 {
			n = 150_000
		}
		starts = append(starts, artifact.ItemStart{Item: int64(len(starts)), Offset: int64(len(text))})
		text = append(text, '"')
		text = append(text, bytes.Repeat([]byte{'x'}, n)...)
		text = append(text, '"')
	}
	return append(text, ']'), starts
}

// saveItems saves text and marks x.
func (c *check) saveItems(s artifact.Store, text []byte, x artifact.Items) (i artifact.Info, marked error) {
	w := c.create(s, artifact.Draft{Scope: mine})
	m, ok := w.(artifact.ItemMarker)
	if !ok {
		c.ok(w.Abort(), "Abort")
		panic(unproven("its Writers are not ItemMarkers"))
	}
	_, err := w.Write(text)
	c.ok(err, "Write")
	marked = m.MarkItems(x)
	i, err = w.Commit(bg)
	c.ok(err, "Commit")
	return i, marked
}

// openItems calls f with what i has of items.
func (c *check) openItems(s artifact.Store, h artifact.Handle, f func(artifact.ItemIndexer)) {
	c.open(s, mine, h, func(r artifact.Reader) {
		x, ok := r.(artifact.ItemIndexer)
		if !ok {
			panic(unproven("its Readers are not ItemIndexers"))
		}
		f(x)
	})
}

func itemIndex(c *check) {
	s := c.store(artifact.Options{})
	text, starts := list()
	total := int64(len(starts))
	marks := append([]artifact.ItemStart(nil), starts...)
	i, err := c.saveItems(s, text, artifact.Items{Pointer: "/a~1b/0", Total: total, Starts: marks})
	c.ok(err, "MarkItems")
	clear(marks)
	c.same(s, mine, i.Handle, text)
	c.openItems(s, i.Handle, func(x artifact.ItemIndexer) {
		if p, n, ok := x.Items(); p != "/a~1b/0" || n != total || !ok {
			c.fail("Items are %d of %q, %v; want %d of %q", n, p, ok, total, "/a~1b/0")
		}
		for _, item := range []int64{math.MinInt64, -1, 0, 1, total - 1, total, math.MaxInt64} {
			c.itemBefore(x, starts, item)
		}
		for range 2000 {
			c.itemBefore(x, starts, rand.Int64N(total))
		}
		if at, _, _ := x.ItemBefore(total - 1); at == 0 {
			c.fail("no item but the first is indexed")
		}
	})
	i, err = c.saveItems(s, []byte("[]"), artifact.Items{})
	c.ok(err, "MarkItems of an empty array")
	c.openItems(s, i.Handle, func(x artifact.ItemIndexer) {
		if p, n, ok := x.Items(); p != "" || n != 0 || !ok {
			c.fail("Items of an empty array are %d of %q, %v", n, p, ok)
		}
		if at, off, ok := x.ItemBefore(0); ok {
			c.fail("an empty array has item %d at byte %d", at, off)
		}
	})
	c.noItems(s, c.save(s, artifact.Draft{Scope: mine}, text).Handle, "nobody marked any")
}

// itemBefore checks one answer of the index against the true places.
func (c *check) itemBefore(x artifact.ItemIndexer, starts []artifact.ItemStart, item int64) {
	at, off, ok := x.ItemBefore(item)
	item = min(max(0, item), int64(len(starts))-1)
	switch {
	case !ok:
		c.fail("ItemBefore(%d) of %d items has no answer", item, len(starts))
	case at < 0 || at > item:
		c.fail("ItemBefore(%d) of %d items is item %d", item, len(starts), at)
	case starts[at].Offset != off:
		c.fail("ItemBefore(%d) says that item %d begins at byte %d, it begins at %d", item, at, off, starts[at].Offset)
	}
}

// noItems: nothing is said of items that nobody marked.
func (c *check) noItems(s artifact.Store, h artifact.Handle, why string) {
	c.openItems(s, h, func(x artifact.ItemIndexer) {
		if p, n, ok := x.Items(); ok {
			c.fail("%s, and Items are %d of %q", why, n, p)
		}
		if at, off, ok := x.ItemBefore(0); ok {
			c.fail("%s, and ItemBefore(0) is item %d at byte %d", why, at, off)
		}
	})
}

func itemsRefused(c *check) {
	s := c.store(artifact.Options{})
	text := []byte("[1, 2, 3]")
	for _, x := range []artifact.Items{
		{Total: -1},
		{Total: 2},
		{Total: 10, Starts: []artifact.ItemStart{{Item: 0, Offset: 1}}},
		{Starts: []artifact.ItemStart{{Item: 0, Offset: 1}}},
		{Total: 3, Starts: []artifact.ItemStart{{Item: 1, Offset: 4}}},
		{Total: 3, Starts: []artifact.ItemStart{{Item: 0, Offset: -1}}},
		{Total: 3, Starts: []artifact.ItemStart{{Item: 0, Offset: 9}}},
		{Total: 3, Starts: []artifact.ItemStart{{Item: 0, Offset: 1}, {Item: 3, Offset: 7}}},
		{Total: 3, Starts: []artifact.ItemStart{{Item: 0, Offset: 4}, {Item: 1, Offset: 4}}},
		{Total: 3, Starts: []artifact.ItemStart{{Item: 0, Offset: 1}, {Item: 0, Offset: 4}}},
	} {
		i, err := c.saveItems(s, text, x)
		if err == nil {
			c.fail("MarkItems took %+v of %q", x, text)
		}
		c.same(s, mine, i.Handle, text)
		c.noItems(s, i.Handle, "the items were refused")
	}
}
