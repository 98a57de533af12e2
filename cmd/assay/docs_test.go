package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/data/fatal"
)

// Links and paths in the project's documents exist, since packages and files move while the text stays.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	named := regexp.MustCompile("`((?:benchmark|cmd|data|scoring|session|store|tui)/[A-Za-z0-9_./-]+)`|\\]\\(([^)#: ]+)(?:#[^)]*)?\\)")
	code := regexp.MustCompile("(?ms)^ *```.*?^ *```")
	err := filepath.WalkDir(root(t), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root(t), path)
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && rel != "." || entry.Name() == "testdata" || entry.Name() == "answers" || rel == "data/repositories") {
			return fs.SkipDir // in the last, texts are about the bundled repositories
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range named.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			target := filepath.Join(root(t), filepath.FromSlash(match[1]))
			if match[2] != "" {
				target = filepath.Join(filepath.Dir(path), filepath.FromSlash(match[2]))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s names %s%s, which is not there", rel, match[1], match[2])
			}
		}
		return nil
	})
	fatal.If(t, err)
}
