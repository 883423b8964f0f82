package clip

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/toolclip/toolclip/artifact"
)

// saver keeps one content in the store while it is read. A store that fails or
// panics never fails the tool: the error is kept and the rest is not saved.
//
// The store is only ever called by a goroutine of the saver, which ends with commit
// or abandon. Blocks go round: the reader fills one and hands it on, the store's
// goroutine gives it back once it is written, and the reader waits only when all of
// them are on their way.
type saver struct {
	call   context.Context // of the call: when it ends, the store gets storeGrace for each step
	stop   context.CancelFunc
	in     chan *block   // to be written; closed at the end. It holds all there are
	free   chan *block   // written. It holds all there are
	done   chan struct{} // closed when the goroutine ends
	made   int           // blocks that go round
	closed bool          // in is closed
	step   atomic.Int64  // of the store: how many it has done
	fate   atomic.Int32  // undecided, committed or deserted: decided once

	// Set before in is closed.
	wanted     bool // the artifact is to be committed
	incomplete string
	items      *artifact.Items // nil: there is nothing to say of them
	size       int64

	// Set before done is closed.
	info artifact.Info
	err  error
}

// The fates of a saver.
const (
	undecided int32 = iota
	committed       // the artifact is in the store
	deserted        // nobody waits for the store any more
)

// storeGrace is how long a store is waited for that does nothing, once the call has
// ended. One that is slow gets the time that it needs: each step that it does, such
// as writing a block, begins the wait anew.
const storeGrace = 2 * time.Second

var (
	errAbandoned = errors.New("clip: reading the result was given up")
	errExited    = errors.New("clip: the store ended its goroutine")
	errNoAnswer  = fmt.Errorf("clip: the call has ended and the store has not answered for %v", storeGrace)
)

// save begins an artifact. Cancelling the call does not cancel it: what was read
// is kept. nil: there is no store.
func (c *Clipper) save(ctx context.Context, who Caller, s source, r *Result) *saver {
	if c.cfg.Store == nil {
		return nil
	}
	d := artifact.Draft{Scope: who.Scope, TTL: c.cfg.TTL, MediaType: s.mediaType, Source: r.Source, Version: r.Version}
	sv := &saver{call: ctx, in: make(chan *block, ringLen), free: make(chan *block, ringLen), done: make(chan struct{})}
	ctx, sv.stop = context.WithCancel(context.WithoutCancel(ctx))
	go sv.run(ctx, c.cfg.Store, d)
	return sv
}

// run is the store's goroutine.
func (s *saver) run(ctx context.Context, store artifact.Store, d artifact.Draft) {
	defer close(s.done)
	s.err = errExited // a Goexit in the store runs the defers alone
	s.err = s.keep(ctx, store, d)
}

// keep writes an artifact from its beginning to its end. One that is not committed
// is aborted.
func (s *saver) keep(ctx context.Context, store artifact.Store, d artifact.Draft) (err error) {
	var w artifact.Writer
	defer func() {
		if w != nil && s.fate.Load() != committed {
			_ = protectErr(w.Abort)
		}
	}()
	defer recovered(&err)
	if w, err = store.Create(ctx, d); err != nil {
		w = nil
		return err
	}
	s.step.Add(1)
	if err = s.write(w); err != nil {
		return err
	}
	s.mark(w)
	if s.info, err = w.Commit(ctx); err != nil {
		return err
	}
	if err = credible(s.info, s.size); err != nil {
		return err
	}
	if !s.fate.CompareAndSwap(undecided, committed) { // nobody will ever know its handle
		_ = store.Delete(context.WithoutCancel(ctx), d.Scope, s.info.Handle)
		return errNoAnswer
	}
	return nil
}

// write writes the blocks as they come. An error says that they are not to be kept.
func (s *saver) write(w artifact.Writer) error {
	for b := range s.in {
		if err := writeAll(w, b.bytes()); err != nil {
			return err
		}
		s.step.Add(1)
		s.free <- b
	}
	switch {
	case s.fate.Load() == deserted:
		return errNoAnswer // and the blocks that were not written are gone
	case !s.wanted:
		return errAbandoned
	}
	return nil
}

