package coverage

import (
	"encoding/hex"

	"github.com/toolclip/toolclip/internal/mset"
	"github.com/toolclip/toolclip/internal/riblt"
)

// sketch names ids that differ, in constant memory. An id of up to 31 bytes is in
// it as it is; a longer one as the first 31 bytes of its hash, so that it is told
// apart and counted, and Report.Resolve gives it its name.
type sketch struct{ table *riblt.Table }

const (
	inlineBytes = 31   // the longest id that is in a cell as it is
	hashedTag   = 0xff // the last byte of an item that is a hash
)

func newSketch(cells int) *sketch { return &sketch{riblt.New(cells)} }

func (s *sketch) add(id string, h *mset.Hash, n int64) {
	if n == 0 {
		return
	}
	x := itemOf(id, h)
	s.table.Add(&x, (*riblt.Hash)(h), n)
}

func (s *sketch) plus(o *sketch) { s.table.Plus(o.table) }

func (s *sketch) clone() *sketch { return &sketch{s.table.Clone()} }

func itemOf(id string, h *mset.Hash) (x riblt.Item) {
	if len(id) <= inlineBytes {
		copy(x[:inlineBytes], id)
		x[31] = byte(len(id))
		return x
	}
	copy(x[:inlineBytes], h[:])
	x[31] = hashedTag
	return x
}

// difference is one id that is in one multiset more often than in the other.
type difference struct {
	id   string // "" with hashed
	hash mset.Hash
	long bool // only the first 31 bytes of the hash are known
	n    int64

	stranger bool // nobody expected it; in exact mode
}

// decode names the differences. ok is false when there are more than the cells can
// name, or when they don't add up to want, the difference of the digests: then
// nothing that was decoded is passed on. Of ids over 31 bytes the digest is
// checked as far as their hashes are known, which is all but the highest byte.
func (s *sketch) decode(key *mset.Key, n int64, want mset.Sum) ([]difference, bool) {
	found, ok := s.table.Decode(func(x *riblt.Item) (riblt.Hash, bool) { return hashItem(key, x) })
	if !ok {
		return nil, false
	}
	ds := make([]difference, 0, len(found))
	var sum mset.Sum
	long := false
	for _, f := range found {
		d := difference{n: f.N}
		if f.Item[31] == hashedTag {
			d.long, long = true, true
			copy(d.hash[:inlineBytes], f.Item[:])
		} else {
			d.id = string(f.Item[:f.Item[31]])
			d.hash = key.Hash(d.id)
		}
		sum.AddTimes(&d.hash, d.n)
		n -= d.n
		ds = append(ds, d)
	}
	return ds, n == 0 && agree(sum, want, long)
}

// agree compares two sums, of which the highest byte is not known if long.
func agree(a, b mset.Sum, long bool) bool {
	d := a.Minus(b)
	if long {
		d[3] &= 1<<56 - 1
	}
	return d.IsZero()
}

func hashItem(key *mset.Key, x *riblt.Item) (h riblt.Hash, ok bool) {
	switch n := x[31]; {
	case n == hashedTag:
		copy(h[:inlineBytes], x[:])
		return h, true
	case n <= inlineBytes && isZero(x[n:inlineBytes]):
		return riblt.Hash(key.Hash(string(x[:n]))), true
	}
	return h, false
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// digest is how a digest is written: count and sum, "n:hex". The bytes of the sum
// are in little-endian order.
func digest(n int64, s mset.Sum) string {
	return Exactly(n).String() + ":" + hex.EncodeToString(s.Append(nil))
}
