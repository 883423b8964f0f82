package searchview

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/view"
)

// isUTF16 says whether text begins with a byte order mark that makes it UTF-16, whatever
// was declared: the oracle reads UTF-8.
func isUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

// FuzzSearch compares any search in any text, in any chunks, with the plain one.
func FuzzSearch(f *testing.F) {
	for i, p := range patterns {
		f.Add(p, []byte("a needle\nab aab\r\n\xe2\x82é中x\nabcbcd"), uint16(i), uint16(7*i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, pattern string, text []byte, cut1, cut2 uint16, limit uint8) {
		re, err := Compile(pattern, false, 100)
		if err != nil || len(text) > 2000 || isUTF16(text) {
			return
		}
		o := Options{Expr: re, Retain: 1 << 20, Context: int(limit % 3), Charset: "utf-8"}
		cuts := []int{int(cut1) % (len(text) + 1), int(cut2) % (len(text) + 1)}
		slices.Sort(cuts)
		for _, run := range []func(Options, []byte, ...int) *View{read, readSmall} {
			v := run(o, text, cuts...)
			if len(v.skipped) == 0 {
				want := oracle(text[v.dec.BOM():], re, 0)
				got := make([]span, 0)
				for _, h := range v.keep.hits {
					got = append(got, h.span)
				}
				require.Equal(t, append([]span{}, want...), got)
			}
			p := v.Plan(view.Limit{Bytes: int64(limit)})
			require.True(t, utf8.ValidString(p.Content))
			require.LessOrEqual(t, len(p.Content), int(limit))
			require.LessOrEqual(t, p.Scan.Returned, p.Scan.Matched)
		}
	})
}
