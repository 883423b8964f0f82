package jsonview

// ends is which elements of the array in frame f are shown.
func (v *View) ends(f *frame) Ends {
	if !f.list || v.o.Ends == DefaultEnds {
		return Head
	}
	return v.o.Ends
}

// elementLevel is the turn of the next element of an array, the best it can have:
// no element behind it, and a keep rule that holds.
func (v *View) elementLevel(f *frame) int64 {
	n := &v.nodes[f.node]
	switch {
	case v.ends(f) != Head:
		return n.body()
	case f.list && len(v.o.Keep) > 0:
		return turn(n.body(), int64(n.weight), batchOf(f.usedKept))
	}
	return turn(n.body(), int64(n.weight), batchOf(f.used))
}

// endElement gives an element that ended its turn.
func (v *View) endElement(f *frame, id int32) {
	n := &v.nodes[id]
	size := v.turnsOf(n)
	used := &f.used
	if f.list && v.judge.busy() {
		if v.judge.last == holds {
			n.flags |= isMatch
			used = &f.usedKept
		}
	}
	n.used = *used
	*used += size
	if f.list {
		level, _ := v.listLevel(f, id)
		v.shift(id, level-n.level)
		if v.ends(f) == Head && v.beyond(level) {
			v.nodes = v.nodes[:id]
			return
		}
	}
	v.join(id)
}

// listLevel is the turn of an element of a list, as far as the list is known, and
// whether it is reckoned from the end.
func (v *View) listLevel(f *frame, id int32) (level int64, fromEnd bool) {
	n, p := &v.nodes[id], &v.nodes[f.node]
	body, used := p.body(), f.used
	switch {
	case len(v.o.Keep) > 0 && n.is(isMatch):
		used = f.usedKept
	case len(v.o.Keep) > 0:
		body += keepPenalty
	}
	behind := used - n.used - v.turnsOf(n)
	share := max(1, min(1023, int64(v.o.TailShare*1024)))
	switch v.ends(f) {
	case Tail:
		return turn(body, int64(p.weight), behind), true
	case HeadAndTail:
		head, tail := turn(body, int64(p.weight), n.used*1024/(1024-share)), turn(body, int64(p.weight), behind*1024/share)
		return min(head, tail), tail < head
	}
	return turn(body, int64(p.weight), batchOf(n.used)), false
}

// headLevel is the turn that an element of a list with two ends has at its head.
func (v *View) headLevel(f *frame, id int32) int64 {
	n, p := &v.nodes[id], &v.nodes[f.node]
	body := p.body()
	if len(v.o.Keep) > 0 && !n.is(isMatch) {
		body += keepPenalty
	}
	share := max(1, min(1023, int64(v.o.TailShare*1024)))
	return turn(body, int64(p.weight), n.used*1024/(1024-share))
}

// shift moves the turns of a node and all inside it.
func (v *View) shift(id int32, by int64) {
	if by == 0 {
		return
	}
	for j := id; int(j) < len(v.nodes) && (j == id || v.nodes[j].parent >= id); j++ {
		v.nodes[j].level += by
	}
}

// relevel gives the elements of a list the turns that they have now that more of
// it is known. Turns only come later.
func (v *View) relevel(list int32, f *frame) {
	if v.ends(f) == Head {
		return
	}
	for j := list + 1; int(j) < len(v.nodes); j++ {
		if n := &v.nodes[j]; n.parent == list && n.end > 0 {
			level, fromEnd := v.listLevel(f, j)
			v.shift(j, level-n.level)
			if n.flags &^= isTail; fromEnd {
				n.flags |= isTail
			}
		}
	}
}

// relevelOpen does so for the list that is open, if one is.
func (v *View) relevelOpen() {
	for i := range v.stack {
		if f := &v.stack[i]; f.list {
			v.relevel(f.node, f)
		}
	}
}
