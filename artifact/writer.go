package artifact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"sync"
	"time"
)

const (
	// maxText is the most bytes of each text of a Draft.
	maxText = 64 << 10

	// flushSize is how many bytes a Writer collects before it needs the Backend.
	flushSize = 256 << 10
)

// Create implements [Store]. Nothing is stored before 256 KiB are written or
// Commit is called. When ctx is done the Writer is aborted.
func (k *Keeper) Create(ctx context.Context, d Draft) (Writer, error) {
	if err := k.ready(ctx); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	scope, h := d.Scope.id(), NewHandle()
	if d.IdempotencyKey != "" {
		secret, err := k.secret(ctx)
		if err != nil {
			return nil, failed(ctx, "", err)
		}
		h = keyedHandle(secret, scope, d.IdempotencyKey)
		if w, err := k.earlier(ctx, d, h); w != nil || err != nil {
			return w, err
		}
	}
	if err := k.admit(ctx, scope); err != nil {
		return nil, err
	}
	p := &pending{k: k, ctx: ctx, draft: d, scope: scope, handle: h, name: nameOf(scope, h)}
	p.mu.Lock() // ctx may end now
	defer p.mu.Unlock()
	w := &writer{p}
	p.cleanup = runtime.AddCleanup(w, (*pending).forgotten, p)
	p.stop = context.AfterFunc(ctx, func() { p.abort(ctx.Err()) })
	return w, nil
}

// check refuses what the manifest can't hold.
func (d Draft) check() error {
	for field, s := range map[string]string{"MediaType": d.MediaType, "Source": d.Source, "Version": d.Version, "IdempotencyKey": d.IdempotencyKey} {
		if len(s) > maxText {
			return fmt.Errorf("%w: %s has %d bytes, at most %d are kept; shorten it", ErrDraft, field, len(s), maxText)
		}
	}
	return nil
}

// writer is what the caller holds. It is apart from pending so that a Writer
// that the caller forgot can be collected, and cleaned up after.
type writer struct{ p *pending }

func (w *writer) Write(b []byte) (int, error)              { return w.p.write(b) }
func (w *writer) Commit(ctx context.Context) (Info, error) { return w.p.commit(ctx) }
func (w *writer) MarkIncomplete(why string)                { w.p.markIncomplete(why) }
func (w *writer) MarkItems(x Items) error                  { return w.p.markItems(x) }
func (w *writer) Abort() error                             { return w.p.abort(errAborted) }

var (
	errAborted   = errors.New("artifact: the Writer was aborted")
	errCommitted = errors.New("artifact: the Writer was committed")
)

// pending is an artifact on its way.
type pending struct {
	k      *Keeper
	ctx    context.Context // of Create: it governs the Writer's life
	draft  Draft
	scope  scopeID
	handle Handle
	name   name
	stop   func() bool // no longer watch ctx

	mu         sync.Mutex
	up         Upload           // nil until the first flush
	buf        []byte           // accepted, not yet flushed
	large      *[flushSize]byte // what buf is in, once it is more than a block
	whole      *chain           // of what was flushed; nil: nothing was
	value      chainValue       // of whole, now
	page       page             // of the group that is being written
	lfs        int64
	pages      []pageRef
	flushed    int64 // bytes of the artifact that are in up
	reserved   int64 // bytes that the quota counts
	last       byte  // the last byte that was flushed
	incomplete string
	items      *Items // nil: nobody marked any

	cleanup   runtime.Cleanup
	done      bool  // committed, aborted or failed
	err       error // why nothing more can be written
	committed bool  // Commit was called; it returned the next two
	info      Info
	outcome   error
}

func (p *pending) write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return 0, p.err
	}
	if err := p.k.ready(p.ctx); err != nil {
		return 0, p.fail(err)
	}
	if err := p.k.reserve(p.ctx, p.scope, int64(len(b))); err != nil {
		return 0, p.fail(err)
	}
	p.reserved += int64(len(b))
	if err := p.accept(b); err != nil {
		return 0, p.fail(failed(p.ctx, "", err))
	}
	return len(b), nil
}

// accept takes b in pieces of flushSize. Long pieces are not copied.
func (p *pending) accept(b []byte) error {
	for len(b) > 0 {
		room := p.room()
		if len(p.buf) == 0 && int64(len(b)) > room {
			if err := p.flush(p.ctx, b[:room], false); err != nil {
				return err
			}
			b = b[room:]
			continue
		}
		n := min(int64(len(b)), room-int64(len(p.buf)))
		if p.large == nil && int64(len(p.buf))+n > blockSize {
			p.large = largeBuffers.Get().(*[flushSize]byte)
			p.buf = append(p.large[:0], p.buf...)
		}
		p.buf = append(p.buf, b[:n]...)
		b = b[n:]
		if int64(len(p.buf)) == room && len(b) > 0 {
			if err := p.flush(p.ctx, p.buf, false); err != nil {
				return err
			}
			p.buf = p.buf[:0]
		}
	}
	return nil
}

