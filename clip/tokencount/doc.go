// Package tokencount counts the tokens of a text exactly, for [clip.Tokens]:
//
//	c, err := clip.New(clip.Config{Budget: clip.Tokens(4000, tokencount.O200k())})
//
// It is a module of its own, because an encoding brings its vocabulary with it: some
// twelve megabytes in a program, and up to 25 in memory from its first use on. Without
// it, clip.Tokens(n, nil) bounds the tokens from above and shows about half as much.
//
// The vocabularies are those of github.com/tiktoken-go/tokenizer (MIT licence), which
// has them from OpenAI's tiktoken. Splitting a text into pieces and merging bytes into
// tokens is done here: the splitter of that module passes over some characters, and
// takes quadratic time for white space with line feeds in it. Where it is right, a
// test compares the counts.
//
// Other vendors' models have other tokenizers: for those implement [clip.TokenCounter]
// with their own, or use clip.Bytes, which bounds every byte-level tokenizer.
//
// # What is counted
//
// The text as a model reads it: all of it is text. A special token that stands in a
// text (<|endoftext|>) is counted as the characters that it is written with, as
// tiktoken's encode_ordinary does. What a provider adds round a message (roles,
// separators) is not in the text and not in the count.
//
// Two doubts are resolved upwards, so that a count is never too small:
//
//   - Bytes that are not UTF-8. Senders replace them by U+FFFD, some each byte, some
//     each maximal subpart (Unicode 15.0, section 3.9): the larger count holds. What
//     package clip renders has none.
//   - Characters that the Unicode tables of this build do not have. The pieces into
//     which a text is split depend on what is a letter, and a model may have newer
//     tables: the count is then at least [clip.TokenBound].
//
// # Time
//
// Counting takes n log n for n bytes, about twenty megabytes of prose a second, and
// two of one endless run of a letter. Package clip never asks about a whole result,
// only about strings within the budget's ceiling in bytes (8 for each token, at least
// 16 KiB). It tries the views of a fixed sequence and counts each, which makes some
// thirty questions for a log.
package tokencount
