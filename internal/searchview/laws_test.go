package searchview

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/view"
)

// The laws are those of the library, by number.

// drawView draws a text with lines of all lengths, and a search in it.
func drawView(t *rapid.T) ([]byte, Options) {
	var text []byte
	for range rapid.IntRange(0, 5).Draw(t, "stretches") {
		text = append(text, drawText(t, 30)...)
		if rapid.Bool().Draw(t, "long") {
			n := rapid.IntRange(1, 400).Draw(t, "times")
			text = append(text, bytes.Repeat(bytes.ReplaceAll(drawText(t, 6), lineFeed, nil), n)...)
		}
	}
	o := drawOptions(t, text)
	o.Raw = rapid.Bool().Draw(t, "raw")
	return text, o
}

// drawRead draws one of the sizes of what is done at once.
func drawRead(t *rapid.T) func(Options, []byte, ...int) *View {
	if rapid.Bool().Draw(t, "middling") {
		return readMiddling
	}
	return read
}

func TestLaw02WholeRunes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		p := drawRead(t)(o, text).Plan(drawLimit(t, o.Retain))
		require.True(t, utf8.ValidString(p.Content))
		for _, r := range p.Bytes {
			for _, at := range []int64{r.Start, r.End} {
				require.True(t, betweenRunes(text, at), "%d in %q", at, text)
			}
		}
	})
}

// betweenRunes reports whether no character of text reaches over offset at.
func betweenRunes(text []byte, at int64) bool {
	lo := max(0, at-utf8.UTFMax)
	for i := lo; i < at; i++ {
		if _, n := utf8.DecodeRune(text[i:]); i+int64(n) > at {
			return false
		}
	}
	return true
}

// In a line of clusters of many bytes no edge of what is shown lies inside one.
func TestLaw02WholeClusters(t *testing.T) {
	for _, cluster := range []string{"👨\u200d👩\u200d👧", "e\u0301\u0302", "क्षि", "각", "👍🏽"} {
		line := strings.Repeat(cluster, 300) + " NEEDLE " + strings.Repeat(cluster, 300)
		p := read(Options{Expr: regexp.MustCompile(`NEEDLE`), Retain: 1000}, []byte(line)).Plan(view.Limit{Bytes: 1000})
		require.Equal(t, int64(1), p.Scan.Returned)
		edges := map[int64]bool{0: true}
		at := int64(0)
		for g := graphemes.FromString(line); g.Next(); {
			at += int64(len(g.Value()))
			edges[at] = true
		}
		for _, r := range p.Bytes {
			require.True(t, edges[r.Start] && edges[r.End], "%q at %v", cluster, r)
			require.Greater(t, r.Len(), int64(2*side))
		}
	}
}

func TestLaw04Verbatim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		p := drawRead(t)(o, text).Plan(drawLimit(t, o.Retain))
		var all []byte
		for i, r := range p.Bytes {
			require.Less(t, r.Start, r.End)
			if i > 0 {
				require.Less(t, p.Bytes[i-1].End, r.Start, "merged and in order")
			}
			all = append(all, text[r.Start:r.End]...)
		}
		if len(p.Transforms) == 0 {
			require.Equal(t, string(all), p.Content)
		}
		var invalid int64
		for b := all; len(b) > 0; {
			r, n := utf8.DecodeRune(b)
			if r == utf8.RuneError && n == 1 {
				invalid++
			}
			b = b[n:]
		}
		for _, c := range p.Transforms {
			require.Equal(t, c.Loses, c.Name == InvalidUTF8)
			if c.Name == InvalidUTF8 {
				require.Equal(t, invalid, c.Count)
				invalid = 0
			}
		}
		require.Zero(t, invalid)
	})
}

func TestLaw05Accounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		p := drawRead(t)(o, text).Plan(drawLimit(t, o.Retain))
		lines := splitLines(text)
		require.Equal(t, int64(len(lines)), p.UnitTotal)

		covered := make([]bool, len(text))
		for _, r := range p.Bytes {
			for i := r.Start; i < r.End; i++ {
				covered[i] = true
			}
		}
		var whole []view.Range
		part, at := int64(0), 0
		for no, l := range lines {
			n := bytes.Count(mask(covered[at:at+len(l)]), []byte{1})
			switch {
			case n == len(l):
				whole = join(whole, int64(no))
			case n > 0:
				part++
			}
			at += len(l)
		}
		require.Equal(t, whole, p.Units, "%q %v %+v", text, o, p)
		require.Equal(t, part, p.Partly)
		all := !bytes.Contains(mask(covered), []byte{0})
		if !all {
			o := p.Omissions[0]
			require.Equal(t, p.UnitTotal, o.Total)
			var shown int64
			for _, r := range whole {
				shown += r.Len()
			}
			require.Equal(t, shown, o.Shown)
			require.Equal(t, part, o.Part)
			require.Equal(t, byte(0), mask(covered)[o.Bytes.Start])
			require.Equal(t, byte(0), mask(covered)[o.Bytes.End-1])
		}
		loses := false
		for _, c := range p.Transforms {
			loses = loses || c.Loses
		}
		require.Equal(t, all && !loses, p.Complete, "law 6")
	})
}

func splitLines(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, lineFeed)
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func mask(bs []bool) []byte {
	m := make([]byte, len(bs))
	for i, b := range bs {
		if b {
			m[i] = 1
		}
	}
	return m
}

