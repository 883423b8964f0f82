package followup_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/coverage"
	"github.com/toolclip/toolclip/envelope"
)

// From the envelope alone, by the calls that it names and by the artifacts that the list
// of its parts names, every byte of every content is reached: in every form, under every
// legal budget, however many contents there are.
func TestLaw07EveryContentIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := clip.Config{
			Store: artifact.NewMemory(nil), Followups: clip.AllFollowups,
			Form:  rapid.SampledFrom([]clip.Form{clip.TextForm, clip.JSONForm, clip.InBandForm}).Draw(t, "form"),
			Style: envelope.Style{Language: rapid.SampledFrom([]string{"en", "zh-Hant"}).Draw(t, "language"), Compact: rapid.Bool().Draw(t, "compact")},
		}
		c, read, ok := withBudget(t, cfg)
		if !ok {
			return
		}
		var r clip.Result
		for i := range rapid.SampledFrom([]int{2, 3, 5, 12, 60}).Draw(t, "contents") {
			name := rapid.SampledFrom([]string{"", fmt.Sprintf("report %d", i), strings.Repeat("长名字\"", 40), "x\n]"}).Draw(t, "name")
			r.Parts = append(r.Parts, clip.Named{Name: name, Content: drawContent(t)})
		}
		e, err := c.Clip(context.Background(), r)
		require.NoError(t, err)
		requireWithin(t, c.Config(), e)
		handles := handlesOf(t, c, e, len(r.Parts))
		seen := follow(t, read, e)
		for i, h := range handles {
			content := r.Parts[i].Content.(string)
			for _, g := range seen[h].Gaps(int64(len(content))) {
				require.Empty(t, strings.Trim(content[g.Start:g.End], "{}[],:\" "), "content %d of %d: bytes %d to %d are never offered", i+1, len(handles), g.Start, g.End)
			}
		}
	})
}

// withBudget is a Clipper of cfg with a drawn budget, often the smallest, and its tool
// that reads.
func withBudget(t *rapid.T, cfg clip.Config) (*clip.Clipper, followup.Tool, bool) {
	units := []func(int) clip.Budget{clip.Bytes, clip.Bytes, clip.Runes, clip.Graphemes, func(n int) clip.Budget { return clip.Tokens(n, nil) }}
	budget := rapid.SampledFrom(units).Draw(t, "unit")
	n := smallestFor(t, cfg, budget) + rapid.SampledFrom([]int{0, 1, 60, 200, 500, 900, 2000, 6000}).Draw(t, "above the smallest")
	if cfg.Budget = budget(n); rapid.IntRange(0, 5).Draw(t, "in lines") == 0 {
		cfg.Budget = clip.Lines(rapid.IntRange(1, 80).Draw(t, "lines")).Under(max(n, 4000))
	}
	c, err := clip.New(cfg)
	require.NoError(t, err)
	tools, err := followup.Tools(c, nil)
	if errors.Is(err, clip.ErrBudget) {
		return nil, followup.Tool{}, false // the tools' names are longer than that of the Config
	}
	require.NoError(t, err)
	return c, tools[0], true
}

var namedSmallest = regexp.MustCompile(`the smallest for this Config is (\d+) `)

func smallestFor(t *rapid.T, cfg clip.Config, budget func(int) clip.Budget) (n int) {
	cfg.Budget = budget(1)
	_, err := clip.New(cfg)
	require.ErrorIs(t, err, clip.ErrBudget)
	_, err = fmt.Sscan(namedSmallest.FindStringSubmatch(err.Error())[1], &n)
	require.NoError(t, err)
	return n
}

func drawContent(t *rapid.T) string {
	n := rapid.SampledFrom([]int{0, 1, 3, 40, 400}).Draw(t, "size")
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return numbered(n)
	case 1:
		return strings.Repeat("一行没有结尾的文字 ", n)
	case 2:
		return "[" + strings.TrimSuffix(strings.Repeat(`{"id":9007199254740993,"text":"short"},`, n), ",") + "]"
	case 3:
		return `{"log":"` + strings.Repeat("x", 20*n) + `","n":1}`
	}
	return strings.Repeat("\xff\xfe noise\n", n)
}

