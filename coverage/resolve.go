package coverage

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/toolclip/toolclip/internal/mset"
)

// resolved is every record in exactly one state.
type resolved struct {
	tallies     [states]tally // without doubles and strangers; dropped is unused
	duplicate   tally         // came again
	unexpected  tally         // came, and nobody expected it
	unaccounted tally         // expected, and in no state
	surplus     tally         // handed on more often than expected; part of the two above in exact mode
	strays      int64         // reported missing, and nobody expected them
	distinct    int64         // different ids that came

	exact    bool // every id is known
	surely   bool // counts and digests are exact
	split    bool // duplicate and unexpected are told apart
	missing  []difference
	excess   []difference
	decoded  bool
	long     bool  // of some differences only 31 bytes of the hash are known
	blind    bool  // contents were promised and can't be compared with those that came
	mismatch int64 // records with other content than promised
	varied   int64 // ids that came with several contents
	verified int64 // records with the content that was promised
	contents answer
	balanced bool
	why      causes // reasons for records, in exact mode
}

// resolve puts every record into its state.
func resolve(a *account, c *config) *resolved {
	if a.mem != nil {
		return resolveIDs(a, c)
	}
	return resolveSums(a, c)
}

// resolveIDs does it id by id.
func resolveIDs(a *account, c *config) *resolved {
	r := &resolved{exact: true, surely: true, split: true, decoded: true}
	for _, id := range slices.Sorted(maps.Keys(a.mem.ids)) {
		r.id(id, a.mem.ids[id], c.universe.kind == KindEnumerated)
	}
	r.balanced = r.balances(a) && (c.universe.kind != KindEnumerated || r.tallies[expected] == a.tallies[expected])
	r.contents = unknown
	switch n := r.tallies[expected].n; {
	case r.mismatch > 0:
		r.contents = no
	case n > 0 && r.verified == n:
		r.contents = yes
	}
	return r
}

// id divides the deliveries of one id among the places that are expected for it,
// the best state first. Where ids aren't known beforehand, one that came is
// expected once; if it was only ever dropped as a double, it is unaccounted for.
func (r *resolved) id(id string, k *known, enumerated bool) {
	want := k.n[expected]
	if !enumerated {
		want = min(1, k.ends()+k.n[dropped])
	}
	r.tallies[expected].addTimes(&k.hash, want)
	free := want
	var doubles, excess int64
	for s := loaded; s < dropped; s++ {
		take := min(k.n[s], free)
		free -= take
		if take > 0 {
			r.tallies[s].addTimes(&k.hash, take)
			r.blame(k, s, take)
		}
		switch over := k.n[s] - take; {
		case over == 0:
		case s == loaded || s == partial:
			doubles += over
			excess += over
		case s == filtered || s == failed:
			doubles += over
		case want == 0:
			r.strays += over // otherwise it was tried again
		}
	}
	r.duplicate.addTimes(&k.hash, k.n[dropped])
	r.spare(id, k, want, doubles, excess)
	r.bytesOf(k, want)
	if free > 0 {
		r.unaccounted.addTimes(&k.hash, free)
		r.missing = append(r.missing, difference{id: id, hash: k.hash, n: free})
	}
	r.compareContents(k)
	if k.n[loaded]+k.n[partial]+k.n[filtered]+k.n[failed] > 0 {
		r.distinct++
	}
}

// ends is how often an end was reported.
func (k *known) ends() (n int64) {
	for s := loaded; s < dropped; s++ {
		n += k.n[s]
	}
	return n
}

// spare books the deliveries beyond those expected.
func (r *resolved) spare(id string, k *known, want, doubles, excess int64) {
	if want > 0 {
		r.duplicate.addTimes(&k.hash, doubles)
	} else {
		r.unexpected.addTimes(&k.hash, doubles)
		excess = doubles
	}
	if excess > 0 {
		r.surplus.addTimes(&k.hash, excess)
		r.excess = append(r.excess, difference{id: id, hash: k.hash, n: excess, stranger: want == 0})
	}
}

// bytesOf divides the bytes of the loaded copies between the record and its doubles.
func (r *resolved) bytesOf(k *known, want int64) {
	if k.n[loaded] == 0 {
		return
	}
	mine := k.bytes / k.n[loaded] * min(k.n[loaded], want)
	if k.n[loaded] <= want {
		mine = k.bytes
	}
	r.tallies[loaded].bytes += mine
	if want > 0 {
		r.duplicate.bytes += k.bytes - mine
	} else {
		r.unexpected.bytes += k.bytes - mine
	}
}

