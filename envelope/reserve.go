package envelope

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/toolclip/toolclip/coverage"
)

// Reserve returns a frame that costs at least as much as the essential frame of any
// envelope that s words and that is like like: with no tool in Next that like does not
// name there, artifacts and a scan only where like has them, as many parts, no more
// cuts in each, the unit of budget that a reason of like names (any, if none does),
// no longer fence and handles, and no number above largest. The essential frame is
// what [Style.Word] returns when nothing fits, whatever the content, the failure, the
// relations of the counts and the strings that others gave.
//
// The cost is that in bytes, in runes, in grapheme clusters, or in any measure that
// adds up over the runes with one weight for all ASCII and one for all others. The
// string reads like a frame, for measures that do not add up, as tokens don't.
//
// Where like has a Failure, the message and the advice of one like it fit as well, up
// to 512 bytes each.
//
// A caller measures the reserve once and keeps that much of a budget for the frame. So
// what is shown does not depend on how long the numbers happen to be, and the words
// beyond the essential take what content leaves over.
func (s Style) Reserve(like Envelope, largest int64) string {
	r := reserve{Style: s, voice: s.voice(), like: unworded(like)}
	r.numbers = []int64{nines(largest), 1}
	if s.Catalog != nil {
		r.numbers = append(r.numbers, 2, 5, 21) // other languages have more plural forms
	}
	fence := like.Fence
	if len(fence) < fenceLetters+fenceDigits {
		fence = costly(fenceLetters) + strings.Repeat("0", fenceDigits)
	}
	return r.envelope(fence).frame()
}

// nines is the largest number with as many digits as n, at least two.
func nines(n int64) int64 {
	most := int64(99)
	for most < n {
		if most > (math.MaxInt64-9)/10 {
			return math.MaxInt64
		}
		most = most*10 + 9
	}
	return most
}

// reserve makes the frame that costs the most.
type reserve struct {
	Style
	voice
	like    Envelope
	numbers []int64 // to be tried; the first is the longest
}

// envelope has no content but the words that cost the most.
func (r *reserve) envelope(fence string) Envelope {
	out := Envelope{Fence: fence, Notice: r.notice() + "\n"} // and the line feed after content
	parts := r.like.parts()
	for i, p := range parts {
		words := Part{}
		for range p.View.Cuts {
			words.View.Cuts = append(words.View.Cuts, Cut{Mark: r.worst(r.marks) + "\n\n"})
		}
		if len(r.like.Parts) > 0 && r.tight(r.like).several() {
			words.Heading = r.heading(i) + "\n"
		}
		out.Parts = append(out.Parts, words)
	}
	if !r.Compact {
		out.Closing = r.worst(r.closings)
	}
	return out
}

// worst is the string that costs the most of those that make returns for each
// number, filled up so that it has as many ASCII and as many other runes as any.
func (r *reserve) worst(variants func(n int64) []string) string {
	var best string
	var ascii, other int
	longest := strconv.FormatInt(r.numbers[0], 10)
	for _, n := range r.numbers {
		short := strconv.FormatInt(n, 10)
		for _, s := range variants(n) {
			s += strings.Repeat("0", countNumber(s, short)*(len(longest)-len(short)))
			a, o := runesOf(s)
			ascii, other = max(ascii, a), max(other, o)
			if len(s) > len(best) {
				best = s
			}
		}
	}
	a, o := runesOf(best)
	return best + strings.Repeat("x", ascii-a) + strings.Repeat("文", other-o)
}

var digits = regexp.MustCompile(`[0-9]+`)

