package tokencount_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/tokencount"
)

// A budget of 800 tokens of o200k_base, the notice included.
func Example() {
	count := tokencount.O200k()
	c, err := clip.New(clip.Config{Budget: clip.Tokens(800, count)})
	if err != nil {
		log.Fatal(err)
	}
	e, err := c.Clip(context.Background(), strings.Repeat("one line of a log\n", 10_000))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(count.CountTokens([]byte(e.Text())) <= 800)
	fmt.Println(e.View.UnitTotal.Value, "lines in all")
	// Output:
	// true
	// 10000 lines in all
}

// What stands in a text is text, a special token too.
func Example_special() {
	fmt.Println(tokencount.O200k().CountTokens([]byte("<|endoftext|>")))
	// Output: 7
}
