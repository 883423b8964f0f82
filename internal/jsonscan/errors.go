package jsonscan

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrDepth is the cause of a [SyntaxError] about nesting deeper than the maximum.
// The text may be JSON; it is not judged further.
var ErrDepth = errors.New("jsonscan: nested too deeply")

// ErrEnd is the cause of a [SyntaxError] about input that stops before its value
// does.
var ErrEnd = errors.New("jsonscan: input ends early")

// SyntaxError says why bytes are not one JSON value.
type SyntaxError struct {
	Offset int64  // 0-based offset of the first byte that cannot be there; the input's length if it ends early
	Line   int64  // 1-based line of that byte; only LF ends a line
	Reason string // what is wrong, for people; quotes at most one character of the input
	Cause  error  // ErrDepth, ErrEnd or nil
}

// Error is the message in one line.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at byte %d, line %d: %s", e.Offset, e.Line, e.Reason)
}

// Unwrap returns the cause, for errors.Is.
func (e *SyntaxError) Unwrap() error { return e.Cause }

// describe words what was found where a state wanted something else.
func describe(st state, c byte, at int64) string {
	if at == 0 && c == 0xEF {
		return "a byte order mark, or another character before the value, is not JSON"
	}
	if c == '/' && st < inString {
		return "found '/' where JSON has " + wants[st] + "; JSON has no comments"
	}
	if c == '\'' && st < inString {
		return `found a single quote where JSON has ` + wants[st] + "; strings are in double quotes"
	}
	if st == inString && c < 0x20 {
		return fmt.Sprintf("control byte 0x%02x in a string; it must be escaped", c)
	}
	if st == inString || st == inRune {
		return fmt.Sprintf("byte 0x%02x in a string is not UTF-8", c)
	}
	if c >= 0x80 {
		return fmt.Sprintf("found byte 0x%02x where JSON has %s", c, wants[st])
	}
	return "found " + strconv.QuoteRune(rune(c)) + " where JSON has " + wants[st]
}

// wants says what each state accepts.
var wants = [...]string{
	atValue:   "a value",
	atElement: "a value or ']'",
	atMember:  "a name in double quotes or '}'",
	atName:    "a name in double quotes",
	atColon:   "':'",
	afterPart: "',' or a closing bracket",
	atEnd:     "nothing but white space after the value",
	inString:  "a character or the closing quote",
	inRune:    "a UTF-8 continuation byte",
	inEscape:  `one of "\/bfnrtu after the backslash`,
	inHex:     "a hexadecimal digit",
	inLiteral: "the rest of true, false or null",
	inMinus:   "a digit",
	inZero:    "'.', an exponent or the end of a number that begins with 0",
	inInt:     "a digit, '.', an exponent or the end of the number",
	inDot:     "a digit after the decimal point",
	inFrac:    "a digit, an exponent or the end of the number",
	inE:       "a digit or a sign after the exponent's e",
	inESign:   "a digit after the exponent's sign",
	inExp:     "a digit or the end of the number",
}
