package jsonview

import (
	"testing"

	"github.com/stretchr/testify/require"
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
