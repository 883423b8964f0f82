package jsonscan

import (
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	quote = 0x22 * ones
	slash = 0x5C * ones
	blank = 0x20 * ones
	zeros = 0x30 * ones
)

// special has the high bit of each byte of w that ends a run of plain string
// bytes: a quote, a backslash, a control byte or one that is not ASCII. Bits
// above the lowest may be wrong; the lowest is right.
func special(w uint64) uint64 {
	return (((w ^ quote) - ones) | ((w ^ slash) - ones) | (w - blank) | w) & highs
}

// notDigit has the high bit of each byte of w that is no digit, exact up to and
// with the lowest.
func notDigit(w uint64) uint64 {
	x := w ^ zeros // digits are 0 to 9
	return (x | (x + 0x76*ones)) & highs
}

// three says whether the low three bytes of w are a rune of three bytes: not
// overlong (E0 80–9F), not a surrogate (ED A0–BF).
func three(w uint64) bool {
	x := w & 0x200F
	return w&0xC0C0F0 == 0x8080E0 && x != 0 && x != 0x200D
}

// space skips white space from p[i] and counts lines.
func (s *Scanner) space(p []byte, i int) int {
	for i < len(p) {
		switch p[i] {
		case '\n':
			s.line++
			i++
		case ' ', '\t', '\r':
			i++
		default:
			return i
		}
		for i+8 <= len(p) { // indentation
			if x := binary.LittleEndian.Uint64(p[i:]) ^ blank; x != 0 {
				i += bits.TrailingZeros64(x) >> 3
				break
			}
			i += 8
		}
	}
	return i
}

// scan is the state machine. Each label is a state; a state that runs out of
// input saves itself and leaves, and the next call jumps back to it. It is one
// function because its variables are then registers, and because jumps between
// labels are what makes it fast.
func (s *Scanner) scan(p []byte) {
	var (
		i, j  int
		c     byte
		w     uint64
		k     Kind
		st    state
		n     = len(p)
		base  = s.base
		depth = s.depth
		obj   = s.obj
		loud  = s.loud
		gate  = s.gate
		last  = s.last
	)
	switch s.state {
	case atValue:
		goto value
	case atElement:
		goto element
	case atMember:
		goto member
	case atName:
		goto name
	case atColon:
		goto colon
	case afterPart:
		goto afterResumed
	case atEnd:
		goto end
	case inString:
		goto str
	case inRune:
		goto runePart
	case inEscape:
		goto escape
	case inHex:
		goto hex
	case inLiteral:
		goto literal
	case inMinus:
		goto minus
	case inZero:
		goto zero
	case inInt:
		goto integer
	case inDot:
		goto dot
	case inFrac:
		goto frac
	case inE:
		goto exponent
	case inESign:
		goto expSign
	case inExp:
		goto expDigits
	}

element: // the first value of an array, or its end
	if i >= n {
		st = atElement
		goto out
	}
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i >= n {
			st = atElement
			goto out
		}
		c = p[i]
	}
	if c == ']' {
		goto closing
	}
	st = atElement
	goto begin

value:
	if i >= n {
		st = atValue
		goto out
	}
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i >= n {
			st = atValue
			goto out
		}
		c = p[i]
	}
	st = atValue

begin:
	if c == '"' {
		if depth <= gate {
			loud, gate = s.tell(String, depth, base+int64(i))
		}
		i++
		k = String
		for i+8 <= n {
			if m := special(binary.LittleEndian.Uint64(p[i:])); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				if c = p[i]; c == '"' {
					i++
					goto scalarEnd
				}
				s.kind = String
				goto strByte
			}
			i += 8
		}
		s.kind = String
		goto str
	}
	if c-'0' <= 9 || c == '-' {
		if depth <= gate {
			loud, gate = s.tell(Number, depth, base+int64(i))
		}
		i++
		if c == '-' {
			goto minus
		}
		if c == '0' {
			goto zero
		}
		goto integer
	}
	if c|0x20 == '{' { // '[' and '{'
		obj = c == '{'
		if depth <= gate {
			k = Array
			if obj {
				k = Object
			}
			loud, gate = s.tell(k, depth, base+int64(i))
		}
		if !s.push(obj, depth, base+int64(i)) {
			return
		}
		i++
		depth++
		last = base + int64(i)
		if obj {
			goto member
		}
		goto element
	}
	switch c {
	case 't':
		k, s.lit = True, "rue"
	case 'f':
		k, s.lit = False, "alse"
	case 'n':
		k, s.lit = Null, "ull"
	default:
		goto bad
	}
	if depth <= gate {
		loud, gate = s.tell(k, depth, base+int64(i))
	}
	i++
	if i+4 <= n && string(p[i:i+len(s.lit)]) == s.lit {
		i += len(s.lit)
		goto scalarEnd
	}
	s.kind = k
	goto literal

