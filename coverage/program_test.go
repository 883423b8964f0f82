package coverage_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "github.com/toolclip/toolclip/coverage"
)

// Random programs over the whole API, against a model that is nothing but maps of
// ids to numbers: what was expected, and what the consumer really got.

// book is what one ledger was told, as its caller knows it.
type book struct {
	ends      map[string]map[string]int64 // by call, then by id
	flaws     []string                    // what speaks against "complete", whatever the ids are
	committed bool
	attempt   int
}

func newBook(attempt int) *book { return &book{ends: map[string]map[string]int64{}, attempt: attempt} }

func (b *book) add(call, id string) {
	if b.ends[call] == nil {
		b.ends[call] = map[string]int64{}
	}
	b.ends[call][id]++
}

func (b *book) flaw(what string) { b.flaws = append(b.flaws, what) }

// plus adds what another book has.
func (b *book) plus(o *book) {
	for call, ids := range o.ends {
		for id, n := range ids {
			b.add(call, id)
			b.ends[call][id] += n - 1
		}
	}
	b.flaws = append(b.flaws, o.flaws...)
}

// sameRecords reports whether two attempts at a shard told the same.
func (b *book) sameRecords(o *book) bool {
	return maps.EqualFunc(b.ends, o.ends, maps.Equal[map[string]int64, map[string]int64])
}

// act is one thing a program does to one ledger and its book.
type act struct {
	what, id, content string
	n                 int
}

func (a act) on(l *Ledger, b *book) {
	switch a.what {
	case "note":
		b.flaw("a note")
	case "page that fails", "page of an error", "page that never ends", "plan", "page cut short", "stop":
		b.flaw(a.what)
		a.page(l)
		return
	case "good page":
		a.page(l)
		return
	case "sequence":
		a.sequence(l, b)
		return
	case "snapshot":
		l.Snapshot("v1", []string{"v2", "v1"}[min(1, a.n)])
		if a.n == 0 {
			b.flaw("drift")
		}
		return
	case "promise":
		b.add("promise", a.id+"\x01"+a.content)
		b.add("expect", a.id)
	case "load":
		b.add("content", a.id+"\x01"+a.content)
		b.add("load", a.id)
	case "load bare":
		b.add("load", a.id)
	default:
		b.add(a.what, a.id)
	}
	step{call: a.what, id: a.id, content: a.content, code: ParseFailed}.on(l)
}

// page opens a unit of the plan that comes to some end.
func (a act) page(l *Ledger) {
	name := fmt.Sprint(a.what, a.n)
	if a.what == "plan" {
		l.Plan(name)
		return
	}
	p := l.Page(name)
	r := &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, ContentLength: 4, Body: io.NopCloser(strings.NewReader("text"))}
	switch a.what {
	case "page that fails":
		p.Fail(Reason{Code: Timeout})
		return
	case "page that never ends":
		return
	case "page of an error":
		r.StatusCode = 503
	case "page cut short":
		r.ContentLength = 9
	}
	io.Copy(io.Discard, p.Body(r))
	if a.what == "stop" {
		p.Done(Stopped)
		return
	}
	p.Done(CursorAbsent)
}

// sequence loads ids through Track or TrackErr, which may be interrupted.
func (a act) sequence(l *Ledger, b *book) {
	ids, took := a.ids(), 0
	if a.n%2 == 0 {
		for id := range Track(l, slices.Values(ids), self) {
			b.add("load", id)
			if took++; took > a.n {
				break
			}
		}
		return
	}
	if a.n == 3 {
		ids = append(ids[:2:2], "!reset")
		b.flaw("an error in a sequence")
	}
	for id, err := range TrackErr(l, rows(ids...), self) {
		if err == nil {
			b.add("load", id)
		}
	}
}

var (
	losing = strings.Fields("truncate fail skip double note plan stop") // each alone ends completeness, but for doubles
	acts   = append(strings.Fields("expect expect expect promise load load load load|bare load|bare filter sequence good|page good|page snapshot"), losing...)
	rare   = []string{"page that fails", "page of an error", "page that never ends", "page cut short"}
)

var actGen = rapid.Custom(func(t *rapid.T) act {
	what := strings.ReplaceAll(rapid.SampledFrom(acts).Draw(t, "act"), "|", " ")
	if rapid.IntRange(0, 30).Draw(t, "rare") == 0 {
		what = rapid.SampledFrom(rare).Draw(t, "which")
	}
	return act{what, rapid.SampledFrom([]string{"a", "b", "c", "d", strings.Repeat("long", 15)}).Draw(t, "id"),
		rapid.SampledFrom([]string{"x", "x", "x", "y"}).Draw(t, "content"), rapid.IntRange(0, 3).Draw(t, "n")}
})

