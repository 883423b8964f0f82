package envelope

import "strings"

// wording says one envelope at one level.
type wording struct {
	Style
	voice
	level
	e        Envelope
	parts    []Part
	imitates bool // all is complete, and a content looks like something that this package says
}

// tight reports whether only the essential is said.
func (w *wording) tight() bool { return w.limit == 0 }

// nameless reports whether names are left to the fields.
func (w *wording) nameless() bool { return w.names == 0 }

// name prints a name or a pointer.
func (w *wording) name(s string) string { return label(s, w.names) }

// word sets the words of w.e. The fence is drawn by the caller.
func (w *wording) word() Envelope {
	e := w.e
	e.Notice = w.notice()
	if len(e.Parts) == 0 {
		e.Part = w.mark(e.Part)
		e.Closing = w.closing(e)
		return e
	}
	e.Parts = append([]Part(nil), e.Parts...)
	for i := range e.Parts {
		e.Parts[i] = w.mark(e.Parts[i])
		if w.several() {
			e.Parts[i].Heading = w.heading(i)
		}
	}
	e.Closing = w.closing(e)
	return e
}

// closing is the text of the last fence line; a compact one is the fence alone.
func (w *wording) closing(e Envelope) string {
	switch parts := e.parts(); {
	case w.Compact:
		return ""
	case len(parts) > 1 || parts[0].Heading != "":
		return w.say("end")
	case parts[0].Content != "":
		return w.after(parts[0])
	}
	return ""
}

// notice is all that stands before the content; "" when nothing needs saying.
func (w *wording) notice() string {
	if w.nothing() {
		if w.e.Did != "" && !w.tight() {
			return visible(w.e.Did, w.limit)
		}
		return w.say("empty")
	}
	if w.Compact {
		return w.bracket(w.compact())
	}
	facts := w.facts()
	calls := w.calls()
	switch {
	case len(facts)+len(calls) == 0:
		return ""
	case len(calls) == 0:
		return w.bracket(w.joined(facts))
	}
	return w.bracket(w.joined(facts) + "\n" + w.joined(calls))
}

func (w *wording) bracket(s string) string {
	if s == "" {
		return ""
	}
	return "[" + s + "]"
}

// nothing reports whether the call succeeded and there is nothing to show.
func (w *wording) nothing() bool {
	for _, p := range w.parts {
		if !whole(p) || p.Content != "" || p.Base64 != "" {
			return false
		}
	}
	return accounted(w.e) && !callsMore(w.e)
}

// joined makes one line of sentences.
func (w *wording) joined(sentences []string) string {
	out := ""
	for _, s := range sentences {
		switch {
		case s == "":
		case out == "":
			out = s
		default:
			out = w.say("join", out, s)
		}
	}
	return out
}

// listed makes one list of things that belong together.
func (w *wording) listed(things ...string) string {
	out := ""
	for _, s := range things {
		switch {
		case s == "":
		case out == "":
			out = s
		default:
			out = w.say("list", out, s)
		}
	}
	return out
}

// facts are the sentences of the notice's first line, the most important first.
func (w *wording) facts() []string {
	e := w.e
	if w.quiet() {
		return nil
	}
	out := []string{w.opening()}
	if e.Failure != nil && !w.tight() {
		out = append(out, w.failureSentences()...)
		if w.shown() != "" {
			out = append(out, w.extentSentence(w.viewState()))
		}
	}
	if w.hasDid() {
		out = append(out, w.say("did", quoted(unended(e.Did), w.limit)))
	}
	out = append(out, w.scan(), w.imitation(), w.losses(), w.remarks(), w.omissions(), w.alterations())
	if w.claim && e.Coverage != nil {
		out = append(out, w.say("claim", e.Coverage.Claim(w.Language)))
	}
	return append(out, w.kept(), w.partsList())
}

// quiet reports whether several complete parts need no notice: their headings say
// all.
func (w *wording) quiet() bool {
	if len(w.parts) < 2 || !accounted(w.e) || w.e.Did != "" || callsMore(w.e) || w.imitates {
		return false
	}
	for _, p := range w.parts {
		if !whole(p) {
			return false
		}
	}
	return true
}

// opening is the first sentence: what this is, how much of it, and why no more.
func (w *wording) opening() string {
	if w.e.Failure != nil && !w.tight() {
		return w.failureHead()
	}
	return w.extentSentence(w.state())
}

// extentSentence is "PARTIAL lines 1-178 of 549 (24310 of 156021 bytes; budget
// 16384 bytes)." A failure that must be said in few words takes the place of the
// detail.
func (w *wording) extentSentence(state string) string {
	if state == "incomplete" {
		return w.sourceSentence()
	}
	detail := ""
	shown := w.shown()
	if w.e.Failure != nil && w.tight() {
		detail = w.failureShort()
	} else if shown != "" {
		detail = w.detail()
	}
	return w.say("sentence", w.opened(w.say(state), shown, detail))
}

// sourceSentence is said where all that came is shown, but it is not all.
func (w *wording) sourceSentence() string {
	head := w.say("incomplete")
	if w.nameless() {
		return w.say("sentence", head)
	}
	if list := w.lostThings(); list != "" {
		head = w.say("label", head, list)
	}
	return w.joined([]string{w.say("sentence", head), w.say("all_shown", w.shown())})
}

// opened joins the word that opens the notice, the extent and the detail.
func (w *wording) opened(head, shown, detail string) string {
	if shown != "" {
		head = w.say("head", head, shown)
	}
	if detail != "" {
		head = w.say("detail", head, detail)
	}
	return head
}

// allParts are the parts, and the envelope's own facts when it has several.
func (w *wording) allParts() []Part {
	if len(w.e.Parts) == 0 {
		return w.parts
	}
	return append([]Part{w.e.Part}, w.parts...)
}

func (w *wording) imitation() string {
	if w.tight() || !w.complete() || !w.imitates {
		return ""
	}
	return w.say("imitates")
}

// compact is the notice in fewer words.
func (w *wording) compact() string {
	if w.quiet() {
		return ""
	}
	detail := ""
	if w.e.Failure != nil {
		detail = w.failureShort()
	}
	head := w.opened(w.say(w.state()), w.shown(), detail)
	if s := w.quotedMessage(); s != "" {
		head = w.say("label", head, s)
	}
	did := ""
	if w.hasDid() {
		did = quoted(unended(w.e.Did), w.limit)
	}
	advice := ""
	if f := w.e.Failure; f != nil && f.Advice != "" && !w.nameless() {
		advice = w.say("advice", quoted(w.helped(f.Advice), w.limit))
	}
	loss := ""
	if w.state() != "incomplete" { // the head has said it
		loss = w.lossShort()
	}
	calls := strings.Join(w.calls(), " ")
	return w.listed(head, unended(advice), did, unended(w.scan()), unended(loss), unended(w.kept()), unended(w.partsList()), unended(calls))
}

// hasDid reports whether there is room to say what was done.
func (w *wording) hasDid() bool {
	return w.e.Did != "" && !w.tight() && (w.e.Failure == nil || !w.nameless())
}

// unended is a sentence without its full stop, to be listed.
func unended(s string) string { return strings.TrimRight(s, ".。") }
