package coverage_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/toolclip/toolclip/coverage"
)

// Five lines: what was expected, what came, and what may be said of it. By number
// five of five came; by identity a double stands for the one missing.
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
	// 4 of 5 records were loaded, 1 missing (other records than expected, nobody knows why). Some records came twice or were not expected, so a count may also be too high. Nothing may be said about all of them: not "all", "none", "most", "first" or "last". State: incomplete. Reasons: duplicate 1 item at "D": "handed on more often than expected"; truncated_unexplained 1 item at "E": "expected, and in no state".
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

// A reader that stops after so many bytes cuts the last record in half, and the
// number of records agrees. The body knows better.
func Example_byteLimit() {
	const lines = "{\"id\":1}\n{\"id\":2}\n{\"id\":3,\"text\":\"the part that matters\"}\n"
	resp := &http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: int64(len(lines)), Body: io.NopCloser(strings.NewReader(lines))}

	l := coverage.New(coverage.Counted(3), nil)
	page := l.Page("orders.jsonl")
	body := page.Body(resp)
	text, _ := io.ReadAll(io.LimitReader(body, 40))
	body.Close()
	for i, line := range strings.Split(string(text), "\n") {
		l.Loaded(fmt.Sprint("line ", i+1), []byte(line))
	}
	page.Done(coverage.CursorAbsent)
	l.Seal()
	r := l.Report()

	fmt.Println(r.Loaded, "of", r.Requested, "loaded; bytes complete:", r.ByteComplete, "input complete:", r.InputComplete)
	fmt.Println(r.Reasons[0])
	// Output:
	// 3 of 3 loaded; bytes complete: false input complete: false
	// byte_truncated 18 bytes at "orders.jsonl": "the body was not read to its end"
}

// A filter that drops a record in silence leaves it in no state: unaccounted. One
// that says so leaves it filtered, and all are accounted for.
func Example_silentFilter() {
	load := func(say bool) coverage.Report {
		l := coverage.New(coverage.Enumerated("a", "b", "c"), nil)
		for _, id := range []string{"a", "b", "c"} {
			switch {
			case id != "b":
				l.Loaded(id, nil)
			case say:
				l.Filtered(id, "status = open")
			}
		}
		l.Seal()
		return l.Report()
	}
	silent, said := load(false), load(true)
	fmt.Println(silent.InputComplete, silent.Records.Unaccounted.Count, silent.Identity.Missing.Named[0].ID)
	fmt.Println(said.InputComplete, said.Filtered, said.Reasons[0])
	fmt.Println(said.Claim("en"))
	// Output:
	// false 1 b
	// true 1 filtered 1 item at "status = open"
	// Of 3 records 2 were loaded and 1 left out by a rule; all are accounted for.
}

// What is deleted or moved on afterwards asks first.
func ExampleReport_SafeToPrune() {
	l := coverage.New(coverage.Counted(20), nil)
	for page := range 2 {
		p := l.Page(fmt.Sprint("page ", page+1))
		if page == 1 {
			p.Fail(coverage.Reason{Code: coverage.Timeout, Count: coverage.Exactly(10), Retryable: true})
			continue
		}
		for i := range 10 {
			l.Loaded(fmt.Sprint("doc-", i), nil)
		}
		p.Done(coverage.More)
	}
	l.Seal()
	fmt.Println(l.Report().SafeToPrune())
	// Output:
	// coverage: not safe to delete: the input is incomplete (timeout)
}

// Items count when the loop has taken them.
func ExampleTrack() {
	l := coverage.New(coverage.Enumerated("a", "b", "c"), nil)
	for id := range coverage.Track(l, slices.Values([]string{"a", "b", "c"}), func(id string) string { return id }) {
		if id == "b" {
			break
		}
	}
	l.Seal()
	fmt.Println(l.Report().Loaded, "loaded, missing", l.Report().Identity.Missing.Named[0].ID)
	// Output:
	// 2 loaded, missing c
}

// The way of rows that may end in an error: it is noted, so that what was read
// until then is not taken for all.
func ExampleTrackErr() {
	rows := func(yield func(string, error) bool) {
		_ = yield("a", nil) && yield("b", nil) && yield("", errors.New("connection reset"))
	}
	l := coverage.New(coverage.Counted(3), nil)
	for id, err := range coverage.TrackErr(l, rows, func(id string) string { return id }) {
		if err != nil {
			fmt.Println("after", l.Report().Loaded, "rows:", err)
			break
		}
		_ = id // hand it on
	}
	l.Seal()
	fmt.Println(l.Report().Claim("en"))
	fmt.Println(l.Report().Reasons[0])
	// Output:
	// after 2 rows: connection reset
	// 2 of 3 records were loaded, 1 missing (failed). A count c in what was loaded means c to c+1 in all. Nothing may be said about all of them: not "all", "none", "most", "first" or "last".
	// read_failed: "connection reset"
}

