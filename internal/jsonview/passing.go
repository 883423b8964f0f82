package jsonview

import "github.com/toolclip/toolclip/internal/jsonscan"

// Most elements are small and are shown whole or not at all, so that nothing in them
// need be heard of. So each is passed over in silence at first, and its bytes are
// kept. Of one that turns out to be larger than MaxRecord the events are asked for
// again: what it has of them by then is scanned twice. Keep rules alone hear them in
// any case.
type passing struct {
	on   bool
	from int64 // behind its bracket
	lone int64 // lone surrogates before it
	buf  []byte

	// Where the keep rules stood at its bracket.
	judged []progress
	depth  int
}

// passOver passes over the element whose node is the last. That it is too large is
// found at the end of a piece, before it can end.
func (v *View) passOver(k jsonscan.Kind) {
	if v.o.MaxRecord < int64(len(v.p)) {
		return
	}
	p := &v.pass
	p.on, p.from, p.lone = true, v.lastEvent, v.scan.Lone()
	p.judged, p.depth = v.judge.stand(p.judged[:0])
	v.unheard(k)
}

// passable is how many bytes may come before the element that is passed over is as
// large as one may be that is shown whole.
func (v *View) passable() int64 {
	return v.nodes[v.stack[v.spec].node].val() + v.o.MaxRecord - v.total
}

// look hears the events of the element that was passed over, up to offset end.
func (v *View) look(end int64) {
	v.flush(end)
	p := &v.pass
	p.on = false
	p.buf = append(p.buf[:0], v.arena.get(p.from, end)...)
	v.mute = muting{}
	v.judge.resume(p.judged, p.depth)
	v.scan.Rewind(p.buf, v.outer+len(v.stack), p.lone)
	v.p, v.base = p.buf, p.from
	_, _ = v.scan.Write(p.buf) // it was valid before
}
