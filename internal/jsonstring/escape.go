package jsonstring

// Escape is the rune for which a backslash and c stand (RFC 8259 section 7), c not
// being u.
func Escape(c byte) rune {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return rune(c)
}

// Hex is the number that the four hexadecimal digits of a \u escape, at the start of
// p, make. They have been checked.
func Hex(p []byte) (r rune) {
	for _, c := range p[:4] {
		d := rune(c - '0')
		if c > '9' {
			d = rune(c|0x20-'a') + 10
		}
		r = r<<4 | d&0xF
	}
	return r
}
