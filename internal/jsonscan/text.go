package jsonscan

// escapes has the bytes that are an escape with a backslash before them, and
// notHex those that are no hexadecimal digits.
var (
	escapes = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}
	notHex  = hexTable()
)

func hexTable() (t [256]uint8) {
	for c := range t {
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			t[c] = 1
		}
	}
	return t
}

// text passes over the body of a string from i on, a rune's start, as far as it is
// usual. Where it stops are the closing quote, an escape of a surrogate, a byte
// that cannot be there, or fewer than 16 bytes.
func text(p []byte, i int) int {
	p = p[:len(p):len(p)] // one bound for all checks
	for {
		for i >= 0 && i <= len(p)-16 {
			w := load(p, i)
			if w&0x80 == 0 {
				break
			}
			if four(w, load(p, i+6)) {
				i += 12
				continue
			}
			if three(w) {
				i += 3
				if three(w >> 24) {
					i += 3
				}
				continue
			}
			switch c := byte(w); {
			case c >= 0xC2 && c < 0xE0 && w&0xC000 == 0x8000:
				i += 2
			case w&0xC0C0C0F8 == 0x808080F0 && (w&7<<2|w>>12&3)-1 < 16:
				i += 4
			default:
				return i
			}
		}
		var m, w uint64
		for i >= 0 && i <= len(p)-16 {
			m, w = special(load(p, i)), special(load(p, i+8))
			if m|w != 0 {
				break
			}
			i += 16
		}
		if i < 0 || i > len(p)-16 {
			return i
		}
		i += first2(m, w)
		switch c := p[i]; {
		case c >= 0x80:
			continue
		case c != '\\' || i > len(p)-16:
			return i
		case escapes[p[i+1]]:
			i += 2
		case isPlainHex(p[i : i+6]):
			i += 6
		default:
			return i
		}
	}
}

// isPlainHex says whether p, which begins with a backslash, is a \u escape and not
// of a surrogate.
func isPlainHex(p []byte) bool {
	return p[1] == 'u' && notHex[p[2]]|notHex[p[3]]|notHex[p[4]]|notHex[p[5]] == 0 && p[2]|0x20 != 'd'
}
