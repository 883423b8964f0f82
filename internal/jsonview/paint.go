package jsonview

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// omission is what one container lacks, and how to read it.
type omission struct {
	view.Omission
	rest  []view.Rest
	tally *tally
}

// move shifts the offsets of what was drawn from a copy of an element.
func (o *omission) move(by int64) {
	o.Bytes.Start += by
	o.Bytes.End += by
	for i := range o.rest {
		o.rest[i].Bytes.Start += by
		o.rest[i].Bytes.End += by
	}
}

// painter walks what is shown in the order of the source.
type painter struct {
	v     *View
	pic   *picture
	got   []shown
	open  []account
	names map[int32]map[string]int32 // of an object's members: the first of each name
}

// account is that of a container that is open.
type account struct {
	node  int32
	next  int64 // index behind the last value shown
	prev  int64 // offset behind it
	any   bool
	whole int64
	part  int64
	shown []view.Range
	gaps  []gap
}

// gap is a run of values that are not shown.
type gap struct {
	from, to int64
	bytes    view.Range
}

func (b *painter) add(x piece) {
	if x.from < x.to {
		b.pic.pieces = append(b.pic.pieces, x)
	}
}

// value paints the node i, of a container its opening bracket.
func (b *painter) value(i int32) {
	v, g := b.v, &b.got[i]
	n := v.taken(i, g)
	first := true
	if n.parent >= 0 {
		a := &b.open[len(b.open)-1]
		first = !a.any
		lead := v.leadPieces(n, first)
		if n.index > a.next {
			end := n.val()
			if len(lead) > 0 {
				end = lead[0].from
			}
			a.gaps = append(a.gaps, gap{a.next, n.index, view.Range{Start: a.prev, End: end}})
		}
		a.any, a.next = true, n.index+n.count()
		for _, x := range lead {
			b.add(x)
		}
	}
	page := n.parent < 0 && v.o.paged()
	switch {
	case g.part != nil:
		b.partly(i)
	case n.is(isAtomic):
		b.add(v.piece1(n.val(), n.end))
		b.done(n, true)
	case n.kind == jsonscan.String:
		b.text(i, page)
	default:
		x := v.piece1(n.val(), n.val()+1)
		x.context = page
		b.add(x)
		b.open = append(b.open, account{node: i, next: v.firstIndex(i), prev: max(n.val()+1, v.windowAt(i))})
	}
}

// windowAt is where the window of a page begins, if i is its root and it is known.
func (v *View) windowAt(i int32) int64 {
	if i != 0 || !v.first.seen {
		return 0
	}
	if v.first.nameAt > 0 {
		return v.first.nameAt
	}
	return v.first.start
}

// done counts a value in its container.
func (b *painter) done(n *node, whole bool) {
	if n.parent < 0 {
		b.pic.whole = whole
		return
	}
	a := &b.open[len(b.open)-1]
	a.prev = n.end
	if !whole {
		a.part++
		return
	}
	a.whole += n.count()
	if k := len(a.shown); k > 0 && a.shown[k-1].End == n.index {
		a.shown[k-1].End += n.count()
		return
	}
	a.shown = append(a.shown, view.Range{Start: n.index, End: n.index + n.count()})
}

// partly paints an element that was drawn by itself.
func (b *painter) partly(i int32) {
	n, part := &b.v.nodes[i], b.got[i].part
	b.pic.pieces = append(b.pic.pieces, part.pieces...)
	at, safe := b.pointer(i)
	for _, o := range part.omissions {
		o.Pointer = at + o.Pointer
		for j := range o.rest {
			o.rest[j].Pointer = at + o.rest[j].Pointer
			if safe >= 0 {
				o.rest[j] = b.rawRest(safe, o.rest[j].Bytes)
			}
		}
		if o.tally != nil {
			o.tally.pointer = o.Pointer
		}
		b.pic.omissions = append(b.pic.omissions, o)
	}
	b.done(n, part.whole)
}

// text paints a string that grows by chunks.
func (b *painter) text(i int32, page bool) {
	v, n, g := b.v, &b.v.nodes[i], &b.got[i]
	skip := v.pageSkip(i)
	from := n.val() + 1 + skip
	open, body, end := v.piece1(n.val(), n.val()+1), v.piece1(from, from+g.bytes), v.piece1(n.end-1, n.end)
	open.context, end.context = page, page
	b.add(open)
	b.add(body)
	b.add(end)
	whole := g.bytes == n.n
	b.done(n, whole)
	if whole {
		return
	}
	at, safe := b.pointer(i)
	to := n.n
	if page {
		to = min(to, v.pageTo)
	}
	o := omission{Omission: view.Omission{Pointer: at, Unit: view.Byte, Shown: g.bytes, Total: n.n}}
	o.Units = view.Range{Start: skip + g.bytes, End: n.n}
	if skip > 0 {
		o.Units.Start = 0
		if skip+g.bytes == n.n {
			o.Units.End = skip
		}
	}
	o.Bytes = view.Range{Start: n.val() + 1 + o.Units.Start, End: n.val() + 1 + o.Units.End}
	if n.sum > 0 {
		o.Of, o.SHA256 = v.sums[n.sum-1].of, v.sums[n.sum-1].hex
	}
	if skip+g.bytes < to {
		r := view.Rest{Pointer: at, Unit: view.Byte, From: skip + g.bytes, To: to, Bytes: view.Range{Start: from + g.bytes, End: n.val() + 1 + to}}
		if safe >= 0 {
			r = b.rawRest(safe, r.Bytes)
		}
		o.rest = []view.Rest{r}
	}
	b.pic.omissions = append(b.pic.omissions, o)
}

