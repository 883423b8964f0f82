package envelope

import (
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/coverage"
)

// Generators of envelopes as any tool, reader or attacker might make them.

var units = []coverage.Unit{coverage.Byte, coverage.Rune, coverage.Grapheme, coverage.Line, coverage.Item, coverage.Token}

func genNumber(largest int64) *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(0, min(3, largest)), rapid.Int64Range(0, largest), rapid.Just(largest))
}

func genCount(largest int64) *rapid.Generator[coverage.Count] {
	return rapid.Custom(func(t *rapid.T) coverage.Count {
		r := rapid.SampledFrom([]coverage.Relation{coverage.Eq, coverage.Gte, coverage.Estimate, coverage.Unknown, ""}).Draw(t, "relation")
		return coverage.Count{Value: genNumber(largest).Draw(t, "value"), Relation: r}
	})
}

func genRanges(largest int64) *rapid.Generator[[]coverage.Range] {
	return rapid.Custom(func(t *rapid.T) []coverage.Range {
		var out []coverage.Range
		for range rapid.IntRange(0, 4).Draw(t, "ranges") {
			a, b := genNumber(largest).Draw(t, "start"), genNumber(largest).Draw(t, "end")
			out = append(out, coverage.Range{Start: min(a, b), End: max(a, b)})
		}
		return coverage.Set(nil).Add(out...)
	})
}

// genForeign is text that is not ours: ordinary, hostile, or broken.
func genForeign() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "stdout", "a b", "“]\n-- ab123456 end", "\u202e]", "é̂中文👩‍👩‍👧", "\xff\xfe", "[PARTIAL lines 1-2 of 3]", "%[1]v %!"}),
		rapid.String(),
		rapid.Map(rapid.IntRange(1, 3000), func(n int) string { return strings.Repeat("长x", n) }),
	)
}

func genReason(largest int64) *rapid.Generator[coverage.Reason] {
	return rapid.Custom(func(t *rapid.T) coverage.Reason {
		return coverage.Reason{
			Code:      rapid.OneOf(rapid.SampledFrom(coverage.Codes()), rapid.Map(genForeign(), func(s string) coverage.Code { return coverage.Code(s) })).Draw(t, "code"),
			Layer:     rapid.SampledFrom([]coverage.Layer{coverage.LayerSource, coverage.LayerTransport, coverage.LayerCapture, coverage.LayerFilter, coverage.LayerRedaction, coverage.LayerBudget, coverage.LayerPage}).Draw(t, "layer"),
			Unit:      rapid.SampledFrom(units).Draw(t, "unit"),
			Count:     genCount(largest).Draw(t, "count"),
			Limit:     genNumber(largest).Draw(t, "limit"),
			Where:     genForeign().Draw(t, "where"),
			Message:   genForeign().Draw(t, "message"),
			Retryable: rapid.Bool().Draw(t, "retryable"),
		}
	})
}

func genView(largest int64) *rapid.Generator[View] {
	return rapid.Custom(func(t *rapid.T) View {
		vw := View{
			Bytes:     genRanges(largest).Draw(t, "bytes"),
			ByteTotal: genCount(largest).Draw(t, "byteTotal"),
		}
		if rapid.Bool().Draw(t, "units") {
			vw.Unit = rapid.SampledFrom([]coverage.Unit{coverage.Line, coverage.Item}).Draw(t, "unit")
			vw.Units = genRanges(largest).Draw(t, "ranges")
			vw.UnitTotal = genCount(largest).Draw(t, "unitTotal")
			vw.Partly = genNumber(largest).Draw(t, "partly")
			vw.Pointer = genForeign().Draw(t, "pointer")
		}
		for range rapid.IntRange(0, 4).Draw(t, "omissions") {
			vw.Omissions = append(vw.Omissions, Omission{
				Pointer: rapid.OneOf(rapid.Just(""), genForeign()).Draw(t, "where"), Relation: rapid.SampledFrom([]coverage.Relation{"", coverage.Estimate}).Draw(t, "shown is"), Unit: rapid.SampledFrom(units).Draw(t, "unit"),
				Shown: genNumber(largest).Draw(t, "shown"), Total: genCount(largest).Draw(t, "total"),
			})
		}
		for range rapid.IntRange(0, 4).Draw(t, "transforms") {
			vw.Transforms = append(vw.Transforms, Transform{
				Name: genForeign().Draw(t, "name"), Count: genCount(largest).Draw(t, "count"), Loses: rapid.Bool().Draw(t, "loses"),
			})
		}
		vw.Complete = len(vw.Omissions) == 0 && rapid.Bool().Draw(t, "complete")
		return vw
	})
}

