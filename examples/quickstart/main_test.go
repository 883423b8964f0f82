package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDemoFindsItsAnswers(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), &out, 4096, nil))
	text := out.String()
	require.Contains(t, text, "[PARTIAL lines 1-")
	require.Contains(t, text, "[PARTIAL items 1-")
	require.Contains(t, text, "StripPrefix returns a handler that serves HTTP requests", "the answer to the first question")
	require.Contains(t, text, `/src/net/textproto"`, "the answer to the second")
	require.NotContains(t, strings.SplitAfter(text, ">>>")[0], "StripPrefix returns", "it was not in the first part")
}

func TestAFileIsShownWithinTheBudget(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(name, []byte(strings.Repeat("a line\n", 10_000)), 0o600))
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), &out, 2000, []string{name}))
	require.LessOrEqual(t, out.Len(), 2001)
	require.Contains(t, out.String(), "of 10000")
}
