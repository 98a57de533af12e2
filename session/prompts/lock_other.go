//go:build !unix

package prompts

import "os"

// lock does nothing where files are not locked as on Unix.
func lock(*os.File) error { return nil }