member: // the first member of an object, or its end
	if i >= n {
		st = atMember
		goto out
	}
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i >= n {
			st = atMember
			goto out
		}
		c = p[i]
	}
	if c == '}' {
		goto closing
	}
	st = atMember
	goto beginName

name:
	if i >= n {
		st = atName
		goto out
	}
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i >= n {
			st = atName
			goto out
		}
		c = p[i]
	}
	st = atName

beginName:
	if c != '"' {
		goto bad
	}
	if loud {
		s.depth = depth
		s.h.Begin(Name, base+int64(i))
		loud, gate = s.loud, s.gate
	}
	i++
	for i+8 <= n {
		if m := special(binary.LittleEndian.Uint64(p[i:])); m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			if c = p[i]; c == '"' {
				i++
				goto nameEnd
			}
			s.kind = Name
			goto strByte
		}
		i += 8
	}
	s.kind = Name

str: // inside a string, at a rune's start
	for i+8 <= n {
		w = binary.LittleEndian.Uint64(p[i:])
		if m := special(w); m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			c = p[i]
			goto strByte
		}
		i += 8
	}
	for i < n {
		c = p[i]
		if c == '"' || c == '\\' || c < 0x20 || c >= 0x80 {
			goto strByte
		}
		i++
	}
	st = inString
	goto out

strByte:
	if c == '"' {
		i++
		goto strEnd
	}
	if c == '\\' {
		s.escAt = base + int64(i)
		i++
		goto escape
	}
	if c < 0x20 {
		st = inString
		goto bad
	}
	// Runes of three bytes: most of Chinese, Japanese, Korean.
	for i+8 <= n {
		w = binary.LittleEndian.Uint64(p[i:])
		if !three(w) {
			break
		}
		if i += 3; three(w >> 24) {
			i += 3
			continue
		}
		if c = p[i]; c == '"' {
			i++
			goto strEnd
		}
		if c < 0x80 {
			goto str
		}
		break
	}
	if i >= n {
		st = inString
		goto out
	}
	c = p[i]
	switch {
	case c < 0x80:
		goto str
	case c < 0xC2 || c > 0xF4:
		st = inString
		goto bad
	case c < 0xE0:
		s.more = 1
	case c < 0xF0:
		s.more = 2
	default:
		s.more = 3
	}
	s.lo, s.hi = 0x80, 0xBF
	switch c {
	case 0xE0:
		s.lo = 0xA0
	case 0xED:
		s.hi = 0x9F
	case 0xF0:
		s.lo = 0x90
	case 0xF4:
		s.hi = 0x8F
	}
	i++

runePart:
	for ; s.more > 0; i++ {
		if i >= n {
			st = inRune
			goto out
		}
		if c = p[i]; c < s.lo || c > s.hi {
			st = inRune
			goto bad
		}
		s.more--
		s.lo, s.hi = 0x80, 0xBF
	}
	if i < n {
		if c = p[i]; c >= 0x80 {
			goto strByte
		}
	}
	goto str

escape: // behind a backslash
	if i >= n {
		st = inEscape
		goto out
	}
	switch c = p[i]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		i++
		goto str
	case 'u':
		i++
		s.hex, s.code = 0, 0
	default:
		st = inEscape
		goto bad
	}

hex:
	for ; s.hex < 4; i++ {
		if i >= n {
			st = inHex
			goto out
		}
		c = p[i]
		switch {
		case c >= '0' && c <= '9':
			j = int(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			j = int(c|0x20-'a') + 10
		default:
			st = inHex
			goto bad
		}
		s.code = s.code<<4 | uint16(j)
		s.hex++
	}
	if s.code >= 0xD800 {
		s.surrogate(s.code, s.escAt)
	}
	goto str

strEnd:
	if k = s.kind; k != Name {
		goto scalarEnd
	}

nameEnd:
	if loud {
		s.depth = depth
		s.h.End(Name, base+int64(i), 0, base+int64(i))
		loud, gate = s.loud, s.gate
	}

colon:
	if i >= n {
		st = atColon
		goto out
	}
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i >= n {
			st = atColon
			goto out
		}
		c = p[i]
	}
	if c != ':' {
		st = atColon
		goto bad
	}
	i++
	if i+1 < n && p[i] == ' ' && p[i+1] > ' ' {
		i++
	}
	goto value