// closeTo paints the closing brackets of open containers inside node i.
func (b *painter) closeTo(i int32) {
	for len(b.open) > 0 && b.open[len(b.open)-1].node != i {
		a := b.open[len(b.open)-1]
		n := &b.v.nodes[a.node]
		x := b.v.piece1(n.close(), n.end)
		x.context = n.parent < 0 && b.v.o.paged()
		b.add(x)
		if n.n > a.next {
			a.gaps = append(a.gaps, gap{a.next, n.n, view.Range{Start: a.prev, End: n.close()}})
		}
		b.open = b.open[:len(b.open)-1]
		b.done(n, a.whole == n.n)
		b.lacks(n, &a)
	}
}

// lacks records what a container that is closed lacks.
func (b *painter) lacks(n *node, a *account) {
	v := b.v
	root := n.parent < 0
	main, lacking := root && (n.kind == jsonscan.Array || v.o.paged()), a.whole+a.part < n.n
	if !main && !lacking {
		return
	}
	at, safe := b.pointer(a.node)
	t := &tally{pointer: at, shown: a.shown, part: a.part, total: n.n, next: a.next}
	if main {
		b.pic.main = t
	}
	if !lacking {
		return
	}
	o := omission{Omission: view.Omission{Pointer: at, Unit: view.Item, Shown: a.whole, Part: a.part, Total: n.n}}
	if n.kind == jsonscan.Array {
		o.tally = t
	}
	if root && v.pageFrom > 0 { // what lies before the page is lacking too
		o.Units = view.Range{Start: 0, End: min(v.pageFrom, n.n)}
		o.Bytes = view.Range{Start: n.val() + 1, End: max(n.val()+1, v.windowAt(0))}
		if v.pageFrom >= n.n {
			o.Bytes.End = n.close()
		}
	}
	for _, g := range a.gaps {
		if o.Units == (view.Range{}) {
			o.Units, o.Bytes = view.Range{Start: g.from, End: g.to}, g.bytes
		}
		o.Units.End, o.Bytes.End = g.to, g.bytes.End
		if root {
			if g.to > v.pageTo {
				g.to, g.bytes.End = v.pageTo, v.pageEnd
			}
		}
		if g.from >= g.to {
			continue
		}
		r := view.Rest{Pointer: at, Unit: view.Item, From: g.from, To: g.to, Bytes: g.bytes}
		switch {
		case safe >= 0:
			r = b.rawRest(safe, g.bytes)
		case root && v.o.paged() && !a.any && g.from == v.pageFrom:
			o.rest = append(o.rest, v.inner(at, n))
			if r.From++; r.From == r.To {
				continue
			}
			r.Bytes.Start = v.first.end
		}
		o.rest = append(o.rest, r)
	}
	b.pic.omissions = append(b.pic.omissions, o)
}

// inner names the first value of a page that cannot show it even in part, so that
// reading on goes inside it.
func (v *View) inner(at string, parent *node) view.Rest {
	c := &v.first
	r := view.Rest{Pointer: at, Unit: view.Byte, Bytes: view.Range{Start: c.start, End: c.end}}
	token := strconv.FormatInt(v.pageFrom, 10)
	if parent.kind == jsonscan.Object {
		name := c.name
		if name == nil || c.again { // no pointer leads there: read the bytes
			r.Bytes.Start = c.nameAt
			r.From, r.To = c.nameAt-parent.val(), c.end-parent.val()
			return r
		}
		token = unquote(name)
	}
	r.Pointer = string(appendToken([]byte(at), token))
	switch {
	case isContainer(c.kind) && c.n > 0:
		r.Unit, r.To = view.Item, c.n
	case c.kind == jsonscan.String && c.end-c.start > 2:
		r.To = c.end - c.start - 2
		r.Bytes = view.Range{Start: c.start + 1, End: c.end - 1}
	default:
		r.To = c.end - c.start
	}
	return r
}

// sort puts the omissions that are most useful to follow first: those near the
// root, of these those that lack most; blobs last.
func (p *picture) sort() {
	slices.SortStableFunc(p.omissions, func(a, b omission) int {
		if (a.SHA256 != "") != (b.SHA256 != "") {
			if b.SHA256 != "" {
				return -1
			}
			return 1
		}
		if c := cmp.Compare(strings.Count(a.Pointer, "/"), strings.Count(b.Pointer, "/")); c != 0 {
			return c
		}
		if c := cmp.Compare(b.Bytes.Len(), a.Bytes.Len()); c != 0 {
			return c
		}
		return cmp.Compare(a.Bytes.Start, b.Bytes.Start)
	})
	if p.main != nil {
		return
	}
	for _, o := range p.omissions {
		if o.tally != nil {
			p.main = o.tally
			return
		}
	}
}
