package jsonview

import (
	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// piece is a range of the source that is shown.
type piece struct {
	from, to int64
	data     []byte
	context  bool
}

// picture is what a limit shows of a value.
type picture struct {
	pieces    []piece
	omissions []omission // the most useful to follow first
	main      *tally
	whole     bool
	shown     []shown // of the nodes, for the counts of keep rules
}

// tally is the account of a container.
type tally struct {
	pointer string
	shown   []view.Range
	part    int64
	total   int64
	next    int64 // index behind the last that is shown, whole or in part
}

// shown is how much of a node is shown.
type shown struct {
	taken bool
	bytes int64 // of a string's raw body
	kids  int64 // steps of elements taken
	some  int64 // of a batch, how many elements; 0: all
	part  *picture
}

// draw takes the longest run of steps that fits l, and of the first that does not
// what can be cut: a string, or the first element of an array.
func (v *View) draw(l view.Limit) *picture {
	m := newMeter(l)
	got := make([]shown, len(v.nodes))
	for _, s := range v.listSteps(len(v.nodes)) {
		if v.o.Only && s.level >= keepPenalty {
			break // from here on are elements for which not all rules hold
		}
		pieces := v.stepPieces(&s, m)
		if m.take(s.cost, pieces) {
			got[s.node].taken = true
			if n := &v.nodes[s.node]; s.chunk() < 0 && n.is(isElem) {
				got[n.parent].kids++
			}
			if s.chunk() >= 0 {
				got[s.node].bytes += s.cost
			}
			continue
		}
		v.takePart(&s, m, got)
		break
	}
	for i := range v.nodes {
		if n := &v.nodes[i]; n.is(isGrouped) {
			got[i].taken = got[n.parent].taken
		}
	}
	v.settleStrings(got)
	return v.paint(got)
}

// takePart takes what fits of a step that does not.
func (v *View) takePart(s *step, m *meter, got []shown) {
	n := &v.nodes[s.node]
	g := &got[s.node]
	if s.chunk() >= 0 {
		from := n.val() + 1 + v.pageSkip(s.node) + chunkStart(s.chunk())
		g.bytes += m.prefix(v.arena.get(from, from+s.cost))
		return
	}
	if n.more > 0 {
		g.some = v.takeSome(n, m)
		g.taken = g.some > 0
		return
	}
	if !n.is(isAtomic) || !n.is(isElem) || got[n.parent].kids > 0 || n.end-n.val() <= MaxShort+2 {
		return
	}
	if !m.take(n.lead(), v.leadPieces(n, false)) {
		return
	}
	part := v.drawPart(n, m.limit())
	if part != nil && len(part.pieces) > 0 {
		g.taken, g.part = true, part
	}
}

// firstIndex is the index of the first value that the view can show of a node.
func (v *View) firstIndex(i int32) int64 {
	if i == 0 {
		return v.pageFrom
	}
	return 0
}

// drawPart shows what fits of an element that is kept as bytes.
func (v *View) drawPart(n *node, l view.Limit) *picture {
	raw := v.arena.get(n.val(), n.end)
	sub := New(Options{Retain: n.end - n.val(), MaxRecord: max(MaxShort+2, v.o.MaxRecord/8), Required: v.o.Required})
	sub.grouped = true
	_, _ = sub.Write(raw)
	sub.End()
	if sub.Err() != nil {
		return nil
	}
	pic := sub.draw(l)
	for i := range pic.pieces {
		pic.pieces[i].from += n.val()
		pic.pieces[i].to += n.val()
	}
	for i := range pic.omissions {
		pic.omissions[i].move(n.val())
	}
	return pic
}

// stepPieces lists the pieces of a step, for units other than bytes.
func (v *View) stepPieces(s *step, m *meter) []piece {
	if m.unit == view.Byte {
		return nil
	}
	n := &v.nodes[s.node]
	if s.chunk() >= 0 {
		from := n.val() + 1 + v.pageSkip(s.node) + chunkStart(s.chunk())
		return []piece{v.piece1(from, from+s.cost)}
	}
	list := v.nodePieces(n)
	for j := int(s.node) + 1; j < len(v.nodes) && v.nodes[j].parent >= s.node; j++ {
		if v.nodes[j].parent == s.node && v.nodes[j].is(isGrouped) {
			list = append(list, v.nodePieces(&v.nodes[j])...)
		}
	}
	return list
}

// nodePieces lists what the smallest form of a node shows.
func (v *View) nodePieces(n *node) []piece {
	list := v.leadPieces(n, false)
	if n.is(isAtomic) {
		return append(list, v.piece1(n.val(), n.end))
	}
	list = append(list, v.piece1(n.val(), n.val()+1))
	if n.kind == jsonscan.String {
		return append(list, v.piece1(n.end-1, n.end))
	}
	return append(list, v.piece1(n.close(), n.end))
}

// leadPieces lists separator, name and colon. The first child that is shown has
// no separator.
func (v *View) leadPieces(n *node, first bool) []piece {
	from := n.start
	var list []piece
	switch {
	case n.pre() >= 0 && (!first || n.comma < n.pre()):
		from = n.pre()
	case n.pre() >= 0:
		from = n.comma + 1
	case n.comma >= 0 && !first:
		list = append(list, piece{from: n.comma, to: n.comma + 1, data: []byte{','}})
	}
	if from < n.val() {
		list = append(list, v.piece1(from, n.val()))
	}
	return list
}

func (v *View) piece1(from, to int64) piece {
	return piece{from: from, to: to, data: v.arena.get(from, to)}
}

// settleStrings cuts strings between clusters.
func (v *View) settleStrings(got []shown) {
	for i := range v.nodes {
		n := &v.nodes[i]
		if n.kind != jsonscan.String || n.is(isAtomic) || !got[i].taken {
			continue
		}
		from := n.val() + 1 + v.pageSkip(int32(i))
		if i == 0 && got[i].bytes >= v.pageCap {
			continue // the window ends here, by whole runes
		}
		if got[i].bytes < n.end-1-from {
			raw := v.arena.get(from, min(n.end-1, from+got[i].bytes+lookahead))
			got[i].bytes = int64(snap(raw, int(got[i].bytes)))
		}
	}
}

// paint puts what is shown in the order of the source and accounts for the rest.
func (v *View) paint(got []shown) *picture {
	pic := &picture{shown: got}
	if len(got) == 0 || !got[0].taken {
		v.paintNothing(pic)
		return pic
	}
	b := painter{v: v, pic: pic, got: got}
	for i := range v.nodes {
		if got[i].taken {
			b.closeTo(v.nodes[i].parent)
			b.value(int32(i))
		}
	}
	b.closeTo(-1)
	pic.sort()
	return pic
}

// paintNothing says that not even the smallest form of the root fits.
func (v *View) paintNothing(pic *picture) {
	end := v.rootEnd
	o := omission{Omission: view.Omission{Pointer: v.o.Pointer, Unit: view.Byte, Total: end - v.rootAt,
		Bytes: view.Range{Start: v.rootAt, End: end}, Units: view.Range{End: end - v.rootAt}, Of: v.rootKind.String()}}
	o.rest = []view.Rest{{Pointer: v.o.Pointer, Unit: view.Byte, To: end - v.rootAt, Bytes: o.Bytes}}
	if v.rootKind == jsonscan.String { // bytes of a string are those of its raw body
		o.Total -= 2
		o.Bytes = view.Range{Start: v.rootAt + 1 + v.pageFrom, End: end - 1}
		o.Units = view.Range{Start: v.pageFrom, End: o.Total}
		o.rest = []view.Rest{{Pointer: v.o.Pointer, Unit: view.Byte, From: v.pageFrom, To: min(o.Total, v.pageTo), Bytes: o.Bytes}}
	}
	pic.omissions = append(pic.omissions, o)
}
