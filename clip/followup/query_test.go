package followup_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// orders is a document of n orders, every seventh open, some without an amount.
func orders(n int) json.RawMessage {
	rows := make([]string, n)
	for i := range rows {
		status, amount := "done", fmt.Sprintf(`,"amount":%d.50`, i)
		if i%7 == 3 {
			status = "open"
		}
		if i%10 == 9 {
			amount = ""
		}
		rows[i] = fmt.Sprintf(`{"id":%d, "status":"%s"%s,"of":{"name":"customer %d"}}`, 9007199254740993+i, status, amount, i%5)
	}
	return json.RawMessage(`{"total":` + fmt.Sprint(n) + `,"orders":[` + strings.Join(rows, ",") + `]}`)
}

func TestAQueryShowsTheRecordsThatMeetAllConditions(t *testing.T) {
	for _, form := range []clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm} {
		b := newBench(t, artifact.NewMemory(nil), nil, func(c *clip.Config) { c.Form, c.Budget = form, clip.Bytes(4000) })
		doc := orders(700)
		e := b.save(doc)
		first := b.call("artifact_query", on(e, `"pointer":"/orders","where":[{"pointer":"/status","op":"==","value":"open"},{"pointer":"/amount","op":">=","value":100}]`))
		require.Nil(t, first.Failure)
		require.True(t, first.Scan.Whole() || first.Scan.Unjudged.Value > 0)
		var all []map[string]any
		var want, unjudged int64
		for i := range 700 {
			open, has := i%7 == 3, i%10 != 9
			switch {
			case open && has && i >= 100:
				want++
			case open && !has:
				unjudged++
			}
		}
		require.Equal(t, coverage.Exactly(want), first.Scan.Matched)
		require.Equal(t, coverage.Exactly(unjudged), first.Scan.Unjudged)
		for p, calls := first, 0; ; calls++ {
			require.Less(t, calls, 200)
			var page []map[string]any
			require.NoError(t, json.Unmarshal([]byte(p.Content), &page), p.Content)
			require.Equal(t, p.Scan.Returned, int64(len(page)))
			all = append(all, page...)
			for _, r := range p.View.Bytes {
				require.Contains(t, p.Content, strings.Trim(string(doc[r.Start:r.End]), ", "), "verbatim")
			}
			next := ""
			for _, n := range p.Next {
				if n.Tool == "artifact_query" {
					raw, err := json.Marshal(n.Arguments)
					require.NoError(t, err)
					next = string(raw)
				}
			}
			if next == "" {
				break
			}
			p = b.call("artifact_query", next)
			require.Nil(t, p.Failure)
		}
		require.Len(t, all, int(want))
		for i, r := range all {
			require.Equal(t, "open", r["status"])
			require.GreaterOrEqual(t, r["amount"], 100.0)
			if i > 0 {
				require.Greater(t, r["amount"], all[i-1]["amount"], "in the order of the source, each once")
			}
		}
	}
}

func TestNumbersAreComparedExactly(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(json.RawMessage(`[{"id":9007199254740993},{"id":9007199254740992},{"id":9007199254740993.0},` + strings.Repeat(`{"id":1},`, 500) + `{"id":"9007199254740993"}]`))
	p := b.call("artifact_query", on(e, `"where":[{"pointer":"/id","op":"==","value":9007199254740993}]`))
	require.Equal(t, coverage.Exactly(2), p.Scan.Matched)
	require.Equal(t, coverage.Exactly(1), p.Scan.Unjudged, "whether a string means the number can't be judged")
	require.Equal(t, `[{"id":9007199254740993},{"id":9007199254740993.0}]`, p.Content)
	p = b.call("artifact_query", on(e, `"where":[{"pointer":"/id","op":"==","value":"9007199254740993"}]`))
	require.Equal(t, coverage.Exactly(3), p.Scan.Matched, "a string is compared with both")
}

func TestNothingMatchesIsSaidOfAllRecords(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(orders(500))
	p := b.call("artifact_query", on(e, `"pointer":"/orders","where":{"pointer":"/status","op":"==","value":"lost"}`))
	require.Equal(t, "[]", p.Content)
	require.True(t, p.Scan.Whole())
	require.Equal(t, coverage.Exactly(0), p.Scan.Matched)
	require.Contains(t, p.Text(), "no match")
}

