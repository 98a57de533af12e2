//go:build !linux

package store

// childFills runs on Linux only: see full_test.go.
func childFills(string) {}
