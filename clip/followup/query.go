package followup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// operators are those of clip.Keep.
var operators = []string{"==", "!=", "<", "<=", ">", ">=", "exists", "contains"}

// maxConditions is the most conditions of one query.
const maxConditions = 16

// query shows the records of an array that meet all conditions, verbatim.
func (k *kit) query(ctx context.Context, a *args) (envelope.Envelope, error) {
	show, f := a.queryShow()
	if f != nil {
		return envelope.Envelope{}, f
	}
	r, err := k.open(ctx, a)
	if err != nil {
		return envelope.Envelope{}, err
	}
	defer r.Close()
	e, err := k.c.Page(ctx, r, show)
	if err != nil {
		return envelope.Envelope{}, err
	}
	f, err = k.confirmed(ctx, r, show, e, func(e envelope.Envelope) *envelope.Failure { return k.noRecords(show, e) })
	switch {
	case f != nil:
		return envelope.Envelope{}, f
	case err != nil:
		return envelope.Envelope{}, err
	case e.Scan == nil:
		return envelope.Envelope{}, bad("give shorter ones, or search for a word of the records",
			"there is no room for an answer that says what was looked for: pointer and where have %d bytes", len(show.Pointer)+len(a.fields[clip.ArgWhere]))
	}
	return e, nil
}

// noRecords says that the answer e is of nothing that has records where show asks for
// them.
func (k *kit) noRecords(show clip.Show, e envelope.Envelope) *envelope.Failure {
	switch {
	case e.View.Unit != coverage.Item || e.Scan == nil || strings.HasPrefix(e.Content, "{"):
		advice := "give the pointer of an array"
		if k.cfg.Followups.Outline != "" {
			advice += "; " + k.cfg.Followups.Outline + " lists them"
		}
		return bad(advice, "what the pointer %s names is no array of records", short(show.Pointer))
	case show.At > 0 && show.At >= e.View.UnitTotal.Value:
		w := window{pointer: show.Pointer, unit: coverage.Item, from: show.At}
		return w.pastEnd(e.View.UnitTotal.Value)
	}
	return nil
}

// queryShow reads pointer, where and item.
func (a *args) queryShow() (clip.Show, *envelope.Failure) {
	show := clip.Show{Unit: coverage.Item, Only: true}
	var f *envelope.Failure
	if show.Pointer, f = a.pointer(); f != nil {
		return show, f
	}
	if show.Inside, f = a.truth(clip.ArgInside); f != nil {
		return show, f
	}
	if show.Keep, f = a.conditions(); f != nil {
		return show, f
	}
	if a.has(clip.ArgItem) {
		n, f := a.number(clip.ArgItem, 1)
		if f != nil {
			return show, f
		}
		show.At = n - 1
	}
	return show, nil
}

const conditionAdvice = `give where as a list of conditions such as {"pointer":"/status","op":"==","value":"open"}; all must hold`

