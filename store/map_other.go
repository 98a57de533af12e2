//go:build !unix

package store

import "os"

// hardLinks returns how many names a file has, as far as is known: one.
func hardLinks(os.FileInfo) int { return 1 }

// withBytes calls fn with a file to read from.
func withBytes(f *os.File, _ int64, fn func(source) string) string { return fn(source{ReaderAt: f}) }
