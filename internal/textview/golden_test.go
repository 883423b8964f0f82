package textview

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/toolclip/toolclip/internal/view"
)

var update = flag.Bool("update", false, "write what is shown into testdata/views")

// settings are the first line of a golden file's comment, as JSON.
type settings struct {
	Bytes     int64
	Ends      string
	Raw, Fold bool
	Document  bool
	Lines     [2]int64 // a window
}

// Each file of testdata/views has settings, an input, what is shown of it and
// the account of that. README there says how to read them.
func TestViews(t *testing.T) {
	files, err := filepath.Glob("testdata/views/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			require.NoError(t, err)
			head, _, _ := strings.Cut(string(a.Comment), "\n")
			var s settings
			require.NoError(t, json.Unmarshal([]byte(head), &s))
			require.Equal(t, "input", a.Files[0].Name)
			p := planOf(s.options(), uncaret(string(a.Files[0].Data)), s.Bytes)
			a.Files = append(a.Files[:1],
				txtar.File{Name: "shown", Data: []byte(caret(p.Content))},
				txtar.File{Name: "account", Data: []byte(describe(p))})
			got := txtar.Format(a)
			if *update {
				require.NoError(t, os.WriteFile(name, got, 0o644))
			}
			want, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
		})
	}
}

func (s settings) options() Options {
	o := Options{
		Ends: map[string]Ends{"": DefaultEnds, "head": Head, "tail": Tail, "both": HeadAndTail}[s.Ends],
		Raw:  s.Raw, Fold: s.Fold, Document: s.Document, Charset: "utf-8",
	}
	if s.Lines[1] > 0 {
		o.Unit, o.From, o.To = view.Line, s.Lines[0], s.Lines[1]
	}
	return o
}

// The characters of the files that an editor would not show; README names them.
var carets = strings.NewReplacer("^[", "\x1b", "^M", "\r", "^H", "\b", "^G", "\a", "^?", "\xff", "$EOF\n", "")

var codePoint = regexp.MustCompile(`\^\{([0-9A-F]+)\}`)

func uncaret(s string) string {
	return codePoint.ReplaceAllStringFunc(carets.Replace(s), func(m string) string {
		r, _ := strconv.ParseUint(m[2:len(m)-1], 16, 32)
		return string(rune(r))
	})
}

func caret(s string) string {
	s = strings.NewReplacer("\x1b", "^[", "\r", "^M", "\b", "^H").Replace(s)
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "$EOF\n"
	}
	return s
}

// describe is the account of a plan in words.
func describe(p view.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "complete %v, exact %v\n", p.Complete, p.Exact)
	fmt.Fprintf(&b, "bytes %v, cuts %v\n", p.Bytes, p.Cuts)
	fmt.Fprintf(&b, "lines %v and %d in part, of %d\n", p.Units, p.Partly, p.UnitTotal)
	for _, tr := range p.Transforms {
		fmt.Fprintf(&b, "transform %s: %d, loses %v\n", tr.Name, tr.Count, tr.Loses)
	}
	for _, r := range p.Rest {
		fmt.Fprintf(&b, "rest: %s %d to %d\n", map[view.Unit]string{view.Byte: "bytes", view.Line: "lines"}[r.Unit], r.From, r.To)
	}
	return b.String()
}
