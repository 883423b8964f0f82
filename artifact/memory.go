package artifact

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"strings"
	"sync"
)

// Memory is a [Store] in memory. It copies what it is given and what it gives.
// Its artifacts live as long as it does.
type Memory struct{ *Keeper }

// NewMemory returns an empty Memory; nil options are the defaults.
func NewMemory(o *Options) *Memory {
	opts := Options{}
	if o != nil {
		opts = *o
	}
	opts.MaxBytes = orDefault(opts.MaxBytes, defaultMemoryBytes)
	return &Memory{New(NewMemoryBackend(), &opts)}
}

// NewMemoryBackend returns an empty [Backend] in memory: what a Memory is built
// on, and what several Keepers can share in a test.
func NewMemoryBackend() Backend { return &memory{blobs: map[string]*memoryBlob{}} }

type memory struct {
	mu    sync.RWMutex
	blobs map[string]*memoryBlob
}

// memoryBlob is never changed once it is in the map. Most have one piece.
type memoryBlob struct {
	size  int64
	first []byte
	rest  [][]byte
}

// pieces yields the bytes in order.
func (b *memoryBlob) pieces(yield func([]byte) bool) {
	if !yield(b.first) {
		return
	}
	for _, p := range b.rest {
		if !yield(p) {
			return
		}
	}
}

func (m *memory) get(ctx context.Context, key string) (*memoryBlob, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	b, ok := m.blobs[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return b, nil
}

func (m *memory) Size(ctx context.Context, key string) (int64, error) {
	b, err := m.get(ctx, key)
	if err != nil {
		return 0, err
	}
	return b.size, nil
}

func (m *memory) ReadAt(ctx context.Context, key string, p []byte, off int64) (int, error) {
	b, err := m.get(ctx, key)
	if err != nil {
		return 0, err
	}
	n := 0
	for piece := range b.pieces {
		if off < int64(len(piece)) {
			n += copy(p[n:], piece[off:])
			off = 0
		} else {
			off -= int64(len(piece))
		}
		if n == len(p) {
			return n, nil
		}
	}
	return n, io.EOF
}

func (m *memory) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, key := range m.keys(prefix) {
			if err := ctx.Err(); err != nil {
				yield("", err)
				return
			}
			if !yield(key, nil) {
				return
			}
		}
	}
}

func (m *memory) keys(prefix string) []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var keys []string
	for key := range m.blobs {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (m *memory) Delete(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.blobs, key)
	return nil
}

func (m *memory) Put(ctx context.Context, key string) (Upload, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &memoryUpload{m: m, key: key}, nil
}

type memoryUpload struct {
	m    *memory
	key  string
	blob memoryBlob
}

func (u *memoryUpload) Write(p []byte) (int, error) {
	if copied := append([]byte(nil), p...); u.blob.first == nil {
		u.blob.first = copied
	} else {
		u.blob.rest = append(u.blob.rest, copied)
	}
	u.blob.size += int64(len(p))
	return len(p), nil
}

func (u *memoryUpload) Commit(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u.m.mu.Lock()
	defer u.m.mu.Unlock()
	if _, ok := u.m.blobs[u.key]; ok {
		return fs.ErrExist
	}
	b := u.blob
	u.m.blobs[u.key] = &b
	return nil
}

func (u *memoryUpload) Abort() error {
	u.blob = memoryBlob{}
	return nil
}
