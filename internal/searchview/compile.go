package searchview

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// The most that Compile takes.
const (
	DefaultSize     = 1 << 10 // bytes of a pattern
	MaxInstructions = 2000
)

// Compile makes an expression of a pattern that a model wrote: of a literal text,
// or of RE2 syntax (regexp/syntax). A pattern has at most maxSize bytes, 0 means
// DefaultSize, and at most MaxInstructions when compiled. ".*" at either end is
// left out: it finds the same lines and would make each match its whole line.
//
// Its errors say what to change, and quote at most 80 bytes of the pattern.
func Compile(pattern string, literal bool, maxSize int) (*regexp.Regexp, error) {
	if maxSize <= 0 {
		maxSize = DefaultSize
	}
	switch {
	case pattern == "":
		return nil, errors.New("the pattern is empty; give the text or the expression to look for")
	case len(pattern) > maxSize:
		return nil, fmt.Errorf("the pattern has %d bytes, at most %d are allowed; look for a shorter, distinctive part of it", len(pattern), maxSize)
	case !utf8.ValidString(pattern):
		return nil, errors.New("the pattern is not valid UTF-8")
	}
	if literal {
		if strings.Contains(pattern, "\n") {
			return nil, errors.New("the pattern has a line feed, and a match never spans lines; look for one of its lines")
		}
		return regexp.Compile(regexp.QuoteMeta(pattern))
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, explain(err)
	}
	if feeds(tree) {
		return nil, errors.New(`the pattern asks for a line feed, and a match never spans lines; use $ for the end of a line, and look for one line at a time`)
	}
	if err := affordable(tree); err != nil {
		return nil, err
	}
	return regexp.Compile(inner(pattern))
}

// explain says what is wrong in the pattern and what to do.
func explain(err error) error {
	const literally = `; to look for the text itself, set "literal" to true`
	var e *syntax.Error
	if !errors.As(err, &e) {
		return errors.New("the pattern can't be read" + literally)
	}
	switch e.Code {
	case syntax.ErrInvalidPerlOp:
		return fmt.Errorf("the pattern has %s, which RE2 does not know (no lookaround, no backreferences); write it without, or look for a part of it", short(e.Expr))
	case syntax.ErrInvalidEscape:
		return fmt.Errorf("the pattern has the escape %s, which RE2 does not know%s", short(e.Expr), literally)
	case syntax.ErrInvalidRepeatSize, syntax.ErrLarge, syntax.ErrNestingDepth:
		return fmt.Errorf("the pattern is too large (%s: %s); counts go to 1000 in all, use * or + instead", e.Code, short(e.Expr))
	}
	return fmt.Errorf("the pattern can't be read: %s: %s%s", e.Code, short(e.Expr), literally)
}

// short quotes at most some 80 bytes of s.
func short(s string) string {
	const most = 80
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	n := most
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%q…", s[:n])
}

// affordable refuses a program that would be slow on every byte.
func affordable(tree *syntax.Regexp) error {
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return explain(err)
	}
	if n := len(prog.Inst); n > MaxInstructions {
		return fmt.Errorf("the pattern compiles to %d instructions, at most %d are allowed; use * or + instead of counts, or fewer alternatives", n, MaxInstructions)
	}
	return nil
}

// feeds reports whether a line feed stands literally in r.
func feeds(r *syntax.Regexp) bool {
	switch r.Op {
	case syntax.OpLiteral:
		return strings.ContainsRune(string(r.Rune), '\n')
	case syntax.OpCharClass:
		return len(r.Rune) == 2 && r.Rune[0] == '\n' && r.Rune[1] == '\n'
	}
	for _, s := range r.Sub {
		if feeds(s) {
			return true
		}
	}
	return false
}

// inner is the pattern without .* at its ends, where that finds the same lines.
func inner(pattern string) string {
	flags := flagGroup.FindString(pattern)
	for _, run := range []string{".*?", ".*"} {
		if s, ok := strings.CutPrefix(pattern[len(flags):], run); ok && sameWithout(pattern, flags+s, 0) {
			pattern = flags + s
		}
		if s, ok := strings.CutSuffix(pattern, run); ok && sameWithout(pattern, s, -1) {
			pattern = s
		}
	}
	return pattern
}

var flagGroup = regexp.MustCompile(`^\(\?[imsU]+\)`)

// sameWithout reports whether rest is pattern without its first (at 0) or last
// (at -1) factor, which matches any run of characters, and does not match the
// empty string.
func sameWithout(pattern, rest string, at int) bool {
	p, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || p.Op != syntax.OpConcat || len(p.Sub) < 2 {
		return false
	}
	r, err := syntax.Parse(rest, syntax.Perl)
	if err != nil || regexp.MustCompile(rest).MatchString("") {
		return false
	}
	cut, left := p.Sub[0], p.Sub[1:]
	if at < 0 {
		n := len(p.Sub) - 1
		cut, left = p.Sub[n], p.Sub[:n]
	}
	if cut.Op != syntax.OpStar || (cut.Sub[0].Op != syntax.OpAnyCharNotNL && cut.Sub[0].Op != syntax.OpAnyChar) {
		return false
	}
	want := left[0]
	if len(left) > 1 {
		c := *p
		c.Sub = left
		want = &c
	}
	return want.Equal(r)
}
