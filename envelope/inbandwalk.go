package envelope

import (
	"bytes"
	"encoding/json"

	"github.com/toolclip/toolclip/internal/jsonscan"
)

// child is a value in the root of a JSON document. Offsets are those of the document.
type child struct {
	name  string // of a member
	start int    // of the name, or of an element itself
	at    int    // of the value
	end   int    // behind it
	comma int    // before it; -1: it is the first
	next  int    // behind the comma after it; its end, if it is the last
}

// cut is where a document ends that has what comes before c, and not c.
func (c child) cut() int {
	if c.comma >= 0 {
		return c.comma
	}
	return c.start
}

// walk goes once over one JSON value and finds the first and the last value in the
// root.
type walk struct {
	p     []byte
	name  func(string) // hears of the names of members, at any depth; nil: not wanted
	child func(child)  // hears of the values in the root; nil: not wanted

	scan        *jsonscan.Scanner
	root        jsonscan.Kind
	n           int // values in the root
	first, last child
	open        string // the name of the member that is open in the root
	nameAt      int
}

// run goes over all of w.p. An error says why it is not one JSON value.
func (w *walk) run() error {
	w.scan = jsonscan.New(walker{w}, 0)
	if _, err := w.scan.Write(w.p); err != nil {
		return err
	}
	return w.scan.Close()
}

// walker hears what the scanner tells.
type walker struct{ *walk }

// Begin implements jsonscan.Handler.
func (w walker) Begin(k jsonscan.Kind, at int64) {
	switch depth := w.scan.Depth(); {
	case k == jsonscan.Name:
		w.nameAt = int(at)
	case depth == 0:
		w.root = k
	case depth == 1:
		w.begin(int(at))
	}
}

// begin is the start of a value in the root.
func (w *walk) begin(at int) {
	c := child{name: w.open, start: at, at: at, comma: -1}
	if w.root == jsonscan.Object {
		c.start = w.nameAt
	}
	if w.n > 0 {
		c.comma = int(w.scan.Comma())
	}
	if w.n == 1 {
		w.first.next = c.comma + 1
	}
	w.n++
	w.last = c
}

// End implements jsonscan.Handler.
func (w walker) End(k jsonscan.Kind, end, _, _ int64) {
	depth := w.scan.Depth()
	if k == jsonscan.Object || k == jsonscan.Array {
		depth-- // its own bracket is still open
	}
	switch {
	case k == jsonscan.Name:
		w.endName(int(end), depth)
	case depth == 1:
		w.last.end, w.last.next = int(end), int(end)
		if w.n == 1 {
			w.first = w.last
		}
		if w.child != nil {
			w.child(w.last)
		}
	}
}

func (w *walk) endName(end, depth int) {
	if depth > 1 && w.name == nil {
		return
	}
	raw := w.p[w.nameAt:end]
	name := string(raw[1 : len(raw)-1])
	if bytes.IndexByte(raw, '\\') >= 0 {
		_ = json.Unmarshal(raw, &name) // the scanner has found it valid
	}
	if depth == 1 {
		w.open = name
	}
	if w.name != nil {
		w.name(name)
	}
}
