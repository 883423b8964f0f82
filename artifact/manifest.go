package artifact

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// magic ends every blob of an artifact; its last octet but one is the version
// of the layout.
const magic = "tclip\x00\x02\n"

// manifest is what a blob says of the artifact in it.
type manifest struct {
	name  name
	scope scopeID
	info  Info // without its Handle, which is not stored
	lfs   int64
	items *itemIndex // nil: nobody marked any
	pages []pageRef
}

var errManifest = errors.New("the manifest is damaged")

// maxManifest bounds what is read for a manifest that a damaged trailer
// announces: the texts at their longest and the pages of 64 TiB.
const maxManifest = 5*(maxText+16) + pageRefSize*(64<<40/groupSize) + itemPageRefSize*(64<<40/blockSize/startsPerPage) + 1024

// append encodes m with its trailer.
func (m *manifest) append(b []byte) []byte {
	start := len(b)
	b = append(b, m.name[:]...)
	b = append(b, m.scope[:]...)
	b = append(b, m.info.SHA256[:]...)
	b = binary.AppendUvarint(b, uint64(m.info.Size))
	b = binary.AppendUvarint(b, uint64(m.lfs))
	b = binary.AppendUvarint(b, uint64(m.info.Lines))
	b = appendTime(b, m.info.CapturedAt)
	b = appendTime(b, m.info.ExpiresAt)
	for _, s := range m.texts() {
		b = appendString(b, *s)
	}
	b = m.items.append(b)
	b = binary.AppendUvarint(b, uint64(len(m.pages)))
	for _, p := range m.pages {
		b = p.append(b)
	}
	return appendTrailer(b, b[start:], magic)
}

func (m *manifest) texts() [4]*string {
	return [4]*string{&m.info.MediaType, &m.info.Source, &m.info.Version, &m.info.Incomplete}
}

// appendTrailer appends the hash and the length of body, and magic. The hash is
// of magic and body, so that no flipped bit makes another kind of blob.
func appendTrailer(b, body []byte, magic string) []byte {
	n := len(body)
	sum := trailerSum(body, magic)
	b = append(b, sum[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(n))
	return append(b, magic...)
}

func trailerSum(body []byte, magic string) [32]byte {
	h := sha256.New()
	h.Write([]byte(magic))
	h.Write(body)
	return [32]byte(h.Sum(nil))
}

// trailerLength is the length of the body that the trailer at the end of b
// announces.
func trailerLength(b []byte, magic string) (int64, error) {
	if len(b) < trailerSize {
		return 0, errManifest
	}
	t := b[len(b)-trailerSize:]
	if got := t[40:]; string(got) != magic {
		if string(got[:6]) == magic[:6] && got[7] == magic[7] && got[6] > magic[6] {
			return 0, fmt.Errorf("written by a newer version of this package: layout %d, this one knows %d", got[6], magic[6])
		}
		return 0, errManifest
	}
	n := binary.BigEndian.Uint64(t[32:])
	if n > maxManifest {
		return 0, errManifest
	}
	return int64(n), nil
}

// trailed is the body before the trailer at the end of b, verified.
func trailed(b []byte, magic string) ([]byte, error) {
	n, err := trailerLength(b, magic)
	if err != nil {
		return nil, err
	}
	if int64(len(b)) < n+trailerSize {
		return nil, errManifest
	}
	body := b[int64(len(b))-trailerSize-n : len(b)-trailerSize]
	if trailerSum(body, magic) != [32]byte(b[len(b)-trailerSize:]) {
		return nil, errManifest
	}
	return body, nil
}

// parseManifest decodes a verified body. It trusts no number in it: a body with
// a true hash may still have been written by somebody else.
func parseManifest(body []byte) (*manifest, error) {
	d := decoder{b: body}
	m := &manifest{name: name(d.take(16)), scope: scopeID(d.take(16))}
	m.info.SHA256 = [32]byte(d.take(32))
	m.info.Size = d.number()
	m.lfs = d.number()
	m.info.Lines = d.number()
	m.info.CapturedAt = d.time()
	m.info.ExpiresAt = d.time()
	for _, s := range m.texts() {
		*s = d.text()
	}
	m.items = d.items(m.info.Size)
	n := d.number()
	if d.failed || n != groups(m.info.Size) || n*pageRefSize != int64(len(d.b)) {
		return nil, errManifest
	}
	m.pages = make([]pageRef, n)
	for i := range m.pages {
		m.pages[i] = parsePageRef(d.take(pageRefSize))
	}
	if !m.possible() {
		return nil, errManifest
	}
	return m, nil
}

// possible reports whether the numbers of m can be of one artifact.
func (m *manifest) possible() bool {
	unended := m.info.Lines - m.lfs // 1 if the last line has no LF
	if unended < 0 || unended > 1 || m.info.Lines > m.info.Size || m.info.Lines == 0 && m.info.Size > 0 {
		return false
	}
	for g := range m.pages {
		switch s := m.span(int64(g)); {
		case g == 0 && (s.first != chainStart || s.from != 0), s.to < s.from, s.to-s.from > s.size:
			return false
		}
	}
	return true
}

// at is where m begins in its blob.
func (m *manifest) at() int64 { return itemsAt(m.info.Size) + m.items.size() }

// appendTime appends t in nanoseconds and seconds since 1970, to the nanosecond;
// the zero Time is one zero octet.
func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(t.Nanosecond())+1)
	return binary.AppendVarint(b, t.Unix())
}

// stored is t as it comes back from a blob.
func stored(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.Unix(t.Unix(), int64(t.Nanosecond())).UTC()
}

// decoder reads fields from b; after the first that does not fit it gives zeros.
type decoder struct {
	b      []byte
	failed bool
}

func (d *decoder) fail() { d.b, d.failed = nil, true }

func (d *decoder) take(n int) []byte {
	if n > len(d.b) {
		d.fail()
		return make([]byte, n)
	}
	p := d.b[:n]
	d.b = d.b[n:]
	return p
}

// number is a count, an offset or a length: not negative.
func (d *decoder) number() int64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > 1<<62 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return int64(v)
}

func (d *decoder) text() string {
	n := d.number()
	if n > int64(len(d.b)) {
		d.fail()
		return ""
	}
	return string(d.take(int(n)))
}

func (d *decoder) time() time.Time {
	nanos := d.number()
	if nanos == 0 {
		return time.Time{}
	}
	sec, n := binary.Varint(d.b)
	if n <= 0 || nanos > 1e9 {
		d.fail()
		return time.Time{}
	}
	d.b = d.b[n:]
	return time.Unix(sec, nanos-1).UTC()
}
