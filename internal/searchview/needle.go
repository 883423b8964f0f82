package searchview

import (
	"bytes"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needle is a text that stands in every match, so that what does not have it need
// not be matched.
type needle struct {
	text  []byte
	fold  bool // in either case; text is then ASCII in lower case
	probe int  // with fold: index of the byte of text that is rarest in texts
}

// maxNeedle is the longest literal that is looked for as such: one that spans two
// chunks must be in what a tracker keeps.
const maxNeedle = 4 << 10

// index is where the needle is first in b, or -1.
func (n *needle) index(b []byte) int {
	if !n.fold {
		return bytes.Index(b, n.text)
	}
	lower := n.text[n.probe]
	upper := byte(unicode.ToUpper(rune(lower)))
	nextLower, nextUpper := find(b, lower, 0), find(b, upper, 0)
	for {
		i := min(nextLower, nextUpper)
		if i == len(b) {
			return -1
		}
		if at := i - n.probe; at >= 0 && n.is(b[at:]) {
			return at
		}
		if i == nextLower {
			nextLower = find(b, lower, i+1)
		}
		if i == nextUpper {
			nextUpper = find(b, upper, i+1)
		}
	}
}

// find is the index of c in b from from on; len(b) for none.
func find(b []byte, c byte, from int) int {
	if i := bytes.IndexByte(b[from:], c); i >= 0 {
		return from + i
	}
	return len(b)
}

// is reports whether b begins with the needle, in either case.
func (n *needle) is(b []byte) bool {
	if len(b) < len(n.text) {
		return false
	}
	for i, c := range n.text {
		d := b[i]
		if 'A' <= d && d <= 'Z' {
			d += 'a' - 'A'
		}
		if c != d {
			return false
		}
	}
	return true
}

// needed is the longest literal that stands in every match of r.
func needed(r *syntax.Regexp) *needle {
	switch r.Op {
	case syntax.OpLiteral:
		return literalOf(r)
	case syntax.OpCapture, syntax.OpPlus:
		return needed(r.Sub[0])
	case syntax.OpRepeat:
		if r.Min > 0 {
			return needed(r.Sub[0])
		}
	case syntax.OpConcat:
		var longest *needle
		for _, s := range r.Sub {
			if n := needed(s); n != nil && (longest == nil || len(n.text) > len(longest.text)) {
				longest = n
			}
		}
		return longest
	}
	return nil
}

// prefixOf is the literal with which every match of r begins.
func prefixOf(r *syntax.Regexp) *needle {
	switch r.Op {
	case syntax.OpLiteral:
		if r.Flags&syntax.FoldCase == 0 {
			return literalOf(r)
		}
		n := 0
		for n < len(r.Rune) && folds(r.Rune[n]) {
			n++
		}
		return foldNeedle(r.Rune[:n])
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		return prefixOf(r.Sub[0])
	}
	return nil
}

// literalOf is the longest part of a literal that stands for nothing but itself,
// or itself in either case. U+FFFD also stands for bytes that are no UTF-8.
func literalOf(r *syntax.Regexp) *needle {
	if r.Flags&syntax.FoldCase != 0 {
		var longest []rune
		for rest := r.Rune; len(rest) > 0; {
			n := 0
			for n < len(rest) && folds(rest[n]) {
				n++
			}
			if n > len(longest) {
				longest = rest[:n]
			}
			rest = rest[min(n+1, len(rest)):]
		}
		return foldNeedle(longest)
	}
	var b []byte
	for _, c := range r.Rune {
		if c == utf8.RuneError {
			return nil
		}
		b = utf8.AppendRune(b, c)
	}
	if len(b) == 0 || len(b) > maxNeedle {
		return nil
	}
	return &needle{text: b}
}

// folds reports whether the forms of r in both cases are ASCII: k has the Kelvin
// sign too, s the long s.
func folds(r rune) bool {
	switch r {
	case 'k', 'K', 's', 'S':
		return false
	}
	return r < utf8.RuneSelf
}

func foldNeedle(rs []rune) *needle {
	if len(rs) == 0 || len(rs) > maxNeedle {
		return nil
	}
	n := &needle{text: []byte(strings.ToLower(string(rs))), fold: true}
	for i, c := range n.text {
		if frequency(c) < frequency(n.text[n.probe]) {
			n.probe = i
		}
	}
	return n
}

// frequency is the rank of a byte in texts, the rarest first; digits and
// punctuation are in the middle.
func frequency(c byte) int {
	const letters = "zqxjkvbpygfwmucldrhsnioate "
	if i := strings.IndexByte(letters, c); i >= 0 {
		return i
	}
	return len(letters) / 2
}
