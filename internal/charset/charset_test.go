package charset_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/internal/charset"
)

func ExampleDecoder() {
	d := charset.New("")
	var text []byte
	take := func(p []byte) { text = append(text, p...) }
	d.Write([]byte("\xb4\xed\xce\xf3\xa3\xba\xce\xc4\xbc\xfe\xb2\xbb\xb4\xe6\xd4\xda"), take)
	d.End(take)
	fmt.Printf("%s in %s; byte 9 of the text is byte %d of the source\n", text, d.Name(), d.Raw(9))
	// Output: 错误：文件不存在 in gbk; byte 9 of the text is byte 6 of the source
}

// decode gives src to a Decoder in the pieces that next says.
func decode(label string, src []byte, next func() int) (*charset.Decoder, []byte) {
	d := charset.New(label)
	var text []byte
	take := func(p []byte) { text = append(text, p...) }
	for len(src) > 0 {
		n := min(max(next(), 1), len(src))
		d.Write(src[:n], take)
		src = src[n:]
	}
	d.End(take)
	return d, text
}

func whole(label string, src []byte) (*charset.Decoder, []byte) {
	return decode(label, src, func() int { return len(src) })
}

func encode(t require.TestingT, name, s string) []byte {
	e, err := htmlindex.Get(name)
	require.NoError(t, err)
	if strings.HasPrefix(name, "utf-16") {
		b, err := e.NewEncoder().Bytes([]byte(s))
		require.NoError(t, err)
		return b
	}
	b, err := encoding.ReplaceUnsupported(e.NewEncoder()).Bytes([]byte(s))
	require.NoError(t, err)
	return b
}

var labels = []string{"utf-16le", "utf-16be", "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "iso-2022-jp", "windows-1252", "koi8-r"}

// What x/text encodes comes back, and every character knows where it came from:
// decoding the source from there gives the rest of the text.
func TestDecodingFindsItsWayBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(labels).Draw(t, "name")
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "\n", "中", "文字", "あ", "ｱ", "한", "é", "Ж", "𠮷", "🎉", "x y"})).Draw(t, "s"), "")
		src := encode(t, name, s)
		d, text := whole(name, src)
		plain, err := mustGet(name).NewDecoder().Bytes(src)
		require.NoError(t, err)
		require.Equal(t, string(plain), string(text))
		require.Equal(t, int64(len(src)), d.Raw(int64(len(text))))
		if name == "iso-2022-jp" {
			return // a stateful encoding can't be decoded from the middle
		}
		for i := range string(text) {
			raw := d.Raw(int64(i))
			rest, err := mustGet(name).NewDecoder().Bytes(src[raw:])
			require.NoError(t, err)
			require.Equal(t, string(text[i:]), string(rest))
			require.Equal(t, int64(i), d.Text(raw))
		}
	})
}

func mustGet(name string) encoding.Encoding {
	e, err := htmlindex.Get(name)
	if err != nil {
		panic(err)
	}
	return e
}

// However the bytes arrive, text, name and ways back are the same, for any bytes
// and any label.
func TestLaw09Chunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.SampledFrom(append([]string{"", "", "", "nonsense", "utf-8"}, labels...)).Draw(t, "label")
		parts := rapid.SliceOf(rapid.SampledFrom([]string{
			"a", "text ", "\n", "\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "\x00", "\xd8\x00", "\xb4\xed", "\xce\xf3\xa3\xba", "\x81", "\x1b$B", "\x1b(B", "8F",
			"中文", "\xe4\xb8", strings.Repeat("ascii ", 800), strings.Repeat("z", 70000), "\xb4\xed\xce\xf3\xa3\xba\xce\xc4\xbc\xfe\xb2\xbb\xb4\xe6\xd4\xda",
			"\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd", "h\x00i\x00\n\x00",
		})).Draw(t, "parts")
		src := []byte(strings.Join(parts, ""))
		a, text := whole(label, src)
		most := rapid.SampledFrom([]int{1, 3, 100, 5000}).Draw(t, "most")
		b, again := decode(label, src, func() int { return rapid.IntRange(1, most).Draw(t, "n") })
		require.Equal(t, text, again)
		require.Equal(t, a.Name(), b.Name())
		require.Equal(t, a.BOM(), b.BOM())
		if len(text) > 0 {
			require.Equal(t, int64(len(src)), a.Raw(int64(len(text))))
		}
		for i := int64(0); i <= int64(len(text)); i += 1 + int64(len(text))/50 {
			require.Equal(t, a.Raw(i), b.Raw(i))
		}
		last := int64(0)
		for i := range text {
			raw := a.Raw(int64(i))
			require.GreaterOrEqual(t, raw, last)
			last = raw
		}
		if a.Identity() {
			require.Equal(t, string(src), string(text))
		}
	})
}

