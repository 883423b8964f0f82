package coverage

import (
	"encoding/hex"
	"iter"
	"slices"
	"strings"

	"github.com/toolclip/toolclip/internal/mset"
)

// Resolve returns r with the names of ids that it knows by their hash only: ids of
// more than 31 bytes that differ in constant memory. It hashes ids, which may be
// the listing of what was expected read a second time, under Ledger.Key.
func (r Report) Resolve(key []byte, ids iter.Seq[string]) Report {
	wanted := map[string]string{}
	for _, n := range slices.Concat(r.Identity.Missing.Named, r.Identity.Surplus.Named) {
		if n.ID == "" {
			wanted[n.Hash] = ""
		}
	}
	if len(wanted) == 0 {
		return r
	}
	k := mset.NewKey(key, "id")
	for id := range ids {
		h := k.Hash(id)
		full := hex.EncodeToString(h[:])
		for _, x := range [...]string{full, full[:2*inlineBytes]} {
			if _, ok := wanted[x]; ok {
				wanted[x] = clean(strings.Clone(id))
			}
		}
	}
	r.Identity.Missing.Named = withNames(r.Identity.Missing.Named, wanted)
	r.Identity.Surplus.Named = withNames(r.Identity.Surplus.Named, wanted)
	return r
}

func withNames(ns []Named, names map[string]string) []Named {
	ns = slices.Clone(ns)
	for i, n := range ns {
		if n.ID == "" {
			ns[i].ID = names[n.Hash]
		}
	}
	return ns
}
