package envelope

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What the helpers write is said in the language of the notice, with the same facts.
func TestHelpersSpeakTheLanguageOfTheNotice(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	many := make([]string, 30)
	for i := range many {
		many[i] = "v"
	}
	for _, c := range []struct {
		f       *Failure
		message string
		advice  string
	}{
		{BadArgument("sort", "datum", "date", "size"), `sort：\"datum\"无效`, `sort可取：\"date\", \"size\"`},
		{BadArgument("sort", "datum", many...), "", "，另有10个"},
		{OutcomeUnknown("转账4711"), "无应答：转账4711可能已发生，也可能未发生", "再次调用前先查明是否已发生"},
		{OverQuota("导出", time.Minute), "导出的配额已用完", ""},
		{Expired("artifact k3v", at, "fetch it again"), "artifact k3v已于2026-01-02 03:04Z过期", "fetch it again"},
		{Expired("artifact k3v", time.Time{}, ""), "artifact k3v已过期", ""},
		{Unavailable("the store", 0), "the store目前不可用", ""},
		{FailureOf(context.DeadlineExceeded), "context deadline exceeded", "再次调用前先查明已执行的内容；每次少要一些"},
		{Refused("orders over 500 EUR need approval", "ask"), "orders over 500 EUR need approval", "ask"},
	} {
		got := Style{Language: "zh"}.Word(Envelope{Failure: c.f}, nil).Notice
		require.Contains(t, got, unquoted(c.message), "%+v", *c.f)
		require.Contains(t, got, unquoted(c.advice), "%+v", *c.f)
		require.Contains(t, Style{}.Word(Envelope{Failure: c.f}, nil).Notice, c.f.Message)
	}
}

// unquoted leaves out the backslashes that keep a table readable.
func unquoted(s string) string {
	out := ""
	for _, r := range s {
		if r != '\\' {
			out += string(r)
		}
	}
	return out
}

// Whatever the facts are, none is lost, and in English nothing changes.
func TestHelpedSaysAllFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		facts := rapid.SliceOfN(rapid.StringMatching(`[a-z :"%\[\]s0-9]{1,12}`), 3, 3).Draw(t, "facts")
		p := rapid.SampledFrom(helpers).Draw(t, "message")
		s := english(p.key, facts...)
		w := wording{Style: Style{}, voice: Style{}.voice()}
		require.Equal(t, s, w.helped(s))
	})
}

func TestFilled(t *testing.T) {
	for _, c := range []struct {
		message, s string
		facts      []any
		ok         bool
	}{
		{"plain", "plain", nil, true},
		{"plain", "plain and more", nil, false},
		{"%[1]s has expired", "x has expired", []any{"x"}, true},
		{"%[1]s has expired", " has expired", nil, false},
		{"%[1]s has expired", "x has expired twice", nil, false},
		{"%[1]s has expired", "it has expired has expired", []any{"it has expired"}, true},
		{"%[1]s at %[2]s", "a at b at c", []any{"a", "b at c"}, true},
		{"%[1]s at %[2]s", "a at ", nil, false},
	} {
		facts, ok := filled(c.message, c.s)
		require.Equal(t, c.ok, ok, c.s)
		if ok {
			require.Equal(t, c.facts, facts, c.s)
		}
	}
}

// A call that can only have read has done nothing, whatever went wrong.
func TestReadFailureOf(t *testing.T) {
	require.Nil(t, ReadFailureOf(nil))
	for err, want := range map[error]Retry{
		errors.New("connection refused"): RetryLater,
		context.DeadlineExceeded:         RetryLater,
		fs.ErrNotExist:                   RetryAfterChange,
		fs.ErrPermission:                 RetryNever,
	} {
		f := ReadFailureOf(err)
		require.Equal(t, EffectNone, f.Effect, err)
		require.Equal(t, want, f.Retry, err)
		require.NotContains(t, f.Advice, "find out")
	}
	own := OutcomeUnknown("the order")
	require.Same(t, own, ReadFailureOf(errors.Join(own, errors.New("x"))), "the tool knows better")
}
