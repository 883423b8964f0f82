package searchview

import "bytes"

const (
	pollEvery = 1 << 12 // units of work between two calls of Stop; one is about 20 ns
	skimmed   = 64      // bytes that bytes.Index looks at in one unit of work
)

// poll adds n to the work done since Stop was asked, asks it when that is due, and
// reports whether the search is over. at is the offset before which everything
// has been judged: while that is nothing, Stop is not asked, so that a search that
// goes on where another stopped gets further, however little time it has.
func (v *View) poll(n, at int64) bool {
	if v.stopped || v.o.Stop == nil {
		return v.stopped
	}
	if v.work += n; v.work < pollEvery || at <= v.from {
		return false
	}
	v.work = 0
	if v.o.Stop() {
		v.stopAt(at)
	}
	return v.stopped
}

func (v *View) stopAt(at int64) {
	v.stopped = true
	v.searched = v.dec.Raw(max(at, v.from))
}

// judge finds the matches in one line; text is b without its line feed.
func (v *View) judge(text, b []byte, ln lineRef) {
	at := max(ln.start, v.from)
	switch {
	case v.stopped || v.p.needs != nil && v.p.needs.index(text) < 0:
	case v.p.literal != nil:
		v.judgeLiteral(text[at-ln.start:], at, b, ln)
	case at > ln.start || len(text) > v.sz.atOnce(&v.p):
		v.track(text, b, ln)
	case v.poll(int64(len(text))*v.p.cost, at):
	case int64(len(text))*int64(len(text))*v.p.cost > v.sz.effort:
		if v.p.re.Match(text) {
			v.track(text, b, ln)
		}
	default:
		for _, m := range v.p.re.FindAllIndex(text, -1) {
			v.found(span{ln.start + int64(m[0]), ln.start + int64(m[1])}, b, ln)
		}
	}
}

func (v *View) judgeLiteral(text []byte, at int64, b []byte, ln lineRef) {
	for {
		i := bytes.Index(text, v.p.literal)
		if i < 0 {
			return
		}
		n := i + len(v.p.literal)
		v.found(span{at + int64(i), at + int64(n)}, b, ln)
		text, at = text[n:], at+int64(n)
	}
}

// found takes a match in the line b.
func (v *View) found(s span, b []byte, ln lineRef) {
	v.keep.hit(hit{span: s, raw: v.rawSpan(s)}, piece{ln.start, b}, ln)
}

func (v *View) rawSpan(s span) span { return span{v.dec.Raw(s.start), v.dec.Raw(s.end)} }
