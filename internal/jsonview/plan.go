package jsonview

import (
	"strings"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/jsonstring"
	"github.com/toolclip/toolclip/internal/view"
)

// MaxOmissions is how many omissions a Plan lists; the others are counted.
const MaxOmissions = 256

// Plan is the view within l. Call it after End, when Err is nil. It changes
// nothing: the same limit gives the same plan, and a larger one shows at least as
// much. A limit above Options.Retain is taken as Retain.
func (v *View) Plan(l view.Limit) view.Plan {
	l.Bytes = max(0, min(l.Bytes, v.o.Retain))
	if p, ok := v.planWhole(l); ok {
		return p
	}
	if v.isRawPage() {
		return v.raw.plan(v, l)
	}
	return v.planPicture(v.draw(l))
}

// planWhole is the plan that shows the document as it is, if that fits.
func (v *View) planWhole(l view.Limit) (view.Plan, bool) {
	if v.o.paged() || v.o.Only || v.total > l.Bytes || int64(len(v.whole)) != v.total || newMeter(l).over(v.whole) {
		return view.Plan{}, false
	}
	p := view.Plan{
		MediaType: "application/json", Content: string(v.whole), Complete: true, Exact: true,
		Bytes: ranges([]piece{{from: 0, to: v.total}}, false), UnitTotal: -1, Scan: v.judge.scanOf(v.judge.matched),
	}
	if n := v.root(); n != nil && n.kind == jsonscan.Array {
		p.Unit, p.UnitTotal, p.Units = view.Item, n.n, units(0, n.n)
	}
	v.hideSurrogates(&p)
	return p, true
}

func (v *View) root() *node {
	if len(v.nodes) == 0 {
		return nil
	}
	return &v.nodes[0]
}

func units(from, to int64) []view.Range {
	if from >= to {
		return nil
	}
	return []view.Range{{Start: from, End: to}}
}

// hideSurrogates shows lone surrogate escapes as the escape of U+FFFD, because
// APIs of models refuse requests that hold them.
func (v *View) hideSurrogates(p *view.Plan) {
	if v.scan.Lone() == 0 {
		return
	}
	content, n := replaceLone(p.Content)
	if n == 0 {
		return
	}
	p.Content, p.Complete, p.Exact = content, false, false
	p.Transforms = append(p.Transforms, view.Transform{Name: "lone_surrogate", Count: n, Loses: true})
}

func replaceLone(s string) (string, int64) {
	var b strings.Builder
	count, done := int64(0), 0
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '\\')
		if j < 0 || i+j+6 > len(s) {
			break
		}
		i += j
		raw := []byte(s[i:min(len(s), i+12)])
		r, n := rawRune(raw)
		if n == 0 { // an escape that ends the text
			n = 6
		}
		if n == 6 && r == '\uFFFD' && jsonstring.Hex(raw[2:]) != '\uFFFD' {
			b.WriteString(s[done:i])
			b.WriteString(`\ufffd`)
			count++
			done = i + 6
		}
		i += n
	}
	if count == 0 {
		return s, 0
	}
	b.WriteString(s[done:])
	return b.String(), count
}

// planPicture says in the words of view what a picture shows.
func (v *View) planPicture(pic *picture) view.Plan {
	p := view.Plan{MediaType: "application/json", UnitTotal: -1, Pointer: v.o.Pointer}
	var b strings.Builder
	end := int64(0)
	for _, x := range pic.pieces {
		if x.from != end {
			p.Cuts = append(p.Cuts, int64(b.Len()))
		}
		end = x.to
		b.Write(x.data)
	}
	p.Content = b.String()
	p.Bytes, p.Context = ranges(pic.pieces, false), ranges(pic.pieces, true)
	v.unitsOf(&p, pic)
	for i, o := range pic.omissions {
		if i == MaxOmissions {
			p.Unlisted = int64(len(pic.omissions) - i)
			break
		}
		p.Omissions = append(p.Omissions, o.Omission)
	}
	for _, o := range pic.omissions {
		p.Rest = append(p.Rest, o.rest...)
	}
	p.Complete = len(pic.omissions) == 0 && !v.o.paged() && p.Content != ""
	if p.Complete {
		v.sayWhiteSpace(&p)
	}
	p.Scan = v.judge.scanOf(v.returned(pic.shown))
	if v.o.Only && pic.main != nil {
		p.Rest = v.restOfMatches(pic.main, p.Rest, p.Scan)
	}
	v.hideSurrogates(&p)
	return p
}

// sayWhiteSpace counts the places at which white space was left out of a complete
// plan. Without any, its bytes are those of the document.
func (v *View) sayWhiteSpace(p *view.Plan) {
	places, at := int64(0), int64(0)
	for _, r := range p.Bytes {
		if r.Start > at {
			places++
		}
		at = r.End
	}
	if at < v.total {
		places++
	}
	if p.Exact = places == 0; !p.Exact {
		p.Transforms = append(p.Transforms, view.Transform{Name: "white_space", Count: places})
	}
}

// restOfMatches is what to ask for next when only matches are wanted: rest without
// the items that were left out for not being any, the first match where not even a
// part of it is shown, and from where on the others are.
func (v *View) restOfMatches(m *tally, rest []view.Rest, s *view.Scan) []view.Rest {
	if s == nil {
		return rest
	}
	var list []view.Rest
	for _, r := range rest {
		if s.Returned > 0 && (r.Pointer != m.pointer || r.Unit != view.Item) {
			list = append(list, r) // of a match that is shown in part
		}
	}
	left, next := s.Matched-s.Returned, m.next
	if left > 0 && s.Returned == 0 {
		next = v.judge.first + 1
		list = append(list, view.Rest{Pointer: m.pointer, Unit: view.Item, From: next - 1, To: next})
		left--
	}
	if left > 0 {
		list = append(list, view.Rest{Pointer: m.pointer, Unit: view.Item, From: next, To: m.total})
	}
	return list
}

// unitsOf sets the container whose items people count: the root if it is an
// array, what a page is of, or the array that lacks most.
func (v *View) unitsOf(p *view.Plan, pic *picture) {
	if pic.main == nil {
		return
	}
	m := pic.main
	p.Pointer, p.Unit, p.Units, p.Partly, p.UnitTotal = m.pointer, view.Item, m.shown, m.part, m.total
}

// ranges lists the source ranges of the pieces, joined where they touch.
func ranges(pieces []piece, context bool) []view.Range {
	var list []view.Range
	for _, x := range pieces {
		if x.context != context || x.from == x.to {
			continue
		}
		if k := len(list); k > 0 && list[k-1].End == x.from {
			list[k-1].End = x.to
			continue
		}
		list = append(list, view.Range{Start: x.from, End: x.to})
	}
	return list
}

// returned counts the elements that are shown and for which a keep rule holds.
func (v *View) returned(got []shown) (n int64) {
	for i := range got {
		if got[i].taken && v.nodes[i].is(isMatch) {
			n += v.taken(int32(i), &got[i]).count()
		}
	}
	return n
}
