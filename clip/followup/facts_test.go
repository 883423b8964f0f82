package followup_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
)

var forms = map[string]clip.Form{"text": clip.TextForm, "json": clip.JSONForm, "in band": clip.InBandForm}

// However long the pointer, and however little of an answer there is room for, a tool
// says of a value only what is true of it.
func TestALongPointerMakesNoWrongNumber(t *testing.T) {
	for name, form := range forms {
		for _, length := range []int{10, 127, 128, 129, 600, 3000} {
			t.Run(fmt.Sprintf("%s/%d", name, length), func(t *testing.T) {
				b := newBench(t, artifact.NewMemory(nil), nil, func(c *clip.Config) { c.Form, c.Budget = form, clip.Bytes(4000) })
				key := strings.Repeat("k", length)
				e := b.save(json.RawMessage(fmt.Sprintf(`{"s%[1]s":%[2]q,"l%[1]s":[1,2,3],"n%[1]s":12345}`, key, strings.Repeat("x", 500))))
				for _, tc := range []struct{ value, at, says string }{
					{"s", `"byte":600`, "byte 600 is past the end: 500 bytes in all"},
					{"s", `"byte":500`, "byte 500 is past the end: 500 bytes in all"},
					{"s", `"byte":499`, ""},
					{"l", `"byte":7`, "byte 7 is past the end: 7 bytes in all"},
					{"l", `"byte":6`, ""},
					{"n", `"byte":5`, "byte 5 is past the end: 5 bytes in all"},
					{"l", `"item":4`, "item 4 is past the end: 3 items in all"},
					{"l", `"item":3`, ""},
					{"n", `"item":1`, "has no items"},
				} {
					p := b.call("artifact_read", on(e, fmt.Sprintf(`"pointer":"/%s%s",%s`, tc.value, key, tc.at)))
					if tc.says == "" {
						require.Nil(t, p.Failure, "%s %s", tc.value, tc.at)
						continue
					}
					require.NotNil(t, p.Failure, "%s %s", tc.value, tc.at)
					require.Contains(t, p.Failure.Message, tc.says)
				}
			})
		}
	}
}

// A query whose conditions are too long for an answer is told that, and not that
// there are no records.
func TestLongConditionsMakeNoArrayUnknown(t *testing.T) {
	for name, form := range forms {
		for _, length := range []int{10, 1000, 3000, 8000} {
			t.Run(fmt.Sprintf("%s/%d", name, length), func(t *testing.T) {
				b := newBench(t, artifact.NewMemory(nil), nil, func(c *clip.Config) { c.Form, c.Budget = form, clip.Bytes(4000) })
				e := b.save(json.RawMessage(`{"a":[{"id":"b"},{"id":"z"}],"n":1}`))
				where := fmt.Sprintf(`"where":[{"pointer":"/id","op":">","value":%q}]`, strings.Repeat("c", length))
				p := b.call("artifact_query", on(e, `"pointer":"/a",`+where))
				if p.Failure == nil {
					require.Equal(t, `[{"id":"z"}]`, p.Content)
					require.EqualValues(t, 1, p.Scan.Matched.Value)
				} else {
					require.NotEqual(t, clip.TextForm, form)
					require.Contains(t, p.Failure.Message, "no room for an answer")
				}
				p = b.call("artifact_query", on(e, `"pointer":"/n",`+where))
				require.Contains(t, p.Failure.Message, `"/n" names is no array`)
				p = b.call("artifact_query", on(e, `"pointer":"/a","item":3,`+where))
				require.Contains(t, p.Failure.Message, "item 3 is past the end: 2 items in all")
			})
		}
	}
}
