package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/envelope"
)

// demo asks two questions whose answers lie far behind the cut.
func demo(ctx context.Context, w io.Writer, c *clip.Clipper) error {
	tools, err := followup.Tools(c, nil)
	if err != nil {
		return err
	}
	d := &loop{w: w, calls: map[string]followup.Tool{}}
	for _, t := range tools {
		d.calls[t.Name] = t
	}
	doc := clip.Wrap(c, goDoc, func(cfg *clip.Config) { cfg.Tool = "go_doc" })
	if err := d.ask(ctx, "What does net/http say about StripPrefix?", `^func StripPrefix`,
		"go_doc", func() (envelope.Envelope, error) { return doc(ctx, "net/http") }); err != nil {
		return err
	}
	list := clip.Wrap(c, goList, func(cfg *clip.Config) { cfg.Tool = "go_list" })
	return d.ask(ctx, "In which folder is the package net/textproto?", `"Dir":\s*"[^"]*net/textproto"`,
		"go_list", func() (envelope.Envelope, error) { return list(ctx, "net/http") })
}

// loop is the smallest agent loop: it prints what a model would read, and makes
// the calls that the envelopes offer.
type loop struct {
	w     io.Writer
	calls map[string]followup.Tool
}

// ask answers a question with what the envelope of one call offers: its search,
// with a pattern for what is asked.
func (l *loop) ask(ctx context.Context, question, pattern, tool string, call func() (envelope.Envelope, error)) error {
	fmt.Fprintf(l.w, "\n### %s\n", question)
	e, err := call()
	if err != nil {
		return err
	}
	l.print(tool, e)
	for _, n := range e.Next {
		if !n.Search {
			continue
		}
		n.Arguments[clip.ArgPattern] = pattern
		n.Arguments[clip.ArgContext] = 6
		found, err := l.follow(ctx, n)
		if err != nil {
			return err
		}
		l.print(n.Tool, found)
		fmt.Fprintf(l.w, "\nThe answer is in what the search shows: %v of %v matches in all %v bytes.\n",
			found.Scan.Returned, found.Scan.Matched, found.Scan.Of)
		return nil
	}
	return fmt.Errorf("the envelope of %s offers no search", tool)
}

// follow makes a call that an envelope offers.
func (l *loop) follow(ctx context.Context, n envelope.Next) (envelope.Envelope, error) {
	args, err := json.Marshal(n.Arguments)
	if err != nil {
		return envelope.Envelope{}, err
	}
	fmt.Fprintf(l.w, "\n>>> %s %s\n", n.Tool, args)
	return l.calls[n.Tool].Call(ctx, args)
}

// print shows exactly what the model reads.
func (l *loop) print(tool string, e envelope.Envelope) {
	text := e.Text()
	fmt.Fprintf(l.w, "\n<<< %s: the model reads %d bytes\n", tool, len(text))
	fmt.Fprintln(l.w, text)
}
