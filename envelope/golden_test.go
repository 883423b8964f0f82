package envelope

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files and README.md")

// goldenFence is the fence of all goldens.
const goldenFence = "ca730194"

// goldenStyles are the sections of a golden file.
var goldenStyles = []struct {
	name  string
	style Style
}{
	{"en", Style{}},
	{"zh-Hans", Style{Language: "zh-Hans"}},
	{"zh-Hant", Style{Language: "zh-Hant"}},
	{"compact", Style{Compact: true}},
	{"essential", Style{}}, // what remains when nothing fits
}

func worded(c goldenCase, name string, s Style) string {
	e := c.e
	e.Fence = goldenFence
	if name == "essential" {
		return s.Word(e, never).Text()
	}
	return s.Word(e, nil).Text()
}

// TestGolden renders every kind of notice as a model reads it. The files are for
// people: read the diff before you run with -update.
func TestGolden(t *testing.T) {
	for _, c := range goldenCases() {
		t.Run(c.name, func(t *testing.T) {
			got := &txtar.Archive{Comment: []byte(c.why + "\n")}
			for _, s := range goldenStyles {
				got.Files = append(got.Files, txtar.File{Name: s.name, Data: []byte(worded(c, s.name, s.style) + "\n")})
			}
			checkFile(t, filepath.Join("testdata", "golden", strings.ReplaceAll(c.name, " ", "_")+".txtar"), txtar.Format(got))
		})
	}
}

// checkFile compares a file with what the code makes; -update writes it.
func checkFile(t *testing.T, name string, want []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, want, 0o644))
		return
	}
	have, err := os.ReadFile(name)
	require.NoError(t, err, "run with -update to make it")
	if !bytes.Equal(have, want) {
		require.Equal(t, string(have), string(want), "%s is not what the code makes; run with -update if the new text is better", name)
	}
}
