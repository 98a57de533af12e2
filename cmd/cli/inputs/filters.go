package inputs

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/data/tomlfile"
	"assay/tui/tasks"
)

// Filters is the file of named filters:
//
//	[scenario]
//	hard-plots = "difficulty:hard type:visualization"
type Filters struct{ path string }

// SavedFilters is scenarios.toml in assay's folder of the XDG configuration directory.
func SavedFilters() Filters { return Filters{filepath.Join(xdg.ConfigHome, "assay", "scenarios.toml")} }

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
	var file struct {
		Scenario map[string]string `toml:"scenario"`
	}
	decoded, err := tomlfile.Decode(s.path, string(text), &file, "the file has one table, [scenario], of lines such as name = \"difficulty:hard\"")
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(file.Scenario)) {
		if err := checkFilter(name, file.Scenario[name]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", s.path, decoded.Line("scenario."+name), err)
		}
	}
	return file.Scenario, nil
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
	if saved == nil {
		saved = map[string]string{}
	}
	saved[name] = filter
	var text strings.Builder
	text.WriteString(savedHeader)
	if err := toml.NewEncoder(&text).Encode(map[string]any{"scenario": saved}); err != nil {
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
	switch names := slices.Sorted(maps.Keys(saved)); {
	case ok:
	case len(names) == 0:
		return "", console.Usagef("--saved-filter: no filter is saved in %s; 'assay tasks browse' saves them", s.path)
	default:
		return "", console.Usagef("--saved-filter: no filter is saved as %q in %s; there are %s", name, s.path, strings.Join(names, ", "))
	}
	return strings.TrimSpace(text + " " + filter), nil
}
