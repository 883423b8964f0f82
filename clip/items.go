package clip

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/internal/jsonscan"
)

// lister is an engine that has noted where the items of a content begin.
type lister interface {
	Items() (pointer string, items int64, starts []jsonscan.Start, ok bool)
}

// items says where the items of the content begin, for its artifact; nil when there is
// nothing to say. It is asked after End.
func (t *intake) items() *artifact.Items {
	l, ok := t.json.(lister)
	if !ok || t.json.Err() != nil {
		return nil
	}
	pointer, n, starts, ok := l.Items()
	if !ok {
		return nil
	}
	x := &artifact.Items{Pointer: pointer, Total: n, Starts: make([]artifact.ItemStart, len(starts))}
	for i, s := range starts {
		x.Starts[i] = artifact.ItemStart(s)
	}
	return x
}

// jumper is an engine that can go on at an item without what lies before it.
type jumper interface {
	jsonEngine
	Ahead(list string) (item int64, ok bool)
	Jump(list string, item, at int64)
	Values() int64
}

// seekItems reads for a page of items, or of what lies in an item, what the page is made
// of, and of the rest as much as an index of r needs, which knows where items begin.
// false: there is no such page or index, or it does not agree with the bytes; then
// everything must be read.
func (t *content) seekItems(r io.ReaderAt, size int64) bool {
	x, ok := r.(artifact.ItemIndexer)
	if !ok || size <= blockLen || !t.in.show.inItems() {
		return false
	}
	in := t.in // has read nothing
	list, total := "", int64(-1)
	err := protectErr(func() error {
		if list, total, ok = x.Items(); !ok || !leadsTo(t.in.show.Pointer, list) {
			return errNoJumps
		}
		return in.hop(t.ctx, r, jumps{x, list}, size)
	})
	if err != nil || in.json.Err() != nil {
		return false
	}
	if list == t.in.show.Pointer && in.json.(jumper).Values() != total {
		return false
	}
	t.in = in
	return true
}

// inItems reports whether what is shown are items, or lies in what a pointer names, and
// depends on nothing else.
func (s *Show) inItems() bool {
	if s.Inside || s.Only || s.Outline || s.Around != nil || len(s.Keep) > 0 || s.Unit == coverage.Line {
		return false
	}
	return s.Unit == coverage.Item || s.Pointer != ""
}

// leadsTo reports whether pointer names the list, or what is in it.
func leadsTo(pointer, list string) bool {
	rest, ok := strings.CutPrefix(pointer, list)
	return ok && (rest == "" || rest[0] == '/')
}

// errNoJumps is told to nobody: everything is read then.
var errNoJumps = errors.New("clip: the items of this content are not indexed")

// hop gives the engine of JSON what it needs of size bytes.
func (t *intake) hop(ctx context.Context, r io.ReaderAt, x jumps, size int64) error {
	b := newBlock()
	defer blocks.Put(b)
	for at := int64(0); at < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := b.b[:min(blockLen-at%blockLen, size-at)] // a store checks whole blocks
		if n, err := r.ReadAt(p, at); n != len(p) {
			return errors.Join(io.ErrUnexpectedEOF, err)
		}
		at += int64(len(p))
		if t.kind == nil {
			_, _ = t.Write(p)
		} else {
			_, _ = t.json.Write(p)
		}
		j, ok := t.json.(jumper)
		if !ok || t.inside != nil {
			return errNoJumps
		}
		at = x.ahead(j, at)
	}
	t.n = size
	t.End()
	return nil
}

// jumps is an index of the items of a list.
type jumps struct {
	artifact.ItemIndexer
	list string
}

// ahead jumps to the last item at which j can go on, if it lies behind offset at.
func (x jumps) ahead(j jumper, at int64) (to int64) {
	item, ok := j.Ahead(x.list)
	if !ok {
		return at
	}
	item, to, ok = x.ItemBefore(item)
	if !ok || to <= at {
		return at
	}
	j.Jump(x.list, item, to)
	return to
}
