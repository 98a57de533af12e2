package judge

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
)

// isProgram reports whether the tests run whole programs. They need no checker: the output of a
// run is compared here, and a script contains its tests and proves that it reached their end.
func isProgram(style benchmark.Style) bool {
	return style == benchmark.Stdin || style == benchmark.Script
}

// Limits of compiling. A program that needs more has a compile error.
const (
	compileCPU  = 30 * time.Second
	compileWall = 120 * time.Second
	maxMade     = 64 << 20 // bytes of compiled files
)

func (j *Judge) compileLimits() sandbox.Limits {
	return sandbox.Limits{CPU: j.compileCPU + 5*time.Second, MemoryMB: 1536, Processes: 64, OutputKB: 1 << 10, FileMB: 256}
}

// sources returns the text of the program, including tests that are part of it, and all its
// files.
func (r *run) sources() (source string, files map[string]string) {
	source = r.program
	if r.isScript() {
		source, files = r.tool.joined(r.task.Tests.Setup+source+"\n", r.script)
	}
	return r.withFiles(source, files)
}

// withFiles adds a source, and the language's own files, to others.
func (r *run) withFiles(source string, others map[string]string) (string, map[string]string) {
	files := maps.Clone(r.tool.Files)
	if files == nil {
		files = map[string]string{}
	}
	maps.Copy(files, others)
	source += r.tool.Ends
	files[r.tool.fileOf(source)] = source
	return source, files
}

func (r *run) isScript() bool { return r.task.Tests.Style == benchmark.Script }

// doProgram judges a whole program. Its error is never the sample's fault. c is nil for a task
// without a checker of its own.
func (r *run) doProgram(ctx context.Context, c *checker) error {
	r.ctx, r.caseCPU = ctx, map[int]time.Duration{}
	started := time.Now()
	defer func() { r.result.WallMS = time.Since(started).Milliseconds() }()
	runs, cases := r.task.Tests.Runs, []caseReport{}
	if r.isScript() {
		runs = []benchmark.Run{{Name: "script"}}
	}
	for i, c := range runs {
		cases = append(cases, caseReport{Index: i + 1, Name: c.Name, Edge: c.Edge, Status: verdicts.NotRun,
			Call: verdicts.Clip(c.Input, 300), Expected: verdicts.Clip(c.Output, 300)})
	}
	if r.empty {
		r.refuse(cases, nothingToRun)
		return nil
	}
	source, files := r.sources()
	if r.tool.Compile != "" {
		made, failed, err := r.make(files, r.tool.compile(r.tool.fileOf(source)))
		if err != nil {
			return err
		}
		if failed != nil {
			r.refuse(cases, *failed)
			return nil
		}
		files = made
	}
	for i, test := range runs {
		if r.decide(cases[max(0, i-1):i]); r.decided {
			break
		}
		if why := r.usedUp(); why != "" {
			for j := range cases[i:] {
				cases[i+j].Message = why
			}
			break
		}
		r.reach(i+1, len(runs), cases[max(0, i-1):i]...)
		out, err := r.runOnce(files, source, test)
		if err != nil {
			return err
		}
		if out.failed != nil && i == 0 && r.tool.Check != nil {
			if wrong, err := r.malformed(files, source); err != nil {
				return err
			} else if wrong != nil {
				r.refuse(cases, *wrong)
				return nil
			}
		}
		report := &cases[i]
		report.Status, report.Got = verdicts.Passed, verdicts.Clip(out.text, 300)
		refused, err := r.refusal(c, test, out)
		limit, spent := r.exhausted(err)
		if spent {
			refused = &limit
		} else if err != nil {
			return err
		}
		if refused != nil {
			report.Status, report.Message = refused.Status, refused.Text
		}
		if spent { // no checker is left for the other cases
			break
		}
	}
	r.conclude(fromChecker{Cases: cases})
	return nil
}

// refusal returns why the outcome of a run is not accepted, nil if it is.
func (r *run) refusal(c *checker, test benchmark.Run, out outcome) (*callFailure, error) {
	switch {
	case out.failed != nil:
		return out.failed, nil
	case test.Compare == benchmark.OutputByChecker:
		return c.accepts(r.clock, r.task, test, out.text)
	case r.task.Tests.Style == benchmark.Stdin && !sameOutput(test, out.text):
		return &callFailure{Status: verdicts.Status(verdicts.WrongAnswer)}, nil
	}
	return nil, nil
}

// oversized returns a failure if the program alone would fill the box's limit on files. Unpacking
// holds files twice.
func (r *run) oversized(files map[string]string) *callFailure {
	size := 0
	for name, text := range files {
		size += 2 * len(text)
		if len(name) > longestFileName {
			return &callFailure{verdicts.Status(verdicts.CompileError), "a name in the program is too long for the file of its class"}
		}
	}
	if most := r.limits.FileMB << 20; size > most {
		return &callFailure{verdicts.Status(verdicts.OutputLimit), fmt.Sprintf("the program takes %d MB of files; the limit is %d MB", size>>21, most>>20)}
	}
	return nil
}

