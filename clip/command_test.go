package clip_test

import (
	"context"
	"errors"
	"net"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/envelope"
)

// shell runs a script whose statuses 1 and 3 are answers.
func shell(t *testing.T, script string) (envelope.Envelope, error) {
	run := clip.Wrap(newClipper(t, clip.Config{}), func(ctx context.Context, script string) (clip.Result, error) {
		return clip.Command(exec.CommandContext(ctx, "sh", "-c", script), 1, 3)
	})
	return run(ctx, script)
}

// grep that finds nothing exits with 1, and diff that finds something: these are
// answers and no failures.
func TestAStatusThatIsAnAnswerIsNoFailure(t *testing.T) {
	for script, text := range map[string]string{
		"exit 1":               "Completed, no output.",
		"exit 0":               "Completed, no output.",
		"echo differs; exit 3": "differs\n",
	} {
		e, err := shell(t, script)
		require.NoError(t, err, script)
		require.Nil(t, e.Failure, script)
		require.Equal(t, text, e.Text(), script)
	}
	e, err := shell(t, "echo bad option >&2; exit 2")
	require.Error(t, err)
	require.Equal(t, 2, *e.Failure.Exit)
	e, err = shell(t, "kill -9 $$")
	require.Error(t, err)
	require.Nil(t, e.Failure.Exit)
	require.Equal(t, "signal", e.Failure.Kind)
	require.Contains(t, e.Text(), "Whether it was done is unknown")
}

// A command that is not there has done nothing, and its error is the one of os/exec.
func TestACommandThatDoesNotStartHasDoneNothing(t *testing.T) {
	run := clip.Wrap(newClipper(t, clip.Config{}), func(ctx context.Context, name string) (clip.Result, error) {
		return clip.Command(exec.CommandContext(ctx, name))
	})
	e, err := run(ctx, "no-such-command-anywhere")
	require.ErrorIs(t, err, exec.ErrNotFound)
	require.Equal(t, envelope.EffectNone, e.Failure.Effect)
	require.Equal(t, envelope.RetryAfterChange, e.Failure.Retry)
	require.Contains(t, e.Text(), "Nothing was done.")
}

var errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}

// Of a tool that only reads, an error is no doubt about what was done.
func TestAReadOnlyToolHasDoneNothing(t *testing.T) {
	tool := func(context.Context, struct{}) (string, error) { return "", errRefused }
	c := newClipper(t, clip.Config{})
	e, err := clip.Wrap(c, tool, func(cfg *clip.Config) { cfg.ReadOnly = true })(ctx, struct{}{})
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	require.Contains(t, e.Text(), "Nothing was done. Calling again later may help.")

	e, _ = clip.Wrap(c, tool)(ctx, struct{}{})
	require.Contains(t, e.Text(), "Whether it was done is unknown: check first. Do not call it again.")

	own := func(context.Context, struct{}) (string, error) {
		return "", errors.Join(envelope.OutcomeUnknown("the order"), errRefused)
	}
	e, _ = clip.Wrap(c, own, func(cfg *clip.Config) { cfg.ReadOnly = true })(ctx, struct{}{})
	require.Contains(t, e.Text(), "Whether it was done is unknown", "the tool knows better")
}
