package artifact

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

// held is what the quota and the sweep know of a stored artifact.
type held struct {
	size    int64
	expires int64 // in nanoseconds since 1970; never, or after 2262: math.MaxInt64
	scope   scopeID
	seen    uint32 // the last survey that saw it
	damaged bool   // it has no manifest: scope and expiry are not known
}

func (m *manifest) held() held {
	h := held{size: m.info.Size, expires: math.MaxInt64, scope: m.scope}
	if e := m.info.ExpiresAt; !e.IsZero() {
		h.expires = nanos(e)
	}
	return h
}

// nanos is t in nanoseconds since 1970: the order of times as far as an int64
// goes. What it can't tell apart, the manifest does.
func nanos(t time.Time) int64 {
	switch {
	case t.Year() > 2261:
		return math.MaxInt64
	case t.Year() < 1679:
		return math.MinInt64
	}
	return t.UnixNano()
}

// quota counts what is stored and what is on its way.
type quota struct {
	maxBytes, maxCount, maxScope int64 // negative: no limit

	mu     sync.Mutex
	known  map[name]held
	bytes  int64
	count  int64
	scopes map[scopeID]int64
	survey uint32    // the number of the last survey
	listed time.Time // when that was; zero: never
}

func newQuota(o Options) *quota {
	q := &quota{
		maxBytes: o.MaxBytes, maxCount: int64(o.MaxCount), maxScope: o.MaxScopeBytes,
		known: map[name]held{}, scopes: map[scopeID]int64{},
	}
	if q.maxScope == 0 {
		q.maxScope = -1
	}
	return q
}

// limits reports whether there is anything to enforce.
func (q *quota) limits() bool { return q.maxBytes >= 0 || q.maxCount >= 0 || q.maxScope >= 0 }

// reserve counts bytes and artifacts on their way, if there is room.
func (q *quota) reserve(s scopeID, bytes, count int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	over := func(limit int64, unit string) error {
		return &Error{State: ErrOverQuota, Limit: limit, Cause: errors.New(unit)}
	}
	switch {
	case q.maxCount >= 0 && count > q.maxCount-q.count:
		return over(q.maxCount, "artifacts, unfinished ones included; delete some or try again later")
	case q.maxBytes >= 0 && bytes > q.maxBytes-q.bytes:
		return over(q.maxBytes, "bytes in all, unfinished artifacts included; delete some or try again later")
	case q.maxScope >= 0 && bytes > q.maxScope-q.scopes[s]:
		return over(q.maxScope, "bytes of this scope, unfinished artifacts included; delete some or try again later")
	}
	q.add(s, bytes, count)
	return nil
}

// add changes the sums. The caller holds mu.
func (q *quota) add(s scopeID, bytes, count int64) {
	q.bytes += bytes
	q.count += count
	if q.scopes[s] += bytes; q.scopes[s] == 0 {
		delete(q.scopes, s)
	}
}

// release gives a reservation back.
func (q *quota) release(s scopeID, bytes, count int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(s, -bytes, -count)
}

// settle turns a reservation into a stored artifact.
func (q *quota) settle(n name, h held, reserved int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(h.scope, -reserved, -1)
	h.seen = q.survey
	q.put(n, h)
}

// put counts a stored artifact once. The caller holds mu.
func (q *quota) put(n name, h held) {
	if _, ok := q.known[n]; ok {
		return
	}
	q.known[n] = h
	q.add(h.scope, h.size, 1)
}

// remove forgets a stored artifact.
func (q *quota) remove(n name) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if h, ok := q.known[n]; ok {
		delete(q.known, n)
		q.add(h.scope, -h.size, -1)
	}
}

// expired are the known artifacts whose time is over.
func (q *quota) expired(now time.Time) []name {
	q.mu.Lock()
	defer q.mu.Unlock()
	var names []name
	for n, h := range q.known {
		if h.expires <= nanos(now) {
			names = append(names, n)
		}
	}
	return names
}

// relistAfter is how old the list of what other processes stored may be when a
// quota is about to refuse.
const relistAfter = time.Second

// admit counts one more artifact, after sweeping if that is due.
func (k *Keeper) admit(ctx context.Context, s scopeID) error {
	if k.quota.limits() && k.quota.age() < 0 {
		if err := k.surveyAll(ctx); err != nil {
			return failed(ctx, "", err)
		}
	}
	k.sweepIfDue(ctx)
	return k.withRelief(ctx, func() error { return k.quota.reserve(s, 0, 1) })
}

// reserve counts n more bytes on their way.
func (k *Keeper) reserve(ctx context.Context, s scopeID, n int64) error {
	return k.withRelief(ctx, func() error { return k.quota.reserve(s, n, 0) })
}

// withRelief tries again after it made room: first by removing what has expired,
// then by looking at what other processes removed.
func (k *Keeper) withRelief(ctx context.Context, reserve func() error) error {
	err := reserve()
	if err == nil {
		return nil
	}
	for _, n := range k.quota.expired(k.o.Now()) {
		if berr := k.bury(ctx, n); berr != nil {
			return failed(ctx, "", berr)
		}
		if err = reserve(); err == nil {
			return nil
		}
	}
	if k.quota.age() < relistAfter {
		return err
	}
	if serr := k.surveyAll(ctx); serr != nil {
		return failed(ctx, "", serr)
	}
	return reserve()
}

// age is how long ago the last survey was; negative if there was none.
func (q *quota) age() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.listed.IsZero() {
		return -1
	}
	return time.Since(q.listed)
}
