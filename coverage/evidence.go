package coverage

import (
	"cmp"
	"encoding/hex"
	"math"
)

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
	case a == yes && s.unseen > 0:
		a = unknown // of some pages nobody showed the body
	}
	if a == yes && (b.broken || b.openUnits > 0 || len(b.all.pending) > 0) {
		a = unknown // of those that came all did, and there are others
	}
	*out = BytesInfo{Complete: a.String(), Decoded: s.decoded, Framing: s.weakest, Bodies: s.bodies, Whole: s.complete,
		Cut: s.incomplete, Doubtful: s.unknown, Unseen: s.unseen, Digests: s.verified,
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
		if s.unstated > 0 || s.want == math.MaxInt64 {
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
