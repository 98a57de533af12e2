package judge

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay/benchmark"
	"assay/benchmark/sandbox"
)

//go:embed python/become.py
var pythonBecome string

// wiring describes where the descriptors of a box go when a program takes the box over. The file
// .input, if present, becomes the program's standard input. It moves out of the working directory, and
// is not removed: PHP and others follow /dev/stdin to the name of a file.
type wiring struct {
	script  string // shell commands that redirect the descriptors
	answers int    // the descriptor that the answer channel becomes
	keep    bool   // the order channel stays open
	sample  bool   // the command runs a sample's program, which may be forked
}

// The wirings.
var (
	// asProgram makes standard output the answer.
	asProgram = wiring{"mv .input .. && exec 3<&- 0<../.input >&4 4>&-", 1, false, true}
	// asCommand is asProgram for commands that are not a sample's.
	asCommand = wiring{asProgram.script, 1, false, false}
	// asTests wires a script, see proof.go.
	asTests = wiring{"mv .input .. && exec 3<&- 0<../.input 7<<END 8>&4 4>&- &&\n$(cat .word)\nEND\nrm -f .word", 8, false, true}
	// asCompiler makes what the command writes to descriptor 4 the answer.
	asCompiler = wiring{"exec 3<&-", 4, false, false}
	// asServer leaves both channels to a program that answers calls.
	asServer = wiring{":", 4, true, false}
)

// spec describes a box that runs argv once its files have arrived, see handOver. A warm box forks
// one process after another, which costs less than a box, a shell and tar for each.
func (r *run) spec(argv []string, w wiring, limits sandbox.Limits) sandbox.Spec {
	limits.Processes += r.tool.Threads
	spec := sandbox.Spec{
		Argv:   append([]string{"/bin/sh", "-c", "tar -xf - <&3 && printf r >&4 && " + w.script + ` && exec "$@"`, "program"}, argv...),
		Env:    r.tool.environment(),
		Binds:  r.tool.binds,
		Limits: limits,
	}
	if r.forks(w) {
		spec.Fork = r.tool.fork(r.tool, argv)
		return spec
	}
	if python := r.judge.python; r.judge.noPython == nil && !foreign(r.judge.box) {
		spec.Fork = &sandbox.Fork{Interpreter: python.command(), Before: pythonBecome, After: "_become()"}
		for _, dir := range prefixBind(python.Prefix) {
			if !slices.Contains(spec.Binds, dir) {
				spec.Binds = append(spec.Binds[:len(spec.Binds):len(spec.Binds)], dir)
			}
		}
	}
	return spec
}

// handOver encodes the first message to a process started by spec: its files, and for a warm box
// the command.
func (r *run) handOver(p sandbox.Process, argv []string, w wiring, files map[string]string) []byte {
	if !p.Ready() {
		return sandbox.Archive(files, 0o755) // any of them may be a program
	}
	keep := "close"
	if w.keep {
		keep = "keep"
	}
	head := append([]string{strconv.Itoa(w.answers), keep, strconv.Itoa(len(argv))}, argv...)
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		head = append(head, name, strconv.Itoa(len(files[name])))
	}
	text := strings.Join(head, "\x00")
	order := fmt.Appendf(nil, "%08x%s", len(text), text)
	for _, name := range names {
		order = append(order, files[name]...)
	}
	return order
}

// forks reports whether a program is forked from an interpreter that already runs.
func (r *run) forks(w wiring) bool {
	if r.tool.fork == nil || !w.sample || r.unforked || r.tool.trialText == "" {
		return false
	}
	if r.inTrial {
		return true
	}
	r.tool.trial.Do(func() {
		r.tool.forks.Store(r.forkTrial())
	})
	return r.tool.forks.Load()
}

// forkTrial runs the language's trial program in a forked interpreter. Interpreters are not made
// to be forked, and another version may behave differently.
func (r *run) forkTrial() bool {
	t := &run{judge: r.judge, tool: r.tool, ctx: r.judge.ctx, task: &benchmark.Task{}, limits: fixedLimits(benchmark.Limits{}.WithDefaults()), inTrial: true}
	t.clock = r.judge.newClock(t.limits.Limits)
	boxed := sampleLimits(t.limits.Limits)
	boxed.AddressSpaceMB = 0
	file := t.tool.File
	files := map[string]string{file: t.tool.trialText, ".input": "read"}
	text, end, err := t.box(t.tool.run(file, t.limits.MemoryMB), asProgram, boxed, files, sandbox.Budget{CPU: startCPU, Wall: startWall}, 1<<10)
	return err == nil && end.Cause == "" && end.Exit == 0 && text == "read true\n"
}