// longestFileName is the longest name of a file, in bytes, on Linux.
const longestFileName = 255

// outcome is the result of one run of a program.
type outcome struct {
	text   string
	failed *callFailure
}

// runOnce runs the program with one input.
func (r *run) runOnce(files map[string]string, source string, c benchmark.Run) (outcome, error) {
	if failed := r.oversized(files); failed != nil {
		return outcome{failed: failed}, nil
	}
	all := map[string]string{".input": c.Input}
	for _, more := range []map[string]string{c.Files, files} {
		maps.Copy(all, more)
	}
	limits := sampleLimits(r.limits.Limits)
	limits.AddressSpaceMB = 0
	argv := r.tool.run(r.tool.fileOf(source), r.limits.MemoryMB)
	budget := r.budget(0)
	how, word := asProgram, ""
	if r.isScript() {
		how, word = asTests, newWord()
		all[".word"] = word
		argv = slices.Insert(argv, 1, r.tool.End.Options...)
	}
	forked := r.forks(how)
	text, end, err := r.box(argv, how, limits, all, budget, r.limits.OutputKB<<10)
	if err != nil && forked {
		r.tool.forks.Store(false) // the sample is judged again without forking
	}
	if err != nil {
		return outcome{}, err
	}
	if forked && end.Cause == "" && end.Exit < 0 { // killed by a signal, perhaps only because it was forked
		r.unforked = true
		return r.runOnce(files, source, c)
	}
	r.clock.stop()
	r.clock.ended(end.Usage)
	failed := r.programFailure(end, source)
	if r.isScript() {
		if failed == nil && text != word {
			failed = &notAtTheEnd
			if said := failedAssertion(r.tool, end); said != "" { // of a framework that only counts them
				failed = &callFailure{verdicts.Status(verdicts.WrongAnswer), said}
			}
		}
		text = string(end.Stdout)
	}
	r.used += end.Usage.CPU
	r.caseCPU[len(r.caseCPU)+1] = end.Usage.CPU
	r.keepOutputs(end.Outputs)
	r.result.CPUMS = r.used.Milliseconds()
	r.result.MemoryKB = max(r.result.MemoryKB, end.Usage.PeakKB)
	if r.result.Stdout == "" {
		r.result.Stdout = verdicts.Clip(verdicts.StripEscapes(text), 16<<10)
	}
	if r.result.Stderr == "" {
		r.result.Stderr = verdicts.Clip(verdicts.StripEscapes(string(end.Stderr)), 16<<10)
	}
	switch {
	case end.Cause == sandbox.Idle:
		failed.Text = r.idled(end.Cause)
	case end.Cause == sandbox.CPU:
		failed.Text = r.beyond()
		r.stop()
	case failed == nil:
		failed = r.late(end.Usage.CPU)
	}
	if failed != nil {
		r.hogged(*failed)
	}
	return outcome{text, failed}, nil
}

// malformed checks whether the program has errors that a compiler would find.
func (r *run) malformed(files map[string]string, source string) (*callFailure, error) {
	argv := r.tool.words(r.tool.Check, r.tool.fileOf(source), r.limits.MemoryMB)
	all := map[string]string{".input": ""}
	maps.Copy(all, files)
	_, end, err := r.compile(argv, asCommand, all, 1<<20)
	if err != nil || end.Cause == "" && end.Exit == 0 {
		return nil, err
	}
	return compileFailure(end), nil
}

// compile runs a compiler in a box, with limits of its own.
func (r *run) compile(argv []string, how wiring, files map[string]string, limit int) (string, sandbox.Outcome, error) {
	clk := *r.clock
	defer func() { *r.clock = clk }()
	return r.box(argv, how, r.judge.compileLimits(), files, sandbox.Budget{CPU: r.judge.compileCPU, Wall: compileWall}, limit)
}

func compileFailure(end sandbox.Outcome) *callFailure {
	switch end.Cause {
	case "":
		return &callFailure{verdicts.Status(verdicts.CompileError), verdicts.Clip(verdicts.StripEscapes(strings.TrimSpace(string(end.Stderr))), 600)}
	case sandbox.CPU, sandbox.CPUTotal, sandbox.Idle:
		return &callFailure{verdicts.Status(verdicts.CompileError), "compiling it took longer than allowed"}
	case sandbox.Memory:
		return &callFailure{verdicts.Status(verdicts.CompileError), "compiling it took more memory than allowed"}
	}
	return &callFailure{verdicts.Status(verdicts.CompileError), "compiling it wrote more than allowed"}
}

