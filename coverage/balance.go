package coverage

// explain moves records from unaccounted to not attempted when a limit, a page
// that failed or a cursor that stopped accounts for all of them. When it can't
// account for all, all stay: which of them it does account for is not known.
func (b *builder) explain() {
	u := &b.res.unaccounted
	b.lacked = b.lacking()
	b.missing = b.lacked
	if b.conf.universe.kind == KindCounted && b.missing.Relation == Eq {
		u.n = b.missing.Value
	}
	if b.missing.Relation != Eq || u.n == 0 || !b.explained(u.n) {
		return
	}
	b.res.tallies[skipped].plus(*u)
	*u = tally{}
	b.missing = Exactly(0)
}

// lacking is how many records are in no state.
func (b *builder) lacking() Count {
	switch r := b.res; b.conf.universe.kind {
	case KindEnumerated:
		if r.decoded {
			return Exactly(r.unaccounted.n)
		}
		return AtLeast(r.unaccounted.n)
	case KindCounted, KindAtLeast:
		n := max(0, b.conf.universe.n-b.inSomeState())
		if !r.exact || r.unaccounted.n > n { // doubles may stand for others
			return AtLeast(max(n, r.unaccounted.n))
		}
		return Count{n, b.conf.universe.count().Relation}
	}
	if n := b.res.unaccounted.n; n > 0 {
		return AtLeast(n)
	}
	return Count{}
}

// inSomeState is how many of the records that there are have ended.
func (b *builder) inSomeState() int64 {
	var n int64
	for _, s := range [...]state{loaded, partial, filtered, failed, lost, skipped} {
		n += b.res.tallies[s].n
	}
	return n
}

// explained reports whether n records may be missing for reasons that are known.
func (b *builder) explained(n int64) bool {
	known := b.beyondLimit()
	if b.all.signal.stops() {
		return true
	}
	if c := b.all.acc.causes; c != nil {
		for k, r := range c.by {
			if k.state != expected || !k.code.beforeArrival() {
				continue
			}
			if r.Count.Relation != Eq || r.Unit != Item {
				return true
			}
			known = plus(known, r.Count.Value)
		}
	}
	for _, k := range b.all.acc.plan.keys() {
		switch u := b.all.acc.plan.units[k]; {
		case u.state == succeeded:
		case u.reason.Count.Relation != Eq || u.reason.Unit != Item && u.reason.Unit != "":
			return true
		default:
			known = plus(known, u.reason.Count.Value)
		}
	}
	return n <= known
}

// beyondLimit is how many records the request did not ask for.
func (b *builder) beyondLimit() int64 {
	if b.conf.limit == 0 || b.all.acc.arrived() < b.conf.limit || b.r.Universe.Count.Relation != Eq {
		return 0
	}
	return max(0, b.r.Universe.Count.Value-b.conf.limit)
}

func (b *builder) records() {
	r, out := b.res, &b.r.Records
	whole := func(t tally) Tally { return Tally{Exactly(t.n), t.bytes, digest(t.n, t.sum)} }
	of := whole
	if !r.surely {
		// Which state a surplus is in is not known, so each may be this much less.
		of = func(t tally) Tally { return Tally{Count: b.loose(t.n), Bytes: t.bytes} }
	}
	out.Loaded, out.LoadedPartial, out.Filtered = of(r.tallies[loaded]), of(r.tallies[partial]), of(r.tallies[filtered])
	gone := r.tallies[failed]
	gone.plus(r.tallies[lost])
	out.Failed, out.FailedReceived = of(gone), of(r.tallies[failed])
	out.NotAttempted = of(r.tallies[skipped])
	out.Expected = b.expectedTally(whole)
	var came tally
	for _, s := range [...]state{loaded, partial, filtered, failed, dropped} {
		came.plus(b.all.acc.tallies[s])
	}
	out.Received = whole(came)
	out.Duplicate, out.Unexpected = whole(r.duplicate), whole(r.unexpected)
	if !r.split {
		out.Duplicate, out.Unexpected = Tally{Count: AtLeast(r.duplicate.n)}, Tally{}
	}
	b.differences(whole)
	out.Balanced = r.balanced
}

// loose is the count of a state of which an unknown part may be surplus.
func (b *builder) loose(n int64) Count {
	if n == 0 {
		return Exactly(0)
	}
	if b.conf.universe.kind != KindEnumerated {
		return Count{n, Estimate} // doubles aren't known
	}
	if !b.res.decoded {
		return Count{n, Estimate}
	}
	least := max(0, n-b.res.surplus.n)
	if n == b.inSomeState() { // the only state
		return Exactly(least)
	}
	if least == n {
		return Exactly(n)
	}
	return AtLeast(least)
}

func (b *builder) expectedTally(whole func(tally) Tally) Tally {
	if b.conf.universe.kind != KindEnumerated {
		return Tally{Count: b.r.Universe.Count}
	}
	t := whole(b.all.acc.tallies[expected])
	t.Count = b.r.Universe.Count
	return t
}

// differences writes down what is unaccounted and what is in surplus.
func (b *builder) differences(whole func(tally) Tally) {
	r, out := b.res, &b.r.Records
	out.Unaccounted = Tally{Count: b.missing}
	out.Surplus = Tally{Count: AtLeast(r.surplus.n)}
	named := b.conf.universe.kind == KindEnumerated && r.decoded
	if named && !r.long {
		out.Unaccounted = whole(r.unaccounted)
	}
	switch {
	case !r.decoded && b.conf.universe.kind != KindEnumerated:
		out.Surplus = Tally{}
	case r.decoded && !r.long:
		out.Surplus = whole(r.surplus)
	case r.decoded:
		out.Surplus = Tally{Count: Exactly(r.surplus.n)}
	}
	if b.conf.universe.kind == KindCounted && out.NotAttempted.Count.Value > 0 && b.all.acc.tallies[skipped].n != out.NotAttempted.Count.Value {
		out.NotAttempted.Digest = "" // some are known by number only
	}
	if r.long && r.tallies[skipped].n > 0 {
		out.NotAttempted.Digest = ""
	}
}
