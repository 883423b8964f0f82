package clip_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// unindexed is a Reader that knows nothing of items.
type unindexed struct{ artifact.Reader }

// indexed is one that knows, and counts what is read of it.
type indexed struct {
	artifact.Reader
	artifact.ItemIndexer
	n *int64
}

func (r indexed) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.Reader.ReadAt(p, off)
	*r.n += int64(n)
	return n, err
}

// same says that two pages are the same but for their fences, which are drawn.
func same(t require.TestingT, want, got envelope.Envelope, show clip.Show) {
	want.Fence, got.Fence = "", ""
	require.True(t, unnamed(want) == unnamed(got), "%+v\n%.2000s\n%.2000s", show, want.Notice, got.Notice)
}

// opened saves src and opens it.
func opened(t require.TestingT, c *clip.Clipper, src string) artifact.Reader {
	e, err := c.Clip(ctx, src)
	require.NoError(t, err)
	r, err := c.Config().Store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
	require.NoError(t, err)
	return r
}

// rowsOf is n records, some of them small, some large, some no records.
func rowsOf(n int, seed uint64, space string) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("[" + space)
	for i := range n {
		if i > 0 {
			b.WriteString("," + space)
		}
		switch r.IntN(8) {
		case 0:
			fmt.Fprint(&b, i)
		case 1:
			fmt.Fprintf(&b, `"%s"`, strings.Repeat("长 ", r.IntN(900)))
		case 2:
			fmt.Fprintf(&b, `[%s[],{}]`, strings.Repeat(`"a]b",`, r.IntN(300)))
		case 3:
			fmt.Fprintf(&b, `{"id":%d,"text":"%s","deep":[[{"\"":"\\"}]]}`, i, strings.Repeat("x", r.IntN(9000)))
		default:
			fmt.Fprintf(&b, `{"id":%d, "name":"row %d", "ok":true}`, 9007199254740993+i, i)
		}
	}
	return b.String() + space + "]"
}

// A page of items is the same envelope whether the store knows where items begin or
// not, whatever the window, the budget and the place of the list.
func TestAPageByIndexIsThePageOfAScan(t *testing.T) {
	store := artifact.NewMemory(nil)
	skipped := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 900).Draw(t, "rows")
		rows := rowsOf(n, rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space"))
		pad := strings.Repeat("y", rapid.IntRange(0, 100_000).Draw(t, "pad"))
		doc := rapid.SampledFrom([]struct{ pointer, src string }{
			{"", rows}, {"", " " + rows + "\n"},
			{"/rows", `{"status":"ok","rows":` + rows + `,"note":"` + pad + `","few":[1,2]}`},
			{"/a/b~1", `{"note":"` + pad + `","a":{"n":0,"b/":` + rows + `}}`},
			{"/rows", `{"rows":[1],"rows":` + rows + `}`},
		}).Draw(t, "document")
		cfg := clip.Config{
			Store: store, Followups: clip.AllFollowups, Budget: clip.Bytes(rapid.IntRange(1000, 40_000).Draw(t, "budget")),
			Form: rapid.SampledFrom([]clip.Form{clip.TextForm, clip.TextForm, clip.JSONForm}).Draw(t, "form"),
		}
		if cfg.Form == clip.JSONForm {
			cfg.Budget = clip.Bytes(20_000)
		}
		c := newClipper(t, cfg)
		r := opened(t, c, doc.src)
		defer r.Close()
		var read int64
		fast := indexed{r, r.(artifact.ItemIndexer), &read}
		for range 4 {
			show := clip.Show{
				Pointer: doc.pointer, Unit: coverage.Item,
				At: int64(rapid.IntRange(0, n+3).Draw(t, "at")), To: int64(rapid.IntRange(0, n+3).Draw(t, "to")),
				Ends: rapid.SampledFrom([]clip.Ends{clip.DefaultEnds, clip.DefaultEnds, clip.Head, clip.Tail}).Draw(t, "ends"),
			}
			if show.To != 0 && show.To <= show.At {
				show.To = 0
			}
			if rapid.IntRange(0, 2).Draw(t, "in an item") == 0 {
				show = inItem(t, doc.pointer, n)
			}
			want, wantErr := c.Page(ctx, unindexed{r}, show)
			read = 0
			got, err := c.Page(ctx, fast, show)
			require.Equal(t, wantErr, err)
			same(t, want, got, show)
			if read < r.Info().Size {
				skipped++
			}
		}
	})
	require.Positive(t, skipped)
}

