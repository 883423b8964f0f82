package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// ErrNotEnvelope is why Parse refused its input.
var ErrNotEnvelope = errors.New("envelope: not an envelope")

// Map is e as a JSON object made of maps, slices, strings, bools, int64 and float64
// (json.Number for a number that neither holds), for SDKs that take a map or ignore
// JSON tags. Ranges in it are 0-based and half-open. It shares nothing with e.
//
// Where an argument of a call can't be encoded, the call's arguments are left out.
func (e Envelope) Map() map[string]any {
	b, err := json.Marshal(e.encodable())
	if err != nil {
		return map[string]any{"schema": Schema}
	}
	v, err := decode(b)
	if err != nil {
		return map[string]any{"schema": Schema}
	}
	m, _ := v.(map[string]any)
	return m
}

// encodable is e with plain arguments in its calls; nothing else in it is foreign.
func (e Envelope) encodable() Envelope {
	e.Next = slices.Clone(e.Next)
	for i, n := range e.Next {
		v, err := decode([]byte(encodeArguments(n.Arguments)))
		plain, ok := v.(map[string]any)
		if err != nil || !ok {
			plain = nil
		}
		e.Next[i].Arguments = plain
	}
	return e
}

// Parse reads the JSON form of an envelope: what [Envelope.Map] or encoding/json
// made of one. It is for programs (interfaces, evaluations, logs), so that state is
// never read from text. Names that it does not know are passed over at any depth,
// names are matched exactly, and a name that stands twice in an object is an error.
// Integers in arguments of calls become int64, other numbers float64, or
// json.Number where that would change them.
//
// An envelope that was parsed is what somebody says: [Envelope.Worded] is false, and
// nothing in it has been checked against anything. Errors wrap [ErrNotEnvelope].
func Parse(p []byte) (Envelope, error) {
	v, err := decode(p)
	if err != nil {
		return Envelope{}, fmt.Errorf("%w: %w", ErrNotEnvelope, err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return Envelope{}, fmt.Errorf("%w: want a JSON object", ErrNotEnvelope)
	}
	switch version, _ := m["schema"].(string); {
	case version == "":
		return Envelope{}, fmt.Errorf(`%w: no "schema": want %q`, ErrNotEnvelope, Schema)
	case version != Schema:
		return Envelope{}, fmt.Errorf("%w: schema %q, this package reads %q", ErrNotEnvelope, visible(version, maxName), Schema)
	}
	var e Envelope
	if err := e.read(m); err != nil {
		return Envelope{}, fmt.Errorf("%w: %w", ErrNotEnvelope, err)
	}
	return e, nil
}

// read fills e from a decoded object. It goes by way of encoding/json, which matches
// names without regard to case: an object in which a name is spelt in another case
// has been cleaned of it before.
func (e *Envelope) read(m map[string]any) error {
	clean(m, reflect.TypeFor[Envelope]())
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, e); err != nil {
		return err
	}
	for i := range e.Next {
		e.Next[i].Arguments = argumentsOf(m, i)
	}
	return nil
}

// argumentsOf are the arguments of call i as decode made them.
func argumentsOf(m map[string]any, i int) map[string]any {
	next, _ := m["next"].([]any)
	if i >= len(next) {
		return nil
	}
	call, _ := next[i].(map[string]any)
	args, _ := call["arguments"].(map[string]any)
	return args
}

// decode reads one JSON value with exact numbers; duplicate names are an error.
func decode(p []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(p))
	dec.UseNumber()
	v, err := decodeValue(dec, 0)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("something follows the value at byte %d", dec.InputOffset())
	}
	return v, nil
}

// maxDepth is the deepest nesting that is read, that of encoding/json.
const maxDepth = 10000

func decodeValue(dec *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested more than %d deep at byte %d", maxDepth, dec.InputOffset())
	}
	token, err := dec.Token()
	if err != nil {
		return nil, unexpected(err)
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return decodeObject(dec, depth+1)
		}
		return decodeArray(dec, depth+1)
	case json.Number:
		return exact(t), nil
	}
	return token, nil
}

func decodeObject(dec *json.Decoder, depth int) (any, error) {
	m := map[string]any{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, unexpected(err)
		}
		name, _ := key.(string) // the decoder admits nothing else
		if _, twice := m[name]; twice {
			return nil, fmt.Errorf("name %q stands twice before byte %d", visible(name, maxName), dec.InputOffset())
		}
		if m[name], err = decodeValue(dec, depth); err != nil {
			return nil, err
		}
	}
	_, err := dec.Token()
	return m, unexpected(err)
}

func decodeArray(dec *json.Decoder, depth int) (any, error) {
	list := []any{}
	for dec.More() {
		v, err := decodeValue(dec, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, unexpected(err)
}

// unexpected makes an end inside a value what it is.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// exact is n in the plainest type that holds it as it is.
func exact(n json.Number) any {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil && string(n) != "-0" {
		return i
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || !sameNumber(string(n), strconv.FormatFloat(f, 'e', -1, 64)) {
		return n
	}
	if i := int64(f); float64(i) == f && i != math.MaxInt64 && !math.Signbit(f) == (i >= 0) {
		return i
	}
	return f
}

// sameNumber reports whether two JSON numbers are equal.
func sameNumber(a, b string) bool {
	da, ea, oka := decimal(a)
	db, eb, okb := decimal(b)
	return oka && okb && da == db && ea == eb
}

// decimal is a JSON number as its significant digits (with the sign) and the power
// of ten of the last one.
func decimal(n string) (digits string, power int, ok bool) {
	mantissa, exponent, found := strings.Cut(strings.ToLower(n), "e")
	if found {
		e, err := strconv.Atoi(exponent)
		if err != nil {
			return "", 0, false
		}
		power = e
	}
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	digits = strings.TrimRight(all, "0")
	if digits == "" {
		return sign, 0, true
	}
	return sign + digits, power - len(fraction) + len(all) - len(digits), true
}
