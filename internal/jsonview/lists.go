package jsonview

import (
	"strings"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// lists notes where the elements of the longest list begin. A list is an array in no
// other array.
type lists struct {
	on    bool
	depth int // brackets open round the list that is open
	cur   list
	best  list
	spare []jsonscan.Start // to be used again
}

// list is a list and some of its elements.
type list struct {
	from, to int64
	items    int64
	starts   []jsonscan.Start
}

// begin is told of every array that the scanner tells.
func (l *lists) begin(s *jsonscan.Scanner, at int64) {
	if l.on && s.Depth() > l.depth {
		return // in a list
	}
	l.on, l.depth = true, s.Depth()
	l.cur.from = at
	s.Watch()
}

// end is told of the end of every array that the scanner told.
func (l *lists) end(s *jsonscan.Scanner, end int64) {
	if !l.on || s.Depth() != l.depth+1 {
		return
	}
	l.on = false
	l.cur.to = end
	if end-l.cur.from <= l.best.to-l.best.from {
		_, l.spare = s.Unwatch(l.spare)
		return
	}
	l.cur.items, l.cur.starts = s.Unwatch(l.spare)
	l.best, l.cur, l.spare = l.cur, list{}, l.best.starts
}

// Items is the JSON Pointer of the longest list of the document, the number of its
// elements, and where some of them begin, the first included: one in 64 KiB, fewer in
// more than 256 MiB. ok is false if no list is that long, or none that a pointer leads
// to and that the view has looked into. Call it after End, when Err is nil.
func (v *View) Items() (pointer string, items int64, starts []jsonscan.Start, ok bool) {
	l := &v.lists.best
	if v.o.paged() || len(l.starts) < 2 {
		return "", 0, nil, false
	}
	for i := range v.nodes {
		if n := &v.nodes[i]; n.kind == jsonscan.Array && n.val() == l.from {
			pointer, unsafe := (&painter{v: v}).pointer(int32(i))
			if unsafe >= 0 {
				break
			}
			return pointer, l.items, l.starts, true
		}
	}
	return "", 0, nil, false
}

// Values is the number of values in the container that the view is of. Call it after
// End, when Err is nil.
func (v *View) Values() int64 {
	if n := v.root(); n != nil && isContainer(n.kind) {
		return n.n
	}
	return 0
}

// Ahead says that of the elements of the array at the JSON Pointer list, in no other
// array, those from the next one on to the one before item do not matter to any plan,
// nor what lies between them: who knows where an element begins that is not behind item
// may Jump there. list is Options.Pointer or leads there.
func (v *View) Ahead(list string) (item int64, ok bool) {
	rest, ok := strings.CutPrefix(v.o.Pointer, list)
	switch {
	case !ok || v.judge.busy() || v.Err() != nil:
		return 0, false
	case rest == "":
		return v.aheadInPage()
	case rest[0] != '/':
		return 0, false
	case v.rootEnd > 0:
		return maxOption, v.scan.Depth() >= depthIn(list)
	case v.rootAt < 0 && v.seek.in == depthIn(list) && !v.seek.object:
		item = index(v.path[v.seek.in-1])
		return item, v.seek.n <= item
	}
	return 0, false
}

// depthIn is the number of brackets open round an element of the array at list.
func depthIn(list string) int { return strings.Count(list, "/") + 1 }

// aheadInPage is Ahead of a page of the array's items.
func (v *View) aheadInPage() (item int64, ok bool) {
	if !v.o.paged() || v.o.Unit != view.Item || v.rootKind != jsonscan.Array || len(v.stack) != 1 || v.rootEnd > 0 {
		return 0, false
	}
	f := &v.stack[0]
	switch {
	case !v.scan.Loud() && !v.skipped:
		return maxOption, true
	case f.n < v.pageFrom:
		return v.pageFrom - 1, true // the one before the page is read: the page begins behind it
	case v.first.end > 0 && f.leaveOut && v.o.To > 0:
		return v.pageTo - 1, true
	}
	return 0, false
}

// Jump goes on at the element of list with the number item, which begins at offset at,
// as if all before it had been written. It must be true, item must be one that Ahead
// allows, and at lie behind what was written.
func (v *View) Jump(list string, item, at int64) {
	v.drop(v.total)
	v.p, v.base, v.total = nil, at, at
	v.before = v.before[:0]
	v.lastEvent = at
	switch {
	case v.rootAt < 0:
		v.seek.n, v.seek.pass = item, false
		v.scan.Jump(at, depthIn(list), 0)
	case v.rootEnd > 0:
		v.scan.Jump(at, depthIn(list), 0)
	default:
		v.jumpInPage(item, at)
	}
}

func (v *View) jumpInPage(item, at int64) {
	f := &v.stack[0]
	quiet := !v.scan.Loud() && !v.skipped
	v.scan.Jump(at, v.outer+1, item-f.n)
	if !quiet {
		v.skipped, v.open = false, -1
		f.n, f.prev = item, at
	}
}