// largeBuffers are for pieces of more than a block.
var largeBuffers = sync.Pool{New: func() any { return new([flushSize]byte) }}

// forget lets go of everything that only an unfinished artifact needs.
func (p *pending) forget() {
	if p.large != nil {
		largeBuffers.Put(p.large)
	}
	if p.whole != nil {
		chains.Put(p.whole)
	}
	p.large, p.buf, p.page, p.pages, p.whole, p.items = nil, nil, nil, nil, nil, nil
}

// room is the size of the next piece: whole blocks, within one group.
func (p *pending) room() int64 { return min(flushSize, groupSize-p.flushed%groupSize) }

// flush indexes, hashes and stores one piece: whole blocks, or the last of all,
// after which the page is still to be stored.
func (p *pending) flush(ctx context.Context, piece []byte, last bool) error {
	if err := p.index(piece, last); err != nil {
		return err
	}
	if err := p.put(ctx, piece); err != nil {
		return err
	}
	p.flushed += int64(len(piece))
	p.last = piece[len(piece)-1]
	if last || p.flushed%groupSize > 0 {
		return nil
	}
	p.endGroup()
	err := p.put(ctx, p.page)
	p.page = p.page[:0]
	return err
}

// index hashes a piece and appends the entries of its blocks to the page.
func (p *pending) index(piece []byte, last bool) (err error) {
	if p.whole == nil {
		if p.whole, err = newChain(); err != nil {
			return err
		}
		p.value = chainStart
	}
	if len(p.page) == 0 {
		p.pages = append(p.pages, pageRef{before: p.value, lines: p.lfs})
	}
	for at := 0; at < len(piece); at += blockSize {
		block := piece[at:min(at+blockSize, len(piece))]
		var e blockEntry
		e, p.lfs = entryOf(block, p.lfs)
		p.whole.write(block)
		if last && at+len(block) == len(piece) {
			p.value = p.whole.end()
		} else if p.value, err = p.whole.value(p.flushed + int64(at+len(block))); err != nil {
			return err
		}
		e.after = p.value
		p.page = e.append(p.page)
	}
	return nil
}

// endGroup completes the page of the group that was written.
func (p *pending) endGroup() { p.pages[len(p.pages)-1].sum = sha256.Sum256(p.page) }

