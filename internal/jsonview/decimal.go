package jsonview

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

// decimal is a JSON number as it was written, for exact comparison: sign ·
// 0.digits · 10^exp, with no zero at either end of digits. Zero has none.
type decimal struct {
	neg    bool
	digits string
	exp    int64
}

// maxExp bounds exponents; a number beyond is as large, or small, as any.
const maxExp = 1 << 40

// parseDecimal reads a JSON number; ok is false if s is none.
func parseDecimal(s string) (d decimal, ok bool) {
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') || !jsonscan.Valid([]byte(s)) {
		return d, false
	}
	s = strings.TrimRight(s, " \t\r\n")
	s, d.neg = strings.TrimPrefix(s, "-"), s[0] == '-'
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.ParseInt(s[i+1:], 10, 64)
		if err != nil { // out of range: ParseInt gives the nearest
			e = max(min(e, maxExp), -maxExp)
		}
		d.exp, s = max(min(e, maxExp), -maxExp), s[:i]
	}
	whole, part, _ := strings.Cut(s, ".")
	d.exp += int64(len(whole))
	all := whole + part
	d.digits = strings.TrimLeft(all, "0")
	d.exp -= int64(len(all) - len(d.digits))
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		d = decimal{}
	}
	return d, true
}

func (d decimal) compare(e decimal) int {
	if d.neg != e.neg {
		if d.neg {
			return -1
		}
		return 1
	}
	c := d.magnitude(e)
	if d.neg {
		return -c
	}
	return c
}

func (d decimal) magnitude(e decimal) int {
	switch {
	case d.digits == "" || e.digits == "":
		return cmp.Compare(len(d.digits), len(e.digits))
	case d.exp != e.exp:
		return cmp.Compare(d.exp, e.exp)
	}
	return strings.Compare(d.digits, e.digits)
}
