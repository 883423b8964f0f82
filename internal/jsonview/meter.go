package jsonview

import (
	"bytes"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/toolclip/toolclip/internal/view"
)

// meter is what is left of a limit.
type meter struct {
	bytes int64
	unit  view.Unit
	n     int64 // of unit; not read when unit is Byte
}

func newMeter(l view.Limit) *meter {
	m := &meter{bytes: l.Bytes, unit: l.Unit, n: l.N}
	switch l.Unit {
	case view.Rune, view.Grapheme:
	case view.Line:
		m.n-- // the last line needs no line feed
	default:
		m.unit = view.Byte
	}
	return m
}

// count is how many units p has, or more: clusters that touch across two pieces
// may be one.
func (m *meter) count(p []byte) int64 {
	switch m.unit {
	case view.Rune:
		return int64(utf8.RuneCount(p))
	case view.Line:
		return int64(bytes.Count(p, []byte{'\n'}))
	case view.Grapheme:
		n := int64(0)
		for it := graphemes.FromBytes(p); it.Next(); {
			n++
		}
		return n
	}
	return 0
}

func (m *meter) over(p []byte) bool {
	return int64(len(p)) > m.bytes || m.unit != view.Byte && m.count(p) > m.n
}

// take pays for pieces, or returns false and takes nothing. cost is in bytes.
func (m *meter) take(cost int64, pieces []piece) bool {
	n := int64(0)
	if m.unit != view.Byte {
		for _, x := range pieces {
			n += m.count(x.data)
		}
	}
	if cost > m.bytes || m.unit != view.Byte && n > m.n {
		return false
	}
	m.bytes -= cost
	m.n -= n
	return true
}

// prefix is the length of the longest prefix of p that can be paid for.
func (m *meter) prefix(p []byte) int64 {
	p = p[:min(int64(len(p)), max(0, m.bytes))]
	switch m.unit {
	case view.Rune:
		i := 0
		for n := int64(0); n < m.n && i < len(p); n++ {
			_, size := utf8.DecodeRune(p[i:])
			i += size
		}
		return int64(i)
	case view.Grapheme:
		i := 0
		it := graphemes.FromBytes(p)
		for n := int64(0); n < m.n && it.Next(); n++ {
			i = it.End()
		}
		return int64(i)
	}
	return int64(len(p))
}

// limit is what is left, as a limit.
func (m *meter) limit() view.Limit {
	l := view.Limit{Bytes: m.bytes, Unit: m.unit, N: m.n}
	if m.unit == view.Line {
		l.N++
	}
	return l
}
