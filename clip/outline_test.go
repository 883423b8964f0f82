package clip_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/clip"
)

func ExampleOutline() {
	doc := `{"total":2,"items":[{"id":1,"name":"Ann"},{"id":2,"name":null}]}`
	part, err := clip.Outline(strings.NewReader(doc), clip.Bytes(400), clip.Show{})
	if err != nil {
		panic(err)
	}
	fmt.Print(part.Content)
	// Output:
	// (root) object, 2 members, bytes 0-64
	// /total number, bytes 9-10
	// /items array, 2 items, bytes 19-63
	// /items/* object ×2, 2 members, bytes 20-62
	// /items/*/id number ×2, bytes 26-49
	// /items/*/name string ×1, null ×1, 3 bytes, bytes 35-61
}

func TestAnOutlineOfWhatIsNotJSONIsAnError(t *testing.T) {
	for _, src := range []string{"", "text", `{"a":1`, "{} {}"} {
		_, err := clip.Outline(strings.NewReader(src), clip.Bytes(400), clip.Show{})
		require.ErrorContains(t, err, "no outline", "%q", src)
	}
	_, err := clip.Outline(nil, clip.Bytes(400), clip.Show{})
	require.Error(t, err)
}
