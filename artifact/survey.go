package artifact

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"time"
)

// surveyAll makes the quota know what is stored, by whichever process. Each
// artifact's manifest is read once in the Keeper's life.
func (k *Keeper) surveyAll(ctx context.Context) error {
	round := k.quota.begin()
	for key, err := range k.b.List(ctx, artifactPrefix) {
		if err != nil {
			return err
		}
		n, ok := parseName(key, artifactPrefix)
		if !ok || k.quota.see(n, round) {
			continue
		}
		h, err := k.inspect(ctx, n)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it went while we looked
		}
		if err != nil {
			return err
		}
		k.quota.found(n, h, round)
	}
	k.quota.end(round)
	return nil
}

// inspect reads what the quota wants to know of n. What is damaged is counted
// with its size and kept: only its owner can say that it is not needed.
func (k *Keeper) inspect(ctx context.Context, n name) (held, error) {
	m, err := k.readManifest(ctx, n)
	if err == nil {
		return m.held(), nil
	}
	if !errors.Is(err, ErrCorrupt) {
		return held{}, err
	}
	size, serr := k.b.Size(ctx, n.artifact())
	if serr != nil && !errors.Is(serr, ErrCorrupt) { // what has no size is no file
		return held{}, serr
	}
	k.o.Log.Warn("artifact: damaged, its owner can delete it", "name", n.String(), "err", err)
	return held{size: size, expires: math.MaxInt64, damaged: true}, nil
}

// spoil notes that n can't be read any more, so that no sweep tries again.
func (q *quota) spoil(n name) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if h, ok := q.known[n]; ok {
		h.expires, h.damaged = math.MaxInt64, true
		q.known[n] = h
	}
}

// begin starts a survey and returns its number.
func (q *quota) begin() uint32 {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.survey++
	return q.survey
}

// see notes that n is still there; false: it is not known.
func (q *quota) see(n name, round uint32) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	h, ok := q.known[n]
	if ok {
		h.seen = max(h.seen, round)
		q.known[n] = h
	}
	return ok
}

// found adds n.
func (q *quota) found(n name, h held, round uint32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if was, ok := q.known[n]; ok { // another survey, or its Writer, was faster
		was.seen = max(was.seen, round)
		q.known[n] = was
		return
	}
	h.seen = round
	q.put(n, h)
}

// end forgets what the survey did not see.
func (q *quota) end(round uint32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for n, h := range q.known {
		if h.seen < round {
			delete(q.known, n)
			q.add(h.scope, -h.size, -1)
		}
	}
	q.listed = time.Now()
}
