package envelope

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"
	"golang.org/x/text/message/catalog"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/coverage"
)

// genWorded is any envelope, worded with everything said.
func genWorded() *rapid.Generator[Envelope] {
	return rapid.Custom(func(t *rapid.T) Envelope {
		return genStyle().Draw(t, "style").Word(genShape().Draw(t, "shape").envelope().Draw(t, "envelope"), nil)
	})
}

func contents(e Envelope) string {
	var b strings.Builder
	for _, p := range e.parts() {
		b.WriteString(p.Content)
	}
	return b.String()
}

func TestLaw06ContentStandsBareOnlyIfNothingIsMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := genWorded().Draw(t, "worded")
		if e.Notice != "" || e.Fence != "" || e.Closing != "" {
			return
		}
		require.Equal(t, contents(e), e.Text())
		require.Nil(t, e.Failure)
		require.Empty(t, e.Did)
		for _, p := range append(e.Parts, e.parts()...) {
			require.True(t, p.View.Complete)
			require.NotEqual(t, AcquiredNo, p.Acquired)
			require.Empty(t, p.Reasons)
			require.Empty(t, p.Base64)
		}
		require.False(t, Style{}.voice().imitated(e))
	})
}

func TestLaw06CompleteContentStandsBare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.StringMatching(`[a-z ,.\n]{1,200}`).Draw(t, "content")
		e := Envelope{Tool: "t", Part: entire(content)}
		e.Acquired = rapid.SampledFrom([]Acquired{AcquiredYes, AcquiredUnknown, ""}).Draw(t, "acquired")
		e.Artifact = rapid.SampledFrom([]*Artifact{nil, someArtifact()}).Draw(t, "artifact")
		out := genStyle().Draw(t, "style").Word(e, never)
		require.Equal(t, content, out.Text())
		require.Empty(t, out.Notice+out.Closing+out.Fence)
		require.True(t, out.Worded())
	})
}

func TestLaw06EachDoubtIsSaid(t *testing.T) {
	for name, doubt := range map[string]func(*Envelope){
		"the view is not complete":   func(e *Envelope) { e.View.Complete = false },
		"the source is incomplete":   func(e *Envelope) { e.Acquired = AcquiredNo },
		"it could not be kept":       func(e *Envelope) { e.Reasons = []coverage.Reason{{Code: coverage.NotKept}} },
		"something was left out":     func(e *Envelope) { e.Reasons = []coverage.Reason{{Code: coverage.Excluded}} },
		"the call failed":            func(e *Envelope) { e.Failure = &Failure{} },
		"the ledger is not complete": func(e *Envelope) { e.Coverage = &coverage.Summary{} },
		"a search did not see all":   func(e *Envelope) { e.Scan = &coverage.Scan{} },
		"a search found more than it shows": func(e *Envelope) {
			e.Scan = &coverage.Scan{Unit: coverage.Line, Scanned: []coverage.Range{{Start: 0, End: 9}}, Of: coverage.Exactly(9), Matched: coverage.Exactly(3), Returned: 2}
		},
		"the source has a next page":     func(e *Envelope) { e.Next = theCalls(1, 2) },
		"something was done":             func(e *Envelope) { e.Did = "Paid." },
		"it is not text":                 func(e *Envelope) { e.Base64 = "aGk=" },
		"it looks like a notice":         func(e *Envelope) { e.Content = "[PARTIAL " },
		"one of several is not complete": func(e *Envelope) { e.Parts = []Part{entire("a"), {Content: "b"}} },
		"there are several":              func(e *Envelope) { e.Parts = []Part{entire("a"), entire("b")} },
		"the only part has a reason": func(e *Envelope) {
			e.Parts = []Part{entire("a")}
			e.Parts[0].Reasons = []coverage.Reason{{Code: coverage.Excluded, Layer: coverage.LayerFilter}}
		},
		"the source of an empty part is incomplete": func(e *Envelope) {
			e.Parts = []Part{entire("a"), entire("")}
			e.Parts[1].Acquired = AcquiredNo
		},
		"some of several are left out": func(e *Envelope) { e.Parts = []Part{entire("a")}; e.Reasons = budgetReason() },
	} {
		t.Run(name, func(t *testing.T) {
			e := Envelope{Part: entire("content")}
			require.Equal(t, "content", Style{}.Word(e, never).Text())
			doubt(&e)
			for _, s := range []Style{{}, {Compact: true}, {Language: "zh-Hant"}} {
				require.NotEqual(t, contents(e), s.Word(e, nil).Text())
				require.NotEqual(t, contents(e), s.Word(e, never).Text())
			}
		})
	}
}

