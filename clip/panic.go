package clip

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic in a tool, in its Reader or in a hook, as an error. Stack
// is for logs; the model is never shown it.
type PanicError struct {
	Value any
	Stack []byte
}

// Error says that the tool panicked, and with what.
func (e *PanicError) Error() string { return fmt.Sprintf("the tool panicked: %.500v", e.Value) }

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// recovered turns a panic into an error; it must be deferred itself.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: debug.Stack()}
	}
}
