package author

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/benchmark"
	"assay/data/disk"
)

// Free returns why a task with the id cannot be added to a benchmark folder, or nil. The folder need not
// exist.
func Free(folder, id string) error {
	if id != benchmark.FolderID(id) || strings.ContainsAny(id, "/\\\x00") || id == "" || id[0] == '.' {
		return fmt.Errorf("the id %q cannot be the name of a task's folder: it must not contain a slash, or begin with a dot or with a number and a hyphen", id)
	}
	if _, err := os.Lstat(filepath.Join(folder, id)); err == nil {
		return fmt.Errorf("%s already has something called %q", folder, id)
	}
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file, not a folder", folder)
	}
	if _, err := os.Stat(filepath.Join(folder, benchmark.FolderFile)); errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) > 0 {
			return errors.Join(fmt.Errorf("%s has files but no %s: it is not a benchmark's folder", folder, benchmark.FolderFile), err)
		}
		return nil
	}
	b, err := benchmark.Load(folder)
	if err != nil && !strings.Contains(err.Error(), "holds no tasks") {
		return err
	}
	if err == nil {
		if _, err := b.Task(id); err == nil {
			return fmt.Errorf("%s already has a task %q", folder, id)
		}
	}
	return nil
}

// Write adds a task to a benchmark folder, in the layout of [benchmark.LoadFolder], and returns the folder
// of the task. It creates a missing benchmark folder.
func Write(folder string, task *benchmark.Task) (string, error) {
	if err := Free(folder, task.ID); err != nil {
		return "", err
	}
	place := filepath.Join(folder, task.ID)
	if err := os.MkdirAll(place, 0o755); err != nil {
		return "", fmt.Errorf("the folder of the task cannot be created: %w", err)
	}
	rest := *task
	rest.ID, rest.Reference = "", ""
	files := map[string]string{}
	if task.Repository == nil {
		files[filepath.Join(place, benchmark.ReferenceFile(task.Language))] = task.Reference
	} else {
		repository := *task.Repository
		repository.TestPatch = ""
		rest.Repository = &repository
		files[filepath.Join(place, benchmark.ReferencePatch)], files[filepath.Join(place, benchmark.TestPatch)] = task.Reference, task.Repository.TestPatch
	}
	if strings.Contains(task.Description, "\n") {
		files[filepath.Join(place, "description.md")] = task.Description + "\n"
		rest.Description = ""
	}
	text, err := taskJSON(&rest)
	if err != nil {
		return "", err
	}
	files[filepath.Join(place, benchmark.TaskFile)] = text
	head := filepath.Join(folder, benchmark.FolderFile)
	if _, err := os.Stat(head); errors.Is(err, fs.ErrNotExist) {
		absolute, err := filepath.Abs(folder)
		if err != nil {
			return "", err
		}
		name, err := json.Marshal(filepath.Base(absolute))
		if err != nil {
			return "", err
		}
		files[head] = fmt.Sprintf("{\n  \"assay_benchmark\": %d,\n  \"name\": %s\n}\n", benchmark.FormatVersion, name)
	}
	for name, text := range files {
		if err := disk.Create(name, 0o644, disk.Bytes(text)); err != nil {
			return "", fmt.Errorf("the task cannot be written: %w", err)
		}
	}
	return place, nil
}

// taskJSON formats a task for editing: without empty fields, and with short values on one line.
func taskJSON(task *benchmark.Task) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(task); err != nil {
		return "", err
	}
	dec := json.NewDecoder(&b)
	var out strings.Builder
	out.WriteString("{")
	if _, err := dec.Token(); err != nil {
		return "", err
	}
	for first := true; dec.More(); {
		key, err := dec.Token()
		if err != nil {
			return "", err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return "", err
		}
		if string(value) == `""` {
			continue // id and description are stored elsewhere
		}
		if !first {
			out.WriteString(",")
		}
		first = false
		fmt.Fprintf(&out, "\n  %q: %s", key, laidOut(value, 1))
	}
	out.WriteString("\n}\n")
	return out.String(), nil
}

// laidOut breaks lists and objects that are too long for a line.
func laidOut(value json.RawMessage, depth int) string {
	const width = 120
	short := spaced(value)
	if len(short)+2*depth <= width || value[0] != '[' && value[0] != '{' {
		return short
	}
	dec := json.NewDecoder(bytes.NewReader(value))
	if _, err := dec.Token(); err != nil {
		return short
	}
	indent := "\n" + strings.Repeat("  ", depth+1)
	var parts []string
	for dec.More() {
		part := indent
		if value[0] == '{' {
			key, err := dec.Token()
			if err != nil {
				return short
			}
			part += fmt.Sprintf("%q: ", key)
		}
		var element json.RawMessage
		if err := dec.Decode(&element); err != nil {
			return short
		}
		parts = append(parts, part+laidOut(element, depth+1))
	}
	return string(value[0]) + strings.Join(parts, ",") + "\n" + strings.Repeat("  ", depth) + string(value[len(value)-1])
}

// spaced formats a value on one line, with a space after commas and colons.
func spaced(value json.RawMessage) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(value); i++ {
		c := value[i]
		b.WriteByte(c)
		switch {
		case quoted && c == '\\':
			i++
			b.WriteByte(value[i])
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':'):
			b.WriteByte(' ')
		}
	}
	return b.String()
}
