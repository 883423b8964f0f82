package textview

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// feedsFor is s with a line feed for each carriage return that does not belong to one.
func feedsFor(s string) string {
	between := strings.Split(s, "\r\n")
	for i := range between {
		between[i] = strings.ReplaceAll(between[i], "\r", "\n")
	}
	return strings.Join(between, "\r\n")
}

// What is shown of a document, and which bytes that is, is what would be shown if its
// carriage returns were line feeds; only lines are counted by the line feeds it has.
func TestCarriageReturnsEndLinesOfADocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := []string{"a", "1,2,3\r", "x\r", "\r", "\r\r\r", "\n", "\r\n", "\r\r\n", "中文", "👨‍👩‍👧‍👦", "\u0301", "\x00", "\xff", strings.Repeat("long ", 300), strings.Repeat("row\r", 500)}
		var b strings.Builder
		for range uniform(t, "rows", 30) {
			b.WriteString(pick(t, "row", rows))
		}
		src := b.String()
		feeds := feedsFor(src)
		l := limit(t, len(src))
		o := Options{
			Ends: pick(t, "ends", []Ends{Head, Tail, HeadAndTail}), TailShare: pick(t, "share", []float64{0.1, 0.5}),
			Document: true, Retain: l.Bytes, Charset: "utf-8",
		}
		got := atOnce(o, src).Plan(l)
		o.Document = false
		want := atOnce(o, feeds).Plan(l)
		require.Equal(t, want.Content, got.Content, "%.300q at %v", src, l)
		require.Equal(t, want.Bytes, got.Bytes)
		require.Equal(t, want.Cuts, got.Cuts)
		require.Equal(t, lineCount(src), got.UnitTotal)
		checkLines(t, src, got)
		ends := int64(0)
		for _, r := range got.Bytes {
			ends += int64(strings.Count(feeds[r.Start:r.End], "\n") - strings.Count(src[r.Start:r.End], "\n"))
		}
		require.Equal(t, ends, transform(got, CREnds).Count)
		require.Zero(t, transform(got, Folded).Count)
	})
}

// Nothing of a document is overwritten or erased, whatever a terminal would do.
func TestNothingOfADocumentIsFolded(t *testing.T) {
	for src, want := range map[string]string{
		"a\rb\rc\n":               "a\nb\nc\n",
		"one\rtwo":                "one\ntwo",
		"done\r":                  "done\n",
		"a\r\nb\r\r\n":            "a\r\nb\n\r\n",
		"ab\bc":                   "ab␈c",
		"Hello\rHi\x1b[K":         "Hello\nHi␛[K",
		"\x1b[31mred\x1b[0m\rtwo": "red\ntwo",
	} {
		p := planOf(Options{Document: true}, src, 200)
		require.Equal(t, want, p.Content, "%q", src)
		require.True(t, p.Complete, "%q", src)
		require.False(t, p.Exact, "%q", src)
		raw := planOf(Options{Document: true, Raw: true}, src, 200)
		require.Equal(t, src, raw.Content)
		require.True(t, raw.Exact)
	}
}
