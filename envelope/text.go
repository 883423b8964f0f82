package envelope

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const fenceMark = "-- "

// segment is a piece of Text: content, or the frame around it.
type segment struct {
	text    string
	content bool
}

// Text is what the model reads: the content alone when it stands bare; else the
// notice, and each content between fence lines. It is a pure function of e's
// fields, so that history rendered again is the same.
//
//	[PARTIAL lines 1-178 of 549 …]
//	-- ab739461
//	…content…
//	-- ab739461 371 lines follow
//
// One line feed is added to a content that does not end with one. Several parts
// follow each other, each under a fence line with its name and its facts. Where
// content has a gap inside, a line with the fence says so; JSON content is never
// interrupted. Content in Base64 is named, not shown.
func (e Envelope) Text() string {
	var b strings.Builder
	for _, s := range e.layout() {
		b.WriteString(s.text)
	}
	return b.String()
}

// frame is all that Text adds around the contents.
func (e Envelope) frame() string {
	var b strings.Builder
	for _, s := range e.layout() {
		if !s.content {
			b.WriteString(s.text)
		}
	}
	return b.String()
}

func (e Envelope) layout() []segment {
	parts := e.parts()
	if e.Fence == "" {
		return e.unfenced(parts)
	}
	var out []segment
	if e.Notice != "" {
		out = append(out, segment{text: e.Notice + "\n"})
	}
	for _, p := range parts {
		out = append(out, segment{text: fenceLine(e.Fence, p.Heading) + "\n"})
		out = appendContent(out, e.Fence, p)
	}
	return append(out, segment{text: fenceLine(e.Fence, e.Closing)})
}

// unfenced is a bare content, a notice alone, or an envelope from elsewhere.
func (e Envelope) unfenced(parts []Part) []segment {
	out := []segment{{text: e.Notice}}
	for _, p := range parts {
		if p.Content == "" {
			continue
		}
		if len(out) > 1 || e.Notice != "" {
			out = append(out, segment{text: "\n"})
		}
		out = append(out, segment{p.Content, true})
	}
	if e.Closing != "" {
		out = append(out, segment{text: "\n" + e.Closing})
	}
	return out
}

// appendContent appends p's content with its marks, ended by a line feed.
func appendContent(out []segment, fence string, p Part) []segment {
	content, done := p.Content, int64(0)
	for _, c := range p.View.Cuts {
		if c.Mark == "" || c.At < done || !atRune(p.Content, c.At) {
			continue // not worded, or from elsewhere
		}
		out = appendLines(out, content[:c.At-done])
		out = append(out, segment{text: fenceLine(fence, c.Mark) + "\n"})
		content, done = content[c.At-done:], c.At
	}
	return appendLines(out, content)
}

func atRune(s string, i int64) bool {
	return i == int64(len(s)) || (i < int64(len(s)) && utf8.RuneStart(s[i]))
}

func appendLines(out []segment, content string) []segment {
	if content == "" {
		return out
	}
	out = append(out, segment{content, true})
	if !strings.HasSuffix(content, "\n") {
		out = append(out, segment{text: "\n"})
	}
	return out
}

func fenceLine(fence, text string) string {
	if text == "" {
		return fenceMark + fence
	}
	return fenceMark + fence + " " + text
}

// isJSON reports whether a media type is JSON, so that a mark inside would break it.
func isJSON(mediaType string) bool {
	t, _, _ := strings.Cut(mediaType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return slices.Contains([]string{"application/json", "text/json"}, t) || strings.HasSuffix(t, "+json")
}
