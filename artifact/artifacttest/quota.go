package artifacttest

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/toolclip/toolclip/artifact"
)

// over fails unless err is an ErrOverQuota that names limit.
func (c *check) over(err error, limit int64, what string) {
	c.is(err, artifact.ErrOverQuota, what)
	var e *artifact.Error
	if !errors.As(err, &e) || e.Limit != limit {
		c.fail("%s: %v does not name the limit %d", what, err, limit)
	}
}

func byteQuota(c *check) {
	s := c.store(artifact.Options{MaxBytes: 1000})
	kept := c.save(s, artifact.Draft{Scope: mine}, noise(600))
	w := c.create(s, artifact.Draft{Scope: mine})
	_, err := w.Write(noise(300))
	c.ok(err, "Write within the quota")
	other := c.create(s, artifact.Draft{Scope: artifact.Scope{User: "other"}})
	_, err = other.Write(noise(101)) // 600 kept, 300 on their way
	c.over(err, 1000, "Write over the quota")
	if _, err := other.Commit(bg); err == nil {
		c.fail("a Writer that lacks bytes was committed")
	}
	_, err = w.Write(noise(100))
	c.ok(err, "Write up to the quota")
	_, err = w.Commit(bg)
	c.ok(err, "Commit at the quota")
	_, err = trySave(s, artifact.Draft{Scope: mine}, []byte("x"))
	c.over(err, 1000, "saving over the quota")
	c.same(s, mine, kept.Handle, noise(600)) // nothing that is kept makes room
}

func countQuota(c *check) {
	s := c.store(artifact.Options{MaxCount: 2})
	c.save(s, artifact.Draft{Scope: mine}, nil)
	w := c.create(s, artifact.Draft{Scope: mine})
	_, err := trySave(s, artifact.Draft{Scope: mine}, nil)
	c.over(err, 2, "a third artifact")
	_, err = w.Commit(bg)
	c.ok(err, "Commit")
	_, err = trySave(s, artifact.Draft{Scope: mine}, nil)
	c.over(err, 2, "a third artifact")
}

func scopeQuota(c *check) {
	s := c.store(artifact.Options{MaxScopeBytes: 1000})
	for _, u := range []string{"a", "b", "c"} {
		d := artifact.Draft{Scope: artifact.Scope{User: u}}
		c.save(s, d, noise(700))
		_, err := trySave(s, d, noise(301))
		c.over(err, 1000, "saving over the scope's quota")
		c.save(s, d, noise(300))
	}
}

// quotaBack fills the store again and again, and ends each filling in another
// way.
func quotaBack(c *check) {
	s := c.store(artifact.Options{MaxBytes: 1000, MaxCount: 1, MaxScopeBytes: 1000})
	d := artifact.Draft{Scope: mine, TTL: time.Hour}
	for range 3 {
		i := c.save(s, d, noise(1000))
		c.ok(s.Delete(bg, mine, i.Handle), "Delete")

		c.save(s, d, noise(1000))
		c.clock.add(time.Hour) // no sweep: what has expired makes room

		w := c.create(s, d)
		_, err := w.Write(noise(1000))
		c.ok(err, "Write after the other expired")
		c.ok(w.Abort(), "Abort")

		w = c.create(s, d)
		_, err = w.Write(noise(1001))
		c.over(err, 1000, "Write over the quota")
		_, err = w.Commit(bg)
		c.is(err, artifact.ErrIncomplete, "Commit of a Writer that lacks bytes")

		keyed := artifact.Draft{Scope: mine, TTL: time.Hour, IdempotencyKey: c.clock.now().String()}
		i = c.save(s, keyed, noise(400))
		c.ok(s.Delete(bg, mine, i.Handle), "Delete")
	}
}

func quotaRace(c *check) {
	const n, size, limit = 64, 100, 1000
	s := c.store(artifact.Options{MaxBytes: limit})
	var saved, refused atomic.Int64
	c.parallel(n, func(int) error {
		_, err := trySave(s, artifact.Draft{Scope: mine}, noise(size))
		switch {
		case err == nil:
			saved.Add(1)
		case errors.Is(err, artifact.ErrOverQuota):
			refused.Add(1)
		default:
			return err
		}
		return nil
	})
	if got := saved.Load() * size; got > limit {
		c.fail("%d bytes were saved under a quota of %d", got, limit)
	}
	for saved.Load() < limit/size { // whoever was refused gave everything back
		c.save(s, artifact.Draft{Scope: mine}, noise(size))
		saved.Add(1)
	}
	_, err := trySave(s, artifact.Draft{Scope: mine}, noise(1))
	c.over(err, limit, "saving in a full store")
}