// conditions reads where.
func (a *args) conditions() ([]clip.Keep, *envelope.Failure) {
	raw, ok := a.fields[clip.ArgWhere]
	if !ok {
		return nil, bad(conditionAdvice, "the argument %s is missing", clip.ArgWhere)
	}
	if t := bytes.TrimSpace(raw); len(t) > 0 && t[0] == '{' {
		raw = slices.Concat(json.RawMessage("["), raw, json.RawMessage("]")) // one condition by itself
	}
	var list []map[string]json.RawMessage
	switch err := json.Unmarshal(raw, &list); {
	case err != nil:
		return nil, bad(conditionAdvice, "where: %s is not a list of conditions", short(string(raw)))
	case len(list) == 0:
		return nil, bad(conditionAdvice+"; to see all records, read them", "where has no condition")
	case len(list) > maxConditions:
		return nil, bad("give fewer conditions", "where has %d conditions, at most %d are allowed", len(list), maxConditions)
	}
	var rules []clip.Keep
	for i, c := range list {
		r, f := condition(i, c)
		if f != nil {
			return nil, f
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// condition reads the i-th condition.
func condition(i int, c map[string]json.RawMessage) (r clip.Keep, f *envelope.Failure) {
	for name := range c {
		if name != clip.ArgPointer && name != clip.ArgOp && name != clip.ArgValue {
			return r, bad("a condition has pointer, op and value", "where: condition %d has no argument %s", i+1, short(name))
		}
	}
	in := &args{fields: c}
	for name, v := range c {
		if string(bytes.TrimSpace(v)) == "null" && name != clip.ArgValue {
			delete(c, name)
		}
	}
	if r.Pointer, f = in.pointer(); f != nil {
		return r, inCondition(i, f)
	}
	if r.Op, f = in.text(clip.ArgOp, true); f != nil {
		return r, inCondition(i, f)
	}
	if !slices.Contains(operators, r.Op) {
		return r, inCondition(i, envelope.BadArgument(clip.ArgOp, r.Op, operators...))
	}
	_, has := c[clip.ArgValue]
	switch {
	case r.Op == "exists" && has:
		return r, inCondition(i, bad("leave value out with exists", "exists takes no value"))
	case r.Op == "exists":
		return r, nil
	case !has:
		return r, inCondition(i, bad("give a value to compare with", "the value is missing"))
	}
	r.Value, r.JSON, f = comparand(c[clip.ArgValue])
	if f != nil {
		return r, inCondition(i, f)
	}
	return r, nil
}

// comparand is what is compared with: a string's characters, or a number or a name
// (true, false, null) as it is written, whose type counts. A string's does not: who
// asks for "200" may well mean a number.
func comparand(raw json.RawMessage) (value string, typed bool, f *envelope.Failure) {
	raw = bytes.TrimSpace(raw)
	switch raw[0] {
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", false, bad("give a string", "value: %s is not a string", short(string(raw)))
		}
		return s, false, nil
	case '{', '[':
		return "", false, bad("compare a value inside it, by its pointer", "value: an object or array can't be compared")
	}
	return string(raw), true, nil
}

func inCondition(i int, f *envelope.Failure) *envelope.Failure {
	g := *f
	g.Message = fmt.Sprintf("where: condition %d: %s", i+1, f.Message)
	return &g
}

func queryDescription(f clip.Followups, _ Limits) string {
	s := "Finds the records of a JSON array in a tool result that was kept whole, by conditions on their fields, and shows those for which all conditions hold, as they stand in the source. " +
		"Use it to filter or count records (the notice says how many match, how many are shown and how many could not be judged), instead of reading them all. " +
		"pointer is the JSON Pointer of the array, \"\" for the whole document; the pointer in a condition is inside a record. " +
		"op is one of " + strings.Join(operators, " ") + "; contains looks inside strings. A value in quotes is compared with strings by their characters and with numbers; a number with numbers alone, exactly. " +
		"A record that lacks the field, or has a value of another kind there, can't be judged and is counted as that; no match means that no record meets the conditions. " +
		"Items count from 1; item goes on from an earlier query. "
	if f.Outline != "" {
		s += "Call " + f.Outline + " first to learn the names of the fields. "
	}
	return s + lifetime
}

func querySchema(Limits) map[string]any {
	one := object([]string{clip.ArgOp}, map[string]any{
		clip.ArgPointer: stringly("A JSON Pointer inside the record, such as /status; \"\" is the record itself."),
		clip.ArgOp:      stringly("How to compare.", "enum", operators),
		clip.ArgValue:   map[string]any{"type": []string{"string", "number", "boolean", "null"}, "description": "What to compare with; none for exists."},
	})
	delete(one, "$schema")
	return object([]string{clip.ArgArtifact, clip.ArgWhere}, map[string]any{
		clip.ArgArtifact: artifactProperty(),
		clip.ArgPointer:  stringly("The JSON Pointer (RFC 6901) of the array of records, such as /items. Leave it out when the document is the array."),
		clip.ArgInside:   insideProperty(),
		clip.ArgWhere:    property("array", "The conditions; all must hold.", "items", one, "minItems", 1, "maxItems", maxConditions),
		clip.ArgItem:     integer("The first record to look at, from 1, to go on with an earlier query.", 1),
	})
}
