package coverage

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnsafe is what SafeToPrune and SafeToAdvance return, wrapped, when something
// that came before would be lost.
var ErrUnsafe = errors.New("coverage: not safe")

// ErrEmpty is the ErrUnsafe of SafeToPrune where nothing else speaks against it and
// there is no record: to delete what is not in the ledger would delete everything.
var ErrEmpty = fmt.Errorf("%w to delete: there are no records, so everything would go", ErrUnsafe)

// SafeToPrune returns nil when what is not in the ledger may be deleted: every
// record there is was accounted for. By identity that is enough; by count alone the
// source must have stayed at one version, or a record that was replaced by another
// would be deleted. Otherwise the error wraps ErrUnsafe and says why.
//
// A listing that came back empty looks like a source that is empty, so without any
// record the error is ErrEmpty. Who knows that the source is empty may go on:
//
//	if err := r.SafeToPrune(); err != nil && !(emptied && errors.Is(err, ErrEmpty)) {
//		return err
//	}
func (r Report) SafeToPrune() error {
	switch {
	case !r.InputComplete:
		return r.unsafe("delete", "the input is "+string(r.Acquisition.State))
	case r.Acquisition.Basis != BasisIdentity && r.Snapshot.Isolation != "version_checked":
		return r.unsafe("delete", "only the number of records was checked, and not that the source stayed the same; record Ledger.Snapshot")
	case r.Requested == Exactly(0):
		return fmt.Errorf("%w; see whether the source is empty or only its listing", ErrEmpty)
	}
	return nil
}

// SafeToAdvance returns nil when a watermark may move to the version that was read:
// nothing up to it was lost, by identity, by count or because a cursor over this
// version came to its end. Otherwise the error wraps ErrUnsafe and says why.
func (r Report) SafeToAdvance(watermark string) error {
	state := r.Acquisition.State
	switch {
	case state != StateComplete && state != StateExhausted:
		return r.unsafe("advance", "the input is "+string(state))
	case r.Snapshot.Isolation != "version_checked":
		return r.unsafe("advance", "the version of the source is not known at both ends; record Ledger.Snapshot")
	case label(watermark) != r.Snapshot.Start:
		return r.unsafe("advance", "the version that was read is "+quote(r.Snapshot.Start)+", not "+quote(watermark))
	}
	return nil
}

func (r Report) unsafe(to, why string) error {
	var codes []string
	for i, x := range r.Reasons {
		if i == 3 {
			codes = append(codes, "…")
			break
		}
		codes = append(codes, string(x.Code))
	}
	if len(codes) > 0 {
		why += " (" + strings.Join(codes, ", ") + ")"
	}
	return fmt.Errorf("%w to %s: %s", ErrUnsafe, to, why)
}
