package artifact

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/toolclip/toolclip/internal/dirfs"
)

// Swept is what a sweep did and found.
type Swept struct {
	Expired   int   // artifacts whose bytes were removed
	Bytes     int64 // of those artifacts
	Waiting   int   // artifacts that have expired and are in their grace time
	Forgotten int   // tombstones that were removed
	Cleaned   int   // things that dead processes left
	Damaged   int   // artifacts that the Keeper found to have no manifest; they stay, their owner can delete them
}

// sweeps is when the last sweep was, and what sweeps remember.
type sweeps struct {
	mu    sync.Mutex // held by a sweep
	last  time.Time
	tombs map[name]int64 // when each tombstone was made, see nanos
}

// Sweep removes the bytes of expired artifacts, forgets old tombstones and
// cleans up after dead processes. States do not wait for it: an artifact is
// expired from the time that was announced.
//
// It works in two phases, so that a clock that is wrong for a moment destroys
// nothing: the bytes of an artifact are removed by the second of two sweeps that
// both find it expired and lie the grace time apart, by whichever processes. A
// quota that would otherwise refuse does not wait for the second, nor does a disk
// that is full.
//
// Sweeps of several processes may overlap. When ctx is done, Sweep stops, says
// so, and the next one goes on.
func (k *Keeper) Sweep(ctx context.Context) (Swept, error) {
	if err := k.ready(ctx); err != nil {
		return Swept{}, err
	}
	k.sweeps.mu.Lock()
	defer k.sweeps.mu.Unlock()
	s, err := k.sweep(ctx, func() bool { return false })
	return s, failed(ctx, "", err)
}

// sweepTime is how long a sweep inside a Create may go on removing.
const sweepTime = 50 * time.Millisecond

// sweepIfDue is a Create's sweep. Another that is running is enough.
func (k *Keeper) sweepIfDue(ctx context.Context) {
	if k.o.SweepEvery < 0 || !k.sweeps.mu.TryLock() {
		return
	}
	defer k.sweeps.mu.Unlock()
	if since := k.o.Now().Sub(k.sweeps.last); since >= 0 && since < k.o.SweepEvery {
		return
	}
	start := time.Now()
	if _, err := k.sweep(ctx, func() bool { return time.Since(start) > sweepTime }); err != nil && ctx.Err() == nil {
		k.sweeps.last = k.o.Now() // the next Create need not run into the same
		k.o.Log.Warn("artifact: sweeping inside Create", "err", err)
	}
}

// sweep does one sweep; enough ends it early, and the next one is due at once.
func (k *Keeper) sweep(ctx context.Context, enough func() bool) (s Swept, err error) {
	now := k.o.Now()
	if err := k.surveyAll(ctx); err != nil {
		return s, err
	}
	seen, err := k.markSweep(ctx, now)
	if err != nil {
		return s, err
	}
	for _, n := range k.quota.expired(now) {
		h, ok := k.quota.get(n)
		if !ok {
			continue // a Create that needed room was faster
		}
		if h.expires > nanos(seen) || h.expires > nanos(now.Add(-k.o.grace())) {
			s.Waiting++
			continue
		}
		if err := k.bury(ctx, n); err != nil {
			return s, err
		}
		if _, stays := k.quota.get(n); !stays {
			s.Expired++
			s.Bytes += h.size
		}
		if enough() {
			return s, nil
		}
	}
	s.Damaged = k.quota.damaged()
	if s.Forgotten, err = k.forget(ctx, now); err != nil {
		return s, err
	}
	if c, ok := k.b.(Cleaner); ok {
		if s.Cleaned, err = c.Clean(ctx); err != nil {
			return s, err
		}
	}
	k.sweeps.last = now
	return s, nil
}

// bury removes an expired artifact: tombstone first, then the bytes; see putTombstone.
func (k *Keeper) bury(ctx context.Context, n name) error {
	m, err := k.readManifest(ctx, n) // the tombstone says exactly what was announced
	if errors.Is(err, fs.ErrNotExist) {
		k.quota.remove(n)
		return nil
	}
	if errors.Is(err, ErrCorrupt) {
		k.quota.spoil(n)
		return nil
	}
	if err != nil {
		return err
	}
	if !m.expired(k) {
		return nil // the clock went back
	}
	err = k.putTombstone(ctx, n, tombstone{at: m.info.ExpiresAt})
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := k.b.Delete(ctx, n.artifact()); err != nil {
		return err
	}
	k.quota.remove(n)
	return nil
}

