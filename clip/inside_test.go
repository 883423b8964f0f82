package clip_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// inString is s as a JSON string.
func inString(s string) string {
	p, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(p)
}

// mcp is text as a tool of MCP returns it.
func mcp(text string) string {
	return `{"content":[{"type":"text","text":` + inString(text) + `}],"isError":false}`
}

const mcpText = "/content/0/text"

func TestInsideAStringOfLinesIsReadByLines(t *testing.T) {
	text := lines(`a "line" of text`, 2000)
	for pointer, doc := range map[string]string{"": inString(text), mcpText: mcp(text)} {
		c := kept(t, clip.Bytes(2000))
		e, err := c.Clip(ctx, json.RawMessage(doc))
		require.NoError(t, err)
		var got strings.Builder
		for at, pages := int64(0), 0; at < 2000; pages++ {
			p := page(t, c, e, clip.Show{Pointer: pointer, Inside: true, Unit: coverage.Line, At: at})
			require.LessOrEqual(t, len(p.Text()), 2000)
			require.Equal(t, "text/plain", p.MediaType)
			require.Equal(t, coverage.Exactly(2000), p.View.UnitTotal)
			require.Equal(t, coverage.Exactly(int64(len(text))), p.View.ByteTotal, "of what the string holds")
			require.Equal(t, clip.InsideTransform, p.View.Transforms[0].Name)
			require.Equal(t, at, p.View.Units[0].Start)
			got.WriteString(p.Content)
			at = p.View.Units[0].End
			if at < 2000 {
				want := map[string]any{"artifact": e.Artifact.Handle, "inside": true, "line": at + 1, "to": int64(2000)}
				if pointer != "" {
					want["pointer"] = pointer
				}
				require.Equal(t, want, p.Next[0].Arguments)
			}
		}
		require.Equal(t, text, got.String())
	}
}

