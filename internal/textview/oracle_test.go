package textview

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/graphemes"
	"github.com/toolclip/toolclip/internal/view"
)

// naive is the definition of what is shown, over the whole text in memory: for
// valid UTF-8 without escape sequences, shown raw.
func naive(src string, ends Ends, bytes int) (ranges []view.Range) {
	add := func(from, to int) {
		if from < to {
			ranges = append(ranges, view.Range{Start: int64(from), End: int64(to)})
		}
	}
	if len(src) <= bytes {
		add(0, len(src))
		return ranges
	}
	tail := 0
	switch ends {
	case Tail:
		tail = bytes
	case DefaultEnds, HeadAndTail:
		tail = bytes / 2
	}
	to, from := 0, len(src)
	for _, s := range naiveStops(src, 0) {
		if s <= bytes-tail {
			to = s
		}
	}
	last := strings.Count(strings.TrimSuffix(src, "\n"), "\n")
	for _, s := range naiveStops(src, last) {
		if len(src)-s <= tail {
			from = s
			break
		}
	}
	add(0, to)
	add(from, len(src))
	return join(ranges)
}

// naiveStops are the ends of lines, and the ends of clusters in line number cut
// and in long lines.
func naiveStops(src string, cut int) []int {
	stops, at := []int{0}, 0
	for i, line := range strings.SplitAfter(src, "\n") {
		if i == cut || len(strings.TrimSuffix(line, "\n")) > LongLine {
			for b := []byte(strings.TrimSuffix(line, "\n")); len(b) > 0; {
				n := graphemes.Next(b, true)
				at += n
				b = b[n:]
				stops = append(stops, at)
			}
			at += len(line) - len(strings.TrimSuffix(line, "\n"))
		} else {
			at += len(line)
		}
		stops = append(stops, at)
	}
	return stops
}

var feeds = regexp.MustCompile("\r+\n")

// inDomain makes of s a text that the definition speaks of: one without CR before
// LF too, which are one cluster together.
func inDomain(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x1b", "E")
	return plainStart(feeds.ReplaceAllString(s, "\n"))
}

// checkNaive compares a View with the definition.
func checkNaive(t require.TestingT, src string, ends Ends, limit int) {
	p := planOf(Options{Ends: ends, Raw: true, Charset: "utf-8"}, src, int64(limit))
	require.Equal(t, naive(src, ends, limit), p.Bytes, "%.300q at %d, ends %d", src, limit, ends)
}

func TestPlanEqualsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := inDomain(text(t))
		ends := pick(t, "ends", []Ends{DefaultEnds, Head, Tail, HeadAndTail})
		checkNaive(t, src, ends, uniform(t, "limit", pick(t, "scale", []int{300, len(src) + 1})))
	})
}

func FuzzPlanEqualsTheDefinition(f *testing.F) {
	for i, s := range particles {
		f.Add(s+particles[(i*7)%len(particles)]+s, uint8(i), uint16(i))
	}
	for i, s := range long {
		f.Add("a\n"+s+"\nb", uint8(i), uint16(1000+i*100))
	}
	f.Add("\r\r\n", uint8(HeadAndTail), uint16(1))
	f.Fuzz(func(t *testing.T, src string, ends uint8, limit uint16) {
		checkNaive(t, inDomain(src), Ends(ends%4), int(limit))
	})
}

// Any bytes, any options: the laws that need no oracle, as a fuzz target.
func FuzzLaws(f *testing.F) {
	for i, s := range append(particles, long...) {
		f.Add([]byte(s+particles[(i*5)%len(particles)]+"\n"+s), uint16(i), uint16(i*3), uint8(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, limit, chunk uint16, flags uint8) {
		o := Options{Ends: Ends(flags % 4), Raw: flags&4 != 0, Fold: flags&8 != 0, Document: flags&16 != 0, Retain: int64(limit)}
		l := view.Limit{Bytes: int64(limit)}
		a := atOnce(o, string(src)).Plan(l)
		b := read(o, string(src), func() int { return int(chunk%97) + 1 }).Plan(l)
		require.Equal(t, a, b)
		require.LessOrEqual(t, len(a.Content), int(limit))
		require.True(t, len(a.Cuts) <= len(a.Bytes))
		if a.Exact {
			require.Equal(t, string(src), a.Content)
		}
	})
}

var moreOf = regexp.MustCompile(`(?m)^(.*)\n\[(\d+) more of this line\]\n`)

// What Fold says can be unfolded to the source.
func TestFoldTellsHowMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src bytes.Buffer
		for range rapid.IntRange(0, 20).Draw(t, "runs") {
			line := rapid.SampledFrom([]string{"a", "", "the same again", strings.Repeat("x", 4095), strings.Repeat("y", 4096), "end"}).Draw(t, "line")
			n := rapid.SampledFrom([]int{1, 1, 2, 3, 30}).Draw(t, "times")
			src.WriteString(strings.Repeat(line+"\n", n))
		}
		p := planOf(Options{Fold: true}, src.String(), 1<<20)
		unfolded := p.Content
		repeats := int64(0)
		for moreOf.MatchString(unfolded) {
			unfolded = moreOf.ReplaceAllStringFunc(unfolded, func(s string) string {
				m := moreOf.FindStringSubmatch(s)
				n := 0
				fmt.Sscan(m[2], &n)
				repeats += int64(n)
				return strings.Repeat(m[1]+"\n", n+1)
			})
		}
		require.Equal(t, src.String(), unfolded)
		require.Equal(t, repeats, transform(p, Repeats).Count)
		require.Equal(t, repeats == 0, p.Complete)
		require.LessOrEqual(t, len(p.Content), src.Len())
		require.Equal(t, lineCount(src.String()), p.UnitTotal)
		checkLines(t, src.String(), planOf(Options{Fold: true}, src.String(), int64(uniform(t, "limit", 9000))))
	})
}
