package jsonscan

import (
	"encoding/binary"
	"math"
	"math/bits"
)

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
		k     Kind
		st    = s.state
		n     = len(p)
		base  = s.base
		depth = s.depth
		obj   = s.obj
		loud  = s.loud
		gate  = s.gate
		last  = s.last
		wake  = s.wake(n)
	)

resume:
	switch st {
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
	if !loud && c|0x20 != '{' {
		s.follow()
	}
	if c == '"' {
		if depth <= gate {
			loud, gate = s.tell(String, depth, base+int64(i))
		}
		i++
		k = String
		for i >= 0 && i <= n-8 {
			if m := special(load(p, i)); m != 0 {
				if i += bits.TrailingZeros64(m) >> 3; p[i] == '"' {
					i++
					goto scalarEnd
				}
				break
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
	for i >= 0 && i <= n-8 {
		if m := special(load(p, i)); m != 0 {
			if i += bits.TrailingZeros64(m) >> 3; p[i] == '"' {
				i++
				goto nameEnd
			}
			break
		}
		i += 8
	}
	s.kind = Name

str: // inside a string, at a rune's start
	i = text(p, i)
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
	switch {
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
	if last >= wake && !loud && n-i >= 2*margin && depth > 0 && depth <= runDepth {
		s.depth = depth
		i, st = s.fast(p, i) // and go on where it stops
		depth, obj, last, wake = s.depth, s.nest&1 == 1, s.last, s.gaps.wake
		goto resume
	}

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
	obj = s.pop(depth)
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
