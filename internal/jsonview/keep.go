package jsonview

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/toolclip/toolclip/internal/jsonscan"
	"github.com/toolclip/toolclip/internal/view"
)

// Rule is a condition on an element of a list: the value at Pointer, inside the
// element, stands in relation Op to Value. Of members of one name it looks at the
// first.
//
// Op is one of == != < <= > >= exists contains. A string is compared with its
// decoded characters, by code point; a number exactly, as a decimal; true, false
// and null by name, with == and != alone. contains is of strings. exists takes no
// Value. An element that lacks the value, or has one of another type or of more
// than MaxRecord bytes, cannot be judged; exists judges every element.
//
// With JSON, Value is a JSON scalar and its type counts: null is equal to nothing
// else, and a scalar of another type cannot be judged.
type Rule struct {
	Pointer, Op, Value string
	JSON               bool
}

func (r Rule) check() error {
	if _, err := parsePointer(r.Pointer); err != nil {
		return err
	}
	if r.JSON && r.Op != "exists" && (!jsonscan.Valid([]byte(r.Value)) || strings.ContainsAny(r.Value[:1], "{[ \t\r\n")) {
		return fmt.Errorf("jsonview: keep rule has value %.40q, which is no JSON scalar", r.Value)
	}
	switch r.Op {
	case "==", "!=", "<", "<=", ">", ">=", "exists", "contains":
		return nil
	}
	return fmt.Errorf("jsonview: keep rule has operator %.20q; use one of == != < <= > >= exists contains", r.Op)
}

// String is the rule as people read it.
func (r Rule) String() string {
	at := r.Pointer
	if at == "" {
		at = "the element"
	}
	if r.Op == "exists" {
		return at + " exists"
	}
	if r.JSON {
		return fmt.Sprintf("%s %s %s", at, r.Op, r.Value)
	}
	return fmt.Sprintf("%s %s %q", at, r.Op, r.Value)
}

// verdict of a rule on an element.
type verdict uint8

const (
	open verdict = iota
	holds
	fails
	cannot // be judged
)

// judge applies the keep rules to the elements of lists as they stream by.
type judge struct {
	rules   []Rule
	all     bool // all rules must hold; otherwise one
	state   []ruling
	active  bool // in a list
	depth   int  // containers open inside the element, itself included
	at      int64
	of      int64
	matched int64
	cannot  int64
	last    verdict // on the element that ended last

	// Of a page of a list, what lies before it does not count.
	from  int64
	first int64 // index of the first that matched
}

// ruling is a rule and where it stands on the element that is open.
type ruling struct {
	path   []string
	op     string
	value  []byte
	number decimal // value as a number, if it is one
	isNum  bool
	kind   jsonscan.Kind // the type that counts; Name: none does

	progress
}

// progress is what a ruling knows of the element that is open.
type progress struct {
	is     verdict
	deep   int   // depth of the innermost container on the path
	n      int64 // values begun in it
	object bool
	hit    bool // the name just read is on the path
	take   bool // the scalar that is open is the value
}

// busy says whether there are rules, so that every value must be heard of.
func (j *judge) busy() bool { return len(j.rules) > 0 }

// enter begins a list.
func (j *judge) enter() {
	j.active, j.depth = true, 0
	if j.state == nil {
		for _, r := range j.rules {
			c := ruling{op: r.Op, value: []byte(r.Value)}
			c.path, _ = parsePointer(r.Pointer) // checked by New
			if r.JSON && r.Op != "exists" {
				c.kind = kindOf(r.Value[0])
			}
			if c.kind == jsonscan.String {
				c.value = appendDecoded(nil, c.value[1:len(c.value)-1])
			}
			c.number, c.isNum = parseDecimal(r.Value)
			j.state = append(j.state, c)
		}
	}
}

// stand appends how the rules stand to list, and returns their depth.
func (j *judge) stand(list []progress) ([]progress, int) {
	for i := range j.state {
		list = append(list, j.state[i].progress)
	}
	return list, j.depth
}

// resume goes back to where the rules stood.
func (j *judge) resume(list []progress, depth int) {
	for i := range list {
		j.state[i].progress = list[i]
	}
	j.depth = depth
}

// inside says whether what is in the container that began last can matter to a rule.
func (j *judge) inside() bool {
	for i := range j.state {
		if r := &j.state[i]; r.is == open && r.deep == j.depth {
			return true
		}
	}
	return false
}

// decided says whether the rest of the open element can change nothing.
func (j *judge) decided() bool {
	enough := holds
	if j.all {
		enough = fails
	}
	for i := range j.state {
		if j.state[i].is == enough {
			return true
		}
	}
	for i := range j.state {
		if j.state[i].is == open {
			return false
		}
	}
	return true
}

// begin hears of a value; it returns whether its bytes are wanted.
func (j *judge) begin(k jsonscan.Kind, at int64) (wanted bool) {
	if !j.active {
		if j.busy() && k == jsonscan.Array {
			j.enter()
		}
		return false
	}
	if j.depth == 0 {
		for i := range j.state {
			j.state[i].progress = progress{}
		}
	}
	container := k == jsonscan.Object || k == jsonscan.Array
	for i := range j.state {
		r := &j.state[i]
		if r.is != open || !r.onPath(j.depth) {
			continue
		}
		switch {
		case j.depth < len(r.path) && container:
			r.deep, r.n, r.object, r.hit = j.depth+1, 0, k == jsonscan.Object, false
		case j.depth < len(r.path):
			r.is = missing(r.op)
		case r.op == "exists":
			r.is = holds
		case container:
			r.is = cannot
		default:
			r.take, wanted = true, true
		}
	}
	j.at = at
	if container {
		j.depth++
	}
	return wanted
}

