package jsonscan

import "math"

// DefaultMaxDepth is the deepest nesting that a Scanner accepts unless told
// otherwise: 8 Mi open brackets, 1 MiB of memory.
const DefaultMaxDepth = 8 << 20

// Kind is the kind of a value, or of an object member's name.
type Kind uint8

// The kinds.
const (
	Name Kind = iota
	Object
	Array
	String
	Number
	True
	False
	Null
)

var kindNames = [...]string{"name", "object", "array", "string", "number", "true", "false", "null"}

// String is the kind in lower case.
func (k Kind) String() string { return kindNames[k] }

// Handler hears of names and values in the order of the source. Offsets are
// 0-based positions in the whole input, whatever the writes.
type Handler interface {
	// Begin is called at the first byte of a name or value.
	Begin(k Kind, at int64)
	// End is called when a name or value is complete; end is the offset behind
	// it. For a container that Skip or SkipTo made silent, n is the number of
	// its values that began in silence, otherwise 0, and last is the offset
	// behind its last child (or its opening bracket); for others last is end.
	End(k Kind, end, n, last int64)
}

type state uint8

const (
	atValue state = iota
	atElement
	atMember
	atName
	atColon
	afterPart
	atEnd
	inString
	inRune
	inEscape
	inHex
	inLiteral
	inMinus
	inZero
	inInt
	inDot
	inFrac
	inE
	inESign
	inExp
)

// Scanner checks one JSON value that is written to it piece by piece. Use [New].
// It is not safe for concurrent use.
type Scanner struct {
	h        Handler
	maxDepth int

	state state
	kind  Kind // of the string or literal that is open
	base  int64
	line  int64
	last  int64 // offset behind the last complete child of the open container
	comma int64 // offset of the last comma while events are on
	lone  int64
	err   *SyntaxError

	depth int
	nest  uint64   // one bit for each of the innermost brackets, 1 is an object; the lowest is the innermost
	bits  []uint64 // those of the others, 64 a word
	gaps  *gaps    // nil until it pays
	obj   bool     // the innermost is an object

	loud   bool // events are on
	gate   int  // silent: the depth whose values are counted; loud: no depth is deeper
	silent int64
	floor  int // silent: the depth down to which fast closes brackets
	most   int // the depth up to which it opens them

	lit    string // what is left of the literal
	hex    int    // digits of a \u escape that were read
	code   uint16 // their value
	high   int64  // offset behind the last high surrogate escape, -1 none
	escAt  int64  // offset of the open escape
	more   int    // continuation bytes that the open rune lacks
	lo, hi byte   // the range of the next one

	watch watch
}

// New returns a Scanner that tells h; a nil h hears nothing. Nesting deeper than
// maxDepth is an error; 0 means [DefaultMaxDepth].
func New(h Handler, maxDepth int) *Scanner {
	if maxDepth <= 0 {
		maxDepth = DefaultMaxDepth
	}
	s := &Scanner{h: h, maxDepth: maxDepth, line: 1, high: -1, comma: -1, loud: true, gate: math.MaxInt, most: min(maxDepth, runDepth), watch: watch{depth: -1}}
	if h == nil {
		s.Mute()
	}
	return s
}

// Write scans p. It returns a *SyntaxError for the first byte that cannot be
// there, and the same one ever after. Small and large writes give the same
// events.
func (s *Scanner) Write(p []byte) (int, error) {
	if s.err == nil {
		s.scan(p)
	}
	if s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}

// Close says that the input ends here. It returns nil if it was exactly one JSON
// value, else the *SyntaxError.
func (s *Scanner) Close() error {
	if s.err != nil {
		return s.err
	}
	switch s.state {
	case inZero, inInt, inFrac, inExp:
		if s.depth == 0 {
			if s.loud {
				s.h.End(Number, s.base, 0, s.base)
			}
			s.state = atEnd
		}
	}
	if s.state != atEnd {
		s.err = &SyntaxError{Offset: s.base, Line: s.line, Reason: "the input ends where JSON has " + wants[s.state], Cause: ErrEnd}
		return s.err
	}
	return nil
}

