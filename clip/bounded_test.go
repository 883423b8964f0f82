package clip_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
)

// stream is head, then unit again and again, then tail: size bytes and some in
// all. It notes how large the heap was at its largest.
type stream struct {
	head, unit, tail string
	size             int64
	buf              string
	read             int64
	last             int64
	peak             uint64
	ended            bool
}

func (s *stream) Read(p []byte) (int, error) {
	if s.buf == "" {
		switch {
		case s.read == 0 && s.head != "":
			s.buf = s.head
		case s.read < s.size:
			s.buf = s.unit
		case !s.ended:
			s.buf, s.ended = s.tail, true
		}
		if s.buf == "" && s.ended {
			return 0, io.EOF
		}
	}
	n := copy(p, s.buf)
	s.buf = s.buf[n:]
	s.read += int64(n)
	if s.read-s.last > 8<<20 {
		s.last = s.read
		s.peak = max(s.peak, heap())
	}
	return n, nil
}

// heap is what is in use once garbage is gone.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestLaw14MemoryDoesNotGrowWithTheInput(t *testing.T) {
	if testing.Short() {
		t.Skip("reads several hundred megabytes")
	}
	block := func(s string) string { return strings.Repeat(s, 64<<10/len(s)) }
	const budget = clip.DefaultBytes
	const allowed = 1 << 20 // beside the budget and what a bare copy needs
	for name, s := range map[string]*stream{
		"lines":       {unit: block("a line of a log that goes on and on\n"), size: 96 << 20},
		"one line":    {unit: block("x"), size: 96 << 20},
		"JSON array":  {head: "[0", unit: block(`,{"id":9007199254740993,"text":"字"}`), tail: "]", size: 48 << 20},
		"JSON string": {head: `"`, unit: block("word "), tail: `"`, size: 48 << 20},
		"JSON keys":   {head: `{"first":1`, unit: block(`,"key":{"a":[1,2,3]}`), tail: "}", size: 48 << 20},
		"tiny items":  {head: "[0", unit: block(",1"), tail: "]", size: 24 << 20},
		"empty items": {head: "[0", unit: block(",{}"), tail: "]", size: 24 << 20},
		"tiny keys":   {head: `{"x":0`, unit: block(`,"":1`), tail: "}", size: 24 << 20},
		"brackets":    {unit: block("["), size: 16 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClipper(t, clip.Config{})
			before := heap()
			e, err := c.Clip(ctx, s)
			require.NoError(t, err)
			require.Equal(t, coverage.Exactly(s.read), e.View.ByteTotal)
			require.LessOrEqual(t, len(e.Text()), budget)
			most := uint64(allowed + budget)
			if name == "brackets" { // a bit for each of 8 Mi that are open
				most += 1 << 20
			}
			if s.peak > before {
				require.Less(t, (s.peak-before)>>10, most>>10, "KiB more than before, for %d MiB", s.read>>20)
			}
		})
	}
}

func TestTenMegabytesInAThousandBytes(t *testing.T) {
	c := newClipper(t, clip.Config{Budget: clip.Bytes(1000)})
	for name, s := range map[string]*stream{
		"text":        {unit: "twenty bytes of text\n", size: 10 << 20},
		"JSON array":  {head: "[0", unit: `,{"id":1,"name":"somebody"}`, tail: "]", size: 10 << 20},
		"single line": {unit: "no line feed in here ", size: 10 << 20},
	} {
		e, err := c.Clip(ctx, s)
		require.NoError(t, err)
		require.LessOrEqual(t, len(e.Text()), 1000, name)
		require.NotEmpty(t, e.Content, name)
		require.Equal(t, coverage.Exactly(s.read), e.View.ByteTotal, name)
	}
}
