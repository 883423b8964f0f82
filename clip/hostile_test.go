package clip_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// Tools are code of others. Nothing that one returns may panic, exceed the budget,
// or reach the model as bytes that are not text.

// typedNil is the classic mistake: a nil pointer returned as an error.
type typedNil struct{ s string }

func (e *typedNil) Error() string { return e.s }

type panickingError struct{}

func (panickingError) Error() string { panic("Error") }
func (panickingError) Is(error) bool { panic("Is") }
func (panickingError) As(any) bool   { panic("As") }

type panickingMarshaler struct{}

func (panickingMarshaler) MarshalJSON() ([]byte, error) { panic("MarshalJSON") }

type cyclic struct{ Next *cyclic }

type panickingCloser struct{ io.Reader }

func (panickingCloser) Close() error { panic("Close") }

const (
	nasty = "a\x00b\x1b]0;x\x07\u202e\xff"
	large = 3_000 // repetitions
)

var huge = strings.Repeat("h\x1b[31m", large)

func parts(n int, name func(int) string, content any) clip.Result {
	var r clip.Result
	for i := range n {
		r.Parts = append(r.Parts, clip.Named{Name: name(i), Content: content})
	}
	return r
}

func numbered(i int) string { return fmt.Sprint("part ", i) }

func always(s string) func(int) string { return func(int) string { return s } }

func paging(next ...envelope.Next) func(envelope.View) []envelope.Next {
	return func(envelope.View) []envelope.Next { return next }
}

func manyReasons(n int) (out []coverage.Reason) {
	for i := range n {
		out = append(out, coverage.Reason{Code: coverage.Code(fmt.Sprint("code", i, nasty)), Layer: coverage.LayerSource, Message: huge, Where: huge})
	}
	return out
}

func hostileReport() *coverage.Report {
	l := coverage.New(coverage.Counted(65), nil)
	for i := range 40 {
		l.Loaded(fmt.Sprint("record ", i, nasty, huge[:500]), nil)
	}
	l.Seal()
	r := l.Report()
	return &r
}

// hostile are the results that a tool may return.
func hostile() map[string]any {
	long := lines("y", 4000)
	loop := &cyclic{}
	loop.Next = loop
	cycle := map[string]any{}
	cycle["m"] = cycle
	var nilError *typedNil
	var nilFailure *envelope.Failure
	call := func(args map[string]any) envelope.Next {
		return envelope.Next{Tool: "list", Arguments: args, Gives: "more"}
	}
	return map[string]any{
		"a typed nil as an error":      clip.Result{Content: "x", Err: nilError},
		"a nil Failure":                clip.Result{Content: "x", Err: nilFailure},
		"an error whose methods panic": clip.Result{Content: "x", Err: panickingError{}, Wait: func() error { return errors.New("w") }},
		"a marshaler that panics":      panickingMarshaler{}, "a channel": make(chan int), "NaN": math.NaN(), "a cycle": loop, "a func": func() {},
		"a nil Reader": (*strings.Reader)(nil), "a nil pointer": (*cyclic)(nil), "a Closer that panics": panickingCloser{strings.NewReader("x")},
		"no parts": clip.Result{Parts: []clip.Named{}}, "one part": parts(1, numbered, "x"),
		"parts of one name": parts(3, always("same"), long), "parts without names": parts(3, always(""), long),
		"parts with huge names": parts(3, always(huge), long), "parts with nasty names": parts(3, always(nasty), long),
		"a nasty tool": clip.Result{Tool: nasty, Content: long}, "a huge tool": clip.Result{Tool: huge, Content: long},
		"a call with a channel": clip.Result{Content: long, Next: paging(call(map[string]any{"c": make(chan int)}))},
		"a call with a cycle":   clip.Result{Content: long, Next: paging(call(cycle))},
		"a cursor of 100 KB":    clip.Result{Content: long, Next: paging(call(map[string]any{"c": strings.Repeat("c", 100_000)}))},
		"a call that is huge":   clip.Result{Content: "small", Next: paging(envelope.Next{Tool: huge, Gives: huge, Arguments: map[string]any{huge[:500]: huge}})},
		"five thousand calls":   clip.Result{Content: "small", Next: func(envelope.View) []envelope.Next { return make([]envelope.Next, 5000) }},
		"a huge sentence":       clip.Result{Content: long, Did: huge}, "nothing but a sentence": clip.Result{Did: huge},
		"reasons":                  clip.Result{Content: long, Reasons: manyReasons(300)},
		"a report":                 clip.Result{Content: long, Coverage: hostileReport()},
		"an error of a megabyte":   clip.Result{Content: long, Err: errors.New(strings.Repeat(nasty, 100_000))},
		"a huge Failure":           clip.Result{Content: long, Err: &envelope.Failure{Kind: huge, Message: huge, Advice: huge, Effect: envelope.Effect(huge), Retry: envelope.Retry(huge), Handler: envelope.Handler(huge), Wait: math.MaxInt}},
		"a huge media type":        clip.Result{Content: long, MediaType: huge},
		"binary of a huge type":    clip.Result{Content: strings.Repeat("\x00\x01", 9000), MediaType: huge},
		"all at once":              clip.Result{Tool: huge, Parts: []clip.Named{{Name: huge, MediaType: huge, Content: long}, {Name: nasty, Content: json.RawMessage(`[1,2,3]`)}, {Content: "\x00\x00"}}, Did: huge, Reasons: manyReasons(9), Coverage: hostileReport(), Err: errors.New(huge)},
		"what HTML escaping grows": strings.Repeat("<a href='x'>&amp;</a>\u2028\n", 1000),
		"what JSON escaping grows": strings.Repeat("\"\\\x01\n", 1000),
		"a sequence that panics":   iter.Seq[int](func(yield func(int) bool) { yield(1); panic("seq") }),
		"a sequence of a channel":  iter.Seq[any](func(yield func(any) bool) { _ = yield(1) && yield(make(chan int)) }),
		"a nil sequence":           iter.Seq[int](nil),
	}
}

