package artifact

// cachedStarts is the verified page of starts that was read last; nil: none.
type cachedStarts struct {
	number int
	page   itemPage
}

// Items implements [ItemIndexer].
func (r *reader) Items() (pointer string, total int64, ok bool) {
	x := r.m.items
	if x == nil {
		return "", 0, false
	}
	return x.pointer, x.total, true
}

// ItemBefore implements [ItemIndexer].
func (r *reader) ItemBefore(item int64) (at, offset int64, ok bool) {
	x := r.m.items
	if x == nil || x.total == 0 || r.ready() != nil {
		return 0, 0, false
	}
	item = min(max(0, item), x.total-1)
	p := r.startsOf(x.pageOf(item))
	if p == nil {
		return 0, 0, false
	}
	s := p.before(item)
	return s.Item, s.Offset, true
}

// startsOf is the verified page i of starts; nil if it can't be read.
func (r *reader) startsOf(i int) itemPage {
	r.mu.Lock()
	c := r.starts
	r.mu.Unlock()
	if c.page != nil && c.number == i {
		return c.page
	}
	off, n := r.m.items.pageAt(i)
	p := make(itemPage, n)
	if got, _ := r.k.b.ReadAt(r.ctx, r.key, p, itemsAt(r.m.info.Size)+off); got < len(p) {
		return nil
	}
	if !r.m.items.holds(i, p, r.m.info.Size) {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starts = cachedStarts{i, p}
	return p
}
