package mcpenvelope

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/envelope"
)

// Options are those of [Middleware]; nil is the zero value.
type Options struct {
	// Skip names the tools whose results pass as they are: on a client, the
	// follow-up tools of a server, which page by themselves. Nil skips none.
	Skip func(tool string) bool
}

// Middleware clips the results of all tools: of a server's, added as receiving
// middleware, or of every server that a client calls, added as sending middleware.
//
// The text of a result becomes the text of one envelope; text resources count as text.
// Images, audio, links and binary resources pass as they are, outside the budget.
// structuredContent that no text block repeats is clipped like a text, and
// structuredContent itself and the tools' output schemas are removed, so that no
// client shows the model the whole beside the part. _meta is kept, and the account is
// added. Results that ask for input, and errors of the protocol, pass untouched.
//
// An account made in this process is recognised, and its envelope is passed on if it
// fits, so that a tool made by [Tool] is not clipped twice. One that came over a wire is
// what the other side says: it is replaced, and its content is clipped like any other.
func Middleware(c *clip.Clipper, o *Options) mcp.Middleware {
	if o == nil {
		o = &Options{}
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if err != nil {
				return res, err
			}
			switch r := res.(type) {
			case *mcp.CallToolResult:
				return clipCall(ctx, c, o, req, r)
			case *mcp.ListToolsResult:
				return withoutOutputSchemas(r), nil
			}
			return res, nil
		}
	}
}

// clipCall clips the result of one call.
func clipCall(ctx context.Context, c *clip.Clipper, o *Options, req mcp.Request, res *mcp.CallToolResult) (mcp.Result, error) {
	name, args := called(req)
	if res == nil || res.NeedsInput() || (o.Skip != nil && o.Skip(name)) {
		return res, nil
	}
	texts, others := split(res)
	var out any
	if own, ok := res.Meta[MetaKey].(account); ok {
		out = own.e
	} else if len(texts) == 0 && len(others) > 0 {
		return res, nil
	} else {
		out = result(name, args, texts, res.IsError)
	}
	e, err := c.Clip(ctx, out)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	return merged(res, e, others, err), nil
}

// called is the name of the tool and the arguments that the model chose.
func called(req mcp.Request) (name string, args any) {
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		return p.Name, p.Arguments
	case *mcp.CallToolParams:
		return p.Name, p.Arguments
	}
	return "", nil
}

// split separates what is text in res from its other blocks.
func split(res *mcp.CallToolResult) (texts []clip.Named, others []mcp.Content) {
	for _, block := range res.Content {
		switch b := block.(type) {
		case *mcp.TextContent:
			texts = append(texts, clip.Named{Content: b.Text})
		case *mcp.EmbeddedResource:
			if r := b.Resource; r != nil && r.Blob == nil {
				texts = append(texts, clip.Named{Name: r.URI, MediaType: r.MIMEType, Content: r.Text})
				continue
			}
			others = append(others, block)
		default:
			others = append(others, block)
		}
	}
	if s, ok := structured(res); ok && !repeated(s, texts) {
		texts = append(texts, clip.Named{Name: "structuredContent", MediaType: "application/json", Content: s})
	}
	return texts, others
}

// structured is the structuredContent of res as its source wrote it, where that is
// still known.
func structured(res *mcp.CallToolResult) (json.RawMessage, bool) {
	switch s := res.StructuredContent.(type) {
	case nil:
		return nil, false
	case json.RawMessage:
		return s, len(s) > 0
	}
	b, err := json.Marshal(res.StructuredContent)
	return b, err == nil
}

// repeated reports whether one of texts is the same JSON as s.
func repeated(s json.RawMessage, texts []clip.Named) bool {
	want, ok := decoded(s)
	if !ok {
		return false
	}
	for _, t := range texts {
		text, _ := t.Content.(string)
		if got, ok := decoded([]byte(text)); ok && reflect.DeepEqual(got, want) {
			return true
		}
	}
	return false
}

func decoded(p []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(p))
	d.UseNumber()
	err := d.Decode(&v)
	return v, err == nil && !d.More()
}

// result is what a tool of somebody else's returned.
func result(name string, args any, texts []clip.Named, failed bool) clip.Result {
	r := clip.Result{Tool: name, Args: args}
	if failed {
		r.Err = &envelope.Failure{
			Kind: "tool_error", Message: "the tool reported an error; its own words are the content",
			Effect: envelope.EffectUnknown, Retry: envelope.RetryAfterChange, Handler: envelope.HandlerModel,
		}
	}
	if len(texts) == 1 {
		r.Content, r.MediaType, r.Source = texts[0].Content, texts[0].MediaType, texts[0].Name
		return r
	}
	r.Parts = texts
	return r
}

// merged is res with e in place of its text.
func merged(res *mcp.CallToolResult, e envelope.Envelope, others []mcp.Content, err error) *mcp.CallToolResult {
	own := Result(e)
	out := *res
	out.Content = append(own.Content[:1:1], others...)
	out.StructuredContent = nil
	out.IsError = res.IsError || own.IsError
	out.Meta = mcp.Meta{}
	for k, v := range res.Meta {
		out.Meta[k] = v
	}
	out.Meta[MetaKey] = own.Meta[MetaKey]
	if err != nil {
		out.SetError(err)
	}
	return &out
}

// withoutOutputSchemas is a list of tools that promise no structuredContent.
func withoutOutputSchemas(r *mcp.ListToolsResult) *mcp.ListToolsResult {
	if r == nil {
		return nil
	}
	out := *r
	out.Tools = make([]*mcp.Tool, 0, len(r.Tools))
	for _, t := range r.Tools {
		if t != nil && t.OutputSchema != nil {
			own := *t
			own.OutputSchema = nil
			t = &own
		}
		out.Tools = append(out.Tools, t)
	}
	return &out
}
