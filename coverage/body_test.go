package coverage_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	. "github.com/toolclip/toolclip/coverage"
)

// serve answers every request with the same bytes and closes the connection.
func serve(t *testing.T, response string) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buf := make([]byte, 4096)
				if _, err := conn.Read(buf); err == nil {
					io.WriteString(conn, response)
				}
			}()
		}
	}()
	return "http://" + ln.Addr().String()
}

// fetch reads what serve sends by way of Page.Body.
func fetch(t *testing.T, response string, header ...string) Report {
	l := New(Enumerated(), nil)
	fetchInto(t, l, "page", response, header...)
	l.Seal()
	return l.Report()
}

func fetchInto(t *testing.T, l *Ledger, name, response string, header ...string) {
	req, err := http.NewRequest(http.MethodGet, serve(t, response), nil)
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	p := l.Page(name)
	body := p.Body(resp)
	io.Copy(io.Discard, body)
	require.NoError(t, body.Close())
	p.Done(CursorAbsent)
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// Case 61, and every other way in which a body ends.
func TestCase61WhetherAllBytesCame(t *testing.T) {
	text := strings.Repeat("x", 100)
	sum := sha256.Sum256([]byte(text))
	digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	zip, half := gzipped(strings.Repeat("decoded is longer ", 800)), gzipped(strings.Repeat("half", 3000))
	ok := "HTTP/1.1 200 OK\r\n"
	tests := []struct {
		name, response string
		want           string
		framing        Framing
		state          State
	}{
		{"whole, by length", ok + "Content-Length: 100\r\n\r\n" + text, "yes", FramingLength, StateComplete},
		{"cut, by length", ok + "Content-Length: 100\r\n\r\n" + text[:40], "no", FramingLength, StateIncomplete},
		{"empty, by length", ok + "Content-Length: 0\r\n\r\n", "yes", FramingLength, StateComplete},
		{"whole, chunked", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nxxxxx\r\n0\r\n\r\n", "yes", FramingChunked, StateComplete},
		{"cut before the last chunk", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nxxxxx\r\n", "no", FramingChunked, StateIncomplete},
		{"ended by the connection, cut or not", ok + "\r\n" + text[:40], "unknown", FramingClose, StateUnverifiable},
		{"ended by the connection, with a digest", ok + "Repr-Digest: " + digest + "\r\n\r\n" + text, "yes", FramingClose, StateComplete},
		{"cut, with a digest", ok + "Content-Digest: " + digest + "\r\n\r\n" + text[:40], "no", FramingClose, StateIncomplete},
		{"a digest that can't be read", ok + "Content-Digest: sha-256=:!:, md5=:AAAA:\r\n\r\n" + text, "unknown", FramingClose, StateUnverifiable},
		{"gzip whose header states the encoded length", ok + fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", len(zip)) + zip, "yes", FramingLength, StateComplete},
		{"gzip cut where the header says", ok + fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", len(zip)-9) + zip[:len(zip)-9], "no", FramingLength, StateIncomplete},
		{"gzip that lost its second member", ok + "Content-Encoding: gzip\r\n\r\n" + half, "unknown", FramingClose, StateUnverifiable},
		{"gzip that lost its second member, by length", ok + fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", 2*len(half)) + half, "no", FramingLength, StateIncomplete},
		{"gzip of two members, chunked", ok + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", 2*len(half), half+half), "yes", FramingChunked, StateComplete},
		{"a part", "HTTP/1.1 206 Partial Content\r\nContent-Length: 40\r\nContent-Range: bytes 0-39/100\r\n\r\n" + text[:40], "no", FramingLength, StateIncomplete},
		{"a part of an unknown whole", "HTTP/1.1 206 Partial Content\r\nContent-Length: 40\r\nContent-Range: bytes 0-39/*\r\n\r\n" + text[:40], "unknown", FramingLength, StateUnverifiable},
		{"a part that is the whole", "HTTP/1.1 206 Partial Content\r\nContent-Length: 100\r\nContent-Range: bytes 0-99/100\r\n\r\n" + text, "yes", FramingLength, StateComplete},
		{"a part without a range", "HTTP/1.1 206 Partial Content\r\nContent-Length: 40\r\n\r\n" + text[:40], "unknown", FramingLength, StateUnverifiable},
		{"a part with a verified digest of the part", "HTTP/1.1 206 Partial Content\r\nContent-Length: 100\r\nContent-Range: bytes 0-99/300\r\nContent-Digest: " + digest + "\r\n\r\n" + text, "no", FramingLength, StateIncomplete},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := fetch(t, tt.response)
			require.Equal(t, tt.want, r.Bytes.Complete, r.String())
			require.Equal(t, tt.framing, r.Bytes.Framing)
			require.Equal(t, tt.state, r.Acquisition.State, r.String())
			require.Equal(t, tt.want == "yes", r.ByteComplete)
			require.EqualValues(t, 1, r.Bytes.Whole+r.Bytes.Cut+r.Bytes.Doubtful)
		})
	}
}

// Encoded bytes are compared with the header; what Go has decoded is counted apart.
func TestDecodedBytesAreNotComparedWithTheHeader(t *testing.T) {
	zip := gzipped(strings.Repeat("decoded is longer ", 800))
	response := "HTTP/1.1 200 OK\r\n" + fmt.Sprintf("Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", len(zip)) + zip
	r := fetch(t, response)
	require.EqualValues(t, 18*800, r.Bytes.Decoded)
	require.Equal(t, AtLeast(0), r.Bytes.Received)
	require.False(t, r.Bytes.Expected.Known())

	r = fetch(t, response, "Accept-Encoding", "gzip") // the caller decodes
	require.Equal(t, Exactly(int64(len(zip))), r.Bytes.Received)
	require.Equal(t, r.Bytes.Received, r.Bytes.Expected)
	require.True(t, r.ByteComplete)
}

// A transport that decodes and leaves the header's length in place.
func TestADecodedBodyIsNoAlarmWhateverItsHeaderSays(t *testing.T) {
	for _, length := range []int64{2, 400} {
		l := New(Enumerated(), nil)
		p := l.Page("1")
		io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 200, ProtoMajor: 2, Uncompressed: true, ContentLength: length,
			Body: io.NopCloser(strings.NewReader("decoded"))}))
		p.Done(CursorAbsent)
		l.Seal()
		require.Equal(t, "yes", l.Report().Bytes.Complete, l.Report().String())
		require.EqualValues(t, 7, l.Report().Bytes.Decoded)
	}
}

// A caller's gzip reader that stops after the first member leaves bytes unread.
func TestAnUnreadSecondMemberIsNoticed(t *testing.T) {
	half := gzipped(strings.Repeat("half", 30_000))
	body := half + half
	l := New(Enumerated(), nil)
	p := l.Page("page")
	z, err := gzip.NewReader(p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: int64(len(body) + 5000),
		Body: io.NopCloser(strings.NewReader(body + strings.Repeat("\x00", 5000)))}))
	require.NoError(t, err)
	z.Multistream(false)
	io.Copy(io.Discard, z)
	p.Done(CursorAbsent)
	l.Seal()
	r := l.Report()
	require.Equal(t, "no", r.Bytes.Complete)
	require.Equal(t, LayerCapture, code(t, r, ByteTruncated).Layer)
}

