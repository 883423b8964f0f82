package coverage_test

import (
	"fmt"

	"github.com/toolclip/toolclip/coverage"
)

// Five lines: what was expected, what came, and what may be said of it. Fifty of
// fifty would look complete by number; here a double stands for the one missing.
func Example() {
	l := coverage.New(coverage.Enumerated("A", "B", "C", "D", "E"), nil)
	for _, id := range []string{"A", "B", "C", "D", "D"} {
		l.Loaded(id, nil)
	}
	l.Seal()
	r := l.Report()

	fmt.Println(r)
	fmt.Println("missing:", r.Identity.Missing.Named[0].ID)
	fmt.Println("doubled:", r.Identity.Surplus.Named[0].ID)
	// Output:
	// 4 of 5 records were loaded, 1 missing (other records than expected, nobody knows why). Some records came twice or were not expected, so a count may also be too high. Nothing may be said about all of them: not "all", "none", "most", "first" or "last". State: incomplete. Reasons: duplicate 1 item: "handed on more often than expected"; truncated_unexplained 1 item: "expected, and in no state".
	// missing: E
	// doubled: D
}

// A limit can fulfil the request and leave the universe incomplete: 65 there are,
// 60 were loaded, and the important ones were the last.
func Example_entryLimit() {
	ids := make([]string, 65)
	for i := range ids {
		ids[i] = fmt.Sprintf("order-%02d", i+1)
	}
	l := coverage.New(coverage.Enumerated(ids...), &coverage.Options{Limit: 60})
	for _, id := range ids[:60] {
		l.Loaded(id, nil)
	}
	l.Seal()
	r := l.Report()

	fmt.Println(r.Claim("en"))
	fmt.Println("request fulfilled:", r.Request.Fulfilled, "input complete:", r.InputComplete)
	fmt.Println("first missing:", r.Identity.Missing.Named[0].ID, "unaccounted:", r.Records.Unaccounted.Count)
	// Output:
	// 60 of 65 records were loaded, 5 missing (not asked for). A count c in what was loaded means c to c+5 in all. Nothing may be said about all of them: not "all", "none", "most", "first" or "last".
	// request fulfilled: true input complete: false
	// first missing: order-61 unaccounted: 0
}
