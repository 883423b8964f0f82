package artifact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// The prefixes of keys in a Backend.
const (
	artifactPrefix  = "a/" // data, index and manifest
	tombstonePrefix = "d/" // that and why an artifact is gone
	markPrefix      = "x/" // since when a sweep has seen it expired
	secretPrefix    = "s/"
)

// secretKey names the secret from which handles of idempotency keys are derived.
const secretKey = secretPrefix + "idempotency"

// scopeID stands for a Scope, of which no field contains another: each is
// preceded by its length.
type scopeID [16]byte

func (s Scope) id() scopeID {
	b := []byte("toolclip scope 1\x00")
	for _, f := range []string{s.Tenant, s.User, s.Task} {
		b = appendString(b, f)
	}
	sum := sha256.Sum256(b)
	return scopeID(sum[:16])
}

// name names an artifact inside a Backend. It is made of handle and scope
// together, so that a caller of another scope looks for a name that does not
// exist, on the same path and in the same time as for a handle that never was,
// and so that who can list the Backend learns no handle.
type name [16]byte

func nameOf(s scopeID, h Handle) name {
	b := []byte("toolclip name 1\x00")
	b = append(b, s[:]...)
	b = append(b, h...)
	sum := sha256.Sum256(b)
	return name(sum[:16])
}

func (n name) String() string    { return handleEncoding.EncodeToString(n[:]) }
func (n name) artifact() string  { return artifactPrefix + n.String() }
func (n name) tombstone() string { return tombstonePrefix + n.String() }
func (n name) mark() string      { return markPrefix + n.String() }

// parseName is the name in a key; ok is false for a key that no Keeper made.
func parseName(key, prefix string) (n name, ok bool) {
	if len(key) < len(prefix) || key[:len(prefix)] != prefix {
		return n, false
	}
	h, err := ParseHandle(key[len(prefix):]) // a name has the form of a handle
	if err != nil {
		return n, false
	}
	b, err := handleEncoding.DecodeString(string(h))
	if err != nil {
		return n, false
	}
	return name(b), true
}

// keyedHandle is the handle of an idempotency key: the same in every process,
// and to be guessed by nobody who does not know the secret.
func keyedHandle(secret []byte, s scopeID, key string) Handle {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte("toolclip key 1\x00"))
	m.Write(s[:])
	m.Write([]byte(key))
	return Handle(handleEncoding.EncodeToString(m.Sum(nil)[:16]))
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}
