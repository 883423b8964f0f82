package textview

import (
	"slices"
	"sort"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/view"
)

// kind is what happened to a piece of text on its way to what is shown.
type kind uint8

const (
	verbatim kind = iota // shown as it is
	invalid              // a byte that is no UTF-8
	control              // a control character or a sequence, made visible
	hidden               // a cluster with one hidden character, made visible
	code                 // escape sequences without text, removed
	saying               // escape sequences with text in them, removed
	ending               // a carriage return, shown as a line feed
	atom                 // several changes at once; not divisible
)

// span is a stretch of equal pieces: each piece takes each bytes of text and
// size bytes of what is shown. A verbatim span has pieces of one byte, and its
// stops are found in its bytes.
type span struct {
	text  int64 // where it starts in the text
	out   int   // where it starts in what is shown
	each  int64
	size  int
	n     int64
	kind  kind
	count int32 // code, saying: sequences; atom: index of its changes
	units int64 // runes or clusters of text in each piece; of verbatim pieces their bytes tell
}

func (s span) textEnd() int64 { return s.text + s.each*s.n }
func (s span) outEnd() int    { return s.out + s.size*int(s.n) }

// changes counts what was done to a stretch of text.
type changes struct {
	invalid  int64 // bytes replaced by U+FFFD
	controls int64 // control characters made visible
	hidden   int64 // other characters made visible
	codes    int64 // sequences removed
	folded   int64 // bytes that a terminal would not leave on the line
	repeats  int64 // lines left out because they equal the one before
	endings  int64 // carriage returns shown as line feeds
	said     bool  // removed sequences held text
	lost     bool  // folding dropped something that can't be seen elsewhere
	lines    int64 // line feeds in the text beyond those shown
	units    int64 // runes or clusters of the text of an atom
}

func (c *changes) add(d changes) {
	c.invalid += d.invalid
	c.controls += d.controls
	c.hidden += d.hidden
	c.codes += d.codes
	c.folded += d.folded
	c.repeats += d.repeats
	c.endings += d.endings
	c.said = c.said || d.said
	c.lost = c.lost || d.lost
	c.lines += d.lines
	c.units += d.units
}

// The names of the transforms. Counts are places, except that folding counts
// bytes of the text and repeats count lines.
const (
	InvalidUTF8 = "invalid_utf8"           // bytes shown as U+FFFD; loses
	Undecodable = "undecodable"            // the same in another encoding; loses
	Decoded     = "decoded:"               // followed by the encoding; loses where Undecodable counts
	BOM         = "bom_removed"            // a byte order mark
	Controls    = "control_visible"        // control characters and unapplied escape sequences shown
	Hidden      = "hidden_visible"         // bidi controls, zero-width characters, tags shown
	Codes       = "terminal_codes_removed" // colours, modes; loses where they carried text, as links do
	CREnds      = "cr_line_ends"           // carriage returns shown as line feeds
	Folded      = "terminal_folded"        // bytes overwritten or erased; loses unless only blanks or repetitions
	Repeats     = "repeats_folded"         // lines that equal the one before them; loses: they are told, not shown
	ClusterCut  = "cluster_cut"            // clusters longer than 128 bytes cut at an edge of what is shown
)

// transforms lists the changes that happened.
func (c changes) transforms(charset string) []view.Transform {
	var list []view.Transform
	add := func(name string, n int64, loses bool) {
		if n > 0 {
			list = append(list, view.Transform{Name: name, Count: n, Loses: loses})
		}
	}
	name := InvalidUTF8
	if charset != "" {
		add(Decoded+charset, 1, c.invalid > 0)
		name = Undecodable
	}
	add(name, c.invalid, true)
	add(Controls, c.controls, false)
	add(Hidden, c.hidden, false)
	add(Codes, c.codes, c.said)
	add(CREnds, c.endings, false)
	add(Folded, c.folded, c.lost)
	add(Repeats, c.repeats, true)
	return list
}

// rendering is a stretch of text as it will be shown, with the way back.
type rendering struct {
	out    []byte
	spans  []span
	extras []changes // of atoms
	counts view.Unit // in which text is counted
}

// push appends a piece.
func (r *rendering) push(k kind, at int64, text, shown []byte) {
	textLen, n, units := len(text), int64(1), int64(0)
	if k != verbatim {
		units = measure(r.counts, text)
	}
	each, size := int64(textLen), len(shown)
	if k == verbatim {
		n, each, size = each, 1, 1
	}
	if last := r.last(); last != nil && last.textEnd() == at && last.merge(k, each, size, n, units) {
		r.out = append(r.out, shown...)
		return
	}
	count := int32(0)
	if k == code || k == saying {
		count = 1
	}
	r.spans = append(r.spans, span{at, len(r.out), each, size, n, k, count, units})
	r.out = append(r.out, shown...)
}

