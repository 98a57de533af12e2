package disk

import (
	"os"
	"path/filepath"
	"strings"
)

// Expand replaces ~ at the start of a path by the home directory, as shells do.
func Expand(path string) string {
	if home, err := os.UserHomeDir(); err == nil && (path == "~" || strings.HasPrefix(path, "~"+string(filepath.Separator))) {
		return filepath.Join(home, path[1:])
	}
	return path
}
