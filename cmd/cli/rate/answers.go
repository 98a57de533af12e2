package rate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/extract"
	"assay/benchmark/format"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/session"
	"assay/session/generate"
	"assay/session/overlap"
	"assay/session/pipeline"
)

// answers are the flags for answers that are of no session.
type answers struct {
	from    []string // MODEL=FILE, or a run
	results []string // MODEL=DIRECTORY
	tasks   string
	format  string
	choose  inputs.Chooser
}

func (a *answers) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&a.from, "answers", nil, "take the answers of `MODEL=FILE` of samples, or of the directory of a run; may be repeated")
	f.StringArrayVar(&a.results, "results", nil, "the verdicts of a MODEL's answers, as `MODEL=DIRECTORY` of results")
	f.StringVar(&a.tasks, "tasks", "", "the `file` or bundled benchmark that --answers answer")
	f.StringVar(&a.format, "tasks-format", "", inputs.TasksFormatHelp)
	a.choose.Flags(f)
}

// sampleKey identifies an answer of a model.
type sampleKey struct {
	task   string
	sample int
}

// answerReader adds answers to a pool.
type answerReader struct {
	pool   *overlap.Pool
	tasks  *benchmark.Benchmark
	keep   map[string]bool // ids of the chosen tasks
	tests  session.TestsSeen
	absent map[string]bool // ids of tasks that are not among them
}

// add adds all answers to a pool.
func (a *answers) add(ctx context.Context, io *console.IO, pool *overlap.Pool, tests session.TestsSeen) error {
	if a.tasks == "" {
		return console.Usagef("which tasks do the answers of --answers belong to? give --tasks FILE")
	}
	b, err := (&inputs.TaskLoader{Format: a.format, Err: io.Err}).Load(a.tasks)
	if err != nil {
		return err
	}
	filter, err := a.choose.Filter()
	if err != nil {
		return err
	}
	r := &answerReader{pool: pool, tasks: b, keep: map[string]bool{}, tests: tests, absent: map[string]bool{}}
	for i := range b.Tasks {
		if filter.Match(&b.Tasks[i]) {
			r.keep[b.Tasks[i].ID] = true
		}
	}
	if len(r.keep) == 0 {
		return a.choose.NoMatch(a.tasks, b.Pointers())
	}
	results := map[string]string{}
	for _, arg := range a.results {
		name, dir, ok := strings.Cut(arg, "=")
		if !ok || name == "" || dir == "" {
			return console.Usagef("--results takes MODEL=DIRECTORY, not %q", arg)
		}
		results[name] = dir
	}
	for _, arg := range a.from {
		if err := ctx.Err(); err != nil {
			return err
		}
		used, err := r.source(arg, results)
		if err != nil {
			return err
		}
		delete(results, used)
	}
	for name := range results {
		return console.Usagef("--results names %q, but no --answers does: give --answers %s=FILE", name, name)
	}
	if n := len(r.absent); n > 0 {
		for id := range r.absent {
			fmt.Fprintf(io.Err, "left out: answers to %d tasks that %s does not have, such as %s\n", n, a.tasks, id)
			break
		}
	}
	return nil
}

// source adds the answers of one argument, and returns the model whose results it used.
func (r *answerReader) source(arg string, results map[string]string) (model string, err error) {
	if info, err := os.Stat(arg); err == nil && info.IsDir() {
		models, prompts, err := generate.Names(arg)
		if err == nil {
			return "", r.run(arg, models, prompts)
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	model, path, named := strings.Cut(arg, "=")
	if _, err := os.Stat(arg); err == nil || !named {
		path, model = arg, strings.TrimSuffix(filepath.Base(strings.TrimSuffix(arg, ".gz")), filepath.Ext(arg))
	}
	if model == "" {
		return "", console.Usagef("--answers takes MODEL=FILE of samples, or the directory of a run, not %q", arg)
	}
	var rows []batch.Row
	if dir := results[model]; dir != "" {
		if rows, err = batch.ReadResults(dir); err != nil {
			return "", err
		}
	}
	return model, r.samples(model, path, rows)
}

// verdictOf is the verdict of a result; nil if there is none.
func verdictOf(row batch.Row) *session.VerdictRecorded {
	if row.Verdict == "" || row.Verdict == verdicts.NotJudged || row.Verdict == verdicts.SandboxError {
		return nil
	}
	return &session.VerdictRecorded{Attempt: 1, Verdict: string(row.Verdict), Passed: row.PassedTests, Total: row.TotalTests, Loads: row.Loads}
}

// bySample returns rows by their samples.
func bySample(rows []batch.Row) map[sampleKey]batch.Row {
	found := map[sampleKey]batch.Row{}
	for _, row := range rows {
		found[sampleKey{row.TaskID, row.Sample}] = row
	}
	return found
}

// run adds the answers of a run of batches, with their results.
func (r *answerReader) run(dir string, models, prompts []string) error {
	judged := map[[2]string]map[sampleKey]batch.Row{}
	results, err := pipeline.Results(dir)
	if err != nil {
		return err
	}
	for _, of := range results {
		rows, err := batch.ReadResults(of.Dir)
		if err != nil {
			return err
		}
		judged[[2]string{of.Model, of.Prompt}] = bySample(rows)
	}
	for _, model := range models {
		for _, prompt := range prompts {
			name := model
			if len(prompts) > 1 {
				name += ", " + prompt
			}
			err := generate.Each(dir, model, prompt, func(a generate.Answer) error {
				sample := format.Sample{TaskID: a.TaskID, Kind: format.Answer, Text: a.Text}
				return r.answer(name, dir, a.Sample, sample, verdictOf(judged[[2]string{model, prompt}][sampleKey{a.TaskID, a.Sample}]))
			})
			if err != nil && !errors.Is(err, os.ErrNotExist) { // no answers of that wording yet
				return err
			}
		}
	}
	return nil
}

// samples adds the answers of a file, with their results.
func (r *answerReader) samples(model, path string, rows []batch.Row) (err error) {
	in, err := format.OpenSamplesAs(path, "", r.tasks)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	found, numbers := bySample(rows), map[string]int{}
	for {
		s, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		n := numbers[s.TaskID]
		numbers[s.TaskID]++
		row := found[sampleKey{s.TaskID, n}]
		if task, err := r.tasks.Task(s.TaskID); err == nil && row.Task != "" && !row.Of(task, s) {
			return fmt.Errorf("%s:%d: the result of sample %d of %s is of another answer: evaluate the file again, and name its results with --results", s.Path, s.Line, n, s.TaskID)
		}
		if err := r.answer(model, path, n, s, verdictOf(row)); err != nil {
			return err
		}
	}
}

// answer adds one answer.
func (r *answerReader) answer(model, source string, n int, s format.Sample, verdict *session.VerdictRecorded) error {
	task, err := r.tasks.Task(s.TaskID)
	if err != nil {
		r.absent[s.TaskID] = true
		return nil
	}
	if !r.keep[task.ID] {
		return nil
	}
	a := overlap.ModelAnswer{Model: model, Source: source, Sample: n, Task: task, Text: s.Text, Result: verdict}
	var code extract.Extraction
	if task.Program() {
		code = batch.CodeOf(s, task)
	}
	a.Code, a.Method = code.Code, code.Method
	if s.Kind != format.Answer && strings.TrimSpace(s.Text) != "" {
		a.Text = "```" + task.Language + "\n" + strings.TrimRight(s.Text, "\n") + "\n```"
	}
	return r.pool.AddAnswer(r.tasks.Name, a, r.tests)
}
