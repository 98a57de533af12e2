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
)

// language says how programs of one language are run. Each has a small file of
// its own.
type language struct {
	title    string   // as people write it
	programs []string // what must be installed; the first is asked for its version
	version  string   // the argument that asks for it
	install  string   // how to install them
	binds    []string // what the programs need of the host besides /usr, where it exists

	// file names the source file for a program.
	file func(source string) string

	// prepare makes what all programs need, once for a Judge. It may be nil.
	prepare func(ctx context.Context, t *toolchain) error

	// quicken looks for what makes compiling faster on this machine. Nothing of it must be
	// there. It may be nil.
	quicken func(t *toolchain)

	// fork is what a warm box forks in the place of a program's command. It may be nil.
	fork func(t *toolchain, argv []string) *sandbox.Fork

	// script puts a program and the tests that follow it together so that the tests prove
	// their end, see proof.go. It also returns further source files that this takes.
	script func(program, tests string) (source string, files map[string]string)
	// scriptOptions are options of the interpreter that writing the proof takes.
	scriptOptions []string

	// compile is a shell command that makes the file into something in the
	// directory out; nil for a language that is not compiled.
	compile func(t *toolchain, file, source string) string

	// resident is a command that compiles for many samples, see resident.go, with its files.
	// It may be nil.
	resident func(t *toolchain) (argv []string, files map[string]string)

	// ahead is a faster way to compile files to the same, with what was compiled ahead of
	// them. Where it fails compile is asked, so that it never decides against a sample. It
	// may be nil.
	ahead func(t *toolchain, files map[string]string) ahead

	// check is a command that fails if the program is not well formed. It is
	// asked only after a run failed; nil: compile has told.
	check func(t *toolchain, file string) []string

	// run is the command that runs the program.
	run func(t *toolchain, file, source string, l benchmark.Limits) []string

	functions bool // tests of style "calls" can call them

	// calls says how functions are called where that needs compiling, and nil else.
	calls *caller
	// amendCalls completes a text that holds functions. It may be nil.
	amendCalls func(source string) string

	// threads that the interpreter starts for itself.
	threads int
}

// languages are those that whole programs may be written in, by the name that
// tasks give them.
var languages = map[string]language{
	"python": python, "javascript": javascript, "c": cLanguage, "cpp": cpp, "go": golang, "java": java,
	"bash": bash, "r": rLanguage,
}

// toolchain is a language's programs as they were found on this machine.
type toolchain struct {
	language
	paths   []string // of the programs
	said    string   // the version
	binds   []string
	dir     string // made by prepare, or ""
	env     []string
	cleanup func()

	box       sandbox.Box
	residents residents

	// For languages with fork.
	trialText string      // a program that prints "read true" if all is well; "": nothing is forked
	trial     sync.Once   // whether it does
	forks     atomic.Bool // it did

	// For languages with ahead.
	shelf    *shelf // nil: there is none
	dialect  string // as the compiler calls the language
	identity string // of the compiler
	object   string // the end of the tests, compiled
	linker   string // an option
}

// ahead is a command and its files. No command: there is no faster way.
type ahead struct {
	command string
	files   map[string]string
}

func (t *toolchain) String() string { return fmt.Sprintf("%s (%s)", t.said, t.paths[0]) }

// tools finds each language once.
type tools struct {
	box   sandbox.Box // where programs run
	mu    sync.Mutex
	found map[string]*toolchain
	lost  map[string]error
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
	if err == nil && l.quicken != nil && foreign(ts.box) == nil {
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

// close removes what was made for the languages.
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
		t.paths, t.said, t.binds = []string{py.Executable}, "CPython "+py.Version, prefixBind(py.Prefix)
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
	text, err := exec.CommandContext(ctx, t.paths[0], l.version).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s does not run: %w", t.paths[0], err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	t.said = clip(StripEscapes(first), 100)
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
