package followup_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
)

func schemaOf(t *testing.T, tool followup.Tool) *jsonschema.Resolved {
	p, err := json.Marshal(tool.Schema)
	require.NoError(t, err)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(p, &s))
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	require.NoError(t, err)
	require.Equal(t, "https://json-schema.org/draft/2020-12/schema", s.Schema)
	return r
}

// Every call that an envelope names is one that the schemas allow and the tools
// answer.
func TestCallsThatAreNamedAreValid(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	list := `{"items":[` + strings.Repeat(`{"name":"some record"},`, 300) + `{}],"s":"` + strings.Repeat("abc", 1000) + `"}`
	named := 0
	for _, content := range []any{numbered(2000), strings.Repeat("x", 9000), json.RawMessage(list), json.RawMessage("[" + list + "]")} {
		e := b.save(content)
		for _, p := range append(b.readOn(e, 1000), b.searchOn(b.call("artifact_search", on(e, `"pattern":"e|x+","context":1`)))...) {
			for _, n := range p.Next {
				args := n.Arguments
				if n.Search {
					args[clip.ArgPattern] = "x"
				}
				raw, err := json.Marshal(args)
				require.NoError(t, err)
				var v any
				require.NoError(t, json.Unmarshal(raw, &v))
				require.NoError(t, schemaOf(t, b.calls[n.Tool]).Validate(v), "%s %s", n.Tool, raw)
				named++
			}
		}
	}
	require.Greater(t, named, 50)
}

func TestSchemasRefuseWhatTheToolsRefuse(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	for tool, bad := range map[string][]string{
		"artifact_read":   {`{}`, `{"artifact":1}`, `{"artifact":"a","line":0}`, `{"artifact":"a","byte":-1}`, `{"artifact":"a","line":1.5}`, `{"artifact":"a","offset":1}`},
		"artifact_search": {`{"artifact":"a"}`, `{"artifact":"a","pattern":""}`, `{"artifact":"a","pattern":"x","context":21}`, `{"artifact":"a","pattern":"x","limit":1}`},
	} {
		schema := schemaOf(t, b.calls[tool])
		for _, raw := range bad {
			var v any
			require.NoError(t, json.Unmarshal([]byte(raw), &v))
			require.Error(t, schema.Validate(v), raw)
			require.NotNil(t, b.call(tool, raw).Failure, raw)
		}
	}
}

func TestDescriptionsTellWhatAModelNeeds(t *testing.T) {
	for _, l := range []*followup.Limits{nil, {Time: time.Minute}, {Time: -1}} {
		for name, tool := range newBench(t, artifact.NewMemory(nil), l).calls {
			d := tool.Description
			require.GreaterOrEqual(t, strings.Count(d, ". ")+1, 4, name)
			require.Less(t, len(d), 1500, name, "some 400 tokens")
			require.Regexp(t, "counts? from [01]", d, name)
			require.Contains(t, d, "expired", name)
		}
	}
	b := newBench(t, artifact.NewMemory(nil), &followup.Limits{Time: time.Minute})
	require.Contains(t, b.calls["artifact_search"].Description, "after 1m0s")
	require.Contains(t, b.calls["artifact_search"].Description, "everything was searched")
}
