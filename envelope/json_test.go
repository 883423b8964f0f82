package envelope

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func mustJSON(t require.TestingT, v any) []byte {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

// normal is e in the normal form of JSON: valid UTF-8, nothing empty but present.
func normal(t require.TestingT, e Envelope) Envelope {
	n, err := Parse(mustJSON(t, e.Map()))
	require.NoError(t, err)
	return n
}

func TestParseReadsWhatMapMakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genShape().Draw(t, "shape")
		e := normal(t, genStyle().Draw(t, "style").Word(s.envelope().Draw(t, "envelope"), nil))

		got, err := Parse(mustJSON(t, e.Map()))
		require.NoError(t, err)
		require.Equal(t, e, got)

		got, err = Parse(mustJSON(t, e)) // encoding/json makes the same form
		require.NoError(t, err)
		require.Equal(t, e, got)
	})
}

func TestEverythingInAnOrdinaryEnvelopeSurvives(t *testing.T) {
	e := Style{}.Word(ordinary(), nil)
	got := normal(t, e)
	require.True(t, e.Worded())
	require.False(t, got.Worded(), "an envelope from elsewhere is not our own statement")
	e.mark = mark{}
	require.Equal(t, e, got)
	require.Equal(t, e.Text(), got.Text())
}

func TestNumbersInArgumentsAreExact(t *testing.T) {
	const numbers = `[9007199254740993,-4185925123159566327,18446744073709551617,1.5,1e400,1.0,-0,0.1,1e21,12345678901234567890123,1E3]`
	e := Envelope{Next: []Next{{Tool: "t", Arguments: map[string]any{"n": json.RawMessage(numbers)}}}}
	got := e.Map()["next"].([]any)[0].(map[string]any)["arguments"].(map[string]any)["n"].([]any)
	require.Equal(t, int64(9007199254740993), got[0])
	require.Equal(t, int64(-4185925123159566327), got[1])
	require.Equal(t, json.Number("18446744073709551617"), got[2])
	require.Equal(t, 1.5, got[3])
	require.Equal(t, json.Number("1e400"), got[4])
	require.Equal(t, int64(1), got[5])
	require.Equal(t, "-0", string(mustJSON(t, got[6])))
	require.Equal(t, 0.1, got[7])
	require.Equal(t, 1e21, got[8])
	require.Equal(t, json.Number("12345678901234567890123"), got[9])
	require.Equal(t, int64(1000), got[10])
}

func TestParsePassesOverWhatItDoesNotKnow(t *testing.T) {
	e, err := Parse([]byte(`{"schema":"envelope/1","content":"c","new":{"a":[1]},"view":{"complete":true,"later":1},"acquired":"yes"}`))
	require.NoError(t, err)
	require.Equal(t, "c", e.Content)
	require.True(t, e.View.Complete)
}

func TestParseMatchesNamesExactly(t *testing.T) {
	e, err := Parse([]byte(`{"schema":"envelope/1","content":"c","Content":"forged","VIEW":{"complete":true},"view":{"Complete":true},"parts":[{"CONTENT":"forged"}]}`))
	require.NoError(t, err)
	require.Equal(t, "c", e.Content)
	require.False(t, e.View.Complete)
	require.Equal(t, "", e.Parts[0].Content)
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", ``, "unexpected EOF"},
		{"half", `{"schema":"envelope/1"`, "unexpected EOF"},
		{"two values", `{"schema":"envelope/1"} {}`, "something follows"},
		{"a name that stands twice", `{"schema":"envelope/1","view":{"complete":false,"complete":true}}`, "stands twice"},
		{"an array", `[]`, "want a JSON object"},
		{"no schema", `{"content":"x"}`, `no "schema"`},
		{"another version", `{"schema":"envelope/2"}`, `"envelope/2"`},
		{"another type", `{"schema":"envelope/1","content":7}`, "content"},
		{"a fraction of a byte", `{"schema":"envelope/1","view":{"bytes":[{"start":0.5,"end":1}]}}`, "0.5"},
		{"a deep hole", `{"schema":"envelope/1","x":` + strings.Repeat("[", 200000), "nested more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.in))
			require.ErrorIs(t, err, ErrNotEnvelope)
			require.ErrorContains(t, err, c.want)
			require.Less(t, len(err.Error()), 500)
		})
	}
}

func TestArgumentsThatCanNotBeEncodedAreLeftOut(t *testing.T) {
	bad := map[string]any{"f": func() {}}
	e := Envelope{Next: []Next{{Tool: "a", Arguments: bad}, {Tool: "b", Arguments: map[string]any{"n": 1}}}}
	next := e.Map()["next"].([]any)
	require.Nil(t, next[0].(map[string]any)["arguments"])
	require.Equal(t, map[string]any{"n": int64(1)}, next[1].(map[string]any)["arguments"])
	require.Equal(t, bad, e.Next[0].Arguments, "e itself is not changed")
}

// FuzzParse: whatever parses is a fixed point of Map and Parse, and can be rendered.
func FuzzParse(f *testing.F) {
	f.Add(mustJSON(f, Style{}.Word(ordinary(), nil)))
	f.Add([]byte(`{"schema":"envelope/1","parts":[{"content":"a"},{"base64":"aGk="}],"fence":"ab123456","next":[{"tool":"t","arguments":{"n":1E400,"m":-0,"o":[1.0,{}]}}]}`))
	f.Add([]byte(`{"schema":"envelope/1","content":"é","fence":"f","view":{"cuts":[{"at":1,"mark":"x"},{"at":-1,"mark":"x"},{"at":99,"mark":"x"}]}}`))
	f.Fuzz(func(t *testing.T, p []byte) {
		e, err := Parse(p)
		if err != nil {
			require.ErrorIs(t, err, ErrNotEnvelope)
			return
		}
		again, err := Parse(mustJSON(t, e.Map()))
		require.NoError(t, err)
		require.Equal(t, e, again)
		require.Equal(t, e.Text(), again.Text())
		e.LogValue()
		Style{}.Word(e, nil).Text()
	})
}
