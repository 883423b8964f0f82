package coverage_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	. "github.com/toolclip/toolclip/coverage"
)

// injections is how many faulty deliveries are tried, in each mode in turn.
const injections = 100_000

// Never complete unless the multisets are equal, and complete when they are:
// random drops, doubles, swaps and shifts, alone and several at once, which may
// also undo each other.
func TestNeverCompleteUnlessTheMultisetsAreEqual(t *testing.T) {
	n := injections
	if testing.Short() {
		n /= 20
	}
	modes := []Options{{}, {Remember: -1}, {Remember: -1, Cells: -1}, {Remember: 5, Cells: 8}}
	for i := range modes {
		modes[i].Key = testKey
	}
	r := rand.New(rand.NewPCG(6, 51))
	equal, complete := 0, 0
	for i := range n {
		want := make([]string, 1+r.IntN(12))
		for j := range want {
			want[j] = strconv.Itoa(r.IntN(20)) // some are expected more than once
		}
		got := inject(r, append([]string(nil), want...))
		o := modes[i%len(modes)]
		l := New(Enumerated(want...), &o)
		for _, id := range got {
			l.Loaded(id, nil)
		}
		l.Seal()
		rep := l.Report()
		same := sameMultiset(want, got)
		if same {
			equal++
		}
		if rep.InputComplete {
			complete++
		}
		if rep.InputComplete != same || rep.IdentityComplete != same {
			t.Fatalf("expected %v, came %v: complete is %v\n%s", want, got, rep.InputComplete, text(rep))
		}
		checkNames(t, want, got, rep)
	}
	if equal < n/20 || equal > n*19/20 || equal != complete {
		t.Fatalf("%d of %d were equal: the injections are one-sided", equal, n)
	}
}

// inject does up to three kinds of harm to ids.
func inject(r *rand.Rand, ids []string) []string {
	for range r.IntN(4) {
		if len(ids) == 0 {
			return ids
		}
		i, j := r.IntN(len(ids)), r.IntN(len(ids))
		switch r.IntN(6) {
		case 0: // drop
			ids = append(ids[:i:i], ids[i+1:]...)
		case 1: // double
			ids = append(ids, ids[i])
		case 2: // a double in place of another
			ids[i] = ids[j]
		case 3: // swap, which changes nothing
			ids[i], ids[j] = ids[j], ids[i]
		case 4: // a page that shifted: every id becomes its neighbour
			ids = append(ids[1:len(ids):len(ids)], ids[len(ids)-1])
		case 5: // a stranger
			ids[i] = "stranger " + strconv.Itoa(r.IntN(5))
		}
	}
	return ids
}

func counts(ids []string) map[string]int64 {
	m := map[string]int64{}
	for _, id := range ids {
		m[id]++
	}
	return m
}

func sameMultiset(a, b []string) bool {
	m := counts(a)
	for id, n := range counts(b) {
		m[id] -= n
	}
	for _, n := range m {
		if n != 0 {
			return false
		}
	}
	return true
}

// checkNames compares the named differences with the true ones, when the report
// says that they are the whole.
func checkNames(t *testing.T, want, got []string, r Report) {
	if !r.Identity.Decoded {
		if r.InputComplete {
			t.Fatal("complete without knowing the difference")
		}
		return
	}
	diff := counts(want)
	for id, n := range counts(got) {
		diff[id] -= n
	}
	for _, n := range r.Identity.Missing.Named {
		diff[n.ID] -= n.Times
	}
	for _, n := range r.Identity.Surplus.Named {
		diff[n.ID] += n.Times
	}
	for id, n := range diff {
		if n != 0 {
			t.Fatalf("expected %v, came %v: %q is off by %d\n%s", want, got, id, n, text(r))
		}
	}
}
