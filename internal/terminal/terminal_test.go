package terminal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/terminal"
)

func ExampleRow() {
	var r terminal.Row
	for _, c := range "Hello" {
		r.Put([]byte(string(c)))
	}
	r.Apply(terminal.Column, 0)
	r.Put([]byte("H"))
	r.Put([]byte("i"))
	r.Apply(terminal.EraseRight, 0)
	dropped, lost := r.Dropped()
	fmt.Printf("%s, %d bytes dropped, lost %v\n", r.AppendTo(nil), dropped, lost)
	// Output: Hi, 5 bytes dropped, lost true
}

// play writes a line as a terminal would; it reports false when the row is full.
func play(r *terminal.Row, line string) bool {
	for b := []byte(line); len(b) > 0; {
		n := 1
		switch b[0] {
		case '\r':
			r.Apply(terminal.Column, 0)
		case '\b':
			r.Apply(terminal.Back, 1)
		case '\x1b':
			var op terminal.Op
			var arg int
			op, arg, n = terminal.Sequence(b, true)
			r.Apply(op, arg)
		default:
			n = graphemes.Next(b, true)
			if !r.Put(b[:n]) {
				return false
			}
		}
		b = b[n:]
	}
	return true
}

// What a terminal shows. The expectations were made by hand from ECMA-48 and
// from what xterm does.
func TestRow(t *testing.T) {
	for _, c := range []struct {
		reason, line, want string
		dropped            int64
		lost               bool
	}{
		{"nothing", "", "", 0, false},
		{"CR overwrites", "a\rb\rc", "c", 2, true},
		{"a progress bar grows", "10%\r20%\r100%", "100%", 6, true},
		{"the rest of what was longer stays", "abcdef\rXY", "XYcdef", 2, true},
		{"the same again loses nothing", "abc\rabc", "abc", 3, false},
		{"EL to the right", "Hello\rHi\x1b[K", "Hi", 5, true},
		{"EL to the left takes the cursor's cell", "abcd\x1b[2D\x1b[1K", "   d", 3, true},
		{"EL of the line", "abc\x1b[2Kx", "   x", 3, true},
		{"ED to the end is EL on the last row", "abc\r\x1b[Jx", "x", 3, true},
		{"backspace moves only", "abc\b\b", "abc", 0, false},
		{"a spinner", "-\b\\\b|\b/\b \b", " ", 4, true},
		{"overstrike is bold", "N\bNA\bA", "NA", 2, false},
		{"underline", "_\bx", "x", 1, true},
		{"backspace stops at the edge", "\b\ba", "a", 0, false},
		{"CHA is one-based", "abc\x1b[1Gx\x1b[5Gy", "xbc y", 1, true},
		{"CUF leaves blanks", "a\x1b[3Cb", "a   b", 0, false},
		{"CUB", "abc\x1b[2DX", "aXc", 1, true},
		{"a parameter of 0 is 1", "abc\x1b[0DX", "abX", 1, true},
		{"a huge parameter stops at the edge", "abc\x1b[99999999999999999999DX", "Xbc", 1, true},
		{"DCH", "abcdef\x1b[4D\x1b[2P", "abef", 2, true},
		{"ICH", "abcd\x1b[2D\x1b[2@", "ab  cd", 0, false},
		{"ECH", "abcd\x1b[3D\x1b[2X", "a  d", 2, true},
		{"blanks at the end that nobody wrote are none", "abc\r\x1b[K", "", 3, true},
		{"blanks that were written stay", "abc\r   ", "   ", 3, true},
		{"overwriting blanks loses nothing", "   \rabc", "abc", 3, false},
		{"a wide character over a narrow", "abc\r中", "中c", 2, true},
		{"half a wide character is a blank", "中文\rx", "x 文", 3, true},
		{"half of another", "中文\x1b[2Gx", " x文", 3, true},
		{"a family is one cell of two columns", "👨‍👩‍👧\b\bab", "ab", 18, true},
		{"a tab over nothing stays a tab", "a\tb", "a\tb", 0, false},
		{"a tab over text only moves", "abcdefghi\r\tX", "abcdefghX", 2, true},
		{"a tab that is overwritten becomes blanks", "\tb\rx", "x       b", 1, false},
		{"colours are no text", "\x1b[31ma\x1b[0m", "a", 0, false},
	} {
		var r terminal.Row
		require.True(t, play(&r, c.line), c.reason)
		require.Equal(t, c.want, string(r.AppendTo(nil)), c.reason)
		dropped, lost := r.Dropped()
		require.Equal(t, c.dropped, dropped, c.reason)
		require.Equal(t, c.lost, lost, c.reason)
	}
}

