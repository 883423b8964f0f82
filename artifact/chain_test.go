package artifact

import (
	"bytes"
	"crypto/fips140"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The standard's own SHA-256, as FIPS 180-4 has it and as slow as it looks.

var primes = []int64{
	2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131,
	137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
}

// squareRoot is the first 32 bits of the fractional part of the square root of p.
func squareRoot(p int64) uint32 {
	n := new(big.Int).Lsh(big.NewInt(p), 64)
	return uint32(n.Sqrt(n).Uint64())
}

// cubeRoot is the first 32 bits of the fractional part of the cube root of p.
func cubeRoot(p int64) uint32 {
	n, root := new(big.Int).Lsh(big.NewInt(p), 96), new(big.Int)
	for bit := 40; bit >= 0; bit-- {
		root.SetBit(root, bit, 1)
		if cube := new(big.Int).Exp(root, big.NewInt(3), nil); cube.Cmp(n) > 0 {
			root.SetBit(root, bit, 0)
		}
	}
	return uint32(root.Uint64())
}

// standardStart is H(0), §5.3.3.
func standardStart() (h [8]uint32) {
	for i := range h {
		h[i] = squareRoot(primes[i])
	}
	return h
}

// standardConstants are K, §4.2.2.
var standardConstants = func() (k [64]uint32) {
	for i := range k {
		k[i] = cubeRoot(primes[i])
	}
	return k
}()

// standardStep is the compression of one 64-octet block m, §6.2.2.
func standardStep(h [8]uint32, m []byte) [8]uint32 {
	rotr := func(x uint32, n int) uint32 { return bits.RotateLeft32(x, -n) }
	var w [64]uint32
	for t := range w {
		if t < 16 {
			w[t] = binary.BigEndian.Uint32(m[4*t:])
			continue
		}
		s0 := rotr(w[t-15], 7) ^ rotr(w[t-15], 18) ^ w[t-15]>>3
		s1 := rotr(w[t-2], 17) ^ rotr(w[t-2], 19) ^ w[t-2]>>10
		w[t] = s1 + w[t-7] + s0 + w[t-16]
	}
	v := h
	for t := range w {
		a, e := v[0], v[4]
		t1 := v[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (e&v[5] ^ ^e&v[6]) + standardConstants[t] + w[t]
		t2 := (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + (a&v[1] ^ a&v[2] ^ v[1]&v[2])
		v = [8]uint32{t1 + t2, a, v[1], v[2], v[3] + t1, e, v[5], v[6]}
	}
	for i := range h {
		h[i] += v[i]
	}
	return h
}

// standardPadding is what follows a message of n octets, §5.1.1.
func standardPadding(n int) []byte {
	pad := make([]byte, 1+(64+55-n%64)%64)
	pad[0] = 0x80
	return binary.BigEndian.AppendUint64(pad, uint64(n)*8)
}

func octets(h [8]uint32) (v chainValue) {
	for i, word := range h {
		binary.BigEndian.PutUint32(v[4*i:], word)
	}
	return v
}

// fipsEnv makes a test insist on the FIPS 140-3 mode.
const fipsEnv = "ARTIFACT_TEST_FIPS"

// TestChainIsThatOfTheStandard: every value of a chain, however the bytes were
// cut, and from wherever it was begun anew, is the one that FIPS 180-4 defines.
func TestChainIsThatOfTheStandard(t *testing.T) {
	if os.Getenv(fipsEnv) != "" {
		require.True(t, fips140.Enabled())
	}
	require.Equal(t, octets(standardStart()), chainStart)
	message := make([]byte, 64*70+63)
	rand.NewChaCha8([32]byte{1}).Read(message)

	values := []chainValue{chainStart} // after each 64 octets
	h := standardStart()
	for m := message; len(m) >= 64; m = m[64:] {
		h = standardStep(h, m)
		values = append(values, octets(h))
	}
	for n := range message { // the end of each beginning
		h, rest := standardStart(), append(message[:n:n], standardPadding(n)...)
		for ; len(rest) > 0; rest = rest[64:] {
			h = standardStep(h, rest)
		}
		require.Equal(t, octets(h), chainValue(sha256.Sum256(message[:n])), "the test's own SHA-256 of %d bytes", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		c, err := newChain()
		require.NoError(t, err)
		defer chains.Put(c)
		from := rapid.IntRange(0, 70).Draw(t, "from")
		to := rapid.IntRange(from, 70).Draw(t, "to")
		if from > 0 || rapid.Bool().Draw(t, "begun anew") {
			require.NoError(t, c.at(values[from], int64(from)*64))
		}
		for rest := message[from*64 : to*64]; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "write")
			c.write(rest[:n])
			rest = rest[n:]
		}
		got, err := c.value(int64(to) * 64)
		require.NoError(t, err)
		require.Equal(t, values[to], got)
		_, err = c.value(int64(to)*64 + 64)
		require.ErrorIs(t, err, errChain, "a value is not told for another place")
		end := rapid.IntRange(to*64, len(message)).Draw(t, "end")
		c.write(message[to*64 : end])
		require.Equal(t, chainValue(sha256.Sum256(message[:end])), c.end())
	})
}

// TestChainInFIPSMode runs the test above, and reads of damaged blocks, with Go's
// FIPS 140-3 module.
func TestChainInFIPSMode(t *testing.T) {
	if os.Getenv(fipsEnv) != "" {
		t.Skip("this is the child")
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^(TestChainIsThatOfTheStandard|TestLinkFitsItsBlockAlone)$", "-test.v")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=on", fipsEnv+"=1")
	out, err := cmd.CombinedOutput()
	if bytes.Contains(out, []byte("fips140: ")) && bytes.Contains(out, []byte("not supported")) {
		t.Skipf("no FIPS 140-3 mode here: %s", out)
	}
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestLinkFitsItsBlockAlone")
}

// TestLinkFitsItsBlockAlone: no flipped bit, no other block of the artifact, no
// block that is shorter or longer, and no neighbour's value is taken.
func TestLinkFitsItsBlockAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{1, 63, 64, 100, blockSize - 1, blockSize}).Draw(t, "last block") + 2*blockSize
		data := make([]byte, size)
		rand.NewChaCha8([32]byte{byte(size)}).Read(data)
		links, blocks := linksOf(t, data)
		i := rapid.IntRange(0, 2).Draw(t, "block")
		require.True(t, fits(t, links[i], blocks[i]))
		for j := range blocks {
			require.Equal(t, i == j, fits(t, links[i], blocks[j]))
		}
		flipped := bytes.Clone(blocks[i])
		flipped[rapid.IntRange(0, len(flipped)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		require.False(t, fits(t, links[i], flipped))
		require.False(t, fits(t, links[i], append(bytes.Clone(blocks[i]), make([]byte, 64)...)))
		if n := len(blocks[i]); n > 64 && n%64 == 0 {
			require.False(t, fits(t, links[i], blocks[i][:n-64]))
		}
		other := links[i]
		other.off += blockSize // that many bytes were hashed, says the padding
		require.Equal(t, !other.last, fits(t, other, blocks[i]))
		other = links[i]
		other.before = links[(i+1)%3].before
		require.False(t, fits(t, other, blocks[i]))
	})
}

