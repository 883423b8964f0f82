package searchview_test

import (
	"fmt"
	"strings"

	"github.com/toolclip/toolclip/internal/searchview"
	"github.com/toolclip/toolclip/internal/view"
)

// A log of a hundred thousand lines is searched for what a model asks, with one
// line on either side.
func Example() {
	expr, err := searchview.Compile(`(?i)error: .* refused`, false, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := searchview.New(searchview.Options{Expr: expr, Context: 1, Retain: 1000})
	for i := range 100_000 {
		if i%40_000 == 7 {
			fmt.Fprintf(v, "Error: connection %d refused\n", i)
		} else {
			fmt.Fprintf(v, "line %d is fine\n", i)
		}
	}
	v.End()

	p := v.Plan(view.Limit{Bytes: 150})
	fmt.Print(p.Content)
	fmt.Printf("%d of %d matches, %d lines of %d; the next search begins at byte %d\n",
		p.Scan.Returned, p.Scan.Matched, strings.Count(p.Content, "\n"), p.UnitTotal, p.Rest[0].From)
	// Output:
	// line 6 is fine
	// Error: connection 7 refused
	// line 8 is fine
	// 1 of 3 matches, 3 lines of 100000; the next search begins at byte 749036
}
