package benchmarks

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tiktoken-go/tokenizer"

	"github.com/toolclip/toolclip/internal/tokens"
)

// The encodings for which tokens.Bound is proved.
var proved = []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase}

func codecs(t testing.TB) []tokenizer.Codec {
	var list []tokenizer.Codec
	for _, e := range proved {
		c, err := tokenizer.Get(e)
		require.NoError(t, err)
		list = append(list, c)
	}
	return list
}

// most is the larger of the numbers of tokens.
func most(t testing.TB, list []tokenizer.Codec, s string) int {
	n := 0
	for _, c := range list {
		k, err := c.Count(s)
		require.NoError(t, err)
		n = max(n, k)
	}
	return n
}

// alphabets are what a bound can go wrong on: letters that are rarely neighbours,
// contractions, digits beside other numbers, white space, marks and slashes behind
// line feeds, rare characters.
var alphabets = [][]string{
	strings.Split("abcdefghijklmnopqrstuvwxyz", ""),
	strings.Split("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ""),
	strings.Split("0123456789", ""),
	strings.Split(" \n\t\r\u00a0\u3000\u2028\x1c\u0085x(/", ""),
	strings.Split("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", ""),
	strings.Split("'sStTreREveVEllLLddmMa ſ", ""),
	strings.Split("/\n\r(/'\".a", ""),
	strings.Split("中文字的一是不了錯誤あいうカナ한국어漢龍鱗齉龘㐀䶵", ""),
	strings.Split("é̀ñüßøÅĐłжЖщђ²³½٣५३", ""),
	strings.Split("🎉👨‍👩‍👧🇩🇪👍🏽🀄𠮷𝔘", ""),
}

// attack draws a text of one or two alphabets, with runs.
func attack(r *rand.Rand) string {
	a := alphabets[r.IntN(len(alphabets))]
	if r.IntN(4) == 0 {
		a = append(append([]string{}, a...), alphabets[r.IntN(len(alphabets))]...)
	}
	var b strings.Builder
	for range 1 + r.IntN(1+r.IntN(60)) {
		x := a[r.IntN(len(a))]
		b.WriteString(x)
		if r.IntN(10) == 0 {
			b.WriteString(strings.Repeat(x, r.IntN(100)))
		}
	}
	return b.String()
}

// The bound holds on texts made to break it.
func TestTokenBoundUnderAttack(t *testing.T) {
	list := codecs(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		s := attack(r)
		require.LessOrEqual(t, most(t, list, s), tokens.Bound([]byte(s)), "%q", s)
	}
}

// What the proof takes from the vocabularies is there: every string of one to
// three digits, the runs of up to 79 spaces, and the pairs of the table (a pair
// that is in it has a bound of one token).
func TestTokenBoundAxioms(t *testing.T) {
	list := codecs(t)
	single := func(s string) {
		require.Equal(t, 1, most(t, list, s), "%q", s)
	}
	for i := range 1000 {
		single(fmt.Sprintf("%d", i))
		single(fmt.Sprintf("%02d", i))
		single(fmt.Sprintf("%03d", i))
	}
	for n := 1; n <= 79; n++ {
		single(strings.Repeat(" ", n))
	}
	pairs := 0
	for x := byte(' '); x <= '~'; x++ {
		for y := byte(' '); y <= '~'; y++ {
			if s := string([]byte{x, y}); tokens.Bound([]byte(s)) == 1 {
				single(s)
				pairs++
			}
		}
	}
	require.Greater(t, pairs, 1000)
}

// Pairs of bytes within a character can't be asked for as text: they are looked
// up in the vocabularies.
func TestTokenBoundBytePairs(t *testing.T) {
	for _, c := range codecs(t) {
		vocabulary := map[string]bool{}
		for id := range uint(201000) {
			if s, err := c.Decode([]uint{id}); err == nil {
				vocabulary[s] = true
			}
		}
		require.Greater(t, len(vocabulary), 100000)
		for r := rune(0x800); r < 0x20000; r++ {
			b := []byte(string(r))
			if len(b) < 3 || tokens.Bound(b) == len(b) {
				continue
			}
			ok := false
			for i := 1; i < len(b); i++ {
				ok = ok || vocabulary[string(b[i-1:i+1])]
			}
			require.True(t, ok, "%U has a bound of %d without a pair", r, tokens.Bound(b))
		}
	}
}

func FuzzTokenBound(f *testing.F) {
	list := codecs(f)
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f.Add(attack(r))
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "\uFFFD")
		require.LessOrEqual(t, most(t, list, s), tokens.Bound([]byte(s)))
	})
}

// chunks are stretches of 4 KiB of the kinds that tools return.
func chunks(t *testing.T) map[string][]string {
	src := runtime.GOROOT()
	files := map[string][]string{
		"english": {src + "/README.md", src + "/CONTRIBUTING.md", "../../README.md", "../../../shared/research/*.md", src + "/doc/*.html"},
		"code":    {src + "/src/net/http/[a-d]*.go"},
		"json":    {"../../../shared/corpus/json-large/*.json"},
	}
	texts := map[string]string{}
	for kind, patterns := range files {
		for _, p := range patterns {
			names, err := filepath.Glob(p)
			require.NoError(t, err)
			for _, name := range names[:min(len(names), 12)] {
				b, err := os.ReadFile(name)
				require.NoError(t, err)
				texts[kind] += string(b[:min(len(b), 60000)])
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	noise := make([]byte, 60000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	texts["base64"] = base64.StdEncoding.EncodeToString(noise)
	texts["hex"] = hex.EncodeToString(noise)
	texts["log"] = string(logText()[:200000])
	texts["cjk"] = strings.Repeat("请求处理完成，返回结果共三百二十条，用时十五毫秒。下一步是检查缓存并写入数据库。\n接続に失敗しました。設定を確認してください。\n연결에 실패했습니다. 설정을 확인하세요.\n", 100)
	out := map[string][]string{}
	for kind, s := range texts {
		for len(s) >= 4096 {
			out[kind] = append(out[kind], strings.ToValidUTF8(s[:4096], ""))
			s = s[4096:]
		}
	}
	return out
}

// Nine in ten chunks of each kind are estimated within a quarter.
func TestTokenEstimate(t *testing.T) {
	c := codecs(t)[0]
	for kind, list := range chunks(t) {
		near := 0
		for _, s := range list {
			n, err := c.Count(s)
			require.NoError(t, err)
			if ratio := float64(tokens.Estimate([]byte(s))) / float64(n); ratio >= 0.75 && ratio <= 1.25 {
				near++
			}
		}
		t.Logf("%s: %d of %d", kind, near, len(list))
		require.GreaterOrEqual(t, near*10, len(list)*9, kind)
	}
}
