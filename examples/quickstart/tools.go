package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os/exec"

	"github.com/toolclip/toolclip/clip"
)

// goDoc is a tool that returns a long text: all documentation of a package.
func goDoc(ctx context.Context, pkg string) (clip.Result, error) {
	return clip.Command(exec.CommandContext(ctx, "go", "doc", "-all", pkg))
}

// goList is a tool that returns a long JSON array: a package and all that it
// depends on.
func goList(ctx context.Context, pkg string) ([]json.RawMessage, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json", "-deps", pkg)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var all []json.RawMessage
	for v, err := range values(out) {
		if err != nil {
			return all, errors.Join(err, cmd.Wait())
		}
		all = append(all, v)
	}
	return all, cmd.Wait()
}

// values are the JSON values in r, one behind the other.
func values(r io.Reader) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for dec := json.NewDecoder(r); ; {
			var v json.RawMessage
			err := dec.Decode(&v)
			if err == io.EOF || !yield(v, err) || err != nil {
				return
			}
		}
	}
}
