package repository

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/data/program"
)

// toolchain is what the tests of a repository run with, as boxes see it.
type toolchain struct {
	name     string            // with its version, for the record
	exact    bool              // the version is the wanted one
	programs map[string]string // names under which tests call programs, and their paths
	scripts  map[string]string // names that are small shell scripts
	binds    []string          // directories outside /usr
	env      []string
}

// toolchains finds and remembers them.
type toolchains struct {
	mu    sync.Mutex
	found map[[2]string]toolchain
}

// find returns the toolchain that an environment names. The error says what is missing and how to get it.
func (t *toolchains) find(ctx context.Context, e benchmark.Environment) (toolchain, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := [2]string{e.Toolchain, e.Version}
	if found, known := t.found[key]; known {
		return found, nil
	}
	var found toolchain
	var err error
	switch e.Toolchain {
	case "python":
		found, err = findPython(ctx, e.Version)
	case "go":
		found, err = findGo(ctx, e.Version)
	case "node":
		found, err = findProgram(ctx, "node", e.Version, "npm", "npx")
		found.env = []string{"npm_config_offline=true", "npm_config_audit=false", "npm_config_fund=false"} // or npm tries for minutes
	case "cargo":
		found, err = findProgram(ctx, "cargo", e.Version, "rustc", "rustdoc")
		found.env = []string{"CARGO_NET_OFFLINE=true", "CARGO_HOME=/tmp/cargo"}
	case "", "c", "make":
		found = toolchain{name: "the system's programs", exact: true}
	default:
		found, err = findProgram(ctx, e.Toolchain, e.Version)
	}
	if err != nil {
		return found, err
	}
	for _, dir := range found.binds {
		if err := shelf.Reachable(dir); err != nil {
			return found, fmt.Errorf("boxes cannot see %s: %w", found.name, err)
		}
	}
	if t.found == nil {
		t.found = map[[2]string]toolchain{}
	}
	t.found[key] = found
	return found, nil
}

// versionOf returns the first version in what a program prints about itself.
func versionOf(ctx context.Context, path string, args ...string) string {
	said, err := program.Ask(ctx, path, args...)
	if err != nil {
		return ""
	}
	return version.FindString(string(said.All()))
}

var version = regexp.MustCompile(`\d+\.\d+(\.\d+)?`)

// candidate is an installed version of a program.
type candidate struct{ version, path string }

// nearest returns the installed version that is wanted, of which the leading parts are given, or else the
// one nearest to it. Whether a task holds with another version is for the check of its reference to say.
func nearest(all []candidate, wanted string) (best candidate, exact bool) {
	distance := func(c candidate) int {
		if wanted == "" || c.version == wanted || strings.HasPrefix(c.version, wanted+".") {
			return 0
		}
		minor := func(version string) int {
			var major, minor int
			fmt.Sscanf(version, "%d.%d", &major, &minor)
			return 1000*major + minor
		}
		return 1 + max(minor(c.version)-minor(wanted), minor(wanted)-minor(c.version))
	}
	for _, c := range all {
		if c.version != "" && (best.path == "" || distance(c) < distance(best)) {
			best = c
		}
	}
	return best, best.path != "" && distance(best) == 0
}

// called names a toolchain for the record.
func (c candidate) called(name, wanted string, exact bool) string {
	if exact {
		return name + " " + c.version
	}
	return fmt.Sprintf("%s %s, not %s", name, c.version, wanted)
}

// pythonPlaces are the directories in which interpreters of several versions lie side by side; the last two are where
// pyenv and uv put them, below the home directory.
var pythonPlaces = []string{"/usr/bin", "/usr/local/bin", "/opt/*/bin", "~/.pyenv/versions/*/bin", "~/.local/share/uv/python/*/bin"}

