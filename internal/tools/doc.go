// Package tools pins the programs that check the project. They run as
// "go tool -modfile=internal/tools/go.mod NAME", so that the library's own go.mod
// stays free of them.
package tools
