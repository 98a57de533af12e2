package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
)

// language describes how programs of one language are compiled and run. Each has a file of its
// own.
type language struct {
	title       string   // as people write it
	programs    []string // required programs; the first reports the version
	versionFlag string   // the argument that prints the version
	install     string   // how to install them
	binds       []string // directories of the host that the programs need besides /usr, if they exist

	// file names the source file for a program.
	file func(source string) string

	// prepare makes what all programs of the language need, once for a Judge. It may be nil.
	prepare func(ctx context.Context, t *toolchain) error

	// quicken finds tools that make compiling faster on this machine. None of them is required.
	// It may be nil.
	quicken func(t *toolchain)

	// fork describes what a warm box forks instead of running a program's command. It may be nil.
	fork func(t *toolchain, argv []string) *sandbox.Fork

	// script joins a program and its tests so that the tests prove that they reached their end,
	// see proof.go. It also returns further source files.
	script func(program, tests string) (source string, files map[string]string)
	// scriptOptions are options of the interpreter that are necessary for writing the proof.
	scriptOptions []string

	// compile returns a shell command that compiles the file into the directory out; nil for a
	// language that is not compiled.
	compile func(t *toolchain, file, source string) string

	// resident returns a command that compiles for many samples, see resident.go, and its files.
	// It may be nil.
	resident func(t *toolchain) (argv []string, files map[string]string)

	// ahead returns a faster way to compile the files, with parts compiled before. Where it
	// fails, compile is used, so that it never decides against a sample. It may be nil.
	ahead func(t *toolchain, files map[string]string) ahead

	// check returns a command that fails if the program is malformed. It runs only after a failed
	// run; nil: compile has checked.
	check func(t *toolchain, file string) []string

	// run returns the command that runs the program.
	run func(t *toolchain, file, source string, l benchmark.Limits) []string

	functions bool // tests of style "calls" can call functions

	// calls describes how functions are called where that needs compiling; nil elsewhere.
	calls *caller
	// amendCalls completes a source that contains functions. It may be nil.
	amendCalls func(source string) string

	// threads is the number of threads that the interpreter starts itself.
	threads int
}

// languages are the languages of whole programs, by the name that tasks use.
var languages = map[string]language{
	"python": python, "javascript": javascript, "c": cLanguage, "cpp": cpp, "go": golang, "java": java,
	"bash": bash, "r": rLanguage,
}

// toolchain is a language's programs as found on this machine.
type toolchain struct {
	language
	paths   []string // of the programs
	version string   // as the first program reports it
	binds   []string
	dir     string // made by prepare; "": none
	env     []string
	cleanup func()

	box       sandbox.Box
	residents residents

	// For languages with fork:
	trialText string      // a program that prints "read true" if forking works; "": nothing is forked
	trial     sync.Once   // runs it
	forks     atomic.Bool // it printed that

	// For languages with ahead:
	shelf    *shelf.Shelf // nil: none
	dialect  string       // the compiler's name for the language
	identity string       // hash of path and version of the compiler
	object   string       // the compiled end of the tests
	linker   string       // option that selects the linker
}

// ahead is a command and its files. An empty command: there is no faster way.
type ahead struct {
	command string
	files   map[string]string
}

func (t *toolchain) String() string { return fmt.Sprintf("%s (%s)", t.version, t.paths[0]) }

// tools finds the programs of each language once.
type tools struct {
	box   sandbox.Box // where programs run
	mu    sync.Mutex
	found map[string]*toolchain
	lost  map[string]error // why a language's programs cannot be used
}

// find returns the toolchain of a language, or an error that names the package
// to install.
func (ts *tools) find(ctx context.Context, name string, py interpreter, noPython error) (*toolchain, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t, err := ts.found[name], ts.lost[name]; t != nil || err != nil {
		return t, err
	}
	l, known := languages[name]
	if !known {
		return nil, unknownLanguage(name)
	}
	t, err := l.locateFor(ctx, ts.box, name, py, noPython)
	if ts.found == nil {
		ts.found, ts.lost = map[string]*toolchain{}, map[string]error{}
	}
	if err == nil {
		t.box = ts.box
	}
	if err == nil && l.prepare != nil {
		err = l.prepare(ctx, t)
	}
	if err == nil && l.quicken != nil && !foreign(ts.box) {
		l.quicken(t)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	ts.found[name], ts.lost[name] = t, err
	return t, err
}

func unknownLanguage(name string) error {
	return fmt.Errorf("programs in the language %q cannot be judged; the languages are %s", name, strings.Join(languageNames(), ", "))
}

// close removes what was made for the languages, and ends their compilers.
func (ts *tools) close() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, t := range ts.found {
		if t == nil {
			continue
		}
		t.residents.close()
		if t.cleanup != nil {
			t.cleanup()
		}
	}
	ts.found = nil
}

func (l language) locate(ctx context.Context, name string, py interpreter, noPython error) (*toolchain, error) {
	t := &toolchain{language: l}
	if name == "python" {
		if noPython != nil {
			return nil, noPython
		}
		t.paths, t.version, t.binds = []string{py.Executable}, "CPython "+py.Version, prefixBind(py.Prefix)
		t.env = []string{py.hashing()}
		return t, nil
	}
	for _, program := range l.programs {
		path, err := exec.LookPath(program)
		if err != nil {
			return nil, fmt.Errorf("judging %s needs the program %s, and none was found: install it (%s): %w", l.title, program, l.install, err)
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, fmt.Errorf("the program %s cannot be followed: %w", path, err)
		}
		if !strings.HasPrefix(real, "/usr/") && !strings.HasPrefix(real, "/bin/") {
			path = real
			t.binds = append(t.binds, prefixBind(filepath.Dir(filepath.Dir(real)))...)
		}
		t.paths = append(t.paths, path)
	}
	for _, dir := range l.binds {
		if matches, err := filepath.Glob(dir); err == nil {
			t.binds = append(t.binds, matches...)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, t.paths[0], l.versionFlag).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s does not run: %w", t.paths[0], err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	t.version = clip(StripEscapes(first), 100)
	return t, nil
}

func prefixBind(prefix string) []string {
	if strings.HasPrefix(prefix, "/usr") || prefix == "/" {
		return nil
	}
	return []string{prefix}
}

// spec describes a box for programs of the language.
func (t *toolchain) spec(script string, argv []string, limits sandbox.Limits) sandbox.Spec {
	limits.Processes += t.threads
	return sandbox.Spec{
		Argv:   append([]string{"/bin/sh", "-c", script, "program"}, argv...),
		Env:    t.environment(),
		Binds:  t.binds,
		Limits: limits,
	}
}

func (t *toolchain) environment() []string {
	return append([]string{"PATH=/usr/bin:/bin", "HOME=/tmp/work", "TMPDIR=/tmp", "LANG=C.UTF-8",
		"PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8"}, t.env...)
}

func named(file string) func(string) string { return func(string) string { return file } }

// languageNames lists the languages of whole programs, sorted.
func languageNames() []string { return slices.Sorted(maps.Keys(languages)) }

// openShelf opens the directory of what is compiled ahead.
func openShelf(box sandbox.Box) (s *shelf.Shelf, remove func(), err error) {
	return shelf.Open(box, "compilers", shelf.Options{MaxBytes: 1 << 30, MostMade: 32})
}
