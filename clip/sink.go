package clip

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
)

// sink is where a content's bytes go: the store and the engines.
type sink struct {
	in       *intake
	save     *saver
	progress *progress // nil: nobody asks
}

func (s *sink) Write(p []byte) (int, error) {
	s.save.begin(p)
	defer s.save.wait()
	_, _ = s.in.Write(p)
	if s.progress != nil {
		s.progress.add(Progress{int64(len(p)), int64(bytes.Count(p, []byte{'\n'}))}, false)
	}
	return len(p), nil
}

func (s *sink) done() {
	if s.progress != nil {
		s.progress.add(Progress{}, true)
	}
}

// progress reports the contents of one call together: at most ten times a second,
// and once at the end of a read that was reported before. A hook that panics is not
// called again.
type progress struct {
	hook   func(Progress)
	mu     sync.Mutex
	sum    Progress
	last   time.Time
	told   bool
	broken bool
}

// add counts what was read; at the end of a content nothing is added.
func (s *progress) add(p Progress, end bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum.Bytes += p.Bytes
	s.sum.Lines += p.Lines
	if s.broken || (end && !s.told) || (!end && time.Since(s.last) < time.Second/10) {
		return
	}
	s.last, s.told = time.Now(), true
	s.broken = protectErr(func() error { s.hook(s.sum); return nil }) != nil
}

// bounded reads at most left bytes of r and knows whether there was more.
type bounded struct {
	r    io.Reader
	left int64
	more bool
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left > 0 {
		if int64(len(p)) > b.left {
			p = p[:b.left]
		}
		n, err := b.r.Read(p)
		b.left -= int64(n)
		return n, err
	}
	if b.more {
		return 0, io.EOF
	}
	var probe [1]byte
	for {
		n, err := b.r.Read(probe[:])
		if n > 0 {
			b.more = true
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
	}
}

// gate lets writes through until it is shut: a redactor that goes on writing from a
// goroutine of its own, after it has returned, changes nothing.
type gate struct {
	mu   sync.Mutex
	w    io.Writer
	over bool
}

var errGate = errors.New("clip: the redactor has returned")

func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return 0, errGate
	}
	return g.w.Write(p)
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
}
