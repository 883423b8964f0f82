package clip_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

type query struct{ Path string }

// A tool's result is larger than the budget: the model gets a part, is told which,
// and what to call for the rest.
func ExampleWrap() {
	c, err := clip.New(clip.Config{
		Budget:    clip.Bytes(1000),
		Store:     artifact.NewMemory(nil),
		Followups: clip.AllFollowups,
	})
	if err != nil {
		panic(err)
	}
	readLog := clip.Wrap(c, func(ctx context.Context, q query) (string, error) {
		return strings.Repeat("a line of the log\n", 5000), nil
	})

	e, err := readLog(context.Background(), query{"server.log"})
	if err != nil {
		panic(err)
	}
	fmt.Println("fits:", len(e.Text()) <= 1000)
	fmt.Println("complete:", e.View.Complete)
	fmt.Println("lines in all:", e.View.UnitTotal)
	fmt.Println("next:", e.Next[0].Tool)
	// Output:
	// fits: true
	// complete: false
	// lines in all: 5000
	// next: artifact_read
}

// A small result is handed on as it is.
func ExampleWrapText() {
	c, err := clip.New(clip.Config{})
	if err != nil {
		panic(err)
	}
	status := clip.WrapText(c, func(ctx context.Context, q query) (map[string]any, error) {
		return map[string]any{"status": "ok", "id": 9007199254740993}, nil
	})
	text, err := status(context.Background(), query{})
	fmt.Println(text, err)
	// Output:
	// {"id":9007199254740993,"status":"ok"} <nil>
}

// JSON is cut by its structure: the root keeps its type, records are whole,
// numbers are those of the source, and the envelope says what is missing where.
func ExampleJSON() {
	doc := `{"total":4,"rows":[{"id":9007199254740993},{"id":2},{"id":3},{"id":4}],"ok":true}`
	part, err := clip.JSON([]byte(doc), clip.Bytes(60), clip.Show{})
	if err != nil {
		panic(err)
	}
	fmt.Println(part.Content)
	for _, o := range part.View.Omissions {
		fmt.Printf("%s: %d of %v %ss\n", o.Pointer, o.Shown, o.Total, o.Unit)
	}
	// Output:
	// {"total":4,"rows":[{"id":9007199254740993}],"ok":true}
	// /rows: 1 of 4 items
}

// Text is cut at the end of a line.
func ExampleText() {
	part, err := clip.Text([]byte("one\ntwo\nthree\nfour\n"), clip.Bytes(10), clip.Show{Ends: clip.Head})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%q %d of %v lines\n", part.Content, part.View.Units[0].Len(), part.View.UnitTotal)
	// Output:
	// "one\ntwo\n" 2 of 4 lines
}

// A tool that writes, and fails: what it wrote is there, and so is its error.
func ExampleWriting() {
	c, err := clip.New(clip.Config{})
	if err != nil {
		panic(err)
	}
	full := errors.New("disk full")
	build := clip.Wrap(c, clip.Writing(func(ctx context.Context, q query, w io.Writer) error {
		fmt.Fprintln(w, "compiling")
		return full
	}))
	e, err := build(context.Background(), query{})
	fmt.Println(err == full, e.Failure.Message, e.Acquired)
	fmt.Print(e.Content)
	// Output:
	// true disk full no
	// compiling
}

// The pages of an SDK become one result, in JSON Lines.
func ExampleWrap_sequence() {
	c, err := clip.New(clip.Config{})
	if err != nil {
		panic(err)
	}
	list := clip.WrapText(c, func(ctx context.Context, q query) (iter.Seq2[query, error], error) {
		return func(yield func(query, error) bool) {
			_ = yield(query{"a"}, nil) && yield(query{"b"}, nil)
		}, nil
	})
	fmt.Println(list(context.Background(), query{}))
	// Output:
	// {"Path":"a"}
	// {"Path":"b"}
	//  <nil>
}

// Secrets are gone before anything is saved or cut.
func ExampleRedactRegexp() {
	c, err := clip.New(clip.Config{Redact: clip.RedactRegexp(64, regexp.MustCompile(`sk-[a-z0-9]{8,}`))})
	if err != nil {
		panic(err)
	}
	e, err := c.Clip(context.Background(), "key=sk-abcdef123456 user=ann\n")
	if err != nil {
		panic(err)
	}
	fmt.Print(e.Content)
	fmt.Println(e.View.Transforms[0].Name, e.View.Transforms[0].Count)
	// Output:
	// key=[redacted] user=ann
	// redaction 1
}

// WrapVia gives the result type of an SDK.
func ExampleWrapVia() {
	type block struct {
		Type, Text string
		IsError    bool
	}
	c, err := clip.New(clip.Config{})
	if err != nil {
		panic(err)
	}
	tool := clip.WrapVia(c, func(ctx context.Context, q query) (string, error) {
		return "", envelope.BadArgument("path", "etc", "logs", "data")
	}, func(e envelope.Envelope) block { return block{"text", e.Text(), e.Failure != nil} },
		func(cfg *clip.Config) { cfg.Return = func(error) bool { return false } })
	b, err := tool(context.Background(), query{})
	fmt.Println(b.IsError, err)
	// Output:
	// true <nil>
}

// A loop that passes on nothing but JSON gets JSON: what there is to say is a member of
// an object, or the last element of an array.
func ExampleConfig_inBand() {
	c, err := clip.New(clip.Config{Form: clip.InBandForm, Budget: clip.Bytes(2000)})
	if err != nil {
		panic(err)
	}
	list := clip.WrapText(c, func(ctx context.Context, q query) ([]map[string]any, error) {
		var rows []map[string]any
		for i := range 500 {
			rows = append(rows, map[string]any{"id": i, "status": "ok"})
		}
		return rows, nil
	})
	out, err := list(context.Background(), query{})
	if err != nil {
		panic(err)
	}
	e, err := envelope.ParseInBand([]byte(out), "")
	if err != nil {
		panic(err)
	}
	fmt.Println(out[:23], "…", len(out) <= 2000)
	fmt.Println(e.View.Complete, e.View.UnitTotal, e.NoNext)
	// Output:
	// [{"id":0,"status":"ok"} … true
	// false 500 nothing was kept; call the tool again with narrower arguments
}

// A result is often a JSON string that holds JSON again, as in MCP. The omission says
// so, and it can be read by its structure: a pointer leads on in what the string holds.
func ExampleShow_inside() {
	store := artifact.NewMemory(nil)
	c, err := clip.New(clip.Config{Budget: clip.Bytes(1000), Store: store, Followups: clip.AllFollowups})
	if err != nil {
		panic(err)
	}
	rows, _ := json.Marshal(map[string]any{"rows": slices.Repeat([]int{7}, 900)})
	e, err := c.Clip(context.Background(), map[string]any{"content": []any{map[string]any{"text": string(rows)}}})
	if err != nil {
		panic(err)
	}
	for _, o := range e.View.Omissions {
		fmt.Printf("%s: %s\n", o.Pointer, o.Of)
	}

	r, err := store.Open(context.Background(), artifact.Scope{}, artifact.Handle(e.Artifact.Handle))
	if err != nil {
		panic(err)
	}
	defer r.Close()
	p, err := c.Page(context.Background(), r, clip.Show{Pointer: "/content/0/text/rows", Unit: coverage.Item, At: 2, To: 5})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Content, p.View.UnitTotal, p.View.Transforms[0].Name)
	// Output:
	// /content/0/text: JSON object of 1 member
	// [7,7,7] 900 json_string
}
