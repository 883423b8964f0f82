package envelope

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// never is the judge that accepts no frame, so that Word sheds all it may.
func never(string) bool { return false }

// TestLaw01TheReserveHoldsAnyEssentialFrame is the contract of Reserve, in all the
// measures that it names.
func TestLaw01TheReserveHoldsAnyEssentialFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style, s := genStyle().Draw(t, "style"), genShape().Draw(t, "shape")
		reserve := style.Reserve(s.like(), s.largest)
		frame := style.Word(s.envelope().Draw(t, "envelope"), never).frame()

		require.LessOrEqual(t, len(frame), len(reserve), "bytes\n%s\n%s", frame, reserve)
		require.LessOrEqual(t, utf8.RuneCountInString(frame), utf8.RuneCountInString(reserve), "runes\n%s\n%s", frame, reserve)
		a, o := runesOf(frame)
		ra, ro := runesOf(reserve)
		require.LessOrEqual(t, a, ra, "ASCII\n%s\n%s", frame, reserve)
		require.LessOrEqual(t, o, ro, "beyond ASCII\n%s\n%s", frame, reserve)
	})
}

func TestASmallBudgetKeepsRoomForContent(t *testing.T) {
	s := shape{parts: 1, kept: true, calls: 2, largest: 1 << 40}
	reserve := Style{}.Reserve(s.like(), s.largest)
	require.LessOrEqual(t, len(reserve), 400)
}

func TestAnOrdinaryNoticeFitsTheReserveUnshortened(t *testing.T) {
	s := shape{parts: 1, kept: true, calls: 2, largest: 1 << 40}
	reserve := Style{}.Reserve(s.like(), s.largest)
	frame := Style{}.Word(ordinary(), nil).frame()
	require.LessOrEqual(t, len(frame), len(reserve), frame)
}
