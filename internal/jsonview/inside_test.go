package jsonview

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/view"
)

func TestStringAtNamesTheStringOnTheWay(t *testing.T) {
	const doc = `{"a/b":[1,{"s":"{\"x\":1}","s":"second"}],"n":5}`
	for pointer, want := range map[string]struct {
		at       int64
		to, rest string
	}{
		"/a~1b/1/s":       {15, "/a~1b/1/s", ""},
		"/a~1b/1/s/x/~01": {15, "/a~1b/1/s", "/x/~01"},
	} {
		for _, size := range []int{1, 3, len(doc)} {
			v := New(Options{Pointer: pointer})
			for i := 0; i < len(doc); i += size {
				_, _ = v.Write([]byte(doc[i:min(i+size, len(doc))]))
				if int64(i+size) > want.at {
					at, to, rest, ok := v.StringAt()
					require.True(t, ok, "%s known at once", pointer)
					require.Equal(t, want.at, at)
					require.Equal(t, []string{want.to, want.rest}, []string{to, rest})
				}
			}
		}
	}
	for _, pointer := range []string{"", "/n", "/n/x", "/a~1b", "/a~1b/1", "/missing"} {
		v := New(Options{Pointer: pointer})
		_, _ = v.Write([]byte(doc))
		v.End()
		_, _, _, ok := v.StringAt()
		require.False(t, ok, pointer)
	}
}

func TestAnOmissionSaysThatAStringHoldsJSON(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for body, want := range map[string]string{
		`{"a":1,"b":"` + long + `"}`:          "JSON object of 2 members",
		` [1,"` + long + `",{"x":[1,2]}] `:    "JSON array of 3 items",
		"\n[\"" + long + "\"]":                "JSON array of 1 item",
		`{"a":1,"b":"` + long + `"} and more`: "",
		`{"a":1,"b":"` + long:                 "",
		`{not JSON ` + long:                   "",
		`a text ` + long:                      "",
		`"` + long + `"`:                      "",
		`{"a":"` + long + `\n\u00e9"}`:        "JSON object of 1 member",
	} {
		s, err := json.Marshal(body)
		require.NoError(t, err)
		src := `{"id":1,"content":[{"text":` + string(s) + `}]}`
		p := planOf(t, src, 600, Options{})
		var of []string
		for _, o := range p.Omissions {
			if o.Pointer == "/content/0/text" {
				of = append(of, o.Of)
				require.Empty(t, o.SHA256)
			}
		}
		require.Equal(t, []string{want}, of, "%.40s", body)
	}
}

// What is known of strings that are no longer to be shown is forgotten.
func TestSumsOfStringsThatAreGoneAreDropped(t *testing.T) {
	blob := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("some bytes\x00\xff", 30)))
	v := New(Options{Retain: 2000, Ends: Tail, MaxRecord: 300})
	_, _ = v.Write([]byte(`["` + blob + `"`))
	for range 20_000 {
		_, _ = v.Write([]byte(`,"` + blob + `"`))
	}
	_, _ = v.Write([]byte("]"))
	v.End()
	require.NoError(t, v.Err())
	require.Less(t, cap(v.sums), 1000)
	p := v.Plan(view.Limit{Bytes: 500})
	require.Equal(t, "base64", p.Omissions[len(p.Omissions)-1].Of)
	require.Len(t, p.Omissions[len(p.Omissions)-1].SHA256, 64)
}

func TestAnOutlineSaysWhatStringsHold(t *testing.T) {
	long := strings.Repeat("x", 300)
	quote := func(s string) string {
		p, err := json.Marshal(s)
		require.NoError(t, err)
		return string(p)
	}
	doc := `{"one":` + quote(`{"a":1,"b":[1,2]}`) + `,"list":[` +
		quote(" \n[1,2,3]") + `,` + quote(`[]`) + `,` + quote(`{"k":"`+long+`"}`) + `,` + quote(`[broken`) + `,"text","",7],"none":` + quote(`"in quotes"`) + `,"more":` + quote(`{"a":1} `+long) + `}`
	want := `(root) object, 4 members, bytes 0-738
/one string, 21 bytes, holds JSON object, 2 members, bytes 7-30
/list array, 7 items, bytes 38-394
/list/* string ×6, number ×1, 0-312 bytes, holds JSON object, 1 member, holds JSON array ×2, 0-3 items, bytes 39-393
/none string, 13 bytes, bytes 402-417
/more string, 310 bytes, bytes 425-737
`
	for _, n := range []int{1, 2, 7, len(doc)} {
		o := NewOutline(4000)
		for i := 0; i < len(doc); i += n {
			_, _ = o.Write([]byte(doc[i:min(i+n, len(doc))]))
		}
		o.End()
		require.NoError(t, o.Err())
		require.Equal(t, want, o.Plan(view.Limit{Bytes: 4000}).Content, "by %d", n)
	}
}
