package mcpenvelope_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/envelope/mcpenvelope"
)

// A server with one tool, and a client that reads what the model would and what a
// program can know of it.
func Example() {
	c, err := clip.New(clip.Config{Budget: clip.Bytes(1000)})
	if err != nil {
		log.Fatal(err)
	}
	type query struct {
		Rows int `json:"rows"`
	}
	table := func(_ context.Context, q query) (string, error) {
		if q.Rows > 1000 {
			return "", envelope.BadArgument("rows", fmt.Sprint(q.Rows), "1", "1000")
		}
		return strings.Repeat("a row of the table\n", q.Rows), nil
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "tables"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "table"}, mcpenvelope.Tool(clip.Wrap(c, table)))

	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, near, nil); err != nil {
		log.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "loop"}, nil).Connect(ctx, far, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	for _, rows := range []int{2, 500, 2000} {
		res, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "table", Arguments: query{rows}})
		if err != nil {
			log.Fatal(err)
		}
		account, _, err := mcpenvelope.FromMeta(res)
		if err != nil {
			log.Fatal(err)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		first, _, _ := strings.Cut(text, " 1-") // the numbers are clip's
		fmt.Println(strings.TrimSpace(first))
		fmt.Println("  error:", res.IsError, "of:", account.View.UnitTotal, "within budget:", len(text) <= 1000)
	}
	// Output:
	// a row of the table
	// a row of the table
	//   error: false of: 2 within budget: true
	// [PARTIAL lines
	//   error: false of: 500 within budget: true
	// [TOOL FAILED (bad_argument): “rows: "2000" is not valid”. Nothing was done. Call again only with a change. Next: “give rows one of: "1", "1000"”.]
	//   error: true of: 0 within budget: true
}
