package textview

import "github.com/toolclip/toolclip/internal/charset"

// forget lets the decoder drop the way back from text that will not be shown:
// what lies between the head and the tail, and behind the window.
func (v *View) forget() {
	if v.dec.Identity() {
		return
	}
	head, end := v.headEnd(), v.text
	if v.win.state == after {
		end = v.win.stop
	}
	forget := []charset.Stretch{{From: head, To: min(v.tailStart(), end-decodeBlock)}}
	if v.tail != nil && v.tail.fold != nil {
		forget = append(forget, charset.Stretch{From: max(head, v.tail.fold.row.text), To: end - 2*rawKept})
	}
	if v.repeats != nil {
		forget = append(forget, charset.Stretch{From: max(head, v.runStart()), To: end - repeatMax - decodeBlock})
	}
	v.dec.Forget(append(forget, charset.Stretch{From: end, To: v.text - decodeBlock})...)
}

// tailStart is where the text begins that the tail has or may yet have.
func (v *View) tailStart() int64 {
	if v.tail != nil {
		return v.tail.ring.oldest()
	}
	return v.text
}

// runStart is where the copies of the current line begin, of which the ends of
// the window know nothing yet.
func (v *View) runStart() int64 {
	r := v.repeats
	return v.text - int64(len(r.part)) - r.more*int64(len(r.line))
}

// decodeBlock is more than the text that the decoder gives out at once.
const decodeBlock = 8 << 10

// headEnd is where the text ends that the head has or may yet have.
func (v *View) headEnd() int64 {
	switch {
	case v.head == nil:
		return 0
	case v.full && len(v.head.spans) > 0:
		return v.head.spans[len(v.head.spans)-1].textEnd()
	case v.repeats != nil:
		return v.runStart()
	case v.head.row.overrun:
		return v.head.kept()
	}
	return v.text
}

// kept is where the text ends that r has as it came: what is shown of the first row
// where that does not fit as a terminal leaves it.
func (r *renderer) kept() int64 {
	if last := r.last(); last != nil {
		return max(r.row.text, last.textEnd())
	}
	return r.row.text
}
