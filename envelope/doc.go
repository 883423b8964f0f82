// Package envelope is what a tool author hands to the loop: what was shown of
// how much, why only this, and how to get the next part. It holds plain values
// only and does not import the store.
package envelope
