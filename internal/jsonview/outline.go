package jsonview

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// Outline reads one JSON document and tells its shape: one line for each path, with
// types, how often each occurs, lengths, and where in the document the values lie.
// Elements of an array share one path: * stands for their index. For example:
//
//	(root) object, 2 members, bytes 0-72
//	/items array, 2 items, bytes 9-59
//	/items/* object ×2, 2 members, bytes 10-58
//	/items/*/id number ×2, bytes 16-41
//	/items/*/name string ×1, null ×1, 3 bytes, bytes 25-57
//	/total number, bytes 70-71
//
// Members and items are direct values, lengths of strings are bytes of the raw
// body, and the bytes of a path are the hull of its values. Of strings that hold JSON
// is said what it is: "string, 5211 bytes, holds JSON object, 2 members". A path with spaces,
// quotes or characters that cannot be seen is quoted as in Go; a member named *
// is written ~*.
//
// The paths nearest to the root come first; in a larger limit are all lines of a
// smaller one. Use it like a [View]. It is not safe for concurrent use.
type Outline struct {
	scan   *jsonscan.Scanner
	retain int64
	most   int // paths that are kept

	paths  []path    // the root first
	levels [][]int32 // of the others by depth, in the order of the source
	open   []spot
	deep   int   // paths this deep or deeper are no longer taken; those that were go on
	seq    int64 // paths taken so far
	gone   int64 // times that a path was left out
	scalar int32 // the path of the scalar that is open; -1: it has none
	start  int64
	inside insideString

	p      []byte
	base   int64
	named  bool
	nameAt int64
	name   []byte // raw
	plain  []byte // decoded
	next   int32  // the path that the name leads to
}

// path is what is known of the values at one path.
type path struct {
	parent     int32
	depth      int
	seq        int64
	name       string
	isStar     bool
	star       int32            // the path of its items, 0: none
	kids       []int32          // in the order of the source, with star
	hint       int              // where the next name is likely
	index      map[string]int32 // of kids by name, when they are many
	kinds      [jsonscan.Null + 1]int64
	members    extent
	items      extent
	length     extent
	holds      [2]holding // of strings: objects, arrays
	start, end int64
}

// extent is a least and a greatest number.
type extent struct {
	seen     bool
	min, max int64
}

func (e *extent) add(n int64) {
	if !e.seen {
		*e = extent{true, n, n}
		return
	}
	e.min, e.max = min(e.min, n), max(e.max, n)
}

// spot is a container that is open.
type spot struct {
	path  int32
	array bool
	n     int64
}

// NewOutline returns an Outline for limits of at most retain bytes; its memory is
// in proportion to retain.
func NewOutline(retain int64) *Outline {
	o := &Outline{retain: max(0, retain), scalar: -1, next: -1, deep: math.MaxInt}
	o.most = int(min(o.retain/16, 1<<24)) + 16
	o.scan = jsonscan.New(outlineEvents{o}, 0)
	return o
}

type outlineEvents struct{ o *Outline }

func (e outlineEvents) Begin(k jsonscan.Kind, at int64) { e.o.begin(k, at) }

func (e outlineEvents) End(k jsonscan.Kind, end, n, _ int64) { e.o.finish(k, end, n) }

// Write reads the next bytes of the document. It never fails: see Err.
func (o *Outline) Write(p []byte) (int, error) {
	o.p, o.base = p, o.scan.Offset()
	if _, err := o.scan.Write(p); err == nil {
		if o.named {
			o.takeName(o.base + int64(len(p)))
		}
		o.inside.take(o, o.base+int64(len(p)))
	}
	o.p = nil
	return len(p), nil
}

// End says that the document ends here.
func (o *Outline) End() {
	o.base = o.scan.Offset()
	_ = o.scan.Close() // Err tells
}

// Err says why there is no outline: a *jsonscan.SyntaxError, or nil while nothing
// is wrong so far.
func (o *Outline) Err() error { return o.scan.Err() }

// takeName keeps the bytes of the open name before offset end.
func (o *Outline) takeName(end int64) {
	from := max(o.nameAt, o.base)
	if room := int64(MaxName + 3 - len(o.name)); end > from+room {
		end = from + room
	}
	if from < end {
		o.name = append(o.name, o.p[from-o.base:end-o.base]...)
	}
}

