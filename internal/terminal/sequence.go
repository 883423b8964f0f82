// Package terminal applies to a line of output what a terminal would do with it:
// carriage returns and backspaces overwrite, erase sequences erase, colours and
// links disappear.
//
// It knows rows, not screens. A sequence that moves the cursor to another row is
// not applied; it is for the caller to show that it is there.
package terminal

import (
	"bytes"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// MaxSequence is the length in bytes of the longest string sequence (OSC, DCS,
// APC, PM, SOS) that is taken for one; MaxControl that of the longest other
// one. An ESC that begins nothing shorter is a character. Neither contains a
// line feed, so that a sequence without end can't swallow the lines after it.
const (
	MaxSequence = 4096
	MaxControl  = 64
)

// Op is what a sequence does.
type Op uint8

// The operations. Those from Column on change the row and are applied by
// Row.Apply.
const (
	None       Op = iota // no sequence: ESC is a character
	Remove               // colours, modes, character sets: nothing to see
	RemoveSay            // a string with a payload, such as a link: text that a terminal does not print
	Show                 // a sequence that is not applied here
	Column               // to column N, 0-based
	Forward              // N columns to the right
	Back                 // N columns to the left
	EraseRight           // from the cursor to the end
	EraseLeft            // from the start to the cursor, inclusive
	EraseAll             // the row
	EraseN               // N columns from the cursor on
	DeleteN              // N columns from the cursor on; the rest moves left
	InsertN              // N blanks at the cursor; the rest moves right
)

// Sequence reads the escape sequence at the start of b, which begins with ESC.
// It returns what it does, its parameter N and its length in bytes. A length of
// 0 means that the bytes to come decide; final says that none will come.
func Sequence(b []byte, final bool) (op Op, n, length int) {
	if len(b) < 2 {
		return unfinished(final)
	}
	switch b[1] {
	case ']', 'P', 'X', '^', '_':
		return stringSequence(b, final)
	}
	head := b[:min(len(b), MaxControl+1)]
	for i, c := range head {
		if i > 0 && (c < ' ' || c > '~') {
			return None, 0, 1
		}
		if i > 0 && ends(b[1], i, c) {
			op, n = operation(b[:i+1])
			return op, n, i + 1
		}
	}
	if len(head) > MaxControl {
		return None, 0, 1
	}
	return unfinished(final)
}

func unfinished(final bool) (Op, int, int) {
	if final {
		return None, 0, 1
	}
	return None, 0, 0
}

// ends reports whether c, at i, is the last byte of a sequence of the kind that
// the second byte tells (ECMA-48 section 5.4; ISO 2022 for ESC I…I F).
func ends(second byte, i int, c byte) bool {
	if second == '[' {
		return i > 1 && c >= '@'
	}
	return c >= '0'
}

// stringSequence reads OSC, DCS, SOS, PM and APC: up to BEL (OSC only) or ST.
func stringSequence(b []byte, final bool) (Op, int, int) {
	head := b[:min(len(b), MaxSequence)]
	for i := 2; i < len(head); i++ {
		switch c := head[i]; {
		case c == '\a' && b[1] == ']':
			return payload(head[2:i]), 0, i + 1
		case c == '\x1b' && i+1 < len(head) && head[i+1] == '\\':
			return payload(head[2:i]), 0, i + 2
		case c == '\x1b' && i+1 == len(head) && len(head) < MaxSequence && !final:
			return None, 0, 0
		case c < ' ' && c != '\t':
			return None, 0, 1
		}
	}
	if len(head) == MaxSequence {
		return None, 0, 1
	}
	return unfinished(final)
}

// payload tells strings that carry text from those that carry none: the end of
// a link is "8;;".
func payload(p []byte) Op {
	if i := bytes.IndexByte(p, ';'); i >= 0 {
		p = p[i+1:]
	}
	if len(bytes.Trim(p, ";")) == 0 {
		return Remove
	}
	return RemoveSay
}

// parsers have room for as many parameters as a sequence of MaxControl bytes can
// have, and none for data, which such sequences lack.
var parsers = sync.Pool{New: func() any {
	p := ansi.NewParser()
	p.SetParamsSize(MaxControl)
	p.SetDataSize(0)
	return p
}}

// operation is what a complete CSI or ESC sequence does.
func operation(seq []byte) (Op, int) {
	if seq[1] != '[' {
		return escape(seq)
	}
	if seq[len(seq)-1] == 'm' {
		return Remove, 0 // colours are most of what there is
	}
	p := parsers.Get().(*ansi.Parser)
	defer parsers.Put(p)
	ansi.DecodeSequence(seq, ansi.NormalState, p)
	cmd := ansi.Cmd(p.Command())
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		return Remove, 0 // private modes, cursor shapes
	}
	arg := func(def int) int { n, _ := p.Param(0, def); return n }
	switch cmd.Final() {
	case 'h', 'l', 'n', 'c', 't', 'q':
		return Remove, 0
	case 'G', '`':
		return Column, max(arg(1), 1) - 1
	case 'C', 'a':
		return Forward, max(arg(1), 1)
	case 'D':
		return Back, max(arg(1), 1)
	case 'K':
		return erase(arg(0), EraseAll)
	case 'J':
		return erase(arg(0), Show)
	case 'X':
		return EraseN, max(arg(1), 1)
	case 'P':
		return DeleteN, max(arg(1), 1)
	case '@':
		return InsertN, max(arg(1), 1)
	}
	return Show, 0
}

// erase maps the parameter of EL and ED. Erasing the whole display concerns rows
// that are gone, so that it is shown, not applied.
func erase(mode int, all Op) (Op, int) {
	switch mode {
	case 0:
		return EraseRight, 0
	case 1:
		return EraseLeft, 0
	case 2:
		return all, 0
	}
	return Show, 0
}

// escape is what ESC F and ESC I F do: character sets and keypad modes leave no
// trace, the rest moves between rows or resets.
func escape(seq []byte) (Op, int) {
	switch seq[1] {
	case '(', ')', '*', '+', '-', '.', '/', '%', '#', ' ', '=', '>', 'N', 'O', 'H':
		return Remove, 0
	}
	return Show, 0
}
