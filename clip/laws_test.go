package clip_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
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

// smallest is the smallest legal n for a Config with this kind of budget, as New
// names it; TestLaw01SmallestBudgetIsNamed checks that it does.
func smallest(t require.TestingT, cfg clip.Config, budget func(int) clip.Budget) int {
	cfg.Budget = budget(0)
	_, err := clip.New(cfg)
	require.ErrorIs(t, err, clip.ErrBudget)
	m := namedSmallest.FindStringSubmatch(err.Error())
	require.NotNil(t, m, "%v", err)
	n, err := strconv.Atoi(m[1])
	require.NoError(t, err)
	return n
}

var namedSmallest = regexp.MustCompile(`the smallest for this Config is (\d+) `)

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
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 0:
		cfg.Form = clip.JSONForm
	case 1:
		cfg.Form = clip.InBandForm
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
	switch cfg.Form {
	case clip.TextForm:
		return e.Text()
	case clip.InBandForm:
		return e.InBand(cfg.Style.Member)
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
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		e, err := newClipper(t, cfg).Clip(ctx, drawResult(t))
		require.NoError(t, err)
		_, unit, _ := strings.Cut(cfg.Budget.String(), " ")
		unit = strings.TrimSuffix(unit, "s")
		requireWithin(t, cfg, unit, n, e, "drawn")
		if unit == "line" {
			lines := 0
			for _, p := range append(e.Parts, e.Part) {
				lines += strings.Count(p.Content, "\n")
				if p.Content != "" && !strings.HasSuffix(p.Content, "\n") {
					lines++
				}
			}
			require.LessOrEqual(t, lines, n)
		}
	})
}

func TestLaw01SmallestBudgetIsNamed(t *testing.T) {
	units := []func(int) clip.Budget{
		clip.Bytes, clip.Runes, clip.Graphemes, clip.Lines,
		func(n int) clip.Budget { return clip.Tokens(n, nil) },
		func(n int) clip.Budget { return clip.Lines(5).Under(n) },
		func(n int) clip.Budget { return clip.Runes(9000).Under(n) },
	}
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
		for i, budget := range units {
			cfg := clip.Config{Form: form}
			n := smallest(t, cfg, budget)
			for _, under := range []int{n - 1, n / 2, 0, -1} {
				cfg.Budget = budget(under)
				_, err := clip.New(cfg)
				require.ErrorIs(t, err, clip.ErrBudget, "unit %d: %d", i, under)
				require.Regexp(t, fmt.Sprintf(`the smallest for this Config is %d \w`, n), err.Error())
			}
			cfg.Budget = budget(n)
			_, err := clip.New(cfg)
			require.NoError(t, err)
		}
	}
}

func TestLaw02WholeRunesAndClusters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		cfg.Budget = budget(n)
		e, err := newClipper(t, cfg).Clip(ctx, drawResult(t))
		require.NoError(t, err)
		require.True(t, utf8.ValidString(e.Text()), "%q", e.Text())
		for _, p := range append(e.Parts, e.Part) {
			require.True(t, utf8.ValidString(p.Content), "%q", p.Content)
		}
	})
}

// Where content is verbatim, no cut lies inside a cluster of the source. Clusters
// over 128 bytes may be cut.
func TestLaw02NoCutInsideACluster(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"🇫🇷", "👩‍👩‍👧‍👦", "e\u0301", "क्ष", "a", "字", " "}), 1, 400).Draw(t, "clusters"), "")
		n := rapid.IntRange(512, 900).Draw(t, "bytes")
		p, err := clip.Text([]byte(src), clip.Bytes(n), clip.Show{Ends: clip.Ends(rapid.IntRange(0, 3).Draw(t, "ends"))})
		require.NoError(t, err)
		ends := map[int64]bool{0: true}
		for g, at := graphemes.FromString(src), int64(0); g.Next(); {
			at += int64(len(g.Value()))
			ends[at] = true
		}
		for _, r := range p.View.Bytes {
			require.True(t, ends[r.Start] && ends[r.End], "%v of %q", r, src)
		}
	})
}

