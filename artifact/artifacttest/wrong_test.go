package artifacttest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/artifact/artifacttest"
)

// shim is a right store of which some methods are replaced by wrong ones.
type shim struct {
	*artifact.Keeper
	b     *tray
	o     artifact.Options
	wrong *wrong

	create func(context.Context, artifact.Draft) (artifact.Writer, error)
	open   func(context.Context, artifact.Scope, artifact.Handle) (artifact.Reader, error)
	stat   func(context.Context, artifact.Scope, artifact.Handle) (artifact.Info, error)
	delete func(context.Context, artifact.Scope, artifact.Handle) error
	sweep  func(context.Context) (artifact.Swept, error)
}

func (s *shim) Create(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
	if s.create != nil {
		return s.create(ctx, d)
	}
	return s.Keeper.Create(ctx, d)
}

func (s *shim) Open(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Reader, error) {
	if s.open != nil {
		return s.open(ctx, sc, h)
	}
	return s.Keeper.Open(ctx, sc, h)
}

func (s *shim) Stat(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Info, error) {
	if s.stat != nil {
		return s.stat(ctx, sc, h)
	}
	return s.Keeper.Stat(ctx, sc, h)
}

func (s *shim) Delete(ctx context.Context, sc artifact.Scope, h artifact.Handle) error {
	if s.delete != nil {
		return s.delete(ctx, sc, h)
	}
	return s.Keeper.Delete(ctx, sc, h)
}

func (s *shim) Sweep(ctx context.Context) (artifact.Swept, error) {
	if s.sweep != nil {
		return s.sweep(ctx)
	}
	return s.Keeper.Sweep(ctx)
}

// scopes makes every look-up use f of the scope.
func (s *shim) scopes(f func(artifact.Scope) artifact.Scope) {
	k := s.Keeper
	s.create = func(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
		d.Scope = f(d.Scope)
		return k.Create(ctx, d)
	}
	s.open = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Reader, error) {
		return k.Open(ctx, f(sc), h)
	}
	s.stat = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Info, error) {
		return k.Stat(ctx, f(sc), h)
	}
	s.delete = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) error {
		return k.Delete(ctx, f(sc), h)
	}
}

// lookups makes every look-up's error pass through f.
func (s *shim) lookups(f func(sc artifact.Scope, h artifact.Handle, err error) error) {
	k := s.Keeper
	s.open = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Reader, error) {
		r, err := k.Open(ctx, sc, h)
		return r, f(sc, h, err)
	}
	s.stat = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Info, error) {
		i, err := k.Stat(ctx, sc, h)
		return i, f(sc, h, err)
	}
	s.delete = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) error {
		return f(sc, h, k.Delete(ctx, sc, h))
	}
}

// writers makes every Writer pass through f.
func (s *shim) writers(f func(d artifact.Draft, w artifact.Writer) artifact.Writer) {
	k := s.Keeper
	s.create = func(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
		w, err := k.Create(ctx, d)
		if err != nil {
			return nil, err
		}
		return f(d, w), nil
	}
}

// readers makes every Reader pass through f.
func (s *shim) readers(f func(r artifact.Reader) artifact.Reader) {
	k := s.Keeper
	s.open = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Reader, error) {
		r, err := k.Open(ctx, sc, h)
		if err != nil {
			return nil, err
		}
		return f(r), nil
	}
}

// pen is a Writer of which some methods are replaced.
type pen struct {
	artifact.Writer
	write  func([]byte) (int, error)
	commit func(context.Context) (artifact.Info, error)
	abort  func() error
	items  func(artifact.Items) error
}

func (p *pen) Write(b []byte) (int, error) {
	if p.write != nil {
		return p.write(b)
	}
	return p.Writer.Write(b)
}

func (p *pen) Commit(ctx context.Context) (artifact.Info, error) {
	if p.commit != nil {
		return p.commit(ctx)
	}
	return p.Writer.Commit(ctx)
}

func (p *pen) Abort() error {
	if p.abort != nil {
		return p.abort()
	}
	return p.Writer.Abort()
}

func (p *pen) MarkIncomplete(why string) { p.Writer.(artifact.Marker).MarkIncomplete(why) }

func (p *pen) MarkItems(x artifact.Items) error {
	if p.items != nil {
		return p.items(x)
	}
	return p.Writer.(artifact.ItemMarker).MarkItems(x)
}

