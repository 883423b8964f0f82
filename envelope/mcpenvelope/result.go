package mcpenvelope

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolclip/toolclip/envelope"
)

// MetaKey is the key of _meta under which a result carries its account.
const MetaKey = "com.github.toolclip/envelope"

// Result is e as the result of a tool call: e.Text as one text block, images and audio
// as blocks of their own, and the account under [MetaKey]. A failure makes it an error
// that the model sees. Parts in Base64 of other types are named in the text only.
func Result(e envelope.Envelope) *mcp.CallToolResult {
	res := &mcp.CallToolResult{
		Meta:    mcp.Meta{MetaKey: account{e}},
		Content: []mcp.Content{&mcp.TextContent{Text: e.Text()}},
		IsError: e.Failure != nil,
	}
	for _, p := range append([]envelope.Part{e.Part}, e.Parts...) {
		if c := media(p); c != nil {
			res.Content = append(res.Content, c)
		}
	}
	return res
}

// media is an image or audio as the protocol has it, or nil.
func media(p envelope.Part) mcp.Content {
	kind, _, _ := strings.Cut(p.MediaType, "/")
	if p.Base64 == "" || (kind != "image" && kind != "audio") {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(p.Base64)
	if err != nil {
		return nil // the text names it all the same
	}
	if kind == "image" {
		return &mcp.ImageContent{Data: data, MIMEType: p.MediaType}
	}
	return &mcp.AudioContent{Data: data, MIMEType: p.MediaType}
}

// account is the envelope of a result. In this process it is e itself, which no other
// process can send: what arrives over a wire is a map.
type account struct{ e envelope.Envelope }

// MarshalJSON leaves the contents out: they are in the result already.
func (a account) MarshalJSON() ([]byte, error) {
	e := a.e
	e.Part = bare(e.Part)
	e.Parts = append([]envelope.Part(nil), e.Parts...)
	for i, p := range e.Parts {
		e.Parts[i] = bare(p)
	}
	return json.Marshal(e.Map())
}

func bare(p envelope.Part) envelope.Part {
	p.Content, p.Base64 = "", ""
	return p
}

// FromMeta reads the account of a result: an envelope without contents. It is what the
// other side says and has not been checked; see [envelope.Parse]. ok is false when
// the result has none; an account that can't be read is an error.
func FromMeta(res *mcp.CallToolResult) (e envelope.Envelope, ok bool, err error) {
	if res == nil || res.Meta[MetaKey] == nil {
		return envelope.Envelope{}, false, nil
	}
	b, err := json.Marshal(res.Meta[MetaKey])
	if err != nil {
		return envelope.Envelope{}, true, fmt.Errorf("mcpenvelope: the account in _meta: %w", err)
	}
	e, err = envelope.Parse(b)
	if err != nil {
		return envelope.Envelope{}, true, fmt.Errorf("mcpenvelope: the account in _meta: %w", err)
	}
	return e, true, nil
}
