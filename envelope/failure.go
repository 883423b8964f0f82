package envelope

// Effect is what a failed call did.
type Effect string

// The effects. A call whose effect is unknown is never retried by itself.
const (
	EffectNone    Effect = "none"
	EffectDone    Effect = "done"
	EffectUnknown Effect = "unknown"
)

// Retry says whether calling again can help.
type Retry string

// The retries.
const (
	RetryNever       Retry = "never"
	RetryAfterChange Retry = "after_change"
	RetryLater       Retry = "later"
)

// Failure is an error that a model can act on. A tool returns a *Failure as its
// error, alone or joined with or wrapped round its cause.
type Failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Effect  Effect `json:"effect"`
	Advice  string `json:"advice,omitempty"`
	Retry   Retry  `json:"retry"`
	Wait    int    `json:"waitSeconds,omitempty"`
	Handler string `json:"handler"` // model, program, person
	Exit    *int   `json:"exit,omitempty"`
}

// Error is the message. For errors.Is on a cause, join: errors.Join(failure, cause).
func (f *Failure) Error() string { return f.Message }
