package coverage

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/buger/jsonparser"
)

// JSONID returns a function that takes the id out of a raw JSON record: the value
// at path, whose elements are keys, or "[0]" for an element of an array. A string
// is decoded; a number is taken as it is written, so that 2^53+1 stays itself and
// 1 and 1.0 are two ids, and 1 and "1" are one. Of a key that occurs twice the first counts. The id is
// "", which no ledger takes for complete, when the record is not valid JSON
// (RFC 8259) in UTF-8 or has no string or number at path, or when half of a
// surrogate pair is in the string: nothing that can be decoded tells those apart.
func JSONID(path ...string) func([]byte) string {
	path = append([]string(nil), path...)
	return func(record []byte) string {
		if len(path) == 0 || !json.Valid(record) || !utf8.Valid(record) {
			return ""
		}
		value, kind, _, err := jsonparser.Get(record)
		for _, elem := range path {
			if err == nil {
				value, kind, err = child(value, kind, elem)
			}
		}
		switch {
		case err != nil:
			return ""
		case kind == jsonparser.Number:
			return string(value)
		case kind == jsonparser.String:
			return unquote(value)
		}
		return ""
	}
}

// child is the value in an object or array that one element of a path leads to. The
// whole path at once would lead on, where a value is no object or array, into what stands
// behind it.
func child(value []byte, kind jsonparser.ValueType, elem string) ([]byte, jsonparser.ValueType, error) {
	isIndex := indexed(elem)
	if kind != jsonparser.Object && !(kind == jsonparser.Array && isIndex) {
		return nil, kind, jsonparser.KeyPathNotFoundError
	}
	value, kind, _, err := jsonparser.Get(value, elem)
	return value, kind, err
}

// indexed reports whether elem is an element of an array: "[0]", "[1]", …
func indexed(elem string) bool {
	digits, ok := strings.CutPrefix(elem, "[")
	digits, ok2 := strings.CutSuffix(digits, "]")
	n, err := strconv.Atoi(digits)
	return ok && ok2 && err == nil && strconv.Itoa(n) == digits && n >= 0
}

// hasLoneSurrogate reports whether an escape in value, the inside of a valid JSON
// string, is half of a pair.
func hasLoneSurrogate(value []byte) bool {
	for i := bytes.IndexByte(value, '\\'); i >= 0 && i < len(value); {
		switch r := escaped(value[i:]); {
		case value[i] != '\\':
			i++
		case value[i+1] != 'u':
			i += len(`\n`)
		case !utf16.IsSurrogate(r):
			i += len(`\u0000`)
		case utf16.DecodeRune(r, escaped(value[i+len(`\u0000`):])) == utf8.RuneError:
			return true
		default:
			i += len(`\u0000\u0000`)
		}
	}
	return false
}

// escaped is the number in the \u escape that s begins with, or -1.
func escaped(s []byte) rune {
	if len(s) < len(`\u0000`) || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// unquote decodes what is between the quotes of a valid JSON string.
func unquote(value []byte) string {
	if hasLoneSurrogate(value) {
		return ""
	}
	var s string
	quoted := append(append([]byte{'"'}, value...), '"')
	if json.Unmarshal(quoted, &s) != nil {
		return ""
	}
	return s
}