// handlesOf are the artifacts of all contents, from the parts that are shown and from
// the list.
func handlesOf(t require.TestingT, c *clip.Clipper, e envelope.Envelope, n int) []string {
	var out []string
	for _, p := range e.Parts {
		out = append(out, p.Artifact.Handle)
	}
	if len(out) == n {
		require.Empty(t, e.List)
		return out
	}
	list := listOf(t, c.Config().Store, artifact.Scope{}, e.List)
	require.Len(t, list, n)
	for i, x := range list {
		require.EqualValues(t, i+1, x.Part)
		if i < len(out) {
			require.Equal(t, out[i], x.Artifact)
			continue
		}
		out = append(out, x.Artifact)
	}
	return out
}

// listed is what a list says of a part.
type listed struct {
	Part                               int
	Artifact, MediaType, Name, NotKept string
	Bytes                              int64
}

// listOf is the list that is kept as handle.
func listOf(t require.TestingT, store artifact.Store, scope artifact.Scope, handle string) (list []listed) {
	r, err := store.Open(context.Background(), scope, artifact.Handle(handle))
	require.NoError(t, err)
	defer r.Close()
	p := make([]byte, r.Info().Size)
	_, err = r.ReadAt(p, 0)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(p, &list))
	return list
}

var handle = regexp.MustCompile(`"([a-z2-7]{26})"`)

// follow makes every call that reads and that e or an answer names, and reads every
// artifact that the list names. It returns which bytes of which artifact were shown.
func follow(t require.TestingT, read followup.Tool, e envelope.Envelope) map[string]coverage.Set {
	seen, asked := map[string]coverage.Set{}, map[string]bool{}
	var todo []map[string]any
	take := func(e envelope.Envelope) {
		for _, p := range append([]envelope.Part{e.Part}, e.Parts...) {
			if p.Artifact != nil {
				seen[p.Artifact.Handle] = seen[p.Artifact.Handle].Add(p.View.Bytes...).Add(p.View.Context...)
			}
		}
		for _, n := range e.Next {
			if !n.Search {
				require.Equal(t, read.Name, n.Tool)
				todo = append(todo, n.Arguments)
			}
		}
	}
	take(e)
	for len(todo) > 0 {
		require.Less(t, len(asked), 20_000, "there is no end to the calls")
		args, err := json.Marshal(todo[0])
		require.NoError(t, err)
		todo = todo[1:]
		if asked[string(args)] {
			continue
		}
		asked[string(args)] = true
		p, err := read.Call(context.Background(), args)
		require.NoError(t, err)
		require.Nil(t, p.Failure, "%s", args)
		take(p)
		if p.Artifact.Handle == e.List {
			for _, m := range handle.FindAllStringSubmatch(p.Content, -1) {
				todo = append(todo, map[string]any{clip.ArgArtifact: m[1]})
			}
		}
	}
	return seen
}

// What a model reads names the list and how to read it.
func TestTheNoticeNamesTheListOfTheParts(t *testing.T) {
	for form := clip.TextForm; form <= clip.InBandForm; form++ {
		for _, compact := range []bool{false, true} {
			b := newBench(t, artifact.NewMemory(nil), nil, func(cfg *clip.Config) {
				cfg.Form, cfg.Style.Compact, cfg.Budget = form, compact, clip.Bytes(2600)
			})
			var r clip.Result
			for i := range 60 {
				r.Parts = append(r.Parts, clip.Named{Name: fmt.Sprintf("report %d", i+1), Content: numbered(300)})
			}
			e := b.save(r)
			n := len(e.Parts)
			require.Less(t, n, 60)
			require.Contains(t, e.Notice, fmt.Sprintf("%d more parts are not shown", 60-n))
			require.Contains(t, e.Notice, e.List)
			require.Contains(t, e.Notice, fmt.Sprintf(`artifact_read {"item":%d,"to":60}`, n+1))
			next := e.Next[len(e.Next)-1]
			require.Equal(t, map[string]any{"artifact": e.List, "item": int64(n) + 1, "to": int64(60)}, next.Arguments)
			require.Equal(t, fmt.Sprintf("parts %d-60, each with the artifact to read it from", n+1), next.Gives)

			page := b.call(next.Tool, next.Arguments)
			var list []listed
			require.NoError(t, json.Unmarshal([]byte(page.Content), &list))
			require.Equal(t, listed{
				Part: n + 1, Name: fmt.Sprintf("report %d", n+1), MediaType: "text/plain", Bytes: int64(len(numbered(300))), Artifact: list[0].Artifact,
			}, list[0])
			content := b.call("artifact_read", ofHandle(list[0].Artifact, ""))
			require.True(t, strings.HasPrefix(content.Content, "line 0\n"))
		}
	}
}