func TestLaw03JSONStaysJSONOfTheSameType(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
			requireRelation(t, src, e.Part, o)
			require.LessOrEqual(t, o.Shown+o.Part, o.Total.Value)
		}
		if v.Unit == coverage.Line {
			requireLines(t, src, v)
		}
		if len(v.Transforms) == 0 && len(e.Reasons) > 0 && e.Reasons[len(e.Reasons)-1].Unit == coverage.Byte {
			shown := coverage.Set(nil).Add(v.Bytes...).Len()
			require.Equal(t, int64(len(src))-shown, e.Reasons[len(e.Reasons)-1].Count.Value)
		}
	})
}

// requireRelation: every total is exact but that of tokens, that of clusters in JSON, and
// that of characters where some bytes are none.
func requireRelation(t require.TestingT, src []byte, p envelope.Part, o envelope.Omission) {
	want := coverage.Eq
	switch o.Unit {
	case coverage.Token:
		want = coverage.Estimate
	case coverage.Rune, coverage.Grapheme:
		if !utf8.Valid(src) || (o.Unit == coverage.Grapheme && p.MediaType == "application/json") {
			want = coverage.Estimate
		}
	}
	require.Equal(t, want, o.Total.Relation, "%+v", o)
	if o.Relation != "" {
		require.Equal(t, coverage.Estimate, o.Total.Relation, "%+v", o)
	}
}

// requireLines checks the lines that a view of text claims against the bytes that it
// shows: a whole line is all in them, a line in part is not.
func requireLines(t require.TestingT, src []byte, v envelope.View) {
	shown := coverage.Set(nil).Add(v.Bytes...)
	whole := coverage.Set(nil).Add(v.Units...)
	in := func(at, end int64) bool { return missed(shown, []coverage.Range{{Start: at, End: end}}) == 0 }
	at, line, partly := int64(0), int64(0), int64(0)
	for _, l := range bytes.SplitAfter(src, []byte("\n")) {
		end := at + int64(len(l))
		if end == at {
			break
		}
		some := missed(shown, []coverage.Range{{Start: at, End: end}}) < end-at
		claimed := missed(whole, []coverage.Range{{Start: line, End: line + 1}}) == 0
		if claimed {
			require.True(t, in(at, end), "line %d is said to be whole", line)
		} else if some {
			partly++
		}
		at, line = end, line+1
	}
	require.Equal(t, v.UnitTotal, coverage.Exactly(line))
	require.Equal(t, partly, v.Partly, "lines in part")
}

func TestLaw06CompleteMeansEqual(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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

// One content more takes nothing from those before it, and no content disappears.
func TestLaw10MoreBudgetNeverShowsLessOfAnyContent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawConfig(t)
		budget, n := drawBudget(t, cfg)
		var r clip.Result
		for i := range rapid.IntRange(2, 6).Draw(t, "parts") {
			r.Parts = append(r.Parts, clip.Named{Name: numbered(i), Content: drawBytes(t)})
		}
		before := map[string]coverage.Set{}
		for _, n := range []int{n, n + 1, n + rapid.IntRange(2, 300).Draw(t, "more"), n + 900} {
			cfg.Budget = budget(n)
			e, err := newClipper(t, cfg).Clip(ctx, r)
			require.NoError(t, err)
			now := map[string]coverage.Set{}
			for _, p := range e.Parts {
				now[p.Name] = coverage.Set(nil).Add(p.View.Bytes...)
			}
			for name, b := range before {
				require.Zero(t, missed(now[name], b), "at %d something of %s shown before is missing", n, name)
			}
			before = now
		}
	})
}

// The budget is told in the notice and in the fields: one digit more there must not
// cost content.
func TestLaw10OneDigitMoreTakesNothing(t *testing.T) {
	t.Parallel()
	tokens := func(n int) clip.Budget { return clip.Tokens(n, nil) }
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
		for _, budget := range []func(int) clip.Budget{clip.Bytes, clip.Runes, tokens} {
			for _, src := range []string{lines("log line", 3000), "[" + strings.Repeat(`{"a":"bb<bbb"},`, 2500) + "1]"} {
				var before coverage.Set
				for _, n := range []int{9990, 9997, 9999, 10_000, 10_001, 10_008} {
					e, err := newClipper(t, clip.Config{Form: form, Budget: budget(n)}).Clip(ctx, src)
					require.NoError(t, err)
					now := coverage.Set(nil).Add(e.View.Bytes...)
					require.Zero(t, missed(now, before), "form %d at %v", form, budget(n))
					before = now
				}
			}
		}
	}
}

