package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

// DefaultMember is the name of the marker in the in-band form where [Style] gives no
// other.
const DefaultMember = "$clip"

// InBand is e as one JSON value (RFC 8259), for loops that pass on nothing but JSON.
// What there is to say stands in a marker, an object's member called member ("" is
// [DefaultMember]), whose value is the JSON form of e without the content that stands
// around it:
//
//	{"$clip":{"schema":"envelope/1","notice":"[PARTIAL …]",…},"total":400,"rows":[{…},{…}]}
//	[{…},{…},{"$clip":{…}}]
//	{"$clip":{…,"value":"a JSON string that was cut"}}
//	{"$clip":{…,"content":"text that was cut"}}
//
// An object has it as its first member, so that the facts come before the data. An
// array has an object with nothing else in it as its last element, so that indices in
// pointers hold. Both keep the type of the root. Any other JSON value is the marker's
// "value"; text, several contents and Base64 are where the JSON form has them.
//
// Content of which there is nothing to say stands bare: JSON as it is, text as a JSON
// string. Data can't pass for the marker. Where a member of any object in the data has
// the marker's name, or that and a number, the content does not stand bare, and the
// marker gets the first name that is free: "$clip2", "$clip3" and so on.
//
// Left out are Fence and Closing, which frame text, the cuts of JSON, and the ranges of
// bytes and the cuts of a view that has more than 16 of them, where they would take more
// room than the data. < > & are not escaped. Like [Envelope.Text], InBand is a pure
// function of e's fields.
func (e Envelope) InBand(member string) string {
	if member == "" {
		member = DefaultMember
	}
	data, isData := inBandData(e, member)
	stands := bare(e) && len(e.Parts) == 0
	switch {
	case !isData && stands:
		return encoded(e.Content)
	case !isData:
		return "{" + e.marker(member, `,"content":`+encoded(e.Content)) + "}"
	case stands && len(data.taken) == 0:
		return e.Content
	}
	return data.marked(e, data.free(member))
}

// marker is the marker's member: its name and the JSON form of e, with last in place
// of the content.
func (e Envelope) marker(name, last string) string {
	facts := struct {
		Envelope
		Content string `json:"content,omitempty"` // hides the Part's
		Fence   string `json:"fence,omitempty"`
		Closing string `json:"closing,omitempty"`
	}{Envelope: e.fewPlaces()}
	s, err := encode(facts)
	if err != nil { // arguments of a call that can't be encoded
		facts.Envelope = facts.encodable()
		s, err = encode(facts)
	}
	if err != nil { // what Map says then
		s = `{"schema":` + encoded(Schema) + "}"
	}
	return encoded(name) + ":" + strings.TrimSuffix(s, "}") + last + "}"
}

// maxPlaces is the most ranges of bytes, and the most cuts, that the in-band form lists
// of one view.
const maxPlaces = 16

// fewPlaces is e without the ranges and cuts that would crowd out its data.
func (e Envelope) fewPlaces() Envelope {
	few := func(p *Part) {
		if len(p.View.Bytes)+len(p.View.Context) > maxPlaces {
			p.View.Bytes, p.View.Context = nil, nil
		}
		if len(p.View.Cuts) > maxPlaces || isJSON(p.MediaType) {
			p.View.Cuts = nil
		}
	}
	few(&e.Part)
	e.Parts = slices.Clone(e.Parts)
	for i := range e.Parts {
		few(&e.Parts[i])
	}
	return e
}

// encoded is s as a JSON string.
func encoded(s string) string {
	out, _ := encode(s) // a string can always be encoded
	return out
}

