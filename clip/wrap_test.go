package clip_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

type none struct{}

// tool makes a tool that returns what it is given.
func tool[Out any](out Out, err error) func(context.Context, none) (Out, error) {
	return func(context.Context, none) (Out, error) { return out, err }
}

func TestEveryKindOfResultIsRead(t *testing.T) {
	c := newClipper(t, clip.Config{})
	check := func(want string, e envelope.Envelope, err error) {
		t.Helper()
		require.NoError(t, err)
		require.Equal(t, want, e.Content)
		require.True(t, e.View.Exact)
	}
	e, err := clip.Wrap(c, tool("text", nil))(ctx, none{})
	check("text", e, err)
	e, err = clip.Wrap(c, tool([]byte("bytes"), nil))(ctx, none{})
	check("bytes", e, err)
	e, err = clip.Wrap(c, tool(json.RawMessage(`{"a":1.0}`), nil))(ctx, none{})
	check(`{"a":1.0}`, e, err)
	e, err = clip.Wrap(c, tool[io.Reader](strings.NewReader("reader"), nil))(ctx, none{})
	check("reader", e, err)
	e, err = clip.Wrap(c, tool(map[string]any{"q": "a<b&c"}, nil))(ctx, none{})
	check(`{"q":"a<b&c"}`, e, err)
	e, err = clip.Wrap(c, tool(clip.Result{Content: "result"}, nil))(ctx, none{})
	check("result", e, err)
	e, err = clip.Wrap(c, tool(&clip.Result{Content: "pointer"}, nil))(ctx, none{})
	check("pointer", e, err)
	e, err = clip.Wrap(c, tool[iter.Seq[int]](func(yield func(int) bool) { _ = yield(1) && yield(2) }, nil))(ctx, none{})
	check("1\n2\n", e, err)
	inner, err := c.Clip(ctx, "enveloped")
	require.NoError(t, err)
	e, err = clip.Wrap(c, tool(inner, nil))(ctx, none{})
	check("enveloped", e, err)
}

// sdkContext is a context type of an SDK.
type sdkContext struct{ context.Context }

func TestTheContextMayBeAnSDKsOwn(t *testing.T) {
	c := newClipper(t, clip.Config{})
	fn := clip.WrapText(c, func(ctx *sdkContext, in int) (string, error) { return fmt.Sprint(in), ctx.Err() })
	text, err := fn(&sdkContext{ctx}, 7)
	require.NoError(t, err)
	require.Equal(t, "7", text)
}

func TestNothingIsSaidInOneSentence(t *testing.T) {
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil)})
	var nilReader io.Reader
	for _, out := range []any{nil, "", []byte{}, []byte(nil), nilReader, clip.Result{}, (*clip.Result)(nil), json.RawMessage(nil), strings.NewReader("")} {
		e, err := c.Clip(ctx, out)
		require.NoError(t, err)
		require.Empty(t, e.Content)
		require.NotEmpty(t, e.Text())
		require.Contains(t, e.Text(), "no output")
		require.True(t, e.View.Complete)
	}
}

func TestAPanicIsAFailureAndAnError(t *testing.T) {
	c := newClipper(t, clip.Config{})
	e, err := clip.Wrap(c, func(context.Context, none) (string, error) { panic("boom") })(ctx, none{})
	var p *clip.PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, "boom", p.Value)
	require.Contains(t, string(p.Stack), "wrap_test.go")
	require.NotNil(t, e.Failure)
	require.Contains(t, e.Text(), "boom")
	require.NotContains(t, e.Text(), "wrap_test.go", "the stack is not for the model")
}

// panicking is a Reader that panics after some bytes.
type panicking struct{ r io.Reader }

func (p panicking) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if err == io.EOF {
		panic("reader")
	}
	return n, err
}

func TestAPanicInAReaderKeepsWhatWasRead(t *testing.T) {
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil)})
	e, err := c.Clip(ctx, panicking{strings.NewReader("so far\n")})
	var p *clip.PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, "so far\n", e.Content)
	require.Equal(t, int64(7), e.Artifact.Size)
	require.Equal(t, envelope.AcquiredNo, e.Acquired)
	require.Contains(t, codesOf(e.Reasons), coverage.Panicked)
}

