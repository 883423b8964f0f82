package jsonscan

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes are looked at as one word. A mask has the high bit of each byte that
// is meant; bits above the lowest that is set may be wrong, unless it is said that
// they are right.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	slash = 0x5C * ones
	blank = 0x20 * ones
	zeros = 0x30 * ones
)

// special has the high bit of each byte of w that ends a run of plain string
// bytes: a quote, a backslash, a control byte or one that is not ASCII. Flipping
// the bit 0x02 makes of the quote 0x20, next to the control bytes.
func special(w uint64) uint64 {
	return (((w ^ 0x02*ones) - 0x21*ones) | ((w ^ slash) - ones) | w) & highs
}

// notDigit has the high bit of each byte of w that is no digit. Up to the first
// byte that is not ASCII all bits are right.
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

// four says whether the twelve bytes that v begins with, and w six bytes behind, are four
// runes of three bytes. It says no where E0 or ED begins one, whose second byte matters.
func four(v, w uint64) bool {
	const shape, fixed = 0x8080E08080E0, 0xC0C0F0C0C0F0
	if ((v^shape)|(w^shape))&fixed != 0 {
		return false
	}
	x := uint32(v)&0x0F00000F | bits.RotateLeft32(uint32(w)&0x0F00000F, 16) // a byte for each rune
	return (x+0x0F0F0F0F)&((x^0x0D0D0D0D)+0x0F0F0F0F)&0x10101010 == 0x10101010
}

// load is the eight bytes of p from i on.
func load(p []byte, i int) uint64 { return binary.LittleEndian.Uint64(p[i : i+8]) }

// word8 is the eight bytes of b from i on.
func word8(b *[margin]byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i : i+8]) }

// first2 is the index of the first byte that is marked in two masks; 16 if none is.
func first2(m, n uint64) int {
	i, j := bits.TrailingZeros64(m)>>3, bits.TrailingZeros64(n)>>3
	if i == 8 {
		i += j
	}
	return i
}
