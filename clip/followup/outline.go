package followup

import (
	"context"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/envelope"
)

// outline shows the shape of a JSON document.
func (k *kit) outline(ctx context.Context, a *args) (envelope.Envelope, error) {
	r, err := k.open(ctx, a)
	if err != nil {
		return envelope.Envelope{}, err
	}
	defer r.Close()
	return k.c.Page(ctx, r, clip.Show{Outline: true})
}

func outlineDescription(f clip.Followups, _ Limits) string {
	s := "Shows the shape of a JSON document that was kept whole: one line for each path, with types, how often each occurs, lengths, and the bytes where the values lie. " +
		"Use it before you read or query a large document, to learn its field names and where its arrays are. " +
		"* stands for the index of an array's elements; a path with 3 in place of * is the JSON Pointer of its fourth element, and bytes count from 0. " +
		"A path that is not listed is not there, unless the notice says that lines were left out. "
	if f.Query != "" {
		s += "Then find records with " + f.Query + ". "
	}
	return s + lifetime
}

func outlineSchema(Limits) map[string]any {
	return object([]string{clip.ArgArtifact}, map[string]any{clip.ArgArtifact: artifactProperty()})
}
