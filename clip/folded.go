package clip

import (
	"bytes"

	"github.com/toolclip/toolclip/internal/textview"
)

// folded reads a text of which it can't be told yet what its carriage returns are: the
// ends of its lines, as in old text of a Macintosh, or a progress bar that writes over
// itself. A text without any line feed is the former: what is written to a terminal ends
// its lines with one. That is how file(1) and Vim tell such text. Until the first line
// feed both views are made. A text that has its first carriage return behind the head,
// and before it no line feed, is taken for a progress bar.
type folded struct {
	*textview.View                // as a terminal leaves it
	document       *textview.View // as it came; nil: there has been a line feed
}

// newFolded reads a text that begins with head.
func newFolded(o textview.Options, head []byte) engine {
	v := textview.New(o)
	if o.Raw || o.Document || bytes.IndexByte(head, '\r') < 0 {
		return v
	}
	o.Document = true
	return &folded{v, textview.New(o)}
}

// Write takes the next bytes. It never fails. Beside line feeds, what only a terminal
// understands ends the doubt: backspaces and escapes. Half a character of UTF-16 may look
// like one of these.
func (f *folded) Write(p []byte) (int, error) {
	if f.document != nil && bytes.ContainsAny(p, "\n\b\x1b") {
		f.document = nil
	}
	if f.document != nil {
		_, _ = f.document.Write(p)
	}
	return f.View.Write(p)
}

// End tells that no byte follows.
func (f *folded) End() {
	f.View.End()
	if f.document != nil {
		f.document.End()
		f.View, f.document = f.document, nil
	}
}
