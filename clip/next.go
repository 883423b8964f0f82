package clip

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/view"
)

// The arguments of the follow-up calls that envelopes name. Lines and items count
// from 1, and the last is included; bytes count from 0, and the last is not.
const (
	ArgArtifact = "artifact"
	ArgPointer  = "pointer"
	ArgInside   = "inside" // what the string at pointer holds
	ArgLine     = "line"
	ArgItem     = "item"
	ArgByte     = "byte"
	ArgTo       = "to"
	ArgPattern  = "pattern"
	ArgLiteral  = "literal" // the pattern is a text and no expression
	ArgContext  = "context" // lines on either side of a match
	ArgFrom     = "from"    // the byte from which a search goes on
	ArgWhere    = "where"   // the conditions of a query: objects with pointer, op and value
	ArgOp       = "op"
	ArgValue    = "value"
)

// link sets the calls that show more: first the rest of this result, then what
// finds things in it, then the source's own next page.
func (k *call) link(e *envelope.Envelope, rests [][]view.Rest) {
	switch {
	case k.isSearch():
		e.Next, e.NoNext = k.searchOn(&e.Part, rests[0])
	case k.isQuery():
		e.Next, e.NoNext = k.queryOn(&e.Part, rests[0])
	case k.single():
		e.Next, e.NoNext = k.parts[0].calls(&e.Part, rests[0])
	}
	for i := range e.Parts {
		next, why := k.parts[i].calls(&e.Parts[i], rests[i])
		e.Next = append(e.Next, next...)
		if e.NoNext == "" {
			e.NoNext = why
		}
	}
	if k.cfg.Form != TextForm {
		e.Next = fewCalls(e.Next, len(rests))
	}
	if e.List != "" {
		e.Next = append(e.Next, k.listCalls(e.List, k.total()-k.leftOut(), k.inList())...)
	}
	e.Next = append(e.Next, k.kept...)
	own, err := k.ownNext(*e)
	if len(own) > 0 || err != nil || k.paged {
		e.Next = append(e.Next, own...)
		k.sourceGoesOn(e)
	}
	switch {
	case len(e.Next) > 0:
		e.NoNext = ""
	case err != nil:
		e.NoNext = NoNextBroken
	case e.NoNext == "":
		e.NoNext = k.none
	}
}

// fewCalls is for the encoded form, where each call costs budget: one read for each
// content, one search, and the query that goes on.
func fewCalls(next []envelope.Next, contents int) []envelope.Next {
	var out []envelope.Next
	reads, searches := map[any]bool{}, 0
	for _, n := range next {
		h, where := n.Arguments[ArgArtifact], n.Arguments[ArgWhere]
		switch {
		case where != nil:
		case n.Search && searches == 0:
			searches++
		case !n.Search && !reads[h] && len(reads) < contents:
			reads[h] = true
		default:
			continue
		}
		out = append(out, n)
	}
	return out
}

// calls are those that show the rest of p, or why there are none.
func (t *content) calls(p *envelope.Part, rest []view.Rest) ([]envelope.Next, string) {
	f := t.cfg.Followups
	switch {
	case p.View.Complete || p.View.ByteTotal == coverage.Exactly(0):
		return nil, ""
	case p.Artifact == nil && t.cfg.Store == nil:
		return nil, NoNextUnkept
	case p.Artifact == nil:
		return nil, NoNextUnsaved
	case hasReason(p, coverage.NotText):
		return nil, NoNextBinary
	case f.Read == "" && f.Search == "":
		return nil, NoNextNoTool
	}
	h := p.Artifact.Handle
	var next []envelope.Next
	if f.Read != "" {
		if t.cfg.Form != TextForm {
			rest = t.in.oneRest(rest)
		}
		for _, r := range rest {
			next = append(next, t.readOn(p, r))
		}
	}
	if f.Search != "" {
		call := searchCall(f.Search, h)
		next = append(next, call)
		if n := len(next); n > 2 {
			copy(next[2:], next[1:n-1])
			next[1] = call
		}
	}
	return next, ""
}

// searchCall searches all of artifact h.
func searchCall(tool, h string) envelope.Next {
	return envelope.Next{
		Tool: tool, Arguments: map[string]any{ArgArtifact: h, ArgPattern: ""},
		Gives: "the places that match, in all of it", Search: true,
	}
}

// oneRest is for the encoded form, where each call costs budget: from the first
// byte that is missing to the last, as text, where several ranges are missing or the
// pointer of one is too long to be told.
func (t *intake) oneRest(rest []view.Rest) []view.Rest {
	if len(rest) == 0 || len(rest) == 1 && len(rest[0].Pointer) <= spareCall/2 {
		return rest
	}
	one := view.Rest{Unit: view.Byte, From: math.MaxInt64}
	one.Pointer, one.Inside = t.heldAt()
	for _, r := range rest {
		if r.Bytes.Len() == 0 { // it has no place of its own
			return rest
		}
		one.From, one.To = min(one.From, r.Bytes.Start), max(one.To, r.Bytes.End)
	}
	one.Bytes = view.Range{Start: one.From, End: one.To}
	return []view.Rest{one}
}