// put hands b to the Backend.
func (p *pending) put(ctx context.Context, b []byte) (err error) {
	if p.up == nil {
		if p.up, err = p.k.b.Put(ctx, p.name.artifact()); err != nil {
			p.up = nil
			return err
		}
	}
	n, err := p.up.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// commit decides once; later calls get the same answer.
func (p *pending) commit(ctx context.Context) (Info, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.committed {
		p.committed = true
		p.info, p.outcome = p.tryCommit(ctx)
	}
	return p.info, p.outcome
}

func (p *pending) tryCommit(ctx context.Context) (Info, error) {
	switch {
	case p.done && p.ctx.Err() != nil:
		return Info{}, p.ctx.Err()
	case p.done:
		return Info{}, &Error{State: ErrIncomplete, Cause: p.err}
	}
	for _, c := range []context.Context{p.ctx, ctx} {
		if err := p.k.ready(c); err != nil {
			return Info{}, p.fail(err)
		}
	}
	m, err := p.finish(ctx)
	if err != nil {
		return Info{}, p.fail(failed(ctx, "", err))
	}
	up := p.up
	p.up = nil // ended by its Commit, whatever that returns
	m, err = p.settle(ctx, m, up.Commit(ctx))
	if err != nil {
		return Info{}, p.fail(err)
	}
	p.end(errCommitted)
	p.forget()
	return m.infoOf(p.handle), nil
}

// finish stores what is left of the bytes, the pages and the manifest.
func (p *pending) finish(ctx context.Context) (*manifest, error) {
	m := &manifest{name: p.name, scope: p.scope}
	tail := p.buf
	if p.flushed == 0 && len(p.buf) <= blockSize { // no page: everything in one write
		m.info.SHA256 = sha256.Sum256(p.buf)
		p.lfs = int64(bytes.Count(p.buf, lf))
		if n := len(p.buf); n > 0 {
			p.last = p.buf[n-1]
		}
	} else {
		if err := p.flush(ctx, p.buf, true); err != nil { // there is more to come after every other flush
			return nil, err
		}
		p.endGroup()
		m.info.SHA256 = p.value
		tail = append(p.buf[:0], p.page...) // stored with the manifest, in one write
	}
	p.describe(m)
	tail, err := p.finishItems(ctx, m, tail)
	if err != nil {
		return nil, err
	}
	return m, p.put(ctx, m.append(tail))
}

// describe fills in what is known of the artifact but its hash.
func (p *pending) describe(m *manifest) {
	m.lfs, m.pages = p.lfs, p.pages
	i := &m.info
	i.Size, i.Lines = p.reserved, p.lfs
	if i.Size > 0 && p.last != '\n' {
		i.Lines++
	}
	i.MediaType, i.Source, i.Version, i.Incomplete = p.draft.MediaType, p.draft.Source, p.draft.Version, p.incomplete
	now := p.k.o.Now()
	ttl := p.draft.TTL
	if ttl == 0 {
		ttl = p.k.o.TTL
	}
	i.CapturedAt = stored(now)
	if ttl > 0 {
		i.ExpiresAt = stored(now.Add(ttl))
	}
}

// settle says what became of a Commit of the Backend that returned err.
func (p *pending) settle(ctx context.Context, m *manifest, err error) (*manifest, error) {
	keyed := p.draft.IdempotencyKey != ""
	if err == nil && keyed {
		if gone := p.k.gone(ctx, p.name, p.handle); !isNotFound(gone) {
			return nil, p.late(ctx, gone)
		}
	}
	switch {
	case err == nil:
		p.k.quota.settle(m.name, m.held(), p.reserved)
		p.reserved = 0
		return m, nil
	case errors.Is(err, fs.ErrExist):
		return p.first(ctx, m)
	}
	return nil, p.k.unclearCommit(ctx, p.name, keyed, err)
}

// late is the end of a Writer whose key named an artifact that another Writer
// made and that is gone already. What it stored can't be seen; if it can't be
// removed now, the next sweep does it.
func (p *pending) late(ctx context.Context, gone error) error {
	if ctx.Err() != nil || errors.Is(gone, ErrUnavailable) { // nobody knows whether there is a tombstone
		return p.k.unclear(ctx, "", gone)
	}
	if err := p.k.b.Delete(ctx, p.name.artifact()); err != nil {
		p.k.o.Log.Warn("artifact: removing what came after its tombstone", "err", err)
	}
	return gone
}

// first is the artifact that already has the handle: the one of an earlier
// Writer with the same idempotency key.
func (p *pending) first(ctx context.Context, m *manifest) (*manifest, error) {
	was, err := p.k.find(ctx, p.draft.Scope, p.handle)
	if err != nil {
		return nil, err
	}
	if err := was.sameBytes(p.draft.IdempotencyKey, m.info.Size, m.info.SHA256); err != nil {
		return nil, err
	}
	p.release()
	return was, nil
}

// unclearCommit is the error of a Commit that failed and may have been done. A
// handle that nobody else can have committed is removed, so that the answer is
// clear after all.
func (k *Keeper) unclearCommit(ctx context.Context, n name, keyed bool, err error) error {
	clear, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if keyed {
		if _, serr := k.b.Size(clear, n.artifact()); errors.Is(serr, fs.ErrNotExist) {
			return failed(ctx, "", err)
		}
	} else if derr := k.b.Delete(clear, n.artifact()); derr == nil {
		return failed(ctx, "", err)
	}
	return k.unclear(ctx, "", err)
}

// fail ends the Writer with err and returns err.
func (p *pending) fail(err error) error {
	p.end(err)
	p.discard()
	return err
}

// end notes that nothing more can be written, and why.
func (p *pending) end(why error) {
	p.done, p.err = true, why
	p.stop()
	p.cleanup.Stop()
}

// discard forgets the bytes; its own failure changes nothing for the caller.
func (p *pending) discard() error {
	var err error
	if p.up != nil {
		err = p.up.Abort()
		p.up = nil
	}
	p.forget()
	p.release()
	return err
}

// release gives the reservation back.
func (p *pending) release() {
	p.k.quota.release(p.scope, p.reserved, 1)
	p.reserved = 0
}

// abort ends the Writer with cause, unless it has ended.
func (p *pending) abort(cause error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return nil
	}
	p.end(cause)
	if err := p.discard(); err != nil {
		return fmt.Errorf("artifact: abort: what was written remains until the next sweep: %w", err)
	}
	return nil
}

// forgotten runs after the Writer was collected.
func (p *pending) forgotten() {
	p.mu.Lock()
	done, size := p.done, p.reserved
	p.mu.Unlock()
	if done {
		return
	}
	p.k.o.Log.Warn("artifact: a Writer was neither committed nor aborted", "bytes", size)
	if err := p.abort(errAborted); err != nil {
		p.k.o.Log.Warn("artifact: cleaning up after a Writer", "err", err)
	}
}

// maxIncomplete is how much is kept of why an artifact is incomplete.
const maxIncomplete = 4 << 10

func (p *pending) markIncomplete(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.incomplete = cutText(why, maxIncomplete)
}
