package clip_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// Inputs that broke other tools, and what is right. The number in a name is that
// of the kind, the rest says what must hold.

func TestCase06NeverHalfAnEscapePair(t *testing.T) {
	e, err := newClipper(t, clip.Config{}).Clip(ctx, json.RawMessage(`{"a":"x\ud83dy"}`))
	require.NoError(t, err)
	require.Equal(t, `{"a":"x\ufffdy"}`, e.Content)
	require.False(t, e.View.Complete)
	require.NotEmpty(t, e.View.Transforms)
	src := `["` + strings.Repeat(`\ud83d\ude00`, 300) + `"]`
	for n := 150; n < 300; n++ {
		p, err := clip.JSON([]byte(src), clip.Bytes(n), clip.Show{})
		require.NoError(t, err)
		require.True(t, json.Valid([]byte(p.Content)), "%d: %s", n, p.Content)
		require.Equal(t, strings.Count(p.Content, `\ud83d`), strings.Count(p.Content, `\ude00`), "%d", n)
	}
}

func TestCase10AStringIsShortenedInside(t *testing.T) {
	src := `{"results":[{"text":"` + strings.Repeat("word ", 12_000) + `"}]}`
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(50_000)}).Clip(ctx, json.RawMessage(src))
	require.NoError(t, err)
	require.True(t, json.Valid([]byte(e.Content)))
	var doc struct{ Results []struct{ Text string } }
	require.NoError(t, json.Unmarshal([]byte(e.Content), &doc))
	require.NotEmpty(t, doc.Results[0].Text)
	require.Contains(t, pointers(e.View.Omissions), "/results/0/text")
}

func TestCase11ACutOnAnEscape(t *testing.T) {
	for _, bit := range []string{`\\`, `\"`, `\r`, `\u00e9`, `a\\`, `\"b`} {
		src := `["` + strings.Repeat(bit, 200) + `"]`
		for n := 150; n < 170; n++ {
			p, err := clip.JSON([]byte(src), clip.Bytes(n), clip.Show{})
			require.NoError(t, err)
			var got []string
			require.NoError(t, json.Unmarshal([]byte(p.Content), &got), "%s at %d", bit, n)
			var want []string
			require.NoError(t, json.Unmarshal([]byte(src), &want))
			if len(got) == 1 {
				require.True(t, strings.HasPrefix(want[0], got[0]), "a prefix of the string")
			}
		}
	}
}

func TestCase12RequiredKeysSurviveWithTheirTypes(t *testing.T) {
	src := fmt.Sprintf(`{"a":"%s","results":[%s],"b":"%s","total":123}`, strings.Repeat("x", 9000), strings.TrimSuffix(strings.Repeat(`{"id":1},`, 3000), ","), strings.Repeat("y", 9000))
	p, err := clip.JSON([]byte(src), clip.Bytes(400), clip.Show{Required: []string{"results", "total"}})
	require.NoError(t, err)
	var doc struct {
		Results []struct{ ID int }
		Total   *int
	}
	require.NoError(t, json.Unmarshal([]byte(p.Content), &doc))
	require.NotNil(t, doc.Results)
	require.Equal(t, 123, *doc.Total)
}

func TestCase13OneBudgetOverATextAndItsTwin(t *testing.T) {
	doc := `{"rows":[` + strings.TrimSuffix(strings.Repeat(`{"id":1,"text":"abc"},`, 900), ",") + `]}`
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(4000)}).Clip(ctx, clip.Result{Parts: []clip.Named{
		{Name: "text", Content: doc}, {Name: "structured", Content: json.RawMessage(doc)},
	}})
	require.NoError(t, err)
	require.LessOrEqual(t, len(e.Text()), 4000)
	require.Equal(t, e.Parts[0].Content, e.Parts[1].Content, "the same cut in both")
	require.Equal(t, e.Parts[0].View.Omissions, e.Parts[1].View.Omissions)
}

