package coverage

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
)

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
	b.universe()
	b.snapshot()
	b.plan()
	b.explain()
	b.records()
	b.identity()
	b.byteInfo()
	b.merge()
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
	case s.Start != "" && s.End != "":
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
func (b *builder) meetShards() {
	if b.all.acc.plan == nil {
		return
	}
	for k, u := range b.all.acc.plan.units {
		n, numbered := shardNumber(k.name)
		if u.state == planned && (b.all.names[k.name] || numbered && inBlocks(b.ledger.blocks, n)) {
			u.state = succeeded
			u.attempts++
		}
	}
}

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
		if !r.exact { // doubles may stand for others
			return AtLeast(max(0, b.conf.universe.n-b.inSomeState()))
		}
		return Count{max(0, b.conf.universe.n-b.inSomeState()), b.conf.universe.count().Relation}
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
			if k.state != expected || k.code.Class() != ClassNotAttempted {
				continue
			}
			if r.Count.Relation != Eq || r.Unit != Item {
				return true
			}
			known += r.Count.Value
		}
	}
	for _, k := range b.all.acc.plan.keys() {
		switch u := b.all.acc.plan.units[k]; {
		case u.state == succeeded:
		case u.reason.Count.Relation != Eq || u.reason.Unit != Item && u.reason.Unit != "":
			return true
		default:
			known += u.reason.Count.Value
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
	if b.conf.universe.kind == KindEnumerated {
		return whole(b.all.acc.tallies[expected])
	}
	return Tally{Count: b.r.Universe.Count}
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

func (b *builder) identity() {
	r, c, out := b.res, b.conf, &b.r.Identity
	*out = IdentityInfo{Algorithm: "mset-add-sha256", KeyMode: c.keyMode, KeyID: hex.EncodeToString(c.keyID[:]),
		Mode: "digest", Status: "unverified", Effect: "unknown", Decoded: r.decoded, Nameless: b.all.acc.nameless}
	if c.keyMode == KeyPublic || c.keyMode == KeyRun && b.ledger.sealed {
		out.Key = hexKey(c.key)
	}
	switch {
	case r.exact:
		out.Mode = "exact"
	case b.all.acc.diff != nil:
		out.Mode, out.Cells = "sketch", b.all.acc.diff.table.Len()
	}
	out.Surplus = names(r.excess, b.r.Records.Surplus.Count)
	if c.universe.kind != KindEnumerated {
		if r.exact && r.surplus.n == 0 {
			out.Surplus.Count = Exactly(0)
		}
		out.Missing.Count = b.lacked
		return
	}
	out.Missing = names(r.missing, b.lacked)
	omitted, committed := len(r.missing) > 0 || r.unaccounted.n > 0, r.surplus.n > 0 || r.strays > 0
	out.Status, out.Effect = "mismatch", "both"
	switch {
	case !omitted && !committed:
		out.Status, out.Effect = "match", "none"
	case !r.decoded:
		out.Effect = "unknown"
	case !committed:
		out.Effect = "omission"
	case !omitted:
		out.Effect = "commission"
	}
}

func (b *builder) byteInfo() {
	s, out := &b.bytes, &b.r.Bytes
	a := s.whole()
	switch {
	case b.res.tallies[partial].n > 0 || b.res.contents == no:
		a = no
	case b.res.contents == yes && a == unknown:
		a = yes // every record has the digest that was promised
	}
	*out = BytesInfo{Complete: a.String(), Decoded: s.decoded, Framing: s.weakest, Bodies: s.bodies, Whole: s.complete,
		Cut: s.incomplete, Doubtful: s.unknown, Digests: s.verified,
		Contents:  [...]string{"unverified", "match", "mismatch"}[b.res.contents],
		Shortened: b.r.Records.LoadedPartial.Count}
	if s.bodies == 0 {
		return
	}
	out.Received = Exactly(s.encoded)
	if s.decoded > 0 {
		out.Received.Relation = Gte
	}
	if s.unstated < s.bodies {
		out.Expected = Exactly(s.want)
		if s.unstated > 0 {
			out.Expected.Relation = Gte
		}
	}
}

func (b *builder) merge() {
	f := &b.all
	b.r.Merge = MergeInfo{Shards: f.shards, Committed: f.committed, Attempts: f.attempts, Folded: f.inBlocks}
	for _, s := range f.changed[:min(len(f.changed), maxNamed)] {
		b.r.Merge.Conflicts = append(b.r.Merge.Conflicts, cmp.Or(clean(s), "(no name)"))
	}
	c := b.ledger.conflicts
	b.broken = !b.ledger.sealed || b.ledger.late > 0 || len(f.changed) > 0 || c != conflicts{}
}

// verdict decides, and fails closed: what is not proved is not complete.
func (b *builder) verdict() {
	v := &b.r.Acquisition
	v.Basis = BasisNone
	if b.conf.universe.kind == KindOpen {
		v.State = StatePlanPartial
		if !b.broken && b.openUnits == 0 && !b.all.signal.stops() && !b.noted && len(b.all.pending) == 0 && b.losses() == 0 {
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
	return b.all.acc.nameless > 0 || b.bytes.bodies > 0 && b.r.Bytes.Complete != "yes" || b.contradicted()
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
	s.IdentityComplete = b.conf.universe.kind == KindEnumerated && !b.broken && b.r.Identity.Status == "match" &&
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

// reasons collects everything that is missing, and why.
func (b *builder) reasons() {
	b.recordReasons()
	for _, k := range b.all.acc.plan.keys() {
		if u := b.all.acc.plan.units[k]; u.state != succeeded {
			b.because(unitReason(k, u))
		}
	}
	for _, r := range b.bytesWhy {
		b.because(r)
	}
	b.identityReasons()
	b.mergeReasons()
	b.r.Reasons = sumReasons(b.r.Reasons)
}

func (b *builder) because(r Reason) { b.r.Reasons = append(b.r.Reasons, r) }

// recordReasons are those that callers gave: for records, and as notes.
func (b *builder) recordReasons() {
	for _, r := range b.res.why {
		b.because(*r)
	}
	for _, k := range b.all.acc.causes.sorted() {
		if k.state == expected {
			b.noted = true
			b.because(*b.all.acc.causes.by[k])
		} else if !b.res.exact {
			b.because(*b.all.acc.causes.by[k])
		}
	}
}

// unitReason is why a unit is outstanding.
func unitReason(k unitKey, u *unit) Reason {
	r := u.reason
	switch u.state {
	case planned:
		r = Reason{Code: NotPlanned, Layer: LayerCapture, Message: "the unit was announced and never begun", Retryable: true}
	case running:
		r = Reason{Code: Unreachable, Layer: LayerCapture, Message: "the unit was begun and never ended", Retryable: true}
	}
	r.Where = cmp.Or(r.Where, k.String())
	if r.Count.Known() && r.Unit == "" {
		r.Unit = Item
	}
	return r
}

// identityReasons are the differences between what was expected and what came.
func (b *builder) identityReasons() {
	r := b.res
	item := func(c Code, l Layer, n Count, limit int64, message string) {
		b.because(Reason{Code: c, Layer: l, Unit: Item, Count: n, Limit: limit, Message: message})
	}
	if n := b.beyondLimit(); n > 0 {
		item(EntryLimit, LayerCapture, Exactly(n), b.conf.limit, "")
	} else if b.conf.limit > 0 && b.all.acc.arrived() >= b.conf.limit && b.r.Universe.Count.Relation != Eq && b.all.how != proved {
		item(EntryLimit, LayerCapture, Count{}, b.conf.limit, "the limit was reached; how many there are is not known")
	}
	if b.missing.Known() && b.missing.Value > 0 {
		item(TruncatedUnexplained, LayerSource, b.missing, 0, "expected, and in no state")
	}
	if r.surplus.n > 0 && r.split {
		if n := r.surplus.n - r.unexpected.n; n > 0 {
			item(DuplicateID, LayerCapture, Exactly(n), 0, "handed on more often than expected")
		}
	} else if r.surplus.n > 0 {
		item(IdentityMismatch, LayerCapture, b.r.Records.Surplus.Count, 0, "handed on more often than expected")
	}
	if n := r.unexpected.n + r.strays; n > 0 {
		item(UnexpectedID, LayerSource, Exactly(n), 0, "not among those expected")
	}
	if n := b.all.acc.nameless; n > 0 {
		item(IdentityMismatch, LayerSource, Exactly(n), 0, "without an id")
	}
	if n := r.mismatch; n > 0 {
		item(ContentChanged, LayerSource, Exactly(n), 0, "other content than promised")
	} else if r.contents == no {
		item(ContentChanged, LayerSource, AtLeast(1), 0, "other content than promised")
	}
	if r.varied > 0 {
		item(ContentChanged, LayerSource, Exactly(r.varied), 0, "one id with different contents")
	}
	if b.drift {
		b.because(Reason{Code: VersionChanged, Layer: LayerSource, Retryable: true,
			Message: "the source changed from " + quote(b.r.Snapshot.Start) + " to " + quote(b.r.Snapshot.End)})
	}
	if b.contradicted() {
		b.because(Reason{Code: TotalInconsistent, Layer: LayerSource,
			Message: "the stated total is " + b.conf.universe.String() + ", and " + strconv.FormatInt(b.inSomeState(), 10) + " came"})
	}
	b.cursorReasons()
}

// cursorReasons say what is wrong with the end of a cursor.
func (b *builder) cursorReasons() {
	switch b.all.signal {
	case PageCap:
		b.because(Reason{Code: PageLimit, Layer: LayerCapture, Message: "reading stopped at a limit on pages"})
	case NoProgress:
		b.because(Reason{Code: CursorRepeated, Layer: LayerSource, Message: "the cursor led back"})
	case Stopped:
		b.because(Reason{Code: ReadFailed, Layer: LayerTransport, Message: "reading stopped before the end of the cursor", Retryable: true})
	}
	if n := b.r.Plan.Repeated; n > 0 && b.conf.universe.kind == KindExhaustible {
		b.because(Reason{Code: CursorRepeated, Layer: LayerSource, Message: fmt.Sprintf("units were done again %d times", n)})
	}
}

// mergeReasons say why the accounts don't fit together.
func (b *builder) mergeReasons() {
	merge := func(c Code, message string) { b.because(Reason{Code: c, Layer: LayerCapture, Message: message}) }
	if !b.ledger.sealed {
		merge(PlanUnsealed, "the ledger was not sealed, so more may come")
	}
	c := b.ledger.conflicts
	if b.ledger.late > 0 || c.late {
		merge(PlanUnsealed, "records came after the commit")
	}
	if c.key {
		merge(KeyMismatch, "an account under another key was refused")
	}
	if c.universe {
		merge(ShardConflict, "an account of another universe was refused")
	}
	if c.shard {
		merge(ShardConflict, "two accounts without a shard name have different records")
	}
	for i, s := range b.all.pending {
		if i == maxNamed {
			break
		}
		b.because(Reason{Code: ShardMissing, Layer: LayerCapture, Where: clean(s), Message: "the shard was not committed", Retryable: true})
	}
	for i, s := range b.all.changed {
		if i == maxNamed {
			break
		}
		b.because(Reason{Code: NondeterministicRetry, Layer: LayerSource, Where: clean(s), Message: "two attempts have different records"})
	}
}

// maxReasons bounds the list; what is beyond it is summed by code.
const maxReasons = 64

// sumReasons sorts the reasons and, when there are too many, adds those up that
// differ in place only.
func sumReasons(rs []Reason) []Reason {
	slices.SortFunc(rs, compareReasons)
	if len(rs) <= maxReasons {
		return rs
	}
	var out []Reason
	for _, r := range rs {
		if n := len(out); n > 0 && out[n-1].Code == r.Code && out[n-1].Layer == r.Layer && out[n-1].Unit == r.Unit {
			out[n-1] = addReasons(out[n-1], r)
			continue
		}
		out = append(out, r)
	}
	return out
}
