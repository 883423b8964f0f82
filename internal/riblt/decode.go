package riblt

import (
	"encoding/binary"
	"errors"
)

// Difference is an element with its multiplicity: positive for what was added
// more often than taken away.
type Difference struct {
	Item Item
	N    int64
}

// Decode returns the elements in the table. hash gives the hash of an item, and
// false for what is no item. ok is false when there are more than the table can
// name; then the differences are those found, and there are others. The table is
// not changed.
func (t *Table) Decode(hash func(*Item) (Hash, bool)) (ds []Difference, ok bool) {
	w := t.Clone()
	queue := make([]int, len(w.cells))
	for i := range queue {
		queue[i] = len(queue) - 1 - i
	}
	for len(queue) > 0 && len(ds) <= len(w.cells) { // a damaged table can't go on for ever
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		d, h, pure := w.cells[i].pure(hash)
		if !pure {
			continue
		}
		ds = append(ds, d)
		w.Add(&d.Item, &h, -d.N)
		var at places
		for _, j := range at[:h.places(len(w.cells), &at)] {
			queue = append(queue, int(j))
		}
	}
	return ds, w.empty()
}

// pure is the one element of c, if it has one.
func (c *cell) pure(hash func(*Item) (Hash, bool)) (d Difference, h Hash, ok bool) {
	x, ok := c.sum.over(c.n)
	if !ok {
		return d, h, false
	}
	if h, ok = hash(&x); !ok {
		return d, h, false
	}
	return Difference{x, c.n}, h, c.check == uint64(c.n)*h.check()
}

func (t *Table) empty() bool {
	for i := range t.cells {
		if t.cells[i] != (cell{}) {
			return false
		}
	}
	return true
}

// cellBytes is the encoded size of a cell.
const cellBytes = 8 + 5*8 + 8

// Append appends the cells in little-endian order: count, sum, check.
func (t *Table) Append(b []byte) []byte {
	for i := range t.cells {
		c := &t.cells[i]
		b = binary.LittleEndian.AppendUint64(b, uint64(c.n))
		for _, w := range c.sum {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		b = binary.LittleEndian.AppendUint64(b, c.check)
	}
	return b
}

var errLength = errors.New("riblt: the length is not that of a whole number of cells from 8 to 65536")

// Parse reads what Append wrote.
func Parse(b []byte) (*Table, error) {
	m := len(b) / cellBytes
	if len(b)%cellBytes != 0 || m < Min || m > Max {
		return nil, errLength
	}
	t := New(m)
	for i := range t.cells {
		c, p := &t.cells[i], b[i*cellBytes:]
		c.n = int64(binary.LittleEndian.Uint64(p))
		for j := range c.sum {
			c.sum[j] = binary.LittleEndian.Uint64(p[8+8*j:])
		}
		c.check = binary.LittleEndian.Uint64(p[48:])
	}
	return t, nil
}
