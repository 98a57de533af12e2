package console

import (
	"os"
)

// Exists reports whether a file or folder exists.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
