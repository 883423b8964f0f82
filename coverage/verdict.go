package coverage

// verdict decides, and fails closed: what is not proved is not complete.
func (b *builder) verdict() {
	v := &b.r.Acquisition
	v.Basis = BasisNone
	if b.conf.universe.kind == KindOpen {
		v.State = StatePlanPartial
		if b.executed() {
			v.State = StatePlanExecuted
		}
		return
	}
	switch {
	case b.broken:
		v.State = StateIndeterminate
	case b.incomplete():
		v.State = StateIncomplete
	case b.doubtful():
		v.State = StateUnverifiable
	default:
		v.State, v.Basis = b.proof()
	}
	b.r.InputComplete = v.State == StateComplete || v.State == StateExhausted && b.conf.trustEnd
}

// executed reports whether every call that was planned was made, and its answer
// taken.
func (b *builder) executed() bool {
	return !b.broken && b.openUnits == 0 && !b.all.signal.stops() && !b.noted && len(b.all.pending) == 0 &&
		b.losses() == 0 && b.missing.Value == 0 && b.r.Bytes.Complete != "no"
}

// losses are the records that came to grief.
func (b *builder) losses() int64 {
	t := &b.res.tallies
	return t[partial].n + t[failed].n + t[lost].n + t[skipped].n
}

// incomplete reports whether something is known to be missing or too much.
func (b *builder) incomplete() bool {
	r := b.res
	return b.losses() > 0 || b.missing.Value > 0 || r.surplus.n > 0 || r.unexpected.n > 0 || r.strays > 0 ||
		b.r.Identity.Status == "mismatch" || b.drift || b.noted || b.openUnits > 0 || len(b.all.pending) > 0 ||
		b.r.Bytes.Complete == "no" || r.varied > 0 || !r.balanced && r.exact || b.all.signal.stops()
}

// doubtful reports whether something that was looked at could not be verified.
func (b *builder) doubtful() bool {
	return b.all.acc.nameless > 0 || b.bytes.bodies > 0 && b.bytes.whole() != yes && b.res.contents != yes ||
		b.contradicted() || b.res.blind
}

// contradicted reports whether the total is not that of what came.
func (b *builder) contradicted() bool {
	switch b.conf.universe.kind {
	case KindCounted:
		return b.inSomeState() > b.conf.universe.n || b.all.acc.tallies[expected].n > 0
	case KindAtLeast, KindExhaustible:
		return b.all.acc.tallies[expected].n > 0
	}
	return false
}

// proof is what can be said when nothing speaks against it.
func (b *builder) proof() (State, Basis) {
	switch b.conf.universe.kind {
	case KindEnumerated:
		if b.res.surely && b.r.Identity.Status == "match" {
			return StateComplete, BasisIdentity
		}
	case KindCounted:
		if b.res.exact {
			return StateComplete, BasisCount
		}
	case KindExhaustible:
		if b.all.how == proved && b.r.Snapshot.Isolation == "version_checked" && b.res.exact && b.r.Plan.Repeated == 0 {
			return StateExhausted, BasisExhaustion
		}
	}
	return StateUnverifiable, BasisNone
}

func (b *builder) summary() {
	s := &b.r.Summary
	s.Requested = b.r.Universe.Count
	s.Loaded, s.Filtered = b.r.Records.Loaded.Count, b.r.Records.Filtered.Count
	s.ByteComplete = b.r.Bytes.Complete == "yes"
	r := b.res
	s.IdentityComplete = b.conf.universe.kind == KindEnumerated && !b.broken && len(b.all.pending) == 0 && b.r.Identity.Status == "match" &&
		r.surely && r.tallies[failed].n+r.tallies[lost].n+r.tallies[skipped].n == 0 && b.all.acc.nameless == 0
	s.SourceSnapshot = b.r.Snapshot.Start
	switch sn := &b.r.Snapshot; {
	case b.drift:
		s.SourceSnapshot = sn.Start + ".." + sn.End
	case sn.Start == "":
		s.SourceSnapshot = sn.End
	}
	b.r.Request = RequestInfo{Limit: b.conf.limit,
		Fulfilled: b.r.InputComplete || b.conf.limit > 0 && b.res.exact && b.res.distinct >= b.conf.limit}
}
