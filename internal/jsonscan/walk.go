package jsonscan

// walk goes by the grammar from the end of a value at p[i] to the next scalar. It
// returns where it stops and the state there: atScalar, or the state in which scan
// is to go on. Before it must be margin bytes.
func (s *Scanner) walk(p []byte, i int) (int, state) {
	var (
		c         byte
		st        state
		m, w      uint64
		n         = len(p) - margin // from here on it stops
		g         = s.gaps
		depth     = s.depth
		nest      = s.nest
		low, peak = depth, depth
		begun     = int32(0)
		end       = i // behind the last complete child of the open container
	)
	g.start, g.depth, g.kinds, g.line = i, depth, nest, s.line

after: // a value has ended
	st = afterPart
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i > n {
			goto out
		}
		c = p[i]
	}
	if c != ',' {
		goto closing
	}
	i++
	if nest&1 == 0 {
		goto value
	}
	st = atName
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i > n {
			goto out
		}
		c = p[i]
	}
	if c == '"' {
		goto name
	}
	goto out

closing:
	if i > n || depth <= s.floor || c != ']' && c != '}' || (c == '}') != (nest&1 == 1) {
		goto out
	}
	i++
	end = i
	depth--
	nest >>= 1
	if depth < low {
		low, begun = depth, 0
	}
	goto after

value:
	st = atValue
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i > n {
			goto out
		}
		c = p[i]
	}

begin:
	if i > n {
		goto out
	}
	if startsScalar[c] {
		g.low, g.peak, g.begun = low, peak, begun
		st = atScalar
		goto out
	}
	if c|0x20 != '{' || depth >= s.most { // '[' and '{'
		goto out
	}
	if depth == s.gate {
		if depth == s.watch.depth {
			s.watch.note(s.base + int64(i))
		}
		s.silent++
	}
	if depth == low {
		begun++
	}
	depth++
	peak = max(peak, depth)
	nest <<= 1
	i++
	end = i
	st = atElement
	if c == '{' {
		nest |= 1
		st = atMember
	}
	if c = p[i]; c <= ' ' {
		if i = s.space(p, i); i > n {
			goto out
		}
		c = p[i]
	}
	if c == ']' || c == '}' {
		goto closing
	}
	if st == atElement {
		goto begin
	}
	if c != '"' {
		goto out
	}

name:
	i++
	m = special(load(p, i))
	w = special(load(p, i+8))
	if i += first2(m, w); m|w == 0 {
		i = text(p, i)
	}
	if i > n || p[i] != '"' {
		s.kind = Name
		st = inString
		goto out
	}
	i++
	if p[i] != ':' {
		st = atColon
		goto out
	}
	i++
	if p[i] == ' ' {
		i++
	}
	goto value

out:
	s.depth, s.nest = depth, nest
	s.last = s.base + int64(end)
	return i, st
}
