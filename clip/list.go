package clip

import (
	"bytes"
	"fmt"

	"github.com/toolclip/toolclip/envelope"
	"github.com/toolclip/toolclip/internal/view"
)

// Where the budget has no room for all contents, a list of them is kept as an artifact
// of its own: one call reads it, and it has the artifact of every content.

// listed is a content in the list.
type listed struct {
	Part      int64  `json:"part"`               // its number, from 1: that of the item
	Artifact  string `json:"artifact,omitempty"` // to read it from
	Bytes     int64  `json:"bytes"`
	GoesOn    bool   `json:"goesOn,omitempty"` // its source has, or may have, more than bytes
	MediaType string `json:"mediaType,omitempty"`
	Name      string `json:"name,omitempty"`
	NotKept   string `json:"notKept,omitempty"` // why there is no artifact
}

// single reports whether the call has one content, and not one of several.
func (k *call) single() bool { return len(k.parts) == 1 && k.dropped == 0 }

// total is the number of contents, also of those that an envelope had lost before.
func (k *call) total() int64 { return int64(len(k.parts)) + k.dropped }

// leftOut is how many of them are not shown.
func (k *call) leftOut() int64 { return int64(k.unshown) + k.dropped }

// inList is how many of them the list has.
func (k *call) inList() int64 {
	if k.inherited {
		return k.total()
	}
	return int64(len(k.parts))
}

// layout is that of an envelope with the first n contents.
func (k *call) layout(n int) layout {
	if k.single() && n == 1 {
		return alone
	}
	more := int64(n) < k.total()
	return layout{parts: n, more: more, listed: more && k.lists()}
}

// lists reports whether there is a list, or something to list and a store to keep it.
func (k *call) lists() bool {
	if k.list != "" {
		return true
	}
	if k.cfg.Store == nil {
		return false
	}
	for _, t := range k.parts {
		if t.saved != nil {
			return true
		}
	}
	return false
}

// keepList keeps the list, once.
func (k *call) keepList() {
	if k.list != "" || k.listErr != nil {
		return
	}
	k.listErr = protectErr(func() (err error) {
		k.list, err = k.saveList()
		return err
	})
}

// saveList saves the list. It is not redacted: a handle looks like a secret, and the
// names in it are those that an envelope shows as well.
func (k *call) saveList() (handle string, err error) {
	var b bytes.Buffer
	if err := encodeTo(&b, k.entries()); err != nil {
		return "", err
	}
	b.Truncate(b.Len() - 1) // the Encoder's line feed
	n := int64(b.Len())
	in := k.newIntake(Show{MediaType: jsonType})
	sv := k.save(k.ctx, k.who, source{mediaType: jsonType}, &k.r)
	defer sv.abandon()
	dst := &sink{in: &in, save: sv}
	_, _ = dst.ReadFrom(&b) // a Buffer's only error is its end
	dst.done()
	in.End()
	info, err := sv.commit(n, in.items(), "")
	if err != nil {
		return "", err
	}
	return string(info.Handle), nil
}

// entries are the items of the list, one for each content.
func (k *call) entries() []listed {
	out := make([]listed, len(k.parts))
	for i, t := range k.parts {
		x := listed{Part: int64(i) + 1, Bytes: t.in.n, GoesOn: t.goesOn, MediaType: t.mediaOf(t.view(view.Limit{})), Name: t.name}
		switch {
		case t.saved != nil:
			x.Artifact, x.Bytes = t.saved.Handle, t.saved.Size
		case t.saveErr != nil:
			x.NotKept = says(t.saveErr)
		default:
			x.NotKept = "nothing was kept"
		}
		out[i] = x
	}
	return out
}

// listCalls read the list of total contents, from the first that is not among the shown
// ones on. The artifact in each item is read in the same way.
func (c *Clipper) listCalls(list string, shown, total int64) []envelope.Next {
	f := c.cfg.Followups
	switch {
	case f.Read != "":
		n := readCall(f.Read, list, view.Rest{Unit: view.Item, From: shown, To: total})
		n.Gives = fmt.Sprintf("parts %d-%d, each with the artifact to read it from", shown+1, total)
		return []envelope.Next{n}
	case f.Search != "":
		n := searchCall(f.Search, list)
		n.Gives = "the parts that match, each with the artifact to search"
		return []envelope.Next{n}
	}
	return nil
}