// goodActs load or filter everything that they expect.
var goodActs = rapid.Custom(func(t *rapid.T) []act {
	var as []act
	for i := range rapid.IntRange(0, 6).Draw(t, "records") {
		id := rapid.SampledFrom([]string{"a", "b", fmt.Sprint(i), strings.Repeat("long", 15)}).Draw(t, "id")
		as = append(as, act{"expect", id, "", 0}, act{rapid.SampledFrom([]string{"load", "load bare", "filter"}).Draw(t, "end"), id, "x", 0})
	}
	return append(as, act{"good page", "", "", 0}, act{"snapshot", "", "v", 1})
})

var programGen = rapid.Custom(func(t *rapid.T) []act {
	as := slices.Clone(goodActs.Draw(t, "good"))
	if rapid.Bool().Draw(t, "harm") {
		as = append(as, rapid.SliceOfN(actGen, 0, 5).Draw(t, "acts")...)
		if n := len(as); n > 0 && rapid.Bool().Draw(t, "drop") {
			i := rapid.IntRange(0, n-1).Draw(t, "dropped")
			as = slices.Delete(as, i, i+1)
		}
	}
	return as
})

// world is a program that was run: accounts of attempts at shards, and their books.
type world struct {
	u      Universe
	o      Options
	shards []*Ledger
	books  map[string][]*book // by shard
	own    []act              // of the ledger that merges
	there  map[string]bool    // the ids of the records that there are, of a counted universe
}

// try is a program for an attempt at a shard.
type try struct {
	shard   string
	attempt int
	acts    []act
	commit  bool
}

// run draws a world and runs it, but for the ledger that merges.
func run(t *rapid.T) *world {
	w := &world{o: optionsGen.Draw(t, "options"), books: map[string][]*book{}, there: map[string]bool{}}
	w.o.TrustEnd = rapid.Bool().Draw(t, "trust")
	w.own = programGen.Draw(t, "own program")
	var tries []try
	for s := range rapid.IntRange(0, 3).Draw(t, "shards") {
		for attempt := range rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "attempts") {
			tries = append(tries, try{strconv.Itoa(s), attempt, programGen.Draw(t, "program"), rapid.IntRange(0, 9).Draw(t, "commit") > 0})
		}
	}
	w.u = rapid.SampledFrom([]Universe{Enumerated(), Enumerated(), Enumerated(), Exhaustible(), CountedAtLeast(1), Open(), w.counted(t, tries)}).Draw(t, "universe")
	w.try(tries)
	return w
}

// try runs the programs.
func (w *world) try(tries []try) {
	for _, y := range tries {
		so := w.o
		so.Shard, so.Attempt = y.shard, y.attempt
		l, b := New(w.u, &so), newBook(y.attempt)
		for _, a := range y.acts {
			a.on(l, b)
		}
		if b.committed = y.commit; y.commit {
			l.Commit()
		}
		w.shards = append(w.shards, l)
		w.books[so.Shard] = append(w.books[so.Shard], b)
	}
}

// counted is a source that states the true number of records: those that come, and
// perhaps others. Its ids are not known beforehand, so that nothing is expected.
func (w *world) counted(t *rapid.T, tries []try) Universe {
	if rapid.IntRange(0, 2).Draw(t, "counted") > 0 {
		return Enumerated()
	}
	programs := []*[]act{&w.own}
	for i := range tries {
		programs = append(programs, &tries[i].acts)
	}
	for _, p := range programs {
		*p = slices.DeleteFunc(slices.Clone(*p), func(a act) bool { return a.what == "expect" || a.what == "promise" })
		for _, a := range *p {
			for _, id := range a.ids() {
				w.there[id] = true
			}
		}
	}
	for i := range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "others") {
		w.there[fmt.Sprint("other ", i)] = true
	}
	return Counted(int64(len(w.there)))
}

// ids are those that the act speaks of.
func (a act) ids() []string {
	switch {
	case a.what == "sequence":
		return []string{a.id, a.id + "'", a.id + "''"}
	case slices.Contains([]string{"load", "load bare", "filter", "truncate", "fail", "skip", "double"}, a.what):
		return []string{a.id}
	}
	return nil
}

