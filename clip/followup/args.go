package followup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/envelope"
)

// args are the arguments of one call, as the model gave them.
type args struct {
	scope  artifact.Scope
	fields map[string]json.RawMessage
}

// maxArguments is the most bytes of arguments that are looked at.
const maxArguments = 1 << 20

// parse reads the object of arguments. It knows the names that the schema has; a
// null is an argument that was not given.
func parse(raw json.RawMessage, schema map[string]any) (*args, *envelope.Failure) {
	known := slices.Sorted(maps.Keys(schema["properties"].(map[string]any)))
	a := &args{fields: map[string]json.RawMessage{}}
	if len(raw) > maxArguments {
		return nil, bad("give shorter ones", "the arguments have %d bytes, at most %d are allowed", len(raw), maxArguments)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return a, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&a.fields); err != nil || trailing(d) {
		return nil, bad("give one JSON object with "+strings.Join(known, ", "), "the arguments are not a JSON object: %s", short(string(raw)))
	}
	for _, name := range slices.Sorted(maps.Keys(a.fields)) {
		if !slices.Contains(known, name) {
			return nil, bad("the arguments are "+strings.Join(known, ", "), "there is no argument %s", short(name))
		}
		if string(bytes.TrimSpace(a.fields[name])) == "null" {
			delete(a.fields, name)
		}
	}
	return a, nil
}

func trailing(d *json.Decoder) bool {
	_, err := d.Token()
	return err != io.EOF
}

// has reports whether the argument was given.
func (a *args) has(name string) bool {
	_, ok := a.fields[name]
	return ok
}

// text is an argument that is a string.
func (a *args) text(name string, required bool) (string, *envelope.Failure) {
	raw, ok := a.fields[name]
	if !ok {
		if required {
			return "", bad("give "+name, "the argument %s is missing", name)
		}
		return "", nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", bad("give "+name+" as a string", "%s: %s is not a string", name, short(string(raw)))
	}
	return s, nil
}

// truth is an argument that is true or false, also as a string.
func (a *args) truth(name string) (bool, *envelope.Failure) {
	raw, ok := a.fields[name]
	if !ok {
		return false, nil
	}
	switch strings.Trim(string(bytes.TrimSpace(raw)), `"`) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, bad("give true or false", "%s: %s is neither true nor false", name, short(string(raw)))
}

// number is an argument that is a whole number of at least least: 12, 12.0, 1.2e1
// or "12". What is larger than an int64 is the largest one: it is past every end.
func (a *args) number(name string, least int64) (int64, *envelope.Failure) {
	raw := a.fields[name]
	text := string(bytes.TrimSpace(raw))
	var s string
	if json.Unmarshal(raw, &s) == nil {
		text = strings.TrimSpace(s)
	}
	n, ok := whole(text)
	switch {
	case !ok:
		return 0, bad("give a whole number", "%s: %s is not a whole number", name, short(string(raw)))
	case n < least:
		return 0, bad(fmt.Sprintf("%s counts from %d", name, least), "%s: %s is before the beginning", name, short(text))
	}
	return n, nil
}

// whole reads a whole number exactly, however it is written.
func whole(s string) (int64, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	const most = 64 // bytes of a number that anybody means
	if len(s) == 0 || len(s) > most || strings.ContainsFunc(s, notNumeral) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil && math.IsInf(f, 0), math.Abs(f) >= math.MaxInt64:
		if f < 0 {
			return math.MinInt64, true
		}
		return math.MaxInt64, true
	case err != nil:
		return 0, false
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || !r.IsInt() {
		return 0, false
	}
	return r.Num().Int64(), true
}

func notNumeral(r rune) bool {
	return (r < '0' || r > '9') && !strings.ContainsRune("+-.eE", r)
}