func TestCase14ShownOfTotalIsSaid(t *testing.T) {
	var slugs []string
	for i := range 53 {
		slugs = append(slugs, fmt.Sprintf("r%d", i))
	}
	p, err := json.Marshal(map[string]any{"slugs": slugs})
	require.NoError(t, err)
	part, err := clip.JSON(p, clip.Bytes(200), clip.Show{})
	require.NoError(t, err)
	require.Equal(t, coverage.Exactly(53), part.View.Omissions[0].Total)
	require.Equal(t, "/slugs", part.View.Omissions[0].Pointer)
	require.Positive(t, part.View.Omissions[0].Shown)
}

func TestCase15NumbersAreThoseOfTheSource(t *testing.T) {
	row := `{"id":9007199254740993,"q":-4185925123159566327,"w":18446744073709551617,"f":1.0,"e":1E400}`
	src := "[" + strings.TrimSuffix(strings.Repeat(row+",", 500), ",") + "]"
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(2000)}).Clip(ctx, json.RawMessage(src))
	require.NoError(t, err)
	require.Contains(t, e.Content, row)
	require.Empty(t, strings.ReplaceAll(strings.Trim(e.Content, "[]"), ",", "")[:0])
	for _, got := range strings.SplitAfter(strings.Trim(e.Content, "[]"), "},") {
		require.Equal(t, row, strings.TrimSuffix(got, ","))
	}
}

func TestCase16PointersEscapeKeysAndKeepThemReachable(t *testing.T) {
	long := strings.Repeat("z", 3000)
	for _, key := range []string{"a.b", "a[0]", "a/b", "a~b", "", "~1", "é", "a\u0000b"} {
		k, _ := json.Marshal(key)
		src := fmt.Sprintf(`{"first":1,%s:{"deep":"%s"},"first":2}`, k, long)
		c := kept(t, clip.Bytes(1200))
		e, err := c.Clip(ctx, json.RawMessage(src))
		require.NoError(t, err)
		pointer := "/" + strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
		require.True(t, hasPrefixed(pointers(e.View.Omissions), pointer), "%q in %q", pointer, pointers(e.View.Omissions))
		p := page(t, c, e, clip.Show{Pointer: pointer})
		require.True(t, strings.HasPrefix(p.Content, `{"deep":"zzz`), "%q: %.60s", key, p.Content)
	}
}

func TestCase17AStringOfLinesKeepsItsBytes(t *testing.T) {
	raw, err := json.Marshal(lines("line", 2000))
	require.NoError(t, err)
	c := kept(t, clip.Bytes(2000))
	e, err := c.Clip(ctx, json.RawMessage(raw))
	require.NoError(t, err)
	var head string
	require.NoError(t, json.Unmarshal([]byte(e.Content), &head))
	require.True(t, strings.HasPrefix(lines("line", 2000), head))
	require.Equal(t, int64(len(raw)), e.Artifact.Size)
	p := page(t, c, e, clip.Show{Inside: true, Unit: coverage.Line, At: 1998})
	require.Equal(t, "line 1999\nline 2000\n", p.Content, "it has lines")
	require.Equal(t, clip.InsideTransform, p.View.Transforms[0].Name)
}

func TestCase18RecordsOnOneLineArePagedWhole(t *testing.T) {
	src := "[" + strings.TrimSuffix(strings.Repeat(`{"id":1,"text":"`+strings.Repeat("w", 290)+`"},`, 400), ",") + "]"
	c := kept(t, clip.Bytes(4000))
	e, err := c.Clip(ctx, src)
	require.NoError(t, err)
	seen, pages := e.View.Units[0].End, 0
	for seen < 400 {
		p := page(t, c, e, clip.Show{Unit: coverage.Item, At: seen})
		require.Equal(t, seen, p.View.Units[0].Start)
		require.Greater(t, p.View.Units[0].End, seen, "no page returns nothing")
		var rows []struct{ ID int }
		require.NoError(t, json.Unmarshal([]byte(p.Content), &rows))
		require.Len(t, rows, int(p.View.Units[0].Len()))
		seen = p.View.Units[0].End
		pages++
	}
	require.Less(t, pages, 50)
}

