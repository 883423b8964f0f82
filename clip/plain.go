package clip

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// Text cuts text. The budget bounds the content alone; there is no notice and no
// store. Any budget is legal, 0 included.
func Text(p []byte, b Budget, s Show) (envelope.Part, error) {
	if s.MediaType == "" {
		s.MediaType = "text/plain"
	}
	return Cut(bytes.NewReader(p), b, s)
}

// JSON cuts one JSON value (RFC 8259): what is shown is valid JSON with a root of
// the same type, in the bytes of p. The budget bounds the content alone. What is
// not JSON is an error that says where; Cut reads it as text instead.
func JSON(p []byte, b Budget, s Show) (part envelope.Part, err error) {
	defer recovered(&err)
	if s.MediaType == "" {
		s.MediaType = jsonType
	}
	t, err := take(bytes.NewReader(p), b, s)
	if err != nil {
		return envelope.Part{Acquired: envelope.AcquiredUnknown}, err
	}
	err = t.in.notJSON()
	if t.in.sum != nil { // it did not even look like text
		err = jsonscan.Check(p)
	}
	if err != nil {
		return envelope.Part{Acquired: envelope.AcquiredUnknown}, fmt.Errorf("clip: not JSON: %w", err)
	}
	return t.cut(b), nil
}

// Cut cuts a stream of the format that s.MediaType names or its bytes tell. The
// budget bounds the content alone. r is read to its end and not closed. An error
// of r comes back beside the Part of what was read.
func Cut(r io.Reader, b Budget, s Show) (part envelope.Part, err error) {
	defer recovered(&err)
	t, err := take(r, b, s)
	if t == nil {
		return envelope.Part{Acquired: envelope.AcquiredUnknown}, err
	}
	return t.cut(b), err
}

// take reads all of r.
func take(r io.Reader, b Budget, s Show) (*content, error) {
	if err := s.check("clip: Show"); err != nil {
		return nil, err
	}
	b = b.orDefault()
	if b.n < 0 || b.bytes() < 0 {
		return nil, fmt.Errorf("%w: %v is negative", ErrBudget, b)
	}
	c := &Clipper{cfg: Config{Budget: b, Show: s, MaxInput: DefaultMaxInput}, frames: &frames{}}
	k := &call{Clipper: c, ctx: context.Background()}
	t := &content{call: k}
	n := Named{MediaType: s.MediaType}
	if _, closes := r.(io.Closer); closes {
		n.Content = onlyReader{r}
	} else if r != nil {
		n.Content = r
	}
	t.read(n)
	return t, t.err
}

// cut is the largest view within b.
func (t *content) cut(b Budget) envelope.Part {
	b = b.orDefault()
	most := b.whole()
	plan := t.view(most)
	if b.unit == coverage.Token {
		for n := range grid(most.Bytes, 0) {
			if b.fits(plan.Content, plan.Content) {
				break
			}
			plan = t.view(view.Limit{Bytes: n})
		}
	}
	p := t.part(plan)
	t.measure(&p)
	return p
}

// onlyReader hides Close.
type onlyReader struct{ io.Reader }
