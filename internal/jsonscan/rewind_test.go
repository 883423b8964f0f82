package jsonscan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rewound reads p like one who skips the container that is the nth to begin and at
// offset at asks for its events after all.
func rewound(p []byte, nth, at, piece int) (l *log, err error, did bool) {
	inner, depth, lone := -1, 0, int64(0)
	l = &log{}
	l.s = New(l, 0)
	l.skip = func(k Kind, begin int64) int {
		if k != Object && k != Array {
			return 0
		}
		if nth--; nth != 0 {
			return 0
		}
		inner, depth, lone = int(begin)+1, l.s.Depth()+1, l.s.Lone()
		return 1
	}
	for i := 0; i < len(p); {
		j := min(len(p), i+piece)
		if i < at {
			j = min(j, at)
		}
		if _, err := l.s.Write(p[i:j]); err != nil {
			return l, err, did
		}
		if i = j; i == at && inner >= 0 && !l.s.Loud() {
			l.s.Rewind(p[inner:at], depth, lone)
			i, did = inner, true
			at = -1
		}
	}
	return l, l.s.Close(), did
}

// Events that are asked for late are those that would have been told, the verdict is
// the same, and so is where a fault is.
func TestRewindTellsWhatWasPassedOver(t *testing.T) {
	docs := []string{
		`{"a":[1,"é\ud83d\ude00\ud83d",{"b":null,"c":[[],{}]},-1.5e3],"d":true}`,
		"[\n[\n1 ,\n\"x\"\n],\n{\"y\" :\n\"\\ud800\"}\n, 3]",
		`[{"a":1,"b":[1,2,3,]}]`, "[[1,\n2}]", `{"a":{"b":"\ud83dx","c":`,
		strings.Repeat(`[{"a":`, 70) + `[1,2],"b":0` + strings.Repeat("}]", 70),
		`[` + strings.Repeat(`{"id":12,"name":"some name","tags":["a","b"]},`, 30) + `0]`,
	}
	for _, doc := range docs {
		p := []byte(doc)
		whole := &log{skip: never}
		whole.s = New(whole, 0)
		_, want := whole.s.Write(p)
		if want == nil {
			want = whole.s.Close()
		}
		times := 0
		for nth := 1; nth < 9; nth++ {
			for at := 1; at <= len(p); at += 1 + at/100 {
				got, err, did := rewound(p, nth, at, 1+at%40)
				if !did {
					continue
				}
				times++
				require.Equal(t, whole.b.String(), got.b.String(), "%s: %d, %d", doc, nth, at)
				require.Equal(t, want, err, "%s: %d, %d", doc, nth, at)
				require.Equal(t, whole.s.Lone(), got.s.Lone())
			}
		}
		require.Positive(t, times)
	}
}
