package coverage_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	. "github.com/toolclip/toolclip/coverage"
)

func TestJSONID(t *testing.T) {
	tests := []struct{ record, id string }{
		{`{"id":"a"}`, "a"},
		{`{"id":9007199254740993}`, "9007199254740993"},
		{`{"id":1.0}`, "1.0"},
		{`{"id":"\u00e9\n\/"}`, "é\n/"},
		{`{"id":"\ud83d\ude00"}`, "😀"},
		{`{"x":{"id":"no"},"id":"yes"}`, "yes"},
		{` {"id" : "a" } `, "a"},
		{`{"id":"first","id":"second"}`, "first"},
		{`{"\u0069d":"an escaped key"}`, "an escaped key"},
		{`{"a":"\"id\":\"no\"","id":"yes"}`, "yes"},
		{`{"id":""}`, ""},
		{`{"id":null}`, ""},
		{`{"id":true}`, ""},
		{`{"id":["a"]}`, ""},
		{`{"id":"a"`, ""},
		{`{"id":"a"} x`, ""},
		{`{"id":"a` + "\xff" + `"}`, ""},
		{`not JSON`, ""},
		{``, ""},
		{`[]`, ""},
		{`"id"`, ""},
	}
	for _, tt := range tests {
		require.Equal(t, tt.id, JSONID("id")([]byte(tt.record)), tt.record)
	}
	require.Equal(t, "x", JSONID("order", "key", "[1]")([]byte(`{"order":{"key":["w","x"]}}`)))
	require.Empty(t, JSONID()([]byte(`"a"`)), "no path")
}

// encoding/json is the oracle, where no key occurs twice.
func FuzzJSONID(f *testing.F) {
	f.Add([]byte(`{"id":"a","x":[1,{"id":2}]}`), "id")
	f.Add([]byte(`{"":1,"a\"b":"c"}`), "a\"b")
	f.Add([]byte(`{"id":"\ud83d"}`), "id")
	f.Fuzz(func(t *testing.T, record []byte, key string) {
		got := JSONID(key)(record)
		if len(key) > 1 && key[0] == '[' {
			return // an index
		}
		want, ok := oracleID(record, key)
		if ok && got != want {
			t.Fatalf("%q at %q in %q, want %q", got, key, record, want)
		}
	})
}

func oracleID(record []byte, key string) (string, bool) {
	if !json.Valid(record) || !utf8.Valid(record) {
		return "", true
	}
	d := json.NewDecoder(bytes.NewReader(record))
	open, err := d.Token()
	if err != nil || open != json.Delim('{') {
		return "", true
	}
	id, seen := "", map[string]bool{}
	for d.More() {
		k, err := d.Token()
		if err != nil || seen[k.(string)] {
			return "", false
		}
		seen[k.(string)] = true
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return "", false
		}
		if k == key {
			id = scalar(v)
		}
	}
	return id, true
}

func scalar(v json.RawMessage) string {
	switch v[0] {
	case '"':
		var s string
		json.Unmarshal(v, &s)
		if strings.Count(s, "\uFFFD") > replacements(v) {
			return "" // half of a surrogate pair
		}
		return s
	case '{', '[', 't', 'f', 'n':
		return ""
	}
	return string(v)
}

var escapes = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|.)`)

// replacements is how many U+FFFD are written in v.
func replacements(v []byte) int {
	n := bytes.Count(v, []byte("\uFFFD"))
	for _, e := range escapes.FindAll(v, -1) {
		if strings.EqualFold(string(e), `\ufffd`) {
			n++
		}
	}
	return n
}
