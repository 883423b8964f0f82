package envelope

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/coverage"
)

const schemaFile = "envelope.schema.json"

// published is the JSON Schema (draft 2020-12) of what this package writes, made from
// the Go types: it can't say another thing than they do.
func published(t testing.TB) *jsonschema.Schema {
	defs, refs := definitions(t)
	part := refs[reflect.TypeFor[Part]()]
	delete(refs, reflect.TypeFor[Part]()) // it is embedded: its fields are the envelope's
	s := infer[Envelope](t, refs)
	s.Properties["parts"].Items = part
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.ID = "https://github.com/toolclip/toolclip/envelope/envelope.schema.json"
	s.Title = "envelope/1"
	s.Description = "What a tool call handed to a model: what is shown of how much, why only that, and how to get the rest. " +
		"Ranges are 0-based and half-open. Readers pass over names that they do not know."
	s.Properties["schema"] = &jsonschema.Schema{Type: "string", Enum: []any{Schema}}
	s.Defs = defs
	return s
}

// described are the types that get a definition of their own.
var described = []struct {
	t    reflect.Type
	text string
}{
	{reflect.TypeFor[coverage.Range](), "The half-open interval [start, end), 0-based."},
	{reflect.TypeFor[coverage.Count](), "A number with its relation to the truth. A count that is left out is unknown."},
	{reflect.TypeFor[coverage.Reason](), "One cause of something missing: which layer cut, and why."},
	{reflect.TypeFor[Cut](), "A place inside the content where something was left out: bytes of content before the gap."},
	{reflect.TypeFor[Omission](), "What one container lacks: shown + part + what is omitted = total."},
	{reflect.TypeFor[Transform](), "A named change made to what is shown."},
	{reflect.TypeFor[Artifact](), "The saved whole."},
	{reflect.TypeFor[View](), "Which part of the artifact is shown."},
	{reflect.TypeFor[Part](), "One of several contents with its account."},
	{reflect.TypeFor[Next](), "A call that can be made now and shows more."},
	{reflect.TypeFor[coverage.Scan](), "What a search looked at and found."},
	{reflect.TypeFor[coverage.Summary](), "The ledger of a data set, in short."},
	{reflect.TypeFor[Failure](), "An error that a model can act on."},
}

// enums are the strings of closed lists. The empty string stands for what nobody said.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[coverage.Unit]():     {"", "byte", "rune", "grapheme", "line", "item", "token"},
	reflect.TypeFor[coverage.Relation](): {"", "eq", "gte", "estimate", "unknown"},
	reflect.TypeFor[Acquired]():          {"", "yes", "no", "unknown"},
	reflect.TypeFor[Effect]():            {"", "none", "done", "unknown"},
	reflect.TypeFor[Retry]():             {"", "never", "after_change", "later"},
	reflect.TypeFor[Handler]():           {"", "model", "program", "person"},
}

// definitions are the schemas of the described types, and for each type what stands
// in its place.
func definitions(t testing.TB) (defs map[string]*jsonschema.Schema, refs map[reflect.Type]*jsonschema.Schema) {
	defs, refs = map[string]*jsonschema.Schema{}, map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
	}
	for typ, values := range enums {
		refs[typ] = &jsonschema.Schema{Type: "string", Enum: values}
	}
	for _, d := range described {
		s, err := jsonschema.ForType(d.t, &jsonschema.ForOptions{TypeSchemas: refs})
		require.NoError(t, err)
		tolerate(s)
		s.Description = d.text
		defs[d.t.Name()] = s
		refs[d.t] = &jsonschema.Schema{Ref: "#/$defs/" + d.t.Name()}
	}
	return defs, refs
}

func infer[T any](t testing.TB, refs map[reflect.Type]*jsonschema.Schema) *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: refs})
	require.NoError(t, err)
	tolerate(s)
	return s
}

// tolerate admits unknown names, and leaves a pointer's null out: it is never written.
func tolerate(s *jsonschema.Schema) {
	s.AdditionalProperties = nil
	for _, p := range s.Properties {
		if p.Ref != "" {
			p.Type, p.Types = "", nil
		}
	}
}

func TestThePublishedSchemaIsThatOfTheTypes(t *testing.T) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(published(t)))
	checkFile(t, schemaFile, b.Bytes())
}

// validator is the published file as any consumer would load it.
func validator(t testing.TB) *jsonschema.Resolved {
	b, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(b, &s))
	r, err := s.Resolve(nil)
	require.NoError(t, err)
	return r
}

func instance(t require.TestingT, v any) any {
	var out any
	require.NoError(t, json.Unmarshal(mustJSON(t, v), &out))
	return out
}

func TestEveryEnvelopeIsValidUnderThePublishedSchema(t *testing.T) {
	v := validator(t)
	rapid.Check(t, func(t *rapid.T) {
		e := genWorded().Draw(t, "worded")
		if e.Failure != nil && (e.Failure.Effect == "x" || e.Failure.Retry == "x") {
			return // not a value of the list
		}
		require.NoError(t, v.Validate(instance(t, e)))
		require.NoError(t, v.Validate(instance(t, e.Map())))
	})
}

func TestThePublishedSchemaRefuses(t *testing.T) {
	v := validator(t)
	valid := func() map[string]any { return instance(t, Style{}.Word(ordinary(), nil)).(map[string]any) }
	require.NoError(t, v.Validate(valid()))

	later := valid()
	later["new"] = 1
	later["view"].(map[string]any)["new"] = 1
	require.NoError(t, v.Validate(later), "names that are not known yet are tolerated")

	for name, spoil := range map[string]func(map[string]any){
		"another version":      func(m map[string]any) { m["schema"] = "envelope/2" },
		"no content":           func(m map[string]any) { delete(m, "content") },
		"content that is JSON": func(m map[string]any) { m["content"] = map[string]any{} },
		"a relation of its own": func(m map[string]any) {
			m["view"].(map[string]any)["byteTotal"] = map[string]any{"value": 1, "relation": "exactly"}
		},
		"half a range": func(m map[string]any) { m["view"].(map[string]any)["bytes"] = []any{map[string]any{"start": 1}} },
		"a fraction of a byte": func(m map[string]any) {
			m["view"].(map[string]any)["bytes"] = []any{map[string]any{"start": 1, "end": 2.5}}
		},
		"arguments in a list": func(m map[string]any) {
			m["next"] = []any{map[string]any{"tool": "t", "arguments": []any{}, "gives": ""}}
		},
	} {
		m := valid()
		spoil(m)
		require.Error(t, v.Validate(m), name)
	}
}

// TestSDKsInferASchema: as they do it, from the Go type, without knowing of ours. The
// nested module mcpenvelope does it with the SDK itself.
func TestSDKsInferASchema(t *testing.T) {
	s, err := jsonschema.For[Envelope](nil)
	require.NoError(t, err)
	require.Less(t, len(mustJSON(t, s)), 10_000, "a tool list carries it")
	r, err := s.Resolve(nil)
	require.NoError(t, err)
	require.NoError(t, r.Validate(instance(t, Style{}.Word(ordinary(), nil))))
}
