package clip

import (
	"fmt"
	"slices"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// What the encoded form has beside content costs budget. These bounds are the same
// for every budget; what is beyond them is counted, or left to the error, the text
// form and the store.
const (
	spareOmissions = 8
	spareReasons   = 4
	spareMessage   = 512  // bytes of a sentence
	spareCall      = 1024 // bytes of an encoded call
)

// spare bounds what e says beside its content.
func spare(e envelope.Envelope) envelope.Envelope {
	e.Did = clean(e.Did, spareMessage)
	e.Next, e.NoNext = shortCalls(e.Next, e.NoNext, spareCall)
	e.Failure = shortFailure(e.Failure, spareMessage)
	if e.Coverage != nil {
		s := *e.Coverage
		s.Reasons, s.SourceSnapshot = fewReasons(s.Reasons, spareReasons), name(s.SourceSnapshot)
		e.Coverage = &s
	}
	if e.Scan != nil {
		s := *e.Scan
		s.Predicate = clean(s.Predicate, spareMessage)
		e.Scan = &s
	}
	return eachPart(e, func(p *envelope.Part) {
		p.View = fewOmissions(p.View, spareOmissions)
		if isJSON(p.MediaType) {
			p.View.Cuts = nil // it is never interrupted: omissions say what is missing
		}
		p.Reasons = fewReasons(p.Reasons, spareReasons)
	})
}

// barest is e with little more than its content and its handle: what is left where
// the smallest budget meets the longest names.
func barest(e envelope.Envelope) envelope.Envelope {
	e.Did, e.Coverage, e.Scan, e.Tool = "", nil, nil, clean(e.Tool, 64)
	e.Failure = shortFailure(e.Failure, 32)
	if e.Failure != nil {
		e.Failure.Advice = ""
	}
	e.Next, e.NoNext = shortCalls(e.Next[:min(1, len(e.Next))], e.NoNext, spareCall/4)
	whole := e.View
	e = eachPart(e, func(p *envelope.Part) {
		p.Name, p.MediaType = clean(p.Name, 32), clean(p.MediaType, 32)
		p.View = fewOmissions(p.View, 0)
		p.View.Transforms = oneTransform(p.View.Transforms)
		p.Reasons = slices.Clone(p.Reasons[max(0, len(p.Reasons)-1):])
		for i := range p.Reasons {
			p.Reasons[i].Message, p.Reasons[i].Where = "", ""
		}
	})
	if len(e.Parts) > 0 || e.List != "" {
		e.View = whole // how many contents there are
	}
	return e
}

// eachPart changes copies of e's parts.
func eachPart(e envelope.Envelope, change func(*envelope.Part)) envelope.Envelope {
	change(&e.Part)
	e.Parts = slices.Clone(e.Parts)
	for i := range e.Parts {
		change(&e.Parts[i])
	}
	return e
}

// shortCalls keeps the calls whose encoded form has at most most bytes; why there
// is none is said.
func shortCalls(next []envelope.Next, none string, most int) ([]envelope.Next, string) {
	var out []envelope.Next
	for _, n := range next {
		if len(encode(envelope.Envelope{Next: []envelope.Next{n}}))-len(encode(envelope.Envelope{})) <= most {
			out = append(out, n)
		}
	}
	if len(out) == 0 && len(next) > 0 {
		none = NoNextTooLong
	}
	return out, none
}

// shortFailure is f with short strings.
func shortFailure(f *envelope.Failure, most int) *envelope.Failure {
	if f == nil {
		return nil
	}
	g := *f
	word := func(s string) string { return clean(s, min(most, maxName)) }
	g.Kind, g.Message, g.Advice = word(g.Kind), clean(g.Message, most), clean(g.Advice, most)
	g.Effect, g.Retry, g.Handler = envelope.Effect(word(string(g.Effect))), envelope.Retry(word(string(g.Retry))), envelope.Handler(word(string(g.Handler)))
	return &g
}

// fewOmissions lists at most n omissions, none with a long pointer.
func fewOmissions(v envelope.View, n int) envelope.View {
	var kept []envelope.Omission
	for _, o := range v.Omissions {
		if len(kept) < n && len(o.Pointer) <= maxName {
			kept = append(kept, o)
			continue
		}
		v.Unlisted++
	}
	v.Omissions = kept
	return v
}

// fewReasons keeps n reasons, the last ones, for those of this library come last,
// and counts the others.
func fewReasons(rs []coverage.Reason, n int) []coverage.Reason {
	more := len(rs) - n
	if more <= 0 {
		return rs
	}
	rs = slices.Clone(rs[more:])
	rs[0].Message = short(fmt.Sprintf("one of %d more reasons: %s", more+1, rs[0].Message))
	return rs
}

// oneTransform keeps one transform, one that lost something if there is any.
func oneTransform(ts []envelope.Transform) []envelope.Transform {
	i := max(0, slices.IndexFunc(ts, func(t envelope.Transform) bool { return t.Loses }))
	return slices.Clone(ts[min(i, len(ts)):min(i+1, len(ts))])
}
