package searchview

import (
	"regexp"
	"regexp/syntax"
)

// program is an expression in the forms that a search needs.
type program struct {
	re      *regexp.Regexp
	prog    *syntax.Prog
	source  string
	literal []byte  // the whole expression, when it is one; nil otherwise
	needs   *needle // stands in every match; nil: nothing is known
	prefix  *needle // begins every match; nil: nothing is known
	cost    int64   // instructions
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
	if endings(tree) {
		if ended, err := regexp.Compile(tree.String()); err == nil {
			p.re = ended
		}
	}
	tree = uncapture(tree).Simplify()
	if plain, err := regexp.Compile(tree.String()); err == nil && sameProgram(plain, tree) {
		p.re = plain
	}
	p.prog, err = syntax.Compile(tree)
	if err != nil {
		p.prog, _ = syntax.Compile(&syntax.Regexp{Op: syntax.OpNoMatch})
	}
	p.cost = int64(len(p.prog.Inst))
	p.needs, p.prefix = needed(tree), prefixOf(tree)
	if p.prefix != nil && !p.prefix.fold && tree.Op == syntax.OpLiteral {
		p.literal = p.prefix.text
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

// uncapture is r without its groups that capture, which cost time and say nothing
// about where a match is.
func uncapture(r *syntax.Regexp) *syntax.Regexp {
	for r.Op == syntax.OpCapture {
		r = r.Sub[0]
	}
	for i, s := range r.Sub {
		r.Sub[i] = uncapture(s)
	}
	return r
}

// sameProgram reports whether re is what tree stands for: that the text of tree
// was read again as tree.
func sameProgram(re *regexp.Regexp, tree *syntax.Regexp) bool {
	again, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return false
	}
	a, err := syntax.Compile(again.Simplify())
	b, berr := syntax.Compile(tree)
	return err == nil && berr == nil && a.String() == b.String()
}
