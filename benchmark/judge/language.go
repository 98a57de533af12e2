package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/shelf"
	"assay/benchmark/source"
	"assay/benchmark/verdicts"
	"assay/data/language"
	"assay/data/program"
)

// attached is what a language has beside its entry in the table of data/language: what is no data. Every
// function may be nil.
type attached struct {
	// prepare makes what all programs of the language need, once for a Judge.
	prepare func(ctx context.Context, t *toolchain) error

	// quicken finds tools that make compiling or starting faster on this machine. None of them is required.
	quicken func(t *toolchain)

	// amendRun completes the command that runs a program.
	amendRun func(argv []string) []string

	// fork describes what a warm box forks instead of running a program's command.
	fork func(t *toolchain, argv []string) *sandbox.Fork

	// script joins a program and its tests where [language.End] does not suffice.
	script func(program, tests string) (source string, files map[string]string)

	// resident returns a command that compiles for many samples, see resident.go, and its files.
	resident func(t *toolchain) (argv []string, files map[string]string)

	// ahead returns a faster way to compile the files, with parts compiled before. Where it
	// fails, the entry's command is used, so that it never decides against a sample.
	ahead func(t *toolchain, files map[string]string, standard string) ahead

	// Tests of style "calls" can call functions of a language with server, a process that loads them, or
	// calls, a program that is compiled with them.
	server func(t *toolchain, l benchmark.Limits) sandbox.Spec
	calls  *caller
	// amendCalls completes a source that contains functions.
	amendCalls func(source string) string
}

// attachments are those of the built-in languages.
var attachments map[string]attached

func init() { // since some functions refer to the table again
	attachments = map[string]attached{
		"python":     {quicken: quickenPython, amendRun: pythonRun, fork: pythonFork},
		"javascript": {quicken: quickenNode, fork: nodeFork, server: javascriptSpec, script: nodeScript("javascript")},
		"typescript": {resident: typescriptResident, server: javascriptSpec, script: nodeScript("typescript")},
		"r":          {server: rSpec},
		"ruby":       {server: rubySpec},
		"php":        {server: phpSpec},
		"c":          {quicken: func(t *toolchain) { quickenNative(t, "c") }, ahead: nativeAhead, script: nativeScript("c")},
		"cpp":        {quicken: func(t *toolchain) { quickenNative(t, "c++") }, ahead: nativeAhead, calls: cppCaller, script: nativeScript("cpp")},
		"go":         {prepare: prepareGo, script: goScript, ahead: goAhead, calls: goCaller, amendCalls: goWhole},
		"java":       {prepare: prepareJava, resident: javaResident, calls: javaCaller},
		"rust":       {script: rustScript, calls: rustCaller},
		"scala":      {prepare: prepareJava},
		"kotlin":     {prepare: prepareJava},
		"clojure":    {prepare: prepareJava},
	}
}

// callable reports whether tests of style "calls" can call functions of a language other than Python.
func callable(name string) bool {
	return attachments[name].server != nil || attachments[name].calls != nil
}

