//go:build !unix

package store

import "os"

// withBytes calls fn with a file to read from.
func withBytes(f *os.File, _ int64, fn func(source) string) string { return fn(source{ReaderAt: f}) }