// A row is full at Columns columns, or at Bytes bytes, and says so.
func TestRowIsBounded(t *testing.T) {
	var r terminal.Row
	require.True(t, play(&r, strings.Repeat("x", terminal.Columns)))
	require.False(t, play(&r, "x"))
	require.True(t, play(&r, "\rx"))
	var w terminal.Row
	require.True(t, play(&w, strings.Repeat("中", terminal.Columns/2)))
	require.False(t, play(&w, "中"))
	var z terminal.Row
	zalgo := []byte("e" + strings.Repeat("\u0301", 60))
	n := 0
	for z.Put(zalgo) {
		n++
	}
	require.Equal(t, terminal.Bytes/len(zalgo), n)
	z.Reset()
	require.True(t, z.Put(zalgo))
}

// PutASCII is Put for each byte.
func TestPutASCII(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var fast, slow terminal.Row
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				c := rapid.SampledFrom([]string{"中", "\t", "é", "👨‍👩‍👧", "e" + strings.Repeat("\u0301", 60)}).Draw(t, "cluster")
				require.Equal(t, slow.Put([]byte(c)), fast.Put([]byte(c)))
			case 1:
				n := rapid.SampledFrom([]int{0, 1, 5, 1000}).Draw(t, "column")
				slow.Apply(terminal.Column, n)
				fast.Apply(terminal.Column, n)
			default:
				s := rapid.StringMatching(`[a-c ]{0,40}`).Draw(t, "ascii")
				n := 0
				for n < len(s) && slow.Put([]byte(s[n:n+1])) {
					n++
				}
				require.Equal(t, n, fast.PutASCII([]byte(s)))
			}
		}
		require.Equal(t, string(slow.AppendTo(nil)), string(fast.AppendTo(nil)))
		d1, l1 := slow.Dropped()
		d2, l2 := fast.Dropped()
		require.Equal(t, d1, d2)
		require.Equal(t, l1, l2)
	})
}

// model is a row of ASCII as a map from column to byte: the oracle.
type model struct {
	cells map[int]byte
	at    int
}

func (m *model) do(op terminal.Op, n int) {
	last := -1
	for c := range m.cells {
		last = max(last, c)
	}
	erase := func(from, to int) {
		for c := from; c < to; c++ {
			delete(m.cells, c)
		}
	}
	shift := func(from, by int) {
		moved := map[int]byte{}
		for c, b := range m.cells {
			switch {
			case c < from:
				moved[c] = b
			case c+by >= from && c+by < terminal.Columns:
				moved[c+by] = b
			}
		}
		m.cells = moved
	}
	switch op {
	case terminal.Column:
		m.at = min(n, terminal.Columns-1)
	case terminal.Forward:
		m.at = min(m.at+n, terminal.Columns-1)
	case terminal.Back:
		m.at = max(min(m.at, terminal.Columns-1)-n, 0)
	case terminal.EraseRight:
		erase(m.at, last+1)
	case terminal.EraseLeft:
		erase(0, m.at+1)
	case terminal.EraseAll:
		erase(0, last+1)
	case terminal.EraseN:
		erase(m.at, m.at+n)
	case terminal.DeleteN:
		erase(m.at, m.at+n)
		shift(m.at, -n)
	case terminal.InsertN:
		shift(m.at, n)
	}
}

func (m *model) String() string {
	last := -1
	for c := range m.cells {
		last = max(last, c)
	}
	b := []byte(strings.Repeat(" ", last+1))
	for c, x := range m.cells {
		b[c] = x
	}
	return string(b)
}

