package artifact_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/toolclip/toolclip/artifact"
)

func Example() {
	ctx := context.Background()
	store := artifact.NewMemory(&artifact.Options{TTL: time.Hour})
	alice := artifact.Scope{Tenant: "acme", User: "alice"}

	w, err := store.Create(ctx, artifact.Draft{Scope: alice, MediaType: "text/plain"})
	if err != nil {
		panic(err)
	}
	io.Copy(w, strings.NewReader("first line\nsecond line\n"))
	info, err := w.Commit(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println(info.Size, "bytes,", info.Lines, "lines, kept for", info.ExpiresAt.Sub(info.CapturedAt))

	r, err := store.Open(ctx, alice, info.Handle)
	if err != nil {
		panic(err)
	}
	defer r.Close()
	page := make([]byte, 6)
	r.ReadAt(page, 11)
	fmt.Printf("%s\n", page)

	_, err = store.Open(ctx, artifact.Scope{Tenant: "acme", User: "bob"}, info.Handle)
	fmt.Println(err)
	// Output:
	// 23 bytes, 2 lines, kept for 1h0m0s
	// second
	// artifact: not found
}

// What became of an artifact is told to its owner, and only to its owner.
func ExampleError() {
	ctx := context.Background()
	now := time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)
	store := artifact.NewMemory(&artifact.Options{TTL: time.Hour, Now: func() time.Time { return now }})
	w, _ := store.Create(ctx, artifact.Draft{})
	info, _ := w.Commit(ctx)

	now = now.Add(2 * time.Hour)
	_, err := store.Open(ctx, artifact.Scope{}, info.Handle)
	fmt.Println(err)

	var e *artifact.Error
	if errors.As(err, &e) && errors.Is(err, artifact.ErrExpired) {
		fmt.Println("fetch it again; it was kept until", e.At.Format(time.Kitchen))
	}
	_, err = store.Open(ctx, artifact.Scope{User: "bob"}, info.Handle)
	fmt.Println(err)
	// Output:
	// artifact: expired at 2026-11-29T19:00:00Z
	// fetch it again; it was kept until 7:00PM
	// artifact: not found
}
