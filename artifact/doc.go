// Package artifact keeps the whole bytes of a tool result once, so that paging
// and searching read the same bytes.
package artifact
