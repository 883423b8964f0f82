package envelope

import "golang.org/x/text/message/catalog"

// Style is how the facts are worded; the zero Style is English.
type Style struct {
	Language string          // BCP 47, matched; "" is English
	Catalog  catalog.Catalog // nil: the built-in ones
	Compact  bool            // fewer words
}

// mark tells an Envelope that this process worded from any other.
type mark struct{ worded bool }
