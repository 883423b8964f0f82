// Quickstart shows the main job on real tools: a large result becomes an honest
// part, and the calls that come with it lead to the answer.
//
//	go run ./examples/quickstart
//	go run ./examples/quickstart -budget 2000 < file
//	go run ./examples/quickstart -budget 2000 file
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
)

func main() {
	budget := flag.Int("budget", 4096, "bytes that may reach the model for one call")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *budget, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// run shows one file, standard input, or the two tools with a question for each.
func run(ctx context.Context, w io.Writer, budget int, files []string) error {
	dir, err := os.MkdirTemp("", "toolclip")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	store, err := artifact.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer store.Close()

	c, err := clip.New(clip.Config{Budget: clip.Bytes(budget), Store: store, Followups: clip.AllFollowups})
	if err != nil {
		return err
	}
	switch {
	case len(files) > 0:
		return showFile(ctx, w, c, files[0])
	case piped(os.Stdin):
		return show(ctx, w, c, os.Stdin)
	}
	return demo(ctx, w, c)
}

// piped reports whether somebody feeds f.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0 && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

func showFile(ctx context.Context, w io.Writer, c *clip.Clipper, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return show(ctx, w, c, f)
}

// show prints what a model would read of r.
func show(ctx context.Context, w io.Writer, c *clip.Clipper, r io.Reader) error {
	e, err := c.Clip(ctx, r)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, e.Text())
	return nil
}
