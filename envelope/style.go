package envelope

import "golang.org/x/text/message/catalog"

// Style is how the facts are worded; the zero Style is English. A Style is a
// value and safe for concurrent use when its Catalog is.
type Style struct {
	// Language is a BCP 47 tag, matched against the languages of the catalog:
	// "zh-TW" finds zh-Hant. What matches nothing, and "", is English.
	Language string

	// Catalog has the words; nil is the built-in one (English, Simplified and
	// Traditional Chinese). Catalog the function returns a copy to add a language
	// to. A message that it lacks, or whose translation loses a fact (a number,
	// a handle, a name), is said in English.
	Catalog catalog.Catalog

	// Member is the name of the marker in the in-band form, see [Envelope.InBand]: at
	// most 64 bytes of UTF-8; "" is [DefaultMember].
	Member string

	// Compact says the same facts in fewer words: no byte counts, no budget, no
	// expiry, and calls by name where the range shown implies the arguments.
	Compact bool
}

// mark tells an Envelope that this process worded from any other.
type mark struct{ worded bool }

// Worded reports whether [Style.Word] made e in this process. The mark is lost in
// JSON, so that an envelope from elsewhere is data like any other.
func (e Envelope) Worded() bool { return e.mark.worded }
