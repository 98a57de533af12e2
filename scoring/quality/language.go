package quality

import (
	"path"
	"strings"
)

// LanguageOf returns the language of a file by its name, "" if it is not one that can be measured.
func LanguageOf(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi", ".pyw":
		return "python"
	case ".js", ".mjs", ".cjs", ".jsx":
		return "javascript"
	case ".r":
		return "r"
	case ".go":
		return "go"
	case ".java":
		return "java"
	case ".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx":
		return "cpp"
	case ".c", ".h":
		return "c"
	case ".sh", ".bash":
		return "bash"
	}
	return ""
}
