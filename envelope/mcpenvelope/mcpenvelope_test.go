package mcpenvelope_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/envelope/mcpenvelope"
)

type in struct {
	N int `json:"n"`
}

// numbered is n numbered lines.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func lines(_ context.Context, a in) (string, error) { return numbered(a.N), nil }

func newClipper(t *testing.T, budget int) *clip.Clipper {
	store := artifact.NewMemory(nil)
	c, err := clip.New(clip.Config{Store: store, Budget: clip.Bytes(budget), Followups: clip.AllFollowups})
	require.NoError(t, err)
	return c
}

// connect returns a session with a server, over in-memory transports. With a Clipper,
// the client clips all results.
func connect(t *testing.T, s *mcp.Server, c *clip.Clipper) *mcp.ClientSession {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	if c != nil {
		client.AddSendingMiddleware(mcpenvelope.Middleware(c, nil))
	}
	a, b := mcp.NewInMemoryTransports()
	ss, err := s.Connect(ctx, a, nil)
	require.NoError(t, err)
	cs, err := client.Connect(ctx, b, nil)
	require.NoError(t, err)
	t.Cleanup(func() { cs.Close(); ss.Wait() })
	return cs
}

func newServer() *mcp.Server { return mcp.NewServer(&mcp.Implementation{Name: "test"}, nil) }

func call(t *testing.T, cs *mcp.ClientSession, tool string, args any) *mcp.CallToolResult {
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	require.NoError(t, err)
	return res
}

func text(t *testing.T, res *mcp.CallToolResult) string {
	require.NotEmpty(t, res.Content)
	return res.Content[0].(*mcp.TextContent).Text
}

func TestAToolsResultIsTextAndAccount(t *testing.T) {
	s, c := newServer(), newClipper(t, 2000)
	mcp.AddTool(s, &mcp.Tool{Name: "lines"}, mcpenvelope.Tool(clip.Wrap(c, lines)))
	cs := connect(t, s, nil)

	res := call(t, cs, "lines", in{5000})
	require.LessOrEqual(t, len(text(t, res)), 2000)
	require.Contains(t, text(t, res), "[PARTIAL lines 1-")
	require.Nil(t, res.StructuredContent)
	require.False(t, res.IsError)

	account, ok, err := mcpenvelope.FromMeta(res)
	require.True(t, ok)
	require.NoError(t, err)
	require.Equal(t, int64(5000), account.View.UnitTotal.Value)
	require.NotNil(t, account.Artifact)
	require.Empty(t, account.Content, "the content is in the result already")
	require.False(t, account.Worded(), "it came over a wire")

	require.Equal(t, numbered(3), text(t, call(t, cs, "lines", in{3})), "a small result is its content alone")
}

func TestTheFollowupToolsReadTheRest(t *testing.T) {
	s, c := newServer(), newClipper(t, 2000)
	mcp.AddTool(s, &mcp.Tool{Name: "lines"}, mcpenvelope.Tool(clip.Wrap(c, lines)))
	tools, err := followup.Tools(c, nil)
	require.NoError(t, err)
	mcpenvelope.Register(s, tools)
	cs := connect(t, s, nil)

	account, _, err := mcpenvelope.FromMeta(call(t, cs, "lines", in{1000}))
	require.NoError(t, err)
	seen := coverage.Set(nil).Add(account.View.Units...)
	for pages := 0; len(account.Next) > 0 && !account.Next[0].Search && !seen.Covers(1000); pages++ {
		require.Less(t, pages, 100, "it ends")
		account, _, err = mcpenvelope.FromMeta(call(t, cs, account.Next[0].Tool, account.Next[0].Arguments))
		require.NoError(t, err)
		require.Nil(t, account.Failure)
		before := seen.Len()
		seen = seen.Add(account.View.Units...)
		require.Greater(t, seen.Len(), before, "each page makes progress")
	}
	require.True(t, seen.Covers(1000), "%v", seen)

	gone := call(t, cs, "artifact_read", map[string]any{"artifact": strings.Repeat("a", 26)})
	require.True(t, gone.IsError, "a handle that names nothing is told to the model")
}

func TestAStructuredToolSaysTheSameInBothHalves(t *testing.T) {
	s, c := newServer(), newClipper(t, 2000)
	mcp.AddTool(s, &mcp.Tool{Name: "lines"}, mcpenvelope.StructuredTool(clip.Wrap(c, lines)))
	res := call(t, connect(t, s, nil), "lines", in{5000})

	b, err := json.Marshal(res.StructuredContent)
	require.NoError(t, err)
	e, err := envelope.Parse(b)
	require.NoError(t, err)
	require.Equal(t, text(t, res), e.Text())
}

