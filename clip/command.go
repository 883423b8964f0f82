package clip

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"

	"github.com/toolclip/toolclip/envelope"
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
// Exit statuses other than 0 that are answers and no failures are named in answers:
//
//	clip.Command(exec.CommandContext(ctx, "grep", "-rn", in.Pattern, "."), 1) // 1: nothing was found
//	clip.Command(exec.CommandContext(ctx, "diff", "-u", in.Old, in.New), 1)   // 1: they differ
//
// Such a status is not told: the output, or that there was none, is the answer.
//
// cmd must not have been started, nor have a Stdout or Stderr. The error is that of
// starting it, joined with a Failure that says that nothing was done. A Result that is
// not given to a Clipper leaves the process waiting for somebody to read its output.
func Command(cmd *exec.Cmd, answers ...int) (Result, error) {
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, fmt.Errorf("clip: %w", err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return Result{}, fmt.Errorf("clip: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return Result{}, notStarted{err}
	}
	return Result{
		Source: cmd.String(),
		Parts:  []Named{{Name: "stdout", Content: stdout}, {Name: "stderr", Content: stderr, OmitEmpty: true}},
		Wait: func() error {
			err := cmd.Wait()
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.Exited() && slices.Contains(answers, exit.ExitCode()) {
				return nil
			}
			return err
		},
	}, nil
}

// notStarted is the error of a process that could not be started: nothing was done.
type notStarted struct{ error }

func (e notStarted) Unwrap() []error {
	f := envelope.FailureOf(e.error)
	f.Effect, f.Retry = envelope.EffectNone, envelope.RetryAfterChange
	return []error{f, e.error}
}
