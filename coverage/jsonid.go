package coverage

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/buger/jsonparser"
)

// JSONID returns a function that takes the id out of a raw JSON record: the value
// at path, whose elements are keys, or "[0]" for an element of an array. A string
// is decoded; a number is taken as it is written, so that 2^53+1 stays itself and
// 1 and 1.0 are two ids. Of a key that occurs twice the first counts. The id is
// "", which no ledger takes for complete, when the record is not valid JSON
// (RFC 8259) in UTF-8 or has no string or number at path.
func JSONID(path ...string) func([]byte) string {
	path = append([]string(nil), path...)
	return func(record []byte) string {
		if len(path) == 0 || !json.Valid(record) || !utf8.Valid(record) {
			return ""
		}
		value, kind, _, err := jsonparser.Get(record, path...)
		if err != nil {
			return ""
		}
		switch kind {
		case jsonparser.Number:
			return string(value)
		case jsonparser.String:
			return unquote(value)
		}
		return ""
	}
}

// unquote decodes what is between the quotes of a valid JSON string.
func unquote(value []byte) string {
	var s string
	quoted := append(append([]byte{'"'}, value...), '"')
	if json.Unmarshal(quoted, &s) != nil {
		return ""
	}
	return s
}