func TestDetection(t *testing.T) {
	chinese := "连接服务器失败，请检查网络设置后再试。错误代码是五百。"
	traditional := "連線伺服器失敗，請檢查網路設定後再試。錯誤代碼是五百。"
	japanese := "サーバーに接続できませんでした。もう一度お試しください。"
	korean := "서버에 접속하는 데 실패했습니다. 네트워크 설정을 확인하고 다시 시도하세요."
	for _, c := range []struct {
		reason string
		src    []byte
		want   string
	}{
		{"ASCII", []byte("plain"), "utf-8"},
		{"UTF-8", []byte(chinese), "utf-8"},
		{"GBK", encode(t, "gbk", chinese), "gbk"},
		{"a short sentence in GBK", encode(t, "gbk", "文件不存在"), "gbk"},
		{"GBK after a screenful of ASCII", append(bytes.Repeat([]byte("info: ok\n"), 3000), encode(t, "gbk", chinese)...), "gbk"},
		{"GBK after 64 KiB of ASCII comes too late", append(bytes.Repeat([]byte("info: ok\n"), 8000), encode(t, "gbk", chinese)...), "utf-8"},
		{"Big5", encode(t, "big5", traditional), "big5"},
		{"Shift JIS", encode(t, "shift_jis", japanese), "shift_jis"},
		{"EUC-JP", encode(t, "euc-jp", japanese), "euc-jp"},
		{"EUC-KR", encode(t, "euc-kr", korean), "euc-kr"},
		{"UTF-16 with a mark", append([]byte("\xff\xfe"), encode(t, "utf-16le", chinese)...), "utf-16le"},
		{"UTF-16 without", encode(t, "utf-16be", "some words in ASCII\n"), "utf-16be"},
		{"Latin-1 is a doubt", []byte("caf\xe9 cr\xe8me, d\xe9j\xe0 vu, \xe0 la carte"), "utf-8"},
		{"Cyrillic in one byte is a doubt", encode(t, "koi8-r", "Ошибка соединения с сервером, попробуйте ещё раз"), "utf-8"},
		{"UTF-8 with broken places", []byte("日本語のテキスト\xff\xfeとさらに続く文章"), "utf-8"},
		{"noise", []byte("\x9c\xe3\x01\xf0\x88\xc1\xd2\xaf\x93\xfe\xde\xad\xbe\xef\xca\xfe\xba\xbe"), "utf-8"},
	} {
		d, text := whole("", c.src)
		require.Equal(t, c.want, d.Name(), c.reason)
		if c.want != "utf-8" {
			require.True(t, utf8.Valid(text), c.reason)
		}
	}
}

// A declared label is used, one that nobody knows is not, a mark overrules it.
func TestLabels(t *testing.T) {
	src := encode(t, "gbk", "中")
	_, text := whole(" GB2312 ", src)
	require.Equal(t, "中", string(text))
	_, text = whole("no-such-charset", src)
	require.Equal(t, src, text)
	d, text := whole("gbk", []byte("\xef\xbb\xbf中"))
	require.Equal(t, "中", string(text))
	require.Equal(t, "utf-8", d.Name())
	require.Equal(t, 3, d.BOM())
	require.Equal(t, int64(0), d.Raw(0), "the mark belongs to the first character")
	require.Equal(t, int64(6), d.Raw(3))
}

// What can't be decoded is one byte 0xFF each, which no text has.
func TestUndecodable(t *testing.T) {
	for _, c := range []struct {
		reason, label, src, want string
		back                     []int64
	}{
		{"a high surrogate alone", "utf-16le", "a\x00\x00\xd8b\x00", "a\xffb", []int64{0, 2, 4}},
		{"a low one", "utf-16le", "\x00\xdcb\x00", "\xffb", []int64{0, 2}},
		{"half a unit at the end", "utf-16be", "\x00a\x00", "a\xff", []int64{0, 2}},
		{"half a pair at the end", "utf-16be", "\x00a\xd8\x3d", "a\xff", []int64{0, 2}},
		{"a pair", "utf-16be", "\xd8\x3d\xde\x00\x00a", "😀a", []int64{0, 0, 0, 0, 4}},
		{"U+FFFD that the source has", "utf-16be", "\xff\xfd", "\uFFFD", []int64{0}},
		{"half a GBK character at the end", "gbk", "a\xb4", "a\xff", []int64{0, 1}},
		{"half a GBK character before ASCII", "gbk", "\xb4\nb", "\xff\nb", []int64{0, 1, 2}},
	} {
		d, text := whole(c.label, []byte(c.src))
		require.Equal(t, c.want, string(text), c.reason)
		for i, raw := range c.back {
			if utf8.RuneStart(text[i]) || text[i] == charset.Undecodable {
				require.Equal(t, raw, d.Raw(int64(i)), c.reason)
			}
		}
	}
}

// The ways back that are kept do not grow with the source where they are not
// needed.
func TestForget(t *testing.T) {
	d := charset.New("gbk")
	src := encode(t, "gbk", "a中b文c")
	var n int64
	take := func(p []byte) { n += int64(len(p)) }
	for range 50000 {
		d.Write(src, take)
		d.Forget(charset.Stretch{From: 100, To: n - 1000})
	}
	require.Less(t, charset.Runs(d), 10000)
	require.Equal(t, int64(n/9*7), d.Raw(n/9*9))
	require.Equal(t, int64(7*10), d.Raw(9*10))
	require.Equal(t, int64(n/9-50)*7, d.Raw((n/9-50)*9))
}
