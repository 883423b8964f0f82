package envelope

import "testing"

// BenchmarkWord bounds what a notice costs beside the cut: everything said, and all
// levels tried.
func BenchmarkWord(b *testing.B) {
	e := ordinary()
	b.Run("everything", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Style{}.Word(e, nil)
		}
	})
	b.Run("nothing fits", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Style{}.Word(e, never)
		}
	})
	b.Run("bare", func(b *testing.B) {
		e := Envelope{Part: entire(string(make([]byte, 16384)))}
		b.ReportAllocs()
		b.SetBytes(16384)
		for b.Loop() {
			Style{}.Word(e, nil)
		}
	})
}

func BenchmarkReserve(b *testing.B) {
	e := ordinary()
	b.ReportAllocs()
	for b.Loop() {
		Style{}.Reserve(e, 1<<40)
	}
}

func BenchmarkText(b *testing.B) {
	e := Style{}.Word(ordinary(), nil)
	b.ReportAllocs()
	for b.Loop() {
		_ = e.Text()
	}
}
