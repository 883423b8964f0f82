package mcpenvelope

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/envelope"
)

// Tool makes a function that returns an envelope (see clip.Wrap) the handler of a tool
// for mcp.AddTool. The result is text and account: see [Result].
//
// An error beside an envelope that was worded is in the envelope, and goes to the model
// with all that was read. A *jsonrpc.Error stays a protocol error, and a call that was
// cancelled stays cancelled.
func Tool[In any](fn func(context.Context, In) (envelope.Envelope, error)) mcp.ToolHandlerFor[In, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		e, err := fn(ctx, in)
		res, err := outcome(e, err)
		return res, nil, err
	}
}

// StructuredTool is [Tool] with the envelope as structuredContent too, and its schema as
// the tool's output schema. Both halves hold the same cut of the content and the same
// notice, so that a client may show the model either; one that shows both pays twice.
func StructuredTool[In any](fn func(context.Context, In) (envelope.Envelope, error)) mcp.ToolHandlerFor[In, envelope.Envelope] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, envelope.Envelope, error) {
		e, err := fn(ctx, in)
		res, err := outcome(e, err)
		return res, e, err
	}
}

// outcome is the result of a call that returned e and err.
func outcome(e envelope.Envelope, err error) (*mcp.CallToolResult, error) {
	if err == nil {
		return Result(e), nil
	}
	if _, protocol := err.(*jsonrpc.Error); protocol || errors.Is(err, context.Canceled) || !e.Worded() {
		return nil, err
	}
	res := Result(e)
	res.SetError(err) // for middleware of the server; the content stays
	return res, nil
}

// Register adds the follow-up tools to a server. They only read.
func Register(s *mcp.Server, tools []followup.Tool) {
	for _, t := range tools {
		own := &mcp.Tool{
			Name: t.Name, Description: t.Description, InputSchema: t.Schema,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
		}
		s.AddTool(own, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			e, err := t.Call(ctx, req.Params.Arguments)
			return outcome(e, err)
		})
	}
}