literal:
	for len(s.lit) > 0 {
		if i >= n {
			st = inLiteral
			goto out
		}
		if c = p[i]; c != s.lit[0] {
			st = inLiteral
			goto bad
		}
		s.lit = s.lit[1:]
		i++
	}
	k = s.kind
	goto scalarEnd

minus:
	if i >= n {
		st = inMinus
		goto out
	}
	c = p[i]
	i++
	switch {
	case c == '0':
		goto zero
	case c >= '1' && c <= '9':
		goto integer
	}
	i--
	st = inMinus
	goto bad

zero:
	if i >= n {
		st = inZero
		goto out
	}
	if c = p[i]; c-'0' <= 9 {
		st = inZero
		goto bad
	}
	goto fraction

integer:
	for j = min(n, i+4); i < j && p[i]-'0' <= 9; i++ {
	}
	if i < j {
		goto fraction
	}
	for i+8 <= n {
		if m := notDigit(binary.LittleEndian.Uint64(p[i:])); m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			goto fraction
		}
		i += 8
	}
	for i < n && p[i]-'0' <= 9 {
		i++
	}
	if i >= n {
		st = inInt
		goto out
	}

fraction:
	c = p[i]
	if c == '.' {
		i++
		goto dot
	}
	if c|0x20 == 'e' {
		i++
		goto exponent
	}
	k = Number
	goto scalarEnd

dot:
	if i >= n {
		st = inDot
		goto out
	}
	if c = p[i]; c-'0' > 9 {
		st = inDot
		goto bad
	}
	i++

frac:
	for i+8 <= n {
		if m := notDigit(binary.LittleEndian.Uint64(p[i:])); m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			goto fracEnd
		}
		i += 8
	}
	for i < n && p[i]-'0' <= 9 {
		i++
	}
	if i >= n {
		st = inFrac
		goto out
	}

fracEnd:
	if c = p[i]; c|0x20 == 'e' {
		i++
		goto exponent
	}
	k = Number
	goto scalarEnd

exponent:
	if i >= n {
		st = inE
		goto out
	}
	if c = p[i]; c == '+' || c == '-' {
		i++
		goto expSign
	}
	if c-'0' > 9 {
		st = inE
		goto bad
	}
	i++
	goto expDigits

expSign:
	if i >= n {
		st = inESign
		goto out
	}
	if c = p[i]; c-'0' > 9 {
		st = inESign
		goto bad
	}
	i++

expDigits:
	for i < n && p[i]-'0' <= 9 {
		i++
	}
	if i >= n {
		st = inExp
		goto out
	}
	k = Number

scalarEnd:
	if loud {
		s.depth = depth
		s.h.End(k, base+int64(i), 0, base+int64(i))
		loud, gate = s.loud, s.gate
	}

after: // a value ends at i
	last = base + int64(i)

afterResumed:
	if depth == 0 {
		goto end
	}
	if i >= n {
		st = afterPart
		goto out
	}
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i >= n {
			st = afterPart
			goto out
		}
		c = p[i]
	}
	if c == ',' {
		if loud {
			s.comma = base + int64(i)
		}
		i++
		if obj {
			goto name
		}
		goto value
	}
	if c == '}' && obj || c == ']' && !obj {
		goto closing
	}
	st = afterPart
	goto bad

closing: // p[i] closes the innermost container
	i++
	k = Array
	if obj {
		k = Object
	}
	if depth == gate {
		s.loud, s.gate = true, math.MaxInt
		s.depth = depth
		s.h.End(k, base+int64(i), s.silent, last)
		s.silent = 0
		loud, gate = s.loud, s.gate
	} else if loud {
		s.depth = depth
		s.h.End(k, base+int64(i), 0, last)
		loud, gate = s.loud, s.gate
	}
	depth--
	obj = s.isObject(depth)
	goto after

end:
	if i < n {
		if i = s.space(p, i); i < n {
			c = p[i]
			st = atEnd
			goto bad
		}
	}
	st = atEnd

out:
	s.state = st
	s.base = base + int64(n)
	s.depth, s.obj, s.last = depth, obj, last
	return

bad:
	s.fail(st, c, base+int64(i))
}