// A Repr-Digest is of the whole representation, so a part can't be compared with it.
func TestADigestOfTheWholeIsNotComparedWithAPart(t *testing.T) {
	l := New(Enumerated(), nil)
	sum := sha256.Sum256([]byte("0123456789"))
	for i, rng := range []string{"0-4/10", "5-9/10"} {
		p := l.Page(rng)
		io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 206, ProtoMajor: 1, ContentLength: 5, Header: http.Header{
			"Content-Range": {"bytes " + rng}, "Etag": {`"v1"`}, "Repr-Digest": {"sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"}},
			Body: io.NopCloser(strings.NewReader("0123456789"[5*i : 5*i+5]))}))
		p.Done(CursorAbsent)
	}
	l.Seal()
	require.Equal(t, "yes", l.Report().Bytes.Complete)
}

func TestAnErrorIsNoEnd(t *testing.T) {
	for _, framing := range [][]string{nil, {"chunked"}} {
		l := New(Enumerated(), nil)
		p := l.Page("1")
		io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: -1, TransferEncoding: framing,
			Body: io.NopCloser(io.MultiReader(strings.NewReader("text"), iotest.ErrReader(errors.New("connection reset"))))}))
		p.Done(CursorAbsent)
		l.Seal()
		require.Equal(t, "no", l.Report().Bytes.Complete)
		require.Equal(t, "connection reset", code(t, l.Report(), ByteTruncated).Message)
	}
}

