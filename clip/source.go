package clip

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// source is one content on its way in.
type source struct {
	mediaType string // declared by the tool or by the type of the content
	r         io.Reader
	held      bool         // all of r is in memory: reading it can't block
	close     func() error // ends r early or after its end; nil: nothing to close
	end       func() error // ends r once nobody reads it any more; nil: nothing to end
	present   bool         // false: the tool returned nothing at all
}

const jsonType = "application/json"

// held is a source of what is in memory.
func held(r io.Reader, mediaType string, present bool) source {
	return source{r: r, mediaType: mediaType, present: present, held: true}
}

func noSource() source { return held(strings.NewReader(""), "", false) }

// open makes a source of any Out of Wrap. An error is about the value: it could
// not be encoded.
func open(ctx context.Context, content any) (source, error) {
	switch v := content.(type) {
	case nil:
		return noSource(), nil
	case string:
		return held(strings.NewReader(v), "", true), nil
	case json.RawMessage:
		return held(bytes.NewReader(v), jsonType, v != nil), nil
	case []byte:
		return held(bytes.NewReader(v), "", v != nil), nil
	case io.Reader:
		s := source{r: v, present: true}
		if c, ok := v.(io.Closer); ok {
			s.close = c.Close
		}
		return s, nil
	case Result, *Result, Named:
		return noSource(), fmt.Errorf("clip: a %T can't be the content of a Result; use Result.Parts for several contents", content)
	}
	if s, ok := openSeq(ctx, content); ok {
		return s, nil
	}
	return openValue(content)
}

// openValue encodes any other value; that encoding is then the source.
func openValue(v any) (source, error) {
	var b bytes.Buffer
	if err := encodeTo(&b, v); err != nil {
		return noSource(), fmt.Errorf("clip: the result can't be encoded as JSON: %w", err)
	}
	return held(bytes.NewReader(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), jsonType, true), nil
}

// encodeTo writes v and LF as encoding/json does without HTML escaping. A panic
// in a marshaller of v is an error.
func encodeTo(w io.Writer, v any) (err error) {
	defer recovered(&err)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// closeContent closes what a tool handed over and nobody will read.
func closeContent(out any) {
	switch v := out.(type) {
	case Result:
		closeContent(v.Content)
		for _, p := range v.Parts {
			closeContent(p.Content)
		}
	case *Result:
		if v != nil {
			closeContent(*v)
		}
	case io.Closer:
		_ = protectErr(v.Close)
	}
}

// reading is a source's Reader that ends with the context, turns a panic of the
// source into an error, and refuses a Reader that makes no progress.
type reading struct {
	ctx   context.Context
	r     io.Reader
	idle  int
	ended error
}

// maxIdle is how often in a row a Reader may return nothing and no error, as in
// bufio.
const maxIdle = 100

func (r *reading) Read(p []byte) (n int, err error) {
	if r.ended != nil {
		return 0, r.ended
	}
	if err := r.ctx.Err(); err != nil {
		r.ended = err
		return 0, err
	}
	n, err = r.read(p)
	if n < 0 || n > len(p) {
		n, err = 0, fmt.Errorf("clip: the tool's Reader returned %d for a buffer of %d bytes", n, len(p))
	}
	if n == 0 && err == nil {
		if r.idle++; r.idle >= maxIdle {
			err = io.ErrNoProgress
		}
	} else {
		r.idle = 0
	}
	if err != nil && err != io.EOF {
		if c := r.ctx.Err(); c != nil && !errors.Is(err, c) {
			err = c // the source was closed because the context ended
		}
	}
	r.ended = err
	return n, err
}

func (r *reading) read(p []byte) (n int, err error) {
	defer recovered(&err)
	return r.r.Read(p)
}
