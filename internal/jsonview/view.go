package jsonview

import (
	"slices"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// View reads one JSON document and keeps what a view of it can need. Write the
// document, call End, ask Err, then ask for any number of Plans. A View is not
// safe for concurrent use.
type View struct {
	o    Options
	path []string
	scan *jsonscan.Scanner
	err  error // of the options

	whole []byte // the document as far as it fits Retain
	total int64

	// The piece that is being scanned, what came just before it, and from where on
	// it is kept.
	p      []byte
	base   int64
	before []byte
	on     bool
	onFrom int64

	arena     arena
	lastEvent int64 // nothing before it is needed but what nodes name

	seek     seeker
	rootAt   int64 // where the value at Options.Pointer begins; -1: not seen
	rootEnd  int64
	rootKind jsonscan.Kind
	outer    int // brackets open around it
	pageFrom int64
	pageTo   int64
	pageEnd  int64 // behind the last value of the window, if others follow

	nodes   []node
	stack   []frame
	open    int32 // the scalar that is open, -1: none, or none that is kept
	spec    int   // the outermost open element that may yet be shown whole; index in stack, -1: none
	skipped bool  // a container without a node is being skipped
	grouped bool  // the root object keeps all its members
	first   child // the first value of the page
	sums    []sum
	sumRoom int // how many before those of no node are dropped
	raw     rawWindow
	window  stringWindow
	pageCap int64 // bytes of a paged string's body that the window holds
	passed  nameFilter
	mute    muting
	pass    passing
	judge   judge
	lists   lists

	full bool
	edge step // no step behind it fits Retain

	nodeRoom, byteRoom int // what may be kept before the next prune
	slack              int // of both, in bytes
	loud               int // bytes scanned between looks at them
	steps              []step
	marks              []int64
	sides              []side
	spans              []span
}

// child is the first value in the window of a page.
type child struct {
	kind                  jsonscan.Kind
	seen                  bool
	nameAt, start, end, n int64
	again                 bool   // an earlier member may have the name
	name                  []byte // raw and in quotes; nil: none, or too long
}

// New returns a View. Options that make no sense are Err's error.
func New(o Options) *View {
	v := &View{open: -1, spec: -1, rootAt: -1}
	v.o, v.path, v.err = o.check()
	if v.err != nil {
		return v
	}
	v.scan = jsonscan.New(events{v}, 0)
	v.slack, v.loud = pruneSlack, loudPiece
	v.room(0, int(min(v.o.Retain, 1<<30))*2/3)
	v.nodes, v.stack, v.spans = make([]node, 0, 64), make([]frame, 0, 16), make([]span, 0, 32)
	v.arena.segs = make([]segment, 0, 32)
	v.before = make([]byte, 0, 2*maxGap)
	v.judge.rules, v.judge.all = v.o.Keep, v.o.Only
	return v
}

// room sets how much may be kept before the next prune, when so much is needed.
func (v *View) room(nodes, bytes int) {
	v.nodeRoom, v.byteRoom = nodes+nodes/8+v.slack/16, 2*bytes+v.slack
}

const (
	pruneSlack = 8 << 10
	loudPiece  = 1 << 10  // bytes scanned between looks at the memory in use
	quietPiece = 64 << 10 // the same while nothing is kept
)

// Write reads the next bytes of the document. It never fails: see Err.
func (v *View) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if v.Err() != nil {
			v.total += int64(len(p))
			break
		}
		piece := p[:min(len(p), v.loud)]
		if !v.on && v.rootAt >= 0 {
			piece = p[:min(len(p), quietPiece)]
		}
		if v.pass.on {
			piece = p[:min(int64(len(p)), v.passable())]
		}
		v.piece(piece)
		p = p[len(piece):]
	}
	return n, nil
}

func (v *View) piece(p []byte) {
	if room := v.o.Retain - int64(len(v.whole)); room > 0 && int64(len(v.whole)) == v.total {
		v.whole = appendBytes(v.whole, p[:min(int64(len(p)), room)])
	}
	v.p, v.base = p, v.total
	v.total += int64(len(p))
	if _, err := v.scan.Write(p); err != nil {
		return
	}
	v.endPiece()
	v.remember(p)
	v.p = nil
}

// endPiece hands the piece to what looks at bytes and not at events, and keeps
// the memory within bounds.
func (v *View) endPiece() {
	end := v.base + int64(len(v.p))
	if v.pass.on && v.passable() <= 0 {
		v.look(end)
	}
	v.raw.take(v, end)
	v.blobBytes(end)
	v.seekString(end, false)
	v.flush(end)
	if v.on && end-v.lastEvent > v.longest() {
		v.drop(end)
	}
	if len(v.nodes) > v.nodeRoom || len(v.arena.buf) > v.byteRoom {
		v.prune()
	}
}

// longest is how many bytes without an event can be of use.
func (v *View) longest() int64 { return v.o.Retain + v.o.MaxRecord + 2*MaxName + lookahead }

// remember keeps the last bytes of the piece, for white space before a bracket.
func (v *View) remember(p []byte) {
	const room = 2 * maxGap
	if len(p) >= room {
		v.before = append(v.before[:0], p[len(p)-room:]...)
		return
	}
	if over := len(v.before) + len(p) - room; over > 0 {
		v.before = slices.Delete(v.before, 0, over)
	}
	v.before = append(v.before, p...)
}

// End says that the document ends here.
func (v *View) End() {
	if v.err != nil {
		return
	}
	v.p, v.base = nil, v.total
	if v.scan.Close() == nil && v.rootAt < 0 {
		v.err = ErrNoValue
	}
}

// Err says why there is no view: a *jsonscan.SyntaxError if the bytes are not one
// JSON value, ErrNoValue, or what is wrong with the Options. It is nil while
// nothing is wrong so far.
func (v *View) Err() error {
	if v.err != nil {
		return v.err
	}
	return v.scan.Err()
}

// Total is the number of bytes written.
func (v *View) Total() int64 { return v.total }

// keep begins to keep bytes at offset from, which lies in this piece or at most
// 2·maxGap before it.
func (v *View) keep(from int64) {
	if v.on {
		return
	}
	from = max(from, v.arena.end())
	if from < v.base {
		v.arena.add(from, v.before[int64(len(v.before))-(v.base-from):])
		from = v.base
	}
	v.on, v.onFrom = true, from
}

// flush puts the bytes before offset to into the arena.
func (v *View) flush(to int64) {
	if v.on && to > v.onFrom {
		v.arena.add(v.onFrom, v.p[v.onFrom-v.base:to-v.base])
		v.onFrom = to
	}
}

// drop stops keeping at offset at.
func (v *View) drop(at int64) {
	v.flush(at)
	v.on = false
}

// isRawPage says whether a page of the bytes of a value that is no string is asked for.
func (v *View) isRawPage() bool {
	return v.o.paged() && v.o.Unit == view.Byte && v.rootKind != jsonscan.String
}
