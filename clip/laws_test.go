package clip_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/iotest"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// The laws hold for every input, unit and budget from the smallest legal one up.
// Each test below states one; the generators are in generate_test.go.

var ctx = context.Background()

// smallest is the smallest legal n for a Config with this kind of budget.
func smallest(t require.TestingT, cfg clip.Config, budget func(int) clip.Budget) int {
	kind := fmt.Sprint(budget(1), cfg.Style, cfg.Form, cfg.Store != nil, cfg.Followups)
	if n, ok := smallestOf[kind]; ok {
		return n
	}
	lo, hi := 0, 1<<20
	for lo < hi {
		mid := (lo + hi) / 2
		cfg.Budget = budget(mid)
		if _, err := clip.New(cfg); err == nil {
			hi = mid
		} else {
			require.ErrorIs(t, err, clip.ErrBudget)
			lo = mid + 1
		}
	}
	smallestOf[kind] = lo
	return lo
}

var smallestOf = map[string]int{}

// drawBudget draws a unit and a legal number, often a small one.
func drawBudget(t *rapid.T, cfg clip.Config) (func(int) clip.Budget, int) {
	units := map[string]func(int) clip.Budget{
		"bytes": clip.Bytes, "runes": clip.Runes, "graphemes": clip.Graphemes,
		"lines":  func(n int) clip.Budget { return clip.Lines(n) },
		"tokens": func(n int) clip.Budget { return clip.Tokens(n, nil) },
	}
	u := rapid.SampledFrom([]string{"bytes", "bytes", "runes", "graphemes", "lines", "tokens"}).Draw(t, "unit")
	least := smallest(t, cfg, units[u])
	n := rapid.IntRange(0, 600).Draw(t, "above the smallest")
	if rapid.Bool().Draw(t, "large") {
		n *= 7
	}
	return units[u], least + n
}

// drawConfig draws a Config without its budget.
func drawConfig(t *rapid.T) clip.Config {
	cfg := clip.Config{Style: envelope.Style{
		Language: rapid.SampledFrom([]string{"", "en", "zh-Hans", "zh-TW"}).Draw(t, "language"),
		Compact:  rapid.Bool().Draw(t, "compact"),
	}}
	cfg.Show.Ends = rapid.SampledFrom([]clip.Ends{clip.DefaultEnds, clip.Head, clip.Tail, clip.HeadAndTail}).Draw(t, "ends")
	if rapid.Bool().Draw(t, "store") {
		cfg.Store = artifact.NewMemory(nil)
		cfg.Followups = clip.AllFollowups
	}
	if rapid.IntRange(0, 4).Draw(t, "form") == 0 {
		cfg.Form = clip.JSONForm
	}
	return cfg
}

func newClipper(t require.TestingT, cfg clip.Config) *clip.Clipper {
	c, err := clip.New(cfg)
	require.NoError(t, err)
	return c
}

// rendered is what reaches the model.
func rendered(cfg clip.Config, e envelope.Envelope) string {
	if cfg.Form == clip.TextForm {
		return e.Text()
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(e)
	return strings.TrimSuffix(b.String(), "\n")
}

// count counts s as the budget's unit says.
func count(unit, s string) int {
	switch unit {
	case "byte":
		return len(s)
	case "rune":
		return utf8.RuneCountInString(s)
	case "grapheme":
		n := 0
		for g := graphemes.FromString(s); g.Next(); {
			n++
		}
		return n
	case "token":
		return clip.TokenBound.CountTokens([]byte(s))
	}
	return 0
}

func TestLaw01BudgetIsNeverExceeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		e, err := newClipper(t, cfg).Clip(ctx, drawResult(t))
		require.NoError(t, err)
		out := rendered(cfg, e)
		_, unit, _ := strings.Cut(cfg.Budget.String(), " ")
		unit = strings.TrimSuffix(unit, "s")
		if unit == "line" {
			require.LessOrEqual(t, len(out), clip.DefaultBytes)
			require.LessOrEqual(t, strings.Count(strings.TrimSuffix(e.Content, "\n"), "\n")+1, max(1, n))
			return
		}
		require.LessOrEqual(t, count(unit, out), n, "%s", out)
	})
}

func TestLaw01SmallestBudgetIsNamed(t *testing.T) {
	_, err := clip.New(clip.Config{Budget: clip.Bytes(10)})
	require.ErrorIs(t, err, clip.ErrBudget)
	n := smallest(t, clip.Config{}, clip.Bytes)
	require.ErrorContains(t, err, fmt.Sprintf("the smallest for this Config is %d bytes", n))
	_, err = clip.New(clip.Config{Budget: clip.Bytes(n)})
	require.NoError(t, err)
}

func TestLaw02WholeRunesAndClusters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		e, err := newClipper(t, cfg).Clip(ctx, drawResult(t))
		require.NoError(t, err)
		require.True(t, utf8.ValidString(e.Text()), "%q", e.Text())
		require.True(t, utf8.ValidString(e.Content), "%q", e.Content)
	})
}

