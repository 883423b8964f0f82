package clip

import (
	"fmt"
	"unicode/utf8"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// maxMember is the most bytes of Style.Member.
const maxMember = 64

// checkForm finds what is illegal in cfg.Form and in the name of its marker.
func (cfg *Config) checkForm() error {
	switch m := cfg.Style.Member; {
	case cfg.Form < TextForm || cfg.Form > InBandForm:
		return fmt.Errorf("clip: Config.Form: %d is no form; want TextForm, JSONForm or InBandForm", cfg.Form)
	case len(m) > maxMember || !utf8.ValidString(m):
		return fmt.Errorf("clip: Config.Style.Member: %.80q is no name for the marker; want at most %d bytes of UTF-8", m, maxMember)
	}
	return nil
}

// render is e in the form that reaches the model.
func (cfg *Config) render(e envelope.Envelope) string {
	switch cfg.Form {
	case JSONForm:
		return encode(e)
	case InBandForm:
		return e.InBand(cfg.Style.Member)
	}
	return e.Text()
}

// renderings are those that the form bounds. Of the encoded form there are two where
// tokens are counted, with and without HTML escaping: an escape can be fewer tokens
// than what it stands for.
func (cfg *Config) renderings(e envelope.Envelope) []string {
	s := cfg.render(e)
	if cfg.Form == JSONForm && cfg.Budget.unit == coverage.Token {
		return []string{s, unescaped(e)}
	}
	return []string{s}
}

// text is e for a loop that takes a string: in band where that is Config's form.
func (c *Clipper) text(e envelope.Envelope) string {
	if c.cfg.Form == InBandForm {
		return c.cfg.render(e)
	}
	return e.Text()
}
