package clip

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"reflect"
)

// openSeq makes a source of an iter.Seq[T] or an iter.Seq2[T, error]: one value a
// line (JSON Lines). An error in the sequence ends it.
//
// The type parameter is not known here, so that items pass through reflection,
// one call an item; encoding the item costs more.
func openSeq(ctx context.Context, v any) (source, bool) {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Func {
		return source{}, false
	}
	var seq iter.Seq2[any, error]
	switch {
	case rv.Type().CanSeq():
		seq = func(yield func(any, error) bool) {
			for x := range rv.Seq() {
				if !yield(x.Interface(), nil) {
					return
				}
			}
		}
	case rv.Type().CanSeq2() && rv.Type().In(0).In(1) == reflect.TypeFor[error]():
		seq = func(yield func(any, error) bool) {
			for x, err := range rv.Seq2() {
				e, _ := err.Interface().(error)
				if !yield(x.Interface(), e) {
					return
				}
			}
		}
	default:
		return source{}, false
	}
	if rv.IsNil() {
		return held(bytes.NewReader(nil), linesType, false), true
	}
	r := &seqReader{ctx: ctx}
	r.next, r.stop = iter.Pull2(seq)
	return source{r: r, end: r.Close, mediaType: linesType, present: true}, true
}

const linesType = "application/jsonl"

// seqReader reads a sequence as JSON Lines. A sequence can't be stopped while it
// makes an item, so that only the goroutine that reads it ends it; between items
// it heeds the context.
type seqReader struct {
	ctx  context.Context
	next func() (any, error, bool)
	stop func()
	buf  bytes.Buffer
	err  error
}

func (r *seqReader) Read(p []byte) (int, error) {
	for r.buf.Len() < len(p) && r.err == nil {
		r.fill()
	}
	if r.buf.Len() > 0 {
		return r.buf.Read(p)
	}
	return 0, r.err
}

// fill takes one item. A panic in the sequence loses none that came before it.
func (r *seqReader) fill() {
	if r.err = r.ctx.Err(); r.err != nil {
		return
	}
	defer recovered(&r.err)
	v, err, ok := r.next()
	switch {
	case !ok:
		r.err = io.EOF
	case err != nil:
		r.err = err
	default:
		n := r.buf.Len()
		if err := encodeTo(&r.buf, v); err != nil {
			r.buf.Truncate(n)
			r.err = err
		}
	}
}

// Close ends the sequence; its loop body sees yield return false.
func (r *seqReader) Close() error {
	if r.err == nil {
		r.err = errors.New("clip: the sequence was closed")
	}
	r.stop()
	return nil
}
