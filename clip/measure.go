package clip

import (
	"slices"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/textview"
	"github.com/toolclip/toolclip/internal/tokens"
	"github.com/toolclip/toolclip/internal/view"
)

// This file tells how much of a content is shown in the budget's unit, where that is
// runes, clusters or tokens. Totals are of the text: after decoding, before anything
// was made visible, folded or removed.

// maxOmissions is the most omissions that a view lists.
const maxOmissions = 256

// counted is the unit in which texts are counted beside bytes and lines.
func (b Budget) counted() view.Unit {
	switch b.unit {
	case coverage.Rune:
		return view.Rune
	case coverage.Grapheme:
		return view.Grapheme
	}
	return view.Byte
}

// totals are those of the text, and where in the content that is. JSON is read as text
// at the same time; a search counts lines alone.
func (t *intake) totals() (total textview.Totals, pointer string, ok bool) {
	if h := t.holding(); h != nil {
		total, _, ok = h.in.totals()
		return total, h.pointer, ok
	}
	v, ok := t.text.(interface{ Totals() textview.Totals })
	if !ok {
		return textview.Totals{}, "", false
	}
	return v.Totals(), "", true
}

// asked is what is shown of the innermost string that is read as a content.
func (t *intake) asked() Show {
	if h := t.holding(); h != nil {
		return h.in.asked()
	}
	return t.show
}

// relate gives the totals of p's omissions the relation that they have: a source that
// goes on has at least as much; bytes that are no text may be more or fewer characters.
func (t *content) relate(p *envelope.Part) {
	total, _, ok := t.in.totals()
	for i := range p.View.Omissions {
		o := &p.View.Omissions[i]
		doubt := ok && total.Invalid && (o.Unit == coverage.Rune || o.Unit == coverage.Grapheme)
		switch {
		case o.Pointer != p.View.Pointer && o.Pointer != "":
		case doubt && t.goesOn:
			o.Total = coverage.Count{}
		case doubt:
			o.Total.Relation = coverage.Estimate
		case t.goesOn:
			o.Total = lowerBound(o.Total)
		}
	}
}

// measure adds to p what of the whole it shows in the budget's unit, unless its plan has
// told so or it can't be told. Of a page of JSON it is not told, for a store that knows
// where items begin spares reading the rest.
func (t *content) measure(p *envelope.Part) {
	defer t.relate(p)
	total, pointer, ok := t.in.totals()
	s := t.in.asked()
	if !ok || t.of != nil || t.outlined() || s.Pointer != "" || s.Unit == coverage.Item || len(p.View.Omissions) == 0 {
		return
	}
	o := envelope.Omission{Pointer: pointer, Unit: t.cfg.Budget.unit}
	switch o.Unit {
	case coverage.Token:
		t.inTokens(&o, p.Content, total.Tokens)
	case coverage.Rune, coverage.Grapheme:
		if ok = t.inCharacters(&o, p.View, p.Content, total); !ok {
			return
		}
	default:
		return
	}
	list := p.View.Omissions
	if len(list) >= maxOmissions {
		list = list[:maxOmissions-1]
		p.View.Unlisted++
	}
	p.View.Omissions = slices.Insert(slices.Clone(list), 1, o)
}

// inTokens counts what is shown with the budget's counter and estimates the total from
// it. Without a counter both are estimates.
func (t *content) inTokens(o *envelope.Omission, shown string, text int64) {
	guess := tokens.Estimate([]byte(shown))
	if t.cfg.Budget.counter == TokenBound {
		o.Shown, o.Relation = min(guess, t.cfg.Budget.cost(shown)), coverage.Estimate
	} else {
		o.Shown = t.cfg.Budget.cost(shown)
	}
	if !t.goesOn { // there is no word for an estimated lower bound
		all := o.Shown + scaled(text-guess, o.Shown, guess)
		if r := rounded(all); r > o.Shown {
			all = r
		}
		o.Total = coverage.Count{Value: all, Relation: coverage.Estimate}
	}
}

// rounded is n with three significant digits: an estimate does not have more.
func rounded(n int64) int64 {
	unit := int64(1)
	for n/unit >= 1000 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// enough is how many estimated tokens must be shown for their number to say how a
// counter differs from the estimate.
const enough = 64

// scaled is left, an estimate, as a counter would count it by which guess, another
// estimate, was shown; at least 1, for something is left.
func scaled(left, shown, guess int64) int64 {
	if guess >= enough {
		return max(1, int64(float64(left)*float64(shown)/float64(guess)))
	}
	return max(1, left)
}

// inCharacters counts the runes or clusters of JSON that is shown verbatim: content is
// its bytes and its context, in the source's order. Where clusters may be cut at an
// edge, their number is an estimate. Text has been counted in its plan.
func (t *content) inCharacters(o *envelope.Omission, v envelope.View, shown string, total textview.Totals) bool {
	changed := func(t envelope.Transform) bool { return t.Name != InsideTransform } // that is before the ranges
	if v.Omissions[0].Unit == coverage.Line || slices.ContainsFunc(v.Transforms, changed) {
		return false
	}
	runs, ok := runsOf(v, shown)
	for _, run := range runs {
		o.Shown += Budget{unit: o.Unit}.cost(run)
	}
	o.Total = countOf(max(total.Runes, total.Graphemes))
	if o.Unit == coverage.Grapheme {
		o.Relation, o.Total.Relation = coverage.Estimate, coverage.Estimate
	}
	return ok
}

// runsOf cuts a content that is shown verbatim into what each of v's ranges has of it,
// without the context between them. ok is false when they don't make up the content.
func runsOf(v envelope.View, content string) (runs []string, ok bool) {
	shown, context := v.Bytes, v.Context
	for len(shown)+len(context) > 0 {
		from, counts := &context, false
		if len(context) == 0 || len(shown) > 0 && shown[0].Start < context[0].Start {
			from, counts = &shown, true
		}
		n := (*from)[0].Len()
		if n > int64(len(content)) {
			return nil, false
		}
		if counts {
			runs = append(runs, content[:n])
		}
		content, *from = content[n:], (*from)[1:]
	}
	return runs, content == ""
}
