package judge

import (
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

//go:embed golang/calls.go.txt
var goCalls string

//go:embed java/AssayCalls.java.txt
var javaCalls string

//go:embed cpp/calls.cpp.txt
var cppCalls string

//go:embed rust/calls.rs.txt
var rustCalls string

// A function in a compiled language is compiled together with a program that calls it. That
// program decodes arguments into the types that the function declares, and speaks the protocol of
// the other languages' samples. As with those, its process sees arguments and never expected
// values.

// caller describes how functions of a compiled language are called.
type caller struct {
	// files adds the program that calls the entry point to the sources.
	files func(sources map[string]string, task *benchmark.Task)
	// compile is the shell command, as in language.
	compile func(t *toolchain) string
	// run returns the command that runs the compiled program.
	run func(t *toolchain, source, entry string, memoryMB int) []string
}

// prepareCalls compiles the program with its caller. It returns why that failed, or nil; the
// error is never the sample's fault.
func (r *run) prepareCalls() (*callFailure, error) {
	how := r.tool.calls
	if how == nil {
		return r.translateCalls()
	}
	source := r.program
	if r.tool.amendCalls != nil {
		source = r.tool.amendCalls(source)
	}
	files := map[string]string{r.tool.fileOf(source): source}
	how.files(files, r.task)
	made, failed, err := r.make(files, how.compile(r.tool))
	r.made, r.command = made, how.run(r.tool, source, r.task.EntryPoint, r.limits.MemoryMB)
	if failed == nil {
		failed = r.oversized(made)
	}
	return failed, err
}

// startMade starts the compiled program. The error is never the sample's fault.
func (r *run) startMade() (*sample, error) {
	limits := sampleLimits(r.limits.Limits)
	limits.AddressSpaceMB = 0
	spec := r.spec(r.command, asServer, limits)
	spec.Outputs = r.task.Outputs
	s, err := startSample(r.ctx, r.judge.box, r.library.add(spec))
	if err != nil {
		return nil, err
	}
	s.box.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	_, err = s.channel.w.Write(r.handOver(s.box, r.command, asServer, r.made))
	ready := make([]byte, 1)
	if err == nil {
		_, err = io.ReadFull(s.channel.r, ready)
	}
	if err != nil || ready[0] != 'r' {
		end := s.close()
		if end.Cause == sandbox.Cancelled {
			return nil, errLost
		}
		return nil, fmt.Errorf("%w: %s", errNotReady, describe(end))
	}
	return s, nil
}

var goBlock = regexp.MustCompile(`(?s)/\*.*?\*/`)

var goClause = regexp.MustCompile(`(?m)^[ \t]*package\s+\w+`)

// awaitReady waits until a compiled program answers. Its own code may run before that, so from
// here on a failure is the sample's.
func (r *run) awaitReady() (*callFailure, error) {
	s := r.sample
	s.box.Arm(r.budget(0))
	var hello fromSample
	if err := s.channel.receive(&hello); err != nil {
		f, err := r.ended(err)
		return &f, err
	}
	if hello.Kind != "ready" {
		return r.kill(callFailure{verdicts.Status(verdicts.RuntimeError), "the process wrote something other than an answer"}), nil
	}
	s.start = s.box.Usage() // an interpreter's own start is not the sample's
	return nil, nil
}

// goCaller takes the place of the main function, after everything else of the program is initialised: the package that
// calls is another one than the program's, which may have any names.
var goCaller = &caller{
	files: func(sources map[string]string, task *benchmark.Task) {
		sources["zz_assay_calls.go"] = fmt.Sprintf("package main\n\nimport assayCalls %q\n\nfunc init() { assayCalls.Serve(%s) }\n", goCallsPackage,
			task.EntryPoint+goInstance(sources["main.go"], task.EntryPoint, task.Tests.Typed()))
		for _, text := range sources {
			if goMain.MatchString(goBlock.ReplaceAllString(text, "")) {
				return
			}
		}
		sources["zz_assay_main.go"] = "package main\n\nfunc main() {}\n"
	},
	compile: func(t *toolchain) string { return t.compile("main.go") },
	run:     func(*toolchain, string, string, int) []string { return []string{"./main"} },
}

// goWhole adds a package clause to functions that have none, on their first line so that line
// numbers stay the same. A package with another name becomes main.
func goWhole(source string) string {
	plain := goComment.ReplaceAllStringFunc(source, func(s string) string { return strings.Repeat(" ", len(s)) })
	if at := goClause.FindStringIndex(plain); at != nil {
		return source[:at[0]] + "package main" + source[at[1]:]
	}
	return "package main; " + source
}

var cppCaller = &caller{
	files: func(sources map[string]string, task *benchmark.Task) {
		answer := sources["main.cpp"]
		sources["assay_calls.cpp"] = strings.NewReplacer("ASSAY_UNDEFINED", undefined(answer), "ASSAY_ENTRY", cppEntry(answer, task)).Replace(cppCalls)
	},
	compile: func(t *toolchain) string {
		return strings.Replace(t.compile("main.cpp"), "*.cpp", "assay_calls.cpp", 1)
	},
	run: func(*toolchain, string, string, int) []string { return []string{"./main"} },
}

// cppMacro matches the definition of a macro.
var cppMacro = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`)

// undefined returns directives that remove the macros of a program in C++, which may have any names.
func undefined(program string) string {
	var b strings.Builder
	for _, m := range cppMacro.FindAllStringSubmatch(program, -1) {
		b.WriteString("#undef " + m[1] + "\n")
	}
	return b.String()
}

var (
	rustMain     = regexp.MustCompile(`\bfn\s+main\s*\(\s*\)`)
	rustSolution = regexp.MustCompile(`\bimpl\s+Solution\b`)
	rustDeclared = regexp.MustCompile(`\b(?:struct|enum)\s+Solution\b`)
)

// rustCaller calls from a module of the program, which sees its private functions, in place of its main. A
// method of Solution, which LeetCode declares itself, is an entry point, too.
var rustCaller = &caller{
	files: func(sources map[string]string, task *benchmark.Task) {
		entry, source := task.EntryPoint, rustMain.ReplaceAllString(sources["main.rs"], "fn assay_main_of_the_program()")
		if rustSolution.MatchString(source) && !regexp.MustCompile(`(?m)^(?:pub\s+)?fn\s+`+regexp.QuoteMeta(entry)+`\b`).MatchString(source) {
			entry = "Solution::" + entry
			if !rustDeclared.MatchString(source) {
				source += "\nstruct Solution;"
			}
		}
		sources["main.rs"] = unforbidden(source) + "\n#[allow(warnings, unsafe_code)]\nmod assay_calls;\nfn main() { assay_calls::serve() }\n"
		sources["assay_calls.rs"] = strings.Replace(rustCalls, "ASSAY_ENTRY", entry+rustInstance(source, task.EntryPoint, task.Tests.Typed()), 1)
	},
	compile: func(t *toolchain) string { return t.compile("main.rs") },
	run:     func(*toolchain, string, string, int) []string { return []string{"./main"} },
}

var javaType = regexp.MustCompile(`(?m)^\s*(?:public\s+|final\s+|abstract\s+)*(?:class|record|enum|interface)\s+(\w+)`)

// maxClasses bounds the number of classes searched for the entry point: they are arguments of a
// command, whose length is limited.
const maxClasses = 1000

// longestClassName is the longest one, in bytes, that is a file's.
const longestClassName = 200

var javaCaller = &caller{
	files:   func(sources map[string]string, _ *benchmark.Task) { sources["AssayCalls.java"] = javaCalls },
	compile: func(t *toolchain) string { return t.compile("Main.java") },
	run: func(t *toolchain, source, entry string, memoryMB int) []string {
		argv := slices.Insert(t.run("AssayCalls.java", memoryMB), 1, t.End.Options...)
		argv = append(argv, entry)
		for _, m := range javaType.FindAllStringSubmatch(source, maxClasses) {
			if len(m[1]) <= longestClassName {
				argv = append(argv, m[1])
			}
		}
		return argv
	},
}