// eye is a Reader of which some methods are replaced.
type eye struct {
	artifact.Reader
	readAt func([]byte, int64) (int, error)
	before func(int64) (int64, int64)
	item   func(int64) (int64, int64, bool)
}

func (e *eye) ReadAt(p []byte, off int64) (int, error) {
	if e.readAt != nil {
		return e.readAt(p, off)
	}
	return e.Reader.ReadAt(p, off)
}

func (e *eye) LineBefore(line int64) (int64, int64) {
	if e.before != nil {
		return e.before(line)
	}
	return e.Reader.(artifact.LineIndexer).LineBefore(line)
}

func (e *eye) Items() (string, int64, bool) { return e.Reader.(artifact.ItemIndexer).Items() }

func (e *eye) ItemBefore(item int64) (int64, int64, bool) {
	if e.item != nil {
		return e.item(item)
	}
	return e.Reader.(artifact.ItemIndexer).ItemBefore(item)
}

// tray is a Backend that fails, flips a byte of all that is read, and whose
// Uploads can be replaced.
type tray struct {
	artifact.Backend
	fail    atomic.Pointer[error]
	flipped atomic.Int64
	wrong   *wrong
}

func (b *tray) err() error {
	if p := b.fail.Load(); p != nil {
		return *p
	}
	return nil
}

func (b *tray) Put(ctx context.Context, key string) (artifact.Upload, error) {
	if err := b.err(); err != nil {
		return nil, err
	}
	u, err := b.Backend.Put(ctx, key)
	if err == nil && b.wrong.upload != nil {
		u = b.wrong.upload(b, key, u)
	}
	return u, err
}

func (b *tray) ReadAt(ctx context.Context, key string, p []byte, off int64) (int, error) {
	if err := b.err(); err != nil {
		return 0, err
	}
	n, err := b.Backend.ReadAt(ctx, key, p, off)
	if at := b.flipped.Load() - 1 - off; key[0] == 'a' && at >= 0 && at < int64(n) {
		p[at] ^= 1
	}
	if b.wrong.read != nil {
		return b.wrong.read(key, p, n, err)
	}
	return n, err
}

func (b *tray) Size(ctx context.Context, key string) (int64, error) {
	if err := b.err(); err != nil {
		return 0, err
	}
	return b.Backend.Size(ctx, key)
}

func (b *tray) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	if err := b.err(); err != nil {
		return func(yield func(string, error) bool) { yield("", err) }
	}
	return b.Backend.List(ctx, prefix)
}

func (b *tray) Delete(ctx context.Context, key string) error {
	if err := b.err(); err != nil {
		return err
	}
	return b.Backend.Delete(ctx, key)
}

// wrong is a store that breaks a promise.
type wrong struct {
	name   string
	breaks string // the promise

	options func(*artifact.Options)
	store   func(*shim)
	upload  func(b *tray, key string, u artifact.Upload) artifact.Upload
	read    func(key string, p []byte, n int, err error) (int, error)
}

func (w *wrong) new(b *tray, o artifact.Options) artifact.Store {
	if w.options != nil {
		w.options(&o)
	}
	s := &shim{Keeper: artifact.New(b, &o), b: b, o: o, wrong: w}
	if w.store != nil {
		w.store(s)
	}
	return s
}

func (w *wrong) harness() artifacttest.Harness {
	return artifacttest.Harness{
		New: func(o artifact.Options) (artifact.Store, error) {
			return w.new(&tray{Backend: artifact.NewMemoryBackend(), wrong: w}, o), nil
		},
		Reopen: func(s artifact.Store) (artifact.Store, error) {
			return w.new(s.(*shim).b, s.(*shim).o), nil
		},
		Corrupt: func(s artifact.Store, _ artifact.Scope, _ artifact.Handle, off int64) error {
			s.(*shim).b.flipped.Store(off + 1)
			return nil
		},
		Fault: func(s artifact.Store, err error) func() {
			s.(*shim).b.fail.Store(&err)
			return func() { s.(*shim).b.fail.Store(nil) }
		},
	}
}

var bg = context.Background()

