package artifact_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/internal/faultfs"
)

// model is what a store is to a user: a map that forgets in a known way.
type model struct {
	c     *clock
	disk  *faultfs.Disk
	store *artifact.Dir
	all   []*entry
	keys  map[string]*entry
	open  []*begun
}

type entry struct {
	info    artifact.Info
	scope   artifact.Scope
	data    []byte
	deleted time.Time
}

type begun struct {
	w     artifact.Writer
	scope artifact.Scope
	key   string
	data  []byte
}

const modelBytes = 400_000

func (m *model) options() *artifact.Options {
	return &artifact.Options{Now: m.c.now, TTL: time.Hour, MaxBytes: modelBytes, Remember: 1000 * time.Hour, Grace: time.Minute}
}

// used is what the quota counts at most: expired artifacts may be gone or not.
func (m *model) used() (n int) {
	for _, e := range m.all {
		if m.state(e) == nil {
			n += len(e.data)
		}
	}
	for _, b := range m.open {
		n += len(b.data)
	}
	return n
}

// state is the error that the owner of e must get.
func (m *model) state(e *entry) error {
	switch {
	case !e.deleted.IsZero():
		return artifact.ErrDeleted
	case !e.info.ExpiresAt.IsZero() && !m.c.t.Before(e.info.ExpiresAt):
		return artifact.ErrExpired
	}
	return nil
}

var modelScopes = []artifact.Scope{{}, {Tenant: "a"}, {Tenant: "a", User: "b"}}

func TestStoreIsAMapThatForgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{c: newClock(), disk: faultfs.NewDisk(), keys: map[string]*entry{}}
		var err error
		m.store, err = artifact.OpenDirFS(m.disk, m.options())
		require.NoError(t, err)
		t.Repeat(map[string]func(*rapid.T){
			"":        m.check,
			"create":  m.create,
			"write":   m.write,
			"commit":  m.commit,
			"abort":   m.abort,
			"delete":  m.delete,
			"read":    m.read,
			"wait":    func(t *rapid.T) { m.c.advance(time.Duration(rapid.IntRange(1, 90).Draw(t, "minutes")) * time.Minute) },
			"sweep":   func(t *rapid.T) { _, err := m.store.Sweep(testCtx); require.NoError(t, err) },
			"restart": m.restart,
		})
	})
}

// check asks for every artifact in its scope and in another.
func (m *model) check(t *rapid.T) {
	for _, e := range m.all {
		i, err := m.store.Stat(testCtx, e.scope, e.info.Handle)
		if want := m.state(e); want != nil {
			require.ErrorIs(t, err, want)
		} else {
			require.NoError(t, err)
			require.Equal(t, e.info, i)
		}
		for _, sc := range modelScopes {
			if sc != e.scope {
				_, err := m.store.Stat(testCtx, sc, e.info.Handle)
				require.Equal(t, &artifact.Error{State: artifact.ErrNotFound}, err)
			}
		}
	}
}

func (m *model) create(t *rapid.T) {
	b := &begun{scope: rapid.SampledFrom(modelScopes).Draw(t, "scope"), key: rapid.SampledFrom([]string{"", "", "k", "l"}).Draw(t, "key")}
	ttl := rapid.SampledFrom([]time.Duration{0, -1, time.Minute, 3 * time.Hour}).Draw(t, "ttl")
	var err error
	b.w, err = m.store.Create(testCtx, artifact.Draft{Scope: b.scope, TTL: ttl, IdempotencyKey: b.key})
	if e := m.keyed(b); e != nil && m.state(e) != nil {
		require.ErrorIs(t, err, m.state(e))
		return
	}
	require.NoError(t, err)
	if e := m.keyed(b); e != nil { // the Writer of a retry needs no quota
		m.retry(t, b, e)
		return
	}
	m.open = append(m.open, b)
}

func (m *model) keyed(b *begun) *entry {
	if b.key == "" {
		return nil
	}
	return m.keys[b.scope.Tenant+"/"+b.scope.User+"/"+b.key]
}

// retry writes the same bytes or others.
func (m *model) retry(t *rapid.T, b *begun, e *entry) {
	data := e.data
	other := rapid.Bool().Draw(t, "other bytes")
	if other {
		data = append(append([]byte(nil), data...), 'x')
	}
	_, err := b.w.Write(data)
	require.NoError(t, err)
	i, err := b.w.Commit(testCtx)
	if other {
		require.ErrorIs(t, err, artifact.ErrKeyReused)
		return
	}
	require.NoError(t, err)
	require.Equal(t, e.info, i)
}

// pick takes one of the open Writers out.
func (m *model) pick(t *rapid.T) *begun {
	if len(m.open) == 0 {
		t.Skip("no open Writer")
	}
	n := rapid.IntRange(0, len(m.open)-1).Draw(t, "writer")
	b := m.open[n]
	m.open = append(append([]*begun(nil), m.open[:n]...), m.open[n+1:]...)
	return b
}