func TestNothingAtAllIsOneSentence(t *testing.T) {
	e := Envelope{Part: entire("")}
	require.Equal(t, "Completed, no output.", Style{}.Word(e, nil).Text())
	require.Equal(t, "已完成，无输出。", Style{Language: "zh"}.Word(e, nil).Text())
	e.Did = "Deleted 3 files."
	out := Style{}.Word(e, nil)
	require.Equal(t, "Deleted 3 files.", out.Text())
	require.Empty(t, out.Content)
	e.Did = ""
	e.Acquired = AcquiredNo
	require.Contains(t, Style{}.Word(e, nil).Text(), "SOURCE INCOMPLETE", "nothing read is not nothing there")
}

// TestTheFrameIsAllButTheContents: what fits judges, and the contents, are the text.
func TestTheFrameIsAllButTheContents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := genShape().Draw(t, "shape").envelope().Draw(t, "envelope")
		var judged string
		out := genStyle().Draw(t, "style").Word(e, func(f string) bool { judged = f; return rapid.Bool().Draw(t, "fits") })
		require.Equal(t, out.frame(), judged)
		require.Equal(t, len(out.Text()), len(out.frame())+len(contents(out)))

		var shown strings.Builder
		for _, s := range out.layout() {
			if s.content {
				shown.WriteString(s.text)
			}
		}
		require.Equal(t, contents(out), shown.String(), "contents are verbatim")
	})
}

func TestFramesAreValidTextOnLinesOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := genWorded().Draw(t, "worded")
		require.True(t, utf8.ValidString(e.frame()))
		require.NotContains(t, e.Closing, "\n")
		require.LessOrEqual(t, strings.Count(e.Notice, "\n"), 1, "facts, and calls")
		for _, p := range e.Parts {
			require.NotContains(t, p.Heading, "\n")
		}
	})
}

func TestLaw12TheFenceIsInNoContent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := genWorded().Draw(t, "worded")
		if e.Fence == "" {
			return
		}
		require.NotContains(t, contents(e), e.Fence)
		cuts := 0
		for _, p := range e.parts() {
			for _, c := range p.View.Cuts {
				if c.Mark != "" {
					cuts++
				}
			}
		}
		require.Equal(t, len(e.parts())+1+cuts, strings.Count(e.Text(), fenceMark+e.Fence), "one line opens each part, one closes the last")
	})
}

// TestLaw12NoFieldIsComputedFromOurOwnWords replaces what looks like ours by noise of
// the same length and lines.
func TestLaw12NoFieldIsComputedFromOurOwnWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style := genStyle().Draw(t, "style")
		e := genShape().Draw(t, "shape").envelope().Draw(t, "envelope")
		e.Fence = goldenFence
		attack := rapid.SampledFrom(attacks()).Draw(t, "attack")
		fake, noise := e, e
		fake.Parts, noise.Parts = slices.Clone(e.Parts), slices.Clone(e.Parts)
		i := rapid.IntRange(0, len(e.parts())-1).Draw(t, "part")
		fake.parts()[i].Content = ""
		setContent(&fake, i, attack)
		setContent(&noise, i, noiseOf(attack))

		got, want := style.Word(fake, nil), style.Word(noise, nil)
		if !bare(noise) { // a complete content that imitates is fenced: that is the exception
			complete := slices.IndexFunc(e.parts(), func(p Part) bool { return !p.View.Complete }) < 0
			if !complete {
				require.Equal(t, want.Notice, got.Notice)
				require.Equal(t, want.Closing, got.Closing)
			}
		}
		blank := func(e Envelope) Envelope {
			e.Notice, e.Closing, e.Fence = "", "", ""
			setContent(&e, i, "")
			return e
		}
		require.Equal(t, blank(want), blank(got))
	})
}