func (r *resolved) compareContents(k *known) {
	if k.contents == 2 {
		r.varied++
	}
	switch {
	case k.wants == 0 || k.contents == 0:
	case k.wants == 1 && k.contents == 1 && k.want == k.content:
		r.verified += min(k.n[expected], k.n[loaded])
	case k.wants == 1:
		r.mismatch++
	}
}

// blame counts the reason for n records in state s.
func (r *resolved) blame(k *known, s state, n int64) {
	for _, c := range k.why {
		if c.state != s {
			continue
		}
		x := c.reason
		x.Unit, x.Count = Item, Exactly(n)
		r.why.add(keyOf(s, x), x)
	}
}

// balances checks the equations over counts and digests: what was booked as it
// came, against what every id was found to be.
func (r *resolved) balances(a *account) bool {
	var sum, came tally
	for _, s := range [...]state{loaded, partial, filtered, failed, lost, skipped} {
		sum.plus(r.tallies[s])
	}
	sum.plus(r.unaccounted)
	for _, s := range [...]state{loaded, partial, filtered, failed} {
		came.plus(r.tallies[s])
	}
	came.plus(r.duplicate)
	came.plus(r.unexpected)
	var raw tally
	for _, s := range [...]state{loaded, partial, filtered, failed, dropped} {
		raw.plus(a.tallies[s])
	}
	return sum.n == r.tallies[expected].n && sum.sum == r.tallies[expected].sum &&
		came.n == raw.n && came.sum == raw.sum && came.bytes == raw.bytes
}

// resolveSums does it from digests and the sketch.
func resolveSums(a *account, c *config) *resolved {
	r := &resolved{tallies: a.tallies, duplicate: a.tallies[dropped], distinct: a.arrived() - a.tallies[dropped].n}
	r.tallies[dropped] = tally{}
	if c.universe.kind != KindEnumerated {
		return r
	}
	var done tally
	for _, s := range [...]state{loaded, partial, filtered, failed, lost, skipped} {
		done.plus(a.tallies[s])
	}
	n, sum := a.tallies[expected].n-done.n, a.tallies[expected].sum.Minus(done.sum)
	if n == 0 && sum.IsZero() {
		r.surely, r.decoded, r.split, r.balanced = true, true, true, true
		r.contents = sameContents(a)
		r.blind = r.contents == unknown && a.wanted.n > 0 && a.got.n > 0
		return r
	}
	if a.diff == nil || c.idKey == nil || !r.decode(a.diff, c.idKey, n, sum) {
		r.unaccounted.n, r.surplus.n = max(n, 0), max(-n, 0)
		if n == 0 { // different, and equal in number
			r.unaccounted.n, r.surplus.n = 1, 1
		}
		return r
	}
	r.surely = r.surplus.n == 0
	r.split = r.surely
	r.balanced = true // decode has compared the digests
	return r
}

// decode names the difference, verified against the digest.
func (r *resolved) decode(s *sketch, key *mset.Key, n int64, sum mset.Sum) bool {
	ds, ok := s.decode(key, n, sum)
	if !ok {
		return false
	}
	slices.SortFunc(ds, func(a, b difference) int {
		return cmp.Or(cmp.Compare(a.id, b.id), compareHash(&a.hash, &b.hash))
	})
	for _, d := range ds {
		r.long = r.long || d.long
		if d.n > 0 {
			r.unaccounted.addTimes(&d.hash, d.n)
			r.missing = append(r.missing, d)
		} else {
			d.n = -d.n
			r.surplus.addTimes(&d.hash, d.n)
			r.excess = append(r.excess, d)
		}
	}
	r.decoded = true
	return true
}

// sameContents compares the contents that came with those promised, when there is
// one for every record and no other state than loaded.
func sameContents(a *account) answer {
	n := a.tallies[expected].n
	switch {
	case n == 0 || a.wanted.n != n || a.got.n != n || a.tallies[loaded].n != n:
		return unknown
	case a.wanted.sum == a.got.sum:
		return yes
	}
	return no
}

// maxNamed is how many ids a list names.
const maxNamed = 256

// names writes ds down.
func names(ds []difference, count Count) Names {
	n := Names{Count: count, Unlisted: int64(max(0, len(ds)-maxNamed))}
	for _, d := range ds[:min(len(ds), maxNamed)] {
		x := Named{ID: d.id, Times: d.n}
		switch {
		case d.long:
			x = Named{Hash: hex.EncodeToString(d.hash[:inlineBytes]), Times: d.n}
		case d.id == "" || len(d.id) > maxMessage || !utf8.ValidString(d.id):
			x = Named{Hash: hex.EncodeToString(d.hash[:]), Times: d.n}
		}
		n.Named = append(n.Named, x)
	}
	return n
}
