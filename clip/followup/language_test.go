package followup_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/toolclip/toolclip/artifact"
	"github.com/toolclip/toolclip/clip"
	"github.com/toolclip/toolclip/envelope"
)

// What the tools say most often when there is nothing to show is said in the language
// of the notice, with the same facts.
func TestFailuresSpeakTheLanguageOfTheNotice(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	dir := t.TempDir()
	store, err := artifact.OpenDir(dir, &artifact.Options{Now: func() time.Time { return now }, SweepEvery: -1})
	require.NoError(t, err)
	defer store.Close()
	b := newBench(t, store, nil, func(c *clip.Config) { c.TTL, c.Style.Language = time.Hour, "zh" })
	kept, damaged, deleted := b.save(records), b.save(numbered(9000)), b.save(records)
	damage(t, dir) // of the largest
	require.NoError(t, store.Delete(context.Background(), artifact.Scope{}, artifact.Handle(deleted.Artifact.Handle)))

	says := func(args string, want ...string) {
		notice := b.call("artifact_read", args).Notice
		for _, w := range want {
			require.Contains(t, notice, "“"+w+"”", args)
		}
	}
	again := "再次调用给出该结果的工具"
	says(ofHandle(string(artifact.NewHandle()), ""), "这里没有这个名称的artifact", "请核对这26个字符，或"+again)
	says(ofHandle("12345", ""), `artifact："12345"不是artifact：应为26个字符a-z和2-7`, "请从结果的提示中照抄artifact，全部26个字符")
	says(on(deleted, ""), "该artifact已于2026-01-02 03:04:05Z删除", again)
	says(on(damaged, ""), "保存的副本在字节0处的块已损坏", again)
	says(on(kept, `"item":900`), "item 900超出末尾：共501项", "已到末尾：没有更多可读")
	says(on(kept, `"item":9,"pointer":"/0"`), `item 9超出"/0"的末尾：共2项`)
	says(on(kept, `"byte":90000`), "byte 90000超出末尾：共12510字节")
	says(on(kept, `"byte":90,"pointer":"/0/name"`), `byte 90超出"/0/name"的末尾：共6字节`)
	says(on(kept, `"pointer":"/x"`), `pointer "/x"处没有内容`, "不带pointer读取该artifact，以查看其内容")
	text := b.save("one\ntwo\n")
	says(on(text, `"line":9`), "line 9超出末尾：共2行")
	now = now.Add(2 * time.Hour)
	says(on(kept, ""), "该artifact已于2026-01-02 04:04:05Z过期", again)
	require.Contains(t, envelope.Style{Language: "zh"}.Word(envelope.Envelope{Failure: &envelope.Failure{Message: "x", Advice: "call again later; the artifact is not lost"}}, nil).Notice, "稍后再次调用")
}