func TestLaw01HostileResultsKeepTheBudget(t *testing.T) {
	t.Parallel()
	kept := clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups}
	keptJSON := clip.Config{Form: clip.JSONForm, Store: kept.Store, Followups: clip.AllFollowups}
	tokens := func(n int) clip.Budget { return clip.Tokens(n, nil) }
	for _, tc := range []struct {
		cfg    clip.Config
		unit   string
		budget func(int) clip.Budget
		above  int // the smallest
	}{
		{clip.Config{}, "byte", clip.Bytes, 0},
		{kept, "byte", clip.Bytes, 500},
		{kept, "rune", clip.Runes, 0},
		{clip.Config{}, "grapheme", clip.Graphemes, 0},
		{clip.Config{}, "line", clip.Lines, 3},
		{kept, "token", tokens, 0},
		{clip.Config{Style: envelope.Style{Language: "zh-Hans"}}, "byte", clip.Bytes, 0},
		{clip.Config{Style: envelope.Style{Compact: true}}, "rune", clip.Runes, 0},
		{clip.Config{Form: clip.JSONForm}, "byte", clip.Bytes, 0},
		{clip.Config{Form: clip.InBandForm}, "byte", clip.Bytes, 0},
		{keptJSON, "byte", clip.Bytes, 0},
		{keptJSON, "rune", clip.Runes, 700},
		{clip.Config{Form: clip.JSONForm}, "token", tokens, 0},
	} {
		n := smallest(t, tc.cfg, tc.budget) + tc.above
		tc.cfg.Budget = tc.budget(n)
		c := newClipper(t, tc.cfg)
		for name, r := range hostile() {
			require.NotPanics(t, func() {
				e, _ := c.Clip(ctx, r)
				requireWithin(t, tc.cfg, tc.unit, n, e, name)
			}, name)
		}
	}
}

// requireWithin checks every rendering that the form promises.
func requireWithin(t require.TestingT, cfg clip.Config, unit string, n int, e envelope.Envelope, name string) {
	for _, out := range renderings(t, cfg, e) {
		require.True(t, utf8.ValidString(out), name)
		if unit == "line" {
			unit, n = "byte", clip.DefaultBytes
		}
		require.LessOrEqual(t, count(unit, out), n, "%s, form %d, %ss", name, cfg.Form, unit)
	}
	require.NotContains(t, e.Notice, "\x1b", name)
	require.NotContains(t, e.Notice, "\x00", name)
}