func findPython(ctx context.Context, wanted string) (toolchain, error) {
	home, _ := os.UserHomeDir() // without one the last places do not exist
	var paths []string          // of two interpreters of one version, the first is chosen
	for _, name := range []string{"python3", "pypy3"} {
		for _, place := range pythonPlaces {
			found, _ := filepath.Glob(filepath.Join(strings.Replace(place, "~", home, 1), name+"*"))
			paths = append(paths, slices.DeleteFunc(found, func(path string) bool { return shelf.Reachable(filepath.Dir(path)) != nil })...)
		}
	}
	if path, err := program.Find("python" + wanted); err == nil {
		paths = append(paths, path)
	}
	var all []candidate
	for _, path := range paths {
		if pythonName.MatchString(filepath.Base(path)) {
			all = append(all, candidate{versionOf(ctx, path, "-I", "-S", "--version"), path})
		}
	}
	best, exact := nearest(all, wanted)
	real, err := filepath.EvalSymlinks(best.path)
	if best.path == "" || err != nil {
		return toolchain{}, fmt.Errorf("the tests need Python %s, and there is none that boxes can see in %s or on the PATH: install it", wanted, strings.Join(pythonPlaces, ", "))
	}
	implementation := "CPython"
	if strings.HasPrefix(filepath.Base(real), "pypy") {
		implementation, wanted, exact = "PyPy", "CPython "+wanted, false
	}
	t := toolchain{name: best.called(implementation, wanted, exact), exact: exact,
		programs: map[string]string{"python": real, "python3": real},
		scripts:  map[string]string{"pytest": `exec python -m pytest "$@"`},
		// The repository's own packages, as after an editable installation, which sitecustomize.py puts on the path.
		env: []string{"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0", "PYTHONNOUSERSITE=1", "PYTHONPATH=" + startDir, pythonPath + sandbox.TreeDir + "/src:" + sandbox.TreeDir}}
	t.outside(filepath.Dir(filepath.Dir(real)))
	return t, nil
}

var pythonName = regexp.MustCompile(`^(python|pypy)3(\.\d+)?$`)

