package textview_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolclip/toolclip/internal/textview"
	"github.com/toolclip/toolclip/internal/view"
)

// A log of a thousand lines, of which sixty bytes may be shown: both ends, and
// how to ask for what is between them.
func Example() {
	v := textview.New(textview.Options{Retain: 60})
	for i := range 1000 {
		fmt.Fprintf(v, "line %d\n", i)
	}
	io.Copy(v, strings.NewReader("\x1b[31mFAIL\x1b[0m\n"))
	v.End()

	p := v.Plan(view.Limit{Bytes: 60})
	fmt.Printf("%s", p.Content)
	fmt.Println("lines", p.Units, "of", p.UnitTotal)
	fmt.Println("next: lines", p.Rest[0].From, "to", p.Rest[0].To)
	// Output:
	// line 0
	// line 1
	// line 2
	// line 3
	// line 998
	// line 999
	// FAIL
	// lines [{0 4} {998 1001}] of 1001
	// next: lines 4 to 998
}
