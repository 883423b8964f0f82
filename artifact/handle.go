package artifact

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
)

// Handle names an artifact: 26 characters of a–z2–7 that carry 128 random bits
// (RFC 4648 base32, lower case, no padding). It is not a path, not a hash and
// not a permission.
type Handle string

const handleLen = 26

var handleEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewHandle draws a Handle; it is for implementers of a Store.
func NewHandle() Handle {
	var b [16]byte
	rand.Read(b[:]) // never fails: crypto/rand
	return Handle(handleEncoding.EncodeToString(b[:]))
}

// ErrBadHandle is why ParseHandle refused a string.
var ErrBadHandle = errors.New("artifact: not a handle")

// ParseHandle checks the length, the alphabet and that s is the one canonical
// form of its bits. Call it before any look-up.
func ParseHandle(s string) (Handle, error) {
	if len(s) != handleLen {
		return "", fmt.Errorf("%w: %d characters, want %d", ErrBadHandle, len(s), handleLen)
	}
	b, err := handleEncoding.DecodeString(s)
	if err != nil || handleEncoding.EncodeToString(b) != s {
		return "", fmt.Errorf("%w: %q: want %d characters of a-z2-7 in canonical form", ErrBadHandle, s, handleLen)
	}
	return Handle(s), nil
}
