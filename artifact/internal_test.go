package artifact

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzManifest: no body makes the parser panic or allocate without bound, and
// what it accepts encodes to what it was, so that two bodies never mean the same.
func FuzzManifest(f *testing.F) {
	for _, size := range []int64{0, 10, groupSize + 1} {
		for _, items := range []*itemIndex{nil, {pointer: "/a"}, {total: 9, starts: 1, pages: make([]itemPageRef, 1)}} {
			m := manifest{info: Info{Size: size, Lines: min(size, 1), MediaType: "text/plain", CapturedAt: time.Unix(1e9, 5), Incomplete: "x"}, items: items, pages: make([]pageRef, groups(size))}
			if len(m.pages) > 0 {
				m.pages[0].before = chainStart
			}
			b := m.append(nil)
			f.Add(b[:len(b)-trailerSize])
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := parseManifest(body)
		if err != nil {
			return
		}
		again, err := parseManifest(trailedOf(t, m.append(nil)))
		require.NoError(t, err)
		require.Equal(t, m, again)
	})
}

func trailedOf(t *testing.T, b []byte) []byte {
	t.Helper()
	body, err := trailed(b, magic)
	require.NoError(t, err)
	return body
}

// FuzzHandle: what is taken for a handle is canonical.
func FuzzHandle(f *testing.F) {
	f.Add(string(NewHandle()))
	f.Add("")
	f.Add("abcdefghijklmnopqrstuvwxy1")
	f.Fuzz(func(t *testing.T, s string) {
		h, err := ParseHandle(s)
		if err != nil {
			require.ErrorIs(t, err, ErrBadHandle)
			return
		}
		b, err := handleEncoding.DecodeString(string(h))
		require.NoError(t, err)
		require.Equal(t, s, handleEncoding.EncodeToString(b))
	})
}

// TestLayoutStaysReadable is a manifest as this layout has it. If it fails,
// the layout changed, and needs another magic.
func TestLayoutStaysReadable(t *testing.T) {
	m := &manifest{name: name{0, 1}, scope: scopeID{2, 3}, lfs: 2, items: &itemIndex{pointer: "/a", total: 4, starts: 1, pages: []itemPageRef{{sum: [32]byte{6, 7}}}}, info: Info{
		Size: 8, Lines: 2, SHA256: [32]byte{4, 5}, MediaType: "text/plain", Source: "s", Version: "v",
		CapturedAt: time.Unix(1_000_000_000, 5).UTC(), ExpiresAt: time.Unix(1_000_003_600, 0).UTC(),
	}}
	require.Equal(t, strings.Join([]string{
		"00010000000000000000000000000000",                                 // name
		"02030000000000000000000000000000",                                 // scope
		"0405000000000000000000000000000000000000000000000000000000000000", // SHA-256
		"08", "02", "02", // size, LFs, lines
		"06", "80a8d6b907", // nanoseconds + 1, seconds: captured
		"01", "a0e0d6b907", // expires
		"0a746578742f706c61696e", "0173", "0176", "00", // media type, source, version, incomplete
		"05", "022f61", "01", // 4 items of "/a", one is indexed
		"0607000000000000000000000000000000000000000000000000000000000000", "0000000000000000", // SHA-256 and first item of its page
		"00", // pages
	}, ""), hex.EncodeToString(trailedOf(t, m.append(nil))))
	again, err := parseManifest(trailedOf(t, m.append(nil)))
	require.NoError(t, err)
	require.Equal(t, m.info, again.info)
	require.Equal(t, m.items, again.items)
}

// TestShortManifestIsRefused: also if its hash is true.
func TestShortManifestIsRefused(t *testing.T) {
	m := &manifest{info: Info{Size: 8, Lines: 1, Source: "s", CapturedAt: time.Unix(1, 0), ExpiresAt: time.Unix(2, 0)}}
	body := trailedOf(t, m.append(nil))
	for n := range body {
		_, err := parseManifest(body[:n])
		require.ErrorIs(t, err, errManifest, "%d of %d bytes", n, len(body))
	}
	_, err := parseManifest(append(body, 0))
	require.ErrorIs(t, err, errManifest)
}