func TestInsideAStringOfJSONIsCutByItsStructure(t *testing.T) {
	var rows []string
	for i := range 400 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"name":"row \"%d\"\n"}`, 9007199254740993+i, i))
	}
	doc := mcp(`{"total":400,"results":[` + strings.Join(rows, ",") + `]}`)
	c := kept(t, clip.Bytes(3000))
	e, err := c.Clip(ctx, json.RawMessage(doc))
	require.NoError(t, err)
	require.Contains(t, e.Notice, "“JSON object of 2 members”", "the model knows")

	p := page(t, c, e, clip.Show{Pointer: mcpText, Inside: true})
	require.Equal(t, "application/json", p.MediaType)
	require.True(t, strings.HasPrefix(p.Content, `{"total":400,"results":[`+rows[0]), "%.100s", p.Content)
	require.True(t, json.Valid([]byte(p.Content)))
	require.Equal(t, mcpText+"/results", p.View.Pointer)
	require.Equal(t, coverage.Exactly(400), p.View.UnitTotal)
	require.Contains(t, pointers(p.View.Omissions), mcpText+"/results")

	// The pointer leads on in what the string holds: what Next names says so already.
	next := p.Next[0].Arguments
	require.Equal(t, mcpText+"/results", next["pointer"])
	require.NotContains(t, next, "inside")
	from := next["item"].(int64) - 1
	rest := page(t, c, e, clip.Show{Pointer: mcpText + "/results", Unit: coverage.Item, At: from})
	require.True(t, strings.HasPrefix(rest.Content, "["+rows[from]), "%.100s", rest.Content)
	require.Equal(t, from, rest.View.Units[0].Start)
}

func TestInsideStringsInStrings(t *testing.T) {
	inner := `{"log":` + inString(lines("deep", 300)) + `}`
	doc := mcp(inString(`{"a":[` + inString(inner) + `]}`))
	c := kept(t, clip.Bytes(2000))
	e, err := c.Clip(ctx, json.RawMessage(doc))
	require.NoError(t, err)
	p := page(t, c, e, clip.Show{Pointer: mcpText + "/a/0/log", Inside: true, Unit: coverage.Line, At: 100, To: 102})
	require.Equal(t, "deep 101\ndeep 102\n", p.Content)
	require.Equal(t, coverage.Exactly(4), p.View.Transforms[0].Count, "four strings were decoded")
	require.Equal(t, mcpText+"/a/0/log", p.View.Pointer)

	// Without Inside it is the string's own bytes, as the document that holds it has them.
	p = page(t, c, e, clip.Show{Pointer: mcpText + "/a/0/log", Unit: coverage.Byte, At: 0, To: 8})
	require.Equal(t, `"deep 1\n"`, p.Content)
}

func TestInsideChangesNothingElsewhere(t *testing.T) {
	for _, doc := range []string{`{"a":[1,2,3]}`, `[1,2]`, `12`, "text\n", `{"a":`, `"ab" "c"`, `"ab`, ``, "\x00\x01\xff"} {
		plain, err := newClipper(t, clip.Config{}).Clip(ctx, doc)
		require.NoError(t, err)
		inside, err := newClipper(t, clip.Config{Show: clip.Show{Inside: true}}).Clip(ctx, doc)
		require.NoError(t, err)
		require.Equal(t, plain, inside, "%q", doc)
	}
	c := kept(t, clip.Bytes(2000))
	e, err := c.Clip(ctx, json.RawMessage(`{"a":[1,2,3],"s":"x"}`))
	require.NoError(t, err)
	require.Equal(t, `[2]`, page(t, c, e, clip.Show{Pointer: "/a", Inside: true, Unit: coverage.Item, At: 1, To: 2}).Content)
}

func TestInsideAPolicyForToolsThatReturnAString(t *testing.T) {
	c := newClipper(t, clip.Config{Show: clip.Show{Inside: true}})
	e, err := c.Clip(ctx, json.RawMessage(`"line \"1\"\nline 2\n"`))
	require.NoError(t, err)
	require.Equal(t, "line \"1\"\nline 2\n", e.Text(), "complete, and bare")
	require.True(t, e.View.Complete)
	require.False(t, e.View.Exact)
	e, err = c.Clip(ctx, json.RawMessage(`"{\"ok\":true}"`))
	require.NoError(t, err)
	require.Equal(t, `{"ok":true}`, e.Text())
	require.Equal(t, "application/json", e.MediaType)
}

func TestInsideWhatIsNotThereIsAnError(t *testing.T) {
	c := kept(t, clip.Bytes(2000))
	e, err := c.Clip(ctx, json.RawMessage(`{"text":"plain text","json":"{\"a\":1}","broken":"{\"a\":","n":1}`))
	require.NoError(t, err)
	for want, show := range map[string]clip.Show{
		`nothing at pointer "/text/a"`:               {Pointer: "/text/a"},
		`nothing at pointer "/json/b"`:               {Pointer: "/json/b", Inside: true},
		`nothing at pointer "/broken/a"`:             {Pointer: "/broken/a"},
		"not JSON":                                   {Pointer: "/text", Inside: true, Unit: coverage.Item},
		"no string at pointer \"/n\"":                {Pointer: "/n", Inside: true, Unit: coverage.Line},
		"a search or an outline looks at the whole":  {Inside: true, Outline: true},
		"what the string holds is not JSON":          {Pointer: "/text", Inside: true, Only: true, Keep: []clip.Keep{{Pointer: "/a", Op: "exists"}}},
		"a value in JSON has no lines of its own":    {Pointer: "/text", Unit: coverage.Line},
		"there is nothing at pointer \"/nope/deep\"": {Pointer: "/nope/deep", Inside: true, Unit: coverage.Line},
	} {
		r, err := c.Config().Store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
		require.NoError(t, err)
		got, err := c.Page(ctx, r, show)
		require.ErrorContains(t, err, want)
		require.NotNil(t, got.Failure)
		require.NoError(t, r.Close())
	}
}

func TestInsideALoneSurrogateIsCountedWhereItIsShown(t *testing.T) {
	c := newClipper(t, clip.Config{Show: clip.Show{Inside: true}})
	e, err := c.Clip(ctx, json.RawMessage(`"a\ud83db\n"`))
	require.NoError(t, err)
	require.Equal(t, "a\ufffdb\n", e.Content)
	require.Contains(t, e.View.Transforms, envelope.Transform{Name: "lone_surrogate", Count: coverage.Exactly(1), Loses: true})
	require.False(t, e.View.Complete)
	e, err = c.Clip(ctx, json.RawMessage(`"\u0000\u0001binary\u0000"`))
	require.NoError(t, err)
	require.Equal(t, "text/plain", e.MediaType, "what a string holds is text")
	require.Contains(t, e.Content, "binary")
}

func TestInsideJSONThatStopsIsSaid(t *testing.T) {
	whole := `{"rows":[{"id":1,"name":"one"},{"id":2,"name":"two"}]}`
	for n := range len(whole) {
		e, err := newClipper(t, clip.Config{Show: clip.Show{Inside: true, Pointer: "/text"}}).Clip(ctx, json.RawMessage(`{"text":`+inString(whole[:n])+`}`))
		require.NoError(t, err)
		require.Equal(t, whole[:n], e.Content)
		if n < 16 {
			require.NotContains(t, codesOf(e.Reasons), coverage.ByteTruncated)
			continue
		}
		require.Equal(t, coverage.ByteTruncated, e.Reasons[0].Code)
		require.Equal(t, "/text", e.Reasons[0].Where)
		require.Contains(t, e.Reasons[0].Message, fmt.Sprintf("byte %d", n))
		require.Equal(t, envelope.AcquiredNo, e.Acquired)
		require.Equal(t, "text/plain", e.MediaType)
	}
	e, err := newClipper(t, clip.Config{Show: clip.Show{Inside: true}}).Clip(ctx, json.RawMessage(inString(`[see the "manual" for more of this`)))
	require.NoError(t, err)
	require.Empty(t, e.Reasons, "a text in a bracket is a text")
}

func TestInsideASmallerBudgetCutsTheSameFurther(t *testing.T) {
	text := lines("a line", 3000)
	store := artifact.NewMemory(nil)
	big := newClipper(t, clip.Config{Store: store, Followups: clip.AllFollowups})
	small, err := big.With(func(cfg *clip.Config) { cfg.Budget = clip.Bytes(1200) })
	require.NoError(t, err)
	whole, err := big.Clip(ctx, json.RawMessage(mcp(text)))
	require.NoError(t, err)
	for _, show := range []clip.Show{
		{Pointer: mcpText, Inside: true, Unit: coverage.Line, At: 100},
		{Pointer: mcpText, Inside: true, Unit: coverage.Byte, At: 1000},
	} {
		e := page(t, big, whole, show)
		again, err := small.Clip(ctx, e)
		require.NoError(t, err)
		require.LessOrEqual(t, len(again.Text()), 1200)
		require.Equal(t, e.View.ByteTotal, again.View.ByteTotal)
		require.True(t, strings.HasPrefix(e.Content, again.Content))
		require.Equal(t, true, again.Next[0].Arguments["inside"])
		require.Equal(t, mcpText, again.Next[0].Arguments["pointer"])
		require.Equal(t, e.View.Bytes[0].Start, again.View.Bytes[0].Start)
	}
}

// Bytes of what a string holds are no bytes of the artifact: nobody has seen those.
func TestInsideCreditsNoBytesOfTheArtifact(t *testing.T) {
	seen := coverage.NewReading(10)
	c := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Reading: seen, Budget: clip.Bytes(1200)})
	e, err := c.Clip(ctx, json.RawMessage(mcp(lines("a line", 3000))))
	require.NoError(t, err)
	before := seen.Seen("", e.Artifact.SHA256, coverage.Byte)
	require.NotEmpty(t, before)
	p := page(t, c, e, clip.Show{Pointer: mcpText, Inside: true, Unit: coverage.Line, At: 2000})
	require.NotEmpty(t, p.View.Bytes)
	require.Equal(t, before, seen.Seen("", e.Artifact.SHA256, coverage.Byte))
}

