package sniff_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/sniff"
)

func ExampleSniff() {
	fmt.Printf("%+v\n", sniff.Sniff([]byte(`{"id": 9007199254740993}`), ""))
	fmt.Printf("%+v\n", sniff.Sniff([]byte("a,b\r1,2\r"), "text/csv"))
	fmt.Printf("%+v\n", sniff.Sniff([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), "text/plain"))
	// Output:
	// {MediaType:application/json Text:true JSON:true Charset:utf-8 Document:false}
	// {MediaType:text/csv Text:true JSON:false Charset:utf-8 Document:true}
	// {MediaType:image/png Text:false JSON:false Charset: Document:false}
}

func TestSniff(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, strings.Repeat("text", 1000))
	z.Close()
	noise := make([]byte, 0, sniff.Len)
	for i := 0; len(noise) < sniff.Len; i++ {
		sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		noise = append(noise, sum[:]...)
	}
	for _, c := range []struct {
		reason, head, declared string
		want                   sniff.Kind
	}{
		{"nothing is text", "", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-8"}},
		{"words are no bitmap", "BMW sold 3 cars\n", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-8"}},
		{"words are no program", "MZ is a label\n", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-8"}},
		{"a declared type of text is kept", "a,b\n1,2\n", "Text/CSV; charset=utf-8", sniff.Kind{MediaType: "text/csv", Text: true, Charset: "utf-8", Document: true}},
		{"commas are no CSV", "one, two\nthree, four\n", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-8"}},
		{"an error page is not the image that was asked for", "<!DOCTYPE html><html><body>403", "image/png", sniff.Kind{MediaType: "text/html", Text: true, Charset: "utf-8", Document: true}},
		{"white space and a mark before JSON", "\ufeff \n[1]", "", sniff.Kind{MediaType: "application/json", Text: true, JSON: true, Charset: "utf-8"}},
		{"declared JSON is tried whatever it begins with", "12", "application/problem+json", sniff.Kind{MediaType: "application/problem+json", Text: true, JSON: true, Charset: "utf-8", Document: true}},
		{"JSON in UTF-16 is text", "\xff\xfe[\x001\x00]\x00", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-16le"}},
		{"UTF-16 without a mark", "h\x00e\x00l\x00l\x00o\x00\n\x00", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-16le"}},
		{"small numbers of two bytes are no UTF-16", strings.Repeat("\x00\x01\x00\x02\x00\x1f", 200), "", sniff.Kind{MediaType: "application/octet-stream"}},
		{"nor with the low byte first", strings.Repeat("\x01\x00", 600), "text/plain", sniff.Kind{MediaType: "application/octet-stream"}},
		{"colours in UTF-16", strings.Repeat("\x1b\x00[\x001\x00m\x00x\x00\n\x00", 20), "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-16le"}},
		{"a control among many characters of UTF-16", strings.Repeat("\x00a", 40) + "\x00\x01", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-16be"}},
		{"GBK", "\xb4\xed\xce\xf3\xa3\xba\xce\xc4\xbc\xfe\xb2\xbb\xb4\xe6\xd4\xda\n", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "gbk"}},
		{"names ended by NUL can be read", strings.Repeat("some/path/to/a/file.go\x00", 40), "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-8"}},
		{"a stray byte does not make text binary", "caf\xe9 au lait\n", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-8"}},
		{"a rune cut by the end of the head", strings.Repeat("é", sniff.Len/2-1) + "x中", "", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-8"}},
		{"gzip", zipped.String(), "text/plain", sniff.Kind{MediaType: "application/gzip"}},
		{"noise", string(noise), "", sniff.Kind{MediaType: "application/octet-stream"}},
		{"noise of a declared type", string(noise), "audio/x-own", sniff.Kind{MediaType: "audio/x-own"}},
		{"zeros", strings.Repeat("\x00", 100), "text/plain", sniff.Kind{MediaType: "application/octet-stream"}},
		{"PDF", "%PDF-1.7\n%all ASCII so far\n", "", sniff.Kind{MediaType: "application/pdf"}},
		{"what begins like JSON may be a log", "[INFO] 10%\r20%\r", "", sniff.Kind{MediaType: "application/json", Text: true, JSON: true, Charset: "utf-8"}},
		{"plain text may come from a terminal", "10%\r20%\n", "text/plain", sniff.Kind{MediaType: "text/plain", Text: true, Charset: "utf-8"}},
		{"so may a log", "10%\r20%\n", "text/x-log", sniff.Kind{MediaType: "text/x-log", Text: true, Charset: "utf-8"}},
		{"a page that nobody declared", "<!DOCTYPE html><html>\r<body>\r", "", sniff.Kind{MediaType: "text/html", Text: true, Charset: "utf-8", Document: true}},
	} {
		require.Equal(t, c.want, sniff.Sniff([]byte(c.head), c.declared), c.reason)
	}
}

// More bytes than Len change nothing.
func TestSniffLooksAtLenBytes(t *testing.T) {
	head := strings.Repeat("text ", 1000)
	require.Equal(t, sniff.Sniff([]byte(head[:sniff.Len]), ""), sniff.Sniff([]byte(head+"\x00\x00\x00"), ""))
}

func FuzzSniff(f *testing.F) {
	f.Add([]byte("{}"), "application/json")
	f.Add([]byte("\xff\xfe\x00"), "text/plain; charset")
	f.Fuzz(func(t *testing.T, head []byte, declared string) {
		k := sniff.Sniff(head, declared)
		if k.JSON && !k.Text || k.MediaType == "" || k.Text != (k.Charset != "") {
			t.Fatalf("%+v", k)
		}
	})
}
