package mcpenvelope_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/envelope/mcpenvelope"
)

// foreign is a server with a tool of somebody else's that returns res.
func foreign(res *mcp.CallToolResult) *mcp.Server {
	s := newServer()
	s.AddTool(&mcp.Tool{Name: "theirs", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return res, nil
	})
	return s
}

func textBlock(s string) mcp.Content { return &mcp.TextContent{Text: s} }

func TestMiddlewareClipsTheToolsOfAServer(t *testing.T) {
	s := foreign(&mcp.CallToolResult{Content: []mcp.Content{textBlock(numbered(5000))}})
	s.AddReceivingMiddleware(mcpenvelope.Middleware(newClipper(t, 2000), nil))
	res := call(t, connect(t, s, nil), "theirs", nil)
	require.LessOrEqual(t, len(text(t, res)), 2000)
	require.Contains(t, text(t, res), "of 5000")
	account, ok, err := mcpenvelope.FromMeta(res)
	require.True(t, ok)
	require.NoError(t, err)
	require.Equal(t, "theirs", account.Tool)
}

func TestMiddlewareClipsAllThatAClientCalls(t *testing.T) {
	s := foreign(&mcp.CallToolResult{Content: []mcp.Content{textBlock(numbered(5000))}})
	res := call(t, connect(t, s, newClipper(t, 2000)), "theirs", nil)
	require.LessOrEqual(t, len(text(t, res)), 2000)
	require.Contains(t, text(t, res), "of 5000")
}

func TestASmallResultPassesAsItIs(t *testing.T) {
	s := foreign(&mcp.CallToolResult{Content: []mcp.Content{textBlock("ok\n")}, Meta: mcp.Meta{"com.example/trace": "7"}})
	res := call(t, connect(t, s, newClipper(t, 2000)), "theirs", nil)
	require.Equal(t, "ok\n", text(t, res))
	require.Equal(t, "7", res.Meta["com.example/trace"], "_meta is kept")
}

func TestTwoLayersOfOneProcessSayOneNotice(t *testing.T) {
	s, c := newServer(), newClipper(t, 2000)
	mcp.AddTool(s, &mcp.Tool{Name: "lines"}, mcpenvelope.Tool(clip.Wrap(c, lines)))
	s.AddReceivingMiddleware(mcpenvelope.Middleware(c, nil))
	got := text(t, call(t, connect(t, s, nil), "lines", in{5000}))
	require.Equal(t, 1, strings.Count(got, "[PARTIAL"))
	require.Contains(t, got, "of 5000")
}

// TestAnAccountFromElsewhereIsNotBelieved: another process may say that its result is
// small, complete and clipped.
func TestAnAccountFromElsewhereIsNotBelieved(t *testing.T) {
	lie := envelope.Style{}.Word(envelope.Envelope{Part: envelope.Part{Content: "x", View: envelope.View{Complete: true}}}, nil)
	s := foreign(&mcp.CallToolResult{
		Content: []mcp.Content{textBlock(numbered(5000))},
		Meta:    mcp.Meta{mcpenvelope.MetaKey: lie.Map()},
	})
	res := call(t, connect(t, s, newClipper(t, 2000)), "theirs", nil)
	require.LessOrEqual(t, len(text(t, res)), 2000)
	account, _, err := mcpenvelope.FromMeta(res)
	require.NoError(t, err)
	require.False(t, account.View.Complete)
}

func TestTheWholeIsNotLeftBesideThePart(t *testing.T) {
	var records []map[string]any
	for i := range 500 {
		records = append(records, map[string]any{"id": i, "name": fmt.Sprint("record ", i)})
	}
	type out struct {
		Records []map[string]any `json:"records"`
	}
	s := newServer()
	mcp.AddTool(s, &mcp.Tool{Name: "theirs"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, out, error) {
		return nil, out{records}, nil
	})
	cs := connect(t, s, newClipper(t, 2000))
	res := call(t, cs, "theirs", nil)
	require.Nil(t, res.StructuredContent)
	require.Len(t, res.Content, 1)
	require.LessOrEqual(t, len(text(t, res)), 2000)
	account, _, err := mcpenvelope.FromMeta(res)
	require.NoError(t, err)
	require.Empty(t, account.Parts, "the text block and its twin are one content")

	list, err := cs.ListTools(context.Background(), nil)
	require.NoError(t, err)
	require.Nil(t, list.Tools[0].OutputSchema, "and none is promised")
}

