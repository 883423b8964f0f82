// Package artifacttest proves or disproves each promise of an [artifact.Store].
//
// A backend of one's own is tested in a few lines:
//
//	func TestStore(t *testing.T) {
//		artifacttest.Run(t, artifacttest.Harness{
//			New: func(o artifact.Options) (artifact.Store, error) {
//				return artifact.New(newBackend(t), &o), nil
//			},
//		})
//	}
//
// Every promise ends as proven, broken or not proven. A promise that needs what
// the Harness or the store does not have is reported as not proven, with what
// was missing: it can't pass by silence. What can't be proven from outside the
// process (that bytes survive its death, or the machine's) is not in the suite;
// README.md of package artifact names the tests that do it for a Dir.
package artifacttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/toolclip/toolclip/artifact"
)

// Harness makes stores to test. A nil field is a capability that is not there,
// and the promises that need it are not proven.
type Harness struct {
	// New makes an empty store, required. The suite gives it a clock in o.Now
	// and quotas; a store that ignores them breaks promises. A store that is an
	// io.Closer is closed after use.
	New func(o artifact.Options) (artifact.Store, error)

	// Reopen makes a second store over the same data and with the same options,
	// as another process would. The first one stays in use.
	Reopen func(artifact.Store) (artifact.Store, error)

	// Corrupt changes the stored byte at off of an artifact's content. The
	// artifact is the only one in the store.
	Corrupt func(s artifact.Store, scope artifact.Scope, h artifact.Handle, off int64) error

	// Fault makes every access of the store to its storage fail with err, until
	// restore is called.
	Fault func(s artifact.Store, err error) (restore func())
}

// Sweeper is a Store that can be told to remove what has expired. Stores of
// package artifact are Sweepers.
type Sweeper interface {
	Sweep(context.Context) (artifact.Swept, error)
}

// Outcome is one promise and what became of it: proven, broken (Err) or not
// proven (Why).
type Outcome struct {
	Promise string
	Proven  bool
	Err     error  // what broke it
	Why     string // what was missing to try it
}

// String is the Outcome on one line, or more if the promise was broken.
func (o Outcome) String() string {
	switch {
	case o.Err != nil:
		return fmt.Sprintf("BROKEN      %s: %v", o.Promise, o.Err)
	case !o.Proven:
		return fmt.Sprintf("not proven  %s: %s", o.Promise, o.Why)
	}
	return "proven      " + o.Promise
}

// Check runs the suite without a testing.T. It takes some seconds. The promises
// are always the same, in the same order.
func Check(h Harness) []Outcome {
	var all []Outcome
	for _, p := range promises {
		all = append(all, prove(h, p))
	}
	return all
}

// Run is Check as subtests, one for each promise: broken fails, not proven is
// skipped with the reason. The table of all is logged.
func Run(t *testing.T, h Harness) {
	t.Helper()
	var table strings.Builder
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			o := prove(h, p)
			fmt.Fprintln(&table, o)
			switch {
			case o.Err != nil:
				t.Error(o.Err)
			case !o.Proven:
				t.Skip("not proven: " + o.Why)
			}
		})
	}
	t.Logf("\n%s", table.String())
}

// promise is one thing that a store owes its users.
type promise struct {
	name string
	test func(*check)
}

// promises are in the order of the package comment of artifact.
var promises = []promise{
	{"what was committed is read back byte for byte", readBack},
	{"ranges are those of io.ReaderAt", ranges},
	{"Info is true and complete", info},
	{"nothing is visible before Commit", invisible},
	{"an aborted Writer leaves nothing", aborted},
	{"the first of Commit and Abort decides", firstDecides},
	{"buffers stay their owner's", buffers},
	{"an incomplete artifact says so", incomplete},
	{"lines are found without reading from the start", lineIndex},
	{"items are found where they were marked", itemIndex},
	{"items that can't be are refused, and cost nothing else", itemsRefused},
	{"handles are canonical and never repeat", handles},
	{"hostile handles are not found", hostileHandles},
	{"strangers learn nothing", strangers},
	{"scopes are compared as a whole", wholeScopes},
	{"the announced time is kept to the instant", announced},
	{"the time to live runs from Commit", fromCommit},
	{"expired is said before and after a sweep", expiredStays},
	{"a clock that is wrong for a moment destroys nothing", clockJumps},
	{"deleted is said as deleted", deleted},
	{"an open Reader gets true bytes or a named error", openReader},
	{"contexts end what they govern", contexts},
	{"the byte quota holds, unfinished artifacts included", byteQuota},
	{"the count quota holds, unfinished artifacts included", countQuota},
	{"each scope has its own quota", scopeQuota},
	{"quotas are given back", quotaBack},
	{"quotas hold under concurrent Writers", quotaRace},
	{"an idempotency key names one artifact", keyed},
	{"an idempotency key with other bytes is refused", keyReused},
	{"idempotency keys of two scopes are two", keyScopes},
	{"concurrent Writers of one key agree", keyRace},
	{"everything may be used concurrently", concurrent},
	{"a second store over the same data sees the same", reopened},
	{"two stores over the same data agree on keys and deletions", twoStores},
	{"a changed byte is reported with its place, the rest is readable", corrupt},
	{"a fault of the storage is said, and leaves nothing half done", fault},
	{"nothing is left behind in the process", leaks},
}

// failure and unproven end a promise's test from within.
type (
	failure  struct{ error }
	unproven string
)

// prove tests one promise on a fresh store.
func prove(h Harness, p promise) (o Outcome) {
	o = Outcome{Promise: p.name}
	c := &check{h: h, clock: newClock()}
	defer func() {
		switch r := recover().(type) {
		case nil:
			o.Proven = true
		case failure:
			o.Err = r.error
		case unproven:
			o.Why = string(r)
		default:
			o.Err = fmt.Errorf("panic: %v", r)
		}
		if err := c.close(); err != nil && o.Err == nil {
			o.Proven, o.Err = false, fmt.Errorf("closing the store: %w", err)
		}
	}()
	if h.New == nil {
		panic(unproven("Harness.New is nil"))
	}
	p.test(c)
	return o
}

// close closes the stores that the test made, the last one first.
func (c *check) close() error {
	var errs []error
	for i := len(c.stores) - 1; i >= 0; i-- {
		if cl, ok := c.stores[i].(io.Closer); ok {
			errs = append(errs, cl.Close())
		}
	}
	return errors.Join(errs...)
}
