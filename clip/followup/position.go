package followup

import (
	"fmt"
	"math"
	"strings"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// window is the part that a read asks for: units from to to of the container that
// pointer names, 0-based and half-open; to 0 is the end. Without a unit it is all.
type window struct {
	pointer  string
	inside   bool // of what the string at pointer holds
	unit     coverage.Unit
	from, to int64
}

// window reads line, item or byte, to, pointer and inside.
func (a *args) window() (w window, f *envelope.Failure) {
	if w.pointer, f = a.pointer(); f != nil {
		return w, f
	}
	if w.inside, f = a.truth(clip.ArgInside); f != nil {
		return w, f
	}
	var given []string
	for _, name := range []string{clip.ArgLine, clip.ArgItem, clip.ArgByte} {
		if a.has(name) {
			given = append(given, name)
		}
	}
	switch {
	case len(given) > 1:
		return w, bad("give one of line, item and byte", "%s can't be given together", strings.Join(given, " and "))
	case len(given) == 0 && a.has(clip.ArgTo):
		return w, bad("give line, item or byte too", "to alone does not say what it counts")
	case len(given) == 0:
		return w, nil
	case given[0] == clip.ArgLine && w.pointer != "" && !w.inside:
		return w, bad("give item to count the elements of what pointer names, or byte, or set inside to read the lines in a string", "line can't be given with a pointer: JSON is not read by lines")
	}
	return w.read(a, given[0])
}

// read reads the positions in the unit that the argument name counts.
func (w window) read(a *args, name string) (window, *envelope.Failure) {
	w.unit = coverage.Unit(name)
	first := int64(1) // lines and items count from 1, and the last is included
	if name == clip.ArgByte {
		first = 0
	}
	n, f := a.number(name, first)
	if f != nil {
		return w, f
	}
	w.from = n - first
	if !a.has(clip.ArgTo) {
		return w, nil
	}
	to, f := a.number(clip.ArgTo, math.MinInt64)
	switch {
	case f != nil:
		return w, f
	case name == clip.ArgByte && to <= n:
		return w, bad("give a to that is larger, or none to read to the end", "to %d is not behind byte %d: to is the first byte that is not read", to, n)
	case to < n:
		return w, bad("give a to that is not smaller, or none to read to the end", "to %d is before %s %d", to, name, n)
	}
	w.to = to
	return w, nil
}

// pointer reads a JSON Pointer (RFC 6901).
func (a *args) pointer() (string, *envelope.Failure) {
	p, f := a.text(clip.ArgPointer, false)
	switch {
	case f != nil:
		return "", f
	case p == "" || strings.HasPrefix(p, "/"):
	default:
		return "", bad(`a JSON Pointer begins with / and has / between the names, as in /items/0/name; "" is the whole`, "pointer: %s is no JSON Pointer", short(p))
	}
	for i := 0; i < len(p); i++ {
		if p[i] == '~' && (i+1 == len(p) || (p[i+1] != '0' && p[i+1] != '1')) {
			return "", bad("write ~0 for ~ and ~1 for / inside a name", "pointer: %s has a ~ that stands for nothing", short(p))
		}
	}
	return p, nil
}

// pastEnd says that a window begins behind the last of total units.
func (w window) pastEnd(total int64) *envelope.Failure {
	where := ""
	if w.pointer != "" {
		where = " in " + short(w.pointer)
	}
	n, name := w.from, string(w.unit)
	if w.unit != coverage.Byte {
		n++
	}
	advice := "that is the end: there is nothing more to read"
	if total == 0 {
		advice = "there is nothing to read"
	}
	return bad(advice, "%s %d is past the end: %s in all%s", name, n, counted(total, name), where)
}

// counted is "1 line", "549 lines".
func counted(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
