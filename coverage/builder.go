package coverage

import "slices"

// builder makes a Report of what was recorded.
type builder struct {
	ledger *Ledger
	conf   *config
	all    folded
	res    *resolved
	r      Report

	lacked    Count // records whose end nobody reported
	missing   Count // those of them that nothing explains
	bytes     byteSum
	bytesWhy  []Reason
	noted     bool // a Note, which always counts against completeness
	broken    bool // the accounts don't fit together
	drift     bool
	openUnits int64
}

func (b *builder) report() Report {
	b.r.Schema = SchemaName
	b.res = resolve(b.all.acc, b.conf)
	b.bytes, b.bytesWhy = b.all.acc.plan.bytes()
	b.merge()
	b.universe()
	b.snapshot()
	b.plan()
	b.explain()
	b.records()
	b.identity()
	b.byteInfo()
	b.reasons()
	b.verdict()
	if b.r.Acquisition.State == StateExhausted {
		b.r.Universe.Count = Exactly(b.res.distinct)
		b.r.Records.Expected.Count = b.r.Universe.Count
	}
	b.summary()
	b.r.Claims = b.r.claims()
	return b.r
}

func (b *builder) universe() {
	u := &b.r.Universe
	u.Kind, u.Authority = b.conf.universe.kind, b.conf.universe.authority()
	switch u.Kind {
	case KindEnumerated:
		u.Count = Exactly(b.all.acc.tallies[expected].n)
		if b.broken || len(b.all.pending) > 0 { // others may be expected
			u.Count.Relation = Gte
		}
	case KindCounted:
		u.Count = b.conf.universe.count()
	case KindAtLeast:
		u.Count = AtLeast(b.conf.universe.n)
		if b.res.exact {
			u.Count.Value = max(u.Count.Value, b.res.distinct)
		}
	case KindExhaustible:
		if b.res.exact {
			u.Count = AtLeast(b.res.distinct)
		}
	}
}

func (b *builder) snapshot() {
	s := &b.r.Snapshot
	s.Isolation = "unknown"
	c := b.all.acc.causes
	if c == nil {
		return
	}
	start, end := c.versions[0], c.versions[1]
	seen := append(slices.Clone(start), end...)
	if len(seen) == 0 {
		return
	}
	if len(start) > 0 {
		s.Start = start[0]
	}
	if len(end) > 0 {
		s.End = end[len(end)-1]
	}
	for _, v := range seen {
		b.drift = b.drift || v != seen[0]
	}
	switch {
	case b.drift:
		s.Isolation = "changed"
		if s.Start == s.End || s.Start == "" || s.End == "" {
			s.Start, s.End = slices.Min(seen), slices.Max(seen)
		}
	case s.Start != "" && s.End != "" && b.all.looked():
		s.Isolation = "version_checked"
	}
}

func (b *builder) plan() {
	b.meetShards()
	p := &b.r.Plan
	s := b.all.acc.plan.sum()
	*p = PlanInfo{Sealed: b.ledger.sealed, Units: s.Total, Succeeded: s.Succeeded, Failed: s.Failed, TimedOut: s.TimedOut,
		Skipped: s.Skipped, NotStarted: s.NotStarted, Unfinished: s.Unfinished, Attempts: s.Attempts, Repeated: s.Repeated,
		EndSignal: b.all.signal, EndProof: [...]string{"none", "claimed", "proved", "no_cursor"}[b.all.how]}
	b.openUnits = s.Total - s.Succeeded
	for _, k := range b.all.acc.plan.keys() {
		if b.all.acc.plan.units[k].state == succeeded {
			continue
		}
		if len(p.Unreachable) < maxNamed {
			p.Unreachable = append(p.Unreachable, k.String())
		} else {
			p.Unlisted++
		}
	}
}

// meetShards counts a planned unit as done when a shard of its name was committed.
// Units of a shard are its own: its page 2 is not met by shard 2.
func (b *builder) meetShards() {
	if b.all.acc.plan == nil {
		return
	}
	for k, u := range b.all.acc.plan.units {
		n, numbered := shardNumber(k.name)
		if k.shard == "" && u.state == planned && (b.all.names[k.name] || numbered && inBlocks(b.ledger.blocks, n)) {
			u.state = succeeded
			u.attempts++
		}
	}
}
