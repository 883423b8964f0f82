package clip

import "io"

// sink is where a content's bytes go: to the engines, and to the store in its own
// time. It gathers them in blocks, so that many small pieces cost no more than a few
// large ones.
type sink struct {
	in       *intake
	save     *saver    // nil: there is no store
	progress *progress // nil: nobody asks
	cur      *block    // nil, or being filled
}

// ReadFrom reads r to its end, right into the blocks.
func (s *sink) ReadFrom(r io.Reader) (sum int64, err error) {
	for {
		b := s.block()
		n, err := r.Read(b.room())
		s.progress.read(b.room()[:n])
		b.n += n
		sum += int64(n)
		if b.full() {
			s.pass()
		}
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return sum, err
		}
	}
}

// Write takes the next bytes. It never fails and keeps nothing of p.
func (s *sink) Write(p []byte) (int, error) {
	s.progress.read(p)
	if s.save == nil {
		_, _ = s.in.Write(p)
		return len(p), nil
	}
	for rest := p; len(rest) > 0; {
		b := s.block()
		n := copy(b.room(), rest)
		b.n += n
		rest = rest[n:]
		if b.full() {
			s.pass()
		}
	}
	return len(p), nil
}

// block is the one to be filled.
func (s *sink) block() *block {
	if s.cur == nil {
		s.cur = s.save.block()
	}
	return s.cur
}

// pass gives what was gathered to the store and to the engines.
func (s *sink) pass() {
	b := s.cur
	s.cur = nil
	saving := s.save.pass(b) // it comes back when the engines have long been done with it
	_, _ = s.in.Write(b.bytes())
	if !saving {
		b.n = 0
		s.cur = b
	}
}

// done passes on what is left. No byte follows.
func (s *sink) done() {
	if s.cur != nil && s.cur.n > 0 {
		s.pass()
	}
	if s.cur != nil {
		blocks.Put(s.cur)
		s.cur = nil
	}
	s.progress.end()
}