// isSearch reports whether what is shown are the matches of an expression.
func (k *call) isSearch() bool { return k.page != nil && k.page.show.Around != nil }

// isQuery reports whether what is shown are the records that meet conditions.
func (k *call) isQuery() bool { return k.page != nil && k.page.show.Only }

// asks reports whether the page answers a question: then its notice depends on the
// question, and is measured with its content.
func (k *call) asks() bool {
	return k.isSearch() || k.isQuery() || (k.page != nil && k.page.show.Outline)
}

// queryOn is what reads a record that is shown in part, and the same query from
// the item on at which it stopped.
func (k *call) queryOn(p *envelope.Part, rest []view.Rest) (next []envelope.Next, none string) {
	if p.Artifact == nil {
		return nil, NoNextUnsaved
	}
	f, s := k.cfg.Followups, &k.page.show
	for _, r := range rest {
		on := r.Unit == view.Item && r.Pointer == s.Pointer && r.To > r.From+1
		switch {
		case on && f.Query != "":
			next = append(next, envelope.Next{Tool: f.Query, Arguments: s.queryArgs(p.Artifact.Handle, r.From), Gives: fmt.Sprintf("the records from item %d on", r.From+1)})
		case !on && f.Read != "":
			next = append(next, k.parts[0].readOn(p, r))
		default:
			none = NoNextNoTool
		}
	}
	return next, none
}

// queryArgs are the arguments that ask the same of the items from from on.
func (s *Show) queryArgs(handle string, from int64) map[string]any {
	args := map[string]any{ArgArtifact: handle, ArgItem: from + 1}
	if s.Pointer != "" {
		args[ArgPointer] = s.Pointer
	}
	if s.Inside {
		args[ArgInside] = true
	}
	var where []any
	for _, r := range s.Keep {
		c := map[string]any{ArgPointer: r.Pointer, ArgOp: r.Op}
		if r.Op != "exists" {
			c[ArgValue] = r.argument()
		}
		where = append(where, c)
	}
	args[ArgWhere] = where
	return args
}

// argument is the value as an argument of the same type.
func (k Keep) argument() any {
	if !k.JSON {
		return k.Value
	}
	var v any
	d := json.NewDecoder(strings.NewReader(k.Value))
	d.UseNumber() // as it is written
	_ = d.Decode(&v)
	return v
}

// searchOn is the same search from where it stopped, and what stands round the
// first match that is shown.
func (k *call) searchOn(p *envelope.Part, rest []view.Rest) (next []envelope.Next, none string) {
	if p.Artifact == nil {
		return nil, NoNextUnsaved
	}
	if tool := k.cfg.Followups.Search; tool != "" && len(rest) > 0 {
		args := k.page.show.searchArgs()
		args[ArgArtifact], args[ArgFrom] = p.Artifact.Handle, rest[0].From
		next = append(next, envelope.Next{Tool: tool, Arguments: args, Gives: fmt.Sprintf("the matches from byte %d on", rest[0].From)})
	}
	if tool := k.cfg.Followups.Read; tool != "" && len(p.View.Bytes) > 0 {
		next = append(next, readCall(tool, p.Artifact.Handle, surroundings(p.View)))
	}
	if len(next) == 0 {
		none = NoNextSearched
	}
	return next, none
}

// searchArgs are the arguments that ask for the same search: a text as it is, where
// that is what the expression stands for.
func (s *Show) searchArgs() map[string]any {
	args := map[string]any{ArgPattern: s.Around.String()}
	if text, _ := s.Around.LiteralPrefix(); text != s.Around.String() && regexp.QuoteMeta(text) == s.Around.String() {
		args[ArgPattern], args[ArgLiteral] = text, true
	}
	if s.Context > 0 {
		args[ArgContext] = s.Context
	}
	return args
}

// The lines or bytes on either side of a match that a read shows.
const (
	linesRound = 20
	bytesRound = 1000
)

// surroundings are the lines round the first match, or the bytes round it where
// lines are long.
func surroundings(v envelope.View) view.Rest {
	if len(v.Units) > 0 && v.Partly == 0 {
		u := v.Units[0]
		return view.Rest{Unit: view.Line, From: max(0, u.Start-linesRound), To: min(u.End+linesRound, v.UnitTotal.Value)}
	}
	b := v.Bytes[0]
	return view.Rest{Unit: view.Byte, From: max(0, b.Start-bytesRound), To: min(b.End+bytesRound, v.ByteTotal.Value)}
}

