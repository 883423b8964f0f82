package envelope

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
)

// heading is what stands on the fence line of one of several parts: its name, its
// extent, and, when it has an artifact of its own, the handle and the calls for the
// rest.
func (w *wording) heading(i int) string {
	p := w.parts[i]
	name := w.say("part", num(i+1))
	if p.Name != "" && !w.nameless() {
		name = w.name(p.Name)
	}
	extent := w.extent(p)
	if p.Base64 != "" {
		extent = w.typed(p)
	}
	return w.headed(name, extent, w.ownArtifact(p))
}

// headed joins the pieces of a heading.
func (w *wording) headed(name, extent, own string) string {
	s := w.say("label", name, extent)
	if own == "" {
		return s
	}
	if w.Compact {
		return w.listed(s, own)
	}
	return w.joined([]string{w.say("sentence", s), own})
}

// ownArtifact is the handle and the calls of a part that the notice does not name.
func (w *wording) ownArtifact(p Part) string {
	if p.View.Complete || !w.hasOwn(p) {
		return ""
	}
	kept := w.keptAs(p.Artifact, []Part{p})
	read, search := w.nextCalls(p.Artifact.Handle)
	if read == nil && search == nil {
		return kept
	}
	return w.together(kept, w.callsSentence(read, search))
}

// together joins what is kept and how to get it.
func (w *wording) together(kept, calls string) string {
	if w.Compact {
		return w.listed(kept, calls)
	}
	return w.joined([]string{kept, calls})
}

// hasOwn reports whether p has an artifact that is not the whole envelope's.
func (w *wording) hasOwn(p Part) bool {
	return p.Artifact != nil && (w.e.Artifact == nil || *w.e.Artifact != *p.Artifact)
}

// typed is "image/png, 20311 bytes, sha256 …, not in this text".
func (w *wording) typed(p Part) string {
	media := label(p.MediaType, maxName)
	if media == "" || (w.nameless() && (len(media) > len(octetStream) || media != p.MediaType)) {
		media = octetStream
	}
	size, sum := measured(p)
	return w.say("typed", media, num(size), sum)
}

const octetStream = "application/octet-stream"

// measured is the size and the SHA-256 of a part in Base64.
func measured(p Part) (size int64, sum string) {
	b, err := base64.StdEncoding.DecodeString(p.Base64)
	if err != nil {
		b = []byte(p.Base64) // not Base64: what is here is what can be counted
	}
	h := sha256.Sum256(b)
	return int64(len(b)), hex.EncodeToString(h[:])[:shortHash]
}

// shortHash is how many hexadecimal digits of a hash the text has; the fields have
// all.
const shortHash = 12
