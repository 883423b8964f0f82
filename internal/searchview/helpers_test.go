package searchview

import "github.com/clipperhouse/uax29/v2/graphemes"

func clusters(s string) int64 {
	n := int64(0)
	for g := graphemes.FromString(s); g.Next(); {
		n++
	}
	return n
}
