package artifacttest

import (
	"bytes"
	"crypto/sha256"
	"io"
	"math"
	"math/rand/v2"
	"testing/iotest"

	"github.com/toolclip/toolclip/artifact"
)

// sizes are those at which stores go wrong: nothing, and both sides of powers of
// two.
var sizes = []int{0, 1, 511, 4 << 10, 64<<10 - 1, 64 << 10, 64<<10 + 1, 256 << 10, 256<<10 + 1, 1<<20 + 3}

func readBack(c *check) {
	s := c.store(artifact.Options{})
	for _, n := range sizes {
		data := noise(n)
		for _, step := range []int{1 << 30, 1000, 100_000} {
			w := c.create(s, artifact.Draft{Scope: mine})
			for rest := data; len(rest) > 0; {
				p := rest[:min(step, len(rest))]
				k, err := w.Write(p)
				c.ok(err, "Write")
				if k != len(p) {
					c.fail("Write took %d of %d bytes without an error", k, len(p))
				}
				rest = rest[k:]
			}
			i, err := w.Commit(bg)
			c.ok(err, "Commit")
			c.same(s, mine, i.Handle, data)
		}
	}
}

func ranges(c *check) {
	s := c.store(artifact.Options{})
	data := noise(200_000)
	i := c.save(s, artifact.Draft{Scope: mine}, data)
	c.open(s, mine, i.Handle, func(r artifact.Reader) {
		c.ok(iotest.TestReader(io.NewSectionReader(r, 0, i.Size), data), "testing/iotest")
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			off, n := rnd.Int64N(i.Size+2000), rnd.IntN(70_000)
			c.readAt(r, data, off, n)
		}
		for _, off := range []int64{0, i.Size - 1, i.Size, i.Size + 1, math.MaxInt64, math.MaxInt64 - 10} {
			c.readAt(r, data, off, 0)
			c.readAt(r, data, off, 1)
			c.readAt(r, data, off, 100_000)
		}
		for _, off := range []int64{-1, math.MinInt64} {
			if n, err := r.ReadAt(make([]byte, 10), off); err == nil || n != 0 {
				c.fail("ReadAt at %d: %d bytes and error %v, want none and an error", off, n, err)
			}
		}
	})
}

// readAt compares one ReadAt with that of a bytes.Reader.
func (c *check) readAt(r artifact.Reader, data []byte, off int64, n int) {
	got, want := make([]byte, n), make([]byte, n)
	gn, gerr := r.ReadAt(got, off)
	wn, werr := bytes.NewReader(data).ReadAt(want, off)
	if n == 0 { // an empty read may or may not notice the end
		gerr, werr = nil, nil
	}
	if gn != wn || !bytes.Equal(got[:gn], want[:wn]) {
		c.fail("ReadAt of %d bytes at %d of %d gave %d bytes, want %d, or others", n, off, len(data), gn, wn)
	}
	if (gerr == nil) != (werr == nil) && (gn < n || gerr != io.EOF) {
		c.fail("ReadAt of %d bytes at %d of %d: error %v, want %v", n, off, len(data), gerr, werr)
	}
}

func info(c *check) {
	s := c.store(artifact.Options{})
	for text, lines := range map[string]int64{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n": 1, "\n\n": 2, "a\r\nb\rc\u2028d\n": 2} {
		i := c.save(s, artifact.Draft{
			Scope: mine, MediaType: "text/plain; charset=utf-8", Source: "https://example.org/\"\n\x00\xff", Version: "v \U0001F600",
		}, []byte(text))
		again, err := s.Stat(bg, mine, i.Handle)
		c.ok(err, "Stat")
		c.open(s, mine, i.Handle, func(r artifact.Reader) {
			if i != again || i != r.Info() {
				c.fail("Commit, Stat and Open differ: %+v, %+v, %+v", i, again, r.Info())
			}
		})
		switch {
		case i.Size != int64(len(text)):
			c.fail("Size of %q is %d", text, i.Size)
		case i.SHA256 != sha256.Sum256([]byte(text)):
			c.fail("SHA256 of %q is %x", text, i.SHA256)
		case i.Lines != lines && i.Lines != -1:
			c.fail("Lines of %q is %d, want %d or -1", text, i.Lines, lines)
		case i.MediaType != "text/plain; charset=utf-8" || i.Source != "https://example.org/\"\n\x00\xff" || i.Version != "v \U0001F600":
			c.fail("the Draft's texts changed: %q, %q, %q", i.MediaType, i.Source, i.Version)
		case !i.CapturedAt.Equal(c.clock.now()):
			c.fail("CapturedAt is %v at %v", i.CapturedAt, c.clock.now())
		}
	}
}

// invisible lets two Writers race for the handle of one idempotency key: what
// one of them has only written must not be there for the other.
func invisible(c *check) {
	s := c.store(artifact.Options{})
	d := artifact.Draft{Scope: mine, IdempotencyKey: "k"}
	whole := noise(700_000)
	part := c.create(s, d)
	_, err := part.Write(whole[:600_000])
	c.ok(err, "Write")
	gone := c.create(s, d)
	_, err = gone.Write(whole[:500_000])
	c.ok(err, "Write")
	c.ok(gone.Abort(), "Abort")

	i := c.save(s, d, whole)
	c.same(s, mine, i.Handle, whole)
	c.ok(part.Abort(), "Abort")
	c.same(s, mine, i.Handle, whole)
	if again := c.save(s, d, whole); again.Handle != i.Handle {
		c.fail("the same key and bytes gave two handles")
	}
}

