//go:build !unix

package filelock

import "os"

// Take does nothing on systems without Unix file locks.
func Take(*os.File) error { return nil }

// Share does nothing there, either.
func Share(*os.File) error { return nil }
