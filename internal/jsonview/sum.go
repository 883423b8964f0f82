package jsonview

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/jsonstring"
)

// sum is what is known of a long string beside its bytes: the hash of a blob, or what
// JSON it holds.
type sum struct {
	of   string
	head int64
	h    hash.Hash
	hex  string
	in   *held
}

// held scans the JSON that a string holds.
type held struct {
	dec  *jsonstring.Decoder
	scan *jsonscan.Scanner
	kind jsonscan.Kind
	n    int64 // values in the root
}

// Begin implements jsonscan.Handler. What is in the root is only counted.
func (h *held) Begin(k jsonscan.Kind, _ int64) {
	h.kind = k
	h.scan.Skip(k)
}

// End implements jsonscan.Handler.
func (h *held) End(_ jsonscan.Kind, _, n, _ int64) { h.n = n }

// probed is the sum of a string that begins with p; false: nothing is to be said of it.
func probed(p []byte) (sum, bool) {
	if of, head := blobKind(p); of != "" {
		return sum{of: of, head: head, h: sha256.New()}, true
	}
	if !holdsBracket(p) {
		return sum{}, false
	}
	return sum{in: newHeld()}, true
}

func newHeld() *held {
	h := &held{}
	h.scan = jsonscan.New(h, 0)
	h.dec = jsonstring.New(func(p []byte) { _, _ = h.scan.Write(p) }) // Close tells
	return h
}

// holdsBracket reports whether a string that begins with p may hold an object or an
// array.
func holdsBracket(p []byte) bool {
	p = p[:min(len(p), maxHeader)]
	for {
		switch r, n := rawRune(p); {
		case n == 0:
			return false
		case r == ' ' || r == '\t' || r == '\r' || r == '\n':
			p = p[n:]
		default:
			return r == '{' || r == '['
		}
	}
}

func (s *sum) write(p []byte) {
	if s.in != nil {
		_, _ = s.in.dec.Write(p)
		return
	}
	s.h.Write(p)
}

// finish tells that the string has ended.
func (s *sum) finish() {
	if s.in == nil {
		s.hex = hex.EncodeToString(s.h.Sum(nil))
		s.h = nil
		return
	}
	if s.in.scan.Close() == nil {
		s.of = heldJSON(s.in.kind, s.in.n)
	}
	s.in = nil
}

// heldJSON says what JSON a string holds: "JSON object of 3 members".
func heldJSON(k jsonscan.Kind, n int64) string {
	unit := "item"
	if k == jsonscan.Object {
		unit = "member"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("JSON %v of %d %s", k, n, unit)
}

// addSum keeps s and returns 1 + its index. Nodes are in the order of the source and
// so are their sums; those of nodes that are gone are dropped.
func (v *View) addSum(s sum) int32 {
	if len(v.sums) >= v.sumRoom {
		live := v.sums[:0]
		for i := range v.nodes {
			if n := &v.nodes[i]; n.sum > 0 {
				live = append(live, v.sums[n.sum-1])
				n.sum = int32(len(live))
			}
		}
		clear(v.sums[len(live):])
		v.sums, v.sumRoom = live, 2*len(live)+64
	}
	v.sums = append(v.sums, s)
	return int32(len(v.sums))
}
