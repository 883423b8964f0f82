package searchview

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

// oracle is the slow and plain version of a search: all matches that begin at or
// behind from, line by line, on the whole text.
func oracle(text []byte, re *regexp.Regexp, from int) []span {
	var found []span
	re = endingEither(re)
	at := 0
	for _, line := range bytes.SplitAfter(text, lineFeed) {
		if len(line) == 0 {
			continue
		}
		body := bytes.TrimSuffix(line, lineFeed)
		switch {
		case from > at+len(body):
		case from <= at:
			for _, m := range re.FindAllIndex(body, -1) {
				found = append(found, span{int64(at + m[0]), int64(at + m[1])})
			}
		default:
			for _, m := range findAllFrom(body, re, from-at) {
				found = append(found, span{int64(at + m[0]), int64(at + m[1])})
			}
		}
		at += len(line)
	}
	return found
}

// endingEither is re with $ standing before CR LF too.
func endingEither(re *regexp.Regexp) *regexp.Regexp {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil || !endings(tree) {
		return re
	}
	return regexp.MustCompile(tree.String())
}

// findAllFrom is re.FindAllIndex as if it began at pos > 0, with what stands before
// pos as context. It follows regexp.(*Regexp).allMatches.
func findAllFrom(line []byte, re *regexp.Regexp, pos int) [][]int {
	behind := regexp.MustCompile(`\A(?s:.)(?s:.*?)(` + re.String() + `)`)
	var out [][]int
	last := -1
	for pos <= len(line) {
		_, size := utf8.DecodeLastRune(line[:pos])
		m := behind.FindSubmatchIndex(line[pos-size:])
		if m == nil {
			break
		}
		start, end := m[2]+pos-size, m[3]+pos-size
		accept := end != pos || start != last
		if end == pos {
			_, n := utf8.DecodeRune(line[pos:])
			pos += max(1, n)
		} else {
			pos = end
		}
		last = end
		if accept {
			out = append(out, []int{start, end})
		}
	}
	return out
}

// read gives text to a View in chunks that end at cuts.
func read(o Options, text []byte, cuts ...int) *View { return feed(New(o), text, cuts...) }

// readSmall is read with sizes that make lines of some hundred bytes giants.
func readSmall(o Options, text []byte, cuts ...int) *View {
	v := New(o)
	v.sz = sizes{gather: 40, effort: 1 << 10, block: 64}
	return feed(v, text, cuts...)
}

// readMiddling is read with sizes at which lines of a few thousand bytes are giants
// of which only the last thousand bytes are known.
func readMiddling(o Options, text []byte, cuts ...int) *View {
	v := New(o)
	v.sz = sizes{gather: 600, effort: 1 << 12, block: 1 << 10}
	return feed(v, text, cuts...)
}

func feed(v *View, text []byte, cuts ...int) *View {
	at := 0
	for _, c := range cuts {
		c = min(max(c, at), len(text))
		_, _ = v.Write(text[at:c])
		at = c
	}
	_, _ = v.Write(text[at:])
	v.End()
	return v
}

// all are the matches that a View keeps when nothing limits it.
func all(v *View) []span {
	var out []span
	for _, h := range v.keep.hits {
		out = append(out, h.raw)
	}
	return out
}

// patterns exercise every kind of instruction, empty matches, assertions on both
// sides, priorities and literals.
var patterns = []string{
	`a`, `ab`, `needle`, `aab`, `a*`, `a+`, `a*?`, `a|ab`, `ab|a`, `(a|ab)(c|bcd)?`, `a.*b`, `a.*?b`, `a.*b|a`, `.*`, `.+`, `^`, `$`, `^$`, `^a`, `a$`, `^a$`,
	`\b`, `\B`, `\ba`, `a\b`, `\Ba`, `\Ab`, `b\z`, `(?i)aB`, `[^a]`, `[^b]+`, `\w+`, `\s`, `é`, `[é中]`, `(?i)É`, `\x{FFFD}`, `.`, `(?s).`, `(a|b)*c?`,
	`a{2,3}`, `(ab){1,2}`, `(?:a|b|c){4}`, `x*`, `(|a)+`, `(a|)+b`, `中.{0,3}中`, `(.{1,20}x|.{1,20}y)`, `a(.{0,5}b)?`, `\n`, `b.*c|a`, `(?i)NEEDLE`, `(?i)x+needle`, `(?i)nee(dle)`, `(?i)ks`, `(?i)aks?b`, `((a)(b))+`, `(?U)a+`, `(?i:a)b`, `\r`, `\r$`,
}

func drawText(t *rapid.T, most int) []byte {
	atoms := []string{"a", "b", "c", "ab", "needle", "NeeDle", "K", "ſ", "\u212a", " ", "\n", "\n", "\r\n", "é", "中", "x", "y", "\xff", "\xe2\x82", "aab", "👍🏽", "\x1b[31m", "\u200b", "e\u0301", "🇫🇷"}
	n := rapid.IntRange(0, most).Draw(t, "atoms")
	var b strings.Builder
	for range n {
		b.WriteString(rapid.SampledFrom(atoms).Draw(t, "atom"))
	}
	return []byte(b.String())
}

func drawExpr(t *rapid.T) *regexp.Regexp {
	return regexp.MustCompile(rapid.SampledFrom(patterns).Draw(t, "pattern"))
}

func drawCuts(t *rapid.T, n int) []int {
	return rapid.SliceOfN(rapid.IntRange(0, n), 0, 6).Draw(t, "cuts")
}

// drawOptions draws a search that begins between two characters of text.
func drawOptions(t *rapid.T, text []byte) Options {
	from := rapid.IntRange(-1, len(text)+2).Draw(t, "from")
	for at := 0; at < len(text) && at < from; {
		_, n := utf8.DecodeRune(text[at:])
		if at += n; at > from {
			from = at
		}
	}
	return Options{
		Expr:    drawExpr(t),
		Retain:  rapid.SampledFrom([]int64{0, 10, 100, 1000, 10_000}).Draw(t, "retain"),
		Context: rapid.IntRange(0, 3).Draw(t, "context"),
		From:    int64(from),
		MaxHits: rapid.SampledFrom([]int{0, 0, 1, 2, 5}).Draw(t, "hits"),
	}
}

func drawLimit(t *rapid.T, most int64) view.Limit {
	return view.Limit{
		Bytes: rapid.Int64Range(0, most).Draw(t, "bytes"),
		Unit:  rapid.SampledFrom([]view.Unit{view.Byte, view.Rune, view.Grapheme, view.Line}).Draw(t, "unit"),
		N:     rapid.Int64Range(0, most).Draw(t, "n"),
	}
}