func TestPanicsInHooksReachNobody(t *testing.T) {
	boom := func() { panic("hook") }
	store := artifact.NewMemory(nil)
	for name, set := range map[string]func(*clip.Config){
		"Caller": func(cfg *clip.Config) {
			cfg.Caller = func(context.Context) (clip.Caller, error) { boom(); return clip.Caller{}, nil }
		},
		"Return": func(cfg *clip.Config) { cfg.Return = func(error) bool { boom(); return false } },
		"Redact": func(cfg *clip.Config) {
			cfg.Redact = func(io.Writer, io.Reader) (int64, error) { boom(); return 0, nil }
		},
		"Progress": func(cfg *clip.Config) { cfg.Progress = func(clip.Progress) { boom() } },
	} {
		cfg := clip.Config{Store: store}
		set(&cfg)
		c := newClipper(t, cfg)
		require.NotPanics(t, func() {
			_, _ = c.Clip(ctx, clip.Result{Content: slow{strings.NewReader("x"), 150 * time.Millisecond}, Err: errors.New("e"), Next: func(envelope.View) []envelope.Next { boom(); return nil }})
		}, name)
	}
}

type slow struct {
	io.Reader
	d time.Duration
}

func (s slow) Read(p []byte) (int, error) {
	time.Sleep(s.d)
	return s.Reader.Read(p)
}

func TestAnErrorOfTheToolKeepsItsIdentity(t *testing.T) {
	own := &toolError{7}
	c := newClipper(t, clip.Config{})
	e, err := clip.Wrap(c, tool("partial output", error(own)))(ctx, none{})
	require.True(t, err == error(own))
	require.Equal(t, "partial output", e.Content)
	require.NotNil(t, e.Failure)
}

type toolError struct{ code int }

func (e *toolError) Error() string { return fmt.Sprint("code ", e.code) }

func TestReturnSelectsWhichErrorsTheLoopGets(t *testing.T) {
	interrupt := errors.New("interrupt")
	c := newClipper(t, clip.Config{Return: func(err error) bool { return errors.Is(err, interrupt) }})
	e, err := clip.Wrap(c, tool("", errors.New("no such user")))(ctx, none{})
	require.NoError(t, err, "told to the model only")
	require.Contains(t, e.Text(), "no such user")
	_, err = clip.Wrap(c, tool("", interrupt))(ctx, none{})
	require.Equal(t, interrupt, err)
}

func TestCancellationIsAlwaysReturned(t *testing.T) {
	c := newClipper(t, clip.Config{Return: func(error) bool { return false }, Store: artifact.NewMemory(nil)})
	cctx, cancel := context.WithCancel(ctx)
	pr, pw := io.Pipe()
	go func() {
		_, _ = io.WriteString(pw, "before\n")
		cancel()
	}()
	e, err := c.Clip(cctx, pr)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "before\n", e.Content)
	require.Equal(t, int64(7), e.Artifact.Size, "cancelling the call does not cancel the save")
	require.Contains(t, codesOf(e.Reasons), coverage.Cancelled)
	_, err = pw.Write([]byte("x"))
	require.Error(t, err, "the reader was closed")
}

func TestATimeLimitGivesWhatWasPrintedAndTheReason(t *testing.T) {
	c := newClipper(t, clip.Config{})
	tctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	for name, run := range map[string]func(context.Context, none) (envelope.Envelope, error){
		"writing": clip.Wrap(c, clip.Writing(func(ctx context.Context, _ none, w io.Writer) error {
			cmd := exec.CommandContext(ctx, "sh", "-c", "printf P; sleep 30")
			cmd.Stdout = w
			return cmd.Run()
		})),
		"command": clip.Wrap(c, func(ctx context.Context, _ none) (clip.Result, error) {
			return clip.Command(exec.CommandContext(ctx, "sh", "-c", "printf P; sleep 30"))
		}),
	} {
		start := time.Now()
		e, err := run(tctx, none{})
		require.Less(t, time.Since(start), 20*time.Second, name)
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
		if tctx.Err() != nil && e.Content == "" {
			continue // the second one began after the deadline
		}
		require.Equal(t, "P", e.Content, name)
		require.Equal(t, envelope.AcquiredNo, e.Acquired, name)
		require.Contains(t, codesOf(e.Reasons), coverage.TimeLimit, name)
		require.NotEmpty(t, e.Notice, name)
	}
}

func TestAnExitStatusIsAFieldThatNoCutTouches(t *testing.T) {
	c := newClipper(t, clip.Config{Budget: clip.Bytes(1500)})
	e, err := clip.Wrap(c, func(ctx context.Context, _ none) (clip.Result, error) {
		return clip.Command(exec.CommandContext(ctx, "sh", "-c", "yes 0123456789 | head -c 1000000; echo oops >&2; exit 7"))
	})(ctx, none{})
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 7, *e.Failure.Exit)
	require.LessOrEqual(t, len(e.Text()), 1500)
	require.Len(t, e.Parts, 2)
	require.Equal(t, coverage.Exactly(1_000_000), e.Parts[0].View.ByteTotal)
	require.Equal(t, "oops\n", e.Parts[1].Content, "the small part is whole")
	require.Contains(t, e.Text(), "7")
}