func TestInsideAPolicyAndASmallerBudget(t *testing.T) {
	doc := `{"total":900,"rows":[` + repeat(900, func(i int) string { return fmt.Sprintf(`{"id":%d}`, i) }) + `]}`
	for _, text := range []string{doc, lines("a line", 3000)} {
		big := newClipper(t, clip.Config{Store: artifact.NewMemory(nil), Followups: clip.AllFollowups, Budget: clip.Bytes(4000), Show: clip.Show{Inside: true}})
		small, err := big.With(func(cfg *clip.Config) { cfg.Budget = clip.Bytes(1200) })
		require.NoError(t, err)
		e, err := big.Clip(ctx, json.RawMessage(inString(text)))
		require.NoError(t, err)
		require.False(t, e.View.Complete)
		again, err := small.Clip(ctx, e)
		require.NoError(t, err)
		require.LessOrEqual(t, len(again.Text()), 1200)
		require.Equal(t, e.MediaType, again.MediaType)
		require.Equal(t, e.View.UnitTotal, again.View.UnitTotal)
		require.Equal(t, e.View.Pointer, again.View.Pointer)
		require.Equal(t, e.Content[:20], again.Content[:20])
	}
}

func TestInsideIsCountedInTheBudgetsUnit(t *testing.T) {
	doc := `{"rows":[` + repeat(900, func(i int) string { return fmt.Sprintf(`{"名":"%d"}`, i) }) + `]}`
	p, err := clip.Cut(strings.NewReader(inString(doc)), clip.Runes(500), clip.Show{Inside: true})
	require.NoError(t, err)
	i := slices.IndexFunc(p.View.Omissions, func(o envelope.Omission) bool { return o.Unit == coverage.Rune })
	require.GreaterOrEqual(t, i, 0)
	require.Equal(t, coverage.Exactly(int64(utf8.RuneCountInString(doc))), p.View.Omissions[i].Total, "of what the string holds")
	require.Equal(t, int64(utf8.RuneCountInString(p.Content)), p.View.Omissions[i].Shown)
}

