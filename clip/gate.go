package clip

import (
	"errors"
	"io"
	"sync"
)

// gate lets writes through until it is shut: a redactor that goes on writing from a
// goroutine of its own, after it has returned, changes nothing.
type gate struct {
	mu   sync.Mutex
	w    io.Writer
	over bool
}

var errGate = errors.New("clip: the redactor has returned")

func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return 0, errGate
	}
	return g.w.Write(p)
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
}
