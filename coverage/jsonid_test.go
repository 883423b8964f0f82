package coverage_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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

	for _, record := range []string{ // what stands behind a value that the path can't lead into is not its child
		`{"user":null,"owner":{"id":"no"}}`, `{"user":"x","data":{"id":"no"},"id":"no"}`,
		`{"user":{"name":"x"},"id":"no"}`, `{"user":{},"user":{"id":"no"}}`, `{"user":[{"id":"no"}]}`,
	} {
		require.Empty(t, JSONID("user", "id")([]byte(record)), record)
	}
	for _, record := range []string{`{"ids":null,"other":["no"]}`, `{"ids":"x","other":["no"]}`, `{"ids":{},"other":["no"]}`, `{"ids":[],"other":["no"]}`} {
		require.Empty(t, JSONID("ids", "[0]")([]byte(record)), record)
	}
	for _, index := range []string{"[00]", "[+0]", "[-1]", "[ 0]", "[]", "[", "[2]", "0"} {
		require.Empty(t, JSONID(index)([]byte(`["a","b"]`)), index)
	}
}

// The id is the value that a reader of the whole document finds by going along the path,
// the first of equal keys at each step.
func TestJSONIDFollowsThePath(t *testing.T) {
	every := []string{"id", "", "[0]", "\\", "\"", "é", "😀", "a.b", "\n", "["}
	written := map[string][]string{"id": {`"id"`, `"i\u0064"`}, "é": {`"é"`, `"\u00e9"`}, "😀": {`"😀"`, `"\ud83d\ude00"`}}
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.SampledFrom(every), 1, 2).Draw(t, "keys") // few, so that paths lead somewhere
		space := func() string { return rapid.SampledFrom([]string{"", "", " ", "\n\t"}).Draw(t, "space") }
		var value func(depth, kind int) string
		value = func(depth, kind int) string {
			switch {
			case kind <= 2 && depth > 0:
				var members []string
				for range rapid.IntRange(1, 4).Draw(t, "members") {
					key := rapid.SampledFrom(keys).Draw(t, "key")
					quoted, _ := json.Marshal(key)
					forms := append([]string{string(quoted)}, written[key]...)
					members = append(members, space()+rapid.SampledFrom(forms).Draw(t, "form")+space()+":"+space()+value(depth-1, rapid.IntRange(0, 5).Draw(t, "kind"))+space())
				}
				return "{" + strings.Join(members, ",") + "}"
			case kind == 3 && depth > 0:
				var elements []string
				for range rapid.IntRange(0, 3).Draw(t, "elements") {
					elements = append(elements, space()+value(depth-1, rapid.IntRange(0, 5).Draw(t, "kind"))+space())
				}
				return "[" + strings.Join(elements, ",") + "]"
			}
			return rapid.SampledFrom([]string{"1", "-0", "1E400", "true", "null", `"a"`, `""`, `"{\"id\":1}"`, `"]"`, `"\\\""`, `"[\"no\"]"`, `"\u0041"`}).Draw(t, "scalar")
		}
		doc := space() + value(4, rapid.IntRange(0, 3).Draw(t, "root")) + space()
		path := rapid.SliceOfN(rapid.SampledFrom(append([]string{"[0]"}, keys...)), 1, rapid.IntRange(1, 3).Draw(t, "longest")).Draw(t, "path")
		want := along([]byte(doc), path)
		if want != "" {
			found++
		}
		require.Equal(t, want, JSONID(path...)([]byte(doc)), "%q in %s", path, doc)
	})
	require.Positive(t, found)
}

// along is the id at path in valid JSON.
func along(value json.RawMessage, path []string) string {
	value = bytes.TrimSpace(value)
	if len(path) == 0 {
		return scalar(value)
	}
	switch value[0] {
	case '{':
		d := json.NewDecoder(bytes.NewReader(value))
		d.Token()
		for d.More() {
			key, _ := d.Token()
			var v json.RawMessage
			d.Decode(&v)
			if key == path[0] {
				return along(v, path[1:])
			}
		}
	case '[':
		var elements []json.RawMessage
		json.Unmarshal(value, &elements)
		for i, v := range elements {
			if path[0] == fmt.Sprintf("[%d]", i) {
				return along(v, path[1:])
			}
		}
	}
	return ""
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