// What a string holds, read inside, is what would be shown of it as a result of its
// own, in every unit.
func TestInsideIsLikeAResultOfItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(bytes.ToValidUTF8(drawBytes(t), []byte("?")))
		if json.Valid([]byte(text)) && kindOf([]byte(text)) == '"' {
			return // a string in a string: what that holds is shown
		}
		n := rapid.IntRange(0, 2000).Draw(t, "n")
		b := rapid.SampledFrom([]clip.Budget{clip.Bytes(n), clip.Runes(n), clip.Graphemes(n), clip.Lines(n), clip.Tokens(n, nil)}).Draw(t, "budget")
		show := clip.Show{Charset: "utf-8", Ends: clip.Ends(rapid.IntRange(0, 3).Draw(t, "ends")), Raw: rapid.Bool().Draw(t, "raw")}
		want, err := clip.Cut(strings.NewReader(text), b, show)
		require.NoError(t, err)
		show.Inside = true
		got, err := clip.Cut(strings.NewReader(" "+inString(text)+"\n"), b, show)
		require.NoError(t, err)
		if len(want.Reasons) > 0 && want.Reasons[0].Code == coverage.NotText {
			require.Equal(t, "text/plain", got.MediaType, "what a string holds is text")
			return
		}
		require.Equal(t, envelope.Transform{Name: clip.InsideTransform, Count: coverage.Exactly(1)}, got.View.Transforms[0])
		want.View.Exact, want.View.Pointer = false, got.View.Pointer
		got.View.Transforms = append([]envelope.Transform(nil), got.View.Transforms[1:]...)
		require.Equal(t, want.View, got.View)
		require.Equal(t, want.Content, got.Content)
		require.Equal(t, want.MediaType, got.MediaType)
	})
}

func TestInsideChunksChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(bytes.ToValidUTF8(drawBytes(t), []byte("?")))
		doc := rapid.SampledFrom([]string{mcp(text), inString(text), mcp(mcp(text)), mcp(text) + "x", mcp(text)[:len(text)/2+3]}).Draw(t, "document")
		show := clip.Show{
			Pointer: rapid.SampledFrom([]string{"", mcpText, mcpText + mcpText, mcpText + "/items/0", mcpText + "/0"}).Draw(t, "pointer"),
			Inside:  rapid.Bool().Draw(t, "inside"),
			Unit:    rapid.SampledFrom([]coverage.Unit{"", coverage.Byte, coverage.Item}).Draw(t, "unit"),
		}
		if show.Unit != "" {
			show.At = rapid.Int64Range(0, 200).Draw(t, "at")
		}
		if show.Inside && rapid.Bool().Draw(t, "lines") {
			show.Unit = coverage.Line
		}
		b := clip.Bytes(rapid.IntRange(0, 900).Draw(t, "bytes"))
		want, err := clip.Cut(strings.NewReader(doc), b, show)
		require.NoError(t, err)
		for _, split := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader} {
			got, err := clip.Cut(split(strings.NewReader(doc)), b, show)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		require.LessOrEqual(t, len(want.Content), 900)
		if want.MediaType == "application/json" && want.Content != "" && show.Unit != coverage.Byte && show.Unit != coverage.Line {
			require.True(t, json.Valid([]byte(want.Content)), "%s", want.Content)
		}
	})
}

// Memory depends on the budget, not on the string.
func TestInsideIsBounded(t *testing.T) {
	body := inString(lines("a line of a very long text", 1000))
	src := &stream{head: `{"text":"`, unit: body[1 : len(body)-1], tail: `"}`, size: 48 << 20}
	before := heap()
	p, err := clip.Cut(src, clip.Bytes(2000), clip.Show{Pointer: "/text", Inside: true, Unit: coverage.Line, At: 10_000, To: 10_001})
	require.NoError(t, err)
	require.Equal(t, "a line of a very long text 1\n", p.Content)
	require.Zero(t, p.View.UnitTotal.Value%1000)
	require.Greater(t, p.View.UnitTotal.Value, int64(1_000_000))
	require.Less(t, src.peak, before+(2<<20))
}
