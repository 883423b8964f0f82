// Package mcpenvelope carries envelopes over the Model Context Protocol, with the
// official Go SDK.
//
// A tool of one's own, on a server:
//
//	c, err := clip.New(clip.Config{Store: store, Followups: clip.AllFollowups})
//	mcp.AddTool(server, &mcp.Tool{Name: "fetch"}, mcpenvelope.Tool(clip.Wrap(c, fetch)))
//	tools, err := followup.Tools(c, nil)
//	mcpenvelope.Register(server, tools)
//
// Tools that one does not own, all of a server or all that a client calls:
//
//	server.AddReceivingMiddleware(mcpenvelope.Middleware(c, nil))
//	client.AddSendingMiddleware(mcpenvelope.Middleware(c, nil))
//
// A result has the text that a model reads as its content, and the account of it (the
// envelope without its contents) under one key of _meta, for programs: see [FromMeta].
// It has no structuredContent and no resource link: clients disagree on whether the
// content or structuredContent goes to the model, and some refuse links, but all show
// text. [StructuredTool] is for those that want both.
package mcpenvelope
