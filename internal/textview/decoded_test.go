package textview

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

// mixed is text in which every other character has another length in the source,
// so that the way back must be shortened on the way.
var mixed = []string{
	strings.Repeat("a中", 5000), strings.Repeat("\r1中2文", 3000), strings.Repeat("同一行 the same\n", 2500), strings.Repeat("字x\n字y\n", 2500),
}

// A source in another encoding is shown as its text is, and the ranges that are
// named decode to what is shown, on every page.
func TestDecodedIsShownAsItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := pick(t, "encoding", []string{"gbk", "utf-16le", "utf-16be", "big5", "gb18030"})
		e, err := htmlindex.Get(name)
		require.NoError(t, err)
		var b strings.Builder
		for range uniform(t, "tokens", 50) {
			if uniform(t, "long", 25) == 0 {
				b.WriteString(pick(t, "long", mixed))
			}
			s := pick(t, "token", []string{"a", "\n", "\r\n", "a中", "文字", "line中 of文 text\n", "\x1b[31m", "\r", "10%\r", "x", "。"})
			b.WriteString(strings.Repeat(s, pick(t, "times", []int{1, 1, 3, 40})))
		}
		text := b.String()
		src, err := e.NewEncoder().String(text)
		require.NoError(t, err)
		o := options(t, len(text))
		o.Unit, o.From, o.To = view.Byte, 0, 0
		if uniform(t, "lines", 3) == 0 {
			o.Unit, o.From, o.To = view.Line, int64(uniform(t, "from", 9)), int64(uniform(t, "to", 20))
		}
		l := view.Limit{Bytes: int64(MinBytes + uniform(t, "bytes", 1000))}
		o.Retain = l.Bytes

		page := func(o Options, p view.Plan, src string) view.Plan {
			r := p.Rest[0]
			return planOf(Options{Raw: o.Raw, Document: o.Document, Fold: o.Fold, Charset: o.Charset, Unit: r.Unit, From: r.From, To: r.To}, src, l.Bytes)
		}
		plain, coded := o, o
		coded.Charset = name
		want, got := planOf(plain, text, l.Bytes), planOf(coded, src, l.Bytes)
		for range 8 {
			sameView(t, want, got, text, src, func(s string) string {
				d, err := e.NewDecoder().String(s)
				require.NoError(t, err)
				return d
			})
			if len(got.Rest) == 0 {
				break
			}
			want, got = page(plain, want, text), page(coded, got, src)
		}
	})
}

func sameView(t *rapid.T, want, got view.Plan, text, src string, decode func(string) string) {
	require.Equal(t, want.Content, got.Content)
	require.Equal(t, want.Units, got.Units)
	require.Equal(t, want.Partly, got.Partly)
	require.Equal(t, want.UnitTotal, got.UnitTotal)
	require.Equal(t, want.Complete, got.Complete)
	require.Len(t, got.Bytes, len(want.Bytes))
	for i, r := range got.Bytes {
		q := want.Bytes[i]
		require.Equal(t, text[q.Start:q.End], decode(src[r.Start:r.End]))
	}
	require.Len(t, got.Rest, len(want.Rest))
	for i, r := range got.Rest {
		q := want.Rest[i]
		require.Equal(t, q.Unit, r.Unit)
		require.Equal(t, text[q.Bytes.Start:q.Bytes.End], decode(src[r.Bytes.Start:r.Bytes.End]))
	}
}

// The first row of a page is shown as it came where it does not fit folded, however
// long it is: the way back to its bytes is kept.
func TestThePartOfALongRowThatIsShownKeepsItsBytes(t *testing.T) {
	for _, start := range []string{"", "x\ny\n"} {
		text := start + strings.Repeat("\r1中2文", 5000) + strings.Repeat("w中", 400)
		src, err := simplifiedchinese.GBK.NewEncoder().String(text)
		require.NoError(t, err)
		from := int64(len(start))
		p := planOf(Options{Charset: "gbk", Unit: view.Byte, From: from, To: int64(len(src))}, src, 900)
		require.Len(t, p.Bytes, 1)
		back, err := simplifiedchinese.GBK.NewDecoder().String(src[p.Bytes[0].Start:p.Bytes[0].End])
		require.NoError(t, err)
		require.Equal(t, back, strings.NewReplacer("␍", "\r").Replace(p.Content))
	}
}
