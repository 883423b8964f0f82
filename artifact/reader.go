package artifact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// reader is a Reader of a Keeper. It holds no file: each read asks the Backend
// anew, so that any number of Readers may be open.
type reader struct {
	k      *Keeper
	ctx    context.Context // of Open: it governs the Reader's life
	m      *manifest
	handle Handle
	key    string // of the blob

	mu       sync.Mutex
	closed   bool
	cachedAt int64  // where cached begins
	cached   []byte // one or two verified blocks; read and replaced under mu
	spare    []byte // what was cached before
	pages    [4]cachedPage
	oldest   int // of pages
	starts   cachedStarts
}

// cachedPage is the verified index page of a group; nil: none.
type cachedPage struct {
	group int64
	page  page
}

func (r *reader) Info() Info { return r.m.infoOf(r.handle) }

// Close implements io.Closer. Later reads fail.
func (r *reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed, r.cached, r.spare = true, nil, nil
	return nil
}

// ReadAt implements io.ReaderAt.
func (r *reader) ReadAt(p []byte, off int64) (int, error) {
	if err := r.ready(); err != nil {
		return 0, err
	}
	size := r.m.info.Size
	if off < 0 {
		return 0, fmt.Errorf("artifact: offset %d is negative", off)
	}
	if off >= size {
		return 0, io.EOF
	}
	want := p
	if int64(len(p)) > size-off {
		want = p[:size-off]
	}
	n, err := r.fill(want, off)
	if err != nil {
		clear(want[n:]) // no unverified byte leaves
		return n, r.explain(err)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (r *reader) ready() error {
	if err := r.k.ready(r.ctx); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return fmt.Errorf("artifact: read of a closed Reader: %w", fs.ErrClosed)
	}
	return nil
}

// fill reads all of p, which lies within the artifact. Runs of whole blocks are
// read straight into p, parts of blocks by way of a buffer.
func (r *reader) fill(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		var m int
		if run := r.wholeBlocks(at, int64(len(p)-n)); run > 0 {
			m, err = r.readBlocks(p[n:n+int(run)], at)
		} else {
			m, err = r.readPart(p[n:], at)
		}
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// wholeBlocks is how many of the next n bytes at off are a run of whole blocks
// within one group; the last block of the artifact may be short.
func (r *reader) wholeBlocks(off, n int64) int64 {
	if off%blockSize != 0 {
		return 0
	}
	n = min(n, groupSize-off%groupSize)
	if off+n == r.m.info.Size {
		return n
	}
	return n - n%blockSize
}

// readBlocks fills p with a run of whole blocks at off. n counts the verified.
func (r *reader) readBlocks(p []byte, off int64) (n int, err error) {
	got, err := r.k.b.ReadAt(r.ctx, r.key, p, physical(off))
	if got == len(p) {
		err = nil
	}
	pg, perr := r.pageOf(off / groupSize)
	if perr != nil {
		return 0, perr
	}
	for n < got {
		end := min(n+blockSize, len(p))
		if end > got {
			break
		}
		switch fits, err := r.link(pg, off+int64(n)).fits(p[n:end]); {
		case err != nil:
			return n, err
		case !fits:
			return n, &Error{State: ErrCorrupt, Offset: off + int64(n)}
		}
		n = end
	}
	if n < len(p) {
		return n, r.missing(err, off+int64(n))
	}
	return n, nil
}

// missing is the error for a block that could not be read whole.
func (r *reader) missing(err error, off int64) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{State: ErrCorrupt, Offset: off, Cause: errors.New("bytes are missing")}
	}
	return err
}

// readPart fills the beginning of p from the block that off lies in, and from the
// next one if p ends there: it asks the Backend once.
func (r *reader) readPart(p []byte, off int64) (int, error) {
	n, buf := r.fromCache(p, off)
	if n > 0 {
		return n, nil
	}
	start := off / blockSize * blockSize
	size := min(partBlocks(off, int64(len(p)))*blockSize, r.m.info.Size-start)
	if int64(cap(buf)) < size {
		buf = make([]byte, size)
	}
	got, err := r.readBlocks(buf[:size], start)
	if got == 0 { // what is verified are whole blocks, off lies in the first
		return 0, err
	}
	n = copy(p, buf[off-start:got]) // the caller asks again for what is missing, and gets the error
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.spare = r.cached[:0]
		r.cachedAt, r.cached = start, buf[:got]
	}
	return n, nil
}

// fromCache copies what it has of p, or lends a buffer to read more.
func (r *reader) fromCache(p []byte, off int64) (n int, buf []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := off - r.cachedAt; at >= 0 && at < int64(len(r.cached)) {
		return copy(p, r.cached[at:]), nil
	}
	buf, r.spare = r.spare, nil
	return 0, buf
}

// partBlocks is 2 if n bytes at off are parts of two blocks of one group,
// otherwise 1.
func partBlocks(off, n int64) int64 {
	next := (off/blockSize + 1) * blockSize
	rest := off + n - next
	if rest <= 0 || rest >= blockSize || next%groupSize == 0 {
		return 1
	}
	return 2
}

// link is the link of the block at off, whose page is pg.
func (r *reader) link(pg page, off int64) link {
	l := link{off: off, before: chainStart, after: r.m.info.SHA256, last: off+blockSize >= r.m.info.Size}
	if pg == nil {
		return l
	}
	i := off / blockSize % blocksPerGroup
	l.after = pg.entry(i).after
	if i > 0 {
		l.before = pg.entry(i - 1).after
	} else {
		l.before = r.m.pages[off/groupSize].before
	}
	return l
}

// pageOf is the verified index page of group g; nil if the artifact is one block.
func (r *reader) pageOf(g int64) (page, error) {
	if len(r.m.pages) == 0 {
		return nil, nil
	}
	if pg := r.cachedPage(g); pg != nil {
		return pg, nil
	}
	off, n := pageAt(g, r.m.info.Size)
	pg := make(page, n)
	if got, err := r.k.b.ReadAt(r.ctx, r.key, pg, off); got < len(pg) {
		return nil, r.missing(err, g*groupSize)
	}
	if s := r.m.span(g); !s.holds(pg) {
		return nil, &Error{State: ErrCorrupt, Offset: g * groupSize, Cause: fmt.Errorf("the index of the %d bytes from there is damaged", s.size)}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages[r.oldest] = cachedPage{g, pg}
	r.oldest = (r.oldest + 1) % len(r.pages)
	return pg, nil
}

func (r *reader) cachedPage(g int64) page {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.pages {
		if c.group == g && c.page != nil {
			return c.page
		}
	}
	return nil
}

// explain is err of a read as the caller gets it. A blob that vanished has left
// a tombstone that says why.
func (r *reader) explain(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return r.k.gone(r.ctx, r.m.name, r.handle)
	}
	return failed(r.ctx, r.handle, err)
}

// LineBefore implements [LineIndexer]. If the index can't be read it returns
// line 0.
func (r *reader) LineBefore(line int64) (at, offset int64) {
	line = min(line, r.m.info.Lines-1)
	g, ok := groupOfLine(r.m.pages, r.m.lfs, line)
	if !ok || r.ready() != nil {
		return 0, 0
	}
	pg, err := r.pageOf(g)
	if err != nil || pg == nil {
		return 0, 0
	}
	return pg.lineBefore(g, line)
}
