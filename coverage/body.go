package coverage

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Framing is how the end of a body is known.
type Framing string

// The framings.
const (
	FramingLength  Framing = "length"          // Content-Length
	FramingChunked Framing = "chunked"         // the last chunk
	FramingStream  Framing = "stream"          // END_STREAM of HTTP/2 and HTTP/3
	FramingClose   Framing = "close_delimited" // the end of the connection: a cut looks the same
)

// answer is a yes, a no, or not known.
type answer uint8

const (
	unknown answer = iota
	yes
	no
)

func (a answer) String() string { return [...]string{"unknown", "yes", "no"}[a] }

// body counts and hashes what is read of a response.
type body struct {
	mu     sync.Mutex
	src    io.ReadCloser
	ev     evidence
	hash   hash.Hash // nil: no digest to compare
	digest []byte
}

// evidence is what is known of one body. It is complete in itself, so that it can
// be sent to another machine.
type evidence struct {
	read     int64
	want     int64 // of the header; -1 is unknown
	decoded  bool  // read is the size after Go's transport has decoded it
	framing  Framing
	ended    bool // io.EOF was seen
	failure  string
	verified answer // the digest
	partial  bool   // status 206
	part     Range  // of the representation
	total    int64  // of the representation; -1 is unknown
	what     string // the representation; see representation
}

func newBody(r *http.Response) *body {
	if r == nil || r.Body == nil {
		return &body{src: http.NoBody, ev: evidence{want: -1, total: -1}}
	}
	b := &body{src: r.Body, ev: evidence{want: min(r.ContentLength, math.MaxInt64-1), decoded: r.Uncompressed, framing: framingOf(r), total: -1}}
	if r.StatusCode == http.StatusPartialContent {
		b.ev.partial = true
		b.ev.part, b.ev.total = contentRange(r.Header.Get("Content-Range"))
		b.ev.what = representation(r)
	}
	if !r.Uncompressed {
		b.hash, b.digest = digestOf(r)
	}
	return b
}

// framingOf is how r's end is known. Of a body that Go has decoded the length is
// gone; there Response.Close tells a body that ends with its connection, because
// such a response always has it set (RFC 9112, section 6.3).
func framingOf(r *http.Response) Framing {
	switch {
	case r.ProtoMajor >= 2:
		return FramingStream
	case slices.Contains(r.TransferEncoding, "chunked"):
		return FramingChunked
	case r.ContentLength >= 0, r.Uncompressed && !r.Close && r.ProtoAtLeast(1, 1):
		return FramingLength
	}
	return FramingClose
}

// contentRange parses "bytes 0-499/1234" and "bytes 0-499/*" (RFC 9110, section
// 14.4). What can't be parsed is an empty range of an unknown total.
func contentRange(s string) (Range, int64) {
	s, ok := strings.CutPrefix(strings.TrimSpace(s), "bytes ")
	span, total, ok2 := strings.Cut(s, "/")
	first, last, ok3 := strings.Cut(span, "-")
	a, err1 := strconv.ParseInt(first, 10, 62)
	z, err2 := strconv.ParseInt(last, 10, 62)
	if !ok || !ok2 || !ok3 || err1 != nil || err2 != nil || a < 0 || z < a {
		return Range{}, -1
	}
	n, err := strconv.ParseInt(total, 10, 62)
	if err != nil || n <= z {
		n = -1
	}
	return Range{a, z + 1}, n
}

// representation names what a part is a part of: by a strong validator, if there is
// one, a blank and the URL.
func representation(r *http.Response) string {
	tag := r.Header.Get("ETag")
	if strings.HasPrefix(tag, "W/") {
		tag = ""
	}
	if r.Request == nil || r.Request.URL == nil {
		return label(tag + " ")
	}
	return label(tag + " " + r.Request.URL.Redacted())
}

// digestOf is the strongest digest that r carries for the bytes that will be read
// (RFC 9530): Content-Digest, or Repr-Digest of a response that is whole.
func digestOf(r *http.Response) (hash.Hash, []byte) {
	fields := r.Header.Values("Content-Digest")
	if r.StatusCode == http.StatusOK {
		fields = append(slices.Clone(fields), r.Header.Values("Repr-Digest")...)
	}
	all := strings.Join(fields, ",")
	if d := digestNamed(all, "sha-512", sha512.Size); d != nil {
		return sha512.New(), d
	}
	if d := digestNamed(all, "sha-256", sha256.Size); d != nil {
		return sha256.New(), d
	}
	return nil, nil
}

