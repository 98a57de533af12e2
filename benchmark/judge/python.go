package judge

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/data/language"
	"assay/data/program"
)

//go:embed python/codec.py
var pythonCodec string

//go:embed python/standard.py
var pythonStandard string

//go:embed python/objects.py
var pythonObjects string

//go:embed python/shared.py
var pythonShared string

//go:embed python/endless.py
var pythonEndless string

//go:embed python/sample.py
var pythonSample string

//go:embed python/compare.py
var pythonCompare string

//go:embed python/checker.py
var pythonChecker string

//go:embed python/proxy.py
var pythonProxy string

//go:embed python/styles.py
var pythonStyles string

//go:embed python/batch.py
var pythonBatch string

//go:embed python/properties.py
var pythonProperties string

//go:embed python/serve.py
var pythonServe string

//go:embed python/inprocess.py
var pythonInProcess string

// inProcess describes a process that contains both the program and its tests.
func (i interpreter) inProcess(limits sandbox.Limits) sandbox.Spec {
	spec := i.spec(limits)
	spec.Argv = append(i.command(), joined(pythonCodec, pythonStandard, pythonCompare, pythonChecker, pythonProxy, pythonShared, pythonBatch, pythonStyles, pythonSample, pythonInProcess))
	return spec
}

func joined(parts ...string) string { return strings.Join(parts, "\n\n") }

// entryIsClass reports whether the task's own code, which is trusted, defines its entry point as a class: its prompt, its
// reference, or the code that the answer is to complete. Where there is none, its tests call a method
// of what the entry point returns, whose name is that of a class.
func entryIsClass(task *benchmark.Task) bool {
	if task.EntryPoint == "" {
		return false
	}
	name := regexp.QuoteMeta(task.EntryPoint)
	defined := regexp.MustCompile(`(?m)^class\s+` + name + `\b`)
	for _, text := range []string{task.Prompt, task.Reference, task.Signature.Code, task.Description} {
		if strings.Contains(text, "class") && defined.MatchString(text) {
			return true
		}
	}
	tests := strings.Join(append([]string{task.Tests.Check, task.Tests.Unittest}, task.Tests.Asserts...), "\n")
	return className.MatchString(task.EntryPoint) && regexp.MustCompile(`\b(?:candidate|`+name+`)\([^()\n]*\)\.\w+\(`).MatchString(tests)
}

// className matches a name that is a class's by Python's conventions.
var className = regexp.MustCompile(`^[A-Z]\w*[a-z]\w*$`)

// interpreter is a Python interpreter and what it reports about itself.
type interpreter struct {
	Executable string `json:"executable"`
	Prefix     string `json:"prefix"`
	Version    string `json:"version"`

	Modules []string `json:"modules"` // the standard library, sorted; empty before Python 3.10, which does not list it
	Sites   []string `json:"sites"`   // directories of installed packages, which boxes do not search

	hashSeed uint32   // decides the order of sets
	imports  []string // modules that warm boxes load before a sample's program
}

func (i interpreter) String() string { return "CPython " + i.Version + " (" + i.Executable + ")" }

// findPython finds the interpreter. A python3 on the PATH may be a shell script of a version
// manager, which is slow and needs the home directory, so it is asked for the real program.
func findPython(ctx context.Context, wanted string) (interpreter, error) {
	candidates := []string{"/usr/bin/python3", "python3"}
	if wanted != "" {
		named, err := program.Named(wanted)
		if err != nil {
			return interpreter{}, fmt.Errorf("the Python interpreter %s does not run: %w", wanted, err)
		}
		candidates = []string{named}
	}
	var last error
	for _, name := range candidates {
		said, err := probe(ctx, name, "-I", "-S", "-c", pythonQuestion)
		if err != nil {
			last = err
			continue
		}
		var found interpreter
		if err := json.Unmarshal(said.Out, &found); err != nil || found.Executable == "" {
			last = fmt.Errorf("%s did not report its path and version", name)
			continue
		}
		return found, nil
	}
	if errors.Is(last, errUnanswered) {
		return interpreter{}, fmt.Errorf("finding Python: %w", last)
	}
	if wanted != "" {
		return interpreter{}, fmt.Errorf("the Python interpreter %s does not run: %w", wanted, last)
	}
	return interpreter{}, fmt.Errorf("judging Python needs a Python interpreter, and none was found: "+
		"install it (Debian, Ubuntu: apt-get install python3; Fedora: dnf install python3): %w", last)
}

// tryPython returns why a program does not run or does not find the standard library in a box, or nil. The trial imports
// a module that nothing loads in advance: a warm box starts an interpreter below /tmp, and then hides /tmp from programs.
func (j *Judge) tryPython() error {
	trial := &benchmark.Task{ID: "standard library", Language: "python", Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{}}}}
	r, err := j.Judge(j.ctx, verdicts.Submission{Task: trial, Code: "import colorsys"})
	if err == nil && r.Verdict != verdicts.Accepted {
		err = errors.New(r.Message)
	}
	if err != nil {
		return fmt.Errorf("the Python interpreter %s does not work in a sandbox, where only %s and /usr are visible, and nothing below /tmp or a private home directory: %w",
			j.python.Executable, j.python.Prefix, err)
	}
	return nil
}

