package coverage

import (
	"cmp"
	"slices"
	"strings"
)

// byteSum is the evidence of many bodies.
type byteSum struct {
	bodies, complete, incomplete, unknown int64
	encoded, decoded                      int64 // bytes read
	verified                              int64 // bodies with a digest that matches
	want                                  int64 // of the headers
	unstated                              int64 // bodies without a length
	unseen                                int64 // units that are done and had no body
	weakest                               Framing
}

func (s byteSum) plus(o byteSum) byteSum {
	s.bodies += o.bodies
	s.complete += o.complete
	s.incomplete += o.incomplete
	s.unknown += o.unknown
	s.encoded += o.encoded
	s.decoded += o.decoded
	s.verified += o.verified
	s.want = plus(s.want, o.want)
	s.unstated += o.unstated
	s.unseen += o.unseen
	s.weakest = weakerFraming(s.weakest, o.weakest)
	return s
}

// weakerFraming: close-delimited is the weakest, "" is none at all.
func weakerFraming(a, b Framing) Framing {
	rank := map[Framing]int{"": 0, FramingStream: 1, FramingLength: 2, FramingChunked: 3, FramingClose: 4}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// add counts e, but not whether it is complete.
func (s *byteSum) add(e *evidence) {
	s.bodies++
	if e.decoded {
		s.decoded += e.read
	} else {
		s.encoded += e.read
	}
	if e.want >= 0 && !e.decoded {
		s.want = plus(s.want, e.want)
	} else {
		s.unstated++
	}
	if e.verified == yes {
		s.verified++
	}
	s.weakest = weakerFraming(s.weakest, e.framing)
}

func (s *byteSum) judge(a answer) {
	switch a {
	case yes:
		s.complete++
	case no:
		s.incomplete++
	default:
		s.unknown++
	}
}

// whole is what is known of all bodies together.
func (s *byteSum) whole() answer {
	switch {
	case s.incomplete > 0:
		return no
	case s.unknown > 0 || s.bodies == 0:
		return unknown
	}
	return yes
}

// parts are the parts of one representation that came with status 206.
type parts struct {
	what   string
	where  string // for people
	got    Set
	total  int64
	bodies int64
	mixed  bool // totals that differ
	whole  bool // one part is everything
}

// bytes adds the evidence of the plan up: the sum, and a reason for each body
// that is not known to be whole.
func (p *plan) bytes() (byteSum, []Reason) {
	if p == nil {
		return byteSum{}, nil
	}
	sum := p.done.bytes
	var why []Reason
	var wholes []*parts
	for _, k := range p.keys() {
		if u := p.units[k]; u.dones > 0 && len(u.bodies) == 0 {
			sum.unseen++
		}
		for _, b := range p.units[k].bodies {
			e := b.evidence()
			sum.add(&e)
			a, r := e.message()
			if e.partial && a == yes {
				wholes = addPart(wholes, &e, k)
				continue
			}
			sum.judge(a)
			if a != yes {
				r.Where = cmp.Or(r.Where, k.String())
				why = append(why, r)
			}
		}
	}
	for _, w := range wholes {
		why = append(why, w.judge(&sum)...)
	}
	return sum, why
}

// addPart adds a part to the others of its representation.
func addPart(wholes []*parts, e *evidence, k unitKey) []*parts {
	i := slices.IndexFunc(wholes, func(w *parts) bool { return w.what == e.what })
	if i < 0 {
		i = len(wholes)
		wholes = append(wholes, &parts{what: e.what, where: cmp.Or(strings.TrimSpace(e.what), k.String()), total: e.total})
	}
	wholes[i].add(e)
	return wholes
}

func (p *parts) add(e *evidence) {
	p.bodies++
	p.got = p.got.Add(e.part)
	p.mixed = p.mixed || e.total != p.total
	p.total = max(p.total, e.total)
	p.whole = p.whole || e.total >= 0 && e.part == Range{0, e.total}
}

// judge says whether the parts make a whole, for which they need one strong
// validator (RFC 9110, section 15.3.7.3).
func (p *parts) judge(sum *byteSum) []Reason {
	a := unknown
	r := Reason{Code: RangeOnly, Layer: LayerTransport, Unit: Byte, Where: p.where}
	switch {
	case p.mixed:
		r.Message = "the parts are of wholes of different sizes"
	case p.total < 0:
		r.Message = "a part came, and how much there is was not said"
	case p.got.Covers(p.total) && !p.whole && strings.HasPrefix(p.what, " "):
		r.Message = "the parts have no strong validator, so they may be of different versions"
	case p.got.Covers(p.total):
		a = yes
	default:
		a = no
		r.Count = Exactly(p.got.Gaps(p.total).Len())
		r.Message = "only a part of the bytes was asked for"
	}
	for range p.bodies {
		sum.judge(a)
	}
	if a == yes {
		return nil
	}
	return []Reason{r}
}