func TestCase19TheNoticeIsNeverGluedToJSON(t *testing.T) {
	src := "[" + strings.TrimSuffix(strings.Repeat(`{"id":1,"text":"abc"},`, 8000), ",") + "]"
	e, err := newClipper(t, clip.Config{}).Clip(ctx, src)
	require.NoError(t, err)
	require.True(t, json.Valid([]byte(e.Content)))
	require.Contains(t, e.Text(), "\n"+e.Content+"\n", "on lines of its own")
	require.NotContains(t, e.Content, e.Fence)
}

func TestCase20ExtremeShapes(t *testing.T) {
	c := newClipper(t, clip.Config{Budget: clip.Bytes(2000)})
	for name, src := range map[string]string{
		"one large element": `[{"id":7,"text":"` + strings.Repeat("x", 90_000) + `"}]`,
		"deep":              strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		"many keys":         manyKeys(100_000),
	} {
		e, err := c.Clip(ctx, json.RawMessage(src))
		require.NoError(t, err, name)
		require.True(t, json.Valid([]byte(e.Content)), "%s: %.100s", name, e.Content)
		require.Equal(t, src[0], e.Content[0], name)
		require.LessOrEqual(t, len(e.Text()), 2000)
		require.False(t, e.View.Complete)
		require.Equal(t, coverage.Exactly(int64(len(src))), e.View.ByteTotal)
	}
}

func TestCase21ADataURIIsNamedWithTypeSizeAndHash(t *testing.T) {
	uri := "data:image/png;base64," + base64.StdEncoding.EncodeToString(make([]byte, 150_000))
	src := fmt.Sprintf(`{"name":"a","image":{"url":"%s"},"after":1}`, uri)
	e, err := newClipper(t, clip.Config{Budget: clip.Bytes(3000)}).Clip(ctx, json.RawMessage(src))
	require.NoError(t, err)
	require.True(t, json.Valid([]byte(e.Content)))
	require.Contains(t, e.Content, `"after":1`)
	for _, o := range e.View.Omissions {
		if o.Pointer == "/image/url" {
			require.Equal(t, "image/png", o.Of)
			require.Len(t, o.SHA256, 64)
			require.Equal(t, coverage.Exactly(int64(len(uri))), o.Total)
			return
		}
	}
	t.Fatalf("no omission at /image/url: %+v", e.View.Omissions)
}

func TestCase21JSONInAJSONStringIsReadAsJSON(t *testing.T) {
	c := kept(t, clip.Bytes(1500))
	e, err := c.Clip(ctx, json.RawMessage(mcp(`{"error":null,"rows":[`+strings.TrimSuffix(strings.Repeat(`{"id":9007199254740993,"name":"a \"b\""},`, 300), ",")+`]}`)))
	require.NoError(t, err)
	require.Contains(t, e.Notice, "/content/0/text")
	require.Contains(t, e.Notice, "JSON object of 2 members")
	p := page(t, c, e, clip.Show{Pointer: mcpText, Inside: true})
	require.True(t, strings.HasPrefix(p.Content, `{"error":null,"rows":[{"id":9007199254740993,"name":"a \"b\""},`), "%.80s", p.Content)
	require.Contains(t, p.Notice, "of 300 in /content/0/text/rows")
}

