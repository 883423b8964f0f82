package jsonview

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/internal/view"
)

// value is a JSON value read the plain way: a tree with positions. It is what the
// tests compare views with.
type value struct {
	kind       byte // { [ " 0 t f n
	name       string
	nameAt     int // -1: no name
	start, end int
	kids       []*value
	parent     *value
	pointer    string
}

// parse reads the value at src[i:], which encoding/json has found valid.
func parse(src string, i int) (*value, int) {
	i = skipSpace(src, i)
	v := &value{kind: src[i], start: i, nameAt: -1}
	switch v.kind {
	case '{', '[':
		i = skipSpace(src, i+1)
		for src[i] != '}' && src[i] != ']' {
			if src[i] == ',' {
				i = skipSpace(src, i+1)
			}
			nameAt, name := -1, ""
			if v.kind == '{' {
				nameAt = i
				j := stringEnd(src, i)
				if err := json.Unmarshal([]byte(src[i:j]), &name); err != nil {
					panic(err)
				}
				i = skipSpace(src, skipSpace(src, j)+1)
			}
			var k *value
			k, i = parse(src, i)
			k.nameAt, k.name, k.parent = nameAt, name, v
			v.kids = append(v.kids, k)
			i = skipSpace(src, i)
		}
		i++
	case '"':
		i = stringEnd(src, i)
	default:
		for i < len(src) && !strings.ContainsRune(" \t\r\n,]}", rune(src[i])) {
			i++
		}
	}
	v.end = i
	return v, i
}

func skipSpace(src string, i int) int {
	for i < len(src) && strings.IndexByte(" \t\r\n", src[i]) >= 0 {
		i++
	}
	return i
}

