package coverage

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/toolclip/toolclip/internal/mset"
	"github.com/toolclip/toolclip/internal/riblt"
)

// Options configure a Ledger; nil and the zero value are usable.
type Options struct {
	// Limit is how many records the request asks for; 0 or less is no limit. A
	// request that reaches its limit is fulfilled; the universe may be incomplete.
	Limit int64

	// Key is the secret under which ids are hashed; without it a fresh one is drawn. All
	// ledgers that will be merged need the same: take it from Ledger.Key of the
	// one that reports. Who can choose ids and knows the key can hide a loss;
	// see PublicKey.
	Key []byte

	// Remember is how many different ids are kept, at some 270 bytes each, so
	// that every difference is named and every double known. 0 is 10,000,
	// negative is none. With more ids the ledger forgets them all and goes on
	// in constant memory: losses are still found and, up to Cells/2 of them,
	// named, but in universes whose ids are not expected doubles aren't known.
	Remember int

	// Cells is the size of the sketch that names differences in constant memory,
	// at 64 bytes for each cell, and 56 in MarshalBinary. 0 is 256, negative is
	// none; at least 8 and at most 65,536 are used. Cells/2 differences are named
	// in 97 of 100 cases from 64 cells on, and in 99 of 100 from 128. When they are
	// too many the report says so, and names none.
	Cells int

	// Shard is the name of the part of the work that this ledger accounts for,
	// and Attempt the number of the try. Of several attempts at one shard the
	// last that was committed counts. "" is for the ledger that merges the others.
	Shard   string
	Attempt int

	// EmptyCursor says what an empty string as the next cursor means at this
	// source. Without it CursorEmpty is no proof of the end.
	EmptyCursor EmptyCursor

	// TrustEnd makes the end of a cursor over one version of the source enough
	// for Summary.InputComplete. Without it only ids and counts are.
	TrustEnd bool
}

// config is what a ledger was made with; it does not change.
type config struct {
	universe Universe // without ids
	limit    int64
	key      []byte // the run key; nil: unknown
	keyID    [8]byte
	keyMode  KeyMode
	idKey    *mset.Key
	itemKey  *mset.Key
	remember int
	cells    int
	empty    EmptyCursor
	trustEnd bool
}

const (
	defaultRemember = 10_000
	defaultCells    = 256
)

func newConfig(u Universe, o Options) config {
	c := config{universe: u.known(), limit: max(0, o.Limit), remember: o.Remember, cells: o.Cells,
		empty: o.EmptyCursor, trustEnd: o.TrustEnd}
	c.universe.ids = nil
	if c.remember == 0 {
		c.remember = defaultRemember
	}
	switch {
	case c.cells == 0:
		c.cells = defaultCells
	case c.cells > 0:
		c.cells = min(max(c.cells, riblt.Min), riblt.Max)
	}
	switch {
	case len(o.Key) == 0:
		c.key = make([]byte, 32)
		rand.Read(c.key) // never fails: it ends the program instead
		c.keyMode = KeyRun
	case slices.Equal(o.Key, PublicKey()):
		c.key, c.keyMode = PublicKey(), KeyPublic
	default:
		c.key, c.keyMode = slices.Clone(o.Key), KeyGiven
	}
	c.useKey()
	return c
}

func (c *config) useKey() {
	c.keyID = keyID(c.key)
	c.idKey, c.itemKey = mset.NewKey(c.key, "id"), mset.NewKey(c.key, "item")
}

func keyID(key []byte) (id [8]byte) {
	h := sha256.Sum256(append([]byte("coverage/1 key id\x00"), key...))
	copy(id[:], h[:])
	return id
}

// KeyMode is how secret the key of the identity digests is.
type KeyMode string

// The key modes.
const (
	KeyRun    KeyMode = "run"    // drawn for this run, published by its report
	KeyGiven  KeyMode = "given"  // the caller's, not published
	KeyPublic KeyMode = "public" // known to all: a fingerprint, no proof against an adversary
)

// PublicKey is the key for digests that can be compared from run to run by anyone.
// They find accidents. Who can choose ids can make different sets with one digest
// under it, so don't take it where ids come from somebody you don't trust.
func PublicKey() []byte { return make([]byte, 32) }

// Ledger is the account of a set of records on their way to a model: every record
// that was expected or came ends in exactly one state. Make one with New; a zero
// Ledger is for UnmarshalBinary. Safe for concurrent use; the hashes are computed
// outside its lock.
//
// A record that is reported again ends in the best state that was said of it:
// loaded, then partial, filtered, failed, not attempted. So a retry that succeeds
// counts, in any order. A second copy that the model gets is a double. In constant
// memory (see Options.Remember) report each record once: there a second report is
// a surplus.
type Ledger struct {
	begun     sync.Once
	conf      config
	mu        sync.Mutex // guards what follows
	shard     string
	attempt   int
	own       *account
	committed bool
	sealed    bool
	late      int64 // records after the commit
	conflicts conflicts
	others    map[string]*entry
	blocks    []block
}

