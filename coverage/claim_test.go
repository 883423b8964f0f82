package coverage_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	. "github.com/toolclip/toolclip/coverage"
)

var update = flag.Bool("update", false, "write the goldens")

// testdata/claims.txtar has a summary in JSON, then what is said of it. Each
// summary begins with a file name.json; the sentences follow as name.en and so on.
func TestClaimsReadWell(t *testing.T) {
	const golden = "testdata/claims.txtar"
	a, err := txtar.ParseFile(golden)
	require.NoError(t, err)
	want := txtar.Format(a)
	out := txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		name, ok := strings.CutSuffix(f.Name, ".json")
		if !ok {
			continue
		}
		var s Summary
		require.NoError(t, json.Unmarshal(f.Data, &s), f.Name)
		out.Files = append(out.Files, f)
		for _, lang := range []string{"en", "zh-Hans", "zh-Hant"} {
			out.Files = append(out.Files, txtar.File{Name: name + "." + lang, Data: []byte(s.Claim(lang) + "\n")})
		}
	}
	if got := txtar.Format(&out); *update {
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	} else {
		require.Equal(t, string(want), string(got), "run with -update and read the difference")
	}
}

func TestLanguagesAreMatched(t *testing.T) {
	s := Summary{Requested: Exactly(2), Loaded: Exactly(1), Filtered: Exactly(0)}
	for tag, like := range map[string]string{"": "en", "en-GB": "en", "fr": "en", "not a tag!": "en", "zh": "zh-Hans", "zh-CN": "zh-Hans",
		"zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh-Hant-TW": "zh-Hant", "zh-SG": "zh-Hans"} {
		require.Equal(t, s.Claim(like), s.Claim(tag), tag)
	}
}

// The facts are the same in each language.
func TestEachLanguageStatesTheSameNumbers(t *testing.T) {
	digits := regexp.MustCompile(`[0-9]+`)
	rapid.Check(t, func(t *rapid.T) {
		u, o := universeGen.Draw(t, "universe"), optionsGen.Draw(t, "options")
		s := reportOf(u, o, rapid.SliceOfN(stepGen(calls), 0, 30).Draw(t, "steps")).Summary
		bag := func(lang string) map[string]bool {
			m := map[string]bool{}
			for _, d := range digits.FindAllString(s.Claim(lang), -1) {
				m[d] = true
			}
			return m
		}
		en := bag("en")
		for _, lang := range []string{"zh-Hans", "zh-Hant"} {
			require.Equal(t, en, bag(lang), "%s\n%s", s.Claim("en"), s.Claim(lang))
		}
	})
}

// A claim holds numbers and fixed words only: no id, rule or message gets in.
func TestClaimsHoldNoForeignText(t *testing.T) {
	l := New(Enumerated("EVIL", "b"), nil)
	l.Filtered("EVIL", "EVIL")
	l.Failed("b", Reason{Code: "EVIL", Message: "EVIL", Where: "EVIL", Layer: "EVIL", Unit: "EVIL"})
	l.Snapshot("EVIL", "EVIL")
	l.Page("EVIL").Fail(Reason{Message: "EVIL"})
	l.Seal()
	for _, lang := range []string{"en", "zh-Hans", "zh-Hant", "EVIL"} {
		require.NotContains(t, l.Report().Claim(lang), "EVIL")
	}
}

func TestClaimsAreAllowedByWhatWasLoaded(t *testing.T) {
	whole := sealed(Enumerated("a"), nil, "a")
	require.Contains(t, whole.Claims.Allow, ClaimAll)
	require.Contains(t, whole.Claims.Deny, ClaimNone, "only after a complete scan")
	require.Contains(t, whole.Claims.Deny, ClaimLatest, "no version is known")
	scan := Scan{Predicate: "x", Engine: "literal", Unit: Item, Scanned: []Range{{0, 1}}, Of: Exactly(1), Matched: Exactly(0)}
	require.Contains(t, whole.WithView(Item, nil, Exactly(1), scan).Claims.Allow, ClaimNone)
	scan.Of = Exactly(2)
	require.Contains(t, whole.WithView(Item, nil, Exactly(1), scan).Claims.Deny, ClaimNone)

	part := sealed(Enumerated("a", "b"), nil, "a")
	require.Equal(t, Exactly(1), part.Claims.Missing)
	require.Contains(t, part.Claims.Allow, ClaimInterval)
	require.Contains(t, part.Claims.Deny, ClaimAll)
	require.Contains(t, part.WithView(Item, nil, Exactly(1), scan).Claims.Deny, ClaimNone, "not of what was never loaded")

	double := sealed(Enumerated("a", "b"), nil, "a", "a", "b")
	require.Contains(t, double.Claims.Deny, ClaimLowerBound, "a double makes a count too high")

	filtered := New(Enumerated("a", "b"), nil)
	filtered.Loaded("a", nil)
	filtered.Filtered("b", "rule")
	filtered.Seal()
	require.True(t, filtered.Report().InputComplete)
	require.Contains(t, filtered.Report().Claims.Deny, ClaimAll)
	for _, r := range []Report{whole, part, double, filtered.Report()} {
		require.Len(t, append(r.Claims.Allow, r.Claims.Deny...), 10)
	}
}

func TestWithViewIsAnAxisOfItsOwn(t *testing.T) {
	r := sealed(Enumerated("a", "b"), nil, "a")
	v := r.WithView(Line, Set{{0, 178}, {399, 549}}, Exactly(549))
	require.False(t, v.View.Complete)
	require.Equal(t, r.Acquisition, v.Acquisition)
	require.False(t, r.View.Assessed, "a copy was changed")
	require.True(t, r.WithView(Line, Set{{0, 100}, {100, 549}}, Exactly(549)).View.Complete)
	require.False(t, r.WithView(Line, Set{{0, 549}}, AtLeast(549)).View.Complete, "how many there are is not known")
	require.False(t, v.Answer.Assessed)
}

func TestReportsLogAsGroups(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	log.Info("loaded", "coverage", sealed(Counted(2), nil, "a"))
	require.Equal(t, "level=INFO msg=loaded coverage.state=incomplete coverage.basis=none coverage.requested=2 coverage.loaded=1 "+
		"coverage.filtered=0 coverage.inputComplete=false coverage.identityComplete=false coverage.byteComplete=false "+
		"coverage.sourceSnapshot=\"\" coverage.reasons=[truncated_unexplained]\n", b.String())
}