// retried reports whether a shard has more than one attempt.
func (w *world) retried() bool {
	for _, bs := range w.books {
		if len(bs) > 1 {
			return true
		}
	}
	return false
}

// report merges everything in some order and grouping, some of it twice and by way
// of bytes, and folds where that may leave no trace.
func (w *world) report(t *rapid.T) (Report, *book) {
	root, b := New(w.u, &w.o), newBook(0)
	for _, a := range w.own {
		a.on(root, b)
	}
	parts := shuffled(t, append(slices.Clone(w.shards), w.shards[:len(w.shards)/2]...))
	for len(parts) > 0 {
		n := rapid.IntRange(1, len(parts)).Draw(t, "group")
		group := New(w.u, &Options{Key: testKey, Remember: w.o.Remember, Cells: w.o.Cells})
		for _, l := range parts[:n] {
			if rapid.Bool().Draw(t, "as bytes") {
				l = throughBytes(t, l)
			}
			must(t, group.Merge(l))
		}
		if !w.retried() && rapid.Bool().Draw(t, "fold") {
			group.Fold()
		}
		if n == 1 {
			must(t, root.Merge(parts[0]))
		}
		must(t, root.Merge(group))
		parts = parts[n:]
	}
	root.Seal()
	return root.Report(), b
}

// sum is what is published of w, with the book of the root.
func (w *world) sum(own *book) *book {
	all := newBook(0)
	all.plus(own)
	for _, bs := range w.books {
		best := bs[0]
		var committed []*book
		for _, b := range bs {
			if b.committed {
				committed = append(committed, b)
			}
			if b.committed && !best.committed || b.committed == best.committed && b.attempt > best.attempt {
				best = b
			}
		}
		if !best.committed {
			all.flaw("a shard that was not committed")
			continue
		}
		for _, b := range committed {
			if !b.sameRecords(best) {
				all.flaw("two attempts with different records")
			}
		}
		all.plus(best)
	}
	return all
}

// equal reports whether the consumer got every expected record once, whole or left
// out by a rule, and nothing else.
func (b *book) equal() bool {
	want := b.ends["expect"]
	for _, call := range []string{"load", "filter", "fail", "skip", "truncate", "double"} {
		for id := range b.ends[call] {
			if want[id] == 0 && call != "double" {
				return false
			}
		}
	}
	for id, n := range want {
		got := b.ends["load"][id]
		if got > n || b.ends["truncate"][id] > 0 || got+b.ends["filter"][id] < n {
			return false
		}
	}
	return true
}

// fills reports whether every one of the records came once, whole or left out by a
// rule.
func (b *book) fills(there map[string]bool) bool {
	for id := range there {
		if b.ends["load"][id]+b.ends["filter"][id] == 0 || b.ends["load"][id] > 1 || b.ends["truncate"][id] > 0 {
			return false
		}
	}
	return true
}

// contentsAgree reports whether no id came with another content than promised or
// with several.
func (b *book) contentsAgree() bool {
	seen := map[string]string{}
	for _, call := range []string{"promise", "content"} {
		for key := range b.ends[call] {
			id, content, _ := strings.Cut(key, "\x01")
			if old, ok := seen[id]; ok && old != content {
				return false
			}
			seen[id] = content
		}
	}
	return true
}

func TestRandomProgramsAreNeverCompleteByMistake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := run(t)
		r, own := w.report(t)
		b := w.sum(own)
		switch kind := r.Universe.Kind; {
		case r.InputComplete && kind != KindEnumerated && kind != KindExhaustible && kind != KindCounted:
			t.Fatalf("an %s universe is complete:\n%s", kind, text(r))
		case r.InputComplete && len(b.flaws) > 0:
			t.Fatalf("complete in spite of %v:\n%s", b.flaws, text(r))
		case kind == KindEnumerated && r.InputComplete && !b.equal(), kind == KindCounted && r.InputComplete && !b.fills(w.there):
			t.Fatalf("complete with %v:\n%s", b.ends, text(r))
		case kind == KindEnumerated && r.InputComplete && r.Identity.Mode == "exact" && !b.contentsAgree():
			t.Fatalf("complete with other contents, %v:\n%s", b.ends, text(r))
		}
		checkNumbers(t, b, r)
		checkClaims(t, w, b, r)
		checkWording(t, r)
		balance(t, r)
	})
}

