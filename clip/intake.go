package clip

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/internal/jsonview"
	"github.com/toolclip/toolclip/internal/sniff"
	"github.com/toolclip/toolclip/internal/view"
)

// engine reads one content in one pass and then makes views of it. Views nest: a
// larger limit never shows less.
type engine interface {
	Write(p []byte) (int, error) // never fails
	End()
	planner
}

// planner makes views of what was read.
type planner interface {
	Plan(view.Limit) view.Plan
}

// intake takes the bytes of one content in any chunks, finds out what they are
// and gives them to the engine of that format.
type intake struct {
	show   Show
	retain int64       // the largest limit in bytes that a plan will be asked for
	count  view.Unit   // what texts are counted in beside bytes and lines; view.Byte: nothing else
	tokens bool        // their tokens are estimated
	stop   func() bool // ends a search; nil: never

	n     int64
	fed   int64  // to the engines
	head  []byte // until it is sniffed
	first byte   // that is not white space
	kind  *sniff.Kind
	text  engine
	json  jsonEngine
	sum   hash.Hash // of content that is not text

	// What a string in it holds, see inside.go.
	seek    seeker
	inside  *inside // nil: there is no such string
	decoded bool    // it is itself what a string holds, and therefore text
	ended   bool
}

// jsonEngine is an engine that may find that its bytes are not JSON.
type jsonEngine interface {
	engine
	Err() error
}

// Write takes the next bytes.
func (t *intake) Write(p []byte) (int, error) {
	t.n += int64(len(p))
	if t.kind != nil {
		t.feed(p)
		return len(p), nil
	}
	need := min(len(p), sniff.Len-len(t.head))
	t.head = append(t.head, p[:need]...)
	if len(t.head) == sniff.Len {
		t.decide()
		t.feed(p[need:])
	}
	return len(p), nil
}

// End tells that no byte follows.
func (t *intake) End() {
	if t.kind == nil {
		t.decide()
	}
	if t.text != nil {
		t.text.End()
	}
	if t.json != nil {
		t.json.End()
	}
	t.endInside()
}

// decide chooses the engines by the first bytes and by what was declared. JSON is
// read as text at the same time, for it may turn out to be something else.
func (t *intake) decide() {
	if s := bytes.TrimLeft(t.head, " \t\r\n"); len(s) > 0 {
		t.first = s[0]
	}
	k := sniff.Sniff(t.head, t.show.MediaType)
	t.kind = &k
	switch {
	case !k.Text && !t.decoded:
		t.sum = sha256.New()
	case t.show.Outline:
		t.json = jsonview.NewOutline(t.retain)
		t.text = t.newText()
	case t.show.Around != nil:
		t.text = t.newSearch()
	case t.show.Unit == coverage.Line || (t.show.Unit == coverage.Byte && t.show.Pointer == ""):
		t.text = t.newText()
	case k.JSON && !t.declaredOther() || t.show.Pointer != "" || t.show.Unit == coverage.Item:
		t.json = t.newJSON()
		t.text = t.newText()
	default:
		t.text = t.newText()
	}
	t.seek = t.newSeek()
	t.feed(t.head)
	t.head = nil
}

// declaredOther reports whether the content was declared as some other text, which
// is believed.
func (t *intake) declaredOther() bool {
	return t.show.MediaType != "" && !isJSON(t.show.MediaType)
}

// isJSON reports whether a media type is that of one JSON value (RFC 8259, RFC 6839
// section 3.1); JSON Lines are text.
func isJSON(mediaType string) bool {
	t, _, _ := strings.Cut(mediaType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return t == jsonType || t == "text/json" || strings.HasSuffix(t, "+json")
}

func (t *intake) feed(p []byte) {
	base := t.fed
	t.fed += int64(len(p))
	if t.sum != nil {
		t.sum.Write(p)
		return
	}
	if t.json != nil {
		_, _ = t.json.Write(p)
	}
	if t.text != nil {
		_, _ = t.text.Write(p)
	}
	t.lookInside(p, base)
}

// planner is the one to ask for views after End; nil when there is no text.
func (t *intake) planner() planner {
	if h := t.holding(); h != nil {
		return h
	}
	if t.json != nil && t.json.Err() == nil {
		return t.json
	}
	if t.text == nil {
		return nil
	}
	return t.text
}

// notJSON is why content that looked like JSON is read as text; nil otherwise.
func (t *intake) notJSON() error {
	if h := t.holding(); h != nil {
		return h.notJSON()
	}
	if t.json == nil {
		return nil
	}
	return t.json.Err()
}

func (t *intake) sha256() string {
	if t.sum == nil {
		return ""
	}
	return hex.EncodeToString(t.sum.Sum(nil))
}