func (o *Outline) begin(k jsonscan.Kind, at int64) {
	if k == jsonscan.Name {
		o.named, o.nameAt, o.name = true, at, o.name[:0]
		return
	}
	id := o.child()
	if len(o.open) > 0 {
		o.open[len(o.open)-1].n++
	}
	if id >= 0 {
		p := &o.paths[id]
		if p.kinds == [jsonscan.Null + 1]int64{} {
			p.start = at
		}
		p.kinds[k]++
	}
	if !isContainer(k) {
		o.scalar, o.start = id, at
		o.inside = insideString{on: k == jsonscan.String && id >= 0, next: at + 1}
		return
	}
	if id < 0 || o.paths[id].depth+1 > o.deep { // paths at that depth were taken before, and go on
		o.scan.Skip(k)
	}
	o.open = append(o.open, spot{path: id, array: k == jsonscan.Array})
}

// child is the path of the value that begins; -1 if it is not kept.
func (o *Outline) child() int32 {
	if len(o.open) == 0 {
		return o.add(path{parent: -1})
	}
	s := &o.open[len(o.open)-1]
	switch {
	case !s.array:
		return o.next
	case s.path < 0:
		return -1
	}
	p := &o.paths[s.path]
	if p.star > 0 {
		return p.star
	}
	id := o.add(path{parent: s.path, isStar: true, depth: p.depth + 1})
	if id > 0 && s.path >= 0 {
		o.paths[s.path].star = id
	}
	return id
}

// member finds or makes the path of a member, by its raw name. However its name is
// escaped, it is one path.
func (o *Outline) member(raw []byte) int32 {
	parent := o.open[len(o.open)-1].path
	if parent < 0 {
		return -1
	}
	if len(raw) > MaxName {
		o.gone++
		return -1
	}
	name := raw
	if bytes.IndexByte(raw, '\\') >= 0 {
		o.plain = appendDecoded(o.plain[:0], raw)
		name = o.plain
	}
	p := &o.paths[parent]
	if id, ok := o.find(p, name); ok {
		return id
	}
	id := o.add(path{parent: parent, name: string(name), depth: p.depth + 1})
	if p = &o.paths[parent]; id > 0 && p.index != nil {
		p.index[string(name)] = id
	}
	return id
}

// find looks for a member's path: first where the last document order has it,
// then in all.
func (o *Outline) find(p *path, name []byte) (int32, bool) {
	const many = 16
	for i := range min(len(p.kids), many) {
		at := (p.hint + i) % len(p.kids)
		if k := &o.paths[p.kids[at]]; !k.isStar && k.name == string(name) {
			p.hint = at + 1
			return p.kids[at], true
		}
		if p.index != nil {
			break
		}
	}
	if p.index == nil { // once made it stays, also when paths are forgotten
		if len(p.kids) < many {
			return 0, false
		}
		p.index = map[string]int32{}
		for _, id := range p.kids {
			if k := &o.paths[id]; !k.isStar {
				p.index[k.name] = id
			}
		}
	}
	id, ok := p.index[string(name)]
	return id, ok
}

// add keeps a new path. When there is no room, the last of the deepest paths goes,
// if it is deeper; its values were counted in vain, and so it never comes back.
func (o *Outline) add(p path) int32 {
	if p.depth >= o.deep {
		o.gone++
		return -1
	}
	o.seq++
	p.seq = o.seq
	id := int32(len(o.paths))
	if len(o.paths) >= o.most {
		id = o.evict(p.depth)
		o.gone++
		if id < 0 {
			return -1
		}
		o.paths[id] = p
	} else {
		o.paths = append(o.paths, p)
	}
	for len(o.levels) <= p.depth {
		o.levels = append(o.levels, nil)
	}
	o.levels[p.depth] = append(o.levels[p.depth], id)
	if p.parent >= 0 {
		o.paths[p.parent].kids = append(o.paths[p.parent].kids, id)
	}
	return id
}

// evict frees the place of the last of the deepest paths, if those are deeper than
// depth; it has no paths below it.
func (o *Outline) evict(depth int) int32 {
	for len(o.levels[len(o.levels)-1]) == 0 {
		o.levels = o.levels[:len(o.levels)-1]
	}
	o.deep = len(o.levels) - 1
	if o.deep <= depth {
		return -1
	}
	last := o.levels[o.deep]
	id := last[len(last)-1]
	o.levels[o.deep] = last[:len(last)-1]
	p := &o.paths[o.paths[id].parent]
	p.kids = slices.DeleteFunc(p.kids, func(k int32) bool { return k == id })
	if p.star == id {
		p.star = 0
	} else {
		delete(p.index, o.paths[id].name)
	}
	for i := range o.open {
		if o.open[i].path == id {
			o.open[i].path = -1
		}
	}
	return id
}