// Where nothing is wrong nothing is said to be: a verdict that is never "complete"
// would pass the test above.
func TestGoodProgramsAreComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{u: rapid.SampledFrom([]Universe{Enumerated(), Counted(0), Exhaustible()}).Draw(t, "universe"),
			o: Options{Key: testKey, TrustEnd: true}, books: map[string][]*book{}, there: map[string]bool{}}
		kind := w.u.String()
		enumerated := kind == string(KindEnumerated)
		if enumerated {
			w.o.Remember = rapid.SampledFrom([]int{0, -1, 2}).Draw(t, "remember")
		}
		good := func() []act { return w.only(enumerated, goodActs.Draw(t, "program")) }
		var tries []try
		for s := range rapid.IntRange(0, 3).Draw(t, "shards") {
			y := try{strconv.Itoa(s), 0, good(), true}
			tries = append(tries, y)
			if rapid.Bool().Draw(t, "again") {
				y.attempt = 1 // a retry with the same records
				tries = append(tries, y)
			}
		}
		w.own = good()
		if kind == "counted(0)" {
			w.u = Counted(int64(len(w.there)))
		}
		w.try(tries)
		r, own := w.report(t)
		if b := w.sum(own); !r.InputComplete || enumerated && !r.IdentityComplete || len(r.Reasons) > len(b.ends["filter"]) || !r.ByteComplete {
			t.Fatalf("not complete, and nothing is wrong:\n%s", text(r))
		}
		if err := r.SafeToPrune(); r.Requested.Value > 0 && err != nil || r.Requested.Value == 0 && !errors.Is(err, ErrEmpty) {
			t.Fatalf("%v:\n%s", err, text(r))
		}
		must(t, r.SafeToAdvance("v1"))
	})
}

// only is as without what the universe of w contradicts: where ids aren't known
// beforehand none is expected and none comes twice.
func (w *world) only(enumerated bool, as []act) []act {
	return slices.DeleteFunc(slices.Clone(as), func(a act) bool {
		ids := a.ids()
		if enumerated || a.what != "expect" && len(ids) == 0 {
			return false
		}
		known := a.what == "expect" || w.there[ids[0]]
		for _, id := range ids {
			w.there[id] = true
		}
		return known
	})
}

// checkNumbers compares what a report of an enumerated universe says with the truth.
func checkNumbers(t *rapid.T, b *book, r Report) {
	if r.Universe.Kind != KindEnumerated || slices.Contains(b.flaws, "two attempts with different records") {
		return
	}
	var wanted, loaded, missing int64
	names := map[string]int64{}
	for id, n := range b.ends["expect"] {
		wanted += n
		loaded += min(n, b.ends["load"][id])
		var ended int64
		for _, call := range []string{"load", "filter", "fail", "skip", "truncate"} {
			ended += b.ends[call][id]
		}
		if left := n - ended; left > 0 {
			names[id] = left
			missing += left
		}
	}
	holds := func(c Count, n int64) bool {
		return c.Relation == Eq && c.Value == n || c.Relation == Gte && c.Value <= n || c.Relation == Estimate || !c.Known()
	}
	if !holds(r.Requested, wanted) || !holds(r.Loaded, loaded) {
		t.Fatalf("requested %s and loaded %s, in truth %d and %d:\n%s", r.Requested, r.Loaded, wanted, loaded, text(r))
	}
	if r.Identity.Mode == "exact" && !r.Identity.Decoded || r.Identity.Decoded && !holds(r.Identity.Missing.Count, missing) {
		t.Fatalf("missing %s, in truth %d:\n%s", r.Identity.Missing.Count, missing, text(r))
	}
	for _, n := range r.Identity.Missing.Named {
		if n.ID != "" && n.Times != names[n.ID] {
			t.Fatalf("%q is missing %d times, in truth %d:\n%s", n.ID, n.Times, names[n.ID], text(r))
		}
	}
	if r.SafeToPrune() == nil && (missing > 0 || !b.equal() || wanted == 0) {
		t.Fatalf("safe to prune with %v:\n%s", b.ends, text(r))
	}
}