var wrongs = []wrong{
	{name: "the last byte of long writes is lost", breaks: "what was committed is read back byte for byte", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, write: func(b []byte) (int, error) {
				if len(b) <= 100_000 {
					return w.Write(b)
				}
				_, err := w.Write(b[:len(b)-1])
				return len(b), err
			}}
		})
	}},
	{name: "a read at the end is not io.EOF", breaks: "ranges are those of io.ReaderAt", store: func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader {
			return &eye{Reader: r, readAt: func(p []byte, off int64) (int, error) {
				n, err := r.ReadAt(p, off)
				if err == io.EOF {
					err = nil
				}
				return n, err
			}}
		})
	}},
	{name: "a line without LF is not counted", breaks: "Info is true and complete", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, commit: func(ctx context.Context) (artifact.Info, error) {
				i, err := w.Commit(ctx)
				i.Lines = max(0, i.Lines-1)
				return i, err
			}}
		})
	}},
	{name: "Version is forgotten", breaks: "Info is true and complete", store: func(s *shim) {
		k := s.Keeper
		s.create = func(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
			d.Version = ""
			return k.Create(ctx, d)
		}
	}},
	{name: "Abort commits what was written", breaks: "an aborted Writer leaves nothing", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, abort: func() error { _, err := w.Commit(bg); return err }}
		})
	}},
	{name: "parts are visible before Commit", breaks: "nothing is visible before Commit", store: func(s *shim) {
		s.writers(func(d artifact.Draft, w artifact.Writer) artifact.Writer {
			if d.IdempotencyKey == "" {
				return w
			}
			return &pen{Writer: w, abort: func() error { _, err := w.Commit(bg); return err }}
		})
	}},
	{name: "a second Commit makes a second artifact", breaks: "the first of Commit and Abort decides", store: func(s *shim) {
		k := s.Keeper
		s.writers(func(d artifact.Draft, w artifact.Writer) artifact.Writer {
			var text bytes.Buffer
			return &pen{Writer: w, write: func(b []byte) (int, error) { text.Write(b); return w.Write(b) },
				commit: func(ctx context.Context) (artifact.Info, error) {
					i, err := w.Commit(ctx)
					w2, _ := k.Create(ctx, d)
					w2.Write(text.Bytes())
					w = w2
					return i, err
				}}
		})
	}},
	{name: "the caller's buffer is kept", breaks: "buffers stay their owner's", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			var kept [][]byte
			return &pen{Writer: w, write: func(b []byte) (int, error) { kept = append(kept, b); return len(b), nil },
				commit: func(ctx context.Context) (artifact.Info, error) {
					for _, b := range kept {
						if _, err := w.Write(b); err != nil {
							return artifact.Info{}, err
						}
					}
					return w.Commit(ctx)
				}}
		})
	}},
	{name: "the mark is lost", breaks: "an incomplete artifact says so", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer { return unmarked{w} })
	}},
	{name: "the line index is one line off", breaks: "lines are found without reading from the start", store: func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader {
			return &eye{Reader: r, before: func(line int64) (int64, int64) {
				at, off := r.(artifact.LineIndexer).LineBefore(line)
				if at > 0 {
					at--
				}
				return at, off
			}}
		})
	}},
	{name: "the item index is one item off", breaks: "items are found where they were marked", store: func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader {
			return &eye{Reader: r, item: func(item int64) (int64, int64, bool) {
				at, off, ok := r.(artifact.ItemIndexer).ItemBefore(item)
				return max(0, at-1), off, ok
			}}
		})
	}},
	{name: "an item behind the one that is asked for", breaks: "items are found where they were marked", store: func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader {
			return &eye{Reader: r, item: func(item int64) (int64, int64, bool) {
				return r.(artifact.ItemIndexer).ItemBefore(min(item, 1<<62) + 1000)
			}}
		})
	}},
	{name: "only the first item is indexed", breaks: "items are found where they were marked", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, items: func(x artifact.Items) error {
				x.Starts = x.Starts[:min(1, len(x.Starts))]
				return w.(artifact.ItemMarker).MarkItems(x)
			}}
		})
	}},
	{name: "whose items they are is forgotten", breaks: "items are found where they were marked", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, items: func(x artifact.Items) error {
				x.Pointer = ""
				return w.(artifact.ItemMarker).MarkItems(x)
			}}
		})
	}},
	{name: "any marks are taken", breaks: "items that can't be are refused, and cost nothing else", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, items: func(x artifact.Items) error {
				_ = w.(artifact.ItemMarker).MarkItems(x)
				return nil
			}}
		})
	}},
	{name: "wrong marks cost the artifact", breaks: "items that can't be are refused, and cost nothing else", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, items: func(x artifact.Items) error {
				err := w.(artifact.ItemMarker).MarkItems(x)
				if err != nil {
					w.Abort()
				}
				return err
			}}
		})
	}},
	{name: "the same bytes get the same handle", breaks: "handles are canonical and never repeat", store: func(s *shim) {
		k := s.Keeper
		s.create = func(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
			if d.IdempotencyKey == "" {
				d.IdempotencyKey = "of the content"
			}
			return k.Create(ctx, d)
		}
	}},
	{name: "capitals name the same artifact", breaks: "hostile handles are not found", store: func(s *shim) {
		k := s.Keeper
		s.stat = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Info, error) {
			return k.Stat(ctx, sc, artifact.Handle(strings.ToLower(string(h))))
		}
	}},
	{name: "the error for a hostile handle repeats it", breaks: "hostile handles are not found", store: func(s *shim) {
		s.lookups(func(_ artifact.Scope, h artifact.Handle, err error) error {
			if _, perr := artifact.ParseHandle(string(h)); perr != nil {
				return perr
			}
			return err
		})
	}},
	{name: "scopes are not looked at", breaks: "strangers learn nothing", store: func(s *shim) {
		s.scopes(func(artifact.Scope) artifact.Scope { return artifact.Scope{} })
	}},
	{name: "strangers hear of deletions", breaks: "strangers learn nothing", store: func(s *shim) {
		var mu sync.Mutex
		gone := map[artifact.Handle]bool{}
		s.lookups(func(_ artifact.Scope, h artifact.Handle, err error) error {
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, artifact.ErrDeleted) || err == nil {
				gone[h] = errors.Is(err, artifact.ErrDeleted)
			} else if gone[h] {
				return &artifact.Error{State: artifact.ErrDeleted, Handle: h}
			}
			return err
		})
		k, del := s.Keeper, s.delete
		s.delete = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) error {
			err := del(ctx, sc, h)
			if _, serr := k.Stat(ctx, sc, h); errors.Is(serr, artifact.ErrDeleted) {
				mu.Lock()
				gone[h] = true
				mu.Unlock()
			}
			return err
		}
	}},
	{name: "not found names the handle", breaks: "strangers learn nothing", store: func(s *shim) {
		s.lookups(func(_ artifact.Scope, h artifact.Handle, err error) error {
			if errors.Is(err, artifact.ErrNotFound) {
				return &artifact.Error{State: artifact.ErrNotFound, Handle: h}
			}
			return err
		})
	}},
	{name: "scopes are joined by a slash", breaks: "scopes are compared as a whole", store: func(s *shim) {
		s.scopes(func(sc artifact.Scope) artifact.Scope {
			return artifact.Scope{Tenant: sc.Tenant + "/" + sc.User + "/" + sc.Task}
		})
	}},
	{name: "the expiry is not announced", breaks: "the announced time is kept to the instant", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, commit: func(ctx context.Context) (artifact.Info, error) {
				i, err := w.Commit(ctx)
				i.ExpiresAt = time.Time{}
				return i, err
			}}
		})
	}},
	{name: "only a sweep makes it expire", breaks: "the announced time is kept to the instant", options: func(o *artifact.Options) {
		opened := o.Now()
		o.Now = func() time.Time { return opened }
	}},
	{name: "the time runs from Create", breaks: "the time to live runs from Commit", store: func(s *shim) {
		k, now := s.Keeper, s.o.Now
		s.create = func(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
			w, err := k.Create(ctx, d)
			if err != nil {
				return nil, err
			}
			start := now()
			return &pen{Writer: w, commit: func(ctx context.Context) (artifact.Info, error) {
				i, err := w.Commit(ctx)
				if err == nil && !i.ExpiresAt.IsZero() {
					i.ExpiresAt = i.ExpiresAt.Add(start.Sub(now()))
				}
				return i, err
			}}, nil
		}
	}},
	{name: "what was swept was never there", breaks: "expired is said before and after a sweep", options: func(o *artifact.Options) { o.Remember = -1 }},
	{name: "a sweep believes the clock at once", breaks: "a clock that is wrong for a moment destroys nothing", options: func(o *artifact.Options) { o.Grace = -1 }},
	{name: "deleted is not found", breaks: "deleted is said as deleted", store: func(s *shim) {
		s.lookups(func(_ artifact.Scope, _ artifact.Handle, err error) error {
			if errors.Is(err, artifact.ErrDeleted) {
				return &artifact.Error{State: artifact.ErrNotFound}
			}
			return err
		})
	}},
	{name: "a Reader of what is gone gives zeros", breaks: "an open Reader gets true bytes or a named error", store: func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader {
			return &eye{Reader: r, readAt: func(p []byte, off int64) (int, error) {
				n, err := r.ReadAt(p, off)
				if errors.Is(err, artifact.ErrDeleted) {
					return len(p), nil
				}
				return n, err
			}}
		})
	}},
	{name: "Readers outlive their context", breaks: "contexts end what they govern", store: func(s *shim) {
		k := s.Keeper
		s.open = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Reader, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return k.Open(context.WithoutCancel(ctx), sc, h)
		}
	}},
	{name: "Writers outlive their context", breaks: "contexts end what they govern", store: func(s *shim) {
		k := s.Keeper
		s.create = func(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return k.Create(context.WithoutCancel(ctx), d)
		}
	}},
	{name: "the quota counts at Commit", breaks: "the byte quota holds, unfinished artifacts included", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			var text bytes.Buffer
			return &pen{Writer: w, write: text.Write, commit: func(ctx context.Context) (artifact.Info, error) {
				if _, err := w.Write(text.Bytes()); err != nil {
					return artifact.Info{}, err
				}
				return w.Commit(ctx)
			}}
		})
	}},
	{name: "artifacts are not counted", breaks: "the count quota holds, unfinished artifacts included", options: func(o *artifact.Options) { o.MaxCount = -1 }},
	{name: "scopes have no quota", breaks: "each scope has its own quota", options: func(o *artifact.Options) { o.MaxScopeBytes = 0 }},
	{name: "an aborted Writer keeps its quota", breaks: "an aborted Writer leaves nothing", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, abort: func() error { return nil }}
		})
	}},
	{name: "room is not made for what comes after", breaks: "quotas are given back", store: func(s *shim) {
		now, start := s.o.Now, s.o.Now()
		k := s.Keeper
		s.create = func(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
			if now().Sub(start) >= time.Hour && s.o.MaxCount == 1 {
				return nil, &artifact.Error{State: artifact.ErrOverQuota, Limit: 1}
			}
			return k.Create(ctx, d)
		}
	}},
	{name: "the quota is read, then written", breaks: "quotas hold under concurrent Writers", store: func(s *shim) {
		if s.o.MaxBytes <= 0 {
			return
		}
		opts := s.o
		opts.MaxBytes = -1
		s.Keeper = artifact.New(s.b, &opts)
		var used atomic.Int64
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, write: func(b []byte) (int, error) {
				was := used.Load()
				if was+int64(len(b)) > s.o.MaxBytes {
					return 0, &artifact.Error{State: artifact.ErrOverQuota, Limit: s.o.MaxBytes}
				}
				time.Sleep(time.Millisecond)
				used.Store(was + int64(len(b)))
				return w.Write(b)
			}}
		})
	}},
	{name: "idempotency keys are not looked at", breaks: "an idempotency key names one artifact", store: func(s *shim) {
		k := s.Keeper
		s.create = func(ctx context.Context, d artifact.Draft) (artifact.Writer, error) {
			d.IdempotencyKey = ""
			return k.Create(ctx, d)
		}
	}},
	{name: "a key's first artifact stands for any bytes", breaks: "an idempotency key with other bytes is refused", store: func(s *shim) {
		var mu sync.Mutex
		first := map[string]artifact.Info{}
		s.writers(func(d artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, commit: func(ctx context.Context) (artifact.Info, error) {
				mu.Lock()
				defer mu.Unlock()
				i, err := w.Commit(ctx)
				if errors.Is(err, artifact.ErrKeyReused) {
					return first[d.IdempotencyKey], nil
				}
				first[d.IdempotencyKey] = i
				return i, err
			}}
		})
	}},
	{name: "keys are of the store, not of the scope", breaks: "idempotency keys of two scopes are two", store: func(s *shim) {
		var mu sync.Mutex
		first := map[string]artifact.Info{}
		s.writers(func(d artifact.Draft, w artifact.Writer) artifact.Writer {
			return &pen{Writer: w, commit: func(ctx context.Context) (artifact.Info, error) {
				mu.Lock()
				defer mu.Unlock()
				if i, ok := first[d.IdempotencyKey]; ok && d.IdempotencyKey != "" {
					return i, w.Abort()
				}
				i, err := w.Commit(ctx)
				first[d.IdempotencyKey] = i
				return i, err
			}}
		})
	}},
	{name: "stat, then replace", breaks: "concurrent Writers of one key agree", upload: func(b *tray, key string, u artifact.Upload) artifact.Upload {
		return &racy{Upload: u, b: b, key: key}
	}},
	{name: "a Reader is for one goroutine", breaks: "everything may be used concurrently", store: func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader {
			var busy atomic.Bool
			return &eye{Reader: r, readAt: func(p []byte, off int64) (int, error) {
				if busy.Swap(true) {
					return 0, errors.New("busy")
				}
				defer busy.Store(false)
				time.Sleep(time.Millisecond)
				return r.ReadAt(p, off)
			}}
		})
	}},
	{name: "the second store is empty", breaks: "a second store over the same data sees the same", store: func(s *shim) {
		if len(keysOf(s.b)) > 0 {
			s.Keeper = artifact.New(artifact.NewMemoryBackend(), &s.o)
		}
	}},
	{name: "deletions stay in the process", breaks: "two stores over the same data agree on keys and deletions", store: func(s *shim) {
		var gone sync.Map
		k := s.Keeper
		s.stat = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) (artifact.Info, error) {
			if _, ok := gone.Load(h); ok {
				return artifact.Info{}, &artifact.Error{State: artifact.ErrDeleted, Handle: h, At: s.o.Now()}
			}
			return k.Stat(ctx, sc, h)
		}
		s.delete = func(ctx context.Context, sc artifact.Scope, h artifact.Handle) error {
			gone.Store(h, true)
			return nil
		}
	}},
	{name: "ranges are not verified", breaks: "a changed byte is reported with its place, the rest is readable", store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer { return w })
		s.readers(func(r artifact.Reader) artifact.Reader {
			return &eye{Reader: r, readAt: func(p []byte, off int64) (int, error) {
				at := s.b.flipped.Load()
				s.b.flipped.Store(0)
				defer s.b.flipped.Store(at)
				n, err := r.ReadAt(p, off)
				if i := at - 1 - off; at > 0 && i >= 0 && i < int64(n) {
					p[i] ^= 1
				}
				return n, err
			}}
		})
	}},
	{name: "one bad block condemns the artifact", breaks: "a changed byte is reported with its place, the rest is readable", store: func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader {
			return &eye{Reader: r, readAt: func(p []byte, off int64) (int, error) {
				if _, err := r.ReadAt(make([]byte, r.Info().Size), 0); errors.Is(err, artifact.ErrCorrupt) {
					return 0, err
				}
				return r.ReadAt(p, off)
			}}
		})
	}},
	{name: "a broken disk is not found", breaks: "a fault of the storage is said, and leaves nothing half done", store: func(s *shim) {
		s.lookups(func(_ artifact.Scope, _ artifact.Handle, err error) error {
			if errors.Is(err, artifact.ErrUnavailable) {
				return &artifact.Error{State: artifact.ErrNotFound}
			}
			return err
		})
	}},
	{name: "a goroutine for each Open", breaks: "nothing is left behind in the process", store: func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader {
			go func() { <-forever }()
			return r
		})
	}},
	{name: "a backend that loses the end of reads", breaks: "what was committed is read back byte for byte", read: func(key string, p []byte, n int, err error) (int, error) {
		if key[0] == 'a' && n > 100_000 {
			return n - 1, nil
		}
		return n, err
	}},
	{name: "a backend that drops what it is given", breaks: "what was committed is read back byte for byte", upload: func(_ *tray, key string, u artifact.Upload) artifact.Upload {
		if key[0] != 'a' {
			return u
		}
		return deaf{u}
	}},
}

