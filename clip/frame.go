package clip

import (
	"strings"
	"sync"

	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// layout is what an envelope shows of the contents of a call.
type layout struct {
	parts  int  // how many of them
	more   bool // there are others
	listed bool // and a list of all of them
}

// alone is the layout of a call with one content.
var alone = layout{parts: 1}

// frames are those that were asked for, by layout.
type frames struct{ sync.Map }

// frame is the longest text that Style puts round the contents of a partial
// envelope of this Config with this layout.
func (c *Clipper) frame(s layout) string {
	if f, ok := c.frames.Load(s); ok {
		return f.(string)
	}
	b := c.cfg.Budget
	f := c.reserved(s, false)
	if b.unit != coverage.Byte { // its ceiling may be told instead
		g := c.reserved(s, true)
		more := max(0, int64(len(g)-len(f)), b.cost(g)-b.cost(f))
		f += strings.Repeat(" ", int(more))
	}
	c.frames.Store(s, f)
	return f
}

// reserved is Style.Reserve for this Config. It takes a millisecond, and many Clippers
// differ only in what does not matter to it: a program may make one for each call.
func (c *Clipper) reserved(s layout, ceiling bool) string {
	k := shape{
		style: c.cfg.Style, followups: c.cfg.Followups, kept: c.cfg.Store != nil,
		largest: c.cfg.MaxInput, unit: c.cfg.Budget.unit, ceiling: ceiling, layout: s,
	}
	if k.style.Catalog != nil { // it may change, and it may not be comparable
		return c.cfg.Style.Reserve(c.like(s, "", ceiling), k.largest)
	}
	if f, ok := reserves.get(k); ok {
		return f
	}
	f := c.cfg.Style.Reserve(c.like(s, "", ceiling), k.largest)
	reserves.put(k, f)
	return f
}

// shape is all of a Config that its reserve depends on.
type shape struct {
	style     envelope.Style
	followups Followups
	kept      bool
	largest   int64
	unit      coverage.Unit
	ceiling   bool
	layout    layout
}

// reserves are the last ones that were made, by shape.
var reserves = memo{most: 256}

// memo remembers up to 2 × most strings: those of the generation before go when a
// generation is full. It is safe for concurrent use.
type memo struct {
	most     int
	mu       sync.Mutex
	now, old map[shape]string
}

func (m *memo) get(k shape) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.now[k]
	if !ok {
		if s, ok = m.old[k]; ok {
			m.add(k, s)
		}
	}
	return s, ok
}

func (m *memo) put(k shape, s string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(k, s)
}

func (m *memo) add(k shape, s string) {
	if m.now == nil || len(m.now) >= m.most {
		m.now, m.old = make(map[shape]string), m.now
	}
	m.now[k] = s
}
