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

// wiring is what becomes of the descriptors of a box when a program takes it over. The
// file .input, if there is one, becomes its standard input.
type wiring struct {
	script  string // which does that in a shell
	answers int    // the descriptor that the channel of answers becomes
	keep    bool   // that of orders stays open
	sample  bool   // the command is that of samples' programs, which may be forked
}

// The wirings.
var (
	// asProgram has what the program prints be its answer.
	asProgram = wiring{"exec 3<&- 0<.input >&4 4>&- && rm -f .input", 1, false, true}
	// asCommand is for others.
	asCommand = wiring{asProgram.script, 1, false, false}
	// asTests is for scripts, see proof.go.
	asTests = wiring{"exec 3<&- 0<.input 7<.word 8>&4 4>&- && rm -f .input .word", 8, false, true}
	// asCompiler lets the command write what it made as its answer.
	asCompiler = wiring{"exec 3<&-", 4, false, false}
	// asServer leaves both channels to a program that answers calls.
	asServer = wiring{":", 4, true, false}
)

// spec describes a box in which argv runs once its files are there, see handOver. Of warm
// boxes one process after the other is forked, which costs less than a box, a shell and tar.
func (r *run) spec(argv []string, w wiring, limits sandbox.Limits) sandbox.Spec {
	limits.Processes += r.tool.threads
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
	if python := r.judge.python; r.judge.noPython == nil && foreign(r.judge.box) == nil {
		spec.Fork = &sandbox.Fork{Interpreter: python.command(), Before: pythonBecome, After: "_become()"}
		for _, dir := range prefixBind(python.Prefix) {
			if !slices.Contains(spec.Binds, dir) {
				spec.Binds = append(spec.Binds[:len(spec.Binds):len(spec.Binds)], dir)
			}
		}
	}
	return spec
}

// handOver is what a process that was started by spec reads first.
func (r *run) handOver(p sandbox.Process, argv []string, w wiring, files map[string]string) []byte {
	if !p.Ready() {
		return archive(files)
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

// forks reports whether a program is forked from its interpreter, which has started before.
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

// forkTrial has the language's trial forked: interpreters are not made for that, and one of
// another version may do something else.
func (r *run) forkTrial() bool {
	t := &run{judge: r.judge, tool: r.tool, ctx: r.judge.ctx, task: &benchmark.Task{}, limits: limits{Limits: benchmark.Limits{}.WithDefaults()}, inTrial: true}
	t.clock = r.judge.newClock(t.limits.Limits)
	boxed := sampleLimits(t.limits.Limits)
	boxed.AddressSpaceMB = 0
	file := t.tool.file("")
	files := map[string]string{file: t.tool.trialText, ".input": "read"}
	text, end, err := t.box(t.tool.run(t.tool, file, "", t.limits.Limits), asProgram, boxed, files, sandbox.Budget{CPU: startCPU, Wall: startWall}, 1<<10)
	return err == nil && end.Cause == "" && end.Exit == 0 && text == "read true\n"
}