// Content is what the model gets, so a struct is given as it was encoded for it.
// The ledger counts and hashes the bytes and keeps none of them. With the digests
// of a manifest, content that was changed on the way is a loss.
func ExampleLedger_Loaded() {
	type order struct {
		ID    string  `json:"id"`
		Total float64 `json:"total"`
	}
	encode := func(o order) []byte {
		b, _ := json.Marshal(o) // has no error for this type
		return b
	}
	a, b := order{"o-1", 12.5}, order{"o-2", 99}

	l := coverage.New(coverage.Enumerated(), nil)
	for _, o := range []order{a, b} { // the manifest
		l.ExpectContent(o.ID, sha256.Sum256(encode(o)))
	}
	b.Total = 9 // on the way
	for _, o := range []order{a, b} {
		l.Loaded(o.ID, encode(o))
	}
	l.Seal()
	r := l.Report()
	fmt.Println(r.Loaded, "of", r.Requested, "loaded,", r.Records.Loaded.Bytes, "bytes; contents:", r.Bytes.Contents)
	fmt.Println(r.Reasons[0])
	// Output:
	// 2 of 2 loaded, 47 bytes; contents: mismatch
	// content_changed 1 item: "other content than promised"
}

// Shards on other machines have the key of the ledger that merges them, and send
// their state when they are done. A shard that is sent twice counts once.
func ExampleLedger_Merge() {
	root := coverage.New(coverage.Enumerated("a", "b", "c", "d"), nil)
	root.Plan("0", "1")
	work := func(shard string, ids ...string) []byte { // on another machine
		l := coverage.New(coverage.Enumerated(), &coverage.Options{Key: root.Key(), Shard: shard})
		for _, id := range ids {
			l.Loaded(id, nil)
		}
		l.Commit()
		state, _ := l.MarshalBinary()
		return state
	}
	for _, state := range [][]byte{work("0", "a", "b"), work("1", "c", "d"), work("0", "a", "b")} {
		var shard coverage.Ledger
		if err := shard.UnmarshalBinary(state); err != nil {
			fmt.Println(err)
		}
		if err := root.Merge(&shard); err != nil {
			fmt.Println(err)
		}
	}
	root.Seal()
	fmt.Println(root.Report())
	// Output:
	// All records (4) were loaded. State: complete, by identity.
}

// A walk over pages ends when the source says so, in its own way.
func ExampleLedger_Page() {
	type page struct {
		IDs  []string
		Next *string
	}
	next := "2"
	pages := map[string]page{"1": {[]string{"a", "b"}, &next}, "2": {[]string{"c"}, nil}}

	l := coverage.New(coverage.Exhaustible(), &coverage.Options{TrustEnd: true})
	l.Snapshot("v41", "")
	for cursor := "1"; cursor != ""; {
		p := l.Page(cursor)
		got := pages[cursor]
		for _, id := range got.IDs {
			l.Loaded(id, nil)
		}
		p.Done(coverage.EndOf(got.Next))
		cursor = ""
		if got.Next != nil {
			cursor = *got.Next
		}
	}
	l.Snapshot("", "v41")
	l.Seal()
	r := l.Report()
	fmt.Println(r)
	fmt.Println(r.SafeToAdvance("v41"))
	// Output:
	// All records (3) were loaded. No ids were checked against a list. State: exhausted, by exhaustion.
	// <nil>
}

// A reader is told what it has not seen yet, in its present context.
func ExampleReading() {
	r := coverage.NewReading(100)
	r.Shown("main loop", "sha256 of the artifact", coverage.Line, coverage.Range{Start: 0, End: 178})
	r.Shown("main loop", "sha256 of the artifact", coverage.Line, coverage.Range{Start: 399, End: 549})
	fmt.Println(r.Seen("main loop", "sha256 of the artifact", coverage.Line).Gaps(549))
	r.Compacted("main loop")
	fmt.Println(r.Seen("main loop", "sha256 of the artifact", coverage.Line).Gaps(549))
	// Output:
	// [{178 399}]
	// [{0 549}]
}

// In constant memory ids of up to 31 bytes are named at once, longer ones when
// the listing is read again.
func ExampleReport_Resolve() {
	long := func(i int) string { return fmt.Sprintf("https://example.com/orders/number/%04d", i) }
	l := coverage.New(coverage.Enumerated(), &coverage.Options{Remember: -1})
	for i := range 1000 {
		l.Expect(long(i))
		if i != 617 {
			l.Loaded(long(i), nil)
		}
	}
	l.Seal()
	listing := func(yield func(string) bool) {
		for i := 0; i < 1000 && yield(long(i)); i++ {
		}
	}
	r := l.Report()
	fmt.Printf("%q\n", r.Identity.Missing.Named[0].ID)
	fmt.Printf("%q\n", r.Resolve(l.Key(), listing).Identity.Missing.Named[0].ID)
	// Output:
	// ""
	// "https://example.com/orders/number/0617"
}
