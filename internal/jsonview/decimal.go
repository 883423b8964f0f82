package jsonview

import (
	"bytes"
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
	return decimalOf(strings.TrimRight(s, " \t\r\n")), true
}

// decimalOf reads a valid JSON number.
func decimalOf(s string) (d decimal) {
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
	all := whole + part // no copy when there is no fraction
	d.digits = strings.TrimLeft(all, "0")
	d.exp -= int64(len(all) - len(d.digits))
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
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

// compareNumbers compares a valid JSON number with one that was read before.
// Integers of one sign and length, the usual case, are compared as they stand.
func compareNumbers(raw, text []byte, number decimal) int {
	if len(raw) == len(text) && isDigits(raw) && isDigits(text) {
		return bytes.Compare(raw, text)
	}
	return decimalOf(string(raw)).compare(number)
}

func isDigits(p []byte) bool {
	for _, c := range p {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
