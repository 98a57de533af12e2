// Package tomlfile reads TOML files that people write for assay, with errors that name line, key and
// remedy.
package tomlfile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// File is a decoded text.
type File struct {
	Path string
	meta toml.MetaData
	line map[string]int
}

// Decode decodes text into the value that into points to. Errors name path, line and key; help tells where
// to find the known keys.
func Decode(path, text string, into any, help string) (*File, error) {
	text = strings.TrimPrefix(text, "\ufeff") // of editors for Windows
	f := &File{Path: path, line: keyLines(text)}
	var err error
	if f.meta, err = toml.Decode(text, into); err != nil {
		return nil, decodeError(path, err)
	}
	if unknown := f.meta.Undecoded(); len(unknown) > 0 {
		return nil, f.Wrong(f.numbered(unknown[0].String()), "the key is not known: %s", help)
	}
	return f, nil
}

// numbered returns the first place of a key within arrays of tables, which the decoder names without their
// indexes.
func (f *File) numbered(key string) string {
	first := key
	for at, line := range f.line {
		var names []string
		for _, part := range strings.Split(at, ".") {
			if _, err := strconv.Atoi(part); err != nil {
				names = append(names, part)
			}
		}
		if strings.Join(names, ".") == key && (f.line[first] == 0 || line < f.line[first]) {
			first = at
		}
	}
	return first
}

// Has reports whether a key is set.
func (f *File) Has(key string) bool { return f.meta.IsDefined(strings.Split(key, ".")...) }

// Wrong returns the error for a key, written as in "session.k" or "arm.1.model".
func (f *File) Wrong(key, format string, args ...any) error {
	at := key
	for f.line[at] == 0 && strings.Contains(at, ".") {
		at = at[:strings.LastIndex(at, ".")] // the key is missing: use its table
	}
	return fmt.Errorf("%s:%d: %s: %s", f.Path, max(f.line[at], 1), key, fmt.Sprintf(format, args...))
}

// linePrefix matches a position in the decoder's errors if there is no better one.
var linePrefix = regexp.MustCompile(`^toml: line ([0-9]+) \(last key "([^"]*)"\): `)

func decodeError(path string, err error) error {
	var at toml.ParseError
	if errors.As(err, &at) {
		key := ""
		if at.LastKey != "" {
			key = at.LastKey + ": "
		}
		return fmt.Errorf("%s:%d: %s%s", path, max(at.Position.Line, 1), key, at.Message)
	}
	message, line := err.Error(), 1
	if m := linePrefix.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1]) // digits, by the pattern
		message = m[2] + ": " + message[len(m[0]):]
	}
	return fmt.Errorf("%s:%d: %s", path, line, strings.TrimPrefix(message, "toml: "))
}

// keyLines returns the lines, from 1, of the keys and tables in a text: "name", "session.k", and for arrays
// of tables "arm.0", "arm.0.model".
func keyLines(text string) map[string]int {
	lines, counts := map[string]int{}, map[string]int{}
	table, open := "", ""
	for i, line := range strings.Split(text, "\n") {
		if open != "" { // within a multi-line string
			if strings.Contains(line, open) {
				open = ""
			}
			continue
		}
		l := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(l, "[["):
			name := strings.TrimSpace(strings.Trim(strings.SplitN(l, "]]", 2)[0], "["))
			table = fmt.Sprintf("%s.%d", name, counts[name])
			counts[name]++
			lines[table] = i + 1
		case strings.HasPrefix(l, "["):
			table = strings.TrimSpace(strings.Trim(strings.SplitN(l, "]", 2)[0], "["))
			lines[table] = i + 1
		case l != "" && l[0] != '#':
			key, value, assigned := strings.Cut(l, "=")
			if !assigned {
				continue
			}
			key = strings.Trim(strings.TrimSpace(key), `"'`)
			if table != "" {
				key = table + "." + key
			}
			if lines[key] == 0 {
				lines[key] = i + 1
			}
			for _, quote := range []string{`"""`, "'''"} {
				if strings.Count(value, quote) == 1 {
					open = quote
				}
			}
		}
	}
	return lines
}
