package coverage

import "slices"

// Claim is a kind of statement that a model may or may not build on what it got.
type Claim string

// The claims.
const (
	ClaimPerItem    Claim = "per_item"       // what one loaded record says
	ClaimExists     Claim = "exists"         // there is one
	ClaimLowerBound Claim = "lower_bound"    // there are at least so many
	ClaimInterval   Claim = "count_interval" // there are c to c+missing
	ClaimExactCount Claim = "exact_count"
	ClaimAll        Claim = "all"
	ClaimNone       Claim = "none" // there is none: only after a complete scan
	ClaimMaxMin     Claim = "max_min"
	ClaimRanking    Claim = "ranking"
	ClaimLatest     Claim = "latest" // only over one version of the source
)

var allClaims = []Claim{ClaimPerItem, ClaimExists, ClaimLowerBound, ClaimInterval, ClaimExactCount, ClaimAll, ClaimNone,
	ClaimMaxMin, ClaimRanking, ClaimLatest}

// Claims are computed from what was loaded. They are about the records and not
// about the world: if the source is wrong, so is what follows from it.
type Claims struct {
	Scope   string  `json:"scope"` // universe, loaded_subset, plan
	Loaded  Count   `json:"loaded,omitzero"`
	Of      Count   `json:"of,omitzero"`
	Missing Count   `json:"missing,omitzero"` // with ClaimInterval a count c of loaded records means c to c+missing
	Allow   []Claim `json:"allow"`
	Deny    []Claim `json:"deny"`
	Text    string  `json:"text"` // in English; see Summary.Claim
}

// claims computes them.
func (r *Report) claims() Claims {
	c := Claims{Scope: "loaded_subset", Loaded: r.Loaded, Of: r.Requested, Missing: r.Summary.missing(), Text: r.Claim("en")}
	ok := map[Claim]bool{ClaimPerItem: true, ClaimExists: true}
	seen := !r.View.Assessed || r.View.Complete
	surplus := r.Identity.Surplus.Count
	if surplus.Relation == Eq && surplus.Value == 0 && r.Loaded.Relation != Estimate {
		ok[ClaimLowerBound] = !slices.ContainsFunc(r.Reasons, func(x Reason) bool { return x.Code == ContentChanged })
		ok[ClaimInterval] = seen && r.interval().Relation == Eq
	}
	acquired := r.InputComplete && r.Filtered == Exactly(0)
	whole := acquired && seen
	for _, k := range []Claim{ClaimExactCount, ClaimAll, ClaimMaxMin, ClaimRanking} {
		ok[k] = whole
	}
	ok[ClaimLatest] = whole && r.Snapshot.Isolation == "version_checked"
	ok[ClaimNone] = acquired && slices.ContainsFunc(r.View.Scans, r.View.foundNone)
	switch {
	case r.Universe.Kind == KindOpen:
		c.Scope = "plan"
	case whole:
		c.Scope = "universe"
	}
	c.Allow, c.Deny = []Claim{}, []Claim{}
	for _, k := range allClaims {
		if ok[k] {
			c.Allow = append(c.Allow, k)
		} else {
			c.Deny = append(c.Deny, k)
		}
	}
	return c
}

// missing is how many records were not loaded, filtered ones included.
func (s Summary) missing() Count {
	if s.Requested.Relation == Estimate || s.Loaded.Relation == Estimate || !s.Requested.Known() || !s.Loaded.Known() {
		return Count{}
	}
	n := s.Requested.Value - s.Loaded.Value
	switch {
	case n == 0 && !s.InputComplete: // something is, and nobody counted it
	case s.Requested.Relation == Eq && s.Loaded.Relation == Eq && n >= 0:
		return Exactly(n)
	case s.Requested.Relation == Gte && s.Loaded.Relation == Eq:
		return AtLeast(max(0, n))
	}
	return Count{}
}

// interval is how much greater a count over all records may be than over those
// that were loaded: as many as are missing, if what was counted can be relied on.
func (s Summary) interval() Count {
	if slices.ContainsFunc(s.Reasons, Reason.doubtsCounts) {
		return Count{}
	}
	return s.missing()
}

// doubtsCounts reports whether r says that there may be other records than those
// that were counted, or that some that were loaded may not be whole.
func (r Reason) doubtsCounts() bool {
	switch r.Code {
	case SourcePartial, SourceCap, TotalInconsistent, LiveDrift, VersionChanged, ContentChanged:
		return true
	case TruncatedUnexplained:
		return r.Unit == Byte // of a body
	}
	switch r.Code.Class() {
	case ClassMerge:
		return true
	case ClassPartial:
		return r.Unit != Item // records of which a part came are not among the loaded
	}
	return false
}

// foundNone reports whether s looked at everything in v and nothing matched.
func (v ViewInfo) foundNone(s Scan) bool {
	other := s.Unit == v.Unit && v.Total.Relation == Eq && s.Of != v.Total
	return s.Whole() && s.Matched.Value == 0 && !other
}

// WithView returns r with what of it the model sees: the ranges of total that are
// shown, and the scans that were made. Only a scan of the whole licenses "none".
func (r Report) WithView(unit Unit, shown Set, total Count, scans ...Scan) Report {
	shown = Set(nil).Add(shown...)
	r.View = ViewInfo{Assessed: true, Unit: unit, Shown: shown, Total: total, Scans: slices.Clone(scans),
		Complete: total.Relation == Eq && shown.is(total.Value)}
	r.Claims = r.claims()
	return r
}