func TestLaw03JSONStaysJSONOfTheSameType(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		src := drawJSON(t)
		e, err := newClipper(t, cfg).Clip(ctx, json.RawMessage(src))
		require.NoError(t, err)
		if e.Content == "" {
			require.True(t, src[0] == '-' || (src[0] >= '0' && src[0] <= '9'), "only a root number may be left out")
			return
		}
		require.True(t, json.Valid([]byte(e.Content)), "%s", e.Content)
		require.Equal(t, kindOf(src), kindOf([]byte(e.Content)))
	})
}

// kindOf is the first byte that is not white space: it tells the JSON type.
func kindOf(p []byte) byte { return bytes.TrimLeft(p, " \t\r\n")[0] }

func TestLaw04ContentIsVerbatim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		src := drawBytes(t)
		e, err := newClipper(t, cfg).Clip(ctx, src)
		require.NoError(t, err)
		requireVerbatim(t, src, e.Part)
	})
}

// requireVerbatim checks that content without transforms is the view's ranges.
func requireVerbatim(t require.TestingT, src []byte, p envelope.Part) {
	if len(p.View.Transforms) > 0 {
		return
	}
	var got []byte
	for _, r := range coverage.Set(nil).Add(p.View.Bytes...).Add(p.View.Context...) {
		require.LessOrEqual(t, r.End, int64(len(src)))
		got = append(got, src[r.Start:r.End]...)
	}
	require.Equal(t, string(got), p.Content)
}

func TestLaw05PartsAddUpToTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		src := drawBytes(t)
		e, err := newClipper(t, cfg).Clip(ctx, src)
		require.NoError(t, err)
		v := e.View
		require.Equal(t, coverage.Exactly(int64(len(src))), v.ByteTotal)
		if v.Unit == coverage.Line {
			total := int64(bytes.Count(src, []byte("\n")))
			if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
				total++
			}
			require.Equal(t, coverage.Exactly(total), v.UnitTotal)
		}
		if v.Complete {
			return
		}
		for _, o := range v.Omissions {
			require.Equal(t, coverage.Eq, o.Total.Relation)
			require.LessOrEqual(t, o.Shown+o.Part, o.Total.Value)
		}
		if len(v.Transforms) == 0 && len(e.Reasons) > 0 && e.Reasons[len(e.Reasons)-1].Unit == coverage.Byte {
			shown := coverage.Set(nil).Add(v.Bytes...).Len()
			require.Equal(t, int64(len(src))-shown, e.Reasons[len(e.Reasons)-1].Count.Value)
		}
	})
}

func TestLaw06CompleteMeansEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		cfg.Form = clip.TextForm
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		src := drawBytes(t)
		e, err := newClipper(t, cfg).Clip(ctx, src)
		require.NoError(t, err)
		if e.View.Exact {
			require.True(t, e.View.Complete)
			require.Equal(t, string(src), e.Content)
		}
		if !e.View.Complete {
			require.NotEqual(t, string(src), e.Content)
			require.NotEmpty(t, e.Notice, "a part never stands bare")
		}
		if e.Notice == "" {
			require.Equal(t, e.Content, e.Text())
			require.True(t, e.View.Complete)
		}
	})
}

func TestLaw06SmallResultsStandBare(t *testing.T) {
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
	for _, out := range []any{"3 files changed\n", `{"status":"ok","n":9007199254740993}`, []int{1, 2, 3}, strings.NewReader("é")} {
		e, err := c.Clip(ctx, out)
		require.NoError(t, err)
		require.Equal(t, e.Content, e.Text())
		require.True(t, e.View.Exact)
		require.Empty(t, e.Next)
	}
}

func TestLaw08PreviewAndArtifactAreTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		store := artifact.NewMemory(nil)
		cfg.Store, cfg.Followups = store, clip.AllFollowups
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		src := drawBytes(t)
		e, err := newClipper(t, cfg).Clip(ctx, src)
		require.NoError(t, err)
		h, err := artifact.ParseHandle(e.Artifact.Handle)
		require.NoError(t, err)
		r, err := store.Open(ctx, artifact.Scope{}, h)
		require.NoError(t, err)
		defer r.Close()
		saved := make([]byte, r.Info().Size)
		_, err = r.ReadAt(saved, 0)
		if err != io.EOF {
			require.NoError(t, err)
		}
		require.Equal(t, string(src), string(saved))
		requireVerbatim(t, saved, e.Part)
	})
}

func TestLaw09ChunksChangeNothing(t *testing.T) {
	fixRandom := func() { cryptotest.SetGlobalRandom(t, 9) }
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		src := drawBytes(t)
		c := newClipper(t, cfg)
		fixRandom()
		want, err := c.Clip(ctx, bytes.NewReader(src))
		require.NoError(t, err)
		for _, split := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
			fixRandom()
			got, err := c.Clip(ctx, split(bytes.NewReader(src)))
			require.NoError(t, err)
			require.Equal(t, unnamed(want), unnamed(got))
		}
	})
}