func (o *Outline) finish(k jsonscan.Kind, end, n int64) {
	switch {
	case k == jsonscan.Name:
		o.takeName(end)
		o.named = false
		o.next = o.member(bytes.TrimSuffix(o.name[1:], []byte{'"'}))
	case isContainer(k):
		s := o.open[len(o.open)-1]
		o.open = o.open[:len(o.open)-1]
		if s.path < 0 {
			return
		}
		p := &o.paths[s.path]
		p.end = end
		if k == jsonscan.Object {
			p.members.add(s.n + n)
		} else {
			p.items.add(s.n + n)
		}
	case o.scalar >= 0:
		p := &o.paths[o.scalar]
		p.end = end
		if k == jsonscan.String {
			p.length.add(end - o.start - 2)
			o.inside.end(o, p, end)
		}
	}
}

// Plan is the outline within l: text, one line for each path. Call it after End,
// when Err is nil. Omissions says how many lines are left out, with total -1 when
// there were more paths than could be kept.
func (o *Outline) Plan(l view.Limit) view.Plan {
	l.Bytes = max(0, min(l.Bytes, o.retain))
	order := make([]int32, len(o.paths))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &o.paths[a], &o.paths[b]
		return cmp.Or(cmp.Compare(x.depth, y.depth), cmp.Compare(x.seq, y.seq))
	})
	m := newMeter(l)
	if m.unit == view.Line {
		m.n++ // each line here brings its own line feed
	}
	lines := make([]string, len(o.paths))
	shown := int64(0)
	for _, id := range order {
		line := o.line(id)
		if !m.take(int64(len(line)), []piece{{data: []byte(line)}}) {
			break
		}
		lines[id] = line
		shown++
	}
	var b strings.Builder
	o.write(&b, lines)
	p := view.Plan{MediaType: "text/plain; charset=utf-8", Content: b.String(), Unit: view.Line, UnitTotal: int64(len(o.paths))}
	p.Units = units(0, shown)
	p.Complete = shown == int64(len(o.paths)) && o.gone == 0
	if o.gone > 0 {
		p.UnitTotal = -1
	}
	if !p.Complete {
		p.Omissions = []view.Omission{{Unit: view.Line, Shown: shown, Total: p.UnitTotal}}
	}
	return p
}

// write puts the lines in the order of the tree.
func (o *Outline) write(b *strings.Builder, lines []string) {
	if len(o.paths) == 0 {
		return
	}
	todo := []int32{0}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b.WriteString(lines[id])
		for _, k := range slices.Backward(o.paths[id].kids) {
			todo = append(todo, k)
		}
	}
}

// line is what is said of one path.
func (o *Outline) line(id int32) string {
	p := &o.paths[id]
	b := append(o.pointer(id), ' ')
	kinds := 0
	for _, n := range p.kinds {
		if n > 0 {
			kinds++
		}
	}
	first := true
	for k, n := range p.kinds {
		if n == 0 {
			continue
		}
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = append(b, jsonscan.Kind(k).String()...)
		if n > 1 || kinds > 1 {
			b = strconv.AppendInt(append(b, " ×"...), n, 10)
		}
	}
	b = p.members.describe(b, "member", "members")
	b = p.items.describe(b, "item", "items")
	b = p.length.describe(b, "byte", "bytes")
	b = p.holds[0].describe(b, "object", "member", "members")
	b = p.holds[1].describe(b, "array", "item", "items")
	b = strconv.AppendInt(append(b, ", bytes "...), p.start, 10)
	b = strconv.AppendInt(append(b, '-'), p.end, 10)
	return string(append(b, '\n'))
}

func (e *extent) describe(b []byte, one, many string) []byte {
	if !e.seen {
		return b
	}
	b = strconv.AppendInt(append(b, ", "...), e.min, 10)
	if e.max > e.min {
		b = strconv.AppendInt(append(b, '-'), e.max, 10)
	}
	if e.max == 1 {
		many = one
	}
	return append(append(b, ' '), many...)
}

// pointer is the path as people read it.
func (o *Outline) pointer(id int32) []byte {
	if id == 0 {
		return []byte("(root)")
	}
	var chain []int32
	for ; id > 0; id = o.paths[id].parent {
		chain = append(chain, id)
	}
	var b []byte
	odd := false
	for _, id := range slices.Backward(chain) {
		p := &o.paths[id]
		switch {
		case p.isStar:
			b = append(b, "/*"...)
		case p.name == "*":
			b = append(b, "/~*"...)
		default:
			b = appendToken(b, p.name)
			odd = odd || strings.ContainsFunc(p.name, func(r rune) bool { return r == '"' || r == ' ' || !unicode.IsGraphic(r) })
		}
	}
	if odd {
		return strconv.AppendQuote(nil, string(b))
	}
	return b
}
