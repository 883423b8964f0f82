package artifact

import (
	"log/slog"
	"time"
)

// Options are the clocks and quotas of a store. nil and the zero value mean the
// defaults.
type Options struct {
	// TTL is how long an artifact is kept from its Commit, when its Draft does
	// not say. 0: 24 hours; negative: for ever.
	TTL time.Duration

	// MaxBytes is the most that all artifacts together may hold, in bytes, the
	// bytes of unfinished Writers included. 0: 256 MiB in a Memory, 16 GiB
	// otherwise; negative: no limit. Indexes and tombstones are not counted.
	MaxBytes int64

	// MaxCount is the most artifacts, unfinished Writers included. 0: 100,000;
	// negative: no limit.
	MaxCount int

	// MaxScopeBytes is MaxBytes for each Scope. 0 and negative: no limit.
	MaxScopeBytes int64

	// Remember is how long a tombstone outlives the artifact, so that "expired"
	// and "deleted" are told apart from "not found". 0: 30 days; negative: not
	// at all. Of more than MaxCount tombstones a sweep forgets the oldest.
	Remember time.Duration

	// Grace is how long an expired artifact's bytes stay for Readers that are
	// open, and how long a sweep waits between marking and removing. Nothing
	// can be opened in that time. 0: 1 minute; negative: none.
	Grace time.Duration

	// SweepEvery is how often a Create sweeps first. 0: 10 minutes; negative:
	// never, so that the program calls Sweep.
	SweepEvery time.Duration

	// MaxOpen is the most files that a Dir reads and writes at once; for each it
	// may need three file descriptors, and a dozen for itself. 0: 256. Whoever
	// needs one more waits, 30 seconds at most. Open Readers and Writers of up to
	// 256 KiB need none.
	MaxOpen int

	// Unsynced makes Commit and Delete of a Dir not wait for the disk. They are
	// still atomic and survive the death of the process, but not that of the
	// machine: the artifact may then be not found or corrupt, which is said.
	Unsynced bool

	// Now is the clock. nil: time.Now.
	Now func() time.Time

	// Log is told what no caller can be told: Writers that were forgotten,
	// sweeps that failed inside a Create, artifacts that a sweep can't read.
	// nil: nobody.
	Log *slog.Logger
}

// The defaults of Options.
const (
	defaultTTL         = 24 * time.Hour
	defaultMaxBytes    = 16 << 30
	defaultMemoryBytes = 256 << 20
	defaultMaxCount    = 100_000
	defaultRemember    = 30 * 24 * time.Hour
	defaultGrace       = time.Minute
	defaultSweepEvery  = 10 * time.Minute
	defaultMaxOpen     = 256
)

// withDefaults returns a copy of o in which no field needs a default. Of such a
// copy it returns the same.
func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	c.TTL = orDefault(c.TTL, defaultTTL)
	c.MaxBytes = orDefault(c.MaxBytes, defaultMaxBytes)
	c.MaxCount = orDefault(c.MaxCount, defaultMaxCount)
	c.Remember = orDefault(c.Remember, defaultRemember)
	c.Grace = orDefault(c.Grace, defaultGrace)
	c.SweepEvery = orDefault(c.SweepEvery, defaultSweepEvery)
	if c.MaxOpen <= 0 {
		c.MaxOpen = defaultMaxOpen
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func (o Options) grace() time.Duration    { return max(0, o.Grace) }
func (o Options) remember() time.Duration { return max(0, o.Remember) }

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
