package clip_test

import "github.com/toolclip/toolclip/envelope"

func pointers(os []envelope.Omission) []string {
	var out []string
	for _, o := range os {
		out = append(out, o.Pointer)
	}
	return out
}
