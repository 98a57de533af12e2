package rules

import (
	"encoding/json"
	"os/exec"
	"slices"
	"testing"

	"assay/data/fatal"
)

// starImports prints, for each module that it is given, the names that a star import of it brings.
const starImports = `
import importlib, json, sys
if sys.version_info[:2] > (3, 14):
    sys.exit()
found = {}
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    found[name] = sorted(getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")])
print(json.dumps(found))
`

// The table has every name that the installed Python's modules export, and no module twice.
func TestExportsAreThoseOfPython(t *testing.T) {
	var modules []string
	for module, names := range allExports() {
		modules = append(modules, module)
		if !slices.IsSorted(names) || len(names) == 0 {
			t.Errorf("%s: the names are not sorted", module)
		}
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	out, err := exec.Command(python, append([]string{"-c", starImports}, modules...)...).Output()
	fatal.If(t, err)
	if len(out) == 0 {
		t.Skip("python3 is newer than the table")
	}
	var found map[string][]string
	fatal.If(t, json.Unmarshal(out, &found))
	for module, names := range found {
		known, _ := exports(module)
		for _, name := range names {
			if !slices.Contains(known, name) {
				t.Errorf("%s.%s is missing in exports.txt", module, name)
			}
		}
	}
}