// spec describes a process that runs files of python/. Without the site module, no installed
// packages are visible, and nothing in the working directory runs at the start. The hash seed is
// fixed so that the order of sets, and with it the verdict, is the same in every run. Its value
// is arbitrary: one recorded sample (guanaco-7B on HumanEval/158, max over a set) is accepted
// under one seed in six, and not under the default.
func (i interpreter) spec(limits sandbox.Limits) sandbox.Spec {
	spec := sandbox.Spec{
		Env: []string{"PATH=/usr/bin:/bin", "HOME=/tmp/work", "TMPDIR=/tmp", "LANG=C.UTF-8",
			i.hashing(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8:backslashreplace"},
		Limits: limits,
	}
	if !strings.HasPrefix(i.Prefix, "/usr") {
		spec.Binds = []string{i.Prefix}
	}
	return spec
}

// hashing is the environment variable for the hash seed.
func (i interpreter) hashing() string { return "PYTHONHASHSEED=" + strconv.Itoa(int(i.hashSeed)) }

// command is the command that runs a program given as text.
func (i interpreter) command() []string { return []string{i.Executable, "-s", "-S", "-B", "-c"} }

// A warm box loads modules in advance, so that a program's import statements only look a name up.
// But each megabyte of modules costs every forked process 0.07 ms.
var (
	// usualImports are the imports of solutions to most published tasks. (sample.py imports
	// random.)
	usualImports = strings.Fields("math re typing collections collections.abc itertools functools operator heapq bisect string copy")

	// rareImports are loaded if the tasks import them; dataclasses and hashlib are the largest.
	rareImports = strings.Fields("datetime fractions decimal statistics enum time abc json dataclasses hashlib")

	// unknownImports are loaded if the tasks are not known in advance.
	unknownImports = slices.Concat(usualImports, strings.Fields("datetime fractions decimal statistics enum time abc"))
)

// A module is loaded in advance if at least 1/rareShare of the tasks import it: loading it in a
// process takes 1 to 5 ms, forking a process that has it about 0.03 ms.
const rareShare = 100

// importsFor returns the modules to load in advance for the tasks, which may be none.
func importsFor(tasks []benchmark.Task) []string {
	if len(tasks) == 0 {
		return unknownImports
	}
	importers := map[string]int{}
	for i := range tasks {
		for name := range importsOf(&tasks[i]) {
			importers[name]++
		}
	}
	list := slices.Clone(usualImports)
	for _, name := range rareImports {
		if n := importers[name]; n > 0 && n*rareShare >= len(tasks) {
			list = append(list, name)
		}
	}
	return list
}

var sampleProgram = joined(pythonCodec, pythonStandard, pythonObjects, pythonEndless, pythonSample)

// sample describes the process that runs a sample.
func (i interpreter) sample(limits sandbox.Limits) sandbox.Spec {
	spec := i.spec(limits)
	spec.Fork = &sandbox.Fork{
		Interpreter: i.command(), Imports: i.imports, Before: sampleProgram,
		Rehearsal: "rehearse()", Cold: "greet(Channel())", After: "channel = Channel()\nwatch(channel)\nrun(channel)\n_leave(0)",
	}
	return spec
}

// checker describes the checker's process, which lives for many samples.
func (i interpreter) checker() sandbox.Spec {
	spec := i.spec(checkerLimits())
	spec.Argv = append(i.command(), joined(pythonCodec, pythonStandard, pythonCompare, pythonChecker, pythonProxy, pythonShared, pythonBatch, pythonProperties, pythonStyles, pythonServe))
	return spec
}

// sampleLimits converts a task's limits to those of a box. The limit on address space is a
// backstop behind the polling of resident memory, large enough that honest programs do not reach
// it first.
func sampleLimits(l benchmark.Limits) sandbox.Limits {
	return sandbox.Limits{
		CPU:            seconds(mostSlowness*aloneFactor*l.CPUTotal) + 5*time.Second,
		MemoryMB:       l.MemoryMB,
		AddressSpaceMB: 2*l.MemoryMB + 1024,
		Processes:      l.Processes,
		OutputKB:       l.OutputKB,
		FileMB:         l.FileMB,
	}
}

// checkerLimits are the limits of the trusted process: tests may come from anywhere, and work on
// what a sample returned.
func checkerLimits() sandbox.Limits {
	return sandbox.Limits{MemoryMB: 1024, AddressSpaceMB: 2048, Processes: 8, OutputKB: 16 << 10, FileMB: 16}
}

// languageError returns why tests cannot call functions in a task's language, or nil.
func languageError(task *benchmark.Task) error {
	keywords := slices.ContainsFunc(task.Tests.Cases, func(c benchmark.Case) bool { return len(c.Kwargs) > 0 })
	switch {
	case keywords && task.Language != "python" && task.Language != "r":
		return fmt.Errorf("functions in %s take no named arguments: give those of task %s in \"args\"", task.Language, task.ID)
	case task.Language == "python", callable(task.Language) && task.Tests.Style == benchmark.Calls:
		return nil
	case language.Find(task.Language) != nil:
		return fmt.Errorf("tests of style %q cannot call functions in %s; task %s needs tests of style %q or %q, which run whole programs",
			task.Tests.Style, language.Title(task.Language), task.ID, benchmark.Stdin, benchmark.Script)
	}
	return fmt.Errorf("task %s is written in %q, which cannot be judged; the languages are %s",
		task.ID, task.Language, strings.Join(language.Names(), ", "))
}
