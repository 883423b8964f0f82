package envelope

import (
	"log/slog"

	"github.com/toolclip/toolclip/coverage"
)

// LogValue is what may be logged of e: sizes, ranges, reasons, handles and how a call
// ended; never content, names, messages or arguments. "original" is the size of what
// the tool returned, in bytes, where it is known; "sent" is that of [Envelope.Text].
func (e Envelope) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("tool", visible(e.Tool, maxName))}
	parts := e.parts()
	original, known := int64(0), true
	complete := true
	for _, p := range parts {
		total := p.View.ByteTotal
		known = known && total.Relation == coverage.Eq
		original += total.Value
		complete = complete && p.View.Complete
	}
	if known {
		attrs = append(attrs, slog.Int64("original", original))
	}
	attrs = append(attrs, slog.Int("sent", len(e.Text())), slog.Bool("complete", complete))
	if len(parts) > 1 {
		attrs = append(attrs, slog.Int("parts", len(parts)))
	}
	attrs = append(attrs, e.logParts()...)
	if len(e.Next) > 0 {
		attrs = append(attrs, slog.Int("next", len(e.Next)))
	}
	if f := e.Failure; f != nil {
		attrs = append(attrs, slog.Group("failure", f.attrs()...))
	}
	return slog.GroupValue(attrs...)
}

// logParts are the handles and the reasons of e's parts.
func (e Envelope) logParts() []slog.Attr {
	var handles, reasons []string
	for _, p := range append([]Part{e.Part}, e.Parts...) {
		if p.Artifact != nil {
			handles = append(handles, visible(p.Artifact.Handle, maxName))
		}
		for _, r := range p.Reasons {
			reasons = append(reasons, visible(string(r.Layer), maxName)+":"+visible(string(r.Code), maxName))
		}
	}
	var attrs []slog.Attr
	if e.List != "" {
		attrs = append(attrs, slog.String("list", visible(e.List, maxName)))
	}
	if len(handles) > 0 {
		attrs = append(attrs, slog.Any("artifacts", handles))
	}
	if len(reasons) > 0 {
		attrs = append(attrs, slog.Any("reasons", reasons))
	}
	return attrs
}

// attrs are how the call ended, without the message.
func (f *Failure) attrs() []any {
	attrs := []any{
		slog.String("kind", visible(f.Kind, maxName)),
		slog.String("effect", string(f.Effect)), slog.String("retry", string(f.Retry)),
	}
	if f.Exit != nil {
		attrs = append(attrs, slog.Int("exit", *f.Exit))
	}
	return attrs
}
