package envelope

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestFailureOfFindsTheToolsOwn(t *testing.T) {
	own := Refused("no", "ask")
	cause := errors.New("cause")
	for _, err := range []error{own, fmt.Errorf("wrapped: %w", own), errors.Join(own, cause), errors.Join(cause, own)} {
		require.Same(t, own, FailureOf(err))
	}
	require.ErrorIs(t, errors.Join(own, cause), cause, "the cause keeps its identity")
	require.Nil(t, FailureOf(nil))
}

func TestFailureOfTellsKindsApart(t *testing.T) {
	exit := exec.Command("sh", "-c", "exit 7").Run()
	killed := exec.Command("sh", "-c", "kill -9 $$").Run()
	for _, c := range []struct {
		name    string
		err     error
		kind    string
		retry   Retry
		handler Handler
	}{
		{"cancelled", fmt.Errorf("x: %w", context.Canceled), "cancelled", RetryNever, HandlerProgram},
		{"timed out on a network", &net.DNSError{IsTimeout: true}, "timeout", RetryNever, HandlerModel},
		{"timed out on a pipe", os.ErrDeadlineExceeded, "timeout", RetryNever, HandlerModel},
		{"timed out", context.DeadlineExceeded, "timeout", RetryNever, HandlerModel},
		{"exit status", exit, "exit_status", RetryAfterChange, HandlerModel},
		{"signal", killed, "signal", RetryAfterChange, HandlerModel},
		{"no such file", &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, "not_found", RetryAfterChange, HandlerModel},
		{"permission", fs.ErrPermission, "permission", RetryNever, HandlerPerson},
		{"any other", errors.New("boom"), "error", RetryNever, HandlerModel},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := FailureOf(c.err)
			require.Equal(t, c.kind, f.Kind)
			require.Equal(t, c.retry, f.Retry)
			require.Equal(t, c.handler, f.Handler)
			require.Equal(t, EffectUnknown, f.Effect, "an error does not say what was done")
			require.NotEmpty(t, f.Message)
		})
	}
	require.Equal(t, 7, *FailureOf(exit).Exit)
	require.Nil(t, FailureOf(killed).Exit, "a signal leaves no status")
}

func TestFailureOfLimitsTheMessage(t *testing.T) {
	f := FailureOf(errors.New(strings.Repeat("错\n", 1<<20)))
	require.LessOrEqual(t, len(f.Message), 2048)
	require.NotContains(t, f.Message, "\n")

	own := &Failure{Kind: "k", Message: strings.Repeat("错", 1<<20)}
	limited := FailureOf(own)
	require.LessOrEqual(t, len(limited.Message), 8<<10)
	require.True(t, utf8.ValidString(limited.Message))
	require.True(t, strings.HasSuffix(limited.Message, "错…"))
	require.Len(t, own.Message, 3<<20, "the tool's own is not changed")
}

// hostile is an error that panics wherever it can.
type hostile struct{}

func (hostile) Error() string   { panic("Error") }
func (hostile) Is(error) bool   { panic("Is") }
func (hostile) As(any) bool     { panic("As") }
func (hostile) Unwrap() []error { panic("Unwrap") }

func TestFailureOfSurvivesAnyError(t *testing.T) {
	var none *Failure
	for _, err := range []error{hostile{}, none, fmt.Errorf("%w", hostile{}), errors.Join(none, hostile{})} {
		require.NotPanics(t, func() {
			f := FailureOf(err)
			require.NotNil(t, f)
			require.Equal(t, EffectUnknown, f.Effect)
			Style{}.Word(Envelope{Failure: f}, nil).Text()
		})
	}
}

func TestEachFailureSaysWhatWasDoneAndWhetherToRetry(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, f := range []*Failure{
		BadArgument("a", "b"), BadArgument("a", "b", "c"), Refused("r", "a"), OutcomeUnknown("w"),
		OverQuota("q", time.Minute), Expired("x", at, "again"), Unavailable("u", 0),
	} {
		require.NotEmpty(t, f.Kind)
		require.NotEmpty(t, f.Message)
		require.NotEmpty(t, f.Effect)
		require.NotEmpty(t, f.Retry)
		require.NotEmpty(t, f.Handler)
		require.Equal(t, f.Message, f.Error())
		text := Style{}.Word(Envelope{Failure: f}, nil).Text()
		require.Contains(t, text, f.Message)
		require.Contains(t, text, f.Advice)
	}
	require.Equal(t, EffectUnknown, OutcomeUnknown("w").Effect)
	require.Equal(t, RetryNever, OutcomeUnknown("w").Retry, "what may have been done is not done again")
	require.Equal(t, 60, OverQuota("q", time.Minute).Wait)
	require.Equal(t, 1, OverQuota("q", time.Millisecond).Wait, "rounded up: nobody calls too early")
	require.Zero(t, OverQuota("q", -time.Minute).Wait)
	require.Contains(t, Expired("x", at, "").Message, "2026-01-02 03:04Z")
}

func TestBadArgumentListsAtMostTwentyAlternatives(t *testing.T) {
	valid := make([]string, 100)
	for i := range valid {
		valid[i] = fmt.Sprint("v", i)
	}
	f := BadArgument("sort", strings.Repeat("x", 10000), valid...)
	require.Contains(t, f.Advice, `"v19" and 80 more`)
	require.NotContains(t, f.Advice, "v20")
	require.Less(t, len(f.Message), 300)
}
