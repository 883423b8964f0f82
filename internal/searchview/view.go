package searchview

import (
	"bytes"
	"math"
	"regexp"

	"github.com/toolclip/toolclip/internal/charset"
)

// Options say what to look for and what to keep.
type Options struct {
	Retain  int64          // the largest Limit.Bytes that Plan will be asked for
	Expr    *regexp.Regexp // what to look for; nil finds nothing
	Context int            // lines on either side of a match
	From    int64          // the byte of the source at which the search begins
	Stop    func() bool    // asked often; once true the search ends. nil: never
	MaxHits int            // matches that are kept with their lines; 0: as many as Retain allows
	Charset string         // as declared (WHATWG label); "" detects
	Raw     bool           // control characters are shown as they are
}

// View searches one text. It is for one goroutine.
type View struct {
	o    Options
	p    program
	sz   sizes
	dec  *charset.Decoder
	size int64 // bytes of the source so far
	done bool

	// Offsets below are of the text, in bytes.
	from  int64 // where the search begins; known once the source has come that far
	at    int64 // the end of what has come
	no    int64 // lines that have ended
	start int64 // of the current line
	buf   []byte
	long  *tracker // of the current line, when it is too long to be gathered
	spare *tracker

	stopped  bool
	searched int64  // the end of what was searched, once stopped; of the source
	skipped  []span // of the source: what could not be judged
	work     int64
	keep     keeper
}

// New returns a View of a text yet to come.
func New(o Options) *View {
	if o.Expr == nil {
		o.Expr = nothing
	}
	v := &View{o: o, p: newProgram(o.Expr), sz: usual, dec: charset.New(o.Charset), from: math.MaxInt64}
	v.keep = keeper{context: int64(max(0, o.Context)), retain: max(0, o.Retain), maxHits: o.MaxHits, raw: v.dec.Raw, unkept: unknown}
	return v
}

var nothing = regexp.MustCompile(`[^\x00-\x{10FFFF}]`)

// Write takes the next bytes of the source. It never fails.
func (v *View) Write(p []byte) (int, error) {
	const most = 1 << 20 // so that Stop is asked often
	for q := p; len(q) > 0; {
		n := min(len(q), most)
		v.size += int64(n)
		v.dec.Write(q[:n], v.text)
		q = q[n:]
	}
	v.forget()
	return len(p), nil
}

// End tells that no byte follows.
func (v *View) End() {
	if v.done {
		return
	}
	v.done = true
	v.dec.End(v.text)
	if v.from == math.MaxInt64 && v.o.From <= v.size {
		v.from = v.at // $ matches at the end
	}
	switch {
	case v.long != nil:
		v.endLong(nil)
	case len(v.buf) > 0:
		v.line(v.buf)
		v.buf = nil
	}
}

// text takes the next bytes of the text.
func (v *View) text(p []byte) {
	v.locate(p)
	v.at += int64(len(p))
	for len(p) > 0 {
		p = p[v.take(p):]
	}
}

// locate finds where in the text the search begins, once p has come that far.
func (v *View) locate(p []byte) {
	if v.from != math.MaxInt64 {
		return
	}
	if at := v.dec.Text(v.o.From); at < v.at+int64(len(p)) {
		v.from = at
	}
}

// take uses some bytes of p, which ends at v.at.
func (v *View) take(p []byte) int {
	if v.long != nil {
		return v.feedLong(p)
	}
	if len(v.buf) == 0 {
		if n := v.pass(p); n > 0 {
			return n
		}
	}
	room := v.sz.collect(&v.p) + 1 - len(v.buf)
	n := bytes.IndexByte(p[:min(len(p), room)], '\n') + 1
	switch {
	case n > 0 && len(v.buf) == 0:
		v.line(p[:n])
		return n
	case n > 0:
		v.buf = append(v.buf, p[:n]...)
		v.line(v.buf)
		v.buf = v.buf[:0]
		return n
	case len(p) < room:
		v.buf = append(v.buf, p...)
		return len(p)
	}
	v.buf = append(v.buf, p[:room]...)
	v.beginLong()
	return room
}

// pass skips the lines at the start of p in which nothing can be found. p begins
// with a line.
func (v *View) pass(p []byte) int {
	if v.no < v.keep.afterTo {
		return 0 // they are kept one by one
	}
	run := p
	switch {
	case v.stopped:
	case v.start < v.from:
		run = p[:min(int64(len(p)), v.from-v.start)]
	case v.p.needs == nil || v.poll(int64(len(p)/skimmed), v.start):
		return 0
	default:
		if i := v.p.needs.index(p); i >= 0 {
			run = p[:i]
		}
	}
	n := bytes.LastIndexByte(run, '\n') + 1
	v.keep.passAll(run[:n], v.no, v.start)
	v.no += int64(bytes.Count(run[:n], lineFeed))
	v.start += int64(n)
	return n
}

var lineFeed = []byte{'\n'}

// line takes one whole line.
func (v *View) line(b []byte) {
	ln := v.ref(int64(len(b)))
	text := bytes.TrimSuffix(b, lineFeed)
	if v.from <= ln.start+int64(len(text)) {
		v.judge(text, b, ln)
	}
	v.keep.pass(b, ln)
	v.no++
	v.start = ln.end
}

// ref is the current line, of n bytes.
func (v *View) ref(n int64) lineRef {
	return lineRef{no: v.no, start: v.start, end: v.start + n, rawStart: v.dec.Raw(v.start), rawEnd: v.dec.Raw(v.start + n)}
}

// forget lets the decoder forget how text and source correspond where nobody will
// ask: behind what is kept, before what is still looked at.
func (v *View) forget() {
	if v.dec.Identity() {
		return
	}
	free := charset.Stretch{From: v.keep.end(), To: v.at - 4*v.sz.block}
	if v.long == nil || len(v.long.snap.buf) == 0 {
		v.dec.Forget(free)
		return
	}
	s := piece{v.long.snap.base, v.long.snap.buf}
	v.dec.Forget(charset.Stretch{From: free.From, To: min(s.start, free.To)}, charset.Stretch{From: s.end(), To: free.To})
}
