package clip

import (
	"cmp"
	"slices"

	"github.com/toolclip/toolclip/internal/view"
)

// shares divides a limit over several contents: nobody gets more than it needs,
// and those that need more than the rest can give get the same. A larger limit
// never makes a share smaller.
func (k *call) shares(parts []*content, l view.Limit) []view.Limit {
	out := make([]view.Limit, len(parts))
	if len(parts) == 1 {
		out[0] = l
		return out
	}
	needBytes, needN := make([]int64, len(parts)), make([]int64, len(parts))
	for i, p := range parts {
		needBytes[i], needN[i] = p.need(l)
	}
	levelBytes, levelN := level(needBytes, l.Bytes), level(needN, l.N)
	for i := range out {
		out[i] = view.Limit{Bytes: min(needBytes[i], levelBytes), Unit: l.Unit, N: min(needN[i], levelN)}
	}
	return out
}

// need is what the whole of t costs, or all of l when that is not enough.
func (t *content) need(l view.Limit) (bytes, n int64) {
	p := t.view(l)
	if !p.Complete && len(p.Omissions)+len(p.Rest) > 0 {
		return l.Bytes, l.N
	}
	b := Budget{unit: unitOf(l.Unit)}
	return int64(len(p.Content)), b.cost(p.Content)
}

// level is the highest water level at which the needs, each capped at it, add up
// to at most total.
func level(needs []int64, total int64) int64 {
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
