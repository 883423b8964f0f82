package coverage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// block is 2^level shards with consecutive numbers, the first a multiple of
// 2^level, added up. Two such blocks are equal, nested or disjoint, so that
// folded ledgers still join: equal blocks are one, of nested ones the greater
// counts, disjoint ones add. Blocks with any bounds could overlap in part, and
// sums that overlap in part can't be joined.
type block struct {
	first    uint64
	level    uint8
	acc      *account
	attempts int64
	full     [32]byte
	seen     [][32]byte
}

func (b *block) shards() int64 { return 1 << b.level }

func (b *block) last() uint64 { return b.first + (1<<b.level - 1) }

func (b *block) holds(n uint64) bool { return b.first <= n && n <= b.last() }

// String is the range of the shards, "8..15".
func (b *block) String() string { return fmt.Sprintf("%d..%d", b.first, b.last()) }

// shardNumber is the number that a shard's name is, in canonical form.
func shardNumber(name string) (uint64, bool) {
	n, err := strconv.ParseUint(name, 10, 48)
	return n, err == nil && strconv.FormatUint(n, 10) == name
}

func inBlocks(bs []block, n uint64) bool {
	return slices.ContainsFunc(bs, func(b block) bool { return b.holds(n) })
}

// Fold adds shards up whose names are numbers ("0", "1", …), so that millions of
// them need memory for some forty. It joins pairs of neighbours, the first of
// which has an even number, then pairs of pairs, and so on; all must be committed,
// with every unit done and every body whole. A later attempt at a folded shard is
// ignored, and can't be compared any more.
func (l *Ledger) Fold() {
	l.init()
	l.mu.Lock()
	defer l.mu.Unlock()
	bs := slices.Clone(l.blocks)
	for name, e := range l.others {
		if n, ok := shardNumber(name); ok && e.foldable(&l.conf) && name != l.shard {
			bs = append(bs, block{first: n, acc: e.acc, attempts: int64(e.attempt) + 1, full: e.full, seen: e.seen})
		}
	}
	bs = pairUp(bs, &l.conf)
	l.blocks = slices.DeleteFunc(bs, func(b block) bool { return b.level == 0 })
	dropFolded(l.others, l.blocks)
}

// pairUp joins neighbours until there are none.
func pairUp(bs []block, c *config) []block {
	for {
		slices.SortFunc(bs, func(a, b block) int { return cmp.Compare(a.first, b.first) })
		out := bs[:0:0]
		for _, b := range bs {
			n := len(out)
			if n > 0 && out[n-1].pairs(b) {
				out[n-1] = out[n-1].with(b, c)
				continue
			}
			out = append(out, b)
		}
		if len(out) == len(bs) {
			return out
		}
		bs = out
	}
}

// pairs reports whether o is the right neighbour of b, and as much is known of the
// version of the source, so that the sum doesn't claim what one of them saw.
func (b *block) pairs(o block) bool {
	return o.level == b.level && b.first>>b.level&1 == 0 && o.first == b.last()+1 && b.acc.looked() == o.acc.looked()
}

// with is b and its right neighbour in one.
func (b block) with(o block, c *config) block {
	sum := newAccount(c)
	sum.plus(b.acc, c)
	sum.plus(o.acc, c)
	if sum.plan != nil {
		done := sum.plan.sum()
		done.bytes, _ = sum.plan.bytes()
		sum.plan.units, sum.plan.done = map[unitKey]*unit{}, done
	}
	records, full := sum.hashes()
	return block{first: b.first, level: b.level + 1, acc: sum, attempts: b.attempts + o.attempts, full: full, seen: [][32]byte{records}}
}

// foldable reports whether nothing about e needs to be told apart any more.
func (e *entry) foldable(c *config) bool {
	if !e.committed || len(e.seen) > 1 {
		return false
	}
	s := e.acc.plan.sum()
	b, why := e.acc.plan.bytes()
	_, how := e.acc.end(c)
	return s.Succeeded == s.Total && s.Repeated == 0 && len(why) == 0 && b.complete == b.bodies && (how == proved || how == noCursor && c.universe.kind != KindExhaustible)
}

// joinBlocks keeps the greatest blocks of both; of equal ones the greater hash, and
// of one hash the one after more attempts.
func joinBlocks(a, b []block) []block {
	all := append(slices.Clone(a), b...)
	slices.SortFunc(all, func(x, y block) int {
		return cmp.Or(cmp.Compare(x.first, y.first), -cmp.Compare(x.level, y.level), -slices.Compare(x.full[:], y.full[:]),
			-cmp.Compare(x.attempts, y.attempts))
	})
	var out []block
	for _, x := range all {
		if n := len(out); n > 0 && out[n-1].holds(x.first) {
			if out[n-1].level == x.level {
				out[n-1].seen = twoLeast(out[n-1].seen, x.seen)
			}
			continue
		}
		out = append(out, x)
	}
	return out
}

// dropFolded removes the shards that are in a block.
func dropFolded(entries map[string]*entry, bs []block) {
	if len(bs) == 0 {
		return
	}
	for name := range entries {
		if n, ok := shardNumber(name); ok && inBlocks(bs, n) {
			delete(entries, name)
		}
	}
}
