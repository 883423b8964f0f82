package artifacttest

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/toolclip/toolclip/artifact"
)

func handles(c *check) {
	s := c.store(artifact.Options{})
	seen := map[artifact.Handle]bool{}
	for range 200 {
		h := c.save(s, artifact.Draft{Scope: mine}, []byte("the same bytes")).Handle
		if p, err := artifact.ParseHandle(string(h)); err != nil || p != h {
			c.fail("%q is not a canonical handle: %w", h, err)
		}
		if seen[h] {
			c.fail("%q was given twice", h)
		}
		seen[h] = true
	}
}

func hostileHandles(c *check) {
	s := c.store(artifact.Options{})
	h := string(c.save(s, artifact.Draft{Scope: mine}, []byte("x")).Handle)
	for _, bad := range []string{
		"", ".", "..", "/", "\\", "\x00", "../../../../etc/passwd", "CON", "a:stream", "~", "*", "%2e%2e",
		strings.ToUpper(h), h + "=", h + "\n", h + "\x00", " " + h, h[:25], h + "a", "/" + h[1:], h[:13] + "/" + h[14:],
		h[:25] + "\x00", strings.Repeat("a", 1500), strings.Repeat("../", 9), h[:25] + "1", h[:25] + "é", aliasOf(h),
	} {
		for call, f := range every {
			if err := f(s, mine, artifact.Handle(bad)); !reflect.DeepEqual(err, error(&artifact.Error{State: artifact.ErrNotFound})) {
				c.fail("%s of %q: got %v, want a bare not-found", call, bad, err)
			}
		}
	}
	c.same(s, mine, artifact.Handle(h), []byte("x"))
}

// aliasOf is another spelling of the same 128 bits: base32 has two to spare.
func aliasOf(h string) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
	last := strings.IndexByte(alphabet, h[25])
	return h[:25] + string(alphabet[last^1])
}

// strangers asks for artifacts in every state from outside their scope.
func strangers(c *check) {
	s := c.store(artifact.Options{})
	live := c.save(s, artifact.Draft{Scope: mine, TTL: -1}, []byte("live"))
	gone := c.save(s, artifact.Draft{Scope: mine, TTL: -1}, []byte("gone"))
	late := c.save(s, artifact.Draft{Scope: mine, TTL: time.Minute}, []byte("late"))
	c.ok(s.Delete(bg, mine, gone.Handle), "Delete")
	c.clock.add(time.Minute)
	never := artifact.NewHandle()
	want := every["Stat"](s, mine, never)
	if !reflect.DeepEqual(want, error(&artifact.Error{State: artifact.ErrNotFound})) {
		c.fail("a handle that never was: got %#v, want an Error with ErrNotFound alone", want)
	}
	for _, them := range otherScopes() {
		for state, h := range map[string]artifact.Handle{"live": live.Handle, "deleted": gone.Handle, "expired": late.Handle, "never": never} {
			for call, f := range every {
				err := f(s, them, h)
				if !reflect.DeepEqual(err, want) || fmt.Sprintf("%+v", err) != fmt.Sprintf("%+v", want) {
					c.fail("%s of a %s artifact from scope %+v: got %v, want %v", call, state, them, err, want)
				}
			}
		}
	}
	c.same(s, mine, live.Handle, []byte("live"))
	_, err := s.Stat(bg, mine, gone.Handle)
	c.is(err, artifact.ErrDeleted, "the owner's Stat of a deleted artifact")
	_, err = s.Stat(bg, mine, late.Handle)
	c.is(err, artifact.ErrExpired, "the owner's Stat of an expired artifact")
}

// otherScopes are not mine, and easily taken for it.
func otherScopes() []artifact.Scope {
	return []artifact.Scope{
		{},
		{Tenant: mine.Tenant},
		{Tenant: mine.Tenant, User: mine.User},
		{Tenant: mine.Tenant, User: mine.User, Task: mine.Task + "2"},
		{Tenant: mine.Tenant, User: mine.Task, Task: mine.User},
		{Tenant: mine.Tenant + mine.User, Task: mine.Task},
		{Tenant: mine.Tenant + "/" + mine.User, Task: mine.Task},
		{Tenant: mine.Tenant, User: mine.User + "\x00" + mine.Task},
		{Tenant: strings.ToUpper(mine.Tenant), User: mine.User, Task: mine.Task},
		{Tenant: "*", User: "*", Task: "*"},
	}
}

func wholeScopes(c *check) {
	s := c.store(artifact.Options{})
	scopes := []artifact.Scope{
		{},
		{Tenant: "a"}, {User: "a"}, {Task: "a"},
		{Tenant: "a/b", User: "c"}, {Tenant: "a", User: "b/c"}, {Tenant: "a/b/c"},
		{Tenant: "a\x00b"}, {Tenant: "a", User: "b"}, {Tenant: "a\x00", User: "b"},
		{Tenant: "a", User: "", Task: "b"}, {Tenant: "A"}, {Tenant: " a"}, {Tenant: "a\xff"}, {Tenant: "a\ufffd"},
		{Tenant: "é"}, {Tenant: "e\u0301"}, {Tenant: "..", User: ".."}, {Tenant: "a|b"}, {Tenant: "a,b"}, {Tenant: "1:a"},
		{Tenant: strings.Repeat("x", 5000)}, {Tenant: strings.Repeat("x", 5001)},
	}
	made := make([]artifact.Handle, len(scopes))
	for i, sc := range scopes {
		made[i] = c.save(s, artifact.Draft{Scope: sc}, fmt.Appendf(nil, "%d", i)).Handle
	}
	for i, h := range made {
		for j, sc := range scopes {
			_, err := s.Stat(bg, sc, h)
			if i == j {
				c.ok(err, "Stat in the artifact's scope")
			} else if err == nil {
				c.fail("scope %+v reads what is of scope %+v", sc, scopes[i])
			}
		}
	}
}
