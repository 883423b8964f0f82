package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"unicode"
	"unicode/utf8"
)

// This file says which calls show more.

// defaultArgument is the argument that takes a handle where no call names another.
const defaultArgument = "artifact"

// argumentFor is the argument that takes handle in the calls.
func (w *wording) argumentFor(handle string) string {
	for _, n := range w.e.Next {
		for _, k := range sortedKeys(n.Arguments) {
			if isText(n.Arguments[k], handle) {
				return label(k, maxName)
			}
		}
	}
	return defaultArgument
}

// isText reports whether v is the string s, of whatever string type.
func isText(v any, s string) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.String && r.String() == s
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// calls are the sentences of the notice's second line: what can be called now, or why
// nothing can.
func (w *wording) calls() []string {
	read, search := w.nextCalls("")
	switch {
	case read != nil && search != nil && w.second && !w.Compact:
		return []string{w.callsSentence(read, search), w.say("not_there")}
	case read != nil || search != nil:
		return []string{w.callsSentence(read, search)}
	case len(w.e.Next) > 0 || w.e.NoNext == "" || w.complete() || w.allBytes():
		return nil
	}
	return []string{w.noMore()}
}

// callsSentence names the calls of which at least one is not nil.
func (w *wording) callsSentence(read, search *Next) string {
	switch {
	case read == nil:
		return w.find(w.call(*search))
	case search == nil || !w.second:
		return w.more(w.call(*read))
	case w.Compact:
		return w.call(*read) + ", " + w.call(*search)
	}
	return w.say("more.find", w.call(*read), w.call(*search))
}

func (w *wording) more(call string) string {
	if w.Compact {
		return call
	}
	return w.say("more", call)
}

func (w *wording) find(call string) string {
	if w.Compact {
		return call
	}
	return w.say("find", call)
}

// nextCalls are the first call that reads on and the first that searches. With
// several artifacts, handle selects the calls on one; "" those on none of the
// parts' own.
func (w *wording) nextCalls(handle string) (read, search *Next) {
	for i, n := range w.e.Next {
		if w.handleIn(n) != handle {
			continue
		}
		if n.Search && search == nil {
			search = &w.e.Next[i]
		}
		if !n.Search && read == nil {
			read = &w.e.Next[i]
		}
	}
	return read, search
}

// handleIn is the handle in n's arguments that a heading names; "" when the notice
// names it or there is none.
func (w *wording) handleIn(n Next) string {
	if !w.several() {
		return ""
	}
	for _, p := range w.parts {
		if !w.hasOwn(p) {
			continue
		}
		for _, v := range n.Arguments {
			if isText(v, p.Artifact.Handle) {
				return p.Artifact.Handle
			}
		}
	}
	return ""
}

func (w *wording) noMore() string {
	if w.nameless() {
		return w.say("no_more")
	}
	why := quoted(w.e.NoNext, w.names)
	if usual(w.e.NoNext) {
		why = w.say(w.e.NoNext)
	}
	return w.say("no_more.why", why)
}

// usual reports whether why is one of the reasons that package clip gives, which are
// messages of their own.
func usual(why string) bool {
	return slices.ContainsFunc(phrases, func(p phrase) bool { return p.key == why && p.english == why })
}

// call prints one call, without the handle, which the notice has once.
func (w *wording) call(n Next) string {
	name := label(n.Tool, maxName)
	args := w.arguments(n)
	switch {
	case args == "{}" || (w.Compact && (n.Search || w.implied(n))):
		return name
	case args == "" || !w.args || (w.tight() && len(args) > maxTightArgs):
		return w.say("call.fields", name)
	}
	return w.say("call", name, args)
}

// implied reports whether the one range that is shown tells where n goes on: one of
// its arguments is the unit after it, and there is nothing but numbers.
func (w *wording) implied(n Next) bool {
	vw := w.parts[0].View
	if w.several() || !inUnits(vw) || vw.Partly > 0 || vw.Pointer != "" || len(vw.Units) != 1 {
		return false
	}
	after := false
	for _, v := range n.Arguments {
		r := reflect.ValueOf(v)
		switch {
		case w.isHandle(v):
		case !r.CanInt():
			return false
		default:
			after = after || r.Int() == vw.Units[0].End+1
		}
	}
	return after
}

// maxTightArgs is the most bytes of arguments in the essential frame.
const maxTightArgs = 64

// arguments are the JSON of n's arguments without handles; "" when they have none.
// What a search is for is left for the model to fill in.
func (w *wording) arguments(n Next) string {
	rest := make(map[string]any, len(n.Arguments))
	for k, v := range n.Arguments {
		if w.isHandle(v) {
			continue
		}
		if n.Search && v == any("") {
			v = ellipsis
		}
		rest[k] = v
	}
	return encodeArguments(rest)
}

func (w *wording) isHandle(v any) bool {
	if w.e.List != "" && isText(v, w.e.List) {
		return true
	}
	for _, p := range w.allParts() {
		if p.Artifact != nil && isText(v, p.Artifact.Handle) {
			return true
		}
	}
	return false
}

// encodeArguments is args as JSON on one line with every rune visible, or "" when
// they can't be encoded.
func encodeArguments(args map[string]any) (text string) {
	defer func() {
		if recover() != nil { // a MarshalJSON of the caller's may do anything
			text = ""
		}
	}()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(args); err != nil {
		return ""
	}
	return escapeInvisible(bytes.TrimSpace(b.Bytes()))
}

// escapeInvisible replaces what has no glyph by the JSON escape; it occurs inside
// strings only.
func escapeInvisible(p []byte) string {
	var out []byte
	for len(p) > 0 {
		r, size := utf8.DecodeRune(p)
		switch {
		case unicode.IsGraphic(r) && (r == ' ' || !unicode.IsSpace(r)):
			out = append(out, p[:size]...)
		case r > 0xFFFF:
			hi, lo := (r-0x10000)>>10+0xD800, (r-0x10000)&0x3FF+0xDC00
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		p = p[size:]
	}
	return string(out)
}
