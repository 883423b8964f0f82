package clip

import (
	"errors"
	"slices"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/jsonstring"
	"github.com/toolclip/toolclip/internal/jsonview"
	"github.com/toolclip/toolclip/internal/textview"
	"github.com/toolclip/toolclip/internal/view"
)

// InsideTransform is the name of the transform of what a string in JSON holds, shown
// decoded; its count is that of the strings inside each other that were decoded. Bytes,
// lines and totals of such a view are those of what the string holds.
const InsideTransform = "json_string"

// inside reads what a JSON string holds as a content of its own: JSON by its structure,
// anything else as text. It goes through strings in strings in the same way.
type inside struct {
	pointer string // of the string
	rest    string // of the pointer, inside what it holds
	dec     *jsonstring.Decoder
	in      intake
}

// seeker finds the string that Show.Pointer names or passes.
type seeker interface {
	jsonEngine
	StringAt() (at int64, pointer, rest string, ok bool)
}

// newSeek looks for a string where the engine of the JSON does not do so itself: where
// what is shown is counted in lines or bytes of what the string holds.
func (t *intake) newSeek() seeker {
	if s, ok := t.json.(seeker); ok {
		return s
	}
	if t.show.Inside && t.show.Around == nil {
		return jsonview.New(jsonview.Options{Pointer: t.show.Pointer})
	}
	return nil
}

// lookInside gives the bytes p, which begin at offset base of the content, to what
// reads inside a string, once it is found.
func (t *intake) lookInside(p []byte, base int64) {
	if t.seek == nil {
		return
	}
	if t.seek != t.json {
		_, _ = t.seek.Write(p)
	}
	if t.inside == nil {
		at, pointer, rest, ok := t.seek.StringAt()
		if !ok || (rest == "" && !t.show.Inside) {
			return
		}
		t.inside = t.newInside(pointer, rest)
		p = p[at+1-base:]
	}
	_, _ = t.inside.dec.Write(p)
}

func (t *intake) newInside(pointer, rest string) *inside {
	s := t.show
	s.Pointer, s.MediaType, s.Charset = rest, "", "utf-8"
	n := &inside{pointer: pointer, rest: rest, in: intake{show: s, retain: t.retain, count: t.count, tokens: t.tokens, decoded: true}}
	n.dec = jsonstring.New(func(p []byte) { _, _ = n.in.Write(p) })
	return n
}

// endInside tells that no byte follows. What is no JSON holds nothing.
func (t *intake) endInside() {
	t.ended = true
	if t.seek != nil && t.seek != t.json {
		t.seek.End()
	}
	if t.inside == nil {
		return
	}
	t.inside.in.End()
	if err := t.seek.Err(); err != nil && !errors.Is(err, jsonview.ErrNoValue) {
		t.inside = nil
	} else if t.inside.rest != "" && t.inside.in.notJSON() != nil {
		t.inside = nil // the pointer leads to nothing
	}
}

// holding is what reads inside a string, after End; nil when the content is shown as
// it is.
func (t *intake) holding() *inside {
	if t.ended {
		return t.inside
	}
	return nil
}

// size is the number of bytes of which views are: of the content, or of what a string
// in it holds.
func (t *intake) size() int64 {
	if h := t.holding(); h != nil {
		return h.in.size()
	}
	return t.n
}

// heldAt is the pointer to the string of which views are; false: they are of the content
// itself.
func (t *intake) heldAt() (pointer string, ok bool) {
	h := t.holding()
	if h == nil {
		return "", false
	}
	deeper, _ := h.in.heldAt()
	return h.pointer + deeper, true
}

// errNoItems is why what a string holds has none.
var errNoItems = errors.New("what the string holds is not JSON")

// notJSON is why what the string holds can't be shown as it was asked for.
func (n *inside) notJSON() error {
	switch {
	case n.in.show.Unit != coverage.Item && !n.in.show.Only:
		return nil
	case n.in.json == nil:
		return errNoItems
	}
	return n.in.notJSON()
}

// stops is why what the string holds is the beginning of JSON and no more; nil
// otherwise.
func (n *inside) stops() error {
	if h := n.in.holding(); h != nil {
		return h.stops()
	}
	if n.in.n < leastStopped || n.in.first == '"' {
		return nil
	}
	if err := n.in.notJSON(); errors.Is(err, jsonscan.ErrEnd) {
		return err
	}
	return nil
}

// leastStopped is the least that must be there of JSON that nobody declared, so that it
// is more than a bracket.
const leastStopped = 16

func (n *inside) stopsReason() (coverage.Reason, bool) {
	err := n.stops()
	if err == nil {
		return coverage.Reason{}, false
	}
	return coverage.Reason{
		Code: coverage.ByteTruncated, Layer: coverage.LayerSource, Where: name(n.pointer),
		Message: "what the string holds stops inside a JSON value, read as text: " + short(err.Error()),
	}, true
}

// Plan is the plan of what the string holds: pointers are those of the whole content,
// bytes and lines those of what was decoded.
func (n *inside) Plan(l view.Limit) view.Plan {
	p := n.in.planner().Plan(l)
	if p.MediaType == "" {
		p.MediaType = n.mediaType()
	}
	p.Exact = false
	p.Pointer = n.pointer + p.Pointer
	p.Omissions = slices.Clone(p.Omissions)
	for i := range p.Omissions {
		p.Omissions[i].Pointer = n.pointer + p.Omissions[i].Pointer
	}
	p.Rest = slices.Clone(p.Rest)
	for i := range p.Rest {
		r := &p.Rest[i]
		r.Inside = r.Inside || r.Pointer == ""
		r.Pointer = n.pointer + r.Pointer
	}
	p.Transforms = n.transforms(p.Transforms)
	return p
}

// mediaType is that of what was decoded, which is text whatever it looks like.
func (n *inside) mediaType() string {
	if n.in.kind.Text && !n.in.kind.JSON {
		return n.in.kind.MediaType
	}
	return "text/plain"
}

// transforms are those of what the string holds, and the decoding. All that is no
// UTF-8 in what was decoded are lone surrogates.
func (n *inside) transforms(inner []view.Transform) []view.Transform {
	out := []view.Transform{{Name: InsideTransform, Count: 1}}
	for _, t := range inner {
		switch t.Name {
		case InsideTransform:
			out[0].Count += t.Count
			continue
		case textview.InvalidUTF8:
			t.Name = "lone_surrogate"
		}
		out = append(out, t)
	}
	return out
}

// insideShow is the window that v, a view of what a string holds, shows; false where
// v does not tell it.
func insideShow(v envelope.View, page bool) (Show, bool) {
	s := Show{Pointer: v.Pointer, Inside: true}
	switch {
	case !page:
		s.Pointer = ""
	case len(v.Units) > 0 && v.Partly == 0:
		s.Unit, s.At, s.To = v.Unit, v.Units[0].Start, v.Units[len(v.Units)-1].End
	case len(v.Bytes) > 0 && v.Unit != coverage.Item:
		s.Unit, s.At, s.To = coverage.Byte, v.Bytes[0].Start, v.Bytes[len(v.Bytes)-1].End
	default:
		return Show{}, false
	}
	return s, true
}
