package terminal

import (
	"bytes"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Columns is the width of a row and Bytes the most text that it holds. What would
// be written beyond belongs to the next row, as on a terminal that wraps.
const (
	Columns = 1024
	Bytes   = 4096
)

// tabStop is the distance of tab stops.
const tabStop = 8

// Row is one row of a terminal. The zero Row is empty, its cursor in column 0.
// It is bounded: Columns cells, each with what was put there last.
type Row struct {
	cells   []cell
	cursor  int
	held    int   // bytes of text in cells
	dropped int64 // bytes of clusters that were overwritten or erased
	lost    bool  // of which some are not on the row
}

// cell is one column. A wide cluster has its text in the first of its cells;
// the others say how far left that is.
type cell struct {
	text string // "" is a blank that nobody wrote
	back uint16 // > 0: belongs to the cell this far left
	wide uint16 // columns of text, 0 for one
}

// Put writes a cluster at the cursor and moves the cursor behind it. It reports
// false, and changes nothing, when the row has no room for it.
func (r *Row) Put(cluster []byte) bool {
	if len(cluster) == 1 && cluster[0] == '\t' {
		return r.tab()
	}
	w := width(cluster)
	if r.cursor+w > Columns || r.held+len(cluster) > Bytes {
		return false
	}
	r.write(intern(cluster), w)
	return true
}

// PutASCII writes printable ASCII, as far as there is room, and returns how much
// that is. It is Put for each byte of it, only faster.
func (r *Row) PutASCII(p []byte) int {
	for i, c := range p {
		if r.cursor >= Columns || r.held >= Bytes {
			return i
		}
		if r.cursor < len(r.cells) && r.cells[r.cursor].narrow() {
			r.replace(&r.cells[r.cursor], ascii[c])
			r.cursor++
		} else {
			r.write(ascii[c], 1)
		}
	}
	return len(p)
}

// narrow reports whether c is a column of its own.
func (c cell) narrow() bool { return c.back == 0 && c.wide == 0 }

// replace puts one byte in a narrow cell.
func (r *Row) replace(c *cell, text string) {
	if c.text != "" {
		r.dropped += int64(len(c.text))
		r.lost = r.lost || c.text != text && !blank(c.text)
		r.held -= len(c.text)
	}
	c.text = text
	r.held += len(text)
}

// blank reports whether a cell that had this text looks empty.
func blank(text string) bool { return text == " " || text == "\t" }

func (r *Row) write(text string, w int) {
	r.reach(r.cursor + w)
	if w == 1 && r.cells[r.cursor].text == text && r.cells[r.cursor].wide == 0 {
		r.dropped += int64(len(text)) // the same again: nothing is lost
	} else {
		r.blank(r.cursor, r.cursor+w)
		r.cells[r.cursor] = cell{text: text, wide: uint16(w - 1)}
		r.held += len(text)
		for i := 1; i < w; i++ {
			r.cells[r.cursor+i] = cell{back: uint16(i)}
		}
	}
	r.cursor += w
}

// tab moves to the next tab stop. Over blanks it leaves a tab, over text nothing.
func (r *Row) tab() bool {
	next := (r.cursor/tabStop + 1) * tabStop
	if next > Columns {
		return false
	}
	for _, c := range r.cells[min(r.cursor, len(r.cells)):min(next, len(r.cells))] {
		if c.text != "" || c.back > 0 {
			r.dropped++
			r.cursor = next
			return true
		}
	}
	r.write("\t", next-r.cursor)
	return true
}

// Apply does what op says.
func (r *Row) Apply(op Op, n int) {
	n = min(max(n, 0), Columns)
	switch op {
	case Column:
		r.cursor = min(n, Columns-1)
	case Forward:
		r.cursor = min(r.cursor+n, Columns-1)
	case Back:
		r.cursor = max(min(r.cursor, Columns-1)-n, 0)
	case EraseRight:
		r.blank(r.cursor, len(r.cells))
	case EraseLeft:
		r.blank(0, min(r.cursor+1, len(r.cells)))
	case EraseAll:
		r.blank(0, len(r.cells))
	case EraseN:
		r.blank(r.cursor, min(r.cursor+n, len(r.cells)))
	case DeleteN:
		r.remove(n)
	case InsertN:
		r.insert(n)
	}
}

func (r *Row) remove(n int) {
	end := min(r.cursor+n, len(r.cells))
	if end <= r.cursor {
		return
	}
	r.blank(r.cursor, end)
	r.cells = append(r.cells[:r.cursor], r.cells[end:]...)
}

func (r *Row) insert(n int) {
	if r.cursor >= len(r.cells) {
		return
	}
	r.blank(r.cursor, r.cursor) // a wide cluster under the cursor is broken
	old := r.cells
	n = min(n, Columns-r.cursor)
	keep := min(len(old), Columns-n)
	r.blank(keep, len(old))
	r.cells = make([]cell, 0, keep+n)
	r.cells = append(r.cells, old[:r.cursor]...)
	r.cells = append(r.cells, make([]cell, n)...)
	r.cells = append(r.cells, old[r.cursor:max(keep, r.cursor)]...)
}

// reach makes r at least n columns long.
func (r *Row) reach(n int) {
	for len(r.cells) < n {
		r.cells = append(r.cells, cell{})
	}
}

// blank empties the cells from i to j, and whole the wide clusters that the
// edges cut.
func (r *Row) blank(i, j int) {
	if i < len(r.cells) {
		i -= int(r.cells[i].back)
	}
	for j < len(r.cells) && r.cells[j].back > 0 {
		j++
	}
	for k := i; k < j; k++ {
		if t := r.cells[k].text; t != "" {
			r.held -= len(t)
			r.dropped += int64(len(t))
			r.lost = r.lost || !blank(t)
		}
		r.cells[k] = cell{}
	}
}

// AppendTo appends what the row shows to dst. Blanks that nobody wrote are
// spaces between text and nothing at the end.
func (r *Row) AppendTo(dst []byte) []byte {
	blanks := 0
	for _, c := range r.cells {
		switch {
		case c.back > 0:
		case c.text == "":
			blanks++
		default:
			dst = append(dst, bytes.Repeat([]byte{' '}, blanks)...)
			dst = append(dst, c.text...)
			blanks = 0
		}
	}
	return dst
}

// Dropped is the number of bytes of clusters that were written and are no longer
// on the row, and whether any of them held more than a blank that is now missing.
func (r *Row) Dropped() (bytes int64, lost bool) { return r.dropped, r.lost }

// Reset empties r.
func (r *Row) Reset() {
	*r = Row{cells: r.cells[:0]}
}

// width is the number of columns of a cluster, at least one so that it can be
// put somewhere.
func width(cluster []byte) int {
	if len(cluster) == 1 {
		return 1
	}
	return min(max(ansi.StringWidth(string(cluster)), 1), Columns)
}

var ascii = func() (t [utf8.RuneSelf]string) {
	for i := range t {
		t[i] = string(rune(i))
	}
	return t
}()

// intern is the cluster as a string, without an allocation where it is ASCII.
func intern(cluster []byte) string {
	if len(cluster) == 1 && cluster[0] < utf8.RuneSelf {
		return ascii[cluster[0]]
	}
	return string(cluster)
}
