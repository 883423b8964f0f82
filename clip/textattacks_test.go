package clip_test

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// hostileTexts are what breaks tools that cut text.
func hostileTexts(t *testing.T) map[string]string {
	encoded := func(s string, err error) string {
		require.NoError(t, err)
		return s
	}
	chinese := strings.Repeat("请求处理完成，返回结果共三百二十条。\n", 600)
	return map[string]string{
		"one endless line":       strings.Repeat("x", 60_000),
		"one of Han":             strings.Repeat("汉", 20_000),
		"only line feeds":        strings.Repeat("\n", 30_000),
		"a progress bar":         strings.Repeat("50% 完成\r", 8_000) + "100%\n" + lines("log", 2_000),
		"spinners":               strings.Repeat("-\b\\\b|\b/\b", 9_000) + "done\n" + lines("log", 2_000),
		"NULs in text":           lines("na\x00me", 4_000),
		"families":               strings.Repeat("👨‍👩‍👧‍👦", 1_500),
		"flags":                  strings.Repeat("🇩🇪🇫🇷", 2_500),
		"tag characters":         strings.Repeat("a\U000E0041\U000E0042 ", 3_000),
		"marks":                  strings.Repeat("e"+strings.Repeat("\u0301", 70), 300),
		"bidi":                   strings.Repeat("\u202eabc\u2066 ", 4_000),
		"links":                  strings.Repeat("\x1b]8;;http://example.org/\x1b\\text\x1b]8;;\x1b\\\n", 1_000),
		"an open sequence":       strings.Repeat("x\n", 5_000) + "\x1b]8;;" + strings.Repeat("y", 30_000),
		"colours without text":   strings.Repeat("\x1b[31m\x1b[0m", 5_000),
		"GBK":                    encoded(simplifiedchinese.GBK.NewEncoder().String(chinese)),
		"UTF-16 with a mark":     encoded(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(chinese)),
		"UTF-16 without":         encoded(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String(lines("plain words", 2_000))),
		"Latin-1":                encoded(charmap.ISO8859_1.NewEncoder().String(lines("café déjà vu", 2_000))),
		"a mark and UTF-8":       "\xef\xbb\xbf" + lines("text", 5_000),
		"bytes that are no text": strings.Repeat("ab\xff\xfe\x80 cd\n", 3_000),
		"cut runes":              strings.Repeat("中\xe4\xb8\n", 4_000),
		"CRLF":                   strings.Repeat("line\r\n", 6_000),
		"special tokens":         strings.Repeat("<|endoftext|>", 3_000),
		"separators":             strings.Repeat("a\u2028b\u0085c\v\f", 4_000),
	}
}

// Every unit at its smallest budget and some above, over every hostile text: the budget
// holds, the text is valid, counts agree, and one byte at a time is the same as at once.
func TestHostileTextIsCutWithinTheLaws(t *testing.T) {
	t.Parallel()
	units := map[string]func(int) clip.Budget{
		"byte": clip.Bytes, "rune": clip.Runes, "grapheme": clip.Graphemes, "line": clip.Lines,
		"token": func(n int) clip.Budget { return clip.Tokens(n, nil) },
	}
	above := []int{0, 1, 97, 1500}
	if testing.Short() {
		above = []int{0}
	}
	for name, src := range hostileTexts(t) {
		for unit, budget := range units {
			least := smallest(t, clip.Config{}, budget)
			for _, more := range above {
				where := fmt.Sprintf("%s, %d %ss", name, least+more, unit)
				cfg := clip.Config{Budget: budget(least + more)}
				c := newClipper(t, cfg)
				e, err := c.Clip(ctx, src)
				require.NoError(t, err, where)
				require.True(t, utf8.ValidString(e.Text()), where)
				requireWithin(t, cfg, unit, least+more, e, where)
				requireCounts(t, src, e, where)
				if more == 97 {
					requireSameInPieces(t, c, src, e, where)
				}
			}
		}
	}
}