var forever = make(chan struct{})

// unmarked is a Writer that forgets the mark.
type unmarked struct{ artifact.Writer }

func (unmarked) MarkIncomplete(string) {}

// deaf is an Upload that loses the second half of long writes.
type deaf struct{ artifact.Upload }

func (d deaf) Write(p []byte) (int, error) {
	if len(p) < 1000 {
		return d.Upload.Write(p)
	}
	_, err := d.Upload.Write(p[:len(p)/2])
	return len(p), err
}

// racy is an Upload that looks whether the key is free, and then replaces it.
type racy struct {
	artifact.Upload
	b    *tray
	key  string
	text bytes.Buffer
}

func (r *racy) Write(p []byte) (int, error) { return r.text.Write(p) }

func (r *racy) Commit(ctx context.Context) error {
	if _, err := r.b.Backend.Size(ctx, r.key); err == nil {
		return fs.ErrExist
	}
	time.Sleep(100 * time.Microsecond)
	if err := r.b.Backend.Delete(ctx, r.key); err != nil {
		return err
	}
	if _, err := r.Upload.Write(r.text.Bytes()); err != nil {
		return err
	}
	if err := r.Upload.Commit(ctx); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func keysOf(b *tray) (keys []string) {
	for k, err := range b.Backend.List(bg, "a/") {
		if err == nil {
			keys = append(keys, k)
		}
	}
	return keys
}

// TestSuiteFailsWrongStores: each fails the promise that it breaks, and the right
// store that they are made of passes all.
func TestSuiteFailsWrongStores(t *testing.T) {
	for _, o := range artifacttest.Check((&wrong{}).harness()) {
		require.True(t, o.Proven, "%v", o)
	}
	for i := range wrongs {
		w := &wrongs[i]
		t.Run(w.name, func(t *testing.T) {
			o := artifacttest.CheckOne(w.harness(), w.breaks)
			require.Error(t, o.Err, "%v", o)
			t.Log(o.Err)
		})
	}
}

// TestEveryPromiseIsBrokenBySomeWrongStore: no promise is an empty one.
func TestEveryPromiseIsBrokenBySomeWrongStore(t *testing.T) {
	tried := map[string]bool{}
	for _, w := range wrongs {
		tried[w.breaks] = true
	}
	for _, o := range artifacttest.Check(artifacttest.Harness{}) {
		require.True(t, tried[o.Promise], "no wrong store breaks %q", o.Promise)
	}
}

// TestMissingCapabilityIsNotProven: nothing passes by silence.
func TestMissingCapabilityIsNotProven(t *testing.T) {
	for _, o := range artifacttest.Check(artifacttest.Harness{}) {
		require.False(t, o.Proven)
		require.NoError(t, o.Err)
		require.Contains(t, o.Why, "New")
	}
	h := (&wrong{}).harness()
	h.Reopen, h.Corrupt, h.Fault = nil, nil, nil
	var missing []string
	for _, o := range artifacttest.Check(h) {
		require.NoError(t, o.Err)
		if !o.Proven {
			missing = append(missing, o.Why)
		}
	}
	require.Equal(t, []string{"Harness.Reopen is nil", "Harness.Reopen is nil", "Harness.Corrupt is nil", "Harness.Fault is nil"}, missing)
}

// TestPlainStoreIsNotProven: what is optional is reported as missing.
func TestPlainStoreIsNotProven(t *testing.T) {
	plain := &wrong{store: func(s *shim) {
		s.writers(func(_ artifact.Draft, w artifact.Writer) artifact.Writer { return struct{ artifact.Writer }{w} })
		s.readers(func(r artifact.Reader) artifact.Reader { return struct{ artifact.Reader }{r} })
	}}
	for promise, why := range map[string]string{
		"an incomplete artifact says so":                         "its Writers are not Markers",
		"lines are found without reading from the start":         "its Readers are not LineIndexers",
		"items are found where they were marked":                 "its Writers are not ItemMarkers",
		"items that can't be are refused, and cost nothing else": "its Writers are not ItemMarkers",
	} {
		o := artifacttest.CheckOne(plain.harness(), promise)
		require.NoError(t, o.Err)
		require.False(t, o.Proven, promise)
		require.Equal(t, why, o.Why)
	}
	plain.store = func(s *shim) {
		s.readers(func(r artifact.Reader) artifact.Reader { return struct{ artifact.Reader }{r} })
	}
	o := artifacttest.CheckOne(plain.harness(), "items are found where they were marked")
	require.NoError(t, o.Err)
	require.Equal(t, "its Readers are not ItemIndexers", o.Why)
}
