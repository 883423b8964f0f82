package clip

import (
	"fmt"
	"os/exec"
)

// Command starts cmd and returns its output as a Result: stdout and stderr are
// two contents that are read at the same time (stderr is left out when it is
// empty), and the exit status is a Failure beside them, which no cut touches.
// Build cmd with exec.CommandContext, so that it ends with the call:
//
//	run := clip.Wrap(c, func(ctx context.Context, in In) (clip.Result, error) {
//		return clip.Command(exec.CommandContext(ctx, "go", "test", in.Package))
//	})
//
// cmd must not have been started, nor have a Stdout or Stderr. The error is that of
// starting it. A Result that is not given to a Clipper leaves the process waiting
// for somebody to read its output.
func Command(cmd *exec.Cmd) (Result, error) {
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, fmt.Errorf("clip: %w", err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return Result{}, fmt.Errorf("clip: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return Result{}, err
	}
	return Result{
		Source: cmd.String(),
		Parts:  []Named{{Name: "stdout", Content: stdout}, {Name: "stderr", Content: stderr, OmitEmpty: true}},
		Wait:   cmd.Wait,
	}, nil
}
