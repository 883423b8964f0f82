package jsonview

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/jsonstring"
)

// parsePointer splits a JSON Pointer (RFC 6901) into its tokens.
func parsePointer(p string) ([]string, error) {
	if p == "" {
		return nil, nil
	}
	if p[0] != '/' {
		return nil, fmt.Errorf("jsonview: pointer %.60q does not begin with '/'; write \"/\" before each name and index, or \"\" for the root", p)
	}
	path := strings.Split(p[1:], "/")
	for i, t := range path {
		for rest := t; ; {
			_, after, found := strings.Cut(rest, "~")
			if !found {
				break
			}
			if after == "" || after[0] != '0' && after[0] != '1' {
				return nil, fmt.Errorf("jsonview: pointer %.60q has '~' without 0 or 1 behind it; write \"~0\" for '~' and \"~1\" for '/'", p)
			}
			rest = after
		}
		path[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return path, nil
}

var escapeToken = strings.NewReplacer("~", "~0", "/", "~1")

// appendToken adds a reference token to a pointer.
func appendToken(b []byte, token string) []byte {
	return append(append(b, '/'), escapeToken.Replace(token)...)
}

// index is the array index that token names (RFC 6901 section 4), or -1.
func index(token string) int64 {
	if token == "" || token[0] == '0' && len(token) > 1 || token[0] == '+' || token[0] == '-' {
		return -1
	}
	n, err := strconv.ParseInt(token, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// unquote decodes a valid JSON string, with or without its quotes. Lone
// surrogates become U+FFFD.
func unquote(p []byte) string {
	if len(p) >= 2 && p[0] == '"' {
		p = p[1 : len(p)-1]
	}
	return string(appendDecoded(nil, p))
}

// isNamed says whether a raw name in quotes decodes to name.
func isNamed(raw []byte, name string) bool {
	if len(raw) < 2 {
		return false // too long to be held
	}
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw) == name
	}
	return unquote(raw) == name
}

// appendDecoded decodes the raw body of a JSON string.
func appendDecoded(b, raw []byte) []byte {
	for len(raw) > 0 {
		r, n := rawRune(raw)
		if n == 0 {
			break // the body ends inside a rune or an escape
		}
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
		} else {
			b = utf8.AppendRune(b, r)
		}
		raw = raw[n:]
	}
	return b
}

// rawRune decodes the rune at the start of a raw string body: a rune as it is, an
// escape, or a pair of surrogate escapes. A lone surrogate is U+FFFD. It returns
// n = 0 when raw ends before the rune does, or may do so.
func rawRune(raw []byte) (r rune, n int) {
	if len(raw) == 0 {
		return 0, 0
	}
	if raw[0] != '\\' {
		if !utf8.FullRune(raw) {
			return 0, 0
		}
		return utf8.DecodeRune(raw)
	}
	if len(raw) < 2 {
		return 0, 0
	}
	if raw[1] != 'u' {
		return jsonstring.Escape(raw[1]), 2
	}
	if len(raw) < 6 {
		return 0, 0
	}
	r = jsonstring.Hex(raw[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if r < 0xDC00 && isPrefixOfEscape(raw[6:]) {
		if len(raw) < 12 {
			return 0, 0
		}
		if pair := utf16.DecodeRune(r, jsonstring.Hex(raw[8:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// isPrefixOfEscape says whether raw begins a \u escape as far as it goes, and is
// there at all: a raw body that ends behind a high surrogate is complete.
func isPrefixOfEscape(raw []byte) bool {
	return len(raw) > 0 && raw[0] == '\\' && (len(raw) == 1 || raw[1] == 'u')
}