// makeFast compiles the files by a standard with the fastest way that works.
func (r *run) makeFast(files map[string]string, compile, standard string) (made map[string]string, failed *callFailure, err error) {
	return r.once(files, compile, func() (map[string]string, *callFailure, error) {
		if r.tool.resident != nil {
			if made, failed, ok := r.makeByResident(files); ok {
				return made, failed, nil
			}
		}
		if r.tool.ahead != nil {
			if fast := r.tool.ahead(r.tool, files, standard); fast.command != "" {
				if made, failed, err := r.makeBy(fast.command, fast.files); err != nil || failed == nil {
					return made, nil, err
				}
			}
		}
		return r.makeBy(compile, files)
	})
}

// once returns what the command has made of the same files before, or else makes and keeps it.
func (r *run) once(files map[string]string, compile string, makes func() (map[string]string, *callFailure, error)) (made map[string]string, failed *callFailure, err error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q", r.tool.Title, r.tool.version, compile)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(hash, " %q %q", name, files[name])
	}
	key := [32]byte(hash.Sum(nil))
	if made, ok := r.judge.made.get(key); ok {
		return made, nil, nil
	}
	if made, failed, err = makes(); err == nil && failed == nil {
		r.judge.made.put(key, made)
	}
	return made, failed, err
}

// makeBy compiles the files with a shell command.
func (r *run) makeBy(compile string, files map[string]string) (made map[string]string, failed *callFailure, err error) {
	argv := []string{"/bin/sh", "-c", fmt.Sprintf("mkdir out && ( %s ) >&2 4>&- </dev/null && tar -cf - -C out . >&4", compile)}
	text, end, err := r.compile(argv, asCompiler, files, maxMade)
	if err != nil {
		return nil, nil, err
	}
	if end.Cause != "" || end.Exit != 0 {
		return nil, compileFailure(end), nil
	}
	if made, err = unarchived(text); err != nil {
		return nil, nil, fmt.Errorf("reading what a compiler made: %w", err)
	}
	return made, nil, nil
}

var errNotReady = errors.New("the program's box did not start")

// box runs a command with files in its working directory, and returns its output up to a limit.
// The error is never the sample's fault.
func (r *run) box(argv []string, how wiring, limits sandbox.Limits, files map[string]string, budget sandbox.Budget, limit int) (string, sandbox.Outcome, error) {
	spec := r.spec(argv, how, limits)
	if how.sample {
		spec.Outputs = r.task.Outputs
	}
	p, err := r.judge.box.Start(r.ctx, r.library.add(spec))
	if err != nil {
		return "", sandbox.Outcome{}, err
	}
	defer p.Close()
	r.result.Enforcement = p.Enforcement()
	p.Arm(sandbox.Budget{CPU: startCPU, Wall: startWall})
	w, reader := p.Control()
	_, err = w.Write(r.handOver(p, argv, how, files))
	ready := make([]byte, 1)
	if err == nil {
		_, err = io.ReadFull(reader, ready)
	}
	if err != nil || ready[0] != 'r' {
		end := p.Close()
		if end.Cause == sandbox.Files || end.Cause == sandbox.Output { // while unpacking
			return "", end, nil
		}
		return "", end, fmt.Errorf("%w: %s", errNotReady, describe(end))
	}
	r.clock.start()
	p.Arm(budget)
	text, _ := io.ReadAll(io.LimitReader(reader, int64(limit)+1))
	if len(text) > limit {
		p.Kill(sandbox.Output)
	}
	<-p.Done()
	end := p.Close()
	switch end.Cause {
	case sandbox.Cancelled:
		return "", end, context.Canceled
	case sandbox.Lost:
		return "", end, errLost
	}
	if (end.Exit == 126 || end.Exit == 127) && !foreign(r.judge.box) {
		for _, path := range r.tool.paths {
			if _, err := os.Stat(path); err != nil {
				return "", end, fmt.Errorf("a program disappeared: %w", err)
			}
		}
	}
	return string(text), end, nil
}

// artefacts caches compiled programs by the hash of their sources, up to a total size.
type artefacts struct {
	mu    sync.Mutex
	kept  map[[32]byte]map[string]string
	order [][32]byte
	size  int
}

const maxArtefacts = 128 << 20

func (a *artefacts) get(key [32]byte) (map[string]string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	made, ok := a.kept[key]
	return made, ok
}

func (a *artefacts) put(key [32]byte, made map[string]string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.kept[key]; known {
		return
	}
	if a.kept == nil {
		a.kept = map[[32]byte]map[string]string{}
	}
	a.kept[key], a.order, a.size = made, append(a.order, key), a.size+sizeOf(made)
	for a.size > maxArtefacts && len(a.order) > 1 {
		a.size -= sizeOf(a.kept[a.order[0]])
		delete(a.kept, a.order[0])
		a.order = a.order[1:]
	}
}

func sizeOf(files map[string]string) (size int) {
	for _, text := range files {
		size += len(text)
	}
	return size
}
