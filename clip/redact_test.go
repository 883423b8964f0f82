package clip_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/clip"
)

var secret = regexp.MustCompile(`sk-[a-z0-9]{20,}`)

// Wherever a secret lies, and however the input comes, the result is that of the
// expression over all of it. Windows are at least 32 KiB.
func TestRedactionDoesNotDependOnWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src strings.Builder
		for range rapid.IntRange(0, 4).Draw(t, "secrets") {
			src.WriteString(strings.Repeat("x ", rapid.IntRange(16_300, 16_420).Draw(t, "before")))
			src.WriteString("sk-" + strings.Repeat("a", rapid.IntRange(18, 60).Draw(t, "length")) + " ")
		}
		requireRedacted(t, src.String(), 64)
	})
}

func TestAMatchAcrossTheEndOfAWindowIsWhole(t *testing.T) {
	for at := 32<<10 - 80; at < 32<<10+8; at++ {
		requireRedacted(t, strings.Repeat("x", at-1)+" sk-"+strings.Repeat("a", 60)+" end", 64)
	}
	requireRedacted(t, strings.Repeat("y", 32<<10-9)+" sk-"+strings.Repeat("a", 3000)+" end", 64) // longer than maxLen
}

func requireRedacted(t require.TestingT, src string, maxLen int) {
	want := secret.ReplaceAllString(src, "[redacted]")
	r := strings.NewReader(src)
	for _, in := range []func() (int64, string, error){
		func() (int64, string, error) {
			var b bytes.Buffer
			n, err := clip.RedactRegexp(maxLen, secret)(&b, r)
			return n, b.String(), err
		},
		func() (int64, string, error) {
			var b bytes.Buffer
			n, err := clip.RedactRegexp(maxLen, secret)(&b, iotest.HalfReader(strings.NewReader(src)))
			return n, b.String(), err
		},
	} {
		n, got, err := in()
		require.NoError(t, err)
		require.True(t, want == got, "a secret is left, or more than a secret is gone")
		require.Equal(t, int64(strings.Count(want, "[redacted]")), n)
	}
}

// Expressions may overlap: what either of them finds is gone.
func TestOverlappingMatchesAreOneSpan(t *testing.T) {
	var b bytes.Buffer
	n, err := clip.RedactRegexp(16, regexp.MustCompile("abc"), regexp.MustCompile("cde"), regexp.MustCompile("x*"))(&b, strings.NewReader("1abcde2abc3"))
	require.NoError(t, err)
	require.Equal(t, "1[redacted]2[redacted]3", b.String())
	require.Equal(t, int64(2), n)
}
