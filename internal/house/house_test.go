package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	root   = "../.."
	module = "github.com/toolclip/toolclip/"
)

// allowed says which public packages of ours each public package may import.
// Everybody may import internal packages, which import no public one.
var allowed = map[string][]string{
	"coverage":              {},
	"artifact":              {},
	"artifact/artifacttest": {"artifact"},
	"envelope":              {"coverage"},
	"clip":                  {"artifact", "coverage", "envelope"},
	"clip/followup":         {"artifact", "clip", "coverage", "envelope"},
}

func TestImportsFollowTheArrows(t *testing.T) {
	files, checked := token.NewFileSet(), 0
	walkGo(t, func(name string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		pkg := path.Dir(name)
		may, public := allowed[pkg]
		internal := strings.HasPrefix(pkg, "internal/")
		if !public && !internal {
			return // examples may import everything
		}
		f, err := parser.ParseFile(files, filepath.Join(root, name), nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, imp := range ours(f) {
			checked++
			ok := strings.HasPrefix(imp, "internal/") || slices.Contains(may, imp)
			require.True(t, ok, "%s imports %s: the arrow runs the wrong way", name, imp)
		}
	})
	require.NotZero(t, checked)
}

// ours are the imports of f from this module, without the module's path.
func ours(f *ast.File) []string {
	var out []string
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		if rel, ok := strings.CutPrefix(p, module); ok {
			out = append(out, rel)
		}
	}
	return out
}

func TestEveryPublicPackageIsInTheTable(t *testing.T) {
	walkGo(t, func(name string) {
		pkg := path.Dir(name)
		if pkg == "." || strings.HasPrefix(pkg, "internal/") || strings.HasPrefix(pkg, "examples/") || strings.Contains(pkg, "testdata") {
			return
		}
		require.Contains(t, allowed, pkg)
	})
}

func TestTopLevelNamesAreTheHouse(t *testing.T) {
	want := []string{"clip", "artifact", "coverage", "envelope", "examples", "internal", "testdata", "doc.go", "go.mod", "go.sum", "README.md", "LICENSE"}
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			require.Contains(t, want, e.Name())
		}
	}
}

func TestREADMENamesTestsThatExist(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	named := regexp.MustCompile("`((?:Test|Fuzz|Example)[A-Za-z0-9_]+)`").FindAllStringSubmatch(string(readme), -1)
	require.NotEmpty(t, named)
	var all strings.Builder
	walkTests(t, func(p []byte) { all.Write(p) })
	for _, m := range named {
		require.Contains(t, all.String(), "func "+m[1]+"(", "README.md names a test that is not there")
	}
}

// walkGo calls fn with the path of each Go file of the root module.
func walkGo(t *testing.T, fn func(name string)) {
	walk(t, func(name string) {
		if strings.HasSuffix(name, ".go") {
			fn(name)
		}
	})
}

func walkTests(t *testing.T, fn func([]byte)) {
	walk(t, func(name string) {
		if strings.HasSuffix(name, "_test.go") {
			p, err := os.ReadFile(filepath.Join(root, name))
			require.NoError(t, err)
			fn(p)
		}
	})
}

// walk visits the files of the root module, not those of nested modules.
func walk(t *testing.T, fn func(name string)) {
	fsys := os.DirFS(root)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || nested(fsys, name)) {
				return fs.SkipDir
			}
			return nil
		}
		fn(name)
		return nil
	})
	require.NoError(t, err)
}

func nested(fsys fs.FS, dir string) bool {
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod"))
	return err == nil
}
