package jsonview

import (
	"errors"
	"fmt"

	"github.com/toolclip/toolclip/internal/view"
)

// Ends says which elements of a list are shown when not all are. It applies to
// lists: arrays that are in no other array. Arrays inside elements show their head.
type Ends uint8

// The ends. The default is Head: what an API returns first is what it ranks first.
const (
	DefaultEnds Ends = iota
	Head
	Tail
	HeadAndTail
)

// Sizes that the order of growth depends on. They do not depend on the limit, so
// that a larger limit never shows less.
const (
	// DefaultMaxRecord is the size in bytes up to which an element is shown whole
	// or not at all.
	DefaultMaxRecord = 4096
	// MaxShort is the length in bytes of the longest string that is never shortened.
	MaxShort = 64
	// MaxCluster is the length in bytes of the longest grapheme cluster that is
	// never cut.
	MaxCluster = 128
	// MaxName is the length in bytes of the longest name or number that a view
	// that is not whole shows; longer ones are left out.
	MaxName = 1024
	// MinLimit is the smallest limit in bytes at which every page that Rest
	// names shows something or names something smaller.
	MinLimit = 144
)

// Options say what a View shows. The zero Options show the whole document's head
// and keep nothing beyond the smallest forms: set Retain.
type Options struct {
	Retain    int64     // the largest Limit.Bytes that Plan will be asked for; memory is in proportion
	Ends      Ends      // which elements of a list
	TailShare float64   // the tail's share of a list with HeadAndTail; 0 is a half
	Pointer   string    // the value to show (RFC 6901); "" is the root
	Unit      view.Unit // what From and To count: Item, or Byte inside a string's raw body or any value's own bytes
	From, To  int64     // the window, 0-based and half-open; To 0 is the end
	Keep      []Rule    // elements of lists for which one of these holds come first
	Only      bool      // of lists, only elements for which all of Keep hold
	Required  []string  // names of members that come before others of their object
	MaxRecord int64     // 0: DefaultMaxRecord; at least MaxShort
}

// ErrNoValue is Err's error when the document has nothing at Options.Pointer.
var ErrNoValue = errors.New("jsonview: no value at the pointer")

// maxOption is beyond any size that can occur, and small enough to reckon with.
const maxOption = 1 << 50

// check returns o with its defaults, or what is wrong with it.
func (o Options) check() (Options, []string, error) {
	if o.MaxRecord <= 0 {
		o.MaxRecord = DefaultMaxRecord
	}
	o.MaxRecord = min(max(o.MaxRecord, MaxShort+2), maxOption)
	o.Retain = min(max(o.Retain, 0), maxOption)
	if !(o.TailShare > 0 && o.TailShare < 1) {
		o.TailShare = 0.5
	}
	o.From = min(max(o.From, 0), maxOption)
	if o.To = min(max(o.To, 0), maxOption); o.To > 0 {
		o.To = max(o.To, o.From) // what ends before it begins is empty
	}
	if o.Unit != view.Item && o.Unit != view.Byte {
		return o, nil, fmt.Errorf("jsonview: unit %d cannot count inside a JSON value; use item or byte", o.Unit)
	}
	path, err := parsePointer(o.Pointer)
	if err != nil {
		return o, nil, err
	}
	for _, r := range o.Keep {
		if err := r.check(); err != nil {
			return o, nil, err
		}
	}
	return o, path, nil
}

// paged says whether a window or a pointer was asked for.
func (o *Options) paged() bool { return o.Pointer != "" || o.From > 0 || o.To > 0 }