func stringEnd(src string, i int) int {
	for i++; src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// tree parses src, and remembers the last.
func tree(src string) *value {
	if src != lastSource || lastTree == nil {
		lastSource = src
		lastTree, _ = parse(src, 0)
		lastTree.setPointers("")
	}
	return lastTree
}

var (
	lastSource string
	lastTree   *value
)

// setPointers names every value below v.
func (v *value) setPointers(at string) {
	v.pointer = at
	for i, k := range v.kids {
		token := strconv.Itoa(i)
		if v.kind == '{' {
			token = strings.ReplaceAll(strings.ReplaceAll(k.name, "~", "~0"), "/", "~1")
		}
		k.setPointers(at + "/" + token)
	}
}

func (v *value) each(f func(*value)) {
	f(v)
	for _, k := range v.kids {
		k.each(f)
	}
}

// cover counts, byte by byte, how often ranges show the source.
type cover []int

func (c cover) add(list []view.Range) {
	for _, r := range list {
		for i := r.Start; i < r.End; i++ {
			c[i]++
		}
	}
}

// whole says whether all of v is shown; some whether any of it is.
func (c cover) whole(v *value) bool {
	if len(v.kids) == 0 && v.kind != '{' && v.kind != '[' {
		for i := v.start; i < v.end; i++ {
			if c[i] == 0 {
				return false
			}
		}
		return true
	}
	for _, k := range v.kids {
		if !c.whole(k) {
			return false
		}
	}
	return c.some(v)
}

func (c cover) some(v *value) bool { return c[v.start] > 0 }

// lack is an omission as the oracle sees it.
type lack struct {
	pointer            string
	unit               view.Unit
	shown, part, total int64
}

// lacks lists what the shown containers and strings below v lack.
func (c cover) lacks(v *value) (list []lack) {
	if !c.some(v) {
		return nil
	}
	if v.kind == '"' && !c.whole(v) {
		n := int64(0)
		for i := v.start + 1; i < v.end-1; i++ {
			n += int64(c[i])
		}
		return []lack{{v.pointer, view.Byte, n, 0, int64(v.end - v.start - 2)}}
	}
	l := lack{pointer: v.pointer, unit: view.Item, total: int64(len(v.kids))}
	for _, k := range v.kids {
		switch {
		case c.whole(k):
			l.shown++
		case c.some(k):
			l.part++
		}
		list = append(list, c.lacks(k)...)
	}
	if l.shown+l.part < l.total {
		list = append(list, l)
	}
	return list
}

// show makes a view of src, written in pieces of the sizes that size gives.
func show(t require.TestingT, src string, o Options, size func(i int) int) *View {
	v := New(o)
	if pruneOften {
		v.slack, v.loud, v.nodeRoom, v.byteRoom = 16, 5, 1, 1
	}
	for i := 0; i < len(src); {
		j := min(len(src), i+max(1, size(i)))
		n, err := v.Write([]byte(src[i:j]))
		require.NoError(t, err)
		require.Equal(t, j-i, n)
		i = j
	}
	v.End()
	require.NoError(t, v.Err(), "%s", src)
	return v
}

// pruneOften makes views forget as early as they can.
var pruneOften bool

func all(int) int { return 1 << 30 }

// checkPlan is the oracle: it proves a plan against the source alone.
func checkPlan(t require.TestingT, src string, p view.Plan, l view.Limit, o Options) cover {
	require.True(t, utf8.ValidString(p.Content))
	require.LessOrEqual(t, int64(len(p.Content)), l.Bytes)
	checkUnits(t, p.Content, l)
	root := tree(src)
	at := root.find(o.Pointer)
	require.NotNil(t, at)
	lossy := checkVerbatim(t, src, p)

	c := make(cover, len(src))
	c.add(p.Bytes)
	for i, n := range c {
		if n > 1 {
			require.Fail(t, "shown twice", "byte %d", i)
		}
	}
	if p.MediaType != "application/json" {
		return c
	}
	c.add(p.Context)
	if p.Content == "" {
		require.NotEmpty(t, p.Omissions)
		require.Empty(t, p.Bytes)
		return make(cover, len(src))
	}
	require.True(t, json.Valid([]byte(p.Content)), "%s of %+v: %s", p.Content, o, src)
	require.Equal(t, at.kind == '-' || at.kind >= '0' && at.kind <= '9', p.Content[skipSpace(p.Content, 0)] != at.kind && !strings.ContainsRune(`{["tfn`, rune(at.kind)) || at.kind == '-' || at.kind >= '0' && at.kind <= '9', "same root type")
	checkLacks(t, c, at, p, o)
	complete := c.whole(root) && !lossy && !o.paged()
	require.Equal(t, complete, p.Complete, "complete: %s", p.Content)
	require.Equal(t, complete && p.Content == src, p.Exact)
	if complete {
		checkWhiteSpace(t, p, c)
	}
	checkShape(t, src, c, at, o)
	if o.paged() {
		c = make(cover, len(src))
		c.add(p.Bytes)
	}
	return c
}

// checkWhiteSpace counts the runs of bytes that a complete plan does not show.
func checkWhiteSpace(t require.TestingT, p view.Plan, c cover) {
	places := int64(0)
	for i, n := range c {
		if n == 0 && (i == 0 || c[i-1] > 0) {
			places++
		}
	}
	var want []view.Transform
	if places > 0 {
		want = []view.Transform{{Name: "white_space", Count: places}}
	}
	require.Equal(t, want, p.Transforms)
}

func (v *value) find(pointer string) (found *value) {
	v.each(func(k *value) {
		if k.pointer == pointer && found == nil {
			found = k
		}
	})
	return found
}

func checkUnits(t require.TestingT, s string, l view.Limit) {
	switch l.Unit {
	case view.Rune:
		require.LessOrEqual(t, int64(utf8.RuneCountInString(s)), l.N)
	case view.Line:
		require.LessOrEqual(t, int64(strings.Count(s, "\n")+1), max(1, l.N))
	case view.Grapheme:
		n := int64(0)
		for it := graphemes.FromString(s); it.Next(); {
			n++
		}
		require.LessOrEqual(t, n, l.N)
	}
}

// checkVerbatim proves that the content is the source's bytes, but for lone
// surrogates, and says whether there were any.
func checkVerbatim(t require.TestingT, src string, p view.Plan) (lossy bool) {
	both := append(append([]view.Range{}, p.Bytes...), p.Context...)
	var b strings.Builder
	var cuts []int64
	for pos := int64(0); ; {
		next := -1
		for i, r := range both {
			if r.Start >= pos && (next < 0 || r.Start < both[next].Start) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		if both[next].Start != pos {
			cuts = append(cuts, int64(b.Len()))
		}
		b.WriteString(src[both[next].Start:both[next].End])
		pos = both[next].End
	}
	want := b.String()
	require.Equal(t, cuts, p.Cuts)
	if want == p.Content {
		return false
	}
	require.Len(t, want, len(p.Content))
	n := int64(0)
	for i := 0; i < len(want); i++ {
		if want[i] == p.Content[i] {
			continue
		}
		for want[i] != '\\' {
			i--
		}
		require.Equal(t, `\ufffd`, p.Content[i:i+6])
		require.Contains(t, "dD", want[i+2:i+3])
		n++
		i += 5
	}
	require.Contains(t, p.Transforms, view.Transform{Name: "lone_surrogate", Count: n, Loses: true})
	return true
}

// checkLacks compares the omissions with what the cover says is missing.
func checkLacks(t require.TestingT, c cover, at *value, p view.Plan, o Options) {
	var got []lack
	for _, x := range p.Omissions {
		got = append(got, lack{x.Pointer, x.Unit, x.Shown, x.Part, x.Total})
		require.LessOrEqual(t, x.Units.Len(), x.Total)
		require.GreaterOrEqual(t, x.Units.Len(), x.Total-x.Shown-x.Part, "%+v", x)
	}
	want := c.lacks(at)
	if p.Unlisted > 0 {
		require.Len(t, got, MaxOmissions)
		require.Len(t, want, MaxOmissions+int(p.Unlisted))
		require.Subset(t, want, got)
		return
	}
	require.ElementsMatch(t, want, got, "%s", p.Content)
	if m := at.find(p.Pointer); p.Unit == view.Item && m != nil && !hasTwins(at) {
		whole, part := int64(0), int64(0)
		for i, k := range m.kids {
			in := false
			for _, r := range p.Units {
				in = in || int64(i) >= r.Start && int64(i) < r.End
			}
			require.Equal(t, c.whole(k), in, "unit %d", i)
			if in {
				whole++
			} else if c.some(k) {
				part++
			}
		}
		require.Equal(t, part, p.Partly)
		require.EqualValues(t, len(m.kids), p.UnitTotal)
	}
}

// hasTwins says whether two values have the same pointer.
func hasTwins(v *value) bool {
	seen, twins := map[string]bool{}, false
	v.each(func(k *value) {
		twins = twins || seen[k.pointer]
		seen[k.pointer] = true
	})
	return twins
}

// checkShape proves what may be shortened and what not.
func checkShape(t require.TestingT, src string, c cover, at *value, o Options) {
	at.each(func(k *value) {
		if !c.some(k) {
			return
		}
		elem := k.parent != nil && k != at && k.parent.kind == '['
		if elem && !inArray(k.parent, at) && !c.whole(k) && int64(k.end-k.start) <= o.record() {
			for _, m := range k.parent.kids {
				require.True(t, m == k || !c.some(m), "small elements are whole, but the only one: %s", k.pointer)
			}
		}
		if k.kind == '{' && elem {
			for _, m := range k.kids {
				require.True(t, c.some(m), "an element keeps all its keys: %s", k.pointer)
			}
		}
		if k.kind != '"' && k.kind != '{' && k.kind != '[' {
			require.True(t, c.whole(k), "numbers and literals are whole: %s", k.pointer)
		}
		if k.kind != '"' || c.whole(k) {
			return
		}
		if k != at {
			require.Greater(t, k.end-k.start-2, MaxShort, "short strings are whole: %s", k.pointer)
		}
		checkCut(t, src[k.start+1:k.end-1], c[k.start+1:k.end-1])
	})
}

// inArray says whether v, below root, lies in another array.
func inArray(v, root *value) bool {
	for k := v; k != root; k = k.parent {
		if k.parent.kind == '[' {
			return true
		}
	}
	return false
}

func (o Options) record() int64 {
	o, _, _ = o.check()
	return o.MaxRecord
}

// checkCut proves that each end of what is shown of a raw string body is a cluster's.
func checkCut(t require.TestingT, raw string, c cover) {
	ends, long := clusters(raw)
	for i := range raw {
		if i > 0 && (c[i] > 0) != (c[i-1] > 0) && !long[i] {
			require.True(t, ends[i], "cut at %d of %q", i, raw)
		}
	}
}

// clusters finds where clusters end in a raw body, by decoding all of it; long
// marks the rune boundaries deep inside clusters of more than MaxCluster bytes.
func clusters(raw string) (ends, long map[int]bool) {
	var text []byte
	var offs, at []int
	for i := 0; i < len(raw); {
		r, n := rawRune([]byte(raw[i:]))
		if n == 0 {
			panic(fmt.Sprintf("bad body %q", raw))
		}
		text = utf8.AppendRune(text, r)
		i += n
		offs, at = append(offs, len(text)), append(at, i)
	}
	ends, long = map[int]bool{0: true}, map[int]bool{}
	k, start := 0, 0
	for it := graphemes.FromBytes(text); it.Next(); {
		for ; offs[k] < it.End(); k++ {
			if at[k]-start > MaxCluster-12 {
				long[at[k]] = true
			}
		}
		start = at[k]
		ends[start] = true
		k++
	}
	return ends, long
}

var _ testing.TB
