package clip

import (
	"cmp"
	"iter"
	"slices"

	"github.com/toolclip/toolclip/coverage"

	"github.com/toolclip/toolclip/internal/view"
)

// shares divides a limit over several contents: nobody gets more than it needs,
// and those that need more than the rest can give get the same. A larger limit
// never makes a share smaller.
func (k *call) shares(parts []*content, l view.Limit) []view.Limit {
	out := make([]view.Limit, len(parts))
	switch len(parts) {
	case 0:
		return out
	case 1:
		out[0] = l
		return out
	}
	for i, p := range parts {
		out[i] = p.need(l)
	}
	for {
		top := k.level(out, l)
		if unbound(out, top, l) {
			continue
		}
		for i := range out {
			out[i].Bytes, out[i].N = min(out[i].Bytes, top.Bytes), min(out[i].N, top.N)
		}
		return out
	}
}

// unbound gives those whose need is above top, in bytes or in units, a need without
// bounds, for a part of a content may cost more than all of it: it says what is
// missing. It reports whether there was one, and so less for the others.
func unbound(needs []view.Limit, top, all view.Limit) bool {
	found := false
	for i, n := range needs {
		if n != all && (n.Bytes > top.Bytes || n.Unit != view.Byte && n.N > top.N) {
			needs[i], found = all, true
		}
	}
	return found
}

// level is the water level in bytes and in units.
func (k *call) level(needs []view.Limit, l view.Limit) view.Limit {
	bytes, units := make([]int64, len(needs)), make([]int64, len(needs))
	for i, n := range needs {
		bytes[i], units[i] = n.Bytes, n.N
	}
	l.Bytes, l.N = waterLevel(bytes, l.Bytes), waterLevel(units, l.N)
	if k.unshown > 0 {
		l.Bytes, l.N = min(l.Bytes, floorBytes), min(l.N, floorN(l.Unit))
	}
	return l
}

// need is what the whole of t costs, or all of l when that is not enough.
func (t *content) need(l view.Limit) view.Limit {
	p := t.view(l)
	if isCut(p) {
		return l
	}
	all := l
	l.Bytes = int64(len(p.Content))
	if l.Unit == view.Byte {
		return l
	}
	l.N = Budget{unit: unitOf(l.Unit)}.cost(p.Content)
	for l.N < all.N && isCut(t.view(l)) { // what is made visible may join clusters that are counted apart
		l.N = min(2*l.N+1, all.N)
	}
	return l
}

// isCut reports whether p lacks something that a larger limit might show.
func isCut(p view.Plan) bool { return !p.Complete && len(p.Omissions)+len(p.Rest) > 0 }

// waterLevel is the highest level at which the needs, each capped at it, add up
// to at most total.
func waterLevel(needs []int64, total int64) int64 {
	sorted := slices.Clone(needs)
	slices.SortFunc(sorted, cmp.Compare[int64])
	for i, n := range sorted {
		left := int64(len(sorted) - i)
		if n > total/left {
			return total / left
		}
		total -= n
	}
	return total + sorted[len(sorted)-1]
}

// While the budget has no room for all contents, each that is shown gets at most
// this much: one more content then takes nothing from those before it.
const floorBytes = 128

func floorN(u view.Unit) int64 {
	if u == view.Line {
		return 1
	}
	return floorBytes
}

// least is the smallest limit on several contents: the floor of each.
func (k *call) least() int64 {
	n := int64(len(k.parts) - k.unshown)
	if n == 1 {
		return 0
	}
	return n * floorBytes
}

// floor is the limit on the contents that are shown while others are not.
func (k *call) floor(most view.Limit) view.Limit {
	n := int64(len(k.parts) - k.unshown)
	most.Bytes, most.N = min(most.Bytes, n*floorBytes), min(most.N, n*floorN(most.Unit))
	return most
}

// stages are the numbers of contents to show, the largest for which there is room
// first. They are few, so that a thousand contents need few frames.
func (k *call) stages() iter.Seq[int] {
	return func(yield func(int) bool) {
		if len(k.parts) == 0 {
			return
		}
		fit := []int{1}
		for n := 2; len(k.parts) > 1; n = min(len(k.parts), n+max(1, n/3)) {
			if !k.roomFor(n) {
				break
			}
			fit = append(fit, n)
			if n == len(k.parts) {
				break
			}
		}
		slices.Reverse(fit)
		for _, n := range fit {
			if !yield(n) {
				return
			}
		}
	}
}

// shortestFrame is less than what frames one of several contents.
const shortestFrame = 16

// roomFor reports whether the budget has room for n contents: the frame round them
// at its longest, and the floor for each.
func (k *call) roomFor(n int) bool {
	b := k.cfg.Budget
	if int64(n)*(shortestFrame+floorBytes) > b.bytes() {
		return false
	}
	layout := k.layout(n)
	frame := k.frame(layout)
	if k.cfg.Form != TextForm {
		like := k.like(layout, frame, false)
		frame, b = k.cfg.render(like), b.lessBy(k.cfg.slack(like))
	}
	l := b.less(frame)
	switch b.unit {
	case coverage.Line:
		return b.n >= int64(n) && l.Bytes >= int64(n)*floorBytes
	case coverage.Token:
		return b.n-b.cost(frame) >= int64(n)*floorBytes && l.Bytes >= int64(n)*floorBytes
	}
	return l.Bytes >= int64(n)*floorBytes && (l.Unit == view.Byte || l.N >= int64(n)*floorBytes)
}