// renderings are what may reach the model.
func renderings(t require.TestingT, cfg clip.Config, e envelope.Envelope) []string {
	if cfg.Form != clip.JSONForm {
		return []string{rendered(cfg, e)}
	}
	escaped, err := json.Marshal(e)
	require.NoError(t, err)
	mapped, err := json.Marshal(e.Map())
	require.NoError(t, err)
	return []string{rendered(cfg, e), string(escaped), string(mapped)}
}

func TestAThousandContentsAreBoundedAndCounted(t *testing.T) {
	c := newClipper(t, clip.Config{})
	for _, n := range []int{2, 100, 1000} {
		e, err := c.Clip(ctx, parts(n, numbered, lines("y", 60)))
		require.NoError(t, err)
		require.LessOrEqual(t, len(e.Text()), clip.DefaultBytes)
		require.Greater(t, len(e.Parts), min(n-1, 20))
		for i, p := range e.Parts {
			require.Equal(t, numbered(i), p.Name)
			require.NotEmpty(t, p.Content)
		}
		if len(e.Parts) == n {
			continue
		}
		require.False(t, e.View.Complete)
		o := e.View.Omissions[0]
		require.Equal(t, int64(len(e.Parts)), o.Shown)
		require.Equal(t, coverage.Exactly(int64(n)), o.Total)
	}
}

// A sequence is run by a goroutine that no other may touch.
func TestASequenceEndsWithTheContext(t *testing.T) {
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil)})
	for range 20 {
		cctx, cancel := context.WithTimeout(ctx, 2*time.Millisecond)
		started, ended := false, false
		e, err := c.Clip(cctx, iter.Seq[int](func(yield func(int) bool) {
			started = true
			defer func() { ended = true }()
			for i := 0; yield(i); i++ {
				time.Sleep(50 * time.Microsecond)
			}
		}))
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, started, ended, "a machine that is busy may not get as far as the first item")
		require.Equal(t, envelope.AcquiredNo, e.Acquired)
		require.Contains(t, codesOf(e.Reasons), coverage.TimeLimit)
	}
}

func TestAPanicInASequenceLosesNoItemBeforeIt(t *testing.T) {
	e, err := newClipper(t, clip.Config{}).Clip(ctx, iter.Seq[int](func(yield func(int) bool) {
		_ = yield(1) && yield(2)
		panic("seq")
	}))
	var p *clip.PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, "1\n2\n", e.Content)
}

// What the tool returned in memory is not lost because the context ended meanwhile:
// it may be the only word on what was done.
func TestAFinishedResultSurvivesACancelledContext(t *testing.T) {
	cctx, cancel := context.WithCancel(ctx)
	cancel()
	store := artifact.NewMemory(nil)
	for _, out := range []any{"done", []byte("done"), json.RawMessage(`"done"`), "done"} {
		e, err := newClipper(t, clip.Config{Store: store}).Clip(cctx, out)
		require.ErrorIs(t, err, context.Canceled)
		require.Contains(t, e.Content, "done")
		require.Nil(t, e.Failure)
		require.NotNil(t, e.Artifact)
	}
	e, err := newClipper(t, clip.Config{}).Clip(cctx, strings.NewReader("not read"))
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, e.Content)
}

// lyingStore says of what it kept what is not so.
type lyingStore struct {
	artifact.Store
	lie func(*artifact.Info)
}

type lyingWriter struct {
	artifact.Writer
	lie func(*artifact.Info)
}

func (s lyingStore) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	w, err := s.Store.Create(ctx, d)
	return lyingWriter{w, s.lie}, err
}

func (w lyingWriter) Commit(ctx context.Context) (artifact.Info, error) {
	i, err := w.Writer.Commit(ctx)
	w.lie(&i)
	return i, err
}

func TestAStoreThatLiesIsNotBelieved(t *testing.T) {
	for name, lie := range map[string]func(*artifact.Info){
		"short":        func(i *artifact.Info) { i.Size-- },
		"long":         func(i *artifact.Info) { i.Size++ },
		"no handle":    func(i *artifact.Info) { i.Handle = "" },
		"huge handle":  func(i *artifact.Info) { i.Handle = artifact.Handle(huge) },
		"other handle": func(i *artifact.Info) { i.Handle = "../../etc/passwd" },
	} {
		e, err := newClipper(t, clip.Config{Store: lyingStore{artifact.NewMemory(nil), lie}, Followups: clip.AllFollowups}).Clip(ctx, lines("x", 9000))
		require.NoError(t, err)
		require.Nil(t, e.Artifact, name)
		require.Empty(t, e.Next, name)
		require.Contains(t, codesOf(e.Reasons), coverage.NotKept, name)
	}
	never := func(i *artifact.Info) { i.ExpiresAt = time.Unix(1<<50, 0) }
	e, err := newClipper(t, clip.Config{Store: lyingStore{artifact.NewMemory(nil), never}}).Clip(ctx, "x")
	require.NoError(t, err)
	require.True(t, e.Artifact.ExpiresAt.IsZero(), "RFC 3339 can't say it")
	_, err = json.Marshal(e)
	require.NoError(t, err)
}

