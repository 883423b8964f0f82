package clip

import (
	"bytes"
	"io"
	"time"
)

// sink is where a content's bytes go: the store and the engines.
type sink struct {
	in       *intake
	save     *saver
	progress func(Progress, bool)
	lines    int64
}

func (s *sink) Write(p []byte) (int, error) {
	s.save.begin(p)
	defer s.save.wait()
	_, _ = s.in.Write(p)
	if s.progress != nil {
		s.lines += int64(bytes.Count(p, []byte{'\n'}))
		s.progress(Progress{s.in.n, s.lines}, false)
	}
	return len(p), nil
}

func (s *sink) done() {
	if s.progress != nil {
		s.progress(Progress{s.in.n, s.lines}, true)
	}
}

// progress reports at most ten times a second, and once at the end of a read that
// was reported before. A hook that panics is not called again.
func (k *call) progress() func(Progress, bool) {
	if k.cfg.Progress == nil {
		return nil
	}
	last, told, broken := time.Now(), false, false
	return func(p Progress, end bool) {
		if broken || (end && !told) || (!end && time.Since(last) < time.Second/10) {
			return
		}
		last, told = time.Now(), true
		broken = protectErr(func() error { k.cfg.Progress(p); return nil }) != nil
	}
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
