package envelope

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/coverage"
)

// never is the judge that accepts no frame, so that Word sheds all it may.
func never(string) bool { return false }

// TestLaw01TheReserveHoldsAnyEssentialFrame is the contract of Reserve, in all the
// measures that it names.
func TestLaw01TheReserveHoldsAnyEssentialFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style, s := genStyle().Draw(t, "style"), genShape().Draw(t, "shape")
		reserve := style.Reserve(s.like(), s.largest)
		frame := style.Word(s.envelope().Draw(t, "envelope"), never).frame()

		require.LessOrEqual(t, len(frame), len(reserve), "bytes\n%s\n%s", frame, reserve)
		require.LessOrEqual(t, utf8.RuneCountInString(frame), utf8.RuneCountInString(reserve), "runes\n%s\n%s", frame, reserve)
		a, o := runesOf(frame)
		ra, ro := runesOf(reserve)
		require.LessOrEqual(t, a, ra, "ASCII\n%s\n%s", frame, reserve)
		require.LessOrEqual(t, o, ro, "beyond ASCII\n%s\n%s", frame, reserve)
	})
}

// essential is the frame that remains when Word has shed all it may.
func essential(s Style, e Envelope) string {
	r := reserve{Style: s, voice: s.voice()}
	out := r.tight(unworded(e)).word()
	if fenced(out) {
		out.Fence = "ab123456"
	}
	return out.frame()
}

func TestWhatRemainsWhenNothingFitsIsTheEssential(t *testing.T) {
	e := ordinary()
	e.Fence = "ab123456"
	require.Equal(t, Style{}.Word(e, never).frame(), essential(Style{}, e))
}

// TestLaw01AReserveForAFailureHoldsItsMessage: what a failure says is not squeezed
// out by content.
func TestLaw01AReserveForAFailureHoldsItsMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style, s := genStyle().Draw(t, "style"), genShape().Draw(t, "shape")
		e := s.envelope().Draw(t, "envelope")
		e.Failure = BadArgument("sort", strings.Repeat("x", rapid.IntRange(0, 100).Draw(t, "n")), "date", "size")
		like := s.like()
		like.Failure = e.Failure
		reserve := style.Reserve(like, s.largest)

		frame := style.Word(e, func(f string) bool {
			a, o := runesOf(f)
			ra, ro := runesOf(reserve)
			return a <= ra && o <= ro
		}).frame()
		w := wording{Style: style, voice: style.voice()}
		require.Contains(t, frame, visible(w.helped(e.Failure.Message), failureRoom), "%s", reserve)
	})
}

func TestASmallBudgetKeepsRoomForContent(t *testing.T) {
	s := shape{parts: 1, kept: true, calls: 2, largest: 1 << 40}
	reserve := Style{}.Reserve(s.like(), s.largest)
	require.LessOrEqual(t, len(reserve), 400)
}

func TestAnOrdinaryNoticeFitsTheReserveUnshortened(t *testing.T) {
	s := shape{parts: 1, kept: true, calls: 2, largest: 1 << 40}
	reserve := Style{}.Reserve(s.like(), s.largest)
	frame := Style{}.Word(ordinary(), nil).frame()
	require.LessOrEqual(t, len(frame), len(reserve), frame)
}

// TestLaw01TheReserveHoldsTheLongestOfEachFact walks the corners that random
// envelopes seldom reach: every fact at its longest, in every combination.
func TestLaw01TheReserveHoldsTheLongestOfEachFact(t *testing.T) {
	const largest = 999_999_999
	for _, style := range []Style{{}, {Compact: true}, {Language: "zh-Hans"}, {Language: "zh-Hant", Compact: true}} {
		shapes := []shape{
			{parts: 1, largest: largest},
			{parts: 1, kept: true, scanned: true, calls: 2, cuts: 1, largest: largest},
			{parts: 2, kept: true, calls: 1, largest: largest},
			{parts: 1, more: true, largest: largest},
			{parts: 1, more: true, kept: true, calls: 1, largest: largest},
		}
		for _, s := range shapes {
			tightest := 1 << 30
			reserve := style.Reserve(s.like(), largest)
			ra, ro := runesOf(reserve)
			for _, e := range corners(s) {
				frame := essential(style, e)
				a, o := runesOf(frame)
				require.LessOrEqual(t, a, ra, "ASCII\n%s\n%s", frame, reserve)
				require.LessOrEqual(t, o, ro, "beyond ASCII\n%s\n%s", frame, reserve)
				tightest = min(tightest, ra-a+ro-o)
			}
			// Some facts exclude each other (an extent inside an array, and a closing that
			// counts what follows), and a reserve is as long as the longest of each.
			// So it is with the calls of several parts: in the notice, or in a heading.
			facts := s.parts
			if s.more { // what a heading tells of one part, the notice tells of all
				facts++
			}
			require.LessOrEqual(t, tightest, (ra+ro)*facts/3, "%+v %+v: the reserve is larger than any frame needs", style, s)
		}
	}
}

