package clip

import "io"

// bounded reads at most left bytes of r and knows whether there was more.
type bounded struct {
	r    io.Reader
	left int64
	more bool
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left > 0 {
		if int64(len(p)) > b.left {
			p = p[:b.left]
		}
		n, err := b.r.Read(p)
		b.left -= int64(n)
		return n, err
	}
	if b.more {
		return 0, io.EOF
	}
	var probe [1]byte
	for {
		n, err := b.r.Read(probe[:])
		if n > 0 {
			b.more = true
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
	}
}
