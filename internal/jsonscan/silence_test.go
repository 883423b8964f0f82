package jsonscan

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shape is what is known of a container: where it begins and ends, its values, and
// where the last of them ends.
type shape struct{ start, end, n, last int64 }

// shapes finds the shape of every container by hearing of every value; those that
// begin at an offset in skip are passed over.
type shapes struct {
	t    *testing.T
	s    *Scanner
	skip map[int64]bool
	open []shape
	all  []shape
}

func (h *shapes) Begin(k Kind, at int64) {
	if k == Name {
		return
	}
	if len(h.open) > 0 {
		h.open[len(h.open)-1].n++
	}
	if k == Object || k == Array {
		h.open = append(h.open, shape{start: at, last: at + 1})
		if h.skip[at] {
			h.s.Skip(k)
		}
	}
}

func (h *shapes) End(k Kind, end, n, last int64) {
	if k == Object || k == Array {
		c := h.open[len(h.open)-1]
		h.open = h.open[:len(h.open)-1]
		if h.skip[c.start] {
			c.n, c.last = n, last
		}
		c.end = end
		h.all = append(h.all, c)
		require.Equal(h.t, c.last, last, "last is behind the last value, in sound and in silence")
	}
	if k != Name && len(h.open) > 0 {
		h.open[len(h.open)-1].last = end
	}
}

func shapesOf(t *testing.T, p []byte, skip map[int64]bool) map[int64]shape {
	h := &shapes{t: t, skip: skip}
	h.s = New(h, 0)
	_, err := h.s.Write(p)
	require.NoError(t, err)
	require.NoError(t, h.s.Close())
	m := map[int64]shape{}
	for _, c := range h.all {
		m[c.start] = c
	}
	return m
}

// What is passed over in silence is told as what was heard, by both readers.
func TestSilenceTellsWhatWasPassedOver(t *testing.T) {
	rememberSoon(t)
	for _, text := range []string{
		`[1, {"a":[2,[3] ] , "b":{} } ,[ ] ,{ }	, [ 1 ,2 ] ]`,
		`[ [1,{}],[1,{}],[1,{}],[1,{}], [1,{} ] , [ 1, {} ]]`,
		`{"x":[ [[],1] , [[],1] ,[[],1],[[],1],[[],1] ] , "y" : 2}`,
		string(list(records[0], 8)), string(list(records[1], 8)), string(list(records[2], 8)),
	} {
		p := []byte(text + tail)
		want := shapesOf(t, p, nil)
		for at := range want {
			got := shapesOf(t, p, map[int64]bool{at: true})
			require.Equal(t, want[at], got[at], "%.80s passed over at %d", text, at)
		}
	}
}

// After a jump the scanner goes on as if it had read what lies between.
func TestJumpGoesOnAtAnElement(t *testing.T) {
	for _, depth := range []int{0, 1, 62, 63, 64, 65, 130} {
		open, end := strings.Repeat(`[{"a":`, depth), strings.Repeat(`},0]`, depth)
		p := []byte(open + `[1,[[{"x":[2,3]}]],{"y":4},5]` + end)
		at := int64(bytes.Index(p, []byte(`{"y"`)))
		for stop := len(open) + 2; stop < int(at); stop++ {
			s := New(nil, 0)
			_, err := s.Write(p[:stop])
			require.NoError(t, err)
			s.Jump(at, 2*depth+1, 0)
			_, err = s.Write(p[at:])
			require.NoError(t, err, "%d brackets, stopped at %d", depth, stop)
			require.NoError(t, s.Close())
		}
	}
}
