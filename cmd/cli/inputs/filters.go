package inputs

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/tui/tasks"
)

// Filters is the file of named filters:
//
//	[scenario]
//	hard-plots = "difficulty:hard type:visualization"
type Filters struct{ path string }

// SavedFilters is scenarios.toml in assay's folder of the XDG configuration directory.
func SavedFilters() Filters {
	return Filters{filepath.Join(xdg.ConfigHome, "assay", "scenarios.toml")}
}

// savedHeader starts the file, which is always rewritten as a whole.
const savedHeader = "# Filters saved by name, for --saved-filter and the browser of tasks.\n# assay writes this file anew when it saves one; comments are not kept.\n\n"

// read reads the file. A missing file is like an empty one.
func (s Filters) read() (map[string]string, error) {
	text, err := disk.ReadFile(s.path, disk.Settings)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return map[string]string{}, nil
	case err != nil:
		return nil, fmt.Errorf("the saved filters cannot be read: %w", err)
	}
	var file map[string]any
	meta, err := toml.Decode(string(text), &file)
	var at toml.ParseError
	switch {
	case errors.As(err, &at):
		return nil, s.wrong(at.Position.Line, at.Message)
	case err != nil:
		return nil, s.wrong(1, err.Error())
	}
	saved := map[string]string{}
	table, isTable := file["scenario"].(map[string]any)
	for _, key := range meta.Keys() {
		line := lineOf(string(text), key)
		if key[0] != "scenario" || !isTable {
			return nil, s.wrong(line, fmt.Sprintf("the key %q is not known: the file has one table, [scenario], of lines such as name = \"difficulty:hard\"", key.String()))
		}
		if len(key) == 1 {
			continue
		}
		filter, isText := table[key[1]].(string)
		if !isText {
			return nil, s.wrong(line, fmt.Sprintf("filter %q is not a text; write a filter in quotes, such as \"difficulty:hard\"", key[1]))
		}
		if err := checkFilter(key[1], filter); err != nil {
			return nil, s.wrong(line, err.Error())
		}
		saved[key[1]] = filter
	}
	return saved, nil
}

func (s Filters) wrong(line int, message string) error {
	return fmt.Errorf("%s:%d: %s", s.path, max(line, 1), message)
}

// checkFilter checks a name and its filter.
func checkFilter(name, filter string) error {
	if name == "" || name != strings.TrimSpace(name) || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("%q is not a valid filter name: it is empty, has spaces around it or contains control characters", name)
	}
	if _, err := benchmark.ParseFilter(filter); err != nil {
		return fmt.Errorf("filter %q: %w", name, err)
	}
	return nil
}

// lineOf returns the line, from 1, that sets or opens a key.
func lineOf(text string, key toml.Key) int {
	name := key[len(key)-1]
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") && strings.Trim(line, "[] ") == key.String() {
			return i + 1
		}
		line = strings.TrimPrefix(line, "scenario.")
		for _, spelled := range [...]string{name, "'" + name + "'", strconv.Quote(name)} {
			if rest, ok := strings.CutPrefix(line, spelled); ok && strings.HasPrefix(strings.TrimSpace(rest), "=") {
				return i + 1
			}
		}
	}
	return 1
}

// SavedFilters lists the saved filters by name.
func (s Filters) SavedFilters() ([]tasks.SavedFilter, error) {
	saved, err := s.read()
	if err != nil {
		return nil, err
	}
	var list []tasks.SavedFilter
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		list = append(list, tasks.SavedFilter{Name: name, Filter: saved[name]})
	}
	return list, nil
}

// SaveFilter saves a filter under a name. It does not change an invalid file.
func (s Filters) SaveFilter(name, filter string) (string, error) {
	if err := checkFilter(name, filter); err != nil {
		return "", err
	}
	saved, err := s.read()
	if err != nil {
		return "", err
	}
	saved[name] = filter
	var text strings.Builder
	text.WriteString(savedHeader)
	enc := toml.NewEncoder(&text)
	enc.Indent = ""
	if err := enc.Encode(map[string]any{"scenario": saved}); err != nil {
		return "", fmt.Errorf("the filter cannot be saved: %w", err)
	}
	if err := s.write(text.String()); err != nil {
		return "", fmt.Errorf("the filter cannot be saved: %w", err)
	}
	return s.path, nil
}

// write replaces the file.
func (s Filters) write(text string) error {
	if err := disk.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	return disk.Replace(s.path, 0o600, disk.Bytes(text))
}

// SavedFilterFlag adds --saved-filter, and its old name --scenario.
func SavedFilterFlag(f *pflag.FlagSet, name *string) {
	f.StringVar(name, "saved-filter", "", "`name` of a saved filter (see 'assay tasks browse'); with --filter both must hold")
	f.StringVar(name, "scenario", "", "the old name of --saved-filter")
	if err := f.MarkHidden("scenario"); err != nil {
		panic(err) // the flag is one line above
	}
}

// With combines a filter with the saved filter of a name.
func (s Filters) With(name, filter string) (string, error) {
	if name == "" {
		return filter, nil
	}
	saved, err := s.read()
	if err != nil {
		return "", err
	}
	text, ok := saved[name]
	if !ok {
		return "", console.Usagef("--saved-filter: no filter is saved as %q in %s; there are %v", name, s.path, slices.Sorted(maps.Keys(saved)))
	}
	return strings.TrimSpace(text + " " + filter), nil
}