// The reasons in Envelope.NoNext.
const (
	NoNextUnkept   = "nothing was kept; call the tool again with narrower arguments"
	NoNextUnsaved  = "the rest could not be kept; call the tool again with narrower arguments"
	NoNextBinary   = "it is not text"
	NoNextSearched = "everything was searched"
	NoNextNoTool   = "there is no tool here that reads the rest"
	NoNextTooLong  = "the next call is too long to be told"
	NoNextBroken   = "the tool's next call can't be encoded"
)

func hasReason(p *envelope.Part, c coverage.Code) bool {
	for _, r := range p.Reasons {
		if r.Code == c {
			return true
		}
	}
	return false
}

// readOn reads the range r of p's artifact. The rest of a string that holds JSON is read
// as what it holds, from its beginning and cut by its structure.
func (t *content) readOn(p *envelope.Part, r view.Rest) envelope.Next {
	tool, h := t.cfg.Followups.Read, p.Artifact.Handle
	for i := range p.View.Omissions {
		if o := &p.View.Omissions[i]; holdsJSON(o, r) {
			return insideCall(tool, h, o)
		}
	}
	return readCall(tool, h, r)
}

// holdsJSON reports whether r is the rest of a string that holds JSON, of which o tells.
func holdsJSON(o *envelope.Omission, r view.Rest) bool {
	if r.Unit != view.Byte || r.Inside || o.Unit != coverage.Byte || o.Pointer != r.Pointer {
		return false
	}
	if r.Bytes.Start < o.Bytes.Start || r.Bytes.End > o.Bytes.End {
		return false // the name stands twice, and the pointer is that of the other value
	}
	return strings.HasPrefix(o.Of, "JSON object of ") || strings.HasPrefix(o.Of, "JSON array of ")
}

// insideCall reads what the string at o's pointer holds.
func insideCall(tool, h string, o *envelope.Omission) envelope.Next {
	n := envelope.Next{Tool: tool, Arguments: map[string]any{ArgArtifact: h, ArgInside: true}, Gives: "what the string holds: " + o.Of}
	if o.Pointer != "" {
		n.Arguments[ArgPointer] = o.Pointer
		n.Gives = fmt.Sprintf("what the string at %s holds: %s", short(o.Pointer), o.Of)
	}
	return n
}

// readCall reads the range r of artifact h.
func readCall(tool, h string, r view.Rest) envelope.Next {
	args := map[string]any{ArgArtifact: h}
	if r.Pointer != "" {
		args[ArgPointer] = r.Pointer
	}
	if r.Inside {
		args[ArgInside] = true
	}
	n := envelope.Next{Tool: tool, Arguments: args}
	switch r.Unit {
	case view.Line:
		args[ArgLine], args[ArgTo] = r.From+1, r.To
		n.Gives = fmt.Sprintf("lines %d-%d", r.From+1, r.To)
	case view.Item:
		args[ArgItem], args[ArgTo] = r.From+1, r.To
		n.Gives = fmt.Sprintf("items %d-%d", r.From+1, r.To)
	default:
		if r.Bytes.Len() > 0 && (r.Pointer == "" || r.Inside) { // of a root in JSON, which is paged as text
			r.From, r.To = r.Bytes.Start, r.Bytes.End
		}
		args[ArgByte], args[ArgTo] = r.From, r.To
		n.Gives = fmt.Sprintf("bytes %d to %d", r.From, r.To)
	}
	if r.Pointer != "" {
		n.Gives += " of " + short(r.Pointer)
	}
	return n
}

// ownNext asks the tool for its own paging, now that the view is known.
func (k *call) ownNext(e envelope.Envelope) (own []envelope.Next, err error) {
	if k.r.Next == nil {
		return nil, nil
	}
	var next []envelope.Next
	v := e.View
	err = protectErr(func() error {
		next = k.r.Next(v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, n := range next[:min(len(next), k.mostOwn())] {
		n.Tool, n.Gives = name(n.Tool), short(n.Gives)
		if err = encodeTo(io.Discard, n.Arguments); err != nil {
			return own, err // a call that can't be encoded can't be made
		}
		own = append(own, n)
	}
	return own, nil
}

// The most calls of a tool's own paging that are handed on.
const (
	maxOwn      = 8
	maxOwnSpare = 2
)

func (k *call) mostOwn() int {
	if k.cfg.Form != TextForm {
		return maxOwnSpare
	}
	return maxOwn
}

// sourceGoesOn says that the tool's result is a page of its source.
func (k *call) sourceGoesOn(e *envelope.Envelope) {
	r := coverage.Reason{Code: coverage.PageLimit, Layer: coverage.LayerSource, Message: "the source has a next page"}
	e.Acquired = envelope.AcquiredNo
	e.Reasons = append(e.Reasons[:len(e.Reasons):len(e.Reasons)], r)
}