// Err returns the *SyntaxError found so far, or nil.
func (s *Scanner) Err() error {
	if s.err == nil {
		return nil
	}
	return s.err
}

// Offset is the number of bytes written before the current Write.
func (s *Scanner) Offset() int64 { return s.base }

// Comma is the offset of the last comma seen while events were on, -1 for none.
func (s *Scanner) Comma() int64 { return s.comma }

// Lone is the number of lone surrogate escapes so far.
func (s *Scanner) Lone() int64 { return s.lone }

// Skip, called in Begin of a container, makes the scanner silent until that
// container ends; its End is told. In Begin of anything else it does nothing.
func (s *Scanner) Skip(k Kind) {
	if k == Object || k == Array {
		s.hush(s.depth + 1)
	}
}

// SkipTo makes the scanner silent until the container at depth (1 is the root)
// ends; its End is told.
func (s *Scanner) SkipTo(depth int) { s.hush(depth) }

// Mute makes the scanner silent for good.
func (s *Scanner) Mute() { s.hush(-1) }

// Depth, called in Begin or End, is the number of open brackets; in Begin of a
// container its own is not among them, in End of a container it is.
func (s *Scanner) Depth() int { return s.depth }

func (s *Scanner) hush(depth int) {
	s.loud, s.gate, s.silent = false, depth, 0
	s.floor = max(depth, 1)
}

// tell tells of a value that begins, or counts it in silence. It returns what its
// caller keeps in registers.
func (s *Scanner) tell(k Kind, depth int, at int64) (loud bool, gate int) {
	if depth == s.watch.depth {
		s.watch.note(at)
	}
	if s.loud {
		s.depth = depth
		s.h.Begin(k, at)
	} else {
		s.silent++
	}
	return s.loud, s.gate
}

// fail records the error at p[i].
func (s *Scanner) fail(st state, c byte, at int64) {
	s.err = &SyntaxError{Offset: at, Line: s.line, Reason: describe(st, c, at)}
}

// push opens a bracket; depth is the number open before it.
func (s *Scanner) push(obj bool, depth int, at int64) bool {
	if depth >= s.maxDepth {
		s.err = &SyntaxError{Offset: at, Line: s.line, Reason: "more brackets are open than can be followed", Cause: ErrDepth}
		return false
	}
	if depth&63 == 0 && depth > 0 {
		s.bits = append(s.bits, s.nest)
	}
	s.nest <<= 1
	if obj {
		s.nest |= 1
	}
	return true
}

// pop closes a bracket, after which depth are open, and says whether the
// innermost of them is an object's.
func (s *Scanner) pop(depth int) bool {
	s.nest >>= 1
	if depth&63 == 0 && depth > 0 {
		s.nest = s.bits[len(s.bits)-1]
		s.bits = s.bits[:len(s.bits)-1]
	}
	return s.nest&1 == 1
}

// wake is the offset from which on fast is of use. A short input is not worth the
// memory.
func (s *Scanner) wake(n int) int64 {
	if s.gaps == nil {
		if s.base+int64(n) < minInput {
			return math.MaxInt64
		}
		s.gaps = newGaps()
	}
	return s.gaps.wake
}

// minInput is the length in bytes from which on gaps are remembered.
var minInput = int64(16 << 10)

// surrogate counts the escape of a surrogate that begins at offset at.
func (s *Scanner) surrogate(code uint16, at int64) {
	switch {
	case code < 0xD800 || code > 0xDFFF:
	case code < 0xDC00:
		s.lone++
		s.high = at + 6
	case s.high == at:
		s.lone--
		s.high = -1
	default:
		s.lone++
	}
}

// Check returns nil if p is one JSON value, else a *SyntaxError.
func Check(p []byte) error {
	s := New(nil, 0)
	if _, err := s.Write(p); err != nil {
		return err
	}
	return s.Close()
}

// Valid reports whether p is one JSON value in UTF-8.
func Valid(p []byte) bool { return Check(p) == nil }

// Loud says whether the next event will be told.
func (s *Scanner) Loud() bool { return s.loud }
