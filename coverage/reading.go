package coverage

import (
	"cmp"
	"container/list"
	"slices"
	"sync"
)

// Reading is what readers have seen of artifacts, in this process. A reader is
// whose context window it is; an artifact is named by its SHA-256, so that a new
// version starts again. Safe for concurrent use.
type Reading struct {
	mu     sync.Mutex
	most   int
	recent *list.List // of *seen, the latest in front
	by     map[readingKey]*list.Element
	epochs map[string]int
}

type readingKey struct{ reader, sha256 string }

// seen is what one reader has seen of one artifact.
type seen struct {
	key   readingKey
	epoch int
	now   map[Unit]Set
	ever  map[Unit]Set
	scans []Scan // of this epoch
}

const (
	defaultReadings = 1024
	maxFragments    = 4096 // of one Set
	maxScans        = 64   // of one artifact
)

// NewReading returns an empty Reading that keeps at most n pairs of a reader and
// an artifact; 0 and less are 1024. The pair that was not asked for longest is
// forgotten, as if nothing had been seen of it.
func NewReading(n int) *Reading {
	if n <= 0 {
		n = defaultReadings
	}
	r := &Reading{most: n}
	r.init()
	return r
}

// init makes the zero Reading usable.
func (r *Reading) init() {
	if r.by == nil {
		r.most = cmp.Or(r.most, defaultReadings)
		r.recent, r.by, r.epochs = list.New(), map[readingKey]*list.Element{}, map[string]int{}
	}
}

// Shown credits the ranges that were returned to reader, not those it asked for.
// A unit counts when all of it was returned. Of more than 4096 fragments the
// smallest are dropped: what is credited was always shown.
func (r *Reading) Shown(reader, sha256 string, unit Unit, rs ...Range) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.at(reader, sha256)
	s.now[unit] = fewer(s.now[unit].Add(rs...))
	s.ever[unit] = fewer(s.ever[unit].Add(rs...))
}

// fewer drops the smallest fragments beyond the maximum.
func fewer(s Set) Set {
	if len(s) <= maxFragments {
		return s
	}
	bySize := slices.Clone(s)
	slices.SortStableFunc(bySize, func(a, b Range) int { return -cmp.Compare(a.Len(), b.Len()) })
	return Set(nil).Add(bySize[:maxFragments]...)
}

// Scanned credits a scan; only one of the whole licenses "there is none". The last
// 64 of an artifact are kept.
func (r *Reading) Scanned(reader, sha256 string, s Scan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.at(reader, sha256)
	s.Scanned = slices.Clone(s.Scanned)
	a.scans = append(a.scans, s)
	a.scans = slices.Clone(a.scans[max(0, len(a.scans)-maxScans):])
}

// Scans are the scans whose results reader got in its present epoch.
func (r *Reading) Scans(reader, sha256 string) []Scan {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.find(reader, sha256); s != nil {
		return slices.Clone(s.scans)
	}
	return nil
}

// Seen returns what reader has been shown in its present epoch; the first of
// Seen.Gaps(total) is what to read next.
func (r *Reading) Seen(reader, sha256 string, unit Unit) Set {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.find(reader, sha256); s != nil {
		return slices.Clone(s.now[unit])
	}
	return nil
}

// EverSeen returns what reader has been shown in all epochs.
func (r *Reading) EverSeen(reader, sha256 string, unit Unit) Set {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.by[readingKey{reader, sha256}]; e != nil {
		return slices.Clone(e.Value.(*seen).ever[unit])
	}
	return nil
}

// Compacted starts a new epoch for reader: its context was summarised, so nothing
// is before its eyes any more.
func (r *Reading) Compacted(reader string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known(reader) {
		r.epochs[reader]++
	}
}

// known reports whether anything is kept of reader; a reader of whom nothing is
// kept needs no epoch.
func (r *Reading) known(reader string) bool {
	for k := range r.by {
		if k.reader == reader {
			return true
		}
	}
	delete(r.epochs, reader)
	return false
}

// find is what is kept of the pair in the present epoch.
func (r *Reading) find(reader, sha256 string) *seen {
	e := r.by[readingKey{reader, sha256}]
	if e == nil {
		return nil
	}
	r.recent.MoveToFront(e)
	s := e.Value.(*seen)
	if s.epoch != r.epochs[reader] {
		s.epoch, s.now, s.scans = r.epochs[reader], map[Unit]Set{}, nil
	}
	return s
}

// at is what is kept of the pair, made if need be.
func (r *Reading) at(reader, sha256 string) *seen {
	if s := r.find(reader, sha256); s != nil {
		return s
	}
	r.init()
	s := &seen{key: readingKey{reader, sha256}, epoch: r.epochs[reader], now: map[Unit]Set{}, ever: map[Unit]Set{}}
	r.by[s.key] = r.recent.PushFront(s)
	if r.recent.Len() > r.most {
		oldest := r.recent.Back()
		gone := r.recent.Remove(oldest).(*seen).key
		delete(r.by, gone)
		r.known(gone.reader)
	}
	return s
}