// linksOf are the links of the blocks of data.
func linksOf(t require.TestingT, data []byte) (links []link, blocks [][]byte) {
	before := chainStart
	for off := 0; off < len(data); off += blockSize {
		end := min(off+blockSize, len(data))
		l := link{off: int64(off), before: before, last: end == len(data)}
		if l.last {
			l.after = sha256.Sum256(data)
		} else {
			c, err := newChain()
			require.NoError(t, err)
			c.write(data[:end])
			l.after, err = c.value(int64(end))
			require.NoError(t, err)
		}
		before = l.after
		links, blocks = append(links, l), append(blocks, data[off:end])
	}
	return links, blocks
}

func fits(t require.TestingT, l link, block []byte) bool {
	ok, err := l.fits(block)
	require.NoError(t, err)
	return ok
}

// stranger is a hash whose state has another form.
type stranger struct {
	hashState
	state []byte
	err   error
}

func (s stranger) AppendBinary(b []byte) ([]byte, error) { return append(b, s.state...), s.err }
func (s stranger) UnmarshalBinary([]byte) error          { return s.err }

// TestUnknownStateIsSaid: a crypto/sha256 that saves its state in another way
// gives an error, never a value.
func TestUnknownStateIsSaid(t *testing.T) {
	known, err := sha256.New().(hashState).AppendBinary(nil)
	require.NoError(t, err)
	under := sha256.New().(hashState)
	for name, s := range map[string]stranger{
		"longer":            {under, append(bytes.Clone(known), 0), nil},
		"shorter":           {under, known[:100], nil},
		"another kind":      {under, append([]byte("sha\x05"), known[4:]...), nil},
		"it can't be saved": {under, known, os.ErrInvalid},
	} {
		_, err := (&chain{h: s}).value(0)
		require.ErrorIs(t, err, errChain, name)
		if s.err != nil {
			require.ErrorIs(t, (&chain{h: s}).at(chainStart, 0), errChain)
		}
	}
	v, err := (&chain{h: stranger{under, known, nil}}).value(0)
	require.NoError(t, err)
	require.Equal(t, chainStart, v)
	require.ErrorIs(t, (&chain{}).reset(), errChain)
}