func (m *model) write(t *rapid.T) {
	b := m.pick(t)
	data := noise(rapid.SampledFrom([]int{0, 1, 100, 65536, 70_000, 200_000}).Draw(t, "bytes"))
	used := m.used() + len(b.data)
	n, err := b.w.Write(data)
	if used+len(data) > modelBytes {
		require.ErrorIs(t, err, artifact.ErrOverQuota)
		_, err = b.w.Commit(testCtx)
		require.ErrorIs(t, err, artifact.ErrIncomplete)
		return
	}
	require.NoError(t, err)
	require.Equal(t, len(data), n)
	b.data = append(b.data, data...)
	m.open = append(m.open, b)
}

func (m *model) commit(t *rapid.T) {
	b := m.pick(t)
	i, err := b.w.Commit(testCtx)
	if e := m.keyed(b); e != nil { // another Writer of the key was faster
		switch want := m.state(e); {
		case want != nil:
			require.ErrorIs(t, err, want)
		case bytes.Equal(e.data, b.data):
			require.NoError(t, err)
			require.Equal(t, e.info, i)
		default:
			require.ErrorIs(t, err, artifact.ErrKeyReused)
		}
		return
	}
	require.NoError(t, err)
	require.EqualValues(t, len(b.data), i.Size)
	require.Equal(t, countLines(b.data), i.Lines)
	e := &entry{info: i, scope: b.scope, data: b.data}
	m.all = append(m.all, e)
	if b.key != "" {
		m.keys[b.scope.Tenant+"/"+b.scope.User+"/"+b.key] = e
	}
}

func (m *model) abort(t *rapid.T) { require.NoError(t, m.pick(t).w.Abort()) }

func (m *model) entry(t *rapid.T) *entry {
	if len(m.all) == 0 {
		t.Skip("no artifact")
	}
	return rapid.SampledFrom(m.all).Draw(t, "artifact")
}

func (m *model) delete(t *rapid.T) {
	e := m.entry(t)
	err := m.store.Delete(testCtx, e.scope, e.info.Handle)
	if want := m.state(e); want != nil {
		require.ErrorIs(t, err, want)
		return
	}
	require.NoError(t, err)
	e.deleted = m.c.t
}

func (m *model) read(t *rapid.T) {
	e := m.entry(t)
	r, err := m.store.Open(testCtx, e.scope, e.info.Handle)
	if want := m.state(e); want != nil {
		require.ErrorIs(t, err, want)
		return
	}
	require.NoError(t, err)
	defer r.Close()
	off := rapid.Int64Range(0, int64(len(e.data)+10)).Draw(t, "offset")
	p := make([]byte, rapid.IntRange(0, 100_000).Draw(t, "length"))
	n, err := r.ReadAt(p, off)
	want := make([]byte, len(p))
	k, werr := bytes.NewReader(e.data).ReadAt(want, off)
	require.Equal(t, k, n)
	require.True(t, bytes.Equal(want[:k], p[:n]))
	if len(p) > 0 {
		require.Equal(t, errors.Is(werr, io.EOF), errors.Is(err, io.EOF))
	}
	line := rapid.Int64Range(-1, max(0, e.info.Lines)).Draw(t, "line")
	at, start := r.(artifact.LineIndexer).LineBefore(line)
	require.EqualValues(t, at, bytes.Count(e.data[:start], []byte("\n")))
	require.True(t, start == 0 || e.data[start-1] == '\n')
	require.LessOrEqual(t, at, max(0, line))
}

// restart opens the folder anew, as the next process does.
func (m *model) restart(t *rapid.T) {
	for _, b := range m.open {
		require.NoError(t, b.w.Abort())
	}
	m.open = nil
	require.NoError(t, m.store.Close())
	var err error
	m.store, err = artifact.OpenDirFS(m.disk, m.options())
	require.NoError(t, err)
}

// FuzzReadAt compares any range with that of a bytes.Reader.
func FuzzReadAt(f *testing.F) {
	data := noise(group + 2*block + 99)
	s := artifact.NewMemory(nil)
	i := save(f, s, artifact.Draft{}, data)
	for _, off := range []int64{-1, 0, 1, block, group, group - 1, i.Size, math.MaxInt64, math.MinInt64} {
		f.Add(off, uint32(1))
		f.Add(off, uint32(3*block))
	}
	f.Fuzz(func(t *testing.T, off int64, n uint32) {
		r, err := s.Open(t.Context(), artifact.Scope{}, i.Handle)
		require.NoError(t, err)
		got, want := make([]byte, n%(5*block)), make([]byte, n%(5*block))
		g, gerr := r.ReadAt(got, off)
		w, werr := bytes.NewReader(data).ReadAt(want, off)
		require.Equal(t, w, g)
		require.True(t, bytes.Equal(want, got))
		if len(got) > 0 {
			require.Equal(t, werr == nil, gerr == nil, "%v, want %v", gerr, werr)
		}
	})
}