// encode is v as encoding/json writes it on one line, with < > & as they are.
func encode(v any) (s string, err error) {
	defer func() {
		if r := recover(); r != nil { // a MarshalJSON of the caller's may do anything
			err = fmt.Errorf("envelope: %v", r)
		}
	}()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err = enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// inBand is what the in-band form must know of a content that is JSON.
type inBand struct {
	root  jsonscan.Kind
	empty bool            // there is nothing in the root
	taken map[string]bool // names in the data that could pass for the marker's
}

// inBandData looks at e's content; false: it is not JSON.
func inBandData(e Envelope, member string) (inBand, bool) {
	if !isJSON(e.MediaType) || len(e.Parts) > 0 || e.Base64 != "" || e.Content == "" {
		return inBand{}, false
	}
	d := inBand{taken: map[string]bool{}}
	w := walk{p: []byte(e.Content), name: func(name string) {
		if isMarkerName(name, member) {
			d.taken[name] = true
		}
	}}
	err := w.run()
	d.root, d.empty = w.root, w.n == 0
	return d, err == nil
}

// isMarkerName reports whether name is member, or that and a number.
func isMarkerName(name, member string) bool {
	rest, ok := strings.CutPrefix(name, member)
	return ok && strings.Trim(rest, "0123456789") == ""
}

// free is the marker's first name that no member in the data has.
func (d inBand) free(member string) string {
	name := member
	for n := 2; d.taken[name]; n++ {
		name = member + strconv.Itoa(n)
	}
	return name
}

// marked is e's content with the marker in it.
func (d inBand) marked(e Envelope, name string) string {
	comma := ","
	if d.empty {
		comma = ""
	}
	switch d.root {
	case jsonscan.Object:
		at := strings.IndexByte(e.Content, '{') + 1
		return e.Content[:at] + e.marker(name, "") + comma + e.Content[at:]
	case jsonscan.Array:
		at := strings.LastIndexByte(e.Content, ']')
		return e.Content[:at] + comma + "{" + e.marker(name, "") + "}" + e.Content[at:]
	}
	return "{" + e.marker(name, `,"value":`+e.Content) + "}"
}

// ParseInBand reads what [Envelope.InBand] made with the same member ("" is
// [DefaultMember]): the envelope that the marker holds, its Content the data around it,
// byte for byte (of a JSON string, number or literal: without white space around it). A
// value without a marker is complete; a bare JSON string is taken for JSON, although it
// may have been text. What InBand leaves out is empty.
//
// Give it the text that InBand made: in a copy whose members were sorted, the marker
// may no longer be the first. Like [Parse] it believes nobody: what it returns is what
// somebody says. Errors wrap [ErrNotEnvelope].
func ParseInBand(p []byte, member string) (Envelope, error) {
	if member == "" {
		member = DefaultMember
	}
	w := walk{p: p}
	if err := w.run(); err != nil {
		return Envelope{}, fmt.Errorf("%w: %w", ErrNotEnvelope, err)
	}
	switch {
	case w.n == 0:
	case w.root == jsonscan.Object && isMarkerName(w.first.name, member):
		return unmarked(p[w.first.at:w.first.end], p[:w.first.start], p[w.first.next:])
	case w.root == jsonscan.Array:
		if marker := markerIn(p[w.last.at:w.last.end], member); marker != nil {
			return unmarked(marker, p[:w.last.cut()], p[w.last.end:])
		}
	}
	return Envelope{
		Schema: Schema,
		Part:   Part{MediaType: "application/json", Content: string(p), View: View{Complete: true}, Acquired: AcquiredUnknown},
	}, nil
}

// markerIn is the value of the marker's member in an array's last element; nil if
// the element is none but an array's own.
func markerIn(element []byte, member string) []byte {
	w := walk{p: element}
	if err := w.run(); err != nil || w.root != jsonscan.Object || w.n != 1 || !isMarkerName(w.first.name, member) {
		return nil
	}
	return element[w.first.at:w.first.end]
}

// unmarked is the envelope that the marker's value holds. Where it has no content of
// its own, that is what stands before and behind the marker.
func unmarked(marker, before, behind []byte) (Envelope, error) {
	e, err := Parse(marker)
	if err != nil {
		return Envelope{}, err
	}
	inside := false
	w := walk{p: marker, child: func(c child) {
		switch c.name {
		case "value":
			e.Content, inside = string(marker[c.at:c.end]), true
		case "content":
			inside = true
		}
	}}
	if err := w.run(); err == nil && !inside {
		e.Content = string(before) + string(behind)
	}
	return e, nil
}
