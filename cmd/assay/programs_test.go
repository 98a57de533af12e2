package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/data/fatal"
)

// starters are the ways around data/program. Only a process in a box replaces itself.
var starters = map[string][]string{
	"exec.Command": nil, "exec.CommandContext": nil, "exec.LookPath": nil, "exec.Cmd{}": nil, "os.StartProcess": nil,
	"syscall.Exec": nil, "syscall.ForkExec": nil, "syscall.StartProcess": nil, "unix.Exec": {"benchmark/sandbox/keeper_linux.go"},
}

// Every program is started through data/program, and SECURITY.md lists each place with its class.
func TestPrograms(t *testing.T) {
	started := map[string]bool{}
	for _, p := range house(t) {
		if within(p.ImportPath, "data/program", "data/disk/disktest", "session/report/reporttest") {
			continue // the last two are for tests
		}
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go")) // also those of other systems
		fatal.If(t, err)
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			fatal.If(t, err)
			name := p.ImportPath + "/" + filepath.Base(path)
			ast.Inspect(file, func(n ast.Node) bool {
				what := selected(n)
				if c, ok := n.(*ast.CompositeLit); ok {
					what = selected(c.Type) + "{}"
				}
				if allowed, known := starters[what]; known && !slices.Contains(allowed, name) {
					t.Errorf("%s uses %s: start programs through data/program", name, what)
				} else if known {
					started["| `"+name+"` | box |"] = true
				}
				call, ok := n.(*ast.CallExpr)
				switch {
				case ok && selected(call.Fun) == "program.Ask":
					started["| `"+name+"` | tool |"] = true
				case ok && selected(call.Fun) == "program.Command":
					_, class, _ := strings.Cut(selected(call.Args[1]), ".")
					started["| `"+name+"` | "+strings.ToLower(class)+" |"] = true
				}
				return true
			})
		}
	}
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `[^`]+\\.go` \\| (tool|box|own) \\|").FindAllString(string(fatal.Read(t, filepath.Join(root(t), "SECURITY.md"))), -1) {
		listed[row] = true
	}
	for _, row := range slices.Sorted(maps.Keys(started)) {
		if !listed[row] {
			t.Errorf("SECURITY.md does not list %s", row)
		}
		delete(listed, row)
	}
	for row := range listed {
		t.Errorf("SECURITY.md lists %s, which starts nothing", row)
	}
}

// selected returns x.y of a selector, otherwise "".
func selected(n ast.Node) string {
	if s, ok := n.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return x.Name + "." + s.Sel.Name
		}
	}
	return ""
}
