package clip

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/tokens"
	"github.com/toolclip/toolclip/internal/view"
)

// DefaultBytes is the budget of a zero Config, and the ceiling in bytes of a
// budget whose unit has none of its own: 16 KiB, below the smallest cut that
// common hosts make themselves.
const DefaultBytes = 16 << 10

// Budget is the most that may reach the model for one tool call, in one unit, the
// notice included. Every Budget also has a ceiling in bytes. The zero Budget is
// Bytes(DefaultBytes).
//
// Lines count content only; the ceiling in bytes pays for the notice.
//
// Where the unit is runes, clusters or tokens, a view that is not whole says how much of
// how much it shows in that unit too: an Omission with the Unit and the Pointer of the
// whole (not for a page of JSON, and not for an answer to a search or a query). Runes
// and clusters have exact totals of the text, which takes time over all of it: clusters
// some hundred megabytes a second. Totals of tokens are estimates.
type Budget struct {
	unit    coverage.Unit
	n       int64
	ceiling int64 // in bytes, if under
	under   bool
	counter TokenCounter
}

// Bytes is a budget of n bytes.
func Bytes(n int) Budget { return Budget{unit: coverage.Byte, n: int64(n)} }

// Runes is a budget of n runes (Unicode code points). Its ceiling is 4 n bytes,
// which no n runes exceed.
func Runes(n int) Budget { return Budget{unit: coverage.Rune, n: int64(n)} }

// Graphemes is a budget of n extended grapheme clusters (UAX #29), what people
// call characters. Its ceiling is 8 n bytes, at least DefaultBytes.
func Graphemes(n int) Budget { return Budget{unit: coverage.Grapheme, n: int64(n)} }

// Lines is a budget of n lines of content. Its ceiling is DefaultBytes.
func Lines(n int) Budget { return Budget{unit: coverage.Line, n: int64(n)} }

// Tokens is a budget of n tokens as c counts them; nil is [TokenBound], and package
// clip/tokencount has exact counters. Its ceiling is 8 n bytes, at least DefaultBytes.
func Tokens(n int, c TokenCounter) Budget {
	if c == nil {
		c = TokenBound
	}
	return Budget{unit: coverage.Token, n: int64(n), counter: c}
}

// Under returns b with a ceiling of so many bytes for all that reaches the model,
// in place of that of its unit: Lines(400).Under(64<<10).
func (b Budget) Under(bytes int) Budget {
	b.ceiling, b.under = int64(bytes), true
	return b
}

// String is the budget as the notice says it: "16384 bytes", "400 tokens".
func (b Budget) String() string {
	b = b.orDefault()
	if b.n == 1 {
		return "1 " + string(b.unit)
	}
	return fmt.Sprintf("%d %ss", b.n, b.unit)
}

// ErrBudget is New's error for a budget below the smallest legal one, which the
// error names.
var ErrBudget = errors.New("clip: budget too small")

// TokenCounter counts the tokens of a whole rendered string. It must never count
// too few, and must be safe for concurrent use. Tokenizers are not additive, so
// it is never asked to count pieces.
type TokenCounter interface{ CountTokens(p []byte) int }

// TokenBound never counts fewer tokens than cl100k_base and o200k_base make of a
// text, the encodings of the GPT-4 and GPT-4o families; package internal/tokens
// has the argument. For another model give Tokens its tokenizer, or use Bytes: a
// byte-level tokenizer makes at most one token of each byte.
var TokenBound TokenCounter = tokenBound{}

type tokenBound struct{}

func (tokenBound) CountTokens(p []byte) int { return tokens.Bound(p) }

func (b Budget) orDefault() Budget {
	if b == (Budget{}) || b.unit == "" {
		b.unit, b.n = coverage.Byte, DefaultBytes
	}
	return b
}

// bytes is the ceiling.
func (b Budget) bytes() int64 {
	switch {
	case b.unit == coverage.Byte && b.under:
		return min(b.n, b.ceiling)
	case b.under:
		return b.ceiling
	}
	switch b.unit {
	case coverage.Rune:
		return mulCap(b.n, utf8.UTFMax)
	case coverage.Grapheme, coverage.Token:
		return max(DefaultBytes, mulCap(b.n, 8))
	case coverage.Line:
		return DefaultBytes
	}
	return b.n
}

func mulCap(n, k int64) int64 {
	if n > math.MaxInt32 {
		return math.MaxInt32 * k
	}
	return n * k
}

// cost is what s costs in b's unit.
func (b Budget) cost(s string) int64 {
	switch b.unit {
	case coverage.Rune:
		return int64(utf8.RuneCountInString(s))
	case coverage.Grapheme:
		n := int64(0)
		for g := graphemes.FromString(s); g.Next(); {
			n++
		}
		return n
	case coverage.Line:
		return lines(s)
	case coverage.Token:
		return int64(b.counter.CountTokens([]byte(s)))
	}
	return int64(len(s))
}

func lines(s string) int64 {
	n := int64(strings.Count(s, "\n"))
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// fits reports whether a rendering with this content may reach the model.
func (b Budget) fits(rendered string, contents ...string) bool {
	if int64(len(rendered)) > b.bytes() {
		return false
	}
	if b.unit != coverage.Line {
		return b.cost(rendered) <= b.n
	}
	n := int64(0)
	for _, c := range contents {
		n += lines(c)
	}
	return n <= b.n
}

// lessBy is b without n units and n bytes.
func (b Budget) lessBy(n int64) Budget {
	if n == 0 {
		return b
	}
	b.ceiling, b.under = max(0, b.bytes()-n), true
	if b.unit != coverage.Line {
		b.n = max(0, b.n-n)
	}
	return b
}

// whole is the limit on a content that stands alone.
func (b Budget) whole() view.Limit { return b.less("") }

// less is the limit on content beside a frame. The frame is the same at every n,
// so a larger budget never has less room.
func (b Budget) less(frame string) view.Limit {
	l := view.Limit{Bytes: max(0, b.bytes()-int64(len(frame)))}
	switch b.unit {
	case coverage.Rune:
		l.Unit, l.N = view.Rune, max(0, b.n-b.cost(frame))
	case coverage.Grapheme:
		l.Unit, l.N = view.Grapheme, max(0, b.n-b.cost(frame))
	case coverage.Line:
		l.Unit, l.N = view.Line, b.n
	}
	return l
}

// additive reports whether the cost of a whole is at most the cost of its parts,
// so that a limit on the content can be computed and need not be searched for.
func (b Budget) additive() bool { return b.unit != coverage.Token }

// slack is what is kept free where a rendering is measured as a whole and not
// computed from its pieces: the budget is told in it, and a larger budget, which
// may have one more digit, must not show less for that.
func (cfg *Config) slack(e envelope.Envelope) int64 {
	b := cfg.Budget
	if cfg.Form == TextForm && b.additive() {
		return 0
	}
	slack := b.spare(b.n) // in the notice
	for _, p := range append(e.Parts[:len(e.Parts):len(e.Parts)], e.Part) {
		for _, r := range p.Reasons {
			if r.Layer == coverage.LayerBudget {
				slack += b.spare(r.Limit)
			}
		}
	}
	return slack
}

// spare is what the longest number costs more than n, the number told.
func (b Budget) spare(n int64) int64 {
	const most = 19 // digits of an int64
	spare := int64(most - len(strconv.FormatInt(max(1, n), 10)))
	if b.unit == coverage.Token {
		return (spare + 2) / 3 // tokens of three digits
	}
	return spare
}