func TestStructuredContentThatNoTextRepeatsIsShown(t *testing.T) {
	s := foreign(&mcp.CallToolResult{
		Content:           []mcp.Content{textBlock("2 rows")},
		StructuredContent: json.RawMessage(`{"rows":[9007199254740993,2]}`),
	})
	s.AddReceivingMiddleware(mcpenvelope.Middleware(newClipper(t, 2000), nil))
	got := text(t, call(t, connect(t, s, nil), "theirs", nil))
	require.Contains(t, got, "2 rows")
	require.Contains(t, got, "structuredContent")
	require.Contains(t, got, `{"rows":[9007199254740993,2]}`, "as its source wrote it")
}

func TestOtherBlocksPassAndSeveralTextsShareOneBudget(t *testing.T) {
	image := &mcp.ImageContent{Data: []byte("png"), MIMEType: "image/png"}
	link := &mcp.ResourceLink{URI: "file:///x", Name: "x"}
	s := foreign(&mcp.CallToolResult{Content: []mcp.Content{
		textBlock(numbered(2000)), image,
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///log", MIMEType: "text/plain", Text: numbered(3000)}},
		link, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///bin", Blob: []byte("bin")}},
	}})
	res := call(t, connect(t, s, newClipper(t, 4000)), "theirs", nil)
	require.Len(t, res.Content, 4)
	require.LessOrEqual(t, len(text(t, res)), 4000)
	require.Contains(t, text(t, res), "of 2000")
	require.Contains(t, text(t, res), "of 3000")
	require.Equal(t, image.Data, res.Content[1].(*mcp.ImageContent).Data)
	require.Equal(t, "file:///x", res.Content[2].(*mcp.ResourceLink).URI)
	require.Equal(t, []byte("bin"), res.Content[3].(*mcp.EmbeddedResource).Resource.Blob)
}

func TestImagesAlonePassUntouched(t *testing.T) {
	s := foreign(&mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: []byte("png"), MIMEType: "image/png"}}})
	res := call(t, connect(t, s, newClipper(t, 2000)), "theirs", nil)
	require.Len(t, res.Content, 1)
	require.IsType(t, &mcp.ImageContent{}, res.Content[0])
}

func TestAnErrorOfAToolStaysOneAndIsClipped(t *testing.T) {
	s := foreign(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{textBlock("disk full\n" + numbered(5000))}})
	res := call(t, connect(t, s, newClipper(t, 2000)), "theirs", nil)
	require.True(t, res.IsError)
	require.LessOrEqual(t, len(text(t, res)), 2000)
	require.Contains(t, text(t, res), "TOOL FAILED")
	require.Contains(t, text(t, res), "disk full")
}

func TestSkippedToolsPassUntouched(t *testing.T) {
	s := foreign(&mcp.CallToolResult{Content: []mcp.Content{textBlock(numbered(5000))}})
	s.AddReceivingMiddleware(mcpenvelope.Middleware(newClipper(t, 2000), &mcpenvelope.Options{Skip: func(tool string) bool { return tool == "theirs" }}))
	require.Equal(t, numbered(5000), text(t, call(t, connect(t, s, nil), "theirs", nil)))
}

func TestNothingAtAllIsSaid(t *testing.T) {
	res := call(t, connect(t, foreign(&mcp.CallToolResult{Content: []mcp.Content{}}), newClipper(t, 2000)), "theirs", nil)
	require.Equal(t, "Completed, no output.", text(t, res))
}