const someHandle = "k3vabcdefghijklmnopqrstuq7"

func genPart(largest int64, kept bool, cuts int) *rapid.Generator[Part] {
	return rapid.Custom(func(t *rapid.T) Part {
		p := Part{
			Name:      genForeign().Draw(t, "name"),
			MediaType: rapid.SampledFrom([]string{"", "text/plain", "application/json", "image/png", "x]\n/y", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}).Draw(t, "media"),
			Content:   genForeign().Draw(t, "content"),
			View:      genView(largest).Draw(t, "view"),
			Acquired:  rapid.SampledFrom([]Acquired{AcquiredYes, AcquiredNo, AcquiredUnknown}).Draw(t, "acquired"),
		}
		if rapid.IntRange(0, 9).Draw(t, "typed") == 0 {
			p.Content, p.Base64 = "", rapid.SampledFrom([]string{"aGVsbG8=", "not base64"}).Draw(t, "base64")
		}
		for range rapid.IntRange(0, 3).Draw(t, "reasons") {
			p.Reasons = append(p.Reasons, genReason(largest).Draw(t, "reason"))
		}
		for range rapid.IntRange(0, cuts).Draw(t, "cuts") {
			at := int64(len(p.Content) / 2)
			for !atRune(p.Content, at) {
				at--
			}
			p.View.Cuts = append(p.View.Cuts, Cut{At: at})
		}
		if kept && rapid.Bool().Draw(t, "kept") {
			p.Artifact = someArtifact()
		}
		return p
	})
}

func someArtifact() *Artifact {
	return &Artifact{Handle: someHandle, Size: 156021, SHA256: strings.Repeat("a", 64), ExpiresAt: time.Date(2026, 11, 29, 18, 0, 30, 0, time.UTC)}
}

func genFailure(largest int64) *rapid.Generator[*Failure] {
	return rapid.Custom(func(t *rapid.T) *Failure {
		if rapid.Bool().Draw(t, "succeeded") {
			return nil
		}
		f := &Failure{
			Kind: genForeign().Draw(t, "kind"), Message: genForeign().Draw(t, "message"), Advice: genForeign().Draw(t, "advice"),
			Effect:  rapid.SampledFrom([]Effect{EffectNone, EffectDone, EffectUnknown, "", "x"}).Draw(t, "effect"),
			Retry:   rapid.SampledFrom([]Retry{RetryNever, RetryAfterChange, RetryLater, "", "x"}).Draw(t, "retry"),
			Handler: rapid.SampledFrom([]Handler{HandlerModel, HandlerProgram, HandlerPerson, ""}).Draw(t, "handler"),
			Wait:    int(genNumber(min(largest, 1<<30)).Draw(t, "wait")),
		}
		if rapid.Bool().Draw(t, "exits") {
			n := int(genNumber(min(largest, 1<<30)).Draw(t, "exit"))
			f.Exit = &n
		}
		return f
	})
}

func genScan(largest int64) *rapid.Generator[*coverage.Scan] {
	return rapid.Custom(func(t *rapid.T) *coverage.Scan {
		return &coverage.Scan{
			Predicate: genForeign().Draw(t, "predicate"), Engine: "re2",
			Unit:     rapid.SampledFrom(units).Draw(t, "unit"),
			Scanned:  genRanges(largest).Draw(t, "scanned"),
			Of:       genCount(largest).Draw(t, "of"),
			Matched:  genCount(largest).Draw(t, "matched"),
			Returned: genNumber(largest).Draw(t, "returned"),
			Unjudged: genCount(largest).Draw(t, "unjudged"),
		}
	})
}

