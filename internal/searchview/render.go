package searchview

import (
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/charset"
	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/view"
	"github.com/toolclip/toolclip/internal/visible"
)

// The names of the transforms, as in package textview. A search shows a text as it
// was searched: escape sequences are made visible and nothing is folded.
const (
	InvalidUTF8 = "invalid_utf8"    // bytes shown as U+FFFD; loses
	Undecodable = "undecodable"     // the same in another encoding; loses
	Decoded     = "decoded:"        // followed by the encoding; loses where Undecodable counts
	BOM         = "bom_removed"     // a byte order mark
	Controls    = "control_visible" // control characters shown
	Hidden      = "hidden_visible"  // bidi controls, zero-width characters, tags shown
)

// changes counts what was done to some text to show it.
type changes struct{ invalid, controls, hidden int64 }

func (c *changes) add(d changes) {
	c.invalid += d.invalid
	c.controls += d.controls
	c.hidden += d.hidden
}

// appendShown appends b, which begins and ends between clusters, as it is shown.
// It is never shorter than b.
func appendShown(dst, b []byte, raw bool) ([]byte, changes) {
	var c changes
	var prev rune
	for len(b) > 0 {
		n := graphemes.Next(b, true)
		cluster := b[:n]
		switch {
		case n == 1 && b[0] >= utf8.RuneSelf:
			dst = append(dst, "\uFFFD"...)
			c.invalid++
		case raw || plain(cluster):
			dst = append(dst, cluster...)
		case n == 1:
			dst = utf8.AppendRune(dst, visible.Control(b[0]))
			c.controls++
		default:
			var hidden int
			dst, hidden = visible.AppendCluster(dst, cluster, prev)
			c.hidden += int64(hidden)
		}
		prev, _ = utf8.DecodeLastRune(cluster)
		b = b[n:]
	}
	return dst, c
}

// plain reports whether a cluster is shown as it is: printable ASCII, white space,
// the end of a line.
func plain(cluster []byte) bool {
	c := cluster[0]
	if len(cluster) == 1 {
		return c >= ' ' && c != 0x7F || c == '\t' || c == '\n'
	}
	return c == '\r' // and LF: CR alone is a cluster of its own
}

// transforms lists the changes. fromStart says that the text's first byte is shown.
func (c changes) transforms(d *charset.Decoder, fromStart bool) []view.Transform {
	var list []view.Transform
	add := func(name string, n int64, loses bool) {
		if n > 0 {
			list = append(list, view.Transform{Name: name, Count: n, Loses: loses})
		}
	}
	name := InvalidUTF8
	if d.Name() != charset.UTF8 {
		add(Decoded+d.Name(), 1, c.invalid > 0)
		name = Undecodable
	}
	add(name, c.invalid, true)
	add(Controls, c.controls, false)
	add(Hidden, c.hidden, false)
	if d.BOM() > 0 && fromStart {
		add(BOM, 1, false)
	}
	return list
}
