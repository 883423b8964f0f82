package charset

// Runs is the number of runs that d keeps.
func Runs(d *Decoder) int { return len(d.runs) }
