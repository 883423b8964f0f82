package searchview

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/textview"
	"github.com/toolclip/toolclip/internal/view"
)

func TestTransformsHaveTheNamesOfPackageTextview(t *testing.T) {
	require.Equal(t, []string{textview.InvalidUTF8, textview.Undecodable, textview.Decoded, textview.BOM, textview.Controls, textview.Hidden},
		[]string{InvalidUTF8, Undecodable, Decoded, BOM, Controls, Hidden})
}

// The text is searched, and the source's bytes are named.
func TestOtherEncodingsAreSearchedAsText(t *testing.T) {
	for name, enc := range map[string]encoding.Encoding{
		"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		"gbk":      simplifiedchinese.GBK,
	} {
		rapid.Check(t, func(t *rapid.T) {
			var b strings.Builder
			for i := range rapid.IntRange(1, 300).Draw(t, "lines") {
				fmt.Fprintf(&b, "%d 中文 text %s\n", i, strings.Repeat("汉a", rapid.IntRange(0, 400).Draw(t, "long")))
			}
			text := b.String()
			source, err := enc.NewEncoder().String(text)
			require.NoError(t, err)
			re := regexp.MustCompile(rapid.SampledFrom([]string{`7 中`, `文 text`, `(汉a)+$`, `a汉{1}a$`, `^1.*`}).Draw(t, "pattern"))
			o := Options{Expr: re, Retain: 5000, Context: 1, Charset: name}
			v := read(o, []byte(source), drawCuts(t, len(source))...)
			p := v.Plan(view.Limit{Bytes: 5000})

			require.Equal(t, int64(len(oracle([]byte(text), re, 0))), p.Scan.Matched)
			require.Equal(t, int64(len(source)), p.Scan.Of)
			var all []byte
			for _, r := range p.Bytes {
				all = append(all, source[r.Start:r.End]...)
			}
			require.Equal(t, p.Content, decoded(t, enc, all))
			if len(p.Rest) > 0 {
				o.From = p.Rest[0].From
				again := read(o, []byte(source)).Plan(view.Limit{Bytes: 5000})
				require.Equal(t, p.Scan.Matched-p.Scan.Returned-abridged(p), again.Scan.Matched, "the next search has the rest")
			}
		})
	}
}

func decoded(t *rapid.T, enc encoding.Encoding, b []byte) string {
	if enc != simplifiedchinese.GBK {
		enc = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
		b = bytes.TrimPrefix(b, []byte("\xff\xfe"))
	}
	s, err := enc.NewDecoder().Bytes(b)
	require.NoError(t, err)
	return string(s)
}

func abridged(p view.Plan) int64 {
	n := int64(0)
	for _, o := range p.Omissions {
		if o.Of == "match" {
			n++
		}
	}
	return n
}

// A long line in a legacy encoding, where text and source correspond differently
// at every turn, is placed right although most of the way back is forgotten.
func TestPlacesInALongDecodedLineAreRight(t *testing.T) {
	times := 100_000
	if testing.Short() {
		times = 40_000
	}
	text := "头" + strings.Repeat("a汉bb字", times) + "尾 needle " + strings.Repeat("cc尾", times) + "末\n"
	source, err := simplifiedchinese.GBK.NewEncoder().String(text)
	require.NoError(t, err)
	for _, pattern := range []string{`needle`, `尾 n.*e `, `头.*needle`, `字尾`, `末$`, `头(?:a|汉|b|字)*尾`} {
		re := regexp.MustCompile(pattern)
		v := read(Options{Expr: re, Retain: 3000, Charset: "gbk"}, []byte(source))
		p := v.Plan(view.Limit{Bytes: 3000})
		require.Equal(t, int64(1), p.Scan.Matched, pattern)
		m := all(v)[0]
		got, err := simplifiedchinese.GBK.NewDecoder().String(source[m.start:m.end])
		require.NoError(t, err)
		require.Equal(t, re.FindString(strings.TrimSuffix(text, "\n")), got, pattern)
		require.NotEmpty(t, p.Content)
	}
}