// TestTheSDKInfersASmallSchema does what AddTool does for a structured tool.
func TestTheSDKInfersASmallSchema(t *testing.T) {
	s, c := newServer(), newClipper(t, 2000)
	mcp.AddTool(s, &mcp.Tool{Name: "lines"}, mcpenvelope.StructuredTool(clip.Wrap(c, lines)))
	list, err := connect(t, s, nil).ListTools(context.Background(), nil)
	require.NoError(t, err)
	b, err := json.Marshal(list.Tools[0].OutputSchema)
	require.NoError(t, err)
	require.Less(t, len(b), 10_000, "a list of tools carries it")
	var schema jsonschema.Schema
	require.NoError(t, json.Unmarshal(b, &schema))
	_, err = schema.Resolve(nil)
	require.NoError(t, err)
}

func TestFailuresGoToTheModelWithWhatWasRead(t *testing.T) {
	s, c := newServer(), newClipper(t, 2000)
	fails := func(_ context.Context, a in) (string, error) {
		return numbered(a.N), envelope.BadArgument("n", "x", "1", "2")
	}
	mcp.AddTool(s, &mcp.Tool{Name: "fails"}, mcpenvelope.Tool(clip.Wrap(c, fails)))
	res := call(t, connect(t, s, nil), "fails", in{3})
	require.True(t, res.IsError)
	require.Contains(t, text(t, res), `give n one of: "1", "2"`)
	require.Contains(t, text(t, res), "line 3")
}

func TestProtocolErrorsStayProtocolErrors(t *testing.T) {
	s, c := newServer(), newClipper(t, 2000)
	fails := func(context.Context, in) (string, error) {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such thing"}
	}
	mcp.AddTool(s, &mcp.Tool{Name: "fails"}, mcpenvelope.Tool(clip.Wrap(c, fails)))
	_, err := connect(t, s, nil).CallTool(context.Background(), &mcp.CallToolParams{Name: "fails", Arguments: in{}})
	var wire *jsonrpc.Error
	require.ErrorAs(t, err, &wire)
	require.Equal(t, int64(jsonrpc.CodeInvalidParams), wire.Code)
}

func TestAnErrorWithoutAnEnvelopeIsTheSDKs(t *testing.T) {
	s := newServer()
	mcp.AddTool(s, &mcp.Tool{Name: "fails"}, mcpenvelope.Tool(func(context.Context, in) (envelope.Envelope, error) {
		return envelope.Envelope{}, errors.New("boom")
	}))
	res := call(t, connect(t, s, nil), "fails", in{})
	require.True(t, res.IsError)
	require.Equal(t, "boom", text(t, res))
}

func TestImagesAndAudioAreBlocksOfTheirOwn(t *testing.T) {
	e := envelope.Style{}.Word(envelope.Envelope{Parts: []envelope.Part{
		{Name: "a", MediaType: "image/png", Base64: "aGk=", View: envelope.View{Complete: true}},
		{Name: "b", MediaType: "audio/wav", Base64: "aGk=", View: envelope.View{Complete: true}},
		{Name: "c", MediaType: "application/zip", Base64: "aGk=", View: envelope.View{Complete: true}},
		{Name: "d", MediaType: "image/png", Base64: "not base64", View: envelope.View{Complete: true}},
	}}, nil)
	res := mcpenvelope.Result(e)
	require.Len(t, res.Content, 3)
	require.Equal(t, []byte("hi"), res.Content[1].(*mcp.ImageContent).Data)
	require.Equal(t, "audio/wav", res.Content[2].(*mcp.AudioContent).MIMEType)
	for _, name := range []string{"a: image/png", "b: audio/wav", "c: application/zip", "d: image/png"} {
		require.Contains(t, text(t, res), name)
	}
	b, err := json.Marshal(res.Meta)
	require.NoError(t, err)
	require.NotContains(t, string(b), "aGk=", "the account has no contents")
}

func TestFromMeta(t *testing.T) {
	_, ok, err := mcpenvelope.FromMeta(nil)
	require.False(t, ok)
	require.NoError(t, err)
	_, ok, err = mcpenvelope.FromMeta(&mcp.CallToolResult{})
	require.False(t, ok)
	require.NoError(t, err)
	_, ok, err = mcpenvelope.FromMeta(&mcp.CallToolResult{Meta: mcp.Meta{mcpenvelope.MetaKey: "x"}})
	require.True(t, ok)
	require.ErrorIs(t, err, envelope.ErrNotEnvelope)
}
