package coverage

import (
	_ "embed"
	"slices"
)

//go:embed coverage-1.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of a Report in JSON.
func Schema() []byte { return slices.Clone(schema) }
