package console

import (
	"os"
)

// Exists reports whether there is a file or folder of that name.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