// noiseOf has the lines and the bytes of s and says nothing.
func noiseOf(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] != '\n' {
			b[i] = 'x'
		}
	}
	return string(b)
}

func setContent(e *Envelope, i int, s string) {
	if len(e.Parts) == 0 {
		e.Content = s
		return
	}
	e.Parts = slices.Clone(e.Parts)
	e.Parts[i].Content = s
}

func TestWordChangesNothingOfItsArgument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style := genStyle().Draw(t, "style")
		first := style.Word(genShape().Draw(t, "shape").envelope().Draw(t, "envelope"), nil)
		before := mustJSON(t, first.Map())
		Style{Language: "zh"}.Word(first, never)
		require.JSONEq(t, string(before), string(mustJSON(t, first.Map())), "values and what their slices share")
	})
}

func TestLaw11WordingAgainChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style := genStyle().Draw(t, "style")
		e := style.Word(genShape().Draw(t, "shape").envelope().Draw(t, "envelope"), nil)
		require.Equal(t, e, style.Word(e, nil), "the fence included: it is in no content")
	})
}

// TestLaw01WordShedsInOrder walks a frame down byte by byte.
func TestLaw01WordShedsInOrder(t *testing.T) {
	e := ordinary()
	e.Coverage = &coverage.Summary{Requested: coverage.Exactly(65), Loaded: coverage.Exactly(60)}
	e.View.Transforms = []Transform{{Name: "decode " + strings.Repeat("x", 200), Loses: true}}
	e.Reasons = append(e.Reasons, coverage.Reason{Code: coverage.TimeLimit, Layer: coverage.LayerCapture, Message: strings.Repeat("slow ", 100)})
	e.View.Omissions = append(e.View.Omissions, Omission{Unit: coverage.Token, Shown: 6100, Total: coverage.Count{Value: 41000, Relation: coverage.Estimate}})
	shed := []string{"24310 of 156021 bytes", "Input: ", "artifact_search", "until 2026", "slow s", "decode", `{"line":179,"to":549}`}
	kept := []string{"PARTIAL", "lines 1-178 of 549", someHandle, "artifact_read", "371 lines follow"}

	gone := 0
	for n := len(Style{}.Word(e, nil).frame()); n > 0; n-- {
		frame := Style{}.Word(e, func(f string) bool { return len(f) <= n }).frame()
		for _, k := range kept {
			require.Contains(t, frame, k)
		}
		for i, s := range shed {
			if strings.Contains(frame, s) {
				require.GreaterOrEqual(t, i, gone, "%q is said though %q is not", s, shed[max(0, gone-1)])
			}
		}
		for gone < len(shed) && !strings.Contains(frame, shed[gone]) {
			gone++
		}
	}
	require.Equal(t, len(shed), gone)
}

func TestLaw01MessagesShrinkByWholeRunes(t *testing.T) {
	e := Envelope{Failure: &Failure{Message: strings.Repeat("错误é", 500), Effect: EffectNone}}
	for n := 3000; n > 40; n -= 7 {
		out := Style{}.Word(e, func(f string) bool { return len(f) <= n })
		require.True(t, utf8.ValidString(out.Text()))
		if n > 100 {
			require.LessOrEqual(t, len(out.Text()), n)
		}
		require.Contains(t, out.Text(), "TOOL FAILED")
	}
}

