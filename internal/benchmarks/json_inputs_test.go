package benchmarks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// size is how long each input is.
const size = 64 << 20

// jsonInputs are made when they are first asked for.
var jsonInputs = []struct {
	name string
	make func() ([]byte, error)
}{
	{"records", sync.OnceValues(func() ([]byte, error) { return records("[", "]"), nil })},
	{"rows", sync.OnceValues(func() ([]byte, error) { return records(`{"status":"ok","rows":[`, `],"next":null}`), nil })},
	{"string", sync.OnceValues(func() ([]byte, error) {
		text := "The quick brown fox jumps over the lazy dog, 敏捷的棕色狐狸跳过了懒狗；"
		return []byte(`"` + strings.Repeat(text, size/len(text)) + `"`), nil
	})},
	{"canada", sync.OnceValues(func() ([]byte, error) { return repeated("canada_geometry") })},
	{"citm", sync.OnceValues(func() ([]byte, error) { return repeated("citm_catalog") })},
	{"golang", sync.OnceValues(func() ([]byte, error) { return repeated("golang_source") })},
	{"synthea", sync.OnceValues(func() ([]byte, error) { return repeated("synthea_fhir") })},
	{"twitter", sync.OnceValues(func() ([]byte, error) { return repeated("twitter_status") })},
}

// records are objects of some 200 bytes, ASCII and Chinese mixed.
func records(open, end string) []byte {
	var b bytes.Buffer
	b.Grow(size + 1<<10)
	b.WriteString(open)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"record number %d","text":"第 %d 条记录，some ascii 和一些中文混在一起","ok":true,"score":%d.25,"tags":["alpha","beta","测试"],"note":"plain filler"}`,
			9007199254740993+i, i, i, i%1000)
	}
	b.WriteString(end)
	return b.Bytes()
}

// repeated is an array of as many copies of a file that comes with the Go
// toolchain as fit.
func repeated(name string) ([]byte, error) {
	packed, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src/encoding/json/internal/jsontest/testdata", name+".json.zst"))
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	one, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, err
	}
	n := max(1, size/(len(one)+1))
	return append(append([]byte{'['}, bytes.Join(slicesOf(one, n), []byte{','})...), ']'), nil
}

func slicesOf(p []byte, n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i] = p
	}
	return list
}

func input(tb testing.TB, f func() ([]byte, error)) []byte {
	tb.Helper()
	p, err := f()
	if err != nil {
		tb.Skipf("no input: %v", err)
	}
	return p
}
