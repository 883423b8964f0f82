package clip

import (
	"cmp"
	"io"
	"regexp"
	"slices"
)

// Redactor copies src to dst without what must not be seen, and counts the spans
// that it left out. It runs before a result is saved and before it is cut, so
// that neither the artifact nor a page holds them. It must read src to its end
// and return the first error of src or dst as it is.
type Redactor func(dst io.Writer, src io.Reader) (spans int64, err error)

const redactedText = "[redacted]"

// longestSpan is how far beyond maxLen a match may run before it is cut, in
// multiples of maxLen.
const longestSpan = 64

// RedactRegexp replaces each match of one of res by "[redacted]". A match is found
// wherever the chunks of the input end, as long as it is at most maxLen bytes
// long; a match that runs on is followed for 64 times maxLen bytes. The
// expressions see a window of the text: ^, $, \A, \z and \b also match at its ends.
// An expression that matches the empty string matches nothing here.
func RedactRegexp(maxLen int, res ...*regexp.Regexp) Redactor {
	maxLen = max(1, maxLen)
	return func(dst io.Writer, src io.Reader) (int64, error) {
		w := &redactWindow{maxLen: maxLen, res: res, dst: dst}
		for {
			err := w.fill(src)
			if werr := w.flush(err != nil); werr != nil {
				return w.spans, werr
			}
			if err == io.EOF {
				return w.spans, nil
			}
			if err != nil {
				return w.spans, err
			}
		}
	}
}

// redactWindow holds back the last maxLen bytes, in which a match may begin that
// ends in bytes to come.
type redactWindow struct {
	maxLen int
	res    []*regexp.Regexp
	dst    io.Writer
	buf    []byte
	spans  int64
}

func (w *redactWindow) fill(src io.Reader) error {
	want := len(w.buf) + max(4*w.maxLen, 32<<10)
	w.buf = slices.Grow(w.buf, want-len(w.buf))
	for len(w.buf) < want {
		n, err := src.Read(w.buf[len(w.buf):want])
		w.buf = w.buf[:len(w.buf)+n]
		if err != nil {
			return err
		}
	}
	return nil
}

// flush writes what is decided: all at the end, otherwise what lies before the
// last maxLen bytes and before a match that may go on.
func (w *redactWindow) flush(end bool) error {
	safe := len(w.buf)
	if !end {
		safe -= w.maxLen
	}
	at := 0
	for _, m := range w.matches() {
		if m[0] >= safe {
			break
		}
		if !end && m[1] == len(w.buf) && m[1]-m[0] < longestSpan*w.maxLen {
			safe = m[0] // it may go on
			break
		}
		if err := w.emit(w.buf[at:m[0]], redactedText); err != nil {
			return err
		}
		w.spans++
		at = m[1]
	}
	if safe > at {
		if err := w.emit(w.buf[at:safe], ""); err != nil {
			return err
		}
		at = safe
	}
	w.buf = w.buf[:copy(w.buf, w.buf[at:])]
	return nil
}

func (w *redactWindow) emit(p []byte, mark string) error {
	if len(p) > 0 {
		if _, err := w.dst.Write(p); err != nil {
			return err
		}
	}
	if mark != "" {
		_, err := io.WriteString(w.dst, mark)
		return err
	}
	return nil
}

// matches are the spans of all expressions, in order, overlapping ones merged.
func (w *redactWindow) matches() [][]int {
	var all [][]int
	for _, re := range w.res {
		for _, m := range re.FindAllIndex(w.buf, -1) {
			if m[1] > m[0] {
				all = append(all, m)
			}
		}
	}
	slices.SortFunc(all, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	out := all[:0]
	for _, m := range all {
		if n := len(out); n > 0 && m[0] < out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], m[1])
			continue
		}
		out = append(out, m)
	}
	return out
}
