package artifacttest_test

import (
	"fmt"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/artifact/artifacttest"
)

// A Memory can't be shared, damaged or cut off from outside: what needs that is
// said to be not proven, with what was missing.
func ExampleCheck() {
	proven := 0
	for _, o := range artifacttest.Check(artifacttest.Harness{
		New: func(o artifact.Options) (artifact.Store, error) { return artifact.NewMemory(&o), nil },
	}) {
		if o.Proven {
			proven++
			continue
		}
		fmt.Println(o)
	}
	fmt.Println(proven, "promises proven")
	// Output:
	// not proven  a second store over the same data sees the same: Harness.Reopen is nil
	// not proven  two stores over the same data agree on keys and deletions: Harness.Reopen is nil
	// not proven  a changed byte is reported with its place, the rest is readable: Harness.Corrupt is nil
	// not proven  a fault of the storage is said, and leaves nothing half done: Harness.Fault is nil
	// 33 promises proven
}
