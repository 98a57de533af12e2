package judge

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/scoring/syntax"
)

// ownTexts returns the program texts of a task itself: its prompt, its reference solution and its tests.
func ownTexts(task *benchmark.Task) []string {
	t := task.Tests
	texts := slices.Concat([]string{t.Setup, task.Prompt, task.Reference, t.Check, t.Unittest, t.Script}, t.Asserts)
	if task.Language == "python" { // as checkers are in every language
		texts = append(texts, t.Checker)
	}
	return texts
}

// importsOf returns the modules that a task's own Python imports. Lines within a string that look
// like imports count as imports.
func importsOf(task *benchmark.Task) map[string]bool {
	found := map[string]bool{}
	if task.Language != "python" {
		return found
	}
	for _, text := range ownTexts(task) {
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

// missingPackages returns an error that names what a task's own texts import and this machine does not have, or nil.
// An import of the sample alone is the sample's business.
func (j *Judge) missingPackages(task *benchmark.Task, lib *library) error {
	if task.Language != "python" {
		return j.missingModules(task)
	}
	if !j.absentAny(importsOf(task), lib) {
		return nil
	}
	texts := ownTexts(task)
	offered := optionalNames(texts)
	missing := map[string]bool{}
	for _, text := range texts {
		for _, name := range append(requiredModules(text), usedOf(offered, text)...) {
			missing[name] = missing[name] || j.absent(name, lib)
		}
	}
	return j.notInstalled("the task itself imports", missing)
}

// missingForAnswer returns an error that names the packages that an answer in Python imports, the task's own texts
// import where they are installed, and this machine does not have; or nil. The benchmark's own harness has them, so
// that their absence is not the answer's fault.
func (j *Judge) missingForAnswer(task *benchmark.Task, code string, lib *library) error {
	if !j.absentAny(importsOf(task), lib) {
		return nil
	}
	offered := optionalNames(ownTexts(task))
	modules := slices.Collect(maps.Values(offered))
	missing := map[string]bool{}
	for _, name := range append(requiredModules(code), usedOf(offered, code)...) {
		missing[name] = slices.Contains(modules, name) && j.absent(name, lib)
	}
	return j.notInstalled("the answer uses, as the benchmark lets it,", missing)
}

// absent reports whether neither Python nor the library has a module. Tests import the program as solution.
func (j *Judge) absent(name string, lib *library) bool {
	_, comes := slices.BinarySearch(j.python.Modules, name)
	return len(j.python.Modules) > 0 && !comes && name != "" && name != "solution" && !lib.has(name)
}

func (j *Judge) absentAny(names map[string]bool, lib *library) bool {
	for name := range names {
		if j.absent(name, lib) {
			return true
		}
	}
	return false
}

// notInstalled returns the error for the packages that are missing, or nil.
func (j *Judge) notInstalled(who string, missing map[string]bool) error {
	maps.DeleteFunc(missing, func(_ string, missing bool) bool { return !missing })
	if len(missing) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(missing))
	for _, dir := range j.python.Sites {
		if installed := (&library{dir: dir}); !slices.ContainsFunc(names, func(name string) bool { return !installed.has(name) }) {
			return fmt.Errorf("%s %s, which does not come with Python but is in %s: declare that (\"library\" in the task, or --library python=%[3]s)",
				who, strings.Join(names, ", "), dir)
		}
	}
	return fmt.Errorf("%s %s, which does not come with Python: install it into a directory (pip install --target DIR), "+
		"and declare that (\"library\" in the task, or --library python=DIR)", who, strings.Join(names, ", "))
}

// guarded are the statements in which an import need not succeed.
func guarded(kind string) bool { return kind == "try_statement" || kind == "if_statement" }

func importing(kind string) bool {
	return kind == "import_statement" || kind == "import_from_statement"
}

// imported returns the module that an import statement imports, by each name that it gives: those of modules, of
// their parts, or others ("import numpy as np").
func imported(text string, n *syntax.Node) map[string]string {
	names, from := map[string]string{}, ""
	for _, part := range n.Children {
		name := part
		if part.Kind == "aliased_import" {
			name = part.Children[0]
		}
		top, _, _ := strings.Cut(text[name.Start:name.End], ".")
		switch {
		case name.Kind != "dotted_name":
		case part.Field == "module_name":
			from = top
		case part != name:
			names[text[part.Children[len(part.Children)-1].Start:part.End]] = cmp.Or(from, top)
		default:
			names[top] = cmp.Or(from, top)
		}
	}
	if len(names) == 0 && from != "" { // a star
		names["*"] = from
	}
	return names
}

// requiredModules returns the modules without which a text does not run: those that it imports
// unconditionally and outside try statements.
func requiredModules(text string) (modules []string) {
	walkPython(text, func(n *syntax.Node) bool {
		if importing(n.Kind) {
			modules = append(modules, slices.Sorted(maps.Values(imported(text, n)))...)
		}
		return !guarded(n.Kind)
	})
	return slices.Compact(modules)
}

// optionalNames returns the names that texts import where they can, and their modules.
func optionalNames(texts []string) map[string]string {
	names := map[string]string{}
	for _, text := range texts {
		walkPython(text, func(n *syntax.Node) bool {
			if guarded(n.Kind) {
				syntax.Walk(n, func(n *syntax.Node) bool {
					if importing(n.Kind) {
						maps.Copy(names, imported(text, n))
					}
					return true
				})
			}
			return !guarded(n.Kind)
		})
	}
	return names
}

// usedOf returns the modules whose names a text uses as if they had been imported: it gives them no value itself.
func usedOf(offered map[string]string, text string) (modules []string) {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(offered)), func(name string) bool { return strings.Contains(text, name) }) {
		return nil
	}
	used, bound := map[string]bool{}, map[string]bool{}
	walkPython(text, func(n *syntax.Node) bool {
		name := text[n.Start:n.End]
		switch {
		case importing(n.Kind):
			return false
		case n.Kind != "identifier" || offered[name] == "" || n.Field == "attribute" || n.Parent.Kind == "keyword_argument" && n.Field == "name":
		case n.Field == "left" || n.Field == "alias" || n.Field == "name" || strings.HasSuffix(n.Parent.Kind, "parameters") || strings.HasSuffix(n.Parent.Kind, "parameter") && n.Field != "type" && n.Field != "value" || strings.HasPrefix(n.Parent.Kind, "pattern_"):
			bound[name] = true
		default:
			used[name] = true
		}
		return true
	})
	for name := range used {
		if !bound[name] {
			modules = append(modules, offered[name])
		}
	}
	return modules
}

func walkPython(text string, enter func(*syntax.Node) bool) {
	if tree, err := syntax.Parse("python", []byte(text)); err == nil {
		syntax.Walk(tree.Root, enter)
	}
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
