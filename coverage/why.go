package coverage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

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
	for _, r := range b.res.why.by {
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
	b.limitReason()
	if b.missing.Known() && b.missing.Value > 0 {
		b.item(TruncatedUnexplained, LayerSource, b.missing, first(r.missing, false), "expected, and in no state")
	}
	doubles := r.surplus.n - r.unexpected.n
	switch {
	case r.split && doubles > 0:
		b.item(DuplicateID, LayerCapture, Exactly(doubles), first(r.excess, false), "handed on more often than expected")
	case !r.split && r.surplus.n > 0:
		b.item(IdentityMismatch, LayerCapture, b.r.Records.Surplus.Count, first(r.excess, false), "handed on more often than expected")
	}
	if n := r.unexpected.n + r.strays; n > 0 {
		b.item(UnexpectedID, LayerSource, Exactly(n), first(r.excess, true), "not among those expected")
	}
	if n := b.all.acc.nameless; n > 0 {
		b.item(IdentityMismatch, LayerSource, Exactly(n), "", "without an id")
	}
	b.contentReasons()
	b.sourceReasons()
	b.cursorReasons()
}

// item adds a reason for n records.
func (b *builder) item(c Code, l Layer, n Count, where, message string) {
	b.because(Reason{Code: c, Layer: l, Unit: Item, Count: n, Where: where, Message: message})
}

// first is the id of the first of ds that has one and is a stranger or not.
func first(ds []difference, stranger bool) string {
	for _, d := range ds {
		if d.id != "" && d.stranger == stranger {
			return clean(d.id)
		}
	}
	return ""
}

// limitReason says what the limit of the request left out: no more than is
// missing, and without a number when pages may account for some of it.
func (b *builder) limitReason() {
	r := Reason{Code: EntryLimit, Layer: LayerCapture, Unit: Item, Limit: b.conf.limit}
	if n := b.beyondLimit(); n > 0 {
		if b.lacked.Relation == Eq {
			n = min(n, b.lacked.Value)
		}
		if b.openUnits == 0 && !b.all.signal.stops() {
			r.Count = Exactly(n)
		}
		if n > 0 {
			b.because(r)
		}
		return
	}
	open := b.r.Universe.Count.Relation != Eq && b.all.how != proved
	if open && b.conf.limit > 0 && b.all.acc.arrived() >= b.conf.limit {
		r.Message = "the limit was reached; how many there are is not known"
		b.because(r)
	}
}

// contentReasons say which contents are not what they should be.
func (b *builder) contentReasons() {
	r := b.res
	switch {
	case r.mismatch > 0:
		b.item(ContentChanged, LayerSource, Exactly(r.mismatch), "", "other content than promised")
	case r.contents == no:
		b.item(ContentChanged, LayerSource, AtLeast(1), "", "other content than promised")
	}
	if r.blind {
		b.because(Reason{Code: TruncatedUnexplained, Layer: LayerCapture,
			Message: "some contents were promised, which constant memory can't compare with those that came"})
	}
	if r.varied > 0 {
		b.item(ContentChanged, LayerSource, Exactly(r.varied), "", "one id with different contents")
	}
}

// sourceReasons say where the source contradicts itself.
func (b *builder) sourceReasons() {
	if b.drift {
		b.because(Reason{Code: VersionChanged, Layer: LayerSource, Retryable: true,
			Message: "the source changed from " + quote(b.r.Snapshot.Start) + " to " + quote(b.r.Snapshot.End)})
	}
	if b.contradicted() {
		b.because(Reason{Code: TotalInconsistent, Layer: LayerSource,
			Message: "the stated total is " + b.conf.universe.String() + ", and " + strconv.FormatInt(b.inSomeState(), 10) + " came"})
	}
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
		b.because(Reason{Code: CursorRepeated, Layer: LayerSource, Message: fmt.Sprintf("units were done again %d %s", n, Exactly(n).of("time", "times"))})
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
const maxReasons = 128

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
