package followup_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/envelope"
)

// What a model sends, and what it is told. A text has 549 lines and 5388 bytes, a
// list 40 items in /items.
func TestPositions(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	text := b.save(numbered(549))
	size := text.View.ByteTotal.Value
	empty := b.save("\n")
	list := b.save(json.RawMessage(`{"items":[` + strings.Repeat(`{"name":"some record"},`, 39) + `{}],"s":"` + strings.Repeat("abc", 1000) + `"}`))
	for _, tc := range []struct {
		of   envelope.Envelope
		args string
		says string // in the Failure; "" for none
		has  string // in the content
	}{
		{text, ``, ``, "line 0\n"},
		{text, `"line":600`, `line 600 is past the end: 549 lines in all`, ``},
		{text, `"line":550`, `line 550 is past the end: 549 lines in all`, ``},
		{text, `"line":549`, ``, "line 548\n"},
		{text, `"line":549,"to":9999999`, ``, "line 548\n"},
		{text, `"line":9223372036854775807`, `is past the end: 549 lines`, ``},
		{text, `"line":99999999999999999999999999`, `is past the end: 549 lines`, ``},
		{text, `"line":1e300`, `is past the end: 549 lines`, ``},
		{text, `"line":-1e300`, `line: "-1e300" is before the beginning`, ``},
		{text, `"line":0`, `line: "0" is before the beginning`, ``},
		{text, `"line":-5`, `line: "-5" is before the beginning`, ``},
		{text, `"line":12.0`, ``, "line 11\n"},
		{text, `"line":"12"`, ``, "line 11\n"},
		{text, `"line":" 12 "`, ``, "line 11\n"},
		{text, `"line":1.2e1`, ``, "line 11\n"},
		{text, `"line":12.5`, `line: "12.5" is not a whole number`, ``},
		{text, `"line":"twelve"`, `is not a whole number`, ``},
		{text, `"line":"0x12"`, `is not a whole number`, ``},
		{text, `"line":"NaN"`, `is not a whole number`, ``},
		{text, `"line":"Inf"`, `is not a whole number`, ``},
		{text, `"line":true`, `is not a whole number`, ``},
		{text, `"line":[1]`, `is not a whole number`, ``},
		{text, `"line":null`, ``, "line 0\n"},
		{text, `"line":5,"to":4`, `to 4 is before line 5`, ``},
		{text, `"line":5,"to":5`, ``, "line 4\n"},
		{text, `"to":5`, `to alone`, ``},
		{text, `"line":1,"byte":2`, `line and byte can't be given together`, ``},
		{text, `"byte":0,"to":6`, ``, "line 0"},
		{text, `"byte":5,"to":5`, `to 5 is not behind byte 5`, ``},
		{text, fmt.Sprintf(`"byte":%d`, size), fmt.Sprintf(`byte %d is past the end: %d bytes in all`, size, size), ``},
		{text, fmt.Sprintf(`"byte":%d`, size-1), ``, "\n"},
		{text, `"byte":-1`, `byte: "-1" is before the beginning`, ``},
		{text, `"item":1`, `not JSON`, ``},
		{text, `"pointer":"/a"`, `not JSON`, ``},
		{text, `"pointer":"a.b"`, `"a.b" is no JSON Pointer`, ``},
		{text, `"pointer":"/a~2"`, `~ that stands for nothing`, ``},
		{text, `"pointer":1`, `pointer: "1" is not a string`, ``},
		{text, `"pointer":"/a","line":1`, `line can't be given with a pointer`, ``},
		{text, `"offset":5`, `no argument "offset"`, ``},
		{empty, `"line":1`, ``, "\n"},
		{empty, `"line":2`, `line 2 is past the end: 1 line in all`, ``},
		{list, `"pointer":"/items","item":40`, ``, "[{}]"},
		{list, `"pointer":"/items","item":41`, `item 41 is past the end: 40 items in all in "/items"`, ``},
		{list, `"pointer":"/items/39"`, ``, "{}"},
		{list, `"pointer":"/items/40"`, `nothing at pointer "/items/40"`, ``},
		{list, `"pointer":"/item"`, `nothing at pointer "/item"`, ``},
		{list, `"pointer":"/s","byte":1,"to":4`, ``, `"bca"`},
		{list, `"pointer":"/s","byte":3000`, `byte 3000 is past the end`, ``},
		{list, `"pointer":"/s","item":1`, `has no items`, ``},
		{list, `"item":2`, ``, `"s"`},
		{list, `"item":3`, `item 3 is past the end: 2 items in all`, ``},
	} {
		t.Run(strings.ReplaceAll(tc.args, "/", "_"), func(t *testing.T) {
			e := b.call("artifact_read", on(tc.of, tc.args))
			if tc.says == "" {
				require.Nil(t, e.Failure, "%+v", e.Failure)
				require.Contains(t, e.Content, tc.has)
				return
			}
			require.NotNil(t, e.Failure, "%q", e.Content)
			require.Contains(t, e.Failure.Message, tc.says)
			require.Equal(t, "bad_argument", e.Failure.Kind)
			require.NotEmpty(t, e.Failure.Advice)
			require.Empty(t, e.Content, "never page 1 again")
		})
	}
}

func TestArgumentsThatAreNoObjectAreToldOf(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	for _, raw := range []string{``, `null`, `{}`, `[]`, `"x"`, `{"artifact":`, `{} {}`, `{"artifact":1}`, `{"artifact":"` + strings.Repeat("x", 2<<20) + `"}`, "\xff", `{"artifact":"../../etc/passwd"}`, `{"artifact":"AAAAAAAAAAAAAAAAAAAAAAAAAA"}`} {
		for tool := range asks {
			e := b.call(tool, raw)
			require.NotNil(t, e.Failure, raw)
			require.Equal(t, "bad_argument", e.Failure.Kind)
			require.Less(t, len(e.Text()), 2001, "within the budget")
		}
	}
}

// FuzzArgumentsNeverBreakTheLoop sends anything. TEXT and LIST stand for artifacts.
func FuzzArgumentsNeverBreakTheLoop(f *testing.F) {
	b := newBench(f, artifact.NewMemory(nil), nil)
	names := strings.NewReplacer(
		"TEXT", b.save(numbered(300)).Artifact.Handle,
		"LIST", b.save(json.RawMessage(`{"items":[{"a":1},{"a":"x"},[1,2,{"b":null}]],"s":"`+strings.Repeat("é", 3000)+`"}`)).Artifact.Handle,
	)
	for _, name := range []string{"TEXT", "LIST"} {
		for _, args := range []string{
			`"line":5`, `"item":2`, `"pointer":"/items/2"`, `"byte":7,"to":99`, `"pattern":"line 1.*"`, `"to":-1`,
			`"pattern":"é+","from":20,"context":2,"literal":false`, `"pointer":"/s","byte":1e2`, `"pattern":"(.{1,30}x|y){3}"`,
		} {
			f.Add(`{"artifact":"` + name + `",` + args + `}`)
		}
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, tool := range b.calls {
			e, err := tool.Call(t.Context(), json.RawMessage(names.Replace(raw)))
			require.NoError(t, err)
			require.LessOrEqual(t, len(e.Text()), 2000)
			require.True(t, e.Failure != nil || e.Artifact != nil)
		}
	})
}
