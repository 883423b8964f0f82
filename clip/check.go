package clip

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/jsonview"
	"github.com/toolclip/toolclip/internal/textview"
)

// leastContent is what the smallest legal budget leaves for content, in bytes and
// in its unit: enough that every page shows something that was not shown before,
// be it one cluster or the shell of a record.
const leastContent = max(textview.MinBytes, jsonview.MinLimit)

var keepOps = []string{"==", "!=", "<", "<=", ">", ">=", "exists", "contains"}

// check finds what is illegal whatever the budget.
func (cfg *Config) check() error {
	if err := cfg.checkForm(); err != nil {
		return err
	}
	switch {
	case cfg.MaxInput < 0:
		return fmt.Errorf("clip: Config.MaxInput: %d is negative; want 0 for the default, or the most bytes to read", cfg.MaxInput)
	case cfg.MustSave && cfg.Store == nil:
		return errors.New("clip: Config.MustSave: there is no Config.Store to save to")
	}
	if err := cfg.Followups.check(); err != nil {
		return err
	}
	return cfg.Show.check("clip: Config.Show")
}

func (f Followups) check() error {
	seen := map[string]bool{}
	for _, name := range []string{f.Read, f.Search, f.Query, f.Outline} {
		switch {
		case name == "":
		case seen[name]:
			return fmt.Errorf("clip: Config.Followups: two calls have the name %q", name)
		case len(name) > 64 || strings.ContainsFunc(name, notName):
			return fmt.Errorf("clip: Config.Followups: %.80q is no tool name; want at most 64 letters, digits, hyphens, dots and underscores of ASCII", name)
		}
		seen[name] = true
	}
	return nil
}

func notName(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune("_-.", r)
}

// check finds what is illegal in s; where says whose it is.
func (s *Show) check(where string) error {
	switch {
	case s.Ends < DefaultEnds || s.Ends > HeadAndTail:
		return fmt.Errorf("%s.Ends: %d is none of Head, Tail, HeadAndTail", where, s.Ends)
	case !(s.Tail >= 0 && s.Tail < 1): // NaN too
		return fmt.Errorf("%s.Tail: %v is no share; want 0 or more and less than 1", where, s.Tail)
	case s.At < 0 || s.To < 0:
		return fmt.Errorf("%s.At, To: %d to %d: a position is 0 or more", where, s.At, s.To)
	case s.To != 0 && s.To < s.At:
		return fmt.Errorf("%s.To: %d is before At, %d", where, s.To, s.At)
	case s.Context < 0 || s.Hits < 0 || s.MaxRecord < 0 || s.Time < 0:
		return fmt.Errorf("%s.Context, Hits, MaxRecord, Time: %d, %d, %d, %v: want 0 or more", where, s.Context, s.Hits, s.MaxRecord, s.Time)
	case (s.At != 0 || s.To != 0) && s.Unit == "" && s.Around == nil:
		return fmt.Errorf("%s.At, To: %d to %d without a Unit; want line, item or byte", where, s.At, s.To)
	case s.Pointer != "" && s.Unit == coverage.Line && !s.Inside:
		return fmt.Errorf("%s.Pointer: a value in JSON has no lines of its own; want Unit item or byte, or Inside for the lines in a string", where)
	case s.Inside && (s.Around != nil || s.Outline):
		return fmt.Errorf("%s.Inside: a search or an outline looks at the whole content as it is written; it takes no Inside", where)
	case s.Pointer != "" && s.Around != nil:
		return fmt.Errorf("%s.Pointer: a search looks at the whole content; it takes no Pointer", where)
	case s.Pointer != "" && !strings.HasPrefix(s.Pointer, "/"):
		return fmt.Errorf("%s.Pointer: %.80q is no JSON Pointer (RFC 6901): it is empty or begins with /", where, s.Pointer)
	}
	switch s.Unit {
	case "", coverage.Line, coverage.Item, coverage.Byte:
	default:
		return fmt.Errorf("%s.Unit: %.40q can't be paged; want line, item or byte", where, s.Unit)
	}
	for _, k := range s.Keep {
		if !slices.Contains(keepOps, k.Op) {
			return fmt.Errorf("%s.Keep: %.40q is no operator; want one of %s", where, k.Op, strings.Join(keepOps, " "))
		}
		if k.Pointer != "" && !strings.HasPrefix(k.Pointer, "/") {
			return fmt.Errorf("%s.Keep: %.80q is no JSON Pointer (RFC 6901): it is empty or begins with /", where, k.Pointer)
		}
		if k.JSON && k.Op != "exists" && (!jsonscan.Valid([]byte(k.Value)) || strings.ContainsAny(k.Value[:1], "{[ \t\r\n")) {
			return fmt.Errorf("%s.Keep: the value %.40q is no JSON scalar; want a string in quotes, a number, true, false or null", where, k.Value)
		}
	}
	return nil
}

// checkBudget refuses a budget that could not always hold the frame and a little
// content.
func (c *Clipper) checkBudget() error {
	b := c.cfg.Budget
	like, frame := c.like(alone, c.reserve, false), c.reserve
	if c.cfg.Form != TextForm {
		frame = c.cfg.render(like)
	}
	slack := c.cfg.slack(like)
	if slack > 0 {
		slack += b.spare(1) - b.spare(b.n) // so that the smallest is the same whatever was asked for
	}
	least := Budget{unit: b.unit, n: b.cost(frame) + slack + leastContent, counter: b.counter}
	if b.unit == coverage.Line {
		least.n = 1
	}
	leastBytes := int64(len(frame)) + slack + leastContent
	switch {
	case b.n < least.n:
		return fmt.Errorf("%w: %d %ss; the smallest for this Config is %v", ErrBudget, b.n, b.unit, least)
	case b.bytes() < leastBytes:
		return fmt.Errorf("%w: a ceiling of %d bytes; the smallest for this Config is %d bytes", ErrBudget, b.bytes(), leastBytes)
	}
	return nil
}
