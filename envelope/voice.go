package envelope

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
)

// num is a number in a message: plain digits in every language (no grouping, no
// other numerals), with the plural form of the language.
type num int64

func (n num) String() string { return strconv.FormatInt(int64(n), 10) }

// PluralForm makes num a plural.Interface.
func (n num) PluralForm(t language.Tag, _ int) (plural.Form, int) {
	const modulus = 10_000_000 // as plural.Interface allows; keeps the last digits
	i := int(n % modulus)
	if i < 0 {
		i = -i
	}
	if n >= modulus {
		i += modulus
	}
	return plural.Cardinal.MatchPlural(t, i, 0, 0, 0, 0), i
}

// voice says messages in one language. It is for one goroutine.
type voice struct {
	own, english *message.Printer
}

func (s Style) voice() voice {
	english := message.NewPrinter(language.English, message.Catalog(builtin()))
	return voice{own: s.printer(english), english: english}
}

// printer is s's own, or fallback where its Catalog is broken.
func (s Style) printer(fallback *message.Printer) (p *message.Printer) {
	defer func() {
		if recover() != nil {
			p = fallback
		}
	}()
	words := catalog.Catalog(builtin())
	if s.Catalog != nil {
		words = s.Catalog
	}
	return message.NewPrinter(s.match(words), message.Catalog(words))
}

// match finds the language of words that serves s best; English when none does.
func (s Style) match(words catalog.Catalog) language.Tag {
	if s.Language == "" {
		return language.English
	}
	have := []language.Tag{language.English} // the first is the matcher's default
	for _, t := range words.Languages() {
		if t != language.English {
			have = append(have, t)
		}
	}
	want, _, err := language.ParseAcceptLanguage(s.Language)
	if err != nil {
		return language.English
	}
	_, i, _ := language.NewMatcher(have).Match(want...)
	return have[i]
}

// say renders the message key with its facts. A translation that lacks a fact is
// not used: the same message in English is. Each fact is a num or a string.
func (v voice) say(key string, facts ...any) string {
	if s, ok := render(v.own, key, facts); ok {
		return s
	}
	s, _ := render(v.english, key, facts)
	return s
}

// render reports false when the message is not in the catalog, panics or loses a
// fact.
func render(p *message.Printer, key string, facts []any) (s string, ok bool) {
	defer func() {
		if recover() != nil { // a Catalog of the caller's may do anything
			s, ok = "", false
		}
	}()
	s = p.Sprintf(message.Key(key, ""), facts...)
	if s == "" || strings.Contains(s, "%!") {
		return s, false
	}
	for _, f := range facts {
		if !strings.Contains(s, fmt.Sprint(f)) {
			return s, false
		}
	}
	return s, true
}
