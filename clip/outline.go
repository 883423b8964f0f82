package clip

import (
	"fmt"
	"io"

	"github.com/toolclip/toolclip/envelope"
)

// Outline is the shape of a JSON document (RFC 8259) as text: a line for each
// path, with types, how often each occurs, lengths and where in the bytes the
// values lie; the paths nearest to the root come first. The budget bounds the
// content alone. r is read to its end and not closed. What is not JSON is an error
// that says where.
func Outline(r io.Reader, b Budget, s Show) (envelope.Part, error) {
	none := envelope.Part{Acquired: envelope.AcquiredUnknown}
	s.Outline = true
	if s.MediaType == "" {
		s.MediaType = jsonType
	}
	t, err := take(r, b, s)
	if err != nil {
		return none, err
	}
	if err := t.in.notJSON(); err != nil {
		return none, fmt.Errorf("clip: no outline: %w", err)
	}
	return t.cut(b), nil
}