func aborted(c *check) {
	s := c.store(artifact.Options{MaxCount: 1, MaxBytes: 1 << 20})
	for range 3 {
		w := c.create(s, artifact.Draft{Scope: mine})
		_, err := w.Write(noise(1 << 20))
		c.ok(err, "Write")
		c.ok(w.Abort(), "Abort")
		c.ok(w.Abort(), "a second Abort")
	}
	c.save(s, artifact.Draft{Scope: mine}, noise(1<<20))
}

func firstDecides(c *check) {
	s := c.store(artifact.Options{})
	w := c.create(s, artifact.Draft{Scope: mine})
	_, err := w.Write([]byte("one"))
	c.ok(err, "Write")
	first, err := w.Commit(bg)
	c.ok(err, "Commit")
	second, err := w.Commit(bg)
	c.ok(err, "a second Commit")
	if first != second {
		c.fail("a second Commit gave %+v, the first %+v", second, first)
	}
	if _, err := w.Write([]byte("two")); err == nil {
		c.fail("a Write after Commit succeeded")
	}
	c.ok(w.Abort(), "Abort after Commit")
	c.same(s, mine, first.Handle, []byte("one"))

	w = c.create(s, artifact.Draft{Scope: mine})
	c.ok(w.Abort(), "Abort")
	if _, err := w.Write([]byte("two")); err == nil {
		c.fail("a Write after Abort succeeded")
	}
	if _, err := w.Commit(bg); err == nil {
		c.fail("a Commit after Abort succeeded")
	}
}

func buffers(c *check) {
	s := c.store(artifact.Options{})
	for _, n := range []int{100, 300_000} {
		data := noise(n)
		w := c.create(s, artifact.Draft{Scope: mine})
		buf := append([]byte(nil), data...)
		_, err := w.Write(buf)
		c.ok(err, "Write")
		clear(buf)
		i, err := w.Commit(bg)
		c.ok(err, "Commit")
		c.open(s, mine, i.Handle, func(r artifact.Reader) {
			got := make([]byte, n)
			for range 2 {
				_, err = r.ReadAt(got, 0)
				if err != nil && err != io.EOF {
					c.ok(err, "ReadAt")
				}
				if !bytes.Equal(got, data) {
					c.fail("what the caller did to its buffer changed the artifact")
				}
				clear(got)
			}
		})
	}
}

func incomplete(c *check) {
	s := c.store(artifact.Options{})
	w := c.create(s, artifact.Draft{Scope: mine})
	m, ok := w.(artifact.Marker)
	if !ok {
		c.ok(w.Abort(), "Abort")
		panic(unproven("its Writers are not Markers"))
	}
	_, err := w.Write([]byte("a part"))
	c.ok(err, "Write")
	m.MarkIncomplete("timed out")
	i, err := w.Commit(bg)
	c.ok(err, "Commit")
	again, err := s.Stat(bg, mine, i.Handle)
	c.ok(err, "Stat")
	if i.Incomplete != "timed out" || again.Incomplete != "timed out" {
		c.fail("Incomplete is %q and %q, want %q", i.Incomplete, again.Incomplete, "timed out")
	}
	if whole := c.save(s, artifact.Draft{Scope: mine}, nil); whole.Incomplete != "" {
		c.fail("an artifact that nobody marked is incomplete: %q", whole.Incomplete)
	}
}

func lineIndex(c *check) {
	s := c.store(artifact.Options{})
	var text bytes.Buffer
	rnd := rand.New(rand.NewPCG(3, 4))
	for text.Len() < 2_000_000 {
		n := rnd.IntN(200)
		if rnd.IntN(500) == 0 {
			n = 150_000
		}
		text.Write(bytes.Repeat([]byte{'x'}, n))
		text.WriteByte('\n')
	}
	starts := []int64{0}
	for i, b := range text.Bytes() {
		if b == '\n' && i+1 < text.Len() {
			starts = append(starts, int64(i+1))
		}
	}
	i := c.save(s, artifact.Draft{Scope: mine}, text.Bytes())
	c.open(s, mine, i.Handle, func(r artifact.Reader) {
		x, ok := r.(artifact.LineIndexer)
		if !ok {
			panic(unproven("its Readers are not LineIndexers"))
		}
		for _, line := range []int64{math.MinInt64, -1, 0, 1, int64(len(starts)), math.MaxInt64} {
			c.lineBefore(x, starts, line)
		}
		for range 2000 {
			c.lineBefore(x, starts, rnd.Int64N(int64(len(starts))))
		}
		if at, _ := x.LineBefore(int64(len(starts)) - 1); at == 0 {
			c.fail("no line but the first is indexed")
		}
	})
}

// lineBefore checks one answer of the index against the true line starts.
func (c *check) lineBefore(x artifact.LineIndexer, starts []int64, line int64) {
	at, off := x.LineBefore(line)
	if at < 0 || at > max(0, line) || at >= int64(len(starts)) {
		c.fail("LineBefore(%d) of %d lines is line %d", line, len(starts), at)
	}
	if starts[at] != off {
		c.fail("LineBefore(%d) says that line %d starts at byte %d, it starts at %d", line, at, off, starts[at])
	}
}
