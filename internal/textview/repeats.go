package textview

import (
	"bytes"
	"fmt"

	"github.com/toolclip/toolclip/internal/view"
)

// repeatMax is the length in bytes of the longest line that is compared with the
// one before it.
const repeatMax = 4096

// repeats replaces the copies in a run of identical lines by a line that says
// how many there were. The first of the run stays, and short runs that such a
// line would not shorten.
type repeats struct {
	write func([]byte)                           // text as it came
	whole func(n int64, shown []byte, c changes) // n bytes of text as something else
	line  []byte                                 // the line of the run, "" where there is none
	more  int64                                  // copies of it after the first
	part  []byte                                 // a line that has not ended
	long  bool                                   // inside a line that is too long to compare
	unit  view.Unit                              // in which text is counted
}

func (r *repeats) take(p []byte) {
	for len(p) > 0 {
		n := bytes.IndexByte(p, '\n') + 1
		ended := n > 0
		if !ended {
			n = len(p)
		}
		switch {
		case r.long:
			r.write(p[:n])
			r.long = !ended
		case len(r.part)+n > repeatMax:
			r.flush()
			r.write(r.part)
			r.write(p[:n])
			r.part, r.long = r.part[:0], !ended
		case !ended:
			r.part = append(r.part, p...)
		case len(r.part) > 0:
			r.part = append(r.part, p[:n]...)
			r.complete(r.part)
			r.part = r.part[:0]
		default:
			r.complete(p[:n])
		}
		p = p[n:]
	}
}

// complete takes a line with its line feed.
func (r *repeats) complete(line []byte) {
	if bytes.Equal(line, r.line) {
		r.more++
		return
	}
	r.flush()
	r.line = append(r.line[:0], line...)
	r.write(line)
}

// flush ends the run.
func (r *repeats) flush() {
	if r.more > 0 {
		said := fmt.Appendf(nil, "[%d more of this line]\n", r.more)
		n := r.more * int64(len(r.line))
		if n > int64(len(said)) {
			r.whole(n, said, changes{repeats: r.more, lines: r.more - 1, units: r.more * measure(r.unit, r.line)})
		} else {
			r.write(bytes.Repeat(r.line, int(r.more)))
		}
	}
	r.line, r.more = r.line[:0], 0
}

// end writes what is held.
func (r *repeats) end() {
	r.flush()
	r.write(r.part)
	r.part = nil
}
