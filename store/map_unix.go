//go:build unix

package store

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// hardLinks returns how many names a file has.
func hardLinks(info os.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}

// withBytes calls fn with a mapped file, since checking its pages reads a little of many.
func withBytes(f *os.File, size int64, fn func(source) string) string {
	text, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return fn(source{ReaderAt: f})
	}
	defer unix.Munmap(text)
	return fn(source{f, text})
}
