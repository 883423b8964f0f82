package clip

import (
	"mime"

	"github.com/toolclip/toolclip/internal/jsonview"
	"github.com/toolclip/toolclip/internal/searchview"
	"github.com/toolclip/toolclip/internal/textview"
	"github.com/toolclip/toolclip/internal/view"

	"github.com/toolclip/toolclip/coverage"
)

// newIntake takes one content for views of at most this Config's budget.
func (c *Clipper) newIntake(s Show) intake {
	b := c.cfg.Budget
	return intake{show: s, retain: b.bytes(), count: b.counted(), tokens: b.unit == coverage.Token, stop: s.stopper()}
}

func (t *intake) newText() engine {
	s := t.show
	o := textview.Options{
		Retain: t.retain, Ends: textview.Ends(s.Ends), TailShare: s.Tail,
		Charset: t.charset(), Raw: s.Raw, Document: t.kind.Document || t.bytesOfJSON(), Fold: s.Fold, Count: t.count, Tokens: t.tokens,
	}
	if s.Ends == DefaultEnds && t.kind.Document && t.kind.MediaType != linesType {
		o.Ends = textview.Head
	}
	switch s.Unit {
	case coverage.Line:
		o.Unit, o.From, o.To = view.Line, s.At, s.To
	case coverage.Byte:
		o.Unit, o.From, o.To = view.Byte, s.At, s.To
	}
	return newFolded(o, t.head)
}

// bytesOfJSON reports whether bytes of what may be JSON are asked for: what no pointer
// leads to is read by its bytes, and its white space is no terminal's.
func (t *intake) bytesOfJSON() bool { return t.kind.JSON && t.show.Unit == coverage.Byte }

// charset is the encoding as it was declared, in Show or as a parameter of the
// media type (RFC 2045 section 5.1); "" detects.
func (t *intake) charset() string {
	if t.show.Charset != "" {
		return t.show.Charset
	}
	_, params, err := mime.ParseMediaType(t.show.MediaType)
	if err != nil {
		return ""
	}
	return params["charset"]
}

// newSearch is the engine of Show.Around: it looks at everything and shows windows
// round the matches.
func (t *intake) newSearch() engine {
	s := t.show
	return searchview.New(searchview.Options{
		Retain: t.retain, Expr: s.Around, Context: s.Context, From: s.At, Stop: t.stop,
		MaxHits: orDefault(s.Hits, defaultHits), Charset: t.charset(), Raw: s.Raw,
	})
}

// defaultHits is how many matches are kept for showing.
const defaultHits = 100

func orDefault(n, d int) int {
	if n == 0 {
		return d
	}
	return n
}

func (t *intake) newJSON() jsonEngine {
	s := t.show
	o := jsonview.Options{
		Retain: t.retain, Ends: jsonview.Ends(s.Ends), TailShare: s.Tail,
		Pointer: s.Pointer, From: s.At, To: s.To, Required: s.Required, MaxRecord: int64(s.MaxRecord), Only: s.Only,
	}
	if s.Unit != coverage.Byte { // a value that is named is JSON, not bytes of it
		o.Unit = view.Item
	}
	for _, k := range s.Keep {
		o.Keep = append(o.Keep, jsonview.Rule{Pointer: k.Pointer, Op: k.Op, Value: k.Value, JSON: k.JSON})
	}
	return jsonview.New(o)
}
