package searchview

import "regexp/syntax"

// endings lets a line end with CR LF as well: before each $ of re it puts an optional
// carriage return, which then is a part of the match. It reports whether there was one.
func endings(re *syntax.Regexp) (found bool) {
	if re.Op == syntax.OpEndLine || re.Op == syntax.OpEndText && re.Flags&syntax.WasDollar != 0 {
		end := *re
		*re = syntax.Regexp{Op: syntax.OpConcat, Flags: end.Flags, Sub: []*syntax.Regexp{optionalCR(), &end}}
		return true
	}
	for _, sub := range re.Sub {
		found = endings(sub) || found
	}
	return found
}

func optionalCR() *syntax.Regexp {
	cr := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{'\r'}}
	return &syntax.Regexp{Op: syntax.OpQuest, Sub: []*syntax.Regexp{cr}}
}