func TestARedactorThatMisbehavesHarmsOnlyItsCall(t *testing.T) {
	late := make(chan struct{})
	for name, redact := range map[string]clip.Redactor{
		"reads nothing":       func(io.Writer, io.Reader) (int64, error) { return 0, nil },
		"stops in the middle": func(w io.Writer, r io.Reader) (int64, error) { _, err := io.CopyN(w, r, 5); return 0, err },
		"writes when it is over": func(w io.Writer, r io.Reader) (int64, error) {
			go func() {
				defer close(late)
				for {
					if _, err := w.Write([]byte("late")); err != nil {
						return
					}
				}
			}()
			return 0, io.ErrUnexpectedEOF
		},
		"panics": func(w io.Writer, r io.Reader) (int64, error) { panic("redactor") },
	} {
		e, err := newClipper(t, clip.Config{Redact: redact, Store: artifact.NewMemory(nil)}).Clip(ctx, "a secret that nobody may see")
		require.Error(t, err, name)
		require.Equal(t, envelope.AcquiredNo, e.Acquired, name)
		require.NotContains(t, e.Text(), "nobody", name)
	}
	<-late
	e, err := newClipper(t, clip.Config{Redact: func(w io.Writer, r io.Reader) (int64, error) { n, err := io.Copy(w, r); return -n, err }}).Clip(ctx, "x")
	require.NoError(t, err)
	require.False(t, e.View.Complete, "a count below zero is no proof that nothing was taken out")
}

