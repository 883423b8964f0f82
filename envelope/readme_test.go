package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A block of README.md is a comment that names what stands there, and the fenced code
// that the test puts after it.
var readmeBlock = regexp.MustCompile("(?s)(<!-- ([^>]+) -->\n)(```[a-z]*\n.*?\n```\n)?")

// TestREADMEShowsWhatTheCodeMakes: the examples of README.md can't rot.
func TestREADMEShowsWhatTheCodeMakes(t *testing.T) {
	have, err := os.ReadFile("README.md")
	require.NoError(t, err)
	blocks := 0
	want := readmeBlock.ReplaceAllFunc(have, func(b []byte) []byte {
		blocks++
		m := readmeBlock.FindSubmatch(b)
		kind, text := readmeText(t, string(m[2]))
		return fmt.Appendf(nil, "%s```%s\n%s\n```\n", m[1], kind, strings.TrimSuffix(text, "\n"))
	})
	require.GreaterOrEqual(t, blocks, 10)
	checkFile(t, "README.md", want)
}

// readmeText is what a block shows: an envelope in English, in another style, as JSON,
// or the table of messages.
func readmeText(t *testing.T, block string) (kind, text string) {
	style, name, found := strings.Cut(block, ": ")
	if !found {
		style, name = "en", block
	}
	if name == "messages" {
		return "text", messageTable()
	}
	for _, c := range goldenCases() {
		if c.name != name {
			continue
		}
		if style == "map" {
			return "json", indented(t, Style{}.Word(edit(c.e, fence), nil).Map())
		}
		for _, s := range goldenStyles {
			if s.name == style {
				return "text", worded(c, style, s.style)
			}
		}
	}
	t.Fatalf("README.md has a block %q that nothing makes", block)
	return "", ""
}

func indented(t *testing.T, v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	require.NoError(t, enc.Encode(v))
	return b.String()
}

func messageTable() string {
	var b strings.Builder
	for _, p := range phrases {
		if p.key == p.english {
			continue // a reason of package clip, in its own words
		}
		fmt.Fprintf(&b, "%-17s %s\n", p.key, p.english)
	}
	return b.String()
}