// A content that fits in bytes but not in lines is cut at its lines.
func TestLaw10LinesOfShortContents(t *testing.T) {
	t.Parallel()
	log := lines("log line", 900)
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
		before := map[string]coverage.Set{}
		for n := 1; n < 12; n++ {
			r := clip.Result{Parts: []clip.Named{{Content: ""}, {Content: "short\n\nend"}, {Content: log}, {Content: ""}}}
			for i := range r.Parts {
				r.Parts[i].Name = numbered(i)
			}
			e, err := newClipper(t, clip.Config{Form: form, Budget: clip.Lines(n)}).Clip(ctx, r)
			require.NoError(t, err)
			for _, p := range e.Parts {
				now := coverage.Set(nil).Add(p.View.Bytes...)
				require.Zero(t, missed(now, before[p.Name]), "form %d, %d lines: something of %s shown before is missing", form, n, p.Name)
				before[p.Name] = now
			}
		}
	}
}

func TestLaw11ClippingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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

// In the encoded form a line costs more than its bytes: more lines of one content
// must not take bytes from another.
func TestLaw10MoreLinesTakeNoBytesFromAnotherContent(t *testing.T) {
	for _, form := range []clip.Form{clip.JSONForm, clip.InBandForm} {
		requireMoreLinesTakeNothing(t, form)
	}
}

func requireMoreLinesTakeNothing(t *testing.T, form clip.Form) {
	escapes := "[" + strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat(`\ud83d\ude00`, 90)+`", `, 16), ", ") + "]"
	var before coverage.Set
	for n := 50; n < 1000; n += 50 {
		e, err := newClipper(t, clip.Config{Form: form, Budget: clip.Lines(n)}).Clip(ctx, clip.Result{
			Parts: []clip.Named{{Content: lines("log line", 860)}, {Content: escapes}},
		})
		require.NoError(t, err)
		now := coverage.Set(nil).Add(e.Parts[1].View.Bytes...)
		require.Zero(t, missed(now, before), "at %d lines", n)
		require.NotEmpty(t, now)
		before = now
	}
}

// What is made visible may join clusters that are apart in the source. A content that
// is shown whole within a budget is shown whole within a larger one.
func TestLaw10ClustersThatJoinWhenTheyAreMadeVisible(t *testing.T) {
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm} {
		for n := 1900; n < 3600; n += 100 {
			r := clip.Result{Parts: []clip.Named{{Name: "a", Content: "\v\u0300"}, {Name: "b", Content: ""}}}
			e, err := newClipper(t, clip.Config{Form: form, Budget: clip.Graphemes(n)}).Clip(ctx, r)
			require.NoError(t, err)
			require.True(t, e.Parts[0].View.Complete, "form %d, %d clusters", form, n)
		}
	}
}

// Handles are drawn at random, and some cost more tokens than others.
func TestLaw10WhichHandleIsDrawnChangesNothing(t *testing.T) {
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
		for _, style := range []envelope.Style{{}, {Language: "zh-TW", Compact: true}} {
			cfg := clip.Config{Form: form, Style: style, Store: artifact.NewMemory(nil), Followups: clip.AllFollowups}
			tokens := func(n int) clip.Budget { return clip.Tokens(n, nil) }
			least := smallest(t, cfg, tokens)
			for _, n := range []int{least, least + 1, least + 200} {
				for _, src := range []string{lines("log line", 300), "[" + strings.Repeat(`{"a":"bb<bbb"},`, 500) + "1]", strings.Repeat("\u202e", 422)} {
					cfg.Budget = tokens(n)
					c := newClipper(t, cfg)
					first, err := c.Clip(ctx, src)
					require.NoError(t, err)
					for range 6 {
						e, err := c.Clip(ctx, src)
						require.NoError(t, err)
						require.Equal(t, first.View, e.View, "form %d, %d tokens", form, n)
					}
				}
			}
		}
	}
}
