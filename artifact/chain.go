package artifact

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"errors"
	"hash"
	"sync"
)

// chainValue is an intermediate hash value of SHA-256, H(i) of FIPS 180-4
// §6.2.2: eight 32-bit words, big endian. It stands for all bytes before a
// place that is a multiple of 64. Of all bytes, after the padding, it is the
// SHA-256 itself.
//
// SHA-256 goes through a message in steps of 64 octets, each of which makes the
// next value from the one before. So the values at the ends of the blocks of an
// artifact come with the hash of the whole, for nothing; and a block is verified
// alone: whoever begins with the value before it and hashes it must arrive at the
// value after it. That finds a flipped bit, blocks in another order, a block that
// stands for another of the same artifact, and a missing end. To make another
// block that passes, with the values given, is to find a second preimage. The
// values are in index pages, whose hashes are in the manifest: a file that is
// consistent in all of this was written by somebody, see README.md.
type chainValue [sha256.Size]byte

// chainStart is the value before the first byte: H(0), FIPS 180-4 §5.3.3.
var chainStart = chainValue{
	0x6a, 0x09, 0xe6, 0x67, 0xbb, 0x67, 0xae, 0x85, 0x3c, 0x6e, 0xf3, 0x72, 0xa5, 0x4f, 0xf5, 0x3a,
	0x51, 0x0e, 0x52, 0x7f, 0x9b, 0x05, 0x68, 0x8c, 0x1f, 0x83, 0xd9, 0xab, 0x5b, 0xe0, 0xcd, 0x19,
}

// chain is a SHA-256 under way that can begin at any value and tell each.
//
// Package crypto/sha256 promises to save and restore its state, but not how the
// octets lie: they have lain in this way since Go 1.10. Everything that depends
// on it is in this file; the layout of a blob does not. If a version of Go did it
// in another way, artifacts of more than a block would be ErrUnavailable, never
// wrong, and TestChainIsThatOfTheStandard would fail.
type chain struct {
	h     hashState // nil: this crypto/sha256 has no state that can be saved
	state [chainStateSize]byte
}

type hashState interface {
	hash.Hash
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// The saved state is an identifier, the value, the octets of an unfinished step
// (zeros at the end of a step), and how many octets were hashed.
const (
	chainStateMagic = "sha\x03"
	chainStateSize  = len(chainStateMagic) + sha256.Size + sha256.BlockSize + 8
)

var errChain = errors.New("crypto/sha256 of this version of Go saves its state in a way that package artifact does not know; use a newer version of the package")

// chains are chains that nobody uses now.
var chains = sync.Pool{New: func() any {
	h, _ := sha256.New().(hashState)
	return &chain{h: h}
}}

// newChain is a chain at chainStart. Whoever is done with it should put it into
// chains.
func newChain() (*chain, error) {
	c := chains.Get().(*chain)
	return c, c.reset()
}

func (c *chain) reset() error {
	if c.h == nil {
		return errChain
	}
	c.h.Reset()
	return nil
}

// at makes c go on from v, which stands for the first off bytes. off is a
// multiple of 64.
func (c *chain) at(v chainValue, off int64) error {
	s := c.state[:0]
	s = append(s, chainStateMagic...)
	s = append(s, v[:]...)
	s = append(s, make([]byte, sha256.BlockSize)...)
	s = binary.BigEndian.AppendUint64(s, uint64(off))
	if err := c.h.UnmarshalBinary(s); err != nil {
		return errors.Join(errChain, err)
	}
	return nil
}

// write hashes b.
func (c *chain) write(b []byte) { c.h.Write(b) } // never fails: hash.Hash

// value is the value after what was hashed, off bytes in all, a multiple of 64.
func (c *chain) value(off int64) (v chainValue, err error) {
	s, err := c.h.AppendBinary(c.state[:0])
	switch {
	case err != nil:
		return v, errors.Join(errChain, err)
	case len(s) != chainStateSize,
		string(s[:len(chainStateMagic)]) != chainStateMagic,
		binary.BigEndian.Uint64(s[chainStateSize-8:]) != uint64(off):
		return v, errChain
	}
	return chainValue(s[len(chainStateMagic):]), nil
}

// end is the SHA-256 of all that was hashed.
func (c *chain) end() chainValue { return chainValue(c.h.Sum(c.state[:0])) }

// link is one block of an artifact in the chain.
type link struct {
	off           int64 // of the block
	before, after chainValue
	last          bool // after is the hash of the whole
}

// fits reports whether block is the one that l is of. It is for any goroutine
// and allocates nothing.
func (l link) fits(block []byte) (bool, error) {
	c, err := newChain()
	if err != nil {
		return false, err
	}
	defer chains.Put(c)
	if err := c.at(l.before, l.off); err != nil {
		return false, err
	}
	c.write(block)
	if l.last {
		return c.end() == l.after, nil
	}
	v, err := c.value(l.off + int64(len(block)))
	return v == l.after, err
}
