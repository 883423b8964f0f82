// Package house has no code. Its tests check the project as a whole: which
// package may import which, what stands at the top, and that the README's
// guarantees name tests that exist.
package house