func writeAll(w artifact.Writer, p []byte) error {
	n, err := w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return err
}

// mark tells the store, if it takes it, why these are not all bytes of the source,
// so that whoever reads the artifact later is told too, and where items begin, so that
// a page of them need not be looked for.
func (s *saver) mark(w artifact.Writer) {
	if m, ok := w.(artifact.ItemMarker); ok && s.items != nil {
		_ = protectErr(func() error { return m.MarkItems(*s.items) }) // without them pages are slower
	}
	if m, ok := w.(artifact.Marker); ok && s.incomplete != "" {
		_ = protectErr(func() error { m.MarkIncomplete(s.incomplete); return nil })
	}
}

// block is an empty block to fill. Without a store, and when the store has failed,
// it does not go round.
func (s *saver) block() *block {
	if s == nil {
		return newBlock()
	}
	select {
	case b := <-s.free:
		b.n = 0
		return b
	default:
	}
	if s.made < ringLen || !s.works() {
		s.made++
		return newBlock()
	}
	if b := s.await(); b != nil {
		b.n = 0
		return b
	}
	return newBlock()
}

// works reports whether the store still takes blocks.
func (s *saver) works() bool {
	if s == nil || s.fate.Load() == deserted {
		return false
	}
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// pass hands b on to be saved; false: it is not going to be. It does not wait. What
// was passed on may be read, but not changed, until block returns it.
func (s *saver) pass(b *block) bool {
	if !s.works() {
		return false
	}
	s.in <- b
	return true
}

// await waits for the store to write a block. nil: it has ended, or was left.
func (s *saver) await() *block {
	select {
	case b := <-s.free:
		return b
	case <-s.done:
		return nil
	case <-s.call.Done():
	}
	t := time.NewTicker(storeGrace)
	defer t.Stop()
	for was := s.step.Load(); ; was = s.step.Load() {
		select {
		case b := <-s.free:
			return b
		case <-s.done:
			return nil
		case <-t.C:
			if s.step.Load() == was {
				s.leave()
				return nil
			}
		}
	}
}

// leave waits for the store no more. Its goroutine ends when the store returns,
// and then keeps nothing.
func (s *saver) leave() {
	if s.fate.CompareAndSwap(undecided, deserted) {
		s.stop()
		return
	}
	<-s.done // it has just committed
}

// finish lets the store end its work and waits for it.
func (s *saver) finish() {
	s.closed = true
	close(s.in)
	for s.fate.Load() != deserted {
		b := s.await()
		if b == nil {
			break
		}
		blocks.Put(b)
	}
	s.stop()
	s.drain()
}

// drain gives the blocks back that the store has not in its hands.
func (s *saver) drain() {
	for b := range s.in {
		blocks.Put(b)
	}
	for {
		select {
		case b := <-s.free:
			blocks.Put(b)
		default:
			return
		}
	}
}

// abandon ends a saver that was not committed.
func (s *saver) abandon() {
	if s != nil && !s.closed {
		s.finish()
	}
}

// commit ends the artifact of n bytes, in which items says where items begin;
// incomplete, if it is not empty, says why these are not all bytes of the source. nil,
// nil: there is no store.
func (s *saver) commit(n int64, items *artifact.Items, incomplete string) (*artifact.Info, error) {
	if s == nil {
		return nil, nil
	}
	s.wanted, s.size, s.items, s.incomplete = true, n, items, incomplete
	s.finish()
	if s.fate.Load() == deserted {
		return nil, errNoAnswer
	}
	if s.err != nil {
		return nil, s.err
	}
	return &s.info, nil
}

// credible checks what a store says about an artifact of n bytes: a model is never
// given a handle that can't be right.
func credible(info artifact.Info, n int64) error {
	if _, err := artifact.ParseHandle(string(info.Handle)); err != nil {
		return fmt.Errorf("clip: the store gave no valid handle: %w", err)
	}
	if info.Size != n {
		return fmt.Errorf("clip: the store kept %d of %d bytes", info.Size, n)
	}
	return nil
}