func TestPartsThatCoverTheWholeMakeIt(t *testing.T) {
	part := func(l *Ledger, name, rng, etag, text string) {
		p := l.Page(name)
		io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 206, ProtoMajor: 1, ContentLength: int64(len(text)),
			Header: http.Header{"Content-Range": {"bytes " + rng}, "Etag": {etag}}, Body: io.NopCloser(strings.NewReader(text))}))
		p.Done(CursorAbsent)
	}
	l := New(Enumerated(), nil)
	part(l, "2", "4-9/10", "v1", "456789")
	part(l, "1", "0-4/10", "v1", "01234")
	l.Seal()
	require.Equal(t, "yes", l.Report().Bytes.Complete)
	require.EqualValues(t, 2, l.Report().Bytes.Whole)

	l = New(Enumerated(), nil)
	part(l, "1", "0-4/10", "v1", "01234")
	part(l, "2", "5-9/10", "v2", "56789")
	l.Seal()
	require.Equal(t, "no", l.Report().Bytes.Complete, "parts of two versions")
	require.Equal(t, Exactly(5), code(t, l.Report(), RangeOnly).Count)

	l = New(Enumerated(), nil)
	part(l, "1", "0-4/10", "v1", "01234")
	part(l, "2", "5-9/9999", "v1", "56789")
	l.Seal()
	require.Equal(t, "unknown", l.Report().Bytes.Complete, "the source contradicts itself")
}

func TestAPageWithoutABodyIsNoEvidence(t *testing.T) {
	l := New(Enumerated(), nil)
	fetchInto(t, l, "1", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	l.Page("2").Done(CursorAbsent)
	l.Seal()
	r := l.Report()
	require.Equal(t, "unknown", r.Bytes.Complete)
	require.False(t, r.ByteComplete)
	require.True(t, r.InputComplete, "nothing speaks against it, and identities agree")
	require.EqualValues(t, 1, r.Bytes.Unseen)
}

// Case 55: an error page that comes with status 200, and one that doesn't.
func TestCase55AnExceptionPageIsAFailedPage(t *testing.T) {
	page := func(status int, mediaType string, want ...string) Report {
		l := New(Exhaustible(), &Options{TrustEnd: true})
		l.Snapshot("v1", "v1")
		p := l.Page("page 1")
		io.Copy(io.Discard, p.Body(&http.Response{StatusCode: status, ProtoMajor: 1, ContentLength: 4,
			Header: http.Header{"Content-Type": {mediaType}}, Body: io.NopCloser(strings.NewReader("oops"))}, want...))
		p.Done(CursorAbsent) // the caller saw no records and no cursor
		l.Seal()
		return l.Report()
	}
	require.True(t, page(200, "application/json; charset=utf-8", "application/json").InputComplete)
	r := page(200, "text/html", "application/json")
	require.False(t, r.InputComplete)
	require.Contains(t, code(t, r, SchemaMismatch).Message, "text/html")
	r = page(500, "application/json")
	require.False(t, r.InputComplete)
	require.True(t, code(t, r, HTTPStatus).Retryable)
	require.EqualValues(t, 1, r.Plan.Failed)
	require.Equal(t, []string{"page 1"}, r.Plan.Unreachable)
}

func TestBodiesOfFailedAttemptsAreNoEvidence(t *testing.T) {
	l := New(Enumerated(), nil)
	p := l.Page("1")
	_, err := io.Copy(io.Discard, p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: 10,
		Body: io.NopCloser(iotest.ErrReader(errors.New("reset")))}))
	require.Error(t, err)
	p.Fail(Reason{Code: ReadFailed, Message: err.Error()})
	p.Done(CursorAbsent) // only the first end counts
	fetchInto(t, l, "1", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	l.Seal()
	r := l.Report()
	require.True(t, r.InputComplete, r.String())
	require.EqualValues(t, 1, r.Bytes.Bodies)
	require.Equal(t, Exactly(2), r.Bytes.Received)
}

func TestAMissingResponseFailsThePage(t *testing.T) {
	l := New(Enumerated(), nil)
	p := l.Page("1")
	b := p.Body(nil)
	n, err := io.Copy(io.Discard, b)
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, b.Close())
	p.Done(CursorAbsent)
	l.Seal()
	require.False(t, l.Report().InputComplete)
	code(t, l.Report(), ReadFailed)
}

// The evidence is the same however the bytes are read.
func TestBodyEvidenceDoesNotDependOnReads(t *testing.T) {
	for _, wrap := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.DataErrReader, iotest.HalfReader} {
		l := New(Enumerated(), nil)
		p := l.Page("1")
		b := p.Body(&http.Response{StatusCode: 200, ProtoMajor: 1, ContentLength: -1, TransferEncoding: []string{"chunked"},
			Body: io.NopCloser(wrap(strings.NewReader("some text")))})
		got, err := io.ReadAll(b)
		require.NoError(t, err)
		require.Equal(t, "some text", string(got))
		p.Done(CursorAbsent)
		l.Seal()
		require.True(t, l.Report().ByteComplete)
		require.Equal(t, Exactly(9), l.Report().Bytes.Received)
	}
}