func findGo(ctx context.Context, wanted string) (toolchain, error) {
	roots, _ := filepath.Glob("/usr/local/go*")
	more, _ := filepath.Glob("/opt/go*")
	roots = append(roots, more...)
	if said, err := program.Ask(ctx, "go", "env", "GOROOT"); err == nil {
		roots = append(roots, strings.TrimSpace(string(said.Out)))
	}
	cache := modules(ctx)
	if cache != "" { // where go itself puts other versions
		downloaded, _ := filepath.Glob(filepath.Join(cache, "golang.org", "toolchain@*"))
		roots = append(roots, downloaded...)
	}
	var all []candidate
	for _, root := range roots {
		text, err := os.ReadFile(filepath.Join(root, "VERSION"))
		if info, missing := os.Stat(filepath.Join(root, "bin", "go")); err == nil && missing == nil && info.Mode()&0o100 != 0 {
			all = append(all, candidate{version.FindString(string(text)), root})
		}
	}
	best, exact := nearest(all, wanted)
	if best.path == "" {
		return toolchain{}, fmt.Errorf("the tests need Go %s, and there is none in /usr/local/go*, /opt/go* or on the PATH: install it", wanted)
	}
	t := toolchain{name: best.called("Go", wanted, exact), exact: exact,
		programs: map[string]string{"go": filepath.Join(best.path, "bin", "go"), "gofmt": filepath.Join(best.path, "bin", "gofmt")},
		env:      []string{"GOROOT=" + best.path, "GOTOOLCHAIN=local", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOCACHE=" + sandbox.TreeDir + "/.go-cache", "GOPATH=/tmp/go"}}
	t.outside(best.path)
	if strings.HasPrefix(best.version, "1.19") { // its index of packages fails where GOROOT is below GOMODCACHE
		t.env = append(t.env, "GODEBUG=goindex=0")
	}
	if cache != "" {
		t.outside(cache)
		t.env = append(t.env, "GOMODCACHE="+cache)
	}
	return t, nil
}

// modules returns the module cache that boxes may see: ASSAY_GOMODCACHE, or Go's own.
func modules(ctx context.Context) string {
	if dir := os.Getenv("ASSAY_GOMODCACHE"); dir != "" {
		return dir
	}
	said, err := program.Ask(ctx, "go", "env", "GOMODCACHE")
	dir := strings.TrimSpace(string(said.Out))
	if err != nil || dir == "" || shelf.Reachable(dir) != nil {
		return ""
	}
	return dir
}

// lookUp returns the first program of a name on the PATH that boxes can see, or else the first.
func lookUp(name string) (string, error) {
	all, err := program.All(name)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(all, func(path string) bool { return shelf.Reachable(filepath.Dir(path)) == nil }); i > 0 {
		return all[i], nil
	}
	return all[0], nil
}

// sayVersion are the programs that are asked for their version. Of another, which a stranger's file names and which may
// be the user's own script, nobody knows what it does when it is started.
var sayVersion = strings.Fields("node deno bun cargo ruby php perl lua java javac mvn gradle dotnet R Rscript julia ghc cabal stack elixir mix " +
	"erl scala sbt kotlinc swift dart gcc g++ clang clang++ make cmake bazel zig nim crystal ocaml dune")

// findProgram finds a program on the PATH by its name, and others beside it.
func findProgram(ctx context.Context, name, wanted string, beside ...string) (toolchain, error) {
	path, err := lookUp(name)
	if err != nil {
		return toolchain{}, fmt.Errorf("the tests need %s %s, and no program %s is on the PATH: install it", name, wanted, name)
	}
	t := toolchain{name: name, exact: wanted == "", programs: map[string]string{name: path}}
	if slices.Contains(sayVersion, name) {
		found, exact := nearest([]candidate{{versionOf(ctx, path, "--version"), path}}, wanted)
		t.name, t.exact = found.called(name, wanted, exact), exact
	}
	for _, other := range beside {
		if path, err := lookUp(other); err == nil {
			t.programs[other] = path
		}
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		t.outside(filepath.Dir(filepath.Dir(real)))
	}
	if slices.Contains(onJava, name) {
		settings, _ := filepath.Glob("/etc/java-*") // part of the runtime on Debian
		t.binds = append(t.binds, settings...)
	}
	return t, nil
}

// onJava are programs that run on Java's virtual machine.
var onJava = strings.Fields("java javac ant mvn gradle kotlinc scala sbt")

// outside makes a directory visible that does not lie in /usr.
func (t *toolchain) outside(dir string) {
	if dir != "/" && !strings.HasPrefix(dir+"/", "/usr/") && !slices.Contains(t.binds, dir) {
		t.binds = append(t.binds, dir)
	}
}

// setUp returns shell commands that make the programs available under their names.
func (t *toolchain) setUp() string {
	var script strings.Builder
	script.WriteString("mkdir -p " + binDir + "\n")
	for name, path := range t.programs {
		fmt.Fprintf(&script, "ln -s %s %s\n", shellWord(path), binDir+"/"+name)
	}
	for name, text := range t.scripts {
		fmt.Fprintf(&script, "printf '#!/bin/sh\\n%%s\\n' %s >%s && chmod +x %s\n", shellWord(text), binDir+"/"+name, binDir+"/"+name)
	}
	fmt.Fprintf(&script, "mkdir -p %s\nprintf %%s %s >%s/sitecustomize.py\n", startDir, shellWord(startProgram), startDir)
	return script.String()
}

// startProgram is imported by every interpreter of Python before anything of the tree, from startDir.
//
//go:embed python/sitecustomize.py
var startProgram string

const (
	startDir   = "/tmp/start"
	pythonPath = "ASSAY_PYTHONPATH=" // the variable of the path that startProgram makes
)

// binDir is the first directory of the PATH of tests.
const binDir = "/tmp/bin"
