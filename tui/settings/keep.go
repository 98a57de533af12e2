package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"assay/data/disk"
	"assay/data/tomlfile"
)

// Keep writes one setting of the top level to the file at path: a text, true or false.
// Its line is changed, or added where there is none; everything else stays as it is,
// comments, too. A file with something wrong in it is left alone.
func Keep(path, name string, value any) error {
	text, err := disk.ReadFile(path, disk.Settings)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s = %v is not kept: %w", name, value, err)
	}
	edited, err := edit(path, string(text), name, value)
	if err == nil {
		err = disk.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = disk.Replace(path, 0o600, disk.Bytes(edited))
	}
	if err != nil {
		return fmt.Errorf("%s = %v is not kept: %w", name, value, err)
	}
	return nil
}

// edit returns the text of a settings file with one of its settings changed.
func edit(path, text, name string, value any) (string, error) {
	want, err := Parse(path, text)
	if err != nil {
		return "", err
	}
	if err := want.set([]string{name}, value); err != nil {
		return "", err
	}
	literal := fmt.Sprint(value)
	if t, is := value.(string); is {
		literal = strconv.Quote(t)
	}
	lines := strings.Split(text, "\n")
	last, first := -1, len(lines) // the last setting of the top level, and the first table
	done := false
	for i, line := range lines {
		if _, opens := header(line); opens {
			first = i
			break
		}
		key, from, ok := assignment(line)
		if !ok {
			continue
		}
		last = i
		if slices.Equal(key, []string{name}) {
			lines[i], done = line[:from]+" "+literal+remark(line[from:]), true
		}
	}
	if !done {
		lines = added(lines, name+" = "+literal, last, first)
	}
	edited := strings.Join(lines, "\n")
	got, err := Parse(path, edited)
	if err != nil || !reflect.DeepEqual(got, want) {
		return "", fmt.Errorf("%s is written in a way that assay cannot change: change it by hand", path)
	}
	return edited, nil
}

// remark returns what stands behind a value: a comment, and the end of the line.
func remark(value string) string {
	for i, r := range value {
		if r == '#' {
			if _, ok := lastKey("x =" + value[:i]); ok {
				return value[len(strings.TrimRight(value[:i], " \t")):]
			}
		}
	}
	return value[len(strings.TrimRight(value, " \t\r")):]
}

// added puts a line behind the last setting of the top level. Where there is none it
// stands before the first table and its comment, or at the end.
func added(lines []string, line string, last, first int) []string {
	at, put := last+1, []string{line}
	if last >= 0 {
		if strings.HasSuffix(lines[last], "\r") {
			put[0] += "\r"
		}
		if at == len(lines) {
			put = append(put, "") // the file ended without a line break
		}
		return slices.Insert(lines, at, put...)
	}
	if first == len(lines) {
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		return append(lines, line, "")
	}
	for at = first; at > 0 && strings.HasPrefix(strings.TrimSpace(lines[at-1]), "#"); at-- {
	}
	return slices.Insert(lines, at, line, "")
}

// header returns the key of a line that opens a table.
func header(line string) ([]string, bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "[") {
		return nil, false
	}
	return lastKey(line)
}

// assignment returns the key of a line that sets one, and where in the line its value begins.
func assignment(line string) (key []string, value int, ok bool) {
	for i, r := range line {
		if r != '=' {
			continue
		}
		if key, ok := lastKey(line[:i] + "= 0"); ok {
			return key, i + 1, true
		}
	}
	return nil, 0, false
}

// lastKey returns the key that a line of TOML by itself sets or opens.
func lastKey(line string) ([]string, bool) {
	var values map[string]any
	if file, err := tomlfile.Decode("", line, &values, ""); err == nil && len(file.Keys()) > 0 {
		return file.Keys()[len(file.Keys())-1], true
	}
	return nil, false
}
