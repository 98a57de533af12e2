//go:build !unix

package filelock

import "os"

// Take does nothing where files are not locked as on Unix.
func Take(*os.File) error { return nil }
