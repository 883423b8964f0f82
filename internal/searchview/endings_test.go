package searchview

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Text of Windows ends its lines with CR LF. What looks for the end of a line finds it,
// and what looks for the CR finds that.
func TestLinesEndWithCRLFToo(t *testing.T) {
	for _, c := range []struct {
		pattern string
		line    string
		matches int
	}{
		{`FAIL$`, "FAIL", 1}, {`^FAIL$`, "FAIL", 1}, {`(FAIL|PASS)$`, "a PASS", 1}, {`(?m)FAIL$`, "FAIL", 1},
		{`(?i)fail$`, "FAIL", 1}, {`PASS$|FAIL$`, "FAIL", 1}, {`^$`, "", 1}, {`$`, "x", 1}, {`L+$|x`, "FAILx", 1}, {`FAIL.*$`, "FAIL now", 1},
		{`FAIL$`, "FAIL now", 0}, {`AI$`, "FAIL", 0}, {`FA$IL`, "FAIL", 0},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			v := read(Options{Expr: regexp.MustCompile(c.pattern), Retain: 1 << 20}, []byte(strings.Repeat(c.line+end, 3)))
			require.Len(t, v.keep.hits, 3*c.matches, "%s in %q", c.pattern, c.line+end)
			long := strings.Repeat("long ", 100)
			small := readSmall(Options{Expr: regexp.MustCompile(c.pattern), Retain: 1 << 20}, []byte(strings.Repeat(c.line+end+long+end, 2)))
			require.GreaterOrEqual(t, len(small.keep.hits), 2*c.matches)
		}
	}
	crs := read(Options{Expr: regexp.MustCompile(`L\r$`), Retain: 1 << 20}, []byte("FAIL\r\nFAIL\n"))
	require.Len(t, crs.keep.hits, 1)
	all := read(Options{Expr: regexp.MustCompile(`L\z`), Retain: 1 << 20}, []byte("FAIL\r\nFAIL\n"))
	require.Len(t, all.keep.hits, 1, "\\z is the end of the line, with its CR")
}
