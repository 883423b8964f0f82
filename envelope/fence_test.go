package envelope

import (
	"regexp"
	"strings"
	"testing"
	"testing/cryptotest"

	"github.com/stretchr/testify/require"
)

func TestAFenceIsEightHexadecimalDigitsThatAreNoNumber(t *testing.T) {
	for range 1000 {
		require.Regexp(t, regexp.MustCompile(`^[a-f]{2}[0-9]{6}$`), drawFence("", Envelope{}))
	}
}

func TestAFenceIsDrawnAgainWhenContentHasIt(t *testing.T) {
	cryptotest.SetGlobalRandom(t, 1)
	first := drawFence("", Envelope{})
	cryptotest.SetGlobalRandom(t, 1)
	second := drawFence("", Envelope{Part: Part{Content: "x" + first + "x"}})
	require.NotEqual(t, first, second)
	require.Len(t, second, len(first))
}

func TestAFenceIsLongerAfterRepeatedCollisions(t *testing.T) {
	cryptotest.SetGlobalRandom(t, 2)
	var taken strings.Builder
	for range fenceTries {
		taken.WriteString(randomFence(fenceDigits) + "\n")
	}
	cryptotest.SetGlobalRandom(t, 2)
	require.Len(t, drawFence("", Envelope{Part: Part{Content: taken.String()}}), fenceLetters+fenceDigits+2)
}

func TestWordIsReproducibleWithRandomnessFixed(t *testing.T) {
	word := func() string {
		cryptotest.SetGlobalRandom(t, 3)
		return Style{}.Word(ordinary(), nil).Text()
	}
	require.Equal(t, word(), word())
}

func TestAPresetFenceIsKeptIfNoContentHasIt(t *testing.T) {
	e := ordinary()
	e.Fence = "ab123456"
	require.Equal(t, "ab123456", Style{}.Word(e, nil).Fence)
	e.Content = "-- ab123456"
	require.NotEqual(t, "ab123456", Style{}.Word(e, nil).Fence)
	for _, bad := range []string{"short", "]\n-- x 12345678", "ABCDEF12", strings.Repeat("a", 1000)} {
		e := ordinary()
		e.Fence = bad
		require.NotEqual(t, bad, Style{}.Word(e, nil).Fence, "a fence from elsewhere must be one")
	}
}