func TestARecordThatDoesNotFitIsNamedToBeRead(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	long := strings.Repeat("0123456789", 3000)
	e := b.save(json.RawMessage(`[{"k":1},{"k":2,"text":"` + long + `"},{"k":3},{"k":2}]`))
	p := b.call("artifact_query", on(e, `"where":[{"pointer":"/k","op":"==","value":2}]`))
	require.Equal(t, coverage.Exactly(2), p.Scan.Matched)
	var seen coverage.Set
	for _, q := range b.readOn(p, 100) {
		require.True(t, json.Valid([]byte(q.Content)), q.Content)
		seen = seen.Add(q.View.Bytes...)
	}
	require.Greater(t, seen.Len(), int64(len(long)), "all of the long record can be read")
}

func TestBadQueriesAreToldOf(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(orders(100))
	text := b.save(numbered(500))
	for _, tc := range []struct {
		of   envelope.Envelope
		args string
		want string
	}{
		{e, ``, "where is missing"},
		{e, `"where":[]`, "no condition"},
		{e, `"where":"status=open"`, "not a list of conditions"},
		{e, `"where":[1]`, "not a list of conditions"},
		{e, `"where":[{"op":"~","value":1}]`, `condition 1: op: "~" is not valid`},
		{e, `"where":[{"op":"exists"},{"op":"==","value":{}}]`, "condition 2: value: an object or array"},
		{e, `"where":[{"op":"=="}]`, "value is missing"},
		{e, `"where":[{"op":"exists","value":1}]`, "takes no value"},
		{e, `"where":[{"pointer":"status","op":"exists"}]`, "no JSON Pointer"},
		{e, `"where":[{"field":"status","op":"exists"}]`, `no argument "field"`},
		{e, `"where":[{"value":1}]`, "argument op is missing"},
		{e, `"where":[` + strings.TrimSuffix(strings.Repeat(`{"op":"exists"},`, 17), ",") + `]`, "17 conditions, at most 16"},
		{e, `"where":[{"op":"exists"}]`, "no array of records"},
		{e, `"pointer":"/total","where":[{"op":"exists"}]`, "no array of records"},
		{e, `"pointer":"/order","where":[{"op":"exists"}]`, "nothing at pointer"},
		{e, `"pointer":"/orders","item":101,"where":[{"op":"exists"}]`, "item 101 is past the end: 100 items in all"},
		{e, `"pointer":"/orders","item":0,"where":[{"op":"exists"}]`, "before the beginning"},
		{text, `"where":[{"op":"exists"}]`, "not JSON"},
	} {
		p := b.call("artifact_query", on(tc.of, tc.args))
		require.NotNil(t, p.Failure, "%s: %q", tc.args, p.Content)
		require.Contains(t, p.Failure.Message, tc.want, tc.args)
		require.Empty(t, p.Content)
		require.NotEmpty(t, p.Failure.Advice)
	}
	require.Nil(t, b.call("artifact_query", on(e, `"pointer":"/orders","where":[{"pointer":"/amount","op":"exists"}]`)).Failure)
}

func TestAnOutlineTellsTheFieldsAndClaimsNoContent(t *testing.T) {
	b := newBench(t, artifact.NewMemory(nil), nil)
	e := b.save(orders(300))
	p := b.call("artifact_outline", on(e, ""))
	require.Nil(t, p.Failure)
	for _, want := range []string{"/orders array, 300 items", "/orders/*/status string ×300", "/orders/*/amount number ×270"} {
		require.Contains(t, p.Content, want)
	}
	require.False(t, p.View.Complete, "the outline is not the document")
	require.Empty(t, p.View.Bytes)
	require.Contains(t, p.Text(), "outline")
	require.Equal(t, e.Artifact.SHA256, p.Artifact.SHA256)

	p = b.call("artifact_outline", on(b.save(numbered(500)), ""))
	require.Contains(t, p.Failure.Message, "not JSON")

	wide := make([]string, 2000)
	for i := range wide {
		wide[i] = fmt.Sprintf(`"field %d":%d`, i, i)
	}
	p = b.call("artifact_outline", on(b.save(json.RawMessage("{"+strings.Join(wide, ",")+"}")), ""))
	require.Nil(t, p.Failure)
	require.LessOrEqual(t, len(p.Text()), 2000)
	require.NotEmpty(t, p.View.Omissions, "lines were left out")
}
