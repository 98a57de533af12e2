package judge

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/scoring/syntax"
)

// ownPython returns the task's texts in Python: its prompt, its reference solution and its tests.
func ownPython(task *benchmark.Task) []string {
	if task.Language != "python" {
		return nil
	}
	t := task.Tests
	return slices.Concat([]string{task.Prompt, task.Reference, t.Check, t.Setup, t.Unittest, t.Script, t.Checker}, t.Asserts)
}

// importsOf returns the modules that a task's own Python imports. Lines within a string that look
// like imports count as imports.
func importsOf(task *benchmark.Task) map[string]bool {
	found := map[string]bool{}
	for _, text := range ownPython(task) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			names, imports := strings.CutPrefix(line, "import ")
			if !imports {
				if names, imports = strings.CutPrefix(line, "from "); !imports {
					continue
				}
				names, _, _ = strings.Cut(names, " ")
			}
			for name := range strings.SplitSeq(names, ",") {
				if words := strings.Fields(name); len(words) > 0 {
					top, _, _ := strings.Cut(words[0], ".")
					found[top] = true
				}
			}
		}
	}
	return found
}

// missingPackages returns an error that names the packages a task's own Python needs and this
// machine does not have, or nil. An import of the sample alone is the sample's business.
func (j *Judge) missingPackages(task *benchmark.Task, lib *library) error {
	if len(j.python.Modules) == 0 {
		return nil
	}
	absent := func(name string) bool {
		_, comes := slices.BinarySearch(j.python.Modules, name)
		return !comes && name != "" && name != "solution" && !lib.has(name) // tests import the program as solution
	}
	names := importsOf(task)
	maps.DeleteFunc(names, func(name string, _ bool) bool { return !absent(name) })
	if len(names) == 0 {
		return nil
	}
	missing := map[string]bool{}
	for _, text := range ownPython(task) {
		for _, name := range requiredModules(text) {
			if absent(name) {
				missing[name] = true
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("the task itself imports %s, which does not come with Python: install it into a directory (pip install --target DIR), "+
		"and declare that (\"library\" in the task, or --library python=DIR)",
		strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
}

// requiredModules returns the modules without which a text does not run: those that it imports
// unconditionally and outside try statements.
func requiredModules(text string) (names []string) {
	tree, err := syntax.Parse("python", []byte(text))
	if err != nil {
		return nil
	}
	syntax.Walk(tree.Root, func(n *syntax.Node) bool {
		switch n.Kind {
		case "try_statement", "if_statement":
			return false
		case "import_statement", "import_from_statement":
			for _, part := range n.Children {
				if part.Kind == "aliased_import" {
					part = part.Children[0]
				}
				if part.Kind == "dotted_name" && (n.Kind == "import_statement" || part.Field == "module_name") {
					top, _, _ := strings.Cut(text[part.Start:part.End], ".")
					names = append(names, top)
				}
			}
		}
		return true
	})
	return names
}

// has reports whether a package is in the library, which may be nil.
func (l *library) has(name string) bool {
	if l == nil {
		return false
	}
	for _, form := range []string{name, name + ".py", name + ".*.so", name + ".so"} {
		if found, _ := filepath.Glob(filepath.Join(l.dir, l.packages, form)); len(found) > 0 {
			return true
		}
	}
	return false
}