// countNumber is how often the number n stands in s.
func countNumber(s, n string) int {
	found := 0
	for at := 0; at < len(s); {
		i := strings.Index(s[at:], n)
		if i < 0 {
			break
		}
		end := at + i + len(n)
		if (at+i == 0 || !isDigit(s[at+i-1])) && (end == len(s) || !isDigit(s[end])) {
			found++
		}
		at = end
	}
	return found
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func runesOf(s string) (ascii, other int) {
	for _, c := range s {
		if c < 0x80 {
			ascii++
		} else {
			other++
		}
	}
	return ascii, other
}

// tight is the essential wording of e.
func (r *reserve) tight(e Envelope) *wording {
	return &wording{Style: r.Style, voice: r.voice, level: levels[len(levels)-1], e: e, parts: e.parts()}
}

func (r *reserve) notice() string {
	w := r.tight(r.like)
	head := w.opened(r.worst(r.states), r.worst(r.extents), r.worst(r.details))
	scan := ""
	if r.like.Scan != nil {
		scan = r.worst(r.scans)
	}
	loss, kept, list, calls := r.worst(r.losses), r.worst(r.kepts), r.worst(r.lists), r.worst(r.calls)
	failed := r.failure()
	if r.Compact {
		return w.bracket(w.listed(head, failed, unended(scan), unended(loss), unended(kept), unended(list), unended(calls)))
	}
	return w.bracket(w.joined([]string{failed, w.say("sentence", head), scan, loss, kept, list}) + "\n" + calls)
}

// failureRoom is how much of the message and of the advice of a failure that like
// has is provided for, in bytes each.
const failureRoom = 512

// failure is what is said of like's failure beyond the essential.
func (r *reserve) failure() string {
	f := r.like.Failure
	if f == nil {
		return ""
	}
	w := r.tight(r.like)
	w.limit = failureRoom
	if r.Compact {
		return w.quotedMessage()
	}
	return w.joined(append([]string{w.failureHead()}, w.failureSentences()...))
}

func (r *reserve) states(int64) []string {
	var out []string
	for _, key := range openingKeys {
		out = append(out, r.say(key))
	}
	return out
}

// extents are all that can be said of how much of a part is shown, or of several.
func (r *reserve) extents(n int64) []string {
	w := r.tight(r.like)
	if w.several() {
		some, all, dropped := w.say("parts", num(n), num(n)), w.say("parts.all", num(n)), w.say("parts.dropped", num(n))
		return []string{w.listed(some, dropped), w.listed(all, dropped)}
	}
	return r.partExtents(n)
}

func (r *reserve) partExtents(n int64) []string {
	w := r.tight(r.like)
	out := []string{w.say("none")}
	for _, u := range []string{"byte", "line", "item"} {
		out = append(out, w.say(u+".all", num(n)), w.say("n."+u, num(n)))
	}
	for _, vw := range views(n) {
		out = append(out, w.extent(Part{Content: "x", View: vw}))
	}
	return append(out, w.say("typed", octetStream, num(n), strings.Repeat("0", shortHash)))
}

// views are one of each kind, with numbers as long as n. What is said of one in a
// container, or of a total that is not exact, has all that is said of one that is: that
// need not be tried.
func views(n int64) []View {
	m := max(n, 9)
	two := []coverage.Range{{Start: m - 6, End: m - 4}, {Start: m - 2, End: m}}
	var out []View
	for _, total := range totals(n)[1:] {
		for _, rs := range [][]coverage.Range{nil, two[:1], two, {{Start: n - 1, End: n}}} {
			out = append(out, View{Bytes: rs, ByteTotal: total})
			for _, u := range []coverage.Unit{coverage.Line, coverage.Item} {
				out = append(out, View{Unit: u, Units: rs, UnitTotal: total, Partly: n, Pointer: "/x"})
			}
		}
	}
	return out
}

// totals are n with every relation, first that of an exact one.
func totals(n int64) []coverage.Count {
	return []coverage.Count{coverage.Exactly(n), coverage.AtLeast(n), {Value: n, Relation: coverage.Estimate}, {}}
}

// details are what stands in brackets after the extent: the budget or the failure.
func (r *reserve) details(n int64) []string {
	w := r.tight(r.like)
	var out []string
	for _, u := range r.budgetUnits() {
		out = append(out, w.say("budget", w.quantity(u, coverage.Exactly(n))))
	}
	exit := w.say("exit", num(-n))
	for _, e := range []Effect{EffectNone, EffectDone, EffectUnknown} {
		for _, again := range []Retry{RetryNever, RetryAfterChange, RetryLater} {
			out = append(out, w.listed(exit, w.say("failed.short", string(e), string(again))))
		}
	}
	return out
}

// budgetUnits are the unit of like's budget, or all.
func (r *reserve) budgetUnits() []coverage.Unit {
	for _, p := range r.tight(r.like).allParts() {
		for _, reason := range p.Reasons {
			if reason.Code == coverage.OverBudget && reason.Limit > 0 {
				return []coverage.Unit{reason.Unit}
			}
		}
	}
	return []coverage.Unit{coverage.Byte, coverage.Rune, coverage.Grapheme, coverage.Line, coverage.Item, coverage.Token}
}

func (r *reserve) scans(n int64) []string {
	w := r.tight(r.like)
	var places []string
	for _, vw := range views(n) {
		if vw.Unit != "" {
			vw.Partly, vw.Pointer = 0, ""
			places = append(places, w.unitExtent(vw))
		}
	}
	for _, u := range []coverage.Unit{coverage.Byte, coverage.Rune, coverage.Grapheme, coverage.Line, coverage.Item, coverage.Token} {
		places = append(places, w.say("scan.all", w.quantity(u, coverage.Exactly(n))))
	}
	for _, total := range totals(n) {
		places = append(places, w.withTotal("byte.of", total, num(n)))
	}
	var out []string
	for _, place := range places {
		out = append(out, w.say("scan.none.short", place), w.say("scan.some.short", place, w.say("scan.unknown"), num(n)))
		for _, c := range totals(n)[:3] {
			out = append(out, w.say("scan.some.short", place, w.count(c), num(n)))
		}
	}
	return out
}

func (r *reserve) losses(int64) []string {
	return []string{r.say("lost.short"), r.say("left.short")}
}

// kepts are what can be said of the artifact, or of there being none.
func (r *reserve) kepts(int64) []string {
	w := r.tight(r.like)
	out := []string{w.say("not_saved"), w.say("not_kept")}
	if r.like.List != "" {
		return out[:1] // its own sentence says that something is kept
	}
	a := w.theArtifact()
	if a == nil {
		return out
	}
	return append(out, r.keptAs(*a)...)
}

// lists are what can be said of the list of the parts.
func (r *reserve) lists(int64) []string {
	if r.like.List == "" {
		return []string{""}
	}
	w := r.tight(r.like)
	return []string{w.say("not_listed"), w.listedAs(r.named(r.like.List))}
}

// named is the argument that takes a handle, and a handle that costs as much.
func (r *reserve) named(handle string) (argument, hardest string) {
	argument = r.tight(r.like).argumentFor(handle)
	if len(argument) < len(defaultArgument) {
		argument = defaultArgument
	}
	return argument, costly(max(26, len(handle)))
}

// costly is a word of n letters and digits that costs as much as any: tokenizers split
// letters from digits, so each of its characters is a token.
func costly(n int) string { return strings.Repeat("a2", n/2+1)[:n] }

func (r *reserve) keptAs(a Artifact) []string {
	arg, handle := r.named(a.Handle)
	if r.Compact {
		return []string{r.say("kept.compact", arg, handle)}
	}
	return []string{r.say("kept", arg, handle), r.say("read", arg, handle)}
}

// calls are what can be said of the calls that like names, or of there being none.
func (r *reserve) calls(n int64) []string {
	w := r.tight(r.like)
	out := []string{w.noMore()}
	for _, next := range r.like.Next {
		out = append(out, r.callsOf(next, n)...)
	}
	return out
}

func (r *reserve) callsOf(next Next, n int64) []string {
	w := r.tight(r.like)
	name := label(next.Tool, maxName)
	args := digits.ReplaceAllString(w.arguments(next), strconv.FormatInt(n, 10))
	var out []string
	for _, call := range []string{name, w.say("call.fields", name), w.say("call", name, args)} {
		out = append(out, w.more(call), w.find(call))
	}
	return out
}

func (r *reserve) closings(n int64) []string {
	w := r.tight(r.like)
	if w.several() {
		return []string{w.say("end")}
	}
	out := []string{w.say("end"), w.say("rest"), w.say("maybe")}
	for _, u := range []string{"byte", "line", "item"} {
		out = append(out, w.say(u+".follow", num(n)))
		for _, c := range totals(n)[1:3] {
			out = append(out, w.say(u+".follow~", w.count(c)))
		}
	}
	return out
}

func (r *reserve) marks(n int64) []string {
	w := r.tight(r.like)
	m := max(n, 9)
	out := []string{w.say("gap"), w.say("byte.gap", num(n))}
	for _, u := range []string{"line", "item"} {
		out = append(out, w.say(u+".gap", span(coverage.Range{Start: m - 3, End: m})), w.say(u+".gap.one", span(coverage.Range{Start: m - 1, End: m})))
	}
	return out
}

// heading is the heading of part i of like.
func (r *reserve) heading(i int) string {
	w := r.tight(r.like)
	p := r.like.Parts[i]
	own := ""
	if w.hasOwn(p) {
		own = r.worst(func(n int64) []string { return r.owns(*p.Artifact, n) })
	}
	return w.headed(w.say("part", num(i+1)), r.worst(r.partExtents), own)
}

// owns are what a heading can say of the part's own artifact.
func (r *reserve) owns(a Artifact, n int64) []string {
	w := r.tight(r.like)
	kept := r.keptAs(a)
	out := kept
	for _, next := range r.like.Next {
		for _, call := range r.callsOf(next, n) {
			for _, k := range kept {
				out = append(out, w.together(k, call))
			}
		}
	}
	return out
}
