package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/benchmark"
	"assay/benchmark/sandbox"
	"assay/data/language"
)

// standards are the versions of a language that a compiler was asked for.
type standards struct {
	mu    sync.Mutex
	known map[string]bool // by name: whether it has them
}

// has reports whether the compiler has a standard. It is asked once, with a program that every standard accepts.
func (t *toolchain) has(ctx context.Context, box sandbox.Box, standard string) (bool, error) {
	t.standards.mu.Lock()
	defer t.standards.mu.Unlock()
	if known, asked := t.standards.known[standard]; asked {
		return known, nil
	}
	script := fmt.Sprintf(`mkdir out && printf %%s "$1" >%s && %s`, t.File, t.byStandard(t.compile(t.File), standard))
	end, err := finish(ctx, box, t.spec(script, []string{t.Double}, sandbox.Limits{MemoryMB: 1536, Processes: 64}))
	if err != nil || end.Cause != "" {
		return false, fmt.Errorf("asking the compiler of %s for %s: %w", t.Title, standard, cmp.Or(err, errUnanswered))
	}
	if t.standards.known == nil {
		t.standards.known = map[string]bool{}
	}
	t.standards.known[standard] = end.Exit == 0
	return end.Exit == 0, nil
}

// byStandard completes a command with the option of a standard.
func (t *toolchain) byStandard(command, standard string) string {
	option, _ := t.Option(standard)
	return strings.ReplaceAll(command, "{standard}", option)
}

// newest returns the newest standard that the compiler has.
func (t *toolchain) newest(ctx context.Context, box sandbox.Box) (string, error) {
	for _, s := range slices.Backward(t.Standards) {
		if has, err := t.has(ctx, box, s[0]); has || err != nil {
			return s[0], err
		}
	}
	return t.Standard, nil
}

// make compiles the files, or returns why they do not compile. A task that names no standard is compiled by the
// language's usual one, and if that fails by the newest that the compiler has.
func (r *run) make(files map[string]string, compile string) (made map[string]string, failed *callFailure, err error) {
	standard := cmp.Or(r.task.Standard, r.tool.Standard)
	made, failed, err = r.makeFast(files, r.tool.byStandard(compile, standard), standard)
	if failed != nil && err == nil && r.task.Standard == "" && standard != "" {
		newest, err := r.tool.newest(r.ctx, r.judge.box)
		if err != nil || newest == standard {
			return nil, failed, err
		}
		standard = newest
		command := r.tool.byStandard(compile, standard)
		made, failed, err = r.once(files, command, func() (map[string]string, *callFailure, error) { return r.makeBy(command, files) })
		if err != nil {
			return nil, nil, err
		}
	}
	if failed == nil && standard != r.tool.Standard {
		r.result.Interpreter += ", " + standard
	}
	return made, failed, err
}

// hasStandard returns why a task cannot be compiled by its standard here, or nil.
func (j *Judge) hasStandard(task *benchmark.Task, t *toolchain) error {
	if err := language.CheckStandard(task.Language, task.Standard); err != nil {
		return fmt.Errorf("the task's standard: %w", err)
	}
	if task.Standard == "" {
		return nil
	}
	has, err := t.has(j.ctx, j.box, task.Standard)
	if err == nil && !has {
		err = fmt.Errorf("the task's standard is %s, which %s does not know: install a newer compiler", task.Standard, t)
	}
	return err
}