// inItem is a page of what lies in an item, or of an item or a member that there is not.
func inItem(t *rapid.T, list string, n int) clip.Show {
	s := clip.Show{
		Pointer: fmt.Sprint(list, "/", rapid.IntRange(0, n).Draw(t, "item"), rapid.SampledFrom([]string{"", "", "/text", "/deep", "/7", "/none"}).Draw(t, "in")),
		Unit:    rapid.SampledFrom([]coverage.Unit{"", coverage.Byte, coverage.Item}).Draw(t, "unit"),
	}
	if s.Unit != "" {
		s.At = int64(rapid.IntRange(0, 300).Draw(t, "from"))
	}
	if s.Unit != "" && rapid.Bool().Draw(t, "ends") {
		s.To = s.At + int64(rapid.IntRange(1, 2000).Draw(t, "length"))
	}
	return s
}

// The pages along next, read by index, are those of a scan to the end.
func TestPagesByIndexCoverTheList(t *testing.T) {
	for _, src := range []string{rowsOf(1500, 3, ""), `{"status":"ok","rows":` + rowsOf(1500, 4, "\n") + `}`} {
		c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
		r := opened(t, c, src)
		defer r.Close()
		var seen coverage.Set
		show := clip.Show{Unit: coverage.Item, To: 1500}
		if src[0] == '{' {
			show.Pointer = "/rows"
		}
		for pages := 0; ; pages++ {
			require.Less(t, pages, 1000)
			want, err := c.Page(ctx, unindexed{r}, show)
			require.NoError(t, err)
			got, err := c.Page(ctx, r, show)
			require.NoError(t, err)
			same(t, want, got, show)
			seen = seen.Add(got.View.Units...)
			on, ok := nextItems(got, show.Pointer)
			if !ok {
				break
			}
			require.Greater(t, on, show.At, "progress")
			show.At = on
		}
		require.Greater(t, seen.Len(), int64(1200), "the others are shown in part")
	}
}

// nextItems is where the next page of items begins.
func nextItems(e envelope.Envelope, pointer string) (int64, bool) {
	for _, n := range e.Next {
		at, ok := n.Arguments[clip.ArgItem].(int64)
		if p, _ := n.Arguments[clip.ArgPointer].(string); ok && p == pointer {
			return at - 1, true
		}
	}
	return 0, false
}

// A page in the middle of a long list costs a few blocks, not the list.
func TestAPageByIndexReadsLittle(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, `,{"id":%d,"name":"a record of some eighty bytes, or a little more than that"}`, i)
	}
	rows := "[" + b.String()[1:] + "]"
	for pointer, src := range map[string]string{"": rows, "/data/rows": `{"data":{"rows":` + rows + `}}`} {
		c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
		r := opened(t, c, src)
		defer r.Close()
		var read int64
		for _, w := range [][2]int64{{0, 0}, {0, 100_000}, {50_000, 50_010}, {50_000, 0}, {40_000, 90_000}, {99_999, 100_000}, {200_000, 0}} {
			read = 0
			e, err := c.Page(ctx, indexed{r, r.(artifact.ItemIndexer), &read}, clip.Show{Pointer: pointer, Unit: coverage.Item, At: w[0], To: w[1]})
			require.NoError(t, err)
			require.Equal(t, coverage.Exactly(100_000), e.View.UnitTotal)
			require.Equal(t, coverage.Exactly(int64(len(src))), e.View.ByteTotal)
			if w == [2]int64{0, 0} && pointer == "" {
				continue // the beginning of the whole, not a window of it
			}
			require.LessOrEqual(t, read, int64(7*64<<10), "%v of %q", w, pointer)
		}
		for _, in := range []string{"/0", "/70000/name", "/99999"} {
			read = 0
			e, err := c.Page(ctx, indexed{r, r.(artifact.ItemIndexer), &read}, clip.Show{Pointer: pointer + in})
			require.NoError(t, err)
			require.NotEmpty(t, e.Content)
			require.LessOrEqual(t, read, int64(5*64<<10), in)
		}
	}
}

