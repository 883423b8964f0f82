package searchview

import (
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// program is an expression in the forms that a search needs.
type program struct {
	re      *regexp.Regexp
	prog    *syntax.Prog
	source  string
	literal []byte // the whole expression, when it is one; nil otherwise
	needs   []byte // stands in every match; nil: nothing is known
	prefix  []byte // begins every match; nil: nothing is known
	cost    int64  // instructions
}

// newProgram reads the source of re again, so that both matchers run the same
// program: an expression that was made leftmost-longest is leftmost-first here.
func newProgram(re *regexp.Regexp) program {
	p := program{re: re, source: re.String()}
	tree, err := syntax.Parse(p.source, syntax.Perl)
	if err != nil { // of regexp.CompilePOSIX
		tree, err = syntax.Parse(p.source, syntax.POSIX)
	} else if again, err := regexp.Compile(p.source); err == nil {
		p.re = again
	}
	if err != nil {
		tree = &syntax.Regexp{Op: syntax.OpNoMatch} // unreachable: re was compiled from it
	}
	tree = tree.Simplify()
	p.prog, err = syntax.Compile(tree)
	if err != nil {
		p.prog, _ = syntax.Compile(&syntax.Regexp{Op: syntax.OpNoMatch})
	}
	p.cost = int64(len(p.prog.Inst))
	p.needs = needed(tree)
	if b := prefixOf(tree); len(b) > 0 && len(b) <= maxLiteral {
		p.prefix = b
		if tree.Op == syntax.OpLiteral {
			p.literal = b
		}
	}
	return p
}

// sizes bound what is done at once and kept of a line; tests take smaller ones.
type sizes struct {
	// Package regexp matches lines of at most gather bytes in one go, as long as
	// bytes times instructions are at most effort: some 50 ms at worst. To find
	// all matches in a line can take the square of its length.
	gather, effort int64

	// A tracker keeps at least the last block. It forgets at whole blocks from the
	// line's start, so that the chunks in which a line arrives change nothing.
	block int64
}

var usual = sizes{gather: 64 << 10, effort: 1 << 20, block: 64 << 10}

// maxLiteral is the longest literal that is looked for as such: one that spans
// two chunks must be in what a tracker keeps.
const maxLiteral = 4 << 10

// atOnce is the longest line, without its line feed, that may be matched in one go.
func (s sizes) atOnce(p *program) int {
	if p.literal != nil {
		return int(s.gather)
	}
	return int(min(s.gather, s.effort/p.cost))
}

// collect is the longest line, without its line feed, that is collected before it
// is looked at. A short line always is.
func (s sizes) collect(p *program) int { return max(shortLine, s.atOnce(p)) }

// engine names how the expression is read.
func (p *program) engine() string {
	if p.literal != nil {
		return "literal"
	}
	return "re2"
}

// needed is the longest literal that stands in every match of r.
func needed(r *syntax.Regexp) []byte {
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
		var longest []byte
		for _, s := range r.Sub {
			if n := needed(s); len(n) > len(longest) {
				longest = n
			}
		}
		return longest
	}
	return nil
}

// prefixOf is the literal with which every match of r begins.
func prefixOf(r *syntax.Regexp) []byte {
	switch r.Op {
	case syntax.OpLiteral:
		return literalOf(r)
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		return prefixOf(r.Sub[0])
	}
	return nil
}

// literalOf is the text of a literal that stands for nothing but itself; U+FFFD
// also stands for bytes that are no UTF-8.
func literalOf(r *syntax.Regexp) []byte {
	if r.Flags&syntax.FoldCase != 0 {
		return nil
	}
	var b []byte
	for _, c := range r.Rune {
		if c == utf8.RuneError {
			return nil
		}
		b = utf8.AppendRune(b, c)
	}
	return b
}