func TestACallerThatCanNotBeToldFailsClosed(t *testing.T) {
	nobody := errors.New("no session")
	ran := false
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Caller: func(context.Context) (clip.Caller, error) { return clip.Caller{}, nobody }})
	e, err := clip.Wrap(c, func(context.Context, none) (string, error) { ran = true; return "secret", nil })(ctx, none{})
	require.ErrorIs(t, err, nobody)
	require.False(t, ran, "the tool is not called")
	require.NotContains(t, e.Text(), "secret")
	e, err = c.Clip(ctx, "secret")
	require.ErrorIs(t, err, nobody)
	require.NotContains(t, e.Text(), "secret")
}

// failing is a store that fails at the step named.
type failing struct {
	artifact.Store
	step string
}

type failingWriter struct {
	artifact.Writer
	step string
}

var errDisk = errors.New("no space left on device")

func (f failing) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	if f.step == "create" {
		return nil, errDisk
	}
	w, err := f.Store.Create(ctx, d)
	return failingWriter{w, f.step}, err
}

func (f failingWriter) Write(p []byte) (int, error) {
	switch f.step {
	case "write":
		return 0, errDisk
	case "short":
		return len(p) / 2, nil
	case "panic":
		panic("store")
	}
	return f.Writer.Write(p)
}

func (f failingWriter) Commit(ctx context.Context) (artifact.Info, error) {
	if f.step == "commit" {
		return artifact.Info{}, errDisk
	}
	return f.Writer.Commit(ctx)
}

func TestAStoreThatFailsNeverFailsTheTool(t *testing.T) {
	for _, step := range []string{"create", "write", "short", "panic", "commit"} {
		store := failing{artifact.NewMemory(nil), step}
		for _, src := range []string{"small\n", lines("large", 9000)} {
			c := newClipper(t, clip.Config{Store: store, Followups: clip.AllFollowups})
			e, err := c.Clip(ctx, src)
			require.NoError(t, err, step)
			require.NotEmpty(t, e.Content)
			require.Nil(t, e.Artifact)
			require.Empty(t, e.Next)
			require.Contains(t, codesOf(e.Reasons), coverage.NotKept)
			require.NotEmpty(t, e.Notice, "it says that nothing was kept")

			must, err := c.With(func(cfg *clip.Config) { cfg.MustSave = true })
			require.NoError(t, err)
			e, err = must.Clip(ctx, src)
			require.Error(t, err)
			require.NotEmpty(t, e.Content, "the result is delivered beside the error")
		}
	}
}

func TestWithoutAStoreItSaysThatNothingWasKept(t *testing.T) {
	e, err := newClipper(t, clip.Config{}).Clip(ctx, lines("x", 9000))
	require.NoError(t, err)
	require.Empty(t, e.Next)
	require.NotEmpty(t, e.NoNext)
	require.Contains(t, e.Text(), "narrower")
}

func TestASourceWithoutEndStopsAtMaxInput(t *testing.T) {
	c := newClipper(t, clip.Config{MaxInput: 1 << 20})
	e, err := c.Clip(ctx, endless{})
	require.NoError(t, err)
	require.Equal(t, envelope.AcquiredNo, e.Acquired)
	require.Contains(t, codesOf(e.Reasons), coverage.ByteLimit)
	require.Equal(t, int64(1<<20), e.View.ByteTotal.Value)
	require.NotEqual(t, coverage.Eq, e.View.ByteTotal.Relation, "there was more")
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "endless\n"[i%8]
	}
	return len(p), nil
}

