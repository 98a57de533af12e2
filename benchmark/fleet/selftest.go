package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/verdicts"
	"assay/data/language"
)

// known is a sample with its expected verdict.
type known struct {
	name string
	task benchmark.Task
	code string
	want verdicts.Verdict
}

// selfTest judges samples with known verdicts in each of the languages. Its error names all that were
// judged differently: such a machine would give wrong verdicts.
func selfTest(ctx context.Context, j verdicts.Judge, languages []string) (judged int, err error) {
	var list []known
	for _, language := range languages {
		list = append(list, knownSamples(language)...)
	}
	var mu sync.Mutex
	var wrong []string
	var running errgroup.Group
	running.SetLimit(max(j.Workers(), 1))
	for _, k := range list {
		running.Go(func() error {
			r, err := j.Judge(ctx, verdicts.Submission{Task: &k.task, Code: k.code, Assembly: assemble.Program})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				wrong = append(wrong, fmt.Sprintf("%s: %v", k.name, err))
			case r.Verdict != k.want:
				wrong = append(wrong, fmt.Sprintf("%s is %s, not %s (%s)", k.name, r.Verdict, k.want, r.Message))
			}
			return nil
		})
	}
	_ = running.Wait() // the errors are in wrong
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return len(list), fmt.Errorf("%d of %d samples with known verdicts are judged wrongly here, so this worker takes no work: %s", len(wrong), len(list), strings.Join(wrong, "; "))
	}
	return len(list), nil
}

// prove judges the known samples of a language before its first work, while other work goes on. If one is
// judged wrongly, the worker ends.
func (w *Worker) prove(ctx context.Context, language string) bool {
	if !w.o.SelfTest {
		return true
	}
	w.mu.Lock()
	if w.tests[language] == nil {
		w.tests[language] = sync.OnceValue(func() error {
			start := time.Now()
			n, err := selfTest(ctx, w.o.Judge, []string{language})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				w.bar(err)
				return err
			}
			w.say(fmt.Sprintf("self-test   %s: %d known answers judged correctly in %.1f s", language, n, time.Since(start).Seconds()))
			return nil
		})
	}
	test := w.tests[language]
	w.mu.Unlock()
	return test() == nil
}

// knownSamples returns the test samples of a language. Python has more, since every judge of functions
// needs it.
func knownSamples(language string) []known {
	list := knownPrograms(language)
	if language != "python" {
		return list
	}
	task := benchmark.Task{ID: "self-test/double", Title: "double", Language: "python", EntryPoint: "double",
		Tests:  benchmark.Tests{Style: benchmark.Calls},
		Limits: benchmark.Limits{CPUSeconds: 1, CPUTotal: 2, WallSeconds: 20, MemoryMB: 200}}
	for i := range 3 {
		task.Tests.Cases = append(task.Tests.Cases, benchmark.Case{Args: []json.RawMessage{json.RawMessage(fmt.Sprint(i + 3))}, Expected: json.RawMessage(fmt.Sprint(2*i + 6))})
	}
	for _, k := range []known{
		{name: "a good function", want: verdicts.Accepted, code: "def double(x):\n    return 2 * x\n"},
		{name: "a wrong function", want: verdicts.WrongAnswer, code: "def double(x):\n    return x * x\n"},
		{name: "a function that raises", want: verdicts.RuntimeError, code: "def double(x):\n    raise ValueError(x)\n"},
		{name: "a function without end", want: verdicts.TimeLimit, code: "def double(x):\n    while True:\n        pass\n"},
		{name: "a memory-hungry function", want: verdicts.MemoryLimit, code: "def double(x):\n    held = []\n    while True:\n        held.append(bytearray(8 << 20))\n"},
		{name: "a result that equals everything", want: verdicts.WrongAnswer, code: "class Any:\n    def __eq__(self, other):\n        return True\n    def __ne__(self, other):\n        return False\n    __hash__ = None\n\ndef double(x):\n    return Any()\n"},
		{name: "a program that ends well before its tests", want: verdicts.RuntimeError, code: "import os\nprint('accepted')\nos._exit(0)\n"},
	} {
		k.task = task
		if k.want == verdicts.MemoryLimit { // a slow machine takes seconds to fill memory
			k.task.Limits.CPUSeconds, k.task.Limits.CPUTotal = 15, 30
		}
		list = append(list, k)
	}
	return list
}

// knownPrograms returns the language's own program that doubles a number, for a right and a wrong expectation.
func knownPrograms(id string) (list []known) {
	e := entryOf(id)
	if e == nil || e.Double == "" {
		return nil
	}
	for _, k := range []struct {
		name, output string
		want         verdicts.Verdict
	}{{"a good program in ", "42\n", verdicts.Accepted}, {"a wrong program in ", "43\n", verdicts.WrongAnswer}} {
		task := benchmark.Task{ID: "self-test/" + e.Name, Title: "double", Language: e.Name,
			Tests: benchmark.Tests{Style: benchmark.Stdin, Runs: []benchmark.Run{{Input: "21\n", Output: k.output}, {Input: "0\n", Output: "0\n"}}}}
		list = append(list, known{name: k.name + e.Name, task: task, code: e.Double, want: k.want})
	}
	return list
}

// entryOf returns the entry that a card calls by id, or nil.
func entryOf(id string) *language.Entry {
	for _, name := range language.Names() {
		if language.ID(name) == id {
			return language.Find(name)
		}
	}
	return nil
}