func TestOneClipperServesManyGoroutines(t *testing.T) {
	var mu sync.Mutex
	busy := map[string]int{}
	c := newClipper(t, clip.Config{
		Store: artifact.NewMemory(nil), Followups: clip.AllFollowups, Reading: coverage.NewReading(100),
		Progress: func(clip.Progress) { mu.Lock(); busy["told"]++; mu.Unlock() },
	})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			e, err := c.Clip(ctx, parts(1+i%4, numbered, lines(fmt.Sprint("goroutine ", i), 900)))
			if err != nil || len(e.Text()) > clip.DefaultBytes || !strings.Contains(e.Text(), fmt.Sprint("goroutine ", i, " 1\n")) {
				t.Errorf("goroutine %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// Progress is told of all contents together, and never twice at a time.
func TestProgressCountsAllContentsTogether(t *testing.T) {
	var last clip.Progress
	running := false
	c := newClipper(t, clip.Config{Progress: func(p clip.Progress) {
		if running {
			t.Error("two calls at a time")
		}
		running = true
		last = p
		time.Sleep(time.Millisecond)
		running = false
	}})
	piece := func() io.Reader { return slow{strings.NewReader("a line\n"), 120 * time.Millisecond} }
	_, err := c.Clip(ctx, clip.Result{Parts: []clip.Named{{Content: piece()}, {Content: piece()}, {Content: piece()}}})
	require.NoError(t, err)
	require.Equal(t, clip.Progress{Bytes: 21, Lines: 3}, last)
}

// A call that can't be made is not named, and why there is none is said in the
// language of the notice.
func TestACallThatCanNotBeToldIsSaid(t *testing.T) {
	long := envelope.Next{Tool: "list", Arguments: map[string]any{"cursor": strings.Repeat("c", 100_000)}}
	broken := envelope.Next{Tool: "list", Arguments: map[string]any{"c": make(chan int)}}
	for _, tc := range []struct {
		form clip.Form
		next envelope.Next
		none string
	}{
		{clip.JSONForm, long, clip.NoNextTooLong},
		{clip.JSONForm, broken, clip.NoNextBroken},
		{clip.TextForm, broken, clip.NoNextBroken},
	} {
		e, err := newClipper(t, clip.Config{Form: tc.form}).Clip(ctx, clip.Result{Content: "x", Next: paging(tc.next)})
		require.NoError(t, err)
		require.Empty(t, e.Next)
		require.Equal(t, tc.none, e.NoNext)
		require.Equal(t, envelope.AcquiredNo, e.Acquired, "the source has more all the same")
		e, err = newClipper(t, clip.Config{Form: tc.form, Style: envelope.Style{Language: "zh-Hant"}}).Clip(ctx, clip.Result{Content: lines("x", 9000), Next: paging(tc.next)})
		require.NoError(t, err)
		require.Contains(t, e.Notice, "下一次呼叫")
		require.Greater(t, len(e.Content), clip.DefaultBytes/2, "it takes no room from the content")
	}
	e, err := newClipper(t, clip.Config{}).Clip(ctx, clip.Result{Content: "x", Next: paging(long)})
	require.NoError(t, err)
	require.Equal(t, long.Arguments, e.Next[0].Arguments, "the text form leaves it to the fields")
	require.Contains(t, e.Text(), "list")
}

func TestAKilledCommandIsNotKnownToBeWhole(t *testing.T) {
	e, err := newClipper(t, clip.Config{}).Clip(ctx, clip.Result{Content: "so far\n", Wait: func() error { return errors.New("signal: killed") }})
	require.Error(t, err)
	require.Equal(t, envelope.AcquiredNo, e.Acquired)
}

func TestAPolicyIsNotChangedFromOutside(t *testing.T) {
	keep := []clip.Keep{{Pointer: "/a", Op: "==", Value: "1"}}
	c := newClipper(t, clip.Config{Show: clip.Show{Keep: keep}})
	keep[0].Op = "nonsense"
	require.Equal(t, "==", c.Config().Show.Keep[0].Op)
}

func TestARefusedContentIsClosed(t *testing.T) {
	c := newClipper(t, clip.Config{Caller: func(context.Context) (clip.Caller, error) { return clip.Caller{}, errors.New("nobody") }})
	n := 0
	for _, out := range []any{
		closing{strings.NewReader("x"), &n}, clip.Result{Content: closing{strings.NewReader("x"), &n}},
		&clip.Result{Parts: []clip.Named{{Content: closing{strings.NewReader("x"), &n}}}}, panickingCloser{},
	} {
		_, err := c.Clip(ctx, out)
		require.Error(t, err)
	}
	require.Equal(t, 3, n)
}

func TestDoubtIsSaidOnItsAxis(t *testing.T) {
	c := newClipper(t, clip.Config{})
	whole, part := coverage.New(coverage.Counted(1), nil), coverage.New(coverage.Counted(2), nil)
	for _, l := range []*coverage.Ledger{whole, part} {
		l.Loaded("a", nil)
		l.Seal()
	}
	reports := [2]coverage.Report{whole.Report(), part.Report()}
	lost := []coverage.Reason{{Code: coverage.EntryLimit, Layer: coverage.LayerSource}}
	filtered := []coverage.Reason{{Code: coverage.EntryLimit, Layer: coverage.LayerFilter}}
	for want, r := range map[envelope.Acquired]clip.Result{
		envelope.AcquiredYes: {Content: "x", Coverage: &reports[0]},
		envelope.AcquiredNo:  {Content: "x", Coverage: &reports[1]},
	} {
		e, err := c.Clip(ctx, r)
		require.NoError(t, err)
		require.Equal(t, want, e.Acquired)
		require.Equal(t, want == envelope.AcquiredNo, e.Notice != "")
	}
	e, err := c.Clip(ctx, clip.Result{Content: "x", Reasons: lost})
	require.NoError(t, err)
	require.Equal(t, envelope.AcquiredNo, e.Acquired)
	e, err = c.Clip(ctx, clip.Result{Content: "x", Reasons: filtered})
	require.NoError(t, err)
	require.Equal(t, envelope.AcquiredUnknown, e.Acquired, "a filter is no loss of the source")
	e, err = c.Clip(ctx, clip.Result{Parts: []clip.Named{{Content: "x"}, {Content: "y"}}})
	require.NoError(t, err)
	require.Equal(t, envelope.AcquiredUnknown, e.Acquired, "two that are unknown are not known")
}

func TestAShortBracketIsNoCutDocument(t *testing.T) {
	c := newClipper(t, clip.Config{})
	for _, s := range []string{"-", "[", "{", `"`, `"Hello" he said`, `"an unfinished quotation of some length`, "[INFO] started\n", "{{template}}"} {
		e, err := c.Clip(ctx, s)
		require.NoError(t, err)
		require.Equal(t, s, e.Text())
	}
	for _, r := range []clip.Result{{Content: `{"rows":[{"id":1},{"id`}, {Content: `{"a`, MediaType: "application/json"}} {
		e, err := c.Clip(ctx, r)
		require.NoError(t, err)
		require.Equal(t, envelope.AcquiredNo, e.Acquired)
		require.Contains(t, codesOf(e.Reasons), coverage.ByteTruncated)
	}
	for _, mediaType := range []string{"application/x-ndjson", "application/jsonl", "application/ndjson; charset=utf-8"} {
		e, err := c.Clip(ctx, clip.Result{Content: "{\"a\":1}\n{\"a\":2}\n", MediaType: mediaType})
		require.NoError(t, err)
		require.Equal(t, "{\"a\":1}\n{\"a\":2}\n", e.Text(), "lines of JSON are whole")
	}
}

// hostileCounter panics on long strings.
type hostileCounter struct{ at int }

func (c hostileCounter) CountTokens(p []byte) int {
	if len(p) > c.at {
		panic("counter")
	}
	return len(p)
}

func TestATokenCounterThatPanicsIsAnError(t *testing.T) {
	_, err := clip.New(clip.Config{Budget: clip.Tokens(9000, hostileCounter{10})})
	var p *clip.PanicError
	require.ErrorAs(t, err, &p)
	e, err := newClipper(t, clip.Config{Budget: clip.Tokens(9000, hostileCounter{4000})}).Clip(ctx, lines("x", 5000))
	require.ErrorAs(t, err, &p)
	require.NotNil(t, e.Failure)
	require.NotEmpty(t, e.Text())
	_, err = clip.Cut(strings.NewReader(lines("x", 5000)), clip.Tokens(9000, hostileCounter{10}), clip.Show{})
	require.ErrorAs(t, err, &p)
}

// A window that was asked for is a page, with a store or without.
func TestAWindowIsNeverTheWhole(t *testing.T) {
	show := clip.Show{Unit: coverage.Line, At: 3, To: 5}
	p, err := clip.Text([]byte(lines("x", 9)), clip.Bytes(900), show)
	require.NoError(t, err)
	require.Equal(t, "x 4\nx 5\n", p.Content)
	require.False(t, p.View.Complete)
	require.Equal(t, []coverage.Code{coverage.OffPage}, codesOf(p.Reasons))
	e, err := newClipper(t, clip.Config{Show: show}).Clip(ctx, lines("x", 9))
	require.NoError(t, err)
	require.Equal(t, "x 4\nx 5\n", e.Content)
	require.Contains(t, e.Text(), "PARTIAL lines 4-5 of 9")
	require.NotContains(t, e.Text(), "budget")
}

// The room that is reserved for the frame is all that the frame takes, however much
// there would be to say.
func TestWhatToolsSayNeverPushesContentOut(t *testing.T) {
	n := smallest(t, clip.Config{}, clip.Bytes)
	c := newClipper(t, clip.Config{Budget: clip.Bytes(n)})
	plain, err := c.Clip(ctx, lines("y", 4000))
	require.NoError(t, err)
	for name, r := range map[string]clip.Result{
		"a sentence": {Did: huge}, "reasons": {Reasons: manyReasons(9)}, "an error": {Err: errors.New(huge)}, "a report": {Coverage: hostileReport()},
	} {
		r.Content = lines("y", 4000)
		e, _ := c.Clip(ctx, r)
		require.Equal(t, plain.Content, e.Content, name)
	}
}

// abortable notes whether its writer was given up.
type abortable struct {
	artifact.Store
	aborted *int
}

type abortableWriter struct {
	artifact.Writer
	aborted *int
}

func (s abortable) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	w, err := s.Store.Create(ctx, d)
	return abortableWriter{w, s.aborted}, err
}

func (abortableWriter) Write([]byte) (int, error) { return 0, errDisk }

func (w abortableWriter) Abort() error { *w.aborted++; return w.Writer.Abort() }

func TestAWriterThatFailsIsGivenUpOnce(t *testing.T) {
	n := 0
	_, err := newClipper(t, clip.Config{Store: abortable{artifact.NewMemory(nil), &n}}).Clip(ctx, lines("x", 90_000))
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// bracketCounter is of a vocabulary in which a bracket costs more than its escape.
type bracketCounter struct{}

func (bracketCounter) CountTokens(p []byte) int {
	return len(p) + 20*strings.Count(string(p), "<")
}

func TestLaw01TheEncodedFormIsMeasuredWithAndWithoutHTMLEscaping(t *testing.T) {
	for _, counter := range []clip.TokenCounter{bracketCounter{}, nil} {
		cfg := clip.Config{Form: clip.JSONForm, Budget: clip.Tokens(4000, counter)}
		e, err := newClipper(t, cfg).Clip(ctx, strings.Repeat("<a & b>\n", 4000))
		require.NoError(t, err)
		require.NotEmpty(t, e.Content)
		for _, out := range renderings(t, cfg, e) {
			if counter != nil {
				require.LessOrEqual(t, counter.CountTokens([]byte(out)), 4000)
			}
			require.LessOrEqual(t, clip.TokenBound.CountTokens([]byte(out)), 4000)
		}
	}
}

func TestReadingIsCreditedWithWhatWasShown(t *testing.T) {
	seen := coverage.NewReading(10)
	c := newClipper(t, clip.Config{
		Store: artifact.NewMemory(nil), Reading: seen,
		Caller: func(context.Context) (clip.Caller, error) { return clip.Caller{Reader: "r"}, nil },
	})
	e, err := c.Clip(ctx, parts(2, numbered, lines("line", 9000)))
	require.NoError(t, err)
	for _, p := range e.Parts {
		require.Equal(t, coverage.Set(nil).Add(p.View.Bytes...), seen.Seen("r", p.Artifact.SHA256, coverage.Byte))
	}
}

// What is declared as text is cut as text, whatever it looks like.
func TestADeclaredTypeIsBelieved(t *testing.T) {
	src := "[" + strings.TrimSuffix(strings.Repeat("1,\n", 9000), ",\n") + "]"
	c := newClipper(t, clip.Config{})
	e, err := c.Clip(ctx, clip.Result{Content: src, MediaType: "text/plain"})
	require.NoError(t, err)
	require.Equal(t, coverage.Line, e.View.Unit)
	e, err = c.Clip(ctx, src)
	require.NoError(t, err)
	require.Equal(t, coverage.Item, e.View.Unit)
}

func TestWhatToolsSayIsBoundedInTheFields(t *testing.T) {
	e, _ := newClipper(t, clip.Config{}).Clip(ctx, clip.Result{
		Tool: huge, Did: huge, Reasons: manyReasons(300), Parts: []clip.Named{{Name: huge, Content: "x"}, {Content: "y"}}, Err: errors.New(huge),
		Next: paging(envelope.Next{Tool: huge, Gives: huge}),
	})
	require.LessOrEqual(t, max(len(e.Tool), len(e.Parts[0].Name), len(e.Next[0].Tool)), 128)
	require.LessOrEqual(t, max(len(e.Did), len(e.Next[0].Gives)), 2<<10)
	require.LessOrEqual(t, len(e.Parts[0].Reasons), 16)
	require.Contains(t, e.Parts[0].Reasons[15].Message, "284 more reasons")
	require.LessOrEqual(t, len(e.Failure.Message), 8<<10)
}

// shortReader is an artifact of which less can be read than it says.
type shortReader struct{ artifact.Reader }

func (r shortReader) Info() artifact.Info {
	i := r.Reader.Info()
	i.Size++
	return i
}

func TestAPageOfADamagedArtifactIsAFailure(t *testing.T) {
	c := kept(t, clip.Budget{})
	e, err := c.Clip(ctx, lines("x", 9))
	require.NoError(t, err)
	r, err := c.Config().Store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
	require.NoError(t, err)
	defer r.Close()
	for _, r := range []artifact.Reader{shortReader{r}, nil} {
		p, err := c.Page(ctx, r, clip.Show{Unit: coverage.Line})
		require.Error(t, err)
		require.NotNil(t, p.Failure)
		require.Empty(t, p.Content)
		require.NotEmpty(t, p.Text())
	}
}