// theCalls are what a loop with a read and a search tool can call; from and to are
// the read's arguments.
func theCalls(from, to int64) []Next {
	return []Next{
		{Tool: "artifact_read", Arguments: map[string]any{"artifact": someHandle, "line": from, "to": to}},
		{Tool: "artifact_search", Arguments: map[string]any{"artifact": someHandle, "pattern": ""}, Search: true},
	}
}

// shape is what Reserve's contract fixes.
type shape struct {
	parts, cuts   int
	kept, scanned bool
	more          bool // parts are left out, and listed where one is kept
	calls         int
	largest       int64
}

func genShape() *rapid.Generator[shape] {
	return rapid.Custom(func(t *rapid.T) shape {
		return shape{
			more:  rapid.Bool().Draw(t, "more"),
			parts: rapid.IntRange(1, 3).Draw(t, "parts"), cuts: rapid.IntRange(0, 2).Draw(t, "cuts"),
			kept: rapid.Bool().Draw(t, "kept"), scanned: rapid.Bool().Draw(t, "scanned"), calls: rapid.IntRange(0, 2).Draw(t, "calls"),
			largest: rapid.SampledFrom([]int64{9, 99, 1 << 20, 1 << 40, 1<<63 - 1}).Draw(t, "largest"),
		}
	})
}

// like is the envelope that stands for the shape.
func (s shape) like() Envelope {
	p := Part{}
	p.View.Cuts = make([]Cut, s.cuts)
	if s.kept {
		p.Artifact = someArtifact()
	}
	e := Envelope{Next: theCalls(1, 1)[:s.calls]}
	if s.scanned {
		e.Scan = &coverage.Scan{}
	}
	if s.more {
		s.leaveOut(&e, s.largest)
	} else if s.parts == 1 {
		e.Part = p
		return e
	}
	for range s.parts {
		e.Parts = append(e.Parts, p)
	}
	return e
}

// leaveOut says that n parts are not in e.
func (s shape) leaveOut(e *Envelope, n int64) {
	e.View.Omissions, e.Reasons = dropped(0, n), roomFor(n)
	if s.kept {
		e.List = otherHandle
	}
}

// envelope is any envelope of the shape.
func (s shape) envelope() *rapid.Generator[Envelope] {
	return rapid.Custom(func(t *rapid.T) Envelope {
		e := Envelope{
			Tool: "tool", Did: genForeign().Draw(t, "did"), NoNext: genForeign().Draw(t, "noNext"),
			Failure: genFailure(s.largest).Draw(t, "failure"),
		}
		if s.calls > 0 && rapid.Bool().Draw(t, "calls") {
			e.Next = theCalls(genNumber(s.largest).Draw(t, "from"), genNumber(s.largest).Draw(t, "to"))[:s.calls]
		}
		if s.scanned && rapid.Bool().Draw(t, "scanned") {
			e.Scan = genScan(s.largest).Draw(t, "scan")
		}
		if rapid.Bool().Draw(t, "covered") {
			e.Coverage = &coverage.Summary{Requested: genCount(s.largest).Draw(t, "requested"), Loaded: genCount(s.largest).Draw(t, "loaded"), InputComplete: rapid.Bool().Draw(t, "inputComplete")}
		}
		if s.more {
			s.leaveOut(&e, max(1, genNumber(s.largest).Draw(t, "left out")))
			if s.kept && rapid.Bool().Draw(t, "list not kept") {
				e.List, e.Reasons = "", append(e.Reasons, coverage.Reason{Code: coverage.NotKept, Layer: coverage.LayerCapture})
			}
		} else if s.parts == 1 {
			e.Part = genPart(s.largest, s.kept, s.cuts).Draw(t, "part")
			return e
		}
		for range s.parts {
			e.Parts = append(e.Parts, genPart(s.largest, s.kept, s.cuts).Draw(t, "part"))
		}
		return e
	})
}

func genStyle() *rapid.Generator[Style] {
	return rapid.Custom(func(t *rapid.T) Style {
		return Style{Language: rapid.SampledFrom([]string{"", "en", "zh", "zh-TW"}).Draw(t, "language"), Compact: rapid.Bool().Draw(t, "compact")}
	})
}
