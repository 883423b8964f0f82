package clip

import (
	"log/slog"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// credit tells Config.Reading which bytes of which artifact the reader got.
func (k *call) credit(e envelope.Envelope) {
	if k.cfg.Reading == nil {
		return
	}
	one := func(p envelope.Part) {
		if p.Artifact != nil && len(p.View.Bytes) > 0 && !hasTransform(p.View, InsideTransform) {
			k.cfg.Reading.Shown(k.who.Reader, p.Artifact.SHA256, coverage.Byte, p.View.Bytes...)
		}
	}
	one(e.Part)
	for _, p := range e.Parts {
		one(p)
	}
}

// audit writes the log record of one call: sizes before and after, reasons and
// handle, never content.
func (k *call) audit(e envelope.Envelope) {
	if k.cfg.Log == nil {
		return
	}
	var original int64
	for _, p := range k.parts {
		original += p.in.n
	}
	attrs := []slog.Attr{
		slog.String("tool", k.tool),
		slog.Int64("original_bytes", original),
		slog.Int("sent_bytes", len(k.cfg.render(e))),
		slog.Any("envelope", e),
	}
	if k.who.CallID != "" {
		attrs = append(attrs, slog.String("call", short(k.who.CallID)))
	}
	if k.cfg.LogArgs && k.r.Args != nil {
		attrs = append(attrs, slog.Any("args", k.r.Args))
	}
	_ = protectErr(func() error {
		k.cfg.Log.LogAttrs(k.ctx, slog.LevelInfo, "tool result", attrs...)
		return nil
	})
}