// TestFactsAreTheSameInEachLanguage compares every number and every name.
func TestFactsAreTheSameInEachLanguage(t *testing.T) {
	fact := regexp.MustCompile(`[0-9]+|[a-z0-9]+_[a-z_]+|` + someHandle)
	facts := func(e Envelope) []string {
		all := fact.FindAllString(e.frame(), -1)
		slices.Sort(all)
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		s := genShape().Draw(t, "shape")
		s.scanned = false
		e := s.envelope().Draw(t, "envelope")
		e.Fence = goldenFence
		compact := rapid.Bool().Draw(t, "compact")
		want := Style{Compact: compact}.Word(e, nil)
		for _, tag := range []string{"zh-Hans", "zh-Hant"} {
			got := Style{Language: tag, Compact: compact}.Word(e, nil)
			require.Equal(t, facts(want), facts(got), "%s\n%s", want.frame(), got.frame())
		}
	})
}

func TestLanguagesAreMatched(t *testing.T) {
	e := Envelope{Part: entire("")}
	for tag, want := range map[string]string{
		"": "Completed, no output.", "en-GB": "Completed, no output.", "de": "Completed, no output.", "not a tag!": "Completed, no output.",
		"zh": "已完成，无输出。", "zh-CN": "已完成，无输出。", "zh-SG": "已完成，无输出。", "cmn": "已完成，无输出。",
		"zh-TW": "已完成，無輸出。", "zh-HK": "已完成，無輸出。", "zh-Hant": "已完成，無輸出。",
		"de, zh-TW;q=0.5": "已完成，無輸出。",
	} {
		require.Equal(t, want, Style{Language: tag}.Word(e, nil).Text(), tag)
	}
}

func TestEveryMessageIsInEveryLanguage(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range phrases {
		require.False(t, seen[p.key], "%s is there twice", p.key)
		seen[p.key] = true
		for _, s := range []string{p.english, p.hans, p.hant} {
			require.NotEmpty(t, s, p.key)
		}
		facts := regexp.MustCompile(`%\[[0-9]\][vs]`)
		set := func(s string) []string {
			all := facts.FindAllString(s, -1)
			slices.Sort(all)
			return all
		}
		require.Equal(t, set(p.english), set(p.hans), p.key)
		require.Equal(t, set(p.english), set(p.hant), p.key)
		if p.one != "" {
			require.Equal(t, set(p.english), set(p.one), p.key)
		}
	}
}

func TestACallerCanAddALanguage(t *testing.T) {
	words := Catalog()
	require.NoError(t, words.SetString(language.German, "partial", "UNVOLLSTÄNDIG"))
	require.NoError(t, words.SetString(language.German, "line.range", "Zeilen %[1]s von %[2]s"))
	require.NoError(t, words.SetString(language.German, "kept", "Alles ist aufbewahrt.")) // loses the handle
	style := Style{Language: "de-AT", Catalog: words}
	text := style.Word(ordinary(), func(f string) bool { return len(f) < 250 }).Text()
	require.Contains(t, text, "[UNVOLLSTÄNDIG Zeilen 1-178 von 549")
	require.Contains(t, text, "Whole kept as artifact "+someHandle, "a translation that loses a fact is not used")
	require.Contains(t, text, "371 lines follow", "what is not translated is said in English")
}

func TestABrokenCatalogIsNotHeard(t *testing.T) {
	var missing *catalog.Builder
	style := Style{Language: "zh", Catalog: missing}
	require.Equal(t, Style{}.Word(edit(ordinary(), fence), nil).Text(), style.Word(edit(ordinary(), fence), nil).Text())
}

func fence(e *Envelope) { e.Fence = goldenFence }

// brokenJSON is an argument of a caller's that panics.
type brokenJSON struct{}

func (brokenJSON) MarshalJSON() ([]byte, error) { panic("no") }