// checkClaims counts the records with some property in what was loaded and in
// truth, and holds the claims to it.
func checkClaims(t *rapid.T, w *world, b *book, r Report) {
	all := b.ends["expect"]
	if r.Universe.Kind == KindCounted {
		all = map[string]int64{}
		for id := range w.there {
			all[id] = 1
		}
	} else if r.Universe.Kind != KindEnumerated {
		return
	}
	if slices.Contains(b.flaws, "a shard that was not committed") || slices.Contains(b.flaws, "two attempts with different records") {
		return // what is in it is not in the report
	}
	for odd := range uint32(3) {
		var seen, there int64
		for id, n := range all {
			if property(id, odd) {
				there += n
			}
		}
		for id, n := range b.ends["load"] {
			if property(id, odd) {
				seen += n
			}
		}
		for _, c := range r.Claims.Allow {
			ok := true
			switch c {
			case ClaimLowerBound:
				ok = seen <= there
			case ClaimInterval:
				ok = seen <= there && there <= seen+r.Claims.Missing.Value
			case ClaimExactCount, ClaimAll:
				ok = seen == there
			}
			if !ok {
				t.Fatalf("%s is allowed, with %d in what was loaded and %d in all:\n%s", c, seen, there, text(r))
			}
		}
	}
}

func property(id string, k uint32) bool {
	h := fnv.New32a()
	io.WriteString(h, id)
	return h.Sum32()>>k&1 == 1
}

var (
	numbers   = regexp.MustCompile(`[0-9]+`)
	pluralOne = regexp.MustCompile(`(^|[^0-9+c-])1 (records|items|bytes|runes|graphemes|lines|tokens|times|shards|pages|units)\b`)
	singular  = regexp.MustCompile(`([02-9]|[0-9]1) (record|item|byte|rune|grapheme|line|token|time)\b`)
)

// checkWording compares the sentences in three languages with each other and with
// the numbers of the report.
func checkWording(t *rapid.T, r Report) {
	known := map[string]bool{}
	for _, c := range []Count{r.Requested, r.Loaded, r.Filtered, r.Claims.Missing} {
		known[strconv.FormatInt(c.Value, 10)] = true
	}
	known[strconv.FormatInt(r.Claims.Missing.Value-r.Filtered.Value, 10)] = true
	en := slices.Sorted(slices.Values(numbers.FindAllString(r.Claim("en"), -1)))
	for _, lang := range []string{"en", "zh-Hans", "zh-Hant"} {
		found := slices.Sorted(slices.Values(numbers.FindAllString(r.Claim(lang), -1)))
		if !slices.Equal(en, found) {
			t.Fatalf("%v in English, %v in %s:\n%s\n%s", en, found, lang, r.Claim("en"), r.Claim(lang))
		}
		for _, n := range found {
			if !known[n] {
				t.Fatalf("%s is no number of the report: %s\n%s", n, r.Claim(lang), text(r))
			}
		}
		if strings.Contains(r.Claim(lang), "%!") {
			t.Fatal(r.Claim(lang))
		}
	}
	if s := r.String(); pluralOne.MatchString(s) || singular.MatchString(s) {
		t.Fatalf("number and noun don't agree: %s", s)
	}
}

// Whatever order and grouping the accounts are merged in, and however often.
func TestRandomProgramsGiveOneReport(t *testing.T) {
	s := resolvedSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		w := run(t)
		want, _ := w.report(t)
		got, _ := w.report(t)
		if text(want) != text(got) {
			t.Fatalf("in another order:\n%s\nwant:\n%s", text(got), text(want))
		}
		if err := s.Validate(object(t, want)); err != nil {
			t.Fatalf("%v\n%s", err, text(want))
		}
		var again Report
		b, err := json.Marshal(want)
		must(t, err)
		must(t, json.Unmarshal(b, &again))
		if text(again) != text(want) {
			t.Fatalf("after JSON:\n%s\nwant:\n%s", text(again), text(want))
		}
	})
}

// A state with flipped bits or a part of it is refused, or it is what it was.
func TestRandomStatesAreReadAsTheyWereOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := run(t)
		l := New(w.u, &w.o)
		for _, a := range w.own {
			a.on(l, newBook(0))
		}
		for _, s := range w.shards {
			must(t, l.Merge(s))
		}
		b := []byte(state(t, l))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for range 20 {
			bad := slices.Clone(b)
			for range 1 + r.IntN(3) {
				bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			}
			if r.IntN(2) == 0 {
				bad = bad[:r.IntN(len(bad))]
			}
			if r.IntN(2) == 0 && len(bad) >= 8 {
				bad = checked(bad) // damage that the checksum doesn't see
			}
			var again Ledger
			if again.UnmarshalBinary(bad) != nil {
				continue
			}
			if state(t, &again) != string(bad) {
				t.Fatalf("a state was read as another one:\n%q\n%q", bad, state(t, &again))
			}
			again.Seal()
			again.Report()
			again.Fold()
		}
	})
}