func TestHostileReadersEnd(t *testing.T) {
	c := newClipper(t, clip.Config{})
	for name, r := range map[string]io.Reader{
		"no progress": readerFunc(func([]byte) (int, error) { return 0, nil }),
		"too many":    readerFunc(func(p []byte) (int, error) { return len(p) + 1, nil }),
		"negative":    readerFunc(func([]byte) (int, error) { return -1, nil }),
		"timeout":     iotest.TimeoutReader(strings.NewReader(strings.Repeat("x", 200_000))),
	} {
		e, err := c.Clip(ctx, r)
		require.Error(t, err, name)
		require.NotNil(t, e.Failure, name)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// closing counts how often it is closed.
type closing struct {
	io.Reader
	n *int
}

func (c closing) Close() error { *c.n++; return nil }

func TestAReaderIsClosedOnce(t *testing.T) {
	c := newClipper(t, clip.Config{})
	n := 0
	_, err := c.Clip(ctx, closing{strings.NewReader("x"), &n})
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

func TestTheToolsOwnPagingComesAfterTheCut(t *testing.T) {
	c := newClipper(t, clip.Config{Budget: clip.Bytes(2000), Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
	page := func(content any) envelope.Envelope {
		e, err := c.Clip(ctx, clip.Result{Content: content, Next: func(v envelope.View) []envelope.Next {
			return []envelope.Next{{Tool: "list", Arguments: map[string]any{"cursor": "abc"}, Gives: "the next records"}}
		}})
		require.NoError(t, err)
		return e
	}
	cut := page(lines("row", 900))
	require.Equal(t, "artifact_read", cut.Next[0].Tool)
	require.Equal(t, "list", cut.Next[len(cut.Next)-1].Tool)

	whole := page("row 1\nrow 2\n")
	require.Equal(t, "list", whole.Next[0].Tool)
	require.Equal(t, envelope.AcquiredNo, whole.Acquired)
	require.Contains(t, whole.Text(), "list", "a page of the source never stands bare")
}

func TestNoGoroutineOutlivesACall(t *testing.T) {
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil)})
	before := runtime.NumGoroutine()
	for range 50 {
		cctx, cancel := context.WithCancel(ctx)
		_, _ = clip.Wrap(c, clip.Writing(func(ctx context.Context, _ none, w io.Writer) error {
			_, err := io.WriteString(w, lines("x", 99))
			cancel()
			return err
		}))(cctx, none{})
		cancel()
		_, _ = c.Clip(ctx, clip.Result{Parts: []clip.Named{{Content: "a"}, {Content: strings.NewReader("b")}}})
	}
	for range 500 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func TestAnIllegalOptionPanicsAtWrap(t *testing.T) {
	c := newClipper(t, clip.Config{})
	require.Panics(t, func() {
		clip.Wrap(c, tool("", nil), func(cfg *clip.Config) { cfg.Budget = clip.Bytes(3) })
	})
}

func TestAPageOfAnIncompleteResultSaysSo(t *testing.T) {
	store := artifact.NewMemory(nil)
	c := newClipper(t, clip.Config{Store: store, MaxInput: 4000, Followups: clip.AllFollowups})
	e, err := c.Clip(ctx, lines("x", 4000))
	require.NoError(t, err)
	h, err := artifact.ParseHandle(e.Artifact.Handle)
	require.NoError(t, err)
	r, err := store.Open(ctx, artifact.Scope{}, h)
	require.NoError(t, err)
	defer r.Close()
	for name, show := range map[string]clip.Show{
		"page":   {Unit: coverage.Line, At: 3, To: 9},
		"search": {Around: regexp.MustCompile("nowhere")},
		"whole":  {},
	} {
		page, err := c.Page(ctx, r, show)
		require.NoError(t, err, name)
		require.Equal(t, envelope.AcquiredNo, page.Acquired, name)
		require.Equal(t, coverage.Gte, page.View.ByteTotal.Relation, name)
		require.Contains(t, strings.ToLower(page.Text()), "source incomplete", name)
	}
}

func TestAPanicInAWritingToolKeepsWhatItWrote(t *testing.T) {
	e, err := clip.Wrap(newClipper(t, clip.Config{}), clip.Writing(func(_ context.Context, _ none, w io.Writer) error {
		fmt.Fprintln(w, "so far")
		panic("writing")
	}))(ctx, none{})
	var p *clip.PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, "writing", p.Value)
	require.Equal(t, "so far\n", e.Content)
	require.Equal(t, envelope.AcquiredNo, e.Acquired)
}

func TestTheLogHasSizesAndNoContent(t *testing.T) {
	for _, args := range []bool{false, true} {
		var log strings.Builder
		c := newClipper(t, clip.Config{
			Tool: "list", Store: artifact.NewMemory(nil), LogArgs: args, Log: slog.New(slog.NewJSONHandler(&log, nil)),
			Caller: func(context.Context) (clip.Caller, error) { return clip.Caller{CallID: "call-7"}, nil },
		})
		type in struct{ Path string }
		e, err := clip.Wrap(c, func(context.Context, in) (string, error) { return lines("confidential", 9000), nil })(ctx, in{"the argument"})
		require.NoError(t, err)
		var record struct {
			Tool, Call string
			Original   int `json:"original_bytes"`
			Sent       int `json:"sent_bytes"`
			Args       *in
		}
		require.NoError(t, json.Unmarshal([]byte(log.String()), &record))
		require.Equal(t, "list", record.Tool)
		require.Equal(t, "call-7", record.Call)
		require.Equal(t, len(lines("confidential", 9000)), record.Original)
		require.Equal(t, len(e.Text()), record.Sent)
		require.NotContains(t, log.String(), "confidential")
		require.Equal(t, args, record.Args != nil)
		if args {
			require.Equal(t, "the argument", record.Args.Path)
		}
	}
}
