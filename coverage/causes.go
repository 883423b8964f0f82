package coverage

import (
	"cmp"
	"slices"
)

// cause is why a record ended in a state.
type cause struct {
	state  state
	reason Reason
}

// causeKey is what reasons are added up by.
type causeKey struct {
	state state // expected: a note, not about one record
	code  Code
	layer Layer
	unit  Unit
	rule  string // of a filter
}

// maxRules is how many rules of filters are told apart. The rest are summed: the
// names that sort first are kept, so that it does not depend on the order of calls.
const maxRules = 64

const otherRules = "(other rules)"

// causes adds reasons up. Its size is bounded by the closed list of codes. A nil
// *causes is empty.
type causes struct {
	by       map[causeKey]*Reason
	rules    int
	versions [2][]string // of the source at the start and at the end, at most the two least
}

func (c *causes) empty() bool {
	return c == nil || len(c.by) == 0 && c.versions[0] == nil && c.versions[1] == nil
}

// record adds a reason for one record.
func (c *causes) record(s state, r Reason) {
	r.Unit, r.Count = Item, Exactly(1)
	c.add(keyOf(s, r), r)
}

// note adds a reason that is not about one record.
func (c *causes) note(r Reason) { c.add(keyOf(expected, r), r) }

func keyOf(s state, r Reason) causeKey {
	k := causeKey{state: s, code: r.Code, layer: r.Layer, unit: r.Unit}
	if s == filtered {
		k.rule = r.Where
	}
	return k
}

func (c *causes) add(k causeKey, r Reason) {
	if c.by == nil {
		c.by = map[causeKey]*Reason{}
	}
	if old := c.by[k]; old != nil {
		*old = addReasons(*old, r)
		return
	}
	c.by[k] = &r
	if k.state == filtered && k.rule != otherRules {
		c.rules++
		c.limitRules()
	}
}

// limitRules sums the rule whose name sorts last into the others.
func (c *causes) limitRules() {
	if c.rules <= maxRules {
		return
	}
	var last causeKey
	for k := range c.by {
		if k.state == filtered && k.rule != otherRules && compareKeys(k, last) > 0 {
			last = k
		}
	}
	r := *c.by[last]
	delete(c.by, last)
	c.rules--
	r.Where = otherRules
	last.rule = otherRules
	c.add(last, r)
}

func (c *causes) plus(o *causes) {
	for k, r := range o.by {
		c.add(k, *r)
	}
	for i := range c.versions {
		for _, v := range o.versions[i] {
			c.version(i, v)
		}
	}
}

// version keeps the two least versions that were seen at one end: two are enough
// to know that they differ.
func (c *causes) version(end int, v string) {
	vs := c.versions[end]
	if i, ok := slices.BinarySearch(vs, v); !ok {
		vs = slices.Insert(slices.Clone(vs), i, v)
		c.versions[end] = vs[:min(2, len(vs))]
	}
}

// sorted are the keys in the order of the report.
func (c *causes) sorted() []causeKey {
	if c == nil {
		return nil
	}
	keys := make([]causeKey, 0, len(c.by))
	for k := range c.by {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	return keys
}

func compareKeys(a, b causeKey) int {
	return cmp.Or(cmp.Compare(a.state, b.state), cmp.Compare(a.code, b.code), cmp.Compare(a.layer, b.layer),
		cmp.Compare(a.unit, b.unit), cmp.Compare(a.rule, b.rule))
}

// addReasons adds two reasons of one key up: counts together, the first place and
// message, retryable when both are.
func addReasons(a, b Reason) Reason {
	first := a
	if compareReasons(b, a) < 0 {
		first = b
	}
	first.Count = a.Count.Plus(b.Count)
	first.Limit = max(a.Limit, b.Limit)
	first.Retryable = a.Retryable && b.Retryable
	return first
}

// compareReasons orders reasons: codes as documented, then places. A shorter place
// is before a longer one, so that line 9 is before line 12.
func compareReasons(a, b Reason) int {
	return cmp.Or(
		cmp.Compare(slices.Index(codes, a.Code), slices.Index(codes, b.Code)),
		cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.Unit, b.Unit),
		cmp.Compare(len(a.Where), len(b.Where)), cmp.Compare(a.Where, b.Where),
		cmp.Compare(a.Message, b.Message), cmp.Compare(a.Limit, b.Limit),
		cmp.Compare(a.Count.Value, b.Count.Value), cmp.Compare(a.Count.Relation, b.Count.Relation),
		compareBools(a.Retryable, b.Retryable))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// maxMessage bounds foreign text in a report, in bytes.
const maxMessage = 512

var (
	layers    = []Layer{LayerSource, LayerTransport, LayerCapture, LayerFilter, LayerRedaction, LayerBudget, LayerPage}
	countedIn = []Unit{Byte, Rune, Grapheme, Line, Item, Token}
)

// tidy gives r what a report relies on: a code of the closed list, a layer, and
// text of bounded length in valid UTF-8.
func (r Reason) tidy(c Code) Reason {
	if r.Code == "" {
		r.Code = c
	}
	if !r.Code.Known() {
		r.Message = "code " + quote(string(r.Code)) + " is not in the list. " + r.Message
		r.Code = TruncatedUnexplained
	}
	if !slices.Contains(layers, r.Layer) {
		r.Layer = r.Code.layer()
	}
	if !slices.Contains(countedIn, r.Unit) {
		r.Unit = ""
	}
	if !r.Count.Known() || r.Count.Value < 0 {
		r.Count = Count{}
	}
	r.Limit = max(0, r.Limit)
	r.Where, r.Message = clean(r.Where), clean(r.Message)
	return r
}