func digestNamed(fields, alg string, size int) []byte {
	for f := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(f), "=")
		value, ok := strings.CutPrefix(value, ":")
		value, _, ok2 := strings.Cut(value, ":")
		if strings.EqualFold(name, alg) && ok && ok2 {
			if d, err := base64.StdEncoding.DecodeString(value); err == nil && len(d) == size {
				return d
			}
		}
	}
	return nil
}

// misfit is why r can't be a page of the kind that is wanted, or nil.
func misfit(r *http.Response, mediaTypes []string) *Reason {
	if r == nil {
		return &Reason{Code: ReadFailed, Layer: LayerTransport, Message: "there is no response"}
	}
	if r.StatusCode < 200 || r.StatusCode > 299 {
		return &Reason{Code: HTTPStatus, Layer: LayerSource, Message: fmt.Sprintf("HTTP status %d", r.StatusCode),
			Retryable: r.StatusCode == http.StatusTooManyRequests || r.StatusCode >= 500}
	}
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if len(mediaTypes) == 0 || err == nil && slices.ContainsFunc(mediaTypes, func(m string) bool { return strings.EqualFold(m, got) }) {
		return nil
	}
	return &Reason{Code: SchemaMismatch, Layer: LayerSource,
		Message: fmt.Sprintf("the media type is %s, not %s", quote(r.Header.Get("Content-Type")), strings.Join(mediaTypes, " or "))}
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ev.read += int64(max(0, n))
	if b.hash != nil && n > 0 && n <= len(p) {
		b.hash.Write(p[:n])
	}
	switch {
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		b.ev.ended = true
		b.verify()
	case err != nil && b.ev.failure == "":
		b.ev.failure = clean(err.Error())
	}
	return n, err
}

func (b *body) verify() {
	if b.hash == nil {
		return
	}
	b.ev.verified = no
	if bytes.Equal(b.hash.Sum(nil), b.digest) {
		b.ev.verified = yes
	}
}

// Close closes the response's body.
func (b *body) Close() error { return b.src.Close() }

func (b *body) evidence() evidence {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ev
}

// message says whether all of the message came, and if not why. Encoded bytes are
// compared with the header, never decoded ones.
func (e *evidence) message() (answer, Reason) {
	cut := Reason{Code: ByteTruncated, Layer: LayerTransport, Unit: Byte}
	short := !e.decoded && e.want >= 0 && e.read < e.want
	if short {
		cut.Count = Exactly(e.want - e.read)
	}
	switch {
	case e.failure != "":
		cut.Message, cut.Retryable = e.failure, true
		return no, cut
	case e.verified == no:
		return no, Reason{Code: ContentChanged, Layer: LayerTransport, Message: "the body does not have the digest that its header states", Retryable: true}
	case e.partial && !short && !e.fillsPart():
		return unknown, Reason{Code: RangeOnly, Layer: LayerTransport, Unit: Byte, Message: "the part is not as long as its header states"}
	case e.verified == yes:
		return yes, Reason{}
	case short && !e.ended:
		cut.Layer, cut.Message = LayerCapture, "the body was not read to its end"
		return no, cut
	case short:
		cut.Retryable = true
		return no, cut
	case !e.decoded && e.want >= 0 && e.read == e.want:
		return yes, Reason{}
	}
	doubt := Reason{Code: TruncatedUnexplained, Layer: LayerTransport, Unit: Byte}
	switch {
	case !e.ended:
		doubt.Layer, doubt.Message = LayerCapture, "the body was not read to its end"
	case e.framing == FramingClose || e.framing == "":
		doubt.Message = "the body ended with its connection, where a cut looks the same"
	case !e.decoded && e.want >= 0 && e.read > e.want:
		doubt.Message = "the body is longer than its header states"
	default:
		return yes, Reason{}
	}
	return unknown, doubt
}

// fillsPart reports whether as many bytes came as the part is said to have. Of a
// body that Go has decoded that is not known.
func (e *evidence) fillsPart() bool {
	n := e.part.Len()
	return n == 0 || !e.decoded && e.read == n
}
