package envelope

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestNothingThatMayBeSecretIsLogged: no content, name, message, advice, pointer or
// argument.
func TestNothingThatMayBeSecretIsLogged(t *testing.T) {
	const secret = "sk-secret"
	rapid.Check(t, func(t *rapid.T) {
		e := genWorded().Draw(t, "worded")
		e.Notice += secret
		e.Did, e.NoNext = secret, secret
		e.Next = append(e.Next, Next{Tool: "t", Arguments: map[string]any{secret: secret}, Gives: secret})
		hide := func(p *Part) {
			p.Name, p.Content, p.Heading, p.View.Pointer = secret, secret, secret, "/"+secret
			for i := range p.Reasons {
				p.Reasons[i].Code, p.Reasons[i].Message, p.Reasons[i].Where = "entry_limit", secret, secret
			}
		}
		hide(&e.Part)
		for i := range e.Parts {
			hide(&e.Parts[i])
		}
		if e.Failure != nil {
			e.Failure.Kind, e.Failure.Message, e.Failure.Advice = "k", secret, secret
		}
		var b bytes.Buffer
		slog.New(slog.NewJSONHandler(&b, nil)).Info("call", "envelope", e)
		require.NotContains(t, b.String(), secret)
	})
}

func TestALogSaysOriginalAndSentSizeReasonsAndHandle(t *testing.T) {
	var b bytes.Buffer
	e := edit(ordinary(), func(e *Envelope) { code := 7; e.Failure = &Failure{Kind: "exit_status", Exit: &code}; fence(e) })
	e = Style{}.Word(e, nil)
	slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})).Info("call", "r", e)
	for _, want := range []string{
		"r.tool=fetch", "r.original=156021", "r.complete=false", "r.artifacts=[" + someHandle + "]",
		"r.reasons=[budget:over_budget]", "r.next=2", "r.failure.kind=exit_status", "r.failure.exit=7",
	} {
		require.Contains(t, b.String(), want)
	}
	require.Contains(t, b.String(), "r.sent=")
}
