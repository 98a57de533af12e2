package measure

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/scoring/quality"
	"assay/scoring/syntax"
)

// sourceFile is a file to measure.
type sourceFile struct{ path, language string }

// sourceFiles finds the files to measure, sorted by path. It prints on out what it skips in a directory.
func sourceFiles(out io.Writer, o *measureOptions) ([]sourceFile, error) {
	info, err := os.Stat(o.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file or directory %s", o.path)
	case err != nil:
		return nil, fmt.Errorf("measuring %s: %w", o.path, err)
	case info.IsDir():
		if o.reference != "" {
			return nil, console.Usagef("--reference compares one file; %s is a directory", o.path)
		}
		return filesBelow(out, o)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file and cannot be measured", o.path)
	}
	language := o.language
	if language == "" {
		language = quality.LanguageOf(o.path)
	}
	if language == "" {
		return nil, console.Usagef("no language can be inferred from the name %s; give --language, one of %s", o.path, strings.Join(quality.Supported(), ", "))
	}
	return []sourceFile{{o.path, language}}, nil
}

func filesBelow(out io.Writer, o *measureOptions) ([]sourceFile, error) {
	var files []sourceFile
	unknown := map[string]bool{}
	skipped := 0
	err := filepath.WalkDir(o.path, func(path string, d fs.DirEntry, err error) error {
		hidden := path != o.path && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil && path == o.path:
			return err
		case err != nil:
			fmt.Fprintf(out, "warning: %v is left out\n", err)
			return fs.SkipDir
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden || !d.Type().IsRegular():
			return nil
		}
		language := quality.LanguageOf(path)
		switch {
		case language != "" && o.language != "" && language != o.language:
		case language != "":
			files = append(files, sourceFile{path, language})
		case !binary(path):
			skipped++
			unknown[shortName(filepath.Ext(path))] = true
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("measuring %s: %w", o.path, err)
	}
	if skipped > 0 {
		fmt.Fprintf(out, "%s left out, whose names imply no language (%s)\n", console.Counted(skipped, "file is", "files are"), extensions(unknown))
	}
	if len(files) == 0 {
		noun := "source file"
		if o.language != "" {
			noun = o.language + " file"
		}
		return nil, fmt.Errorf("there is no %s in %s", noun, o.path)
	}
	slices.SortFunc(files, func(a, b sourceFile) int { return strings.Compare(a.path, b.path) })
	return files, nil
}

// extensions lists at most eight extensions.
func extensions(seen map[string]bool) string {
	var list []string
	for extension := range seen {
		extension = cmp.Or(extension, "no extension")
		list = append(list, extension)
	}
	slices.Sort(list)
	if len(list) > 8 {
		list = append(list[:8], "…")
	}
	return strings.Join(list, ", ")
}

// binary reports whether a file is not text, from its first bytes. An unreadable file counts as text:
// reading it later reports the error.
func binary(path string) bool {
	f, err := disk.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 8000)
	n, _ := io.ReadFull(f, head)
	return bytes.IndexByte(head[:n], 0) >= 0
}

// readSource reads a text that can be measured.
func readSource(path string) ([]byte, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading source: %w", err)
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, syntax.MaxSize+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", path, err)
	case len(source) > syntax.MaxSize:
		return nil, fmt.Errorf("%s is larger than %d MB, the limit", path, syntax.MaxSize>>20)
	case bytes.IndexByte(source, 0) >= 0:
		return nil, fmt.Errorf("%s is binary, not source text", path)
	case !utf8.Valid(source):
		return nil, fmt.Errorf("%s is not UTF-8: convert it, for example with iconv -t UTF-8", path)
	}
	return source, nil
}
