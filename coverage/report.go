package coverage

// Summary is the short form of a report; an envelope carries it.
type Summary struct {
	Requested        Count    `json:"requested,omitzero"`
	Loaded           Count    `json:"loaded,omitzero"`
	Filtered         Count    `json:"filtered,omitzero"`
	ByteComplete     bool     `json:"byteComplete"`
	IdentityComplete bool     `json:"identityComplete"`
	InputComplete    bool     `json:"inputComplete"`
	SourceSnapshot   string   `json:"sourceSnapshot,omitempty"`
	Reasons          []Reason `json:"reasons,omitempty"`
}
