package searchview

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/toolclip/toolclip/internal/view"
)

var update = flag.Bool("update", false, "write what comes out into testdata")

// TestWindows shows what searches show. Each file of testdata/windows.txtar named
// "search PATTERN, context N, B bytes" is a search in the input before it.
func TestWindows(t *testing.T) {
	const file = "testdata/windows.txtar"
	a, err := txtar.ParseFile(file)
	require.NoError(t, err)
	var input []byte
	for i, f := range a.Files {
		m := regexp.MustCompile(`^search (.+), context (\d+), (\d+) bytes$`).FindStringSubmatch(f.Name)
		if m == nil {
			input = []byte(expand(string(f.Data)))
			continue
		}
		context, _ := strconv.Atoi(m[2])
		limit, _ := strconv.ParseInt(m[3], 10, 64)
		v := read(Options{Expr: regexp.MustCompile(m[1]), Context: context, Retain: limit}, input)
		got := describe(v.Plan(view.Limit{Bytes: limit}))
		if *update {
			a.Files[i].Data = []byte(got)
			continue
		}
		require.Equal(t, string(f.Data), got, f.Name)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o666))
	}
}

// expand replaces <N×TEXT> by N times TEXT, and <0xFF> by the byte 0xFF.
func expand(s string) string {
	s = regexp.MustCompile(`<0x([0-9A-F]+)>`).ReplaceAllStringFunc(s, func(m string) string {
		b, _ := hex.DecodeString(m[3 : len(m)-1])
		return string(b)
	})
	return regexp.MustCompile(`<(\d+)×([^>]*)>`).ReplaceAllStringFunc(s, func(m string) string {
		n, text, _ := strings.Cut(m[1:len(m)-1], "×")
		times, _ := strconv.Atoi(n)
		return strings.Repeat(text, times)
	})
}

func describe(p view.Plan) string {
	var b strings.Builder
	content, at := p.Content, int64(0)
	lines := func(s string) {
		for l := range strings.Lines(s) {
			fmt.Fprintf(&b, "| %s\n", strings.TrimSuffix(l, "\n"))
		}
	}
	for _, c := range p.Cuts {
		lines(content[:c-at])
		b.WriteString("...\n")
		content, at = content[c-at:], c
	}
	lines(content)
	fmt.Fprintf(&b, "bytes %v of %d; lines %v of %d, %d in part\n", p.Bytes, p.Scan.Of, p.Units, p.UnitTotal, p.Partly)
	fmt.Fprintf(&b, "%d matches, %d shown, searched %v, rest%s\n", p.Scan.Matched, p.Scan.Returned, p.Scan.Scanned, restOf(p))
	for _, o := range p.Omissions {
		if o.Of != "" {
			fmt.Fprintf(&b, "%s: %d of %d bytes shown, without %v\n", o.Of, o.Shown, o.Total, o.Bytes)
		}
	}
	for _, c := range p.Transforms {
		fmt.Fprintf(&b, "%s %d\n", c.Name, c.Count)
	}
	return b.String()
}

// restOf lists what can be asked for next, in bytes.
func restOf(p view.Plan) (s string) {
	for _, r := range p.Rest {
		s += fmt.Sprintf(" %d-%d", r.From, r.To)
	}
	if s == "" {
		return " none"
	}
	return s
}