// liar is an index that says what is not so.
type liar struct {
	artifact.ItemIndexer
	items  func(pointer string, n int64, ok bool) (string, int64, bool)
	before func(at, off int64, ok bool) (int64, int64, bool)
}

func (l liar) Items() (string, int64, bool) { return l.items(l.ItemIndexer.Items()) }

func (l liar) ItemBefore(i int64) (int64, int64, bool) {
	return l.before(l.ItemIndexer.ItemBefore(i))
}

// An index that does not agree with the bytes, fails or panics makes no page wrong.
func TestAnIndexThatLiesIsNotBelieved(t *testing.T) {
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
	r := opened(t, c, rowsOf(4000, 5, ""))
	defer r.Close()
	items := func(p string, n int64, ok bool) (string, int64, bool) { return p, n, ok }
	before := func(at, off int64, ok bool) (int64, int64, bool) { return at, off, ok }
	show := clip.Show{Unit: coverage.Item, At: 2000, To: 2100}
	want, err := c.Page(ctx, unindexed{r}, show)
	require.NoError(t, err)
	for name, l := range map[string]liar{
		"another list":   {items: func(_ string, n int64, _ bool) (string, int64, bool) { return "/rows", n, true }, before: before},
		"more items":     {items: func(p string, n int64, _ bool) (string, int64, bool) { return p, n + 1, true }, before: before},
		"no items":       {items: func(string, int64, bool) (string, int64, bool) { return "", 0, true }, before: before},
		"the next byte":  {items: items, before: func(at, off int64, _ bool) (int64, int64, bool) { return at, off + 1, true }},
		"item by item":   {items: items, before: func(at, off int64, _ bool) (int64, int64, bool) { return at + 1, off, true }},
		"out of bounds":  {items: items, before: func(at, _ int64, _ bool) (int64, int64, bool) { return at, 1 << 40, true }},
		"before":         {items: items, before: func(at, _ int64, _ bool) (int64, int64, bool) { return at, -5, true }},
		"can't be read":  {items: items, before: func(int64, int64, bool) (int64, int64, bool) { return 0, 0, false }},
		"items panics":   {items: func(string, int64, bool) (string, int64, bool) { panic("items") }, before: before},
		"a place panics": {items: items, before: func(int64, int64, bool) (int64, int64, bool) { panic("before") }},
	} {
		l.ItemIndexer = r.(artifact.ItemIndexer)
		got, err := c.Page(ctx, indexed{r, l, new(int64)}, show)
		require.NoError(t, err, name)
		same(t, want, got, show)
	}
}

// unmarked is a store whose Writers do not take marks, refuse them, or panic.
type unmarked struct {
	artifact.Store
	mark func(artifact.Writer) artifact.Writer
}

func (s unmarked) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	w, err := s.Store.Create(ctx, d)
	return s.mark(w), err
}

type marking struct {
	artifact.Writer
	do func() error
}

func (m marking) MarkItems(artifact.Items) error { return m.do() }

// Marks are a help and no condition: a store without them keeps the result all the same.
func TestAStoreWithoutMarksKeepsTheResult(t *testing.T) {
	src := rowsOf(900, 6, "")
	for name, mark := range map[string]func(artifact.Writer) artifact.Writer{
		"none":    func(w artifact.Writer) artifact.Writer { return struct{ artifact.Writer }{w} },
		"refuses": func(w artifact.Writer) artifact.Writer { return marking{w, func() error { return errors.New("no") }} },
		"panics":  func(w artifact.Writer) artifact.Writer { return marking{w, func() error { panic("mark") }} },
	} {
		c := newClipper(t, clip.Config{Store: unmarked{artifact.NewMemory(nil), mark}, MustSave: true, Followups: clip.AllFollowups})
		r := opened(t, c, src)
		defer r.Close()
		e, err := c.Page(ctx, r, clip.Show{Unit: coverage.Item, At: 700})
		require.NoError(t, err, name)
		require.Equal(t, coverage.Exactly(900), e.View.UnitTotal)
	}
}