// requireCounts checks what e says of a text of which the bytes are src.
func requireCounts(t *testing.T, src string, e envelope.Envelope, where string) {
	require.Equal(t, coverage.Exactly(int64(len(src))), e.View.ByteTotal, where)
	if e.View.Complete || e.View.Unit != coverage.Line {
		return
	}
	for _, o := range e.View.Omissions {
		require.LessOrEqual(t, o.Shown+o.Part, o.Total.Value, where)
	}
	o, ok := counted(e.Part, coverage.Rune)
	if ok && !strings.Contains(src, "\x00") && utf8.ValidString(src) && !strings.HasPrefix(src, "\ufeff") { // the text is src
		require.Equal(t, coverage.Exactly(int64(utf8.RuneCountInString(src))), o.Total, where)
	}
	require.NotEmpty(t, e.Notice, where)
}

// requireSameInPieces clips src one byte at a time, and in halves.
func requireSameInPieces(t *testing.T, c *clip.Clipper, src string, want envelope.Envelope, where string) {
	for _, r := range []io.Reader{iotest.OneByteReader(strings.NewReader(src)), iotest.HalfReader(strings.NewReader(src))} {
		got, err := c.Clip(ctx, r)
		require.NoError(t, err, where)
		require.Equal(t, want.View, got.View, where)
		require.Equal(t, want.Content, got.Content, where)
		require.Equal(t, want.Reasons, got.Reasons, where)
	}
}

// Sixty-four megabytes without a line feed are cut like a short line, in every unit.
func TestAnEndlessLineOf64MB(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 64 MB for each unit")
	}
	for _, b := range []clip.Budget{clip.Bytes(2000), clip.Runes(2000), clip.Lines(5), clip.Tokens(2000, nil)} {
		e, err := newClipper(t, clip.Config{Budget: b}).Clip(ctx, io.LimitReader(oneLetter{}, 64<<20))
		require.NoError(t, err)
		require.Equal(t, coverage.Exactly(64<<20), e.View.ByteTotal, "%v", b)
		require.Equal(t, coverage.Exactly(1), e.View.UnitTotal, "%v", b)
		require.NotEmpty(t, e.Content, "%v", b)
		if o, ok := counted(e.Part, coverage.Rune); ok {
			require.Equal(t, coverage.Exactly(64<<20), o.Total)
		}
	}
}

type oneLetter struct{}

func (oneLetter) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A secret is gone wherever the cut falls, whatever the unit, and however the bytes come.
func TestASecretOnAnyBorderIsGone(t *testing.T) {
	secret := regexp.MustCompile(`sk-[a-z0-9]{16}`)
	redact := func(dst io.Writer, src io.Reader) (int64, error) {
		b, err := io.ReadAll(src)
		n := int64(0)
		b = secret.ReplaceAllFunc(b, func([]byte) []byte { n++; return []byte("[gone]") })
		_, werr := dst.Write(b)
		return n, errors.Join(err, werr)
	}
	for _, b := range []clip.Budget{clip.Bytes(1000), clip.Runes(1000), clip.Graphemes(1000), clip.Lines(4).Under(1000), clip.Tokens(1000, nil)} {
		c := newClipper(t, clip.Config{Budget: b, Redact: redact, Show: clip.Show{Ends: clip.Head}})
		for at := 150; at < 700; at += 13 {
			src := strings.Repeat("x", at) + "sk-abcdefgh12345678" + strings.Repeat("y", 3000)
			for _, r := range []io.Reader{strings.NewReader(src), iotest.OneByteReader(strings.NewReader(src))} {
				e, err := c.Clip(ctx, r)
				require.NoError(t, err)
				require.NotContains(t, e.Text(), "abcdefgh", "%v, %d", b, at)
				require.NotContains(t, e.Text(), "sk-", "%v, %d", b, at)
			}
		}
	}
}
