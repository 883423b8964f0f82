package textview

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/view"
)

// How lines that are too long to be shown or searched whole are treated.
const (
	excerpt     = 256      // bytes shown on either side of a match on a long line
	searchMax   = 64 << 10 // bytes of a line that are searched at once
	searchAgain = 4 << 10  // of them, those that are searched again with what follows
	lookBehind  = 64       // bytes before them that only assertions see
)

// around selects windows of lines round the matches of a regular expression.
type around struct {
	re      *regexp.Regexp
	context int
	head    *renderer   // nil: it has enough
	full    func() bool // whether it has

	line   []byte // the current line, or the part of it that is searched
	at     int64  // where line starts in the text
	no     int64  // its number
	skip   int    // bytes of line that were searched before
	broken bool   // line is not the start of its line
	inside bool   // the first line is not the start of one
	hit    bool   // the line has matched

	before []contextLine // lines that may come to be shown
	after  int           // lines that are still to be shown
	end    int64         // end of what was shown, in the text

	matched  int64
	unjudged int64
	returned []int64 // where the first match of each line that was shown ends
}

// contextLine is a line near a match, or its start where it is long.
type contextLine struct {
	text  []byte
	at    int64
	no    int64
	start bool // it is the start of its line
}

func (a *around) take(p []byte) {
	for len(p) > 0 {
		n := bytes.IndexByte(p, '\n') + 1
		ended := n > 0
		if !ended {
			n = len(p)
		}
		n = min(n, searchMax-len(a.line))
		a.line = append(a.line, p[:n]...)
		p = p[n:]
		switch {
		case a.line[len(a.line)-1] == '\n':
			a.search(true)
			a.next()
		case len(a.line) == searchMax:
			a.search(false)
			a.carry()
		}
	}
}

// finish searches a last line without line feed.
func (a *around) finish() {
	if len(a.line) > a.skip {
		a.search(true)
		a.next()
	}
}

// lineStart reports whether line is the start of a line.
func (a *around) lineStart() bool { return !a.broken && (a.no > 0 || !a.inside) }

// earliest is where the text begins that may still come to be shown.
func (a *around) earliest() int64 {
	if len(a.before) > 0 {
		return a.before[0].at
	}
	return a.at
}

// next goes to the next line.
func (a *around) next() {
	a.at += int64(len(a.line))
	a.no++
	a.line, a.skip, a.broken, a.hit = a.line[:0], 0, false, false
}

// carry keeps the end of a part for the next part of the same line.
func (a *around) carry() {
	keep := len(a.line) - searchAgain - lookBehind
	for keep < len(a.line)-searchAgain && !utf8.RuneStart(a.line[keep]) {
		keep++
	}
	a.skip = len(a.line) - searchAgain - keep
	a.at += int64(keep)
	a.line = append(a.line[:0], a.line[keep:]...)
	a.broken = true
}

// search looks for matches in the line, or in a part of it, and shows what
// belongs to them.
func (a *around) search(last bool) {
	all := 1
	if a.broken || !last || len(a.line) > LongLine {
		all = -1
	}
	var hits [][]int
	line := bytes.TrimSuffix(bytes.TrimSuffix(a.line, []byte{'\n'}), []byte{'\r'})
	for _, m := range a.re.FindAllIndex(line, all) {
		if m[0] >= a.skip && (last || m[0] < len(a.line)-searchAgain) {
			hits = append(hits, m)
		}
	}
	switch {
	case len(hits) > 0:
		a.found(hits, last)
	case last && !a.hit:
		a.missed()
	}
}

// found shows the lines before, and of this line all or what is near a match.
func (a *around) found(hits [][]int, last bool) {
	if !a.hit {
		a.hit = true
		a.matched++
		if a.head != nil {
			a.returned = append(a.returned, a.at+int64(hits[0][1]))
		}
		for _, c := range a.before {
			a.show(c.text, c.at, c.no, c.start)
		}
		a.before = a.before[:0]
	}
	a.after = a.context
	if last && !a.broken && len(a.line) <= LongLine {
		a.show(a.line, a.at, a.no, a.lineStart())
		return
	}
	for _, m := range hits {
		from := max(m[0]-excerpt, 0)
		to := min(min(m[1], m[0]+2*excerpt)+excerpt, len(a.line))
		from, to = snap(a.line, from, to)
		a.show(a.line[from:to], a.at+int64(from), a.no, from == 0 && a.lineStart())
	}
}

// missed treats a line without a match as context.
func (a *around) missed() {
	if a.broken && !a.literal() {
		a.unjudged++
	}
	if a.context == 0 || a.broken {
		a.after = max(a.after-1, 0)
		a.before = a.before[:0]
		return
	}
	text := a.line
	if len(text) > LongLine {
		_, to := snap(text, 0, excerpt)
		text = text[:to]
	}
	if a.after > 0 {
		a.after--
		a.show(text, a.at, a.no, a.lineStart())
		return
	}
	if len(a.before) == a.context {
		a.before = append(a.before[:0], a.before[1:]...)
	}
	a.before = append(a.before, contextLine{append([]byte(nil), text...), a.at, a.no, a.lineStart()})
}

// literal reports whether no match is longer than what is searched again.
func (a *around) literal() bool {
	prefix, whole := a.re.LiteralPrefix()
	return whole && len(prefix) <= searchAgain
}

// snap moves the edges of an excerpt inwards, to boundaries that are certain or,
// where there is none near, to those of runes.
func snap(line []byte, from, to int) (int, int) {
	if from > 0 {
		from = inward(line, from)
	}
	for k := to; to < len(line) && k > to-graphemes.Max && k > from; k-- {
		if utf8.RuneStart(line[k]) && certainAt(line, k) {
			return from, k
		}
	}
	for to < len(line) && to > from && !utf8.RuneStart(line[to]) {
		to--
	}
	return from, max(from, to)
}

func inward(line []byte, from int) int {
	for k := from; k < min(from+graphemes.Max, len(line)); k++ {
		if utf8.RuneStart(line[k]) && certainAt(line, k) {
			return k
		}
	}
	for from < len(line) && !utf8.RuneStart(line[from]) {
		from++
	}
	return from
}

func certainAt(line []byte, k int) bool {
	p, _ := utf8.DecodeLastRune(line[:k])
	q, _ := utf8.DecodeRune(line[k:])
	return graphemes.Certain(p, q)
}

// show gives a stretch of the text to the head, or what of it was not yet shown.
func (a *around) show(b []byte, at, no int64, start bool) {
	if a.head == nil {
		return
	}
	if seen := a.end - at; seen > 0 {
		if seen >= int64(len(b)) {
			return
		}
		b, at = b[seen:], a.end
	}
	if at != a.end || len(a.head.jumps) == 0 {
		a.head.jump(at, no, start)
	}
	a.head.write(b)
	a.end = at + int64(len(b))
	if a.full() {
		a.head = nil
	}
}

// scan says what was searched and found. shown is the end of what is shown.
func (a *around) scan(scanned view.Range, of, shown int64) *view.Scan {
	s := &view.Scan{
		Predicate: a.re.String(), Engine: "re2", Unit: view.Line,
		Scanned: []view.Range{scanned}, Of: of, Matched: a.matched, Unjudged: a.unjudged,
	}
	if _, whole := a.re.LiteralPrefix(); whole {
		s.Engine = "literal"
	}
	for _, end := range a.returned {
		if end <= shown {
			s.Returned++
		}
	}
	return s
}