func TestABrokenArgumentIsLeftToNobody(t *testing.T) {
	e := ordinary()
	e.Next = []Next{{Tool: "artifact_read", Arguments: map[string]any{"x": brokenJSON{}}}}
	require.Contains(t, Style{}.Word(e, nil).Text(), "More: artifact_read (arguments in the fields).")
	require.NotPanics(t, func() { e.Map() })
}

func TestWordIsSafeForConcurrentUse(t *testing.T) {
	style := Style{Language: "zh-Hant", Catalog: Catalog()}
	done := make(chan string)
	for range 8 {
		go func() { done <- style.Word(edit(ordinary(), fence), nil).Text() }()
	}
	want := <-done
	for range 7 {
		require.Equal(t, want, <-done)
	}
}

// TestMarksFromElsewhereAreNotTrusted: a cut that is not a place in the content marks
// nothing.
func TestMarksFromElsewhereAreNotTrusted(t *testing.T) {
	e := Envelope{Fence: goldenFence, Part: Part{Content: "é", View: View{Cuts: []Cut{
		{At: 1, Mark: "inside a rune"}, {At: -1, Mark: "before"}, {At: 99, Mark: "after"}, {At: 2, Mark: "here"}, {At: 0, Mark: "back"},
	}}}}
	require.Equal(t, "-- ca730194\né\n-- ca730194 here\n-- ca730194", e.Text())
}

func TestAlteredIsSaidOnlyOfAllBytes(t *testing.T) {
	e := Envelope{Part: entire("key=[redacted]")}
	e.View.Complete, e.View.Exact = false, false
	e.View.Bytes = []coverage.Range{{Start: 0, End: 14}}
	e.View.Transforms = []Transform{{Name: "redaction", Loses: true}}
	opens := func(e Envelope) string {
		word, _, _ := strings.Cut(Style{}.Word(e, nil).Notice, " ")
		return word
	}
	require.Equal(t, "[ALTERED", opens(e))

	omits := e
	omits.View.Omissions = []Omission{{Unit: coverage.Item, Total: coverage.Exactly(3)}}
	require.Equal(t, "[PARTIAL", opens(omits))

	part := e
	part.View.ByteTotal = coverage.Exactly(15)
	require.Equal(t, "[PARTIAL", opens(part))

	unsure := e
	unsure.View.ByteTotal = coverage.AtLeast(14)
	require.Equal(t, "[PARTIAL", opens(unsure))

	none := e
	none.View.Transforms = nil
	require.Equal(t, "[PARTIAL", opens(none))
}

// TestLaw13DoubtIsSaidOnItsAxis: on the view, on the acquisition and on the artifact,
// each by itself, however little room there is.
func TestLaw13DoubtIsSaidOnItsAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style := Style{Compact: rapid.Bool().Draw(t, "compact")}
		e := genShape().Draw(t, "shape").envelope().Draw(t, "envelope")
		room := rapid.IntRange(0, 2000).Draw(t, "room")
		notice := style.Word(e, func(f string) bool { return len(f) <= room }).Notice

		came, partial, lost, kept, saveFailed := false, false, false, false, false
		for _, p := range e.parts() {
			came = came || p.Content != "" || p.Base64 != ""
			partial = partial || !p.View.Complete && (e.Failure == nil || !isZero(p))
			lost = lost || p.Acquired == AcquiredNo
			kept = kept || p.Artifact != nil
			saveFailed = saveFailed || slices.ContainsFunc(p.Reasons, func(r coverage.Reason) bool { return r.Code == coverage.NotKept })
		}
		says := func(word string) bool { return strings.Contains(strings.ToLower(notice), word) }
		if partial {
			require.True(t, says("partial") || says("altered"), notice)
			require.False(t, says("all shown") || says("all that came"), notice)
		}
		if lost && (came || e.Failure == nil) {
			require.True(t, says("source incomplete"), notice)
		}
		if saveFailed && !kept && !says("no call shows the rest") {
			require.True(t, says("could not be saved") || e.NoNext != "", notice)
		}
		if e.Failure != nil {
			require.True(t, says("tool failed"), notice)
		}
	})
}
