package jsonscan

import "math/bits"

const (
	margin   = 64 // bytes that must be there to read a scalar of the usual length
	runDepth = 63 // the most brackets open while it runs
)

// States that do not leave this file.
const (
	atScalar   state = 100 + iota // p[i] begins a scalar
	unexpected                    // the gap at p[i] is not the expected one
)

// startsScalar has the bytes with which a scalar may begin.
var startsScalar = [256]bool{
	'"': true, '-': true, 't': true, 'f': true, 'n': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
}

// fast goes on behind a value that ends at p[i], in silence and as far as what
// comes is usual. It returns where it stops, and the state there. It stops before
// anything that ends the silence or may be an error, which scan then judges, and
// before the end of p.
func (s *Scanner) fast(p []byte, i int) (int, state) {
	g := s.gaps
	st := afterPart
	for {
		i, st = s.run(p, i, st)
		if st != unexpected {
			return i, st
		}
		if !g.miss(s.base + int64(i)) {
			return i, afterPart
		}
		if i, st = s.walk(p, i); st != atScalar {
			g.at = &g.none
			return i, st
		}
		g.learn(p, i, s)
	}
}

// run reads scalars as long as the gaps between them are the expected ones. It
// begins at the state atScalar, or else behind a value.
func (s *Scanner) run(p []byte, i int, st state) (int, state) {
	var (
		c       byte
		j, k    int
		m, w, d uint64
		b       *[margin]byte
		at      = s.gaps.at
		depth   = s.depth
		nest    = s.nest
		x       *gap
	)
	p = p[:len(p):len(p)] // one bound for all checks
	if st == atScalar {
		goto scalar
	}

gap:
	x = at.next
try:
	j = i + int(x.size)
	if i < 0 || i > len(p)-margin || j < 0 || j > len(p)-margin {
		st = afterPart
		goto out
	}
	b = (*[margin]byte)(p[i : i+margin])
	d = (word8(b, 0)^x.w0)&x.m0 | (word8(b, 8)^x.w1)&x.m1 | (nest^x.kinds)&x.mask
	if len(x.more) > 0 {
		k = i + 16
		for _, w = range x.more[:len(x.more)-1] {
			d |= load(p, k) ^ w
			k += 8
		}
		d |= (load(p, k) ^ x.more[len(x.more)-1]) & x.last
	}
	if d != 0 || !startsScalar[p[j]] {
		if x != at.other {
			x = at.other // and if it is that, it comes first from now on
			goto try
		}
		st = unexpected
		goto out
	}
	if x.rise > 0 { // brackets are in it
		k = depth - int(x.pops)
		if k < s.floor || k+int(x.rise) > s.most {
			st = unexpected
			goto out
		}
		if k == s.gate && x.begun > 0 {
			if k == s.watch.depth {
				if s.base+int64(j) > s.watch.from {
					st = unexpected // walk notes where
					goto out
				}
				s.watch.items += int64(x.begun)
			}
			s.silent += int64(x.begun)
		}
		depth = k + int(x.pushes)
		nest = nest>>(x.pops&63)<<(x.pushes&63) | x.pushed
	}
	if x == at.other {
		at.next, at.other = x, at.next
	}
	at = x
	i = j
	s.line += int64(x.lines)

scalar:
	if i < 0 || i > len(p)-margin {
		st = atValue
		goto out
	}
	if depth == s.gate {
		if depth == s.watch.depth {
			if s.base+int64(i) >= s.watch.from {
				st = atValue // scan notes where
				goto out
			}
			s.watch.items++
		}
		s.silent++
	}
	b = (*[margin]byte)(p[i : i+margin])
	switch c = b[0]; c {
	case '"':
		if m = special(word8(b, 1)); m != 0 {
			if j = bits.TrailingZeros64(m) >> 3; b[1+j] == '"' {
				i += j + 2
				goto gap
			}
			i += j + 1
		} else if m = special(word8(b, 9)); m != 0 {
			if j = bits.TrailingZeros64(m) >> 3; b[9+j] == '"' {
				i += j + 10
				goto gap
			}
			i += j + 9
		} else {
			i += 17
		}
		if i = text(p, i); i < len(p) && p[i] == '"' {
			i++
			goto gap
		}
		s.kind = String
		st = inString
		goto out
	case 't':
		if uint32(word8(b, 0)) == 't'|'r'<<8|'u'<<16|'e'<<24 {
			i += 4
			goto gap
		}
		goto odd
	case 'n':
		if uint32(word8(b, 0)) == 'n'|'u'<<8|'l'<<16|'l'<<24 {
			i += 4
			goto gap
		}
		goto odd
	case 'f':
		if uint32(word8(b, 1)) == 'a'|'l'<<8|'s'<<16|'e'<<24 {
			i += 5
			goto gap
		}
		goto odd
	}

	// A number. j is where its digits begin, d how many there are.
	j = i
	if c == '-' {
		j++
	}
	w = load(p, j)
	m = notDigit(w)
	d = uint64(bits.TrailingZeros64(m) >> 3)
	if d == 0 || d > 1 && byte(w) == '0' {
		goto odd
	}
	i = j + int(d)
	if c = p[i]; c == '.' && m != 0 {
		i++
		if m &= m - 1; m != 0 { // the end is behind the point
			j += bits.TrailingZeros64(m) >> 3
		} else if m = notDigit(load(p, j+8)); m != 0 {
			j += 8 + bits.TrailingZeros64(m)>>3
		} else {
			j += 16 + bits.TrailingZeros64(notDigit(load(p, j+16)))>>3
		}
		if c = p[j]; j == i || c-'0' <= 9 {
			st = inDot
			goto out
		}
		i = j
	} else if m == 0 {
		if m = notDigit(load(p, i)); m == 0 {
			i += 8
			m = notDigit(load(p, i))
		}
		i += bits.TrailingZeros64(m) >> 3
		if c = p[i]; m == 0 || c == '.' {
			st = inInt
			goto out
		}
	}
	if c|0x20 != 'e' {
		goto gap
	}
	j = i + 1
	if c = p[j]; c == '+' || c == '-' {
		j++
	}
	m = notDigit(load(p, j))
	d = uint64(bits.TrailingZeros64(m) >> 3)
	if d == 0 || m == 0 {
		st = inFrac
		goto out
	}
	i = j + int(d)
	goto gap

odd: // what begins at p[i] is no scalar, and scan says why
	st = atValue

out:
	s.depth, s.nest = depth, nest
	s.last = s.base + int64(i)
	s.gaps.at = at
	return i, st
}