// TestRecordOfOneKindIsNotOfAnother: the hash is of the kind too.
func TestRecordOfOneKindIsNotOfAnother(t *testing.T) {
	b := appendTrailer([]byte("body"), []byte("body"), markMagic)
	_, err := trailed(b, markMagic)
	require.NoError(t, err)
	copy(b[len(b)-8:], tombstoneMagic)
	_, err = trailed(b, tombstoneMagic)
	require.ErrorIs(t, err, errManifest)
}

// TestNewerLayoutIsRefusedAndKept: not taken for damage of the bytes.
func TestNewerLayoutIsRefusedAndKept(t *testing.T) {
	b := appendTrailer(nil, nil, "tclip\x00\x03\n")
	_, err := trailed(b, magic)
	require.ErrorContains(t, err, "newer version")
}

// TestLineIsFoundFromOnePage: the manifest says which page knows a line.
func TestLineIsFoundFromOnePage(t *testing.T) {
	refs := []pageRef{{lines: 0}, {lines: 10}, {lines: 10}, {lines: 10}, {lines: 25}}
	for line, want := range map[int64]int64{1: 0, 10: 0, 11: 3, 25: 3, 26: 4, 99: 4} {
		g, ok := groupOfLine(refs, 30, line)
		require.True(t, ok)
		require.Equal(t, want, g, "line %d", line)
	}
	_, ok := groupOfLine(refs, 30, 0)
	require.False(t, ok)
	_, ok = groupOfLine(nil, 5, 3)
	require.False(t, ok)
}

// TestEntriesCountLines against counting from the start.
func TestEntriesCountLines(t *testing.T) {
	text := []byte("\n\nab\n" + strings.Repeat("x", 100) + "\ny")
	for split := range len(text) {
		_, lines := entryOf(text[:split], 0)
		second, total := entryOf(text[split:], lines)
		require.EqualValues(t, bytes.Count(text, lf), total)
		require.EqualValues(t, bytes.Count(text[:split], lf), second.lines)
		if second.first > 0 {
			start := split + int(second.first)
			require.Equal(t, byte('\n'), text[start-1])
			require.EqualValues(t, second.lines+1, bytes.Count(text[:start], lf))
		}
	}
}

func TestTimesComeBack(t *testing.T) {
	for _, when := range []time.Time{{}, time.Unix(0, 0), time.Unix(-1, 999), time.Date(1, 2, 3, 4, 5, 6, 7, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 1, time.UTC), time.Unix(math.MaxInt32, 999_999_999)} {
		d := decoder{b: appendTime(nil, when)}
		got := d.time()
		require.False(t, d.failed)
		require.Empty(t, d.b)
		require.True(t, when.Equal(got))
		require.Equal(t, stored(when), got)
	}
}

func TestNames(t *testing.T) {
	h := NewHandle()
	n := nameOf(Scope{Tenant: "a"}.id(), h)
	got, ok := parseName(n.artifact(), artifactPrefix)
	require.True(t, ok)
	require.Equal(t, n, got)
	for _, bad := range []string{"", "a/", "a", "d/" + n.String(), "a/" + n.String() + "2", "a/" + strings.ToUpper(n.String())} {
		_, ok := parseName(bad, artifactPrefix)
		require.False(t, ok, bad)
	}
}

// TestOverlappingSurveysCountOnce: what the slower one found last, and what both
// found, is still known when both have ended, and counted once.
func TestOverlappingSurveysCountOnce(t *testing.T) {
	q := newQuota(Options{MaxBytes: 100, MaxCount: 10})
	first := q.begin()
	second := q.begin()
	h := held{size: 7, expires: math.MaxInt64}
	q.found(name{1}, h, first)
	q.found(name{1}, h, second)
	q.found(name{2}, h, second)
	q.found(name{2}, h, first)
	q.end(second)
	q.end(first)
	require.EqualValues(t, 14, q.bytes)
	require.EqualValues(t, 2, q.count)
	q.end(q.begin()) // a survey that sees nothing
	require.Zero(t, q.bytes)
	require.Zero(t, q.count)
	require.Empty(t, q.scopes)
}

func TestCutText(t *testing.T) {
	require.Equal(t, "abc", cutText("abc", 3))
	require.Equal(t, "a…", cutText("abcde", 4))
	require.Equal(t, "…", cutText("éé", 3))
	require.Equal(t, `"\x1b[31m"`, quoted("\x1b[31m"))
	require.LessOrEqual(t, len(cutText(strings.Repeat("é", 100), 64)), 64)
}
