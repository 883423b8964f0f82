package clip_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/clip"
)

// lines is n lines of text, numbered.
func lines(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", word, i+1)
	}
	return b.String()
}

var timestamps = regexp.MustCompile(`20\d\d-\d\d-\d\dT[0-9:.]+Z|\d\d:\d\dZ`)

// timeless takes points in time out of an envelope's JSON.
func timeless(s string) string { return timestamps.ReplaceAllString(s, "TIME") }

// drawResult draws any kind of result.
func drawResult(t *rapid.T) any {
	switch rapid.IntRange(0, 4).Draw(t, "kind of result") {
	case 0:
		return string(drawBytes(t))
	case 1:
		return json.RawMessage(drawJSON(t))
	case 2:
		n := rapid.IntRange(1, 5).Draw(t, "parts")
		var r clip.Result
		for i := range n {
			r.Parts = append(r.Parts, clip.Named{Name: fmt.Sprintf("part %d", i), Content: drawBytes(t)})
		}
		return r
	case 3:
		return rapid.SliceOfN(rapid.Map(rapid.String(), func(s string) map[string]any {
			return map[string]any{"id": 9007199254740993, "text": s}
		}), 0, 200).Draw(t, "records")
	}
	return drawBytes(t)
}

// drawBytes draws text of many kinds, JSON and noise.
func drawBytes(t *rapid.T) []byte {
	switch rapid.IntRange(0, 7).Draw(t, "kind of bytes") {
	case 0:
		return []byte(lines("log line", rapid.IntRange(0, 900).Draw(t, "lines")))
	case 1:
		return []byte(strings.Repeat("字", rapid.IntRange(0, 4000).Draw(t, "Han")))
	case 2:
		return []byte(strings.Join(rapid.SliceOfN(rapid.String(), 0, 60).Draw(t, "lines"), "\n"))
	case 3:
		return drawJSON(t)
	case 4:
		return rapid.SliceOfN(rapid.Byte(), 0, 3000).Draw(t, "noise")
	case 5:
		bit := rapid.SampledFrom([]string{"🇫🇷", "👩‍👩‍👧‍👦", "é", "क्ष", "a\r\n", "\x1b[31mred\x1b[0m", "10%\r20%\r", "\u202e", "x\ufeff", "\x00"}).Draw(t, "bit")
		return []byte(strings.Repeat(bit, rapid.IntRange(0, 900).Draw(t, "times")))
	case 6:
		return []byte("short\n" + strings.Repeat("long ", rapid.IntRange(0, 2000).Draw(t, "words")) + "\nend")
	}
	return []byte(strings.Repeat("ab cd\n\n", rapid.IntRange(0, 900).Draw(t, "times")))
}

// drawJSON draws a JSON document, often much larger than a budget.
func drawJSON(t *rapid.T) []byte {
	return []byte(strings.TrimSpace(drawValue(t, rapid.IntRange(0, 4).Draw(t, "depth"))))
}

func drawValue(t *rapid.T, depth int) string {
	most := 7
	if depth == 0 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(t, "type") {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "false", "0", "-0", "1.0", "9007199254740993", "1E400", "-4185925123159566327"}).Draw(t, "literal")
	case 1:
		p, _ := json.Marshal(rapid.String().Draw(t, "string"))
		return string(p)
	case 2:
		p, _ := json.Marshal(strings.Repeat(rapid.SampledFrom([]string{"x", "字", "e\u0301", "\\", "\"", "\n", "👍🏽"}).Draw(t, "bit"), rapid.IntRange(0, 900).Draw(t, "times")))
		return string(p)
	case 3:
		return `"` + strings.Repeat(`\ud83d\ude00`, rapid.IntRange(0, 90).Draw(t, "escapes")) + `"`
	case 4:
		return fmt.Sprintf("%d", rapid.Int64().Draw(t, "number"))
	case 5:
		el := drawValue(t, depth-1)
		return "[" + strings.TrimSuffix(strings.Repeat(el+", ", rapid.IntRange(0, 40).Draw(t, "elements")), ", ") + "]"
	case 6:
		return "[" + strings.Join(drawValues(t, depth-1), ",") + "]"
	}
	var members []string
	for i, v := range drawValues(t, depth-1) {
		key, _ := json.Marshal(rapid.SampledFrom([]string{"id", "status", "a/b", "~", "", "items", "text", "é"}).Draw(t, "key"))
		members = append(members, fmt.Sprintf("%s:%s", key, v))
		_ = i
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func drawValues(t *rapid.T, depth int) []string {
	n := rapid.IntRange(0, 8).Draw(t, "members")
	out := make([]string, n)
	for i := range out {
		out[i] = drawValue(t, depth)
	}
	return out
}
