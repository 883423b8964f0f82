package clip

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/toolclip/toolclip/envelope"
)

// encode is the JSON form of e as encoding/json makes it: with < > & escaped, which
// makes it longer. A loop whose encoder leaves them as they are sends less.
func encode(e envelope.Envelope) string {
	p, err := json.Marshal(e)
	if err != nil { // a Catalog or an SDK put something there that is not plain
		p, _ = json.Marshal(e.Map())
	}
	return string(p)
}

func unescaped(e envelope.Envelope) string {
	var b bytes.Buffer
	if err := encodeTo(&b, e); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}