func TestLaw05MatchesAreCountedAndNoneIsSkipped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		v := drawRead(t)(o, text)
		p := v.Plan(drawLimit(t, o.Retain))
		found := oracle(text, o.Expr, max(0, int(o.From)))
		if o.From > int64(len(text)) {
			found = nil
		}
		if len(v.skipped) > 0 {
			require.NotZero(t, p.Scan.Unjudged)
			return
		}
		require.Equal(t, int64(len(found)), p.Scan.Matched)
		next := int64(len(text)) + 1
		for _, r := range p.Rest {
			require.Equal(t, int64(len(text)), r.To)
			next = r.From
		}
		var returned, part int64
		for _, m := range found {
			if m.start >= next {
				break
			}
			if inOne(p.Bytes, m) {
				returned++
			} else {
				part++
			}
		}
		require.Equal(t, returned, p.Scan.Returned)
		var abridged int64
		for _, m := range p.Omissions {
			if m.Of == "match" {
				abridged++
			}
		}
		require.Equal(t, part, abridged, "a match that is neither shown whole nor left for the next search is told of")
		if part > 0 && o.Retain >= 1000 {
			require.True(t, part == 1 || len(text) > maxMatch, "only a long match is abridged")
		}
	})
}

func inOne(rs []view.Range, m span) bool {
	for _, r := range rs {
		if r.Start <= m.start && m.end <= r.End {
			return true
		}
	}
	return false
}

func TestLaw07SearchingOnFindsEachMatchOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		o.From, o.Retain = 0, 1000
		limit := view.Limit{Bytes: rapid.Int64Range(0, 1000).Draw(t, "bytes")}
		total := int64(len(oracle(text, o.Expr, 0)))
		var told, last int64
		for calls := 0; ; calls++ {
			require.LessOrEqual(t, calls, len(text)+1)
			p := read(o, text).Plan(limit)
			require.Equal(t, total-told, p.Scan.Matched)
			told += p.Scan.Returned
			for _, m := range p.Omissions {
				if m.Of == "match" {
					told++
				}
			}
			if len(p.Rest) == 0 {
				break
			}
			o.From = p.Rest[0].From
			if calls > 0 {
				require.Greater(t, o.From, last, "progress")
			}
			last = o.From
		}
		require.Equal(t, total, told)
	})
}

func TestLaw09Chunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		l := drawLimit(t, o.Retain)
		run := rapid.SampledFrom([]func(Options, []byte, ...int) *View{read, readMiddling, readSmall}).Draw(t, "read")
		require.Equal(t, run(o, text).Plan(l), run(o, text, drawCuts(t, len(text))...).Plan(l))
	})
}

// A match whose surroundings come later is shown with them.
func TestLaw09EveryByteByItself(t *testing.T) {
	line := strings.Repeat("0123456789", 300) + "NEEDLE" + strings.Repeat("abcdefghij", 300)
	text := []byte("before\n" + line + "\nafter é 👍🏽\n" + line + line)
	cuts := make([]int, len(text))
	for i := range cuts {
		cuts[i] = i
	}
	for _, pattern := range []string{`NEEDLE`, `N[EX]+DLE`, `9N.*a`, `(?i)needle.{3}`, `é|j$`} {
		o := Options{Expr: regexp.MustCompile(pattern), Retain: 4000, Context: 1}
		for _, run := range []func(Options, []byte, ...int) *View{read, readMiddling} {
			want := run(o, text).Plan(view.Limit{Bytes: 4000})
			require.Equal(t, want, run(o, text, cuts...).Plan(view.Limit{Bytes: 4000}), pattern)
			require.NotEmpty(t, want.Content)
		}
	}
}

func TestLaw10Nested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		l := drawLimit(t, o.Retain)
		more := l
		more.Bytes += rapid.Int64Range(0, 50).Draw(t, "more bytes")
		more.N += rapid.Int64Range(0, 50).Draw(t, "more")
		run := drawRead(t)
		small := run(o, text).Plan(l)
		o.Retain += rapid.Int64Range(0, 50).Draw(t, "more retained")
		more.Bytes = min(more.Bytes, o.Retain)
		large := run(o, text).Plan(more)
		for _, r := range small.Bytes {
			require.True(t, inOne(large.Bytes, span{r.Start, r.End}), "%v is not within %v", r, large.Bytes)
		}
	})
}

// What is kept is enough for every limit up to Retain.
func TestKeepingMoreChangesNoView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		l := drawLimit(t, rapid.SampledFrom([]int64{50, 500, 5000}).Draw(t, "most"))
		run := drawRead(t)
		o.Retain = l.Bytes
		tight := run(o, text).Plan(l)
		o.Retain = 1 << 20
		require.Equal(t, run(o, text).Plan(l), tight)
	})
}

func TestALimitIsAnUpperBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawView(t)
		l := drawLimit(t, o.Retain)
		p := read(o, text).Plan(l)
		gaps := int64(max(0, len(p.Bytes)-1))
		require.LessOrEqual(t, int64(len(p.Content))+gaps*joint, l.Bytes)
		switch l.Unit {
		case view.Rune:
			require.LessOrEqual(t, int64(utf8.RuneCountInString(p.Content)), l.N)
		case view.Grapheme:
			require.LessOrEqual(t, clusters(p.Content), l.N)
		case view.Line:
			n := int64(strings.Count(p.Content, "\n"))
			if p.Content != "" && !strings.HasSuffix(p.Content, "\n") {
				n++
			}
			require.LessOrEqual(t, n, l.N)
		}
		at := int64(0)
		for i, c := range p.Cuts {
			require.LessOrEqual(t, at, c)
			require.True(t, i == 0 || at < c)
			at = c
		}
	})
}