// onPath says whether the value that begins at depth is the next on the path.
func (r *ruling) onPath(depth int) bool {
	if depth == 0 {
		return true
	}
	if r.deep != depth {
		return false
	}
	r.n++
	if r.object {
		return r.hit
	}
	return index(r.path[depth-1]) == r.n-1
}

func missing(op string) verdict {
	if op == "exists" {
		return fails
	}
	return cannot
}

// name hears of a member's name, raw and in quotes.
func (j *judge) name(raw func() []byte, size int64) {
	if !j.active {
		return
	}
	for i := range j.state {
		r := &j.state[i]
		if r.is == open && r.deep == j.depth && r.object {
			token := r.path[r.deep-1]
			r.hit = size <= int64(6*len(token)+2) && isNamed(raw(), token)
		}
	}
}

// end hears that a value ends. raw is the scalar's bytes, nil if they are too
// many to be held. It returns true when that was the element.
func (j *judge) end(k jsonscan.Kind, raw func() []byte) bool {
	if !j.active {
		return false
	}
	if k == jsonscan.Object || k == jsonscan.Array {
		if j.depth == 0 {
			j.active = false // the list itself ends
			return false
		}
		for i := range j.state {
			if r := &j.state[i]; r.is == open && r.deep == j.depth {
				r.is = missing(r.op)
			}
		}
		j.depth--
	} else {
		for i := range j.state {
			if r := &j.state[i]; r.take {
				r.take = false
				r.is = r.judge(k, raw())
			}
		}
	}
	if j.depth > 0 {
		return false
	}
	j.count()
	return true
}

// count adds the element that ended.
func (j *judge) count() {
	j.last = j.together()
	switch {
	case j.of < j.from:
	case j.last == holds:
		if j.matched++; j.matched == 1 {
			j.first = j.of
		}
	case j.last == cannot:
		j.cannot++
	}
	j.of++
}

// together is the verdict of all rules on the element that ended.
func (j *judge) together() verdict {
	enough, otherwise := holds, fails
	if j.all {
		enough, otherwise = fails, holds
	}
	for i := range j.state {
		switch j.state[i].is {
		case enough:
			return enough
		case cannot, open:
			otherwise = cannot
		}
	}
	return otherwise
}

// judge compares a scalar with the rule's value.
func (r *ruling) judge(k jsonscan.Kind, raw []byte) verdict {
	if raw == nil {
		return cannot
	}
	if r.kind != jsonscan.Name && r.kind != k {
		return r.unlike(k)
	}
	var c int
	switch k {
	case jsonscan.String:
		s := raw[1 : len(raw)-1]
		if bytes.IndexByte(s, '\\') >= 0 {
			s = appendDecoded(nil, s)
		}
		if r.op == "contains" {
			return verdictOf(bytes.Contains(s, r.value))
		}
		c = bytes.Compare(s, r.value)
	case jsonscan.Number:
		if !r.isNum {
			return cannot
		}
		c = compareNumbers(raw, r.value, r.number)
	default:
		if r.op != "==" && r.op != "!=" {
			return cannot
		}
		c = bytes.Compare(raw, r.value)
	}
	switch r.op {
	case "==":
		return verdictOf(c == 0)
	case "!=":
		return verdictOf(c != 0)
	case "<":
		return verdictOf(c < 0)
	case "<=":
		return verdictOf(c <= 0)
	case ">":
		return verdictOf(c > 0)
	case ">=":
		return verdictOf(c >= 0)
	}
	return cannot
}

// unlike is the verdict on a scalar of another type than the one that counts: null
// is nothing else, and true is not false. A number and a string that look the same
// may well mean the same, so that is left open.
func (r *ruling) unlike(k jsonscan.Kind) verdict {
	sure := k == jsonscan.Null || r.kind == jsonscan.Null || isBool(k) && isBool(r.kind)
	switch {
	case sure && r.op == "==":
		return fails
	case sure && r.op == "!=":
		return holds
	}
	return cannot
}

func isBool(k jsonscan.Kind) bool { return k == jsonscan.True || k == jsonscan.False }

// kindOf is the type of the JSON scalar that begins with b.
func kindOf(b byte) jsonscan.Kind {
	switch b {
	case '"':
		return jsonscan.String
	case 't':
		return jsonscan.True
	case 'f':
		return jsonscan.False
	case 'n':
		return jsonscan.Null
	}
	return jsonscan.Number
}

func verdictOf(b bool) verdict {
	if b {
		return holds
	}
	return fails
}

// scanOf is what the rules found, nil without rules.
func (j *judge) scanOf(returned int64) *view.Scan {
	if len(j.rules) == 0 {
		return nil
	}
	words := make([]string, len(j.rules))
	for i, r := range j.rules {
		words[i] = r.String()
	}
	and := " or "
	if j.all {
		and = " and "
	}
	s := &view.Scan{Predicate: strings.Join(words, and), Engine: "keep", Unit: view.Item, Of: j.of,
		Matched: j.matched, Returned: returned, Unjudged: j.cannot}
	s.Scanned = units(j.from, j.of)
	return s
}