func hasPrefixed(list []string, prefix string) bool {
	for _, s := range list {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"key%d":%d`, i, i)
	}
	return "{" + b.String()[1:] + "}"
}

// A value that is named by its pointer alone is shown as JSON, cut by its structure,
// and not as bytes of it.
func TestAPointerAloneShowsAValue(t *testing.T) {
	store := artifact.NewMemory(nil)
	c := newClipper(t, clip.Config{Budget: clip.Bytes(1500), Store: store, Followups: clip.AllFollowups})
	long := strings.Repeat("word ", 2000)
	src := `{"a":{"big":"` + long + `"},"b":{"k":["` + long + `","` + long + `",1]},"s":{"x":[1,2]},"t":"text","u":"` + long + `","n":12,"e":{}}`
	whole, err := c.Clip(ctx, src)
	require.NoError(t, err)
	var values map[string]any
	require.NoError(t, json.Unmarshal([]byte(src), &values))
	for name, want := range values {
		r, err := store.Open(ctx, artifact.Scope{}, artifact.Handle(whole.Artifact.Handle))
		require.NoError(t, err)
		e, err := c.Page(ctx, r, clip.Show{Pointer: "/" + name})
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.Equal(t, "application/json", e.MediaType)
		var got any
		require.NoError(t, json.Unmarshal([]byte(e.Content), &got), "%s: %s", name, e.Content)
		require.IsType(t, want, got)
		if len(e.View.Omissions) == 0 {
			require.Equal(t, want, got)
		}
		require.Greater(t, len(e.Text()), min(1200, len(fmt.Sprint(want))), "%s: the budget is used", name)
	}
}

// pageOf is a page of what is kept of e.
func pageOf(t *testing.T, c *clip.Clipper, store artifact.Store, e envelope.Envelope, s clip.Show) envelope.Envelope {
	r, err := store.Open(ctx, artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
	require.NoError(t, err)
	defer r.Close()
	page, err := c.Page(ctx, r, s)
	require.NoError(t, err)
	return page
}

// A query names the rest of a record that is shown in part, and the query from there on.
func TestAQueryGoesOnInEveryForm(t *testing.T) {
	store := artifact.NewMemory(nil)
	src := `[{"a":1,"s":"` + strings.Repeat("x", 6000) + `"},{"a":1,"s":"` + strings.Repeat("x", 3900) + `"},{"a":1,"s":"` + strings.Repeat("x", 3900) + `"}]`
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
		c := newClipper(t, clip.Config{Form: form, Budget: clip.Bytes(4500), Store: store, Followups: clip.AllFollowups})
		whole, err := c.Clip(ctx, src)
		require.NoError(t, err)
		e := pageOf(t, c, store, whole, clip.Show{Only: true, Keep: []clip.Keep{{Pointer: "/a", Op: "==", Value: "1"}}})
		require.Equal(t, coverage.Exactly(3), e.Scan.Matched)
		require.Len(t, e.Next, 2)
		require.Equal(t, "/0/s", e.Next[0].Arguments[clip.ArgPointer])
		require.EqualValues(t, 2, e.Next[1].Arguments[clip.ArgItem])
	}
}

// White space of JSON is no terminal's: bytes that no pointer leads to are all shown.
func TestBytesOfJSONAreNotFolded(t *testing.T) {
	store := artifact.NewMemory(nil)
	src := "{\"k\":1,\"k\":[\r"
	for i := range 400 {
		src += fmt.Sprintf("{\"id\":%d},\r", i)
	}
	src += "0]}\n"
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
		c := newClipper(t, clip.Config{Form: form, Budget: clip.Bytes(2500), Store: store, Followups: clip.AllFollowups})
		e, err := c.Clip(ctx, src)
		require.NoError(t, err)
		seen := e.Content
		for at, to := int64(0), int64(0); ; {
			require.NotEmpty(t, e.Next)
			args := e.Next[0].Arguments
			if args[clip.ArgByte] == nil {
				break // all is read: a search is left
			}
			require.Greater(t, args[clip.ArgByte].(int64), at)
			at, to = args[clip.ArgByte].(int64), args[clip.ArgTo].(int64)
			e = pageOf(t, c, store, e, clip.Show{Unit: coverage.Byte, At: at, To: to})
			seen += e.Content
		}
		for i := range 400 {
			require.Contains(t, seen, fmt.Sprintf(`{"id":%d}`, i), "form %d", form)
		}
	}
}