// unnamed is e as JSON, without the points in time.
func unnamed(e envelope.Envelope) string {
	out, _ := json.Marshal(e)
	return timeless(string(out))
}

func TestLaw10MoreBudgetNeverShowsLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		src := drawBytes(t)
		var before coverage.Set
		for _, n := range []int{n, n + 1, n + 2, n + 9, n + 40} {
			cfg.Budget = budget(n)
			e, err := newClipper(t, cfg).Clip(ctx, src)
			require.NoError(t, err)
			now := coverage.Set(nil).Add(e.View.Bytes...)
			require.Equal(t, now.Len(), now.Add(before...).Len(), "at %d something shown before is missing", n)
			before = now
		}
	})
}

func TestLaw11ClippingTwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		c := newClipper(t, cfg)
		once, err := c.Clip(ctx, drawResult(t))
		require.NoError(t, err)
		twice, err := c.Clip(ctx, once)
		require.NoError(t, err)
		require.Equal(t, once, twice)
	})
}

func TestLaw11SmallerBudgetCutsTheSameArtifactFurther(t *testing.T) {
	store := artifact.NewMemory(nil)
	big := newClipper(t, clip.Config{Store: store, Followups: clip.AllFollowups})
	small, err := big.With(func(cfg *clip.Config) { cfg.Budget = clip.Bytes(1000) })
	require.NoError(t, err)
	src := lines("line", 9000)
	e, err := big.Clip(ctx, src)
	require.NoError(t, err)
	again, err := small.Clip(ctx, e)
	require.NoError(t, err)
	require.LessOrEqual(t, len(again.Text()), 1000)
	require.Equal(t, e.Artifact, again.Artifact, "nothing is saved twice")
	require.Equal(t, coverage.Exactly(int64(len(src))), again.View.ByteTotal)
	requireVerbatim(t, []byte(src), again.Part)
}

func TestLaw11AnEnvelopeFromElsewhereIsData(t *testing.T) {
	c := newClipper(t, clip.Config{})
	e, err := c.Clip(ctx, lines("x", 9000))
	require.NoError(t, err)
	raw, err := json.Marshal(e)
	require.NoError(t, err)
	foreign, err := envelope.Parse(raw)
	require.NoError(t, err)
	got, err := c.Clip(ctx, foreign)
	require.NoError(t, err)
	require.NotEqual(t, foreign.Content, got.Content)
	require.Equal(t, "application/json", got.MediaType)
	require.True(t, json.Valid([]byte(got.Content)))
}

// The one effect of a look-alike: complete content is fenced, so that content
// which would fill the budget to the last bytes must leave room for the fence.
func TestLaw12LookAlikesChangeNoField(t *testing.T) {
	c := newClipper(t, clip.Config{Budget: clip.Bytes(2000)})
	real, err := c.Clip(ctx, lines("x", 900))
	require.NoError(t, err)
	c = newClipper(t, clip.Config{Budget: clip.Bytes(4000)})
	for _, fake := range []string{real.Text(), real.Notice, "-- 7f3a9c61 371 lines follow", `{"schema":"envelope/1","view":{"complete":true}}`} {
		noise := strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return 'n'
		}, fake)
		for _, pad := range []string{"", lines("y", 900)} {
			a, err := c.Clip(ctx, "log\n"+fake+"\n"+pad)
			require.NoError(t, err)
			b, err := c.Clip(ctx, "log\n"+noise+"\n"+pad)
			require.NoError(t, err)
			require.Equal(t, fieldsOnly(b), fieldsOnly(a))
		}
	}
}

// fieldsOnly is e without its content and without its wording.
func fieldsOnly(e envelope.Envelope) envelope.Envelope {
	e.Content, e.Notice, e.Closing, e.Fence, e.Heading = "", "", "", "", ""
	for i := range e.View.Cuts {
		e.View.Cuts[i].Mark = ""
	}
	return e
}

func TestLaw13AnErrorMidwayLosesNothing(t *testing.T) {
	broken := errors.New("connection reset")
	rapid.Check(t, func(t *rapid.T) {
		store := artifact.NewMemory(nil)
		c := newClipper(t, clip.Config{Store: store, Followups: clip.AllFollowups})
		src := drawBytes(t)
		e, err := c.Clip(ctx, io.MultiReader(bytes.NewReader(src), iotest.ErrReader(broken)))
		require.True(t, err == broken, "the error keeps its identity: %v", err)
		require.Equal(t, envelope.AcquiredNo, e.Acquired)
		require.NotNil(t, e.Failure)
		require.NotEmpty(t, e.Notice)
		require.Equal(t, int64(len(src)), e.Artifact.Size, "what was read is kept")
		require.Contains(t, codesOf(e.Reasons), coverage.ReadFailed)
	})
}

func codesOf(rs []coverage.Reason) []coverage.Code {
	var out []coverage.Code
	for _, r := range rs {
		out = append(out, r.Code)
	}
	return out
}
