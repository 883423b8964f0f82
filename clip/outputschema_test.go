package clip_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/envelope"
)

// A result with an output schema, as tools of MCP declare one, still validates when it
// is cut, for what a cut can keep: types, required members, closed objects, enums,
// numbers and short strings.
var outputSchemas = []struct {
	name, schema string
	required     []string // that the policy names
	doc          func(n int) string
}{
	{
		"a list in an object",
		`{"type":"object","required":["results","total"],"additionalProperties":false,"properties":{"total":{"type":"integer","minimum":1},"note":{"type":"string"},
		"results":{"type":"array","items":{"type":"object","required":["id","status","title","tags"],"additionalProperties":false,"properties":{"id":{"type":"integer"},"status":{"enum":["open","closed","waiting for somebody else"]},
		"title":{"type":"string","minLength":1},"tags":{"type":"array","items":{"type":"string","pattern":"^[a-z]+$"}},"parent":{"type":["integer","null"]}}}}}}`,
		[]string{"results", "total"},
		func(n int) string {
			return `{"note":"` + strings.Repeat("n", 5000) + `","results":[` + repeat(n, func(i int) string {
				return fmt.Sprintf(`{"id":%d,"status":"%s","title":"title %d","tags":["a","bc"],"parent":null}`, 9007199254740993+i, []string{"open", "closed", "waiting for somebody else"}[i%3], i)
			}) + `],"total":` + fmt.Sprint(n+1) + `}`
		},
	},
	{
		"an array",
		`{"type":"array","items":{"type":"object","required":["name","size","at"],"properties":{"name":{"type":"string"},"size":{"type":"number","exclusiveMinimum":0},"at":{"type":"object","required":["x","y"],"properties":{"x":{"type":"number"},"y":{"type":"number"}}}}}}`,
		nil,
		func(n int) string {
			return "[" + repeat(n, func(i int) string {
				return fmt.Sprintf(`{"name":"f%d","size":%d.5,"at":{"x":%d,"y":-1E-3}}`, i, i+1, i)
			}) + "]"
		},
	},
	{
		"large records",
		`{"type":"array","items":{"type":"object","required":["id","body","meta","links"],"additionalProperties":false,"properties":{"id":{"type":"string","minLength":8,"maxLength":8},"body":{"type":"string"},"meta":{"type":"object"},"links":{"type":"array","items":{"type":"string","pattern":"^https://"}}}}}`,
		nil,
		func(n int) string {
			return "[" + repeat(n, func(i int) string {
				return fmt.Sprintf(`{"id":"%08d","body":"%s","meta":{"a":"%s"},"links":["https://example.com/%d"]}`, i, strings.Repeat("字", 3000), strings.Repeat("m", 900), i)
			}) + "]"
		},
	},
	{
		"a map of lists",
		`{"type":"object","additionalProperties":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}}`,
		nil,
		func(n int) string {
			return "{" + repeat(n, func(i int) string { return fmt.Sprintf(`"k%d":[[1,2,3],[%d],[]]`, i, i) }) + "}"
		},
	},
	{
		"a tree",
		`{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`,
		[]string{"name"},
		func(n int) string {
			leaf := repeat(n, func(i int) string { return fmt.Sprintf(`{"name":"leaf %d"}`, i) })
			return `{"kids":[{"name":"a","kids":[` + leaf + `]},{"name":"b","kids":[{"name":"c","kids":[` + leaf + `]}]}],"name":"root"}`
		},
	},
	{
		"one of two",
		`{"oneOf":[{"type":"object","required":["ok","rows"],"properties":{"ok":{"const":true},"rows":{"type":"array"}}},{"type":"object","required":["ok","error"],"properties":{"ok":{"const":false},"error":{"type":"string"}}}]}`,
		[]string{"ok", "rows"},
		func(n int) string {
			return `{"rows":[` + repeat(n, func(i int) string { return fmt.Sprint(i) }) + `],"ok":true}`
		},
	},
	{"a string", `{"type":"string"}`, nil, func(n int) string { return `"` + strings.Repeat("word ", n) + `"` }},
}

// repeat is n values with commas between them.
func repeat(n int, value func(int) string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = value(i)
	}
	return strings.Join(out, ",")
}

func TestLaw03AnOutputSchemaStillValidates(t *testing.T) {
	t.Parallel()
	for _, tc := range outputSchemas {
		var s jsonschema.Schema
		require.NoError(t, json.Unmarshal([]byte(tc.schema), &s), tc.name)
		resolved, err := s.Resolve(nil)
		require.NoError(t, err)
		validate := func(content, name string) {
			var v any
			require.NoError(t, json.Unmarshal([]byte(content), &v), name)
			require.NoError(t, resolved.Validate(v), "%s: %.300s", name, content)
		}
		for _, n := range []int{1, 3, 300} {
			doc := tc.doc(n)
			validate(doc, tc.name)
			for _, ends := range []clip.Ends{clip.Head, clip.Tail, clip.HeadAndTail} {
				for b := 160; b < 20_000; b += 1 + b/2 {
					p, err := clip.JSON([]byte(doc), clip.Bytes(b), clip.Show{Ends: ends, Required: tc.required})
					require.NoError(t, err)
					validate(p.Content, fmt.Sprintf("%s, %d items, %d bytes", tc.name, n, b))
				}
			}
		}
	}
}

// The in-band form adds one member: a schema that closes its root refuses it, any other
// still validates, and what was read back always does.
func TestInBandDataStillValidate(t *testing.T) {
	for _, tc := range outputSchemas {
		var s jsonschema.Schema
		require.NoError(t, json.Unmarshal([]byte(tc.schema), &s))
		resolved, err := s.Resolve(nil)
		require.NoError(t, err)
		e, err := newClipper(t, clip.Config{Form: clip.InBandForm, Budget: clip.Bytes(4000), Show: clip.Show{Required: tc.required}}).Clip(ctx, json.RawMessage(tc.doc(300)))
		require.NoError(t, err)
		out := e.InBand("")
		require.LessOrEqual(t, len(out), 4000)
		back, err := envelope.ParseInBand([]byte(out), "")
		require.NoError(t, err)
		var v, data any
		require.NoError(t, json.Unmarshal([]byte(out), &v))
		require.NoError(t, json.Unmarshal([]byte(back.Content), &data))
		require.NoError(t, resolved.Validate(data), tc.name)
		if slices.Contains([]string{"a tree", "one of two"}, tc.name) {
			require.NoError(t, resolved.Validate(v), tc.name)
		}
	}
}
