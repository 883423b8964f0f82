// Package mset is a keyed additive multiset hash: MSet-Add-Hash of Clarke,
// Devadas, van Dijk, Gassend and Suh, "Incremental Multiset Hash Functions and
// Their Application to Memory Integrity Checking" (ASIACRYPT 2003), with SHA-256
// under a key as the random function.
//
// The hash of a multiset is the sum of the hashes of its elements modulo 2^256,
// read as little-endian numbers. It is order-free, sums and differences of
// multisets are sums and differences of hashes, and, other than with XOR, two
// equal elements do not cancel.
//
// # Bound
//
// Let z be the vector of differences in multiplicity between two different
// multisets and v the number of times that 2 divides all of z. For a random
// function the sums are equal with probability 2^-(256-v): one z_i/2^v is odd,
// and its hash is uniform and independent of the rest. Multiplicities are below
// 2^63, so v is at most 62 and the probability at most 2^-194. When one element
// is missing once or doubled once, v is 0 and the probability is 2^-256. With a
// secret key the advantage over SHA-256 as a keyed random function is added.
// Whoever knows the key can make collisions (Wagner's generalised birthday, in
// the order of 2^31 hashes): a sum under a public key is a fingerprint against
// accidents, not against an adversary.
package mset

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"math/bits"
	"sync"
)

// Hash is the hash of one element.
type Hash [sha256.Size]byte

// Key derives the hashes of elements. Its zero value is a legal key, which says
// nothing about its secrecy. Safe for concurrent use.
type Key struct{ k [keyBytes]byte }

// keyBytes is 128 bits of secret, and short enough that a UUID in text and
// SHA-256's padding fit its first block with it.
const keyBytes = 16

// NewKey derives the key for elements of one kind from a run's secret: the first
// 16 bytes of SHA-256("coverage/1\x00" || uvarint(len secret) || secret || kind).
func NewKey(secret []byte, kind string) *Key {
	b := []byte("coverage/1\x00")
	b = binary.AppendUvarint(b, uint64(len(secret)))
	b = append(b, secret...)
	b = append(b, kind...)
	h := sha256.Sum256(b)
	return &Key{[keyBytes]byte(h[:])}
}

// short is the longest id that is hashed from the stack: with key, length and
// SHA-256's padding it fits two blocks. One of up to 38 bytes fits one.
const short = 2*sha256.BlockSize - keyBytes - 1 - 1 - 8

// Hash is SHA-256(key || uvarint(len id) || id). The length makes the encoding
// free of prefixes: (1, 11) and (11, 1) differ. Ids of up to 38 bytes cost one
// block. It does not allocate.
func (k *Key) Hash(id string) Hash {
	if len(id) > short {
		return k.hashLong(id)
	}
	var b [2 * sha256.BlockSize]byte
	copy(b[:keyBytes], k.k[:])
	b[keyBytes] = byte(len(id)) // below 128, so this is its uvarint
	n := keyBytes + 1 + copy(b[keyBytes+1:], id)
	if direct {
		if h, ok := hashShort(&b, n); ok {
			return h
		}
	}
	return sha256.Sum256(b[:n])
}

// hashShort is the SHA-256 of the first n bytes of b; those behind are zero, and
// n is at most 119. It adds the padding (FIPS 180-4, section 5.1.1) itself and
// takes the result from the encoding of the state. Other than Sum256 it copies
// neither the message nor the state, which takes a fifth off. ok is false when
// the state can't be had.
func hashShort(b *[2 * sha256.BlockSize]byte, n int) (h Hash, ok bool) {
	size := sha256.BlockSize
	if n > size-1-8 {
		size *= 2
	}
	b[n] = 0x80
	binary.BigEndian.PutUint16(b[size-2:], uint16(8*n)) // of the 8 bytes of the length, the last two
	d := sha256.New()
	d.Write(b[:size])
	a, ok := d.(encoding.BinaryAppender)
	if !ok {
		return h, false
	}
	var room [128]byte
	state, err := a.AppendBinary(room[:0])
	if err != nil || len(state) < len(magic)+len(h) {
		return h, false
	}
	return Hash(state[len(magic):]), true
}

// magic is what the encoding of the state begins with; the state follows.
const magic = "sha\x03"

// direct is whether the state is where hashShort looks for it, which no document
// promises: it is tried once, with one block and with two.
var direct = func() bool {
	for _, n := range [...]int{0, 100} {
		var b [2 * sha256.BlockSize]byte
		if h, ok := hashShort(&b, n); !ok || h != sha256.Sum256(make([]byte, n)) {
			return false
		}
	}
	return true
}()

var buffers = sync.Pool{New: func() any { return new([]byte) }}

func (k *Key) hashLong(id string) Hash {
	p := buffers.Get().(*[]byte)
	b := append((*p)[:0], k.k[:]...)
	b = binary.AppendUvarint(b, uint64(len(id)))
	b = append(b, id...)
	h := sha256.Sum256(b)
	if cap(b) <= 64<<10 {
		*p = b
		buffers.Put(p)
	}
	return h
}

// Pair is the hash of an element that is known by its hash and the hash of its
// content.
func (k *Key) Pair(id, content *Hash) Hash {
	var b [keyBytes + 2*sha256.Size]byte
	copy(b[:], k.k[:])
	copy(b[keyBytes:], id[:])
	copy(b[keyBytes+sha256.Size:], content[:])
	return sha256.Sum256(b[:])
}

// Sum is the hash of a multiset: a number modulo 2^256 in four words, the least
// first. The zero Sum is that of the empty multiset.
type Sum [4]uint64

// Add adds h once.
func (s *Sum) Add(h *Hash) {
	var c uint64
	s[0], c = bits.Add64(s[0], binary.LittleEndian.Uint64(h[0:]), 0)
	s[1], c = bits.Add64(s[1], binary.LittleEndian.Uint64(h[8:]), c)
	s[2], c = bits.Add64(s[2], binary.LittleEndian.Uint64(h[16:]), c)
	s[3], _ = bits.Add64(s[3], binary.LittleEndian.Uint64(h[24:]), c)
}

// AddTimes adds h n times; a negative n takes it away.
func (s *Sum) AddTimes(h *Hash, n int64) {
	m := uint64(n)
	if n < 0 {
		m = -m
	}
	var t Sum
	var carry uint64
	for i := range t {
		hi, lo := bits.Mul64(binary.LittleEndian.Uint64(h[8*i:]), m)
		lo, c := bits.Add64(lo, carry, 0)
		t[i], carry = lo, hi+c
	}
	if n < 0 {
		*s = s.Minus(t)
		return
	}
	*s = s.Plus(t)
}

// Plus is the hash of the two multisets together.
func (s Sum) Plus(t Sum) Sum {
	var c uint64
	for i := range s {
		s[i], c = bits.Add64(s[i], t[i], c)
	}
	return s
}

// Minus is the hash of s without t.
func (s Sum) Minus(t Sum) Sum {
	var c uint64
	for i := range s {
		s[i], c = bits.Sub64(s[i], t[i], c)
	}
	return s
}

// IsZero reports whether s is the hash of the empty multiset.
func (s Sum) IsZero() bool { return s == Sum{} }

// Append appends the 32 bytes of s, least significant first.
func (s Sum) Append(b []byte) []byte {
	for _, w := range s {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// Read is the Sum in the first 32 bytes of b, as Append writes it.
func Read(b *[32]byte) Sum {
	var s Sum
	for i := range s {
		s[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return s
}