func TestWorstCostsAsMuchAsAnyVariant(t *testing.T) {
	r := reserve{numbers: []int64{999, 1}}
	got := r.worst(func(n int64) []string {
		return []string{fmt.Sprint("有", n, "行有行有行"), fmt.Sprint("there are ", n, " lines"), "short"}
	})
	a, o := runesOf(got)
	require.Equal(t, len("there are 999 lines"), a, got)
	require.Equal(t, len([]rune("有行有行有行")), o, got)
}

// corners are the envelopes of shape s whose numbers are the largest.
func corners(s shape) []Envelope {
	var out []Envelope
	n := s.largest
	for _, vw := range cornerViews(n) {
		for _, f := range failures(n) {
			for _, acquired := range []Acquired{AcquiredNo, AcquiredYes} {
				e := s.like()
				e.Failure = f
				e.Part = corner(e.Part, vw, acquired)
				for i, p := range e.Parts {
					e.Parts[i] = corner(p, vw, acquired)
				}
				e.Next = theCalls(n, n)[:s.calls]
				if s.scanned {
					e.Scan = &coverage.Scan{Unit: coverage.Line, Scanned: []coverage.Range{{Start: n - 3, End: n}}, Of: coverage.AtLeast(n), Matched: coverage.AtLeast(n), Returned: n}
				}
				out = append(out, e)
			}
		}
	}
	return out
}

func corner(p Part, vw View, acquired Acquired) Part {
	vw.Cuts = p.View.Cuts
	p.View, p.Content, p.Acquired = vw, "x", acquired
	p.Reasons = []coverage.Reason{
		{Code: coverage.ByteLimit, Layer: coverage.LayerCapture},
		{Code: coverage.OverBudget, Layer: coverage.LayerBudget, Unit: coverage.Rune, Limit: vw.ByteTotal.Value},
	}
	return p
}

// cornerViews are views whose totals have the longest words, also without units in
// part: such have the longest marks.
func cornerViews(n int64) []View {
	longest := slices.DeleteFunc(views(n), func(vw View) bool {
		return vw.ByteTotal.Plus(vw.UnitTotal).Relation == coverage.Eq || !vw.ByteTotal.Plus(vw.UnitTotal).Known()
	})
	out := slices.Clone(longest)
	for _, vw := range longest {
		vw.Partly = 0
		if len(vw.Units) == 1 {
			vw.Units = []coverage.Range{{Start: 0, End: n - 3}, {Start: n - 1, End: n}}
		}
		out = append(out, vw)
	}
	return out
}

func failures(n int64) []*Failure {
	out := []*Failure{nil}
	exit := int(-n)
	for _, e := range []Effect{EffectUnknown} {
		for _, r := range []Retry{RetryNever, RetryAfterChange} {
			out = append(out, &Failure{Kind: "kind", Message: "message", Effect: e, Retry: r, Exit: &exit})
		}
	}
	return out
}

// TestLaw01TheReserveHoldsInACallersLanguage: longer words, facts said twice, plural
// forms of which the small numbers have the longest.
func TestLaw01TheReserveHoldsInACallersLanguage(t *testing.T) {
	words := Catalog()
	for _, p := range phrases {
		long := p.english + " ⟨" + p.hans + "⟩"
		if p.one == "" {
			require.NoError(t, words.SetString(language.Russian, p.key, long))
			continue
		}
		require.NoError(t, words.Set(language.Russian, p.key, plural.Selectf(1, "%d",
			plural.One, p.one+" ещё длиннее", plural.Few, long+" длинно", plural.Other, long)))
	}
	style := Style{Language: "ru", Catalog: words}
	shapes := []shape{{parts: 1, largest: 1 << 40}, {parts: 1, kept: true, scanned: true, cuts: 1, calls: 2, largest: 1 << 20}, {parts: 2, kept: true, calls: 2, largest: 99}, {parts: 1, more: true, kept: true, calls: 1, largest: 1 << 20}}
	reserves := map[shape]string{}
	for _, s := range shapes {
		reserves[s] = style.Reserve(s.like(), s.largest)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(shapes).Draw(t, "shape")
		reserve := reserves[s]
		frame := essential(style, s.envelope().Draw(t, "envelope"))
		a, o := runesOf(frame)
		ra, ro := runesOf(reserve)
		require.LessOrEqual(t, a, ra, "ASCII\n%s\n%s", frame, reserve)
		require.LessOrEqual(t, o, ro, "beyond ASCII\n%s\n%s", frame, reserve)
	})
}
