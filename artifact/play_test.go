package artifact_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
)

// The tests of faults, crashes and kills play the same short life of a store,
// interrupt it, and then compare what is left with what was promised. What was
// promised is written down as lines, so that it can come from another process:
//
//	saved HANDLE SEED       Commit returned; the bytes are noise(SEED)
//	keyed HANDLE SEED       the same, with the idempotency key "SEED"
//	brief HANDLE SEED       the same, for an hour
//	deleting HANDLE         Delete was called
//	deleted HANDLE          Delete returned nil
//	done                    nothing more was to come

// epoch is when the life of a played store begins.
var epoch = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// playOptions are those of a played store. Everything is swept that can be.
func playOptions(c *clock) *artifact.Options {
	return &artifact.Options{TTL: -1, Now: c.now, Grace: time.Minute, SweepEvery: -1}
}

// play lives: it saves, retries, aborts, deletes and sweeps, says what was
// promised, and goes on after errors.
func play(d *artifact.Dir, c *clock, seed int, say func(string)) {
	put := func(word string, n int, draft artifact.Draft) artifact.Handle {
		w, err := d.Create(context.Background(), draft)
		if err != nil {
			return ""
		}
		defer w.Abort()
		if _, err := io.Copy(w, bytes.NewReader(noise(n))); err != nil {
			return ""
		}
		if err := w.(artifact.ItemMarker).MarkItems(playItems(n)); err != nil {
			return ""
		}
		i, err := w.Commit(context.Background())
		if err != nil {
			return ""
		}
		say(fmt.Sprintf("%s %s %d", word, i.Handle, n))
		return i.Handle
	}
	small := put("saved", 1000+seed, artifact.Draft{})
	put("saved", 270_000+seed, artifact.Draft{})
	key := artifact.Draft{IdempotencyKey: fmt.Sprint(2000 + seed)}
	put("keyed", 2000+seed, key)
	put("keyed", 2000+seed, key)
	put("brief", 3000+seed, artifact.Draft{TTL: time.Hour})
	if w, err := d.Create(context.Background(), artifact.Draft{}); err == nil {
		w.Write(noise(270_000))
		w.Abort()
	}
	if small != "" {
		say("deleting " + string(small))
		if d.Delete(context.Background(), artifact.Scope{}, small) == nil {
			say("deleted " + string(small))
		}
	}
	for range 3 {
		c.advance(2 * time.Hour)
		d.Sweep(context.Background())
	}
	say("done")
}

// playItems are what is said of the items of n bytes of noise.
func playItems(n int) artifact.Items {
	return artifact.Items{Pointer: fmt.Sprint("/", n), Total: 2, Starts: []artifact.ItemStart{{Item: 0, Offset: 3}, {Item: 1, Offset: int64(n) - 1}}}
}

// verify compares a store with what was promised, and tries that it still works.
// It returns an error where a test that expects failure wants one.
func verify(d *artifact.Dir, c *clock, said []string) error {
	c.t = epoch.Add(24 * time.Hour)
	deleting := map[string]bool{}
	keys := map[string]string{}
	for _, line := range said {
		if h, ok := strings.CutPrefix(line, "deleting "); ok {
			deleting[h] = true
		}
	}
	for _, line := range said {
		var word, h string
		var seed int
		fmt.Sscan(line, &word, &h, &seed)
		if err := verifyLine(d, word, h, seed, deleting[h]); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		if word == "keyed" {
			if was, ok := keys[fmt.Sprint(seed)]; ok && was != h {
				return fmt.Errorf("%q: the first time it was %s", line, was)
			}
			keys[fmt.Sprint(seed)] = h
		}
	}
	swept, err := d.Sweep(context.Background())
	if err != nil || swept.Damaged > 0 {
		return fmt.Errorf("sweeping afterwards: %+v, %w", swept, err)
	}
	w, err := d.Create(context.Background(), artifact.Draft{})
	if err != nil {
		return fmt.Errorf("saving afterwards: %w", err)
	}
	_, err = w.Commit(context.Background())
	return err
}

func verifyLine(d *artifact.Dir, word, h string, seed int, deleting bool) error {
	ctx, hd := context.Background(), artifact.Handle(h)
	switch word {
	case "deleted", "brief":
		want := map[string]error{"deleted": artifact.ErrDeleted, "brief": artifact.ErrExpired}[word]
		if _, err := d.Stat(ctx, artifact.Scope{}, hd); !errors.Is(err, want) {
			return fmt.Errorf("got %w", err)
		}
	case "saved", "keyed":
		r, err := d.Open(ctx, artifact.Scope{}, hd)
		if deleting && errors.Is(err, artifact.ErrDeleted) {
			return nil
		}
		if err != nil {
			return err
		}
		defer r.Close()
		got, err := io.ReadAll(io.NewSectionReader(r, 0, r.Info().Size))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, noise(seed)) {
			return errors.New("other bytes")
		}
		x := r.(artifact.ItemIndexer)
		at, off, ok := x.ItemBefore(0)
		if p, n, _ := x.Items(); !ok || at != 0 || off != 3 || n != 2 || p != playItems(seed).Pointer {
			return fmt.Errorf("%d items of %q, item %d at byte %d, %v", n, p, at, off, ok)
		}
	}
	if word == "keyed" {
		w, err := d.Create(ctx, artifact.Draft{IdempotencyKey: fmt.Sprint(seed)})
		if err != nil {
			return err
		}
		w.Write(noise(seed))
		if i, err := w.Commit(ctx); err != nil || i.Handle != hd {
			return fmt.Errorf("the key now names %s: %w", i.Handle, err)
		}
	}
	return nil
}

// TestPlayIsFaultless: without faults everything that can be promised is.
func TestPlayIsFaultless(t *testing.T) {
	c := newClock()
	d, err := artifact.OpenDir(t.TempDir(), playOptions(c))
	require.NoError(t, err)
	defer d.Close()
	var said []string
	play(d, c, 0, func(s string) { said = append(said, s) })
	require.Len(t, said, 8)
	require.NoError(t, verify(d, c, said))
}