func (r *rendering) last() *span {
	if len(r.spans) == 0 {
		return nil
	}
	return &r.spans[len(r.spans)-1]
}

// merge adds n like pieces to s. Sequences that show nothing become one piece:
// there is no use in stopping between them.
func (s *span) merge(k kind, each int64, size int, n, units int64) bool {
	switch {
	case s.removed() && (k == code || k == saying):
		s.each += each
		s.units += units
		s.count++
		s.kind = max(s.kind, k)
		return true
	case k == s.kind && k != atom && each == s.each && size == s.size && units == s.units && !s.removed():
		s.n += n
		return true
	}
	return false
}

func (s *span) removed() bool { return s.kind == code || s.kind == saying }

// pushAtom appends one indivisible piece with what was done to it.
func (r *rendering) pushAtom(text, textLen int64, shown []byte, c changes) {
	r.extras = append(r.extras, c)
	r.spans = append(r.spans, span{text, len(r.out), textLen, len(shown), 1, atom, int32(len(r.extras) - 1), c.units})
	r.out = append(r.out, shown...)
}

// unitsOf counts the text of the pieces of s from lo to hi.
func (r *rendering) unitsOf(s span, lo, hi int64) int64 {
	if s.kind == verbatim {
		return measure(r.counts, r.out[s.out+int(lo):s.out+int(hi)])
	}
	return s.units * (hi - lo)
}

// changesOf counts what was done to n pieces of s.
func (r *rendering) changesOf(s span, n int64) changes {
	if n == 0 {
		return changes{}
	}
	switch s.kind {
	case invalid:
		return changes{invalid: n}
	case control:
		return changes{controls: n}
	case hidden:
		return changes{hidden: n}
	case code, saying:
		return changes{codes: int64(s.count), said: s.kind == saying}
	case ending:
		return changes{endings: n}
	case atom:
		return r.extras[s.count]
	}
	return changes{}
}

// changes counts one piece of kind k.
func (k kind) changes() changes {
	switch k {
	case invalid:
		return changes{invalid: 1}
	case control:
		return changes{controls: 1}
	case hidden:
		return changes{hidden: 1}
	case code, saying:
		return changes{codes: 1, said: k == saying}
	}
	return changes{}
}

// pieceAt is the length, as shown, of the piece that begins at out.
func (r *rendering) pieceAt(out int) int {
	s := r.spans[r.find(out)]
	if s.kind == verbatim {
		return graphemes.Next(r.out[out:s.outEnd()], true)
	}
	return s.size
}

// find is the span that shows the byte at out.
func (r *rendering) find(out int) int {
	return sort.Search(len(r.spans), func(i int) bool { return r.spans[i].outEnd() > out })
}

// split makes a span begin at out, where a piece begins, and returns its index:
// that of the first span that is shown at or after out.
func (r *rendering) split(out int) int {
	i := r.find(out)
	if i == len(r.spans) || r.spans[i].out >= out {
		for i > 0 && r.spans[i-1].out >= out {
			i-- // spans that show nothing belong to what follows
		}
		return i
	}
	head, tail := r.spans[i], r.spans[i]
	head.n = int64((out - head.out) / head.size)
	tail.n -= head.n
	tail.text, tail.out = head.textEnd(), out
	r.spans[i] = head
	r.spans = slices.Insert(r.spans, i+1, tail)
	return i + 1
}

// extrasFrom is the number of changes that the atoms before span i have.
func (r *rendering) extrasFrom(i int) int {
	for _, s := range r.spans[i:] {
		if s.kind == atom {
			return int(s.count)
		}
	}
	return len(r.extras)
}

// clone returns what r has from span i on, with offsets that start at 0.
func (r *rendering) clone(i, out, extras int) *rendering {
	c := &rendering{
		out:    append([]byte(nil), r.out[out:]...),
		spans:  append([]span(nil), r.spans[i:]...),
		extras: append([]changes(nil), r.extras[extras:]...),
		counts: r.counts,
	}
	for k := range c.spans {
		c.spans[k].out -= out
		if c.spans[k].kind == atom {
			c.spans[k].count -= int32(extras)
		}
	}
	return c
}

// truncate drops what r has from span i on.
func (r *rendering) truncate(i, out, extras int) {
	r.spans, r.out, r.extras = r.spans[:i], r.out[:out], r.extras[:extras]
}
