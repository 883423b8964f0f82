package artifact

import (
	"context"
	"crypto/sha256"
	"slices"
)

func (p *pending) markItems(x Items) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return p.err
	}
	p.items = nil
	if err := x.check(p.reserved); err != nil {
		return err
	}
	p.items = x.sparse()
	return nil
}

// finishItems appends what was marked of items to tail, and to m what m says of
// it. A tail that gets long is stored.
func (p *pending) finishItems(ctx context.Context, m *manifest, tail []byte) ([]byte, error) {
	if p.items == nil {
		return tail, nil
	}
	m.items = &itemIndex{pointer: p.items.Pointer, total: p.items.Total, starts: int64(len(p.items.Starts))}
	for starts := range slices.Chunk(p.items.Starts, startsPerPage) {
		if len(tail) > flushSize-itemPageSize {
			if err := p.put(ctx, tail); err != nil {
				return nil, err
			}
			tail = tail[:0]
		}
		at := len(tail)
		tail = appendItemPage(tail, starts)
		m.items.pages = append(m.items.pages, itemPageRef{sha256.Sum256(tail[at:]), starts[0].Item})
	}
	return tail, nil
}