// New returns an empty ledger of u.
func New(u Universe, o *Options) *Ledger {
	if o == nil {
		o = new(Options)
	}
	l := &Ledger{shard: label(o.Shard), attempt: max(0, o.Attempt)}
	l.begun.Do(func() {
		l.conf = newConfig(u, *o)
		l.own = newAccount(&l.conf)
	})
	l.Expect(u.ids...)
	return l
}

// Key is the secret of this run, for the Options of the shards that will be merged.
// It is nil for a state that was read into a zero Ledger.
func (l *Ledger) Key() []byte {
	l.init()
	return slices.Clone(l.conf.key)
}

// Expect adds ids to an enumerated universe; in any other it is noted as a
// contradiction of the total.
func (l *Ledger) Expect(ids ...string) {
	for _, id := range ids {
		l.record(&event{id: id, state: expected})
	}
}

// ExpectContent adds id and the SHA-256 of its content. A record that is loaded
// with other content is then a loss, and the contents that match are evidence that
// all bytes came.
func (l *Ledger) ExpectContent(id string, sum [sha256.Size]byte) {
	l.record(&event{id: id, state: expected, given: true, content: sum})
}

// Loaded ends id's way: the model gets the record whole. The content is counted
// and hashed, not kept; nil says nothing about it. A record without an id ("") can
// not be accounted for, so it makes the ledger unverifiable.
func (l *Ledger) Loaded(id string, content []byte) {
	e := event{id: id, state: loaded, bytes: int64(len(content))}
	if content != nil {
		e.given, e.content = true, sha256.Sum256(content)
	}
	l.record(&e)
}

// Truncated ends id's way: the model gets a part of it. The zero Code is
// ByteTruncated.
func (l *Ledger) Truncated(id string, r Reason) { l.because(id, partial, r, ByteTruncated) }

// Filtered ends id's way: rule left it out. Rules are counted by name, the 64
// names that sort first apart and all others together.
func (l *Ledger) Filtered(id, rule string) {
	l.because(id, filtered, Reason{Where: label(cmp.Or(rule, "(no name)"))}, FilteredOut)
}

// Duplicate says that id came again and was not handed on. Where ids are kept and
// not expected, one that never came before is unaccounted for.
func (l *Ledger) Duplicate(id string) { l.record(&event{id: id, state: dropped}) }

// Failed ends id's way: it could not be loaded. By the code of r it came and could
// not be used (ParseFailed, Empty, …) or it never came (Timeout, HTTPStatus, …).
// The zero Code is ReadFailed.
func (l *Ledger) Failed(id string, r Reason) {
	r = r.tidy(ReadFailed)
	s := failed
	if r.Code.beforeArrival() {
		s = lost
	}
	l.because(id, s, r, ReadFailed)
}

// NotAttempted ends id's way: nobody asked for it. The zero Code is NotPlanned.
func (l *Ledger) NotAttempted(id string, r Reason) { l.because(id, skipped, r, NotPlanned) }

func (l *Ledger) because(id string, s state, r Reason, c Code) {
	r = r.tidy(c)
	if r.Where == "" {
		r.Where = clean(id)
	}
	l.record(&event{id: id, state: s, reason: &r})
}

func (l *Ledger) record(e *event) {
	l.init()
	if l.conf.key == nil {
		l.keyless()
		return
	}
	e.hash = l.conf.idKey.Hash(e.id)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.committed {
		l.late++
	}
	l.own.record(e, &l.conf)
}

// keyless remembers that a record could not be booked, because the state was read
// into a zero Ledger, which doesn't know the key.
func (l *Ledger) keyless() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conflicts.key = true
}

// init makes a zero Ledger one of an open universe. From then on l.conf doesn't
// change, so that it is read outside the lock.
func (l *Ledger) init() {
	l.begun.Do(func() {
		l.conf = newConfig(Open(), Options{})
		l.own = newAccount(&l.conf)
	})
}

// Note adds a loss that is not about one record: a source that says it answered in
// part, a cap that was met, a deadline. A ledger with a Note is not complete. One
// about records that were never asked for or could not be read explains as many
// missing ones as its Count says, in items, and without a Count any number. The
// zero Code is TruncatedUnexplained.
func (l *Ledger) Note(r Reason) {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.own.reasons().note(r.tidy(TruncatedUnexplained))
}

// Snapshot records the version of the source (an ETag, a revision, a log position)
// at the start and at the end of reading; "" is not known. Versions that differ
// are drift, which is a reason; the same one at both ends makes the end of a
// cursor mean something. Those of the ledger that merges the shards are around all
// of them; without it every shard that reads needs its own.
func (l *Ledger) Snapshot(start, end string) {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, v := range [2]string{start, end} {
		if v != "" {
			l.own.reasons().version(i, label(v))
		}
	}
}

// Commit publishes this attempt: until then a ledger that it is merged into only
// knows that it was begun. What is recorded afterwards is flagged.
func (l *Ledger) Commit() {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.committed = true
}

// Seal ends the plan: no more shards, pages and records will come. It commits this
// ledger's own account. The report of a ledger that is not sealed is
// indeterminate.
func (l *Ledger) Seal() {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.committed, l.sealed = true, true
}
