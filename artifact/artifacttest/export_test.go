package artifacttest

// CheckOne is Check of one promise.
func CheckOne(h Harness, name string) Outcome {
	for _, p := range promises {
		if p.name == name {
			return prove(h, p)
		}
	}
	panic("no promise " + name)
}
