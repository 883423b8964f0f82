package followup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
)

// A model is shown the beginning of a long log. It searches what it was not shown,
// and reads the lines round the match.
func Example() {
	c, err := clip.New(clip.Config{
		Store:     artifact.NewMemory(nil),
		Followups: clip.Followups{Read: "artifact_read", Search: "artifact_search"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tools, err := followup.Tools(c, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	call := func(name string, args map[string]any) {
		for _, t := range tools {
			if t.Name == name {
				raw, _ := json.Marshal(args)
				e, err := t.Call(context.Background(), raw)
				if e.Scan != nil {
					fmt.Println(e.Scan.Matched, "matches in", e.Scan.Of, "bytes")
				}
				fmt.Print(e.Content)
				if e.Failure != nil {
					fmt.Println(e.Failure.Message)
				}
				if err != nil {
					fmt.Println(err)
				}
			}
		}
	}

	log := strings.Repeat("all is well\n", 5000) + "disk 3 failed\nspare disk in use\n" + strings.Repeat("all is well\n", 5000)
	e, _ := c.Clip(context.Background(), log)
	call("artifact_search", map[string]any{"artifact": e.Artifact.Handle, "pattern": `disk \d+`})
	call("artifact_read", map[string]any{"artifact": e.Artifact.Handle, "line": 5000, "to": 5003})
	call("artifact_read", map[string]any{"artifact": e.Artifact.Handle, "line": 20000})
	// Output:
	// 1 matches in 120032 bytes
	// disk 3 failed
	// all is well
	// disk 3 failed
	// spare disk in use
	// all is well
	// line 20000 is past the end: 10002 lines in all
}
