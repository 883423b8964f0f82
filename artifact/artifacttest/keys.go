package artifacttest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/toolclip/toolclip/artifact"
)

func keyed(c *check) {
	s := c.store(artifact.Options{TTL: time.Hour})
	for _, key := range []string{"a", "b", "a.b", "a/b", "../x", "\x00", string(noise(1400))} {
		d := artifact.Draft{Scope: mine, IdempotencyKey: key}
		first := c.save(s, d, noise(300_000))
		c.clock.add(time.Minute)
		second := c.save(s, d, noise(300_000))
		if first != second {
			c.fail("key %.20q: the retry gave %+v, the first %+v", key, second, first)
		}
		c.same(s, mine, first.Handle, noise(300_000))
	}
	d := artifact.Draft{Scope: mine, IdempotencyKey: "c"}
	slow := c.create(s, d)
	_, err := slow.Write([]byte("x"))
	c.ok(err, "Write")
	i := c.save(s, d, []byte("x"))
	again := c.create(s, d)
	_, err = again.Write([]byte("x"))
	c.ok(err, "Write")
	if j := c.save(s, artifact.Draft{Scope: mine}, []byte("x")); j.Handle == i.Handle {
		c.fail("a Draft without a key got the handle of one with a key")
	}
	c.ok(s.Delete(bg, mine, i.Handle), "Delete")
	for _, w := range []artifact.Writer{slow, again} {
		_, err = w.Commit(bg)
		c.is(err, artifact.ErrDeleted, "the Commit of a second Writer after Delete")
	}
	_, err = trySave(s, d, []byte("x"))
	c.is(err, artifact.ErrDeleted, "a retry after Delete")
	late := artifact.Draft{Scope: mine, IdempotencyKey: "d"}
	c.save(s, late, []byte("x"))
	c.clock.add(time.Hour)
	_, err = trySave(s, late, []byte("x"))
	c.is(err, artifact.ErrExpired, "a retry after the artifact expired")
}

func keyReused(c *check) {
	s := c.store(artifact.Options{})
	d := artifact.Draft{Scope: mine, IdempotencyKey: "k"}
	i := c.save(s, d, []byte("first"))
	for _, other := range []string{"", "other", "firs", "first\n"} {
		_, err := trySave(s, d, []byte(other))
		c.is(err, artifact.ErrKeyReused, fmt.Sprintf("saving %q under the key of %q", other, "first"))
	}
	c.same(s, mine, i.Handle, []byte("first"))
}

func keyScopes(c *check) {
	s := c.store(artifact.Options{})
	a := artifact.Draft{Scope: artifact.Scope{User: "a"}, IdempotencyKey: "k"}
	b := artifact.Draft{Scope: artifact.Scope{User: "b"}, IdempotencyKey: "k"}
	i, j := c.save(s, a, []byte("of a")), c.save(s, b, []byte("of b"))
	if i.Handle == j.Handle {
		c.fail("two scopes got one handle")
	}
	c.same(s, a.Scope, i.Handle, []byte("of a"))
	c.same(s, b.Scope, j.Handle, []byte("of b"))
}

func keyRace(c *check) {
	s := c.store(artifact.Options{})
	c.agree(func(int) artifact.Store { return s })
}

// agree lets Writers race for one key: they agree on one handle, and of those
// with other bytes exactly one kind wins.
func (c *check) agree(store func(i int) artifact.Store) {
	for round := range 20 {
		d := artifact.Draft{Scope: mine, IdempotencyKey: fmt.Sprint("same", round)}
		var mu sync.Mutex
		won := map[artifact.Handle]string{}
		c.parallel(8, func(i int) error {
			text := fmt.Sprint("kind ", i%2)
			info, err := trySave(store(i), d, []byte(text))
			if errors.Is(err, artifact.ErrKeyReused) {
				return nil
			}
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if was, ok := won[info.Handle]; ok && was != text {
				return fmt.Errorf("one handle was given for %q and for %q", was, text)
			}
			won[info.Handle] = text
			return nil
		})
		if len(won) != 1 {
			c.fail("one key gave %d handles", len(won))
		}
		for h, text := range won {
			c.same(store(0), mine, h, []byte(text))
		}
	}
}
