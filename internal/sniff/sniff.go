// Package sniff guesses from the first bytes of a content what it is: text or
// not, perhaps JSON, in which encoding, a document or what a terminal may be sent.
//
// What the bytes show goes before what was declared: a page of text that was
// declared as an image is text, and zero bytes that were declared as text are
// not.
package sniff

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"

	"github.com/toolclip/toolclip/internal/charset"
)

// Len is the number of bytes that Sniff looks at.
const Len = 4096

// Kind is what the first bytes of a content tell.
type Kind struct {
	MediaType string // without parameters, in lower case
	Text      bool   // it can be shown as text
	JSON      bool   // it may be one JSON value: declared, or it begins like an object, an array or a string
	Charset   string // as far as the first bytes tell; "" for what is not text
	Document  bool   // declared, or by its first bytes proved, to be of a type that is not for a terminal
}

// Sniff looks at the first bytes of a content (at most Len of them) and at the
// media type that was declared for it, "" for none. An empty content is text.
func Sniff(head []byte, declared string) Kind {
	head = head[:min(len(head), Len)]
	k := Kind{Charset: encoding(head)}
	declared = base(declared)
	detected := base(mimetype.Detect(head).String())
	k.Text = readable(head, k.Charset, detected)
	if !k.Text {
		k.MediaType, k.Charset = "application/octet-stream", ""
		switch {
		case detected != "text/plain" && detected != k.MediaType:
			k.MediaType = detected
		case declared != "" && !textual(declared):
			k.MediaType = declared
		}
		return k
	}
	k.JSON = k.Charset == charset.UTF8 && (isJSON(declared) || beginsLikeJSON(head))
	k.MediaType = textType(detected, declared, k.JSON)
	k.Document = !forTerminal(k.MediaType) && (k.MediaType == declared || !k.JSON)
	return k
}

// base is a media type without parameters.
func base(s string) string {
	t, _, err := mime.ParseMediaType(s)
	if err != nil {
		t, _, _ = strings.Cut(s, ";")
		t = strings.ToLower(strings.TrimSpace(t))
	}
	return t
}

// textType is the media type of text. Of the guesses only those are taken that
// the first bytes prove; what looks like CSV may be a log with commas.
func textType(detected, declared string, json bool) string {
	switch {
	case textual(declared):
		return declared
	case json:
		return "application/json"
	}
	switch detected {
	case "text/html", "text/xml", "application/xml", "image/svg+xml", "text/rtf":
		return detected
	}
	return "text/plain"
}

// Textual reports whether the media type declared, which may have parameters, is one of
// text.
func Textual(declared string) bool { return textual(base(declared)) }

// textual reports whether a declared type is one of text.
func textual(t string) bool {
	if strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "+json") || strings.HasSuffix(t, "+xml") || strings.HasSuffix(t, "+yaml") {
		return true
	}
	switch t {
	case "application/json", "application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq",
		"application/xml", "application/yaml", "application/x-yaml", "application/toml", "application/javascript",
		"application/x-sh", "application/sql", "application/graphql", "application/x-www-form-urlencoded":
		return true
	}
	return false
}

func isJSON(t string) bool { return t == "application/json" || strings.HasSuffix(t, "+json") }

// beginsLikeJSON looks at the first byte after white space (RFC 8259 section 2)
// and a byte order mark.
func beginsLikeJSON(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\uFEFF"))
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && strings.IndexByte(`{["`, head[0]) >= 0
}

// encoding is the encoding that the first bytes tell.
func encoding(head []byte) string {
	if name, n := charset.Mark(head); n > 0 {
		return name
	}
	if name := charset.UTF16(head); name != "" {
		return name
	}
	for i, c := range head {
		if c >= utf8.RuneSelf {
			return charset.Detect(head[i:])
		}
	}
	return charset.UTF8
}

// readable reports whether head is text. Bytes that text of no kind has decide;
// a signature decides only where there are some bytes that are not UTF-8, for
// words begin with the same letters as executables and pictures.
func readable(head []byte, enc, detected string) bool {
	if strings.HasPrefix(enc, "utf-16") {
		return true
	}
	controls, high := 0, 0
	for _, c := range head {
		if c < ' ' && !strings.ContainsRune("\t\n\v\f\r\b\a\x1b", rune(c)) {
			controls++
		}
		if c >= utf8.RuneSelf {
			high++
		}
	}
	clean := controls == 0 && validStart(head)
	switch {
	case detected == "application/pdf":
		return false
	case clean:
		return true
	case signed(detected):
		return false
	}
	return controls*20 < len(head) && (enc != charset.UTF8 || controls == 0 || validStart(head) || high*4 < len(head))
}

// signed reports whether a detected type has a signature of its own and is not
// text.
func signed(detected string) bool {
	for m := mimetype.Lookup(detected); m != nil; m = m.Parent() {
		if m.Is("text/plain") {
			return false
		}
	}
	return detected != "application/octet-stream"
}

// validStart reports whether b is UTF-8, except that its end may cut a rune.
func validStart(b []byte) bool {
	for k := 1; k < utf8.UTFMax && k <= len(b); k++ {
		if c := b[len(b)-k]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-k:]) {
				b = b[:len(b)-k]
			}
			break
		}
	}
	return utf8.Valid(b)
}

// forTerminal reports whether text of a type may have been written to a terminal.
func forTerminal(t string) bool {
	switch t {
	case "text/plain", "text/x-log", "text/x-ansi":
		return true
	}
	return false
}
