package envelope

// This file says a failure.

// failureHead is "TOOL FAILED (bad_argument; exit 7): “message”."
func (w *wording) failureHead() string {
	f := w.e.Failure
	head := w.say("failed")
	kind, exit := "", ""
	if f.Kind != "" && !w.nameless() {
		kind = w.name(f.Kind)
	}
	if f.Exit != nil {
		exit = w.say("exit", num(*f.Exit))
	}
	if detail := w.listed(kind, exit); detail != "" {
		head = w.say("detail", head, detail)
	}
	if s := w.quotedMessage(); s != "" {
		head = w.say("label", head, s)
	}
	return w.say("sentence", head)
}

// quotedMessage is what went wrong, or "" when that is left to the fields.
func (w *wording) quotedMessage() string {
	if f := w.e.Failure; f != nil && f.Message != "" && !w.tight() {
		return quoted(w.helped(f.Message), w.limit)
	}
	return ""
}

// failureSentences say what the call did and what can be done now.
func (w *wording) failureSentences() []string {
	f := w.e.Failure
	out := []string{w.effect(f.Effect)}
	switch f.Handler {
	case HandlerProgram:
		if f.Effect == EffectNone || f.Effect == EffectDone {
			return append(out, w.say("handler.program"))
		}
		return []string{w.say("handler.program")} // the model is not to check
	case HandlerPerson:
		out = append(out, w.say("handler.person"))
	default:
		out = append(out, w.retry(f))
	}
	if f.Advice != "" {
		out = append(out, w.say("advice", quoted(w.helped(f.Advice), w.limit)))
	}
	return out
}

func (w *wording) effect(e Effect) string {
	switch e {
	case EffectNone:
		return w.say("effect.none")
	case EffectDone:
		return w.say("effect.done")
	}
	return w.say("effect.unknown")
}

func (w *wording) retry(f *Failure) string {
	switch {
	case f.Retry == RetryAfterChange:
		return w.say("retry.after_change")
	case f.Retry == RetryLater && f.Wait > 0:
		return w.say("retry.wait", num(f.Wait))
	case f.Retry == RetryLater:
		return w.say("retry.later")
	}
	return w.say("retry.never")
}

// failureShort is "exit 7; effect unknown, retry never": the codes of the fields.
func (w *wording) failureShort() string {
	f := w.e.Failure
	effect, retry := f.Effect, f.Retry
	if effect != EffectNone && effect != EffectDone {
		effect = EffectUnknown
	}
	if (retry != RetryAfterChange && retry != RetryLater) || f.Handler == HandlerProgram || f.Handler == HandlerPerson {
		retry = RetryNever
	}
	exit := ""
	if f.Exit != nil {
		exit = w.say("exit", num(*f.Exit))
	}
	return w.listed(exit, w.say("failed.short", string(effect), string(retry)))
}