// toolchain is a language's programs as found on this machine.
type toolchain struct {
	*language.Entry
	attached
	paths   []string // of the programs
	version string   // as the first program reports it
	binds   []string
	dir     string // made by prepare; "": none
	env     []string
	cleanup func()

	box       sandbox.Box
	residents residents
	standards standards

	// For languages with fork:
	imports   []string    // modules that Python loads before it is forked
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

// String names the version and the program, and of a user's entry the beginning of its hash.
func (t *toolchain) String() string {
	if t.Own {
		return fmt.Sprintf("%s (%s, entry sha256:%.12s)", t.version, t.paths[0], t.Digest)
	}
	return fmt.Sprintf("%s (%s)", t.version, t.paths[0])
}

// words expands the placeholders in the words of a command.
func (t *toolchain) words(words []string, file string, memoryMB int) []string {
	pairs := []string{"{file}", file, "{stem}", language.Stem(file), "{options}", t.Options, "{dir}", t.dir,
		"{memory}", strconv.Itoa(max(t.MemoryPercent*memoryMB/100, 16))}
	for i, path := range t.paths {
		pairs = append(pairs, fmt.Sprintf("{%d}", i), path)
	}
	expand, all := strings.NewReplacer(pairs...), make([]string, len(words))
	for i, word := range words {
		all[i] = expand.Replace(word)
	}
	return all
}

// compile returns the shell command that compiles a file into the directory out.
func (t *toolchain) compile(file string) string {
	if t.dir != "" {
		t.shelf.Keep(t.dir)
	}
	return t.words([]string{t.Compile}, file, 0)[0]
}

// run returns the command that runs a program.
func (t *toolchain) run(file string, memoryMB int) []string {
	argv := t.words(t.Run, file, memoryMB)
	if t.amendRun != nil {
		return t.amendRun(argv)
	}
	return argv
}

// joined joins a program with the tests of a script.
func (t *toolchain) joined(program, tests string) (source string, files map[string]string) {
	if t.script != nil {
		return t.script(program, tests)
	}
	return t.End.Script(program, tests)
}

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
	e := language.Find(name)
	if e == nil {
		return nil, unknownLanguage(name)
	}
	t, err := locateFor(ctx, ts.box, e, py, noPython)
	if err == nil && e.Proc && ts.box.Name() == "landlock" {
		err = fmt.Errorf("compilers of %s need a /proc of their own, which landlock gives to a box's first process alone: choose --isolation warm or strict", e.Title)
	}
	if ts.found == nil {
		ts.found, ts.lost = map[string]*toolchain{}, map[string]error{}
	}
	if err == nil {
		t.box = ts.box
	}
	if err == nil && t.prepare != nil {
		err = t.prepare(ctx, t)
	}
	if err == nil && t.quicken != nil && !foreign(ts.box) {
		t.quicken(t)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	if errors.Is(err, errUnanswered) {
		return nil, err
	}
	ts.found[name], ts.lost[name] = t, err
	return t, err
}

func unknownLanguage(name string) error {
	return fmt.Errorf("programs in the language %q cannot be judged; the languages are %s", name, strings.Join(language.Names(), ", "))
}

// programError returns why programs of the task's style cannot be judged in its language on any machine, or nil.
func programError(task *benchmark.Task) error {
	e := language.Find(task.Language)
	if e == nil {
		return unknownLanguage(task.Language)
	}
	if task.Tests.Style == benchmark.Script && !e.End.Proves() {
		return fmt.Errorf("tests of style %q cannot prove their end in %s: its entry in languages.toml has no \"end\"", benchmark.Script, e.Title)
	}
	return nil
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

// locate finds the language's programs on this machine.
func locate(ctx context.Context, e *language.Entry, py interpreter, noPython error) (*toolchain, error) {
	t := &toolchain{Entry: e, attached: attachments[e.Name]}
	if e.Name == "python" {
		if noPython != nil {
			return nil, noPython
		}
		t.paths, t.version, t.binds = []string{py.Executable}, "CPython "+py.Version, prefixBind(py.Prefix)
		t.env, t.imports = []string{py.hashing()}, py.imports
		return t, nil
	}
	for _, program := range e.Programs {
		path, err := findProgram(ctx, program)
		if errors.Is(err, errUnanswered) {
			return nil, fmt.Errorf("finding %s: %w", e.Title, err)
		}
		if err != nil {
			return nil, fmt.Errorf("judging %s needs the program %s, and none was found: install it (%s): %w", e.Title, program, e.Install, err)
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
	for _, dir := range e.Binds {
		if matches, err := filepath.Glob(dir); err == nil {
			t.binds = append(t.binds, matches...)
		}
	}
	t.env = slices.Clone(e.Env)
	version := t.words(e.Version, "", 0)
	said, err := probe(ctx, version...)
	if errors.Is(err, errUnanswered) {
		return nil, fmt.Errorf("finding the version of %s: %w", e.Title, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not run: %w", version[0], err)
	}
	t.version = versionIn(string(said.All()))
	return t, nil
}

// versionIn returns the first line of what a program prints about its version.
func versionIn(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(verdicts.StripEscapes(text)), "\n")
	return verdicts.Clip(strings.Trim(first, `"`), 100)
}

// findProgram finds a program by its names, separated by bars, on the PATH, or by patterns of its absolute path.
// Programs that boxes cannot see are passed over.
func findProgram(ctx context.Context, names string) (string, error) {
	var unseen error
	for _, name := range strings.Split(names, "|") {
		places, _ := filepath.Glob(name)
		if !filepath.IsAbs(name) {
			places, _ = program.All(name)
		}
		for _, path := range places {
			path, err := throughRustup(ctx, path)
			if err == nil {
				err = shelf.Reachable(filepath.Dir(realPath(path)))
			}
			if err == nil {
				return path, nil
			}
			unseen = cmp.Or(unseen, err)
		}
	}
	return "", cmp.Or(unseen, exec.ErrNotFound)
}

// throughRustup returns the program that rustup's command of that name starts, which is not in its folder.
func throughRustup(ctx context.Context, path string) (string, error) {
	if real, err := filepath.EvalSymlinks(path); err != nil || filepath.Base(real) != "rustup" {
		return path, nil
	}
	said, err := probe(ctx, path, "--print", "sysroot")
	if err != nil {
		return "", fmt.Errorf("%s has no toolchain: %w", path, err)
	}
	return filepath.Join(strings.TrimSpace(string(said.Out)), "bin", filepath.Base(path)), nil
}

func prefixBind(prefix string) []string {
	if strings.HasPrefix(prefix, "/usr") || prefix == "/" {
		return nil
	}
	return []string{prefix}
}

// fileOf returns the name of the source file for a program.
func (t *toolchain) fileOf(text string) string {
	if t.Name == "java" || t.Name == "scala" {
		if name := source.MainClass(t.Name, text); name != "" && len(name) <= longestClassName {
			return name + t.Extensions[0]
		}
	}
	return t.FileOf(text)
}

// spec describes a box for programs of the language.
func (t *toolchain) spec(script string, argv []string, limits sandbox.Limits) sandbox.Spec {
	limits.Processes += t.Threads
	return sandbox.Spec{
		Argv:   append([]string{"/bin/sh", "-c", script, "program"}, argv...),
		Env:    t.environment(),
		Binds:  t.binds,
		Limits: limits,
	}
}

// serverSpec describes a box for a process that answers calls of functions in the language. The checker for Python
// compares its values.
func (t *toolchain) serverSpec(l benchmark.Limits, argv ...string) sandbox.Spec {
	limits := sampleLimits(l)
	limits.AddressSpaceMB = 0
	limits.Processes += t.Threads
	return sandbox.Spec{Argv: argv, Env: t.environment(), Binds: t.binds, Limits: limits}
}

func (t *toolchain) environment() []string {
	return append([]string{"PATH=/usr/bin:/bin", "HOME=/tmp/work", "TMPDIR=/tmp", "LANG=C.UTF-8",
		"PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8"}, t.env...)
}

// openShelf opens the directory of what is compiled ahead.
func openShelf(box sandbox.Box) (s *shelf.Shelf, remove func(), err error) {
	return shelf.Open(box, "compilers", shelf.Options{MaxBytes: 1 << 30, MostMade: 32})
}