// markSweep notes that a sweep happened now, if anything has expired, and
// returns when the last sweep was that is as old as the grace time: what had
// expired by then has been seen expired twice. Notes from the future are of a
// clock that was wrong.
func (k *Keeper) markSweep(ctx context.Context, now time.Time) (time.Time, error) {
	if k.o.grace() == 0 {
		return now, nil
	}
	marks, err := k.marks(ctx)
	if err != nil {
		return time.Time{}, err
	}
	seen, newest := time.Unix(0, math.MinInt64), time.Unix(0, math.MinInt64)
	for _, m := range marks { // the oldest first
		if !m.at.After(now.Add(-k.o.grace())) {
			seen = m.at
		}
		if !m.at.After(now) {
			newest = m.at
		}
	}
	for _, m := range marks {
		if m.at.Before(seen) || m.at.After(now) {
			if err := k.b.Delete(ctx, m.key); err != nil {
				return seen, err
			}
		}
	}
	if len(k.quota.expired(now)) > 0 && now.Sub(newest) >= k.o.grace()/2 { // two or three notes are enough
		var n name
		rand.Read(n[:]) // never fails: crypto/rand
		err = k.putRecord(ctx, n.mark(), markMagic, appendTime(nil, stored(now)))
	}
	if dirfs.NoSpace(err) {
		return now, nil // what has expired is all that can make room
	}
	return seen, err
}

// mark is the note of one sweep.
type mark struct {
	key string
	at  time.Time
}

// marks are the notes of sweeps, the oldest first. A damaged one counts as none.
func (k *Keeper) marks(ctx context.Context) ([]mark, error) {
	var marks []mark
	for key, err := range k.b.List(ctx, markPrefix) {
		if err != nil {
			return nil, err
		}
		body, err := k.getRecord(ctx, key, markMagic)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrCorrupt) {
			continue
		}
		if err != nil {
			return nil, err
		}
		d := decoder{b: body}
		if at := d.time(); !d.failed {
			marks = append(marks, mark{key, at})
		}
	}
	slices.SortFunc(marks, func(a, b mark) int { return a.at.Compare(b.at) })
	return marks, nil
}

// forget removes tombstones that are old or too many, and what is left of
// artifacts whose deletion was not finished.
func (k *Keeper) forget(ctx context.Context, now time.Time) (forgotten int, err error) {
	if err := k.listTombs(ctx); err != nil {
		return 0, err
	}
	byAge := make([]name, 0, len(k.sweeps.tombs))
	for n := range k.sweeps.tombs {
		byAge = append(byAge, n)
	}
	slices.SortFunc(byAge, func(a, b name) int { return cmp.Compare(k.sweeps.tombs[a], k.sweeps.tombs[b]) })
	for i, n := range byAge {
		if _, ok := k.quota.get(n); ok {
			if err := k.b.Delete(ctx, n.artifact()); err != nil {
				return forgotten, err
			}
			k.quota.remove(n)
		}
		tooMany := k.o.MaxCount > 0 && len(byAge)-i > k.o.MaxCount
		if !tooMany && k.sweeps.tombs[n] > nanos(now.Add(-k.o.remember())) {
			continue
		}
		if err := k.b.Delete(ctx, n.tombstone()); err != nil {
			return forgotten, err
		}
		delete(k.sweeps.tombs, n)
		forgotten++
	}
	return forgotten, nil
}

// listTombs makes sweeps know all tombstones; each is read once.
func (k *Keeper) listTombs(ctx context.Context) error {
	tombs := make(map[name]int64)
	for key, err := range k.b.List(ctx, tombstonePrefix) {
		if err != nil {
			return err
		}
		n, ok := parseName(key, tombstonePrefix)
		if !ok {
			continue
		}
		at, ok := k.sweeps.tombs[n]
		if !ok {
			t, err := k.getTombstone(ctx, n)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrCorrupt) {
				continue // a damaged one stays: it still says that something is gone
			}
			if err != nil {
				return err
			}
			at = nanos(t.at)
		}
		tombs[n] = at
	}
	k.sweeps.tombs = tombs
	return nil
}

func (q *quota) get(n name) (held, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	h, ok := q.known[n]
	return h, ok
}

// damaged is how many artifacts have no manifest that can be read.
func (q *quota) damaged() (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, h := range q.known {
		if h.damaged {
			n++
		}
	}
	return n
}
