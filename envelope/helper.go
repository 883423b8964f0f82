package envelope

import (
	"slices"
	"strconv"
	"strings"
)

// This file says in another language what the helpers, and the tools of package
// clip/followup, have written into a Failure in English. A Failure is plain strings, so that what a helper wrote is known by its form;
// that of a tool's own words which have the same form is the same.

// helped is s in the language of w if a helper may have written it, else s.
func (w *wording) helped(s string) string {
	for _, p := range helpers {
		if facts, ok := filled(p.english, s); ok {
			return w.say(p.key, facts...)
		}
	}
	return s
}

// helpers are the messages of the helpers, in the order in which they are tried.
var helpers = slices.DeleteFunc(slices.Clone(phrases), func(p phrase) bool { return !strings.HasPrefix(p.key, "fail.") })

// english is the message key with its facts, in English.
func english(key string, facts ...string) string {
	i := slices.IndexFunc(helpers, func(p phrase) bool { return p.key == key })
	s := helpers[i].english
	for n := range facts {
		s = strings.Replace(s, place(n), facts[n], 1)
	}
	return s
}

// place is where fact n, from 0, stands in a message.
func place(n int) string { return "%[" + strconv.Itoa(n+1) + "]s" }

// filled finds the facts with which the message, in which they stand in their order,
// becomes s. None is empty.
func filled(message, s string) (facts []any, ok bool) {
	for n := 0; ; n++ {
		before, after, more := strings.Cut(message, place(n))
		rest, found := strings.CutPrefix(s, before)
		if !found {
			return nil, false
		}
		if !more {
			return facts, rest == ""
		}
		next, _, _ := strings.Cut(after, place(n+1))
		end := strings.Index(rest, next)
		if next == after { // the last fact
			end = len(rest) - len(next)
			if !strings.HasSuffix(rest, next) {
				return nil, false
			}
		}
		if end <= 0 {
			return nil, false
		}
		facts, message, s = append(facts, rest[:end]), after, rest[end:]
	}
}
