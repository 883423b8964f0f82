package jsonview

import (
	"math"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

// events hears what the scanner tells.
type events struct{ v *View }

// Begin implements jsonscan.Handler.
func (e events) Begin(k jsonscan.Kind, at int64) {
	if k == jsonscan.Array {
		e.v.lists.begin(e.v.scan, at)
	}
	e.v.begin(k, at)
}

// End implements jsonscan.Handler.
func (e events) End(k jsonscan.Kind, end, n, last int64) {
	if k == jsonscan.Array {
		e.v.lists.end(e.v.scan, end)
	}
	e.v.end(k, end, n, last)
}

func (v *View) begin(k jsonscan.Kind, at int64) {
	if v.rootAt < 0 {
		if v.seek.begin(v, k, at) {
			v.beginRoot(k, at)
		}
		return
	}
	v.settle(at)
	switch {
	case !v.scan.Loud() || len(v.stack) == 0:
	case v.mute.on:
		v.mutedBegin(k, at)
	case k == jsonscan.Name:
		v.beginName(at)
	default:
		v.beginValue(k, at)
	}
}

func (v *View) end(k jsonscan.Kind, end, n, last int64) {
	if v.rootAt < 0 {
		v.seek.end(v, k, end)
		return
	}
	if v.settle(end); !v.scan.Loud() {
		v.skipped = false
		return
	}
	switch {
	case v.skipped && isContainer(k):
		v.skipped = false
		v.endSkipped(end, n)
	case v.mute.on:
		v.mutedEnd(k, end, n, last)
	case k == jsonscan.Name:
		v.endName(end)
	case isContainer(k):
		v.judge.end(k, nil)
		v.endContainer(end, n, last)
	default:
		v.judge.end(k, func() []byte { return v.scalar(end) })
		v.endScalar(end)
	}
	if v.rootEnd > 0 {
		v.drop(end)
		v.scan.Mute()
	}
}

// scalar is the bytes of the scalar that ends, nil if it is too long.
func (v *View) scalar(end int64) []byte {
	if end-v.judge.at > v.o.MaxRecord {
		return nil
	}
	if raw := v.source(v.judge.at, end); int64(len(raw)) == end-v.judge.at {
		return raw
	}
	return nil
}

func (v *View) beginRoot(k jsonscan.Kind, at int64) {
	v.rootAt, v.rootKind, v.outer = at, k, v.scan.Depth()
	v.pageTo = math.MaxInt64
	if v.o.To > 0 {
		v.pageTo = v.o.To
	}
	v.lastEvent = at
	if v.isRawPage() {
		if isContainer(k) {
			v.skipped = true
			v.scan.Skip(k)
		}
		return
	}
	if isContainer(k) {
		v.pageFrom = v.o.From
	}
	v.pageCap = math.MaxInt64
	if v.o.To > 0 {
		v.pageCap = max(0, v.o.To-v.o.From) + lookahead
	}
	v.keep(at)
	v.nodes = append(v.nodes, node{parent: -1, kind: k, flags: isRequired, gap: wide, comma: -1, start: at, weight: 1})
	if !isContainer(k) {
		v.open = 0
		if k == jsonscan.String && v.o.paged() {
			v.drop(at + 1)
		}
		return
	}
	if v.o.Only && k == jsonscan.Array {
		v.judge.from = v.pageFrom
	}
	v.judge.begin(k, at)
	f := frame{node: 0, group: -1, prev: at + 1, list: k == jsonscan.Array && !v.grouped}
	if k == jsonscan.Object {
		v.nodes[0].flags |= isFlat
		if v.grouped {
			f.group = 0
		}
	}
	v.stack = append(v.stack, f)
	v.lastEvent = at + 1
}
