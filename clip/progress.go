package clip

import (
	"bytes"
	"sync"
	"time"
)

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

// read counts p.
func (s *progress) read(p []byte) {
	if s != nil && len(p) > 0 {
		s.add(Progress{int64(len(p)), int64(bytes.Count(p, []byte{'\n'}))}, false)
	}
}

// end tells that one content was read.
func (s *progress) end() {
	if s != nil {
		s.add(Progress{}, true)
	}
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
