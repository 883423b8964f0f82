package followup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/clip/followup"
	"github.com/toolclip/toolclip/envelope"
)

// answer is what a reader says when it is asked whether the needle is there.
type answer string

const (
	found    answer = "found"
	notThere answer = "there is none"
	unknown  answer = "I can't tell"
)

const needle = "NEEDLE-4711"

// scripted is a reader that knows nothing but the fields of envelopes. It has no
// idea of the library, the budget or the content.
type scripted struct {
	calls map[string]followup.Tool
	most  int // calls that it makes before it gives up
}

// look reads on, call by call, as the envelopes offer it.
func (s *scripted) look(ctx context.Context, e envelope.Envelope) (answer, error) {
	todo, left := []envelope.Envelope{e}, s.most
	for len(todo) > 0 {
		e, todo = todo[0], todo[1:]
		switch {
		case strings.Contains(e.Content, needle):
			return found, nil
		case e.Acquired == envelope.AcquiredNo || e.Failure != nil:
			return unknown, nil
		case e.View.Complete:
			continue
		case len(e.Next) == 0 && e.NoNext == "":
			continue // a page that showed all that it was asked for
		case len(e.Next) == 0:
			return unknown, nil
		}
		for _, n := range e.Next {
			if n.Search {
				continue
			}
			if left--; left < 0 {
				return unknown, nil
			}
			page, err := s.call(ctx, n)
			if err != nil {
				return unknown, err
			}
			todo = append(todo, page)
		}
	}
	return notThere, nil
}

// search asks once, and says "there is none" only when everything was searched.
func (s *scripted) search(ctx context.Context, e envelope.Envelope) (answer, error) {
	if strings.Contains(e.Content, needle) {
		return found, nil
	}
	if e.View.Complete && e.Acquired != envelope.AcquiredNo {
		return notThere, nil
	}
	for _, n := range e.Next {
		if !n.Search {
			continue
		}
		n.Arguments[clip.ArgPattern] = needle
		hit, err := s.call(ctx, n)
		switch {
		case err != nil:
			return unknown, err
		case strings.Contains(hit.Content, needle):
			return found, nil
		case hit.Scan != nil && hit.Scan.Whole() && hit.Scan.Matched.Value == 0 && e.Acquired != envelope.AcquiredNo:
			return notThere, nil
		}
	}
	return unknown, nil
}

func (s *scripted) call(ctx context.Context, n envelope.Next) (envelope.Envelope, error) {
	args, err := json.Marshal(n.Arguments)
	if err != nil {
		return envelope.Envelope{}, err
	}
	return s.calls[n.Tool].Call(ctx, args)
}

func newScripted(t testing.TB, c *clip.Clipper) *scripted {
	tools, err := followup.Tools(c, nil)
	require.NoError(t, err)
	s := &scripted{calls: map[string]followup.Tool{}, most: 10_000}
	for _, tool := range tools {
		s.calls[tool.Name] = tool
	}
	return s
}

// haystacks are a text and a JSON array with the needle at i twentieths; i < 0
// has none.
func haystacks(i int) map[string]string {
	const n = 2000
	at := max(0, i*n/20-1)
	var text strings.Builder
	rows := make([]string, n)
	for j := range n {
		word := "hay"
		if i >= 0 && j == at {
			word = needle
		}
		fmt.Fprintf(&text, "%05d the quick brown fox eats %s\n", j, word)
		rows[j] = fmt.Sprintf(`{"id":%d,"text":"the quick brown fox eats %s"}`, j, word)
	}
	return map[string]string{"text": text.String(), "array": "[" + strings.Join(rows, ",") + "]"}
}

func TestAReaderOfTheFieldsAlwaysFindsTheNeedle(t *testing.T) {
	ctx := context.Background()
	c, err := clip.New(clip.Config{Budget: clip.Bytes(4096), Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
	require.NoError(t, err)
	reader := newScripted(t, c)
	for i := -1; i <= 20; i++ {
		want := found
		if i < 0 {
			want = notThere
		}
		for kind, hay := range haystacks(i) {
			e, err := c.Clip(ctx, hay)
			require.NoError(t, err)
			got, err := reader.look(ctx, e)
			require.NoError(t, err)
			require.Equal(t, want, got, "reading on, %s, %d twentieths", kind, i)
			got, err = reader.search(ctx, e)
			require.NoError(t, err)
			require.Equal(t, want, got, "searching, %s, %d twentieths", kind, i)
		}
	}
}

func TestAReaderNeverSaysNotThereOfWhatWasNotAcquired(t *testing.T) {
	ctx := context.Background()
	c, err := clip.New(clip.Config{Budget: clip.Bytes(4096), MaxInput: 20_000, Store: artifact.NewMemory(nil), Followups: clip.AllFollowups})
	require.NoError(t, err)
	reader := newScripted(t, c)
	for kind, hay := range haystacks(19) {
		e, err := c.Clip(ctx, hay)
		require.NoError(t, err)
		for name, ask := range map[string]func(context.Context, envelope.Envelope) (answer, error){"look": reader.look, "search": reader.search} {
			got, err := ask(ctx, e)
			require.NoError(t, err)
			require.Equal(t, unknown, got, "%s %s", name, kind)
		}
	}
}

// The forms in which tools hand on a part without a word. A reader has only the
// text; where it says nothing about a rest, the reader takes it for the whole.

func silentHead(s string, n int) string { return s[:min(n, len(s))] }

// headAndTailOfCapture keeps a prefix, then shows both ends of the prefix.
func headAndTailOfCapture(s string, n int) string {
	s = s[:min(8*n, len(s))]
	return s[:min(n/2, len(s))] + "\n...\n" + s[max(0, len(s)-n/2):]
}

// cutJSON cuts in the middle of a value; the reader mends it as models do.
func cutJSON(s string, n int) string {
	s = s[:min(n, len(s))]
	if i := strings.LastIndexByte(s, '}'); i >= 0 && strings.HasPrefix(s, "[") {
		s = s[:i+1] + "]"
	}
	return s
}

// pageWithoutTotal gives the first records and no number.
func pageWithoutTotal(s string, n int) string {
	rows := strings.SplitAfter(s, "\n")
	return silentHead(strings.Join(rows[:min(50, len(rows))], ""), n)
}

func trusting(text string) answer {
	if strings.Contains(text, needle) {
		return found
	}
	return notThere
}

func TestTheFormsSeenInTheFieldMakeReadersSayThereIsNone(t *testing.T) {
	forms := map[string]func(string, int) string{
		"silent head": silentHead, "head and tail of a capture": headAndTailOfCapture,
		"cut JSON": cutJSON, "page without total": pageWithoutTotal,
	}
	for name, form := range forms {
		wrong, asked := 0, 0
		for i := 0; i <= 20; i++ {
			for _, hay := range haystacks(i) {
				asked++
				if trusting(form(hay, 4096)) != found {
					wrong++
				}
			}
		}
		t.Logf("%-28s %d of %d readers say %q of what is there", name, wrong, asked, notThere)
		require.Greater(t, wrong, asked/2, name)
	}
}
