package envelope_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/text/language"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// partial is what package clip makes of a long text, before it is worded. A fence that
// is preset makes the examples reproducible; leave it empty to have one drawn.
func partial() envelope.Envelope {
	const handle = "k3vabcdefghijklmnopqrstuq7"
	return envelope.Envelope{
		Tool: "fetch", Fence: "ca730194",
		Part: envelope.Part{
			Content: "…178 lines…\n",
			View: envelope.View{
				Bytes: []coverage.Range{{Start: 0, End: 24310}}, ByteTotal: coverage.Exactly(156021),
				Unit: coverage.Line, Units: []coverage.Range{{Start: 0, End: 178}}, UnitTotal: coverage.Exactly(549),
			},
			Artifact: &envelope.Artifact{Handle: handle, Size: 156021},
		},
		Next: []envelope.Next{{Tool: "artifact_read", Arguments: map[string]any{"artifact": handle, "line": 179}}},
	}
}

func ExampleStyle_Word() {
	e := envelope.Style{}.Word(partial(), nil)
	fmt.Println(e.Text())
	// Output:
	// [PARTIAL lines 1-178 of 549 (24310 of 156021 bytes). Whole kept as artifact k3vabcdefghijklmnopqrstuq7.
	// More: artifact_read {"line":179}.]
	// -- ca730194
	// …178 lines…
	// -- ca730194 371 lines follow
}

// A frame that must fit in few bytes says the essential, and reserve tells how few it
// can be asked for.
func ExampleStyle_Reserve() {
	style := envelope.Style{}
	reserve := style.Reserve(partial(), 1<<30) // no number above a gigabyte
	e := style.Word(partial(), func(frame string) bool { return len(frame) <= len(reserve) })
	fmt.Println(len(e.Text())-len(e.Content) <= len(reserve), len(reserve) < 400)
	// Output:
	// true true
}

// A tool's own failure: an error that says what went wrong, what was done, and what
// to do now.
func ExampleFailure() {
	tool := func() (string, error) {
		return "", envelope.BadArgument("sort", "datum", "date", "size")
	}
	_, err := tool()
	e := envelope.Style{}.Word(envelope.Envelope{Failure: envelope.FailureOf(err)}, nil)
	fmt.Println(e.Text())
	// Output:
	// [TOOL FAILED (bad_argument): “sort: "datum" is not valid”. Nothing was done. Call again only with a change. Next: “give sort one of: "date", "size"”.]
}

// A program reads fields, never text.
func ExampleParse() {
	object, err := json.Marshal(envelope.Style{}.Word(partial(), nil).Map())
	if err != nil {
		panic(err)
	}
	e, err := envelope.Parse(object)
	fmt.Println(e.View.UnitTotal, e.View.Complete, e.Worded(), err)

	_, err = envelope.Parse([]byte(`{"schema":"envelope/9"}`))
	fmt.Println(errors.Is(err, envelope.ErrNotEnvelope), err)
	// Output:
	// 549 false false <nil>
	// true envelope: not an envelope: schema "envelope/9", this package reads "envelope/1"
}

func ExampleCatalog() {
	words := envelope.Catalog()
	words.SetString(language.German, "partial", "UNVOLLSTÄNDIG")
	words.SetString(language.German, "line.range", "Zeilen %[1]s von %[2]s")
	words.SetString(language.German, "line.follow", "noch %[1]v Zeilen")

	style := envelope.Style{Language: "de-CH", Catalog: words, Compact: true}
	fmt.Println(style.Word(partial(), nil).Text())
	// Output:
	// [UNVOLLSTÄNDIG Zeilen 1-178 von 549; artifact k3vabcdefghijklmnopqrstuq7; artifact_read]
	// -- ca730194
	// …178 lines…
	// -- ca730194
}

// For a loop that passes on nothing but JSON, what there is to say is a member of the
// JSON, and the data stay what they are.
func ExampleEnvelope_InBand() {
	e := envelope.Envelope{
		Schema: envelope.Schema,
		Part: envelope.Part{
			MediaType: "application/json",
			Content:   `{"total":400,"rows":[{"id":9007199254740993}]}`,
			View: envelope.View{
				ByteTotal: coverage.Exactly(8000),
				Omissions: []envelope.Omission{{Pointer: "/rows", Unit: coverage.Item, Shown: 1, Total: coverage.Exactly(400)}},
			},
			Acquired: envelope.AcquiredYes,
		},
	}
	out := e.InBand("")
	fmt.Println(out)

	back, err := envelope.ParseInBand([]byte(out), "")
	fmt.Println(back.Content, back.View.Omissions[0].Total, err)
	// Output:
	// {"$clip":{"schema":"envelope/1","mediaType":"application/json","view":{"complete":false,"exact":false,"byteTotal":{"value":8000,"relation":"eq"},"omissions":[{"pointer":"/rows","unit":"item","shown":1,"total":{"value":400,"relation":"eq"}}]},"acquired":"yes"},"total":400,"rows":[{"id":9007199254740993}]}
	// {"total":400,"rows":[{"id":9007199254740993}]} 400 <nil>
}
