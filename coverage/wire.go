package coverage

import (
	"encoding/binary"
	"math"

	"github.com/toolclip/toolclip/internal/mset"
)

// encoder writes the binary form: numbers as uvarints, strings and lists with
// their length before them, hashes as they are.
type encoder struct{ b []byte }

func (w *encoder) int(n int64) { w.b = binary.AppendUvarint(w.b, uint64(n)) }

func (w *encoder) bool(b bool) {
	if b {
		w.b = append(w.b, 1)
		return
	}
	w.b = append(w.b, 0)
}

func (w *encoder) bytes(b []byte) {
	w.int(int64(len(b)))
	w.b = append(w.b, b...)
}

func (w *encoder) string(s string) {
	w.int(int64(len(s)))
	w.b = append(w.b, s...)
}

func (w *encoder) hash(h *[32]byte) { w.b = append(w.b, h[:]...) }

func (w *encoder) sum(n int64, s mset.Sum) {
	w.int(n)
	if n != 0 {
		w.b = s.Append(w.b)
	}
}

// decoder reads what encoder wrote. After the first error it reads zeros.
type decoder struct {
	b   []byte
	err error
}

func (r *decoder) fail() {
	r.err = ErrState
	r.b = nil
}

// int reads a number that is not negative.
func (r *decoder) int() int64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > math.MaxInt64 {
		r.fail()
		return 0
	}
	r.b = r.b[size:]
	return int64(n)
}

// small reads a number up to most.
func (r *decoder) small(most int64) int64 {
	n := r.int()
	if n > most {
		r.fail()
		return 0
	}
	return n
}

// list reads the length of a list whose elements are at least size bytes long, so
// that no more is allocated than there are bytes.
func (r *decoder) list(size int) int { return int(r.small(int64(len(r.b) / size))) }

func (r *decoder) bool() bool { return r.small(1) == 1 }

func (r *decoder) take(n int64) []byte {
	if n > int64(len(r.b)) {
		r.fail()
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *decoder) bytes() []byte { return r.take(r.int()) }

func (r *decoder) string() string { return string(r.bytes()) }

func (r *decoder) hash() (h [32]byte) {
	copy(h[:], r.take(32))
	return h
}

func (r *decoder) sum() (int64, mset.Sum) {
	n := r.int()
	if n == 0 {
		return 0, mset.Sum{}
	}
	h := r.hash()
	return n, mset.Read(&h)
}