// The row equals a map from columns to characters, whatever is done to it; and
// without a loss nothing that was written is missing.
func TestRowEqualsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r terminal.Row
		m := &model{cells: map[int]byte{}}
		written := map[byte]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			op := terminal.Op(rapid.IntRange(int(terminal.Show), int(terminal.InsertN)).Draw(t, "op"))
			n := rapid.SampledFrom([]int{0, 1, 1, 2, 3, 7, 300}).Draw(t, "n")
			if op == terminal.Show {
				c := byte(rapid.IntRange('a', 'z').Draw(t, "char"))
				if r.Put([]byte{c}) {
					m.cells[m.at] = c
					m.at++
					written[c] = true
				} else {
					require.Equal(t, terminal.Columns, m.at)
				}
				continue
			}
			r.Apply(op, n)
			m.do(op, n)
		}
		out := string(r.AppendTo(nil))
		require.Equal(t, m.String(), out)
		if _, lost := r.Dropped(); !lost {
			for c := range written {
				require.Contains(t, out, string(c))
			}
		}
	})
}

func TestSequence(t *testing.T) {
	for _, c := range []struct {
		reason, in string
		op         terminal.Op
		n, length  int
	}{
		{"colour", "\x1b[1;31mred", terminal.Remove, 0, 7},
		{"colour with colons", "\x1b[38:5:1mred", terminal.Remove, 0, 9},
		{"private mode", "\x1b[?25lx", terminal.Remove, 0, 6},
		{"bracketed paste", "\x1b[?2004hx", terminal.Remove, 0, 8},
		{"character set", "\x1b(Bx", terminal.Remove, 0, 3},
		{"title", "\x1b]0;title\ax", terminal.RemoveSay, 0, 10},
		{"link", "\x1b]8;;http://x\x1b\\text", terminal.RemoveSay, 0, 15},
		{"the end of a link", "\x1b]8;;\x1b\\text", terminal.Remove, 0, 7},
		{"a string with other letters, whose bytes end no string", "\x1b]0;日本\atext", terminal.RemoveSay, 0, 11},
		{"column", "\x1b[5G", terminal.Column, 4, 4},
		{"erase display is of the past", "\x1b[2J", terminal.Show, 0, 4},
		{"up", "\x1b[3A", terminal.Show, 0, 4},
		{"reset", "\x1bc", terminal.Show, 0, 2},
		{"a lone ESC", "\x1b", terminal.None, 0, 1},
		{"ESC and a line feed", "\x1b\n", terminal.None, 0, 1},
		{"an unfinished CSI before a line feed", "\x1b[31\n", terminal.None, 0, 1},
		{"an unfinished CSI before text of another kind", "\x1b[31é", terminal.None, 0, 1},
		{"a link that a line feed ends", "\x1b]8;;http://x\ntext", terminal.None, 0, 1},
		{"a string without end", "\x1b]0;" + strings.Repeat("x", 5000), terminal.None, 0, 1},
		{"parameters without end", "\x1b[" + strings.Repeat("1;", 100) + "m", terminal.None, 0, 1},
		{"many parameters", "\x1b[" + strings.Repeat(";", 60) + "m", terminal.Remove, 0, 63},
	} {
		op, n, length := terminal.Sequence([]byte(c.in), true)
		require.Equal(t, c.length, length, c.reason)
		require.Equal(t, c.op, op, c.reason)
		require.Equal(t, c.n, n, c.reason)
	}
}

// What Sequence says of a start of the bytes it says of all of them, or it waits;
// and it does not wait beyond its bounds.
func FuzzSequence(f *testing.F) {
	for _, s := range []string{"\x1b[31m", "\x1b]8;;x\x1b\\", "\x1b[;;;;;5G", "\x1bP1$r\x1b\\", "\x1b]", "\x1b[?1;2c", "\x1b\x1b[m"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, k int) {
		b = append([]byte{'\x1b'}, b...)
		k = 1 + max(k, -k)%len(b)
		if k < 1 || k > len(b) {
			return
		}
		op, n, length := terminal.Sequence(b, true)
		if length < 1 || length > len(b) || n < 0 {
			t.Fatal(op, n, length)
		}
		if i := strings.IndexByte(string(b[:length]), '\n'); i >= 0 {
			t.Fatalf("%q has a line feed", b[:length])
		}
		if op1, n1, length1 := terminal.Sequence(b[:k], false); length1 > 0 && (op1 != op || n1 != n || length1 != length) {
			t.Fatalf("%q: %d %d %d, of the start %d %d %d", b, op, n, length, op1, n1, length1)
		} else if length1 == 0 && k > terminal.MaxSequence {
			t.Fatal("waits for ever")
		}
	})
}
