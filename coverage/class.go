package coverage

import "slices"

// Class is what a Code says about the records that it is given for.
type Class string

// The classes.
const (
	ClassNotAttempted Class = "not_attempted" // nobody asked for it
	ClassFailed       Class = "failed"        // it could not be had or not be used
	ClassPartial      Class = "partial"       // a part of it is there
	ClassFiltered     Class = "filtered"      // left out on purpose
	ClassIdentity     Class = "identity"      // not the records that were expected
	ClassSource       Class = "source"        // the source says less than it has, or contradicts itself
	ClassMerge        Class = "merge"         // the accounts don't fit together
	ClassView         Class = "view"          // acquired, not shown
)

// Class is the class of c; that of a code outside the closed list is ClassSource,
// because all that is known is that something is missing.
func (c Code) Class() Class {
	i := slices.Index(codes, c)
	for _, k := range classes {
		if i >= 0 && i <= slices.Index(codes, k.last) {
			return k.class
		}
	}
	return ClassSource
}

// classes are the classes in the order of codes, with the last code of each.
var classes = []struct {
	last  Code
	class Class
}{
	{NotPlanned, ClassNotAttempted},
	{Panicked, ClassFailed},
	{CharsetLossy, ClassPartial},
	{TooLarge, ClassFiltered},
	{ContentChanged, ClassIdentity},
	{TruncatedUnexplained, ClassSource},
	{KeyMismatch, ClassMerge},
	{NotKept, ClassView},
}

// layer is where a loss for c usually happens; a Reason may say better.
func (c Code) layer() Layer {
	switch c {
	case PageFailed, Timeout, HTTPStatus, ReadFailed:
		return LayerTransport
	case WriteFailed, ToolFailed, Panicked:
		return LayerCapture
	}
	switch c.Class() {
	case ClassNotAttempted, ClassPartial, ClassMerge:
		return LayerCapture
	case ClassFiltered:
		return LayerFilter
	case ClassView:
		return LayerBudget
	}
	return LayerSource
}

// beforeArrival reports whether a record that failed for c never came.
func (c Code) beforeArrival() bool {
	switch c {
	case PageFailed, Timeout, HTTPStatus, ReadFailed:
		return true
	}
	return c.Class() == ClassNotAttempted
}
