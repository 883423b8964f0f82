package followup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/envelope"
)

// bad says what is wrong with the arguments and what is valid. Nothing was done.
func bad(advice, format string, a ...any) *envelope.Failure {
	return &envelope.Failure{
		Kind: "bad_argument", Message: fmt.Sprintf(format, a...), Advice: advice,
		Effect: envelope.EffectNone, Retry: envelope.RetryAfterChange, Handler: envelope.HandlerModel,
	}
}

func badHandle(s string) *envelope.Failure {
	return bad("copy the artifact from the notice of the result, all 26 characters of it",
		"artifact: %s is no artifact: one has 26 characters a-z and 2-7", short(s))
}

// short quotes at most some 60 bytes of s.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.QuoteToGraphic(s)
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strconv.QuoteToGraphic(s[:n]) + "…"
}

// failureOf is err of a store or a Page for the model. Only what the store tells
// the caller of its scope is told.
func failureOf(err error) *envelope.Failure {
	var f *envelope.Failure
	if errors.As(err, &f) {
		return f
	}
	var e *artifact.Error
	if !errors.As(err, &e) {
		e = &artifact.Error{State: artifact.ErrUnavailable}
	}
	switch {
	case errors.Is(err, artifact.ErrNotFound):
		return gone("not_found", "there is no artifact of this name here", "check the 26 characters, or "+fetchAgain)
	case errors.Is(err, artifact.ErrExpired):
		return gone("expired", "the artifact expired"+at(e.At), fetchAgain)
	case errors.Is(err, artifact.ErrDeleted):
		return gone("deleted", "the artifact was deleted"+at(e.At), fetchAgain)
	case errors.Is(err, artifact.ErrCorrupt):
		return corrupt(e)
	}
	f = envelope.Unavailable("the store of artifacts", 0)
	f.Advice = "call again later; the artifact is not lost"
	return f
}

const fetchAgain = "call the tool that gave the result again"

func gone(kind, message, advice string) *envelope.Failure {
	return &envelope.Failure{
		Kind: kind, Message: message, Advice: advice,
		Effect: envelope.EffectNone, Retry: envelope.RetryNever, Handler: envelope.HandlerModel,
	}
}

// corrupt says which block is damaged; what lies before it could be read.
func corrupt(e *artifact.Error) *envelope.Failure {
	f := gone("corrupt", "the kept copy is damaged", fetchAgain)
	if e.Offset >= 0 && e.State == artifact.ErrCorrupt {
		f.Message = fmt.Sprintf("the kept copy is damaged in the block at byte %d", e.Offset)
	}
	return f
}

func at(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " at " + t.UTC().Format("2006-01-02 15:04:05Z")
}

// broken is a panic of a store or a hook. The model is told no more than that.
func broken(v any) *envelope.Failure {
	return &envelope.Failure{
		Kind: "error", Message: "the tool failed inside: " + short(strings.ToValidUTF8(fmt.Sprint(v), "\uFFFD")),
		Effect: envelope.EffectNone, Retry: envelope.RetryNever, Handler: envelope.HandlerProgram,
	}
}
