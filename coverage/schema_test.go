package coverage_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	. "github.com/toolclip/toolclip/coverage"
)

func resolvedSchema(t require.TestingT) *jsonschema.Resolved {
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(Schema(), &s))
	r, err := s.Resolve(nil)
	require.NoError(t, err)
	return r
}

// object is a report as what a reader of its JSON sees.
func object(t require.TestingT, r Report) map[string]any {
	b, err := json.Marshal(r)
	require.NoError(t, err)
	var o map[string]any
	require.NoError(t, json.Unmarshal(b, &o))
	return o
}

func TestEveryReportFitsThePublishedSchema(t *testing.T) {
	s := resolvedSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		u, o := universeGen.Draw(t, "universe"), optionsGen.Draw(t, "options")
		l := New(u, &o)
		for i := range rapid.IntRange(0, 3).Draw(t, "pages") {
			p := l.Page(string(rune('a' + i)))
			if rapid.Bool().Draw(t, "fails") {
				p.Fail(Reason{Code: rapid.SampledFrom(Codes()).Draw(t, "code")})
			} else {
				p.Done(rapid.SampledFrom([]EndSignal{More, CursorAbsent, PageCap, "made up"}).Draw(t, "end"))
			}
		}
		for _, st := range rapid.SliceOfN(stepGen(rareCalls), 0, 30).Draw(t, "steps") {
			st.on(l)
		}
		if rapid.Bool().Draw(t, "seal") {
			l.Seal()
		}
		r := l.Report().WithView(Line, Set{{0, 3}}, Exactly(9), Scan{Unit: Line, Predicate: "x"})
		if err := s.Validate(object(t, r)); err != nil {
			t.Fatalf("%v\n%s", err, text(r))
		}
	})
}

func TestTheSchemaRefusesWhatNoLedgerMaySay(t *testing.T) {
	s := resolvedSchema(t)
	good := object(t, sealed(Enumerated("a"), nil, "a"))
	require.NoError(t, s.Validate(good))
	set := func(key string, value any) map[string]any {
		o := maps.Clone(good)
		o[key] = value
		return o
	}
	bad := map[string]map[string]any{
		"an open universe that is complete": set("universe", map[string]any{"kind": "open", "authority": "none"}),
		"complete on no basis":              set("acquisition", map[string]any{"state": "complete", "basis": "none"}),
		"incomplete and complete":           set("acquisition", map[string]any{"state": "incomplete", "basis": "identity"}),
		"an assessed answer":                set("answer", map[string]any{"assessed": true}),
		"a bare total":                      set("total", 5),
		"an unknown count":                  set("loaded", map[string]any{"value": 1, "relation": "unknown"}),
		"a negative count":                  set("loaded", map[string]any{"value": -1, "relation": "eq"}),
		"a code outside the list":           set("reasons", []any{map[string]any{"code": "because", "layer": "source"}}),
		"another version":                   set("schema", "coverage/2"),
	}
	for name, o := range bad {
		require.Error(t, s.Validate(o), name)
	}
}

func TestTheSchemaHasTheClosedListOfCodes(t *testing.T) {
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(Schema(), &s))
	var codes []Code
	for _, c := range s.Defs["code"].Enum {
		codes = append(codes, Code(c.(string)))
	}
	require.Equal(t, Codes(), codes)
	for _, c := range codes {
		require.True(t, c.Known())
		require.NotEqual(t, Class(""), c.Class())
	}
}

// The short form has exactly these fields; the full form has them too.
func TestTheShortFormHasExactlyEightFields(t *testing.T) {
	l := New(Enumerated("a", "b"), nil)
	l.Snapshot("v1", "v1")
	l.Loaded("a", nil)
	l.Seal()
	b, err := json.Marshal(l.Report().Summary)
	require.NoError(t, err)
	var o map[string]any
	require.NoError(t, json.Unmarshal(b, &o))
	fields := []string{"byteComplete", "filtered", "identityComplete", "inputComplete", "loaded", "reasons", "requested", "sourceSnapshot"}
	require.Equal(t, fields, slices.Sorted(maps.Keys(o)))
	full := object(t, l.Report())
	for _, f := range fields {
		require.Equal(t, o[f], full[f], f)
	}
}

// An envelope carries a Summary, and SDKs infer schemas from Go types.
func TestSchemasOfTheShortFormCanBeInferred(t *testing.T) {
	s, err := jsonschema.For[Summary](nil)
	require.NoError(t, err)
	r, err := s.Resolve(nil)
	require.NoError(t, err)
	b, err := json.Marshal(sealed(Counted(2), nil, "a").Summary)
	require.NoError(t, err)
	var o map[string]any
	require.NoError(t, json.Unmarshal(b, &o))
	require.NoError(t, r.Validate(o))
}

func TestReportsSurviveJSON(t *testing.T) {
	r := sealed(Enumerated("a", "b", "\xff"), nil, "a", "c")
	b, err := json.Marshal(r)
	require.NoError(t, err)
	var again Report
	require.NoError(t, json.Unmarshal(b, &again))
	require.Equal(t, r, again)
}
