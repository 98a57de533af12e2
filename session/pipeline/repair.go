package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/extract"
	"assay/benchmark/outputs"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/generate"
	"assay/session/llm"
)

// sampleID identifies a sample of a run.
type sampleID struct {
	task   string
	number int
}

// history is the state of a run's samples after some rounds of repair: the answer that counts, and its result.
type history struct {
	run     *Run
	prompts map[string]string // the first prompt, by task
	answers map[sampleID]string
	rows    []batch.Row
}

// Repair lets the models repair the answers of a complete batch, in so many rounds: LiveCodeBench's scenario
// self-repair (Jain et al. 2024). A sample that is not accepted is asked for once more, with the task, the code
// and what was wrong with it. Its answer takes the place of the one before; accepted samples stay as they are.
//
// The outcome gets a run for each of its runs and each round, whose results are those of all samples after that
// round. What was asked and answered stands in repair-ROUND/MODEL in the batch's directory, itself a run with a
// prompt for each sample: Repair continues where it was stopped. Its error is that of Start; after it, or if an
// answer is missing, there are no further rounds of that model.
func Repair(ctx context.Context, o Options, outcome *Outcome, rounds int) error {
	var all []*history
	for i := range outcome.Runs {
		h, err := openHistory(o, &outcome.Runs[i])
		if err != nil {
			return err
		}
		all = append(all, h)
	}
	spent := outcome.Generation.Spent
	for round := 1; round <= rounds; round++ {
		for _, m := range o.Generate.Plan.Models {
			var mine []*history
			for _, h := range all {
				if h.run.Model == m.Name {
					mine = append(mine, h)
				}
			}
			x := repair{o: o, model: m, round: round, histories: mine}
			if err := x.do(ctx, outcome, &spent); err != nil {
				return err
			}
		}
	}
	return nil
}

// openHistory reads the first answers of a run.
func openHistory(o Options, r *Run) (*history, error) {
	h := &history{run: r, prompts: map[string]string{}, answers: map[sampleID]string{}}
	plan := o.Generate.Plan
	for i := range plan.Benchmark.Tasks {
		for _, p := range plan.Prompts(&plan.Benchmark.Tasks[i]) {
			if p.Name == r.Prompt {
				h.prompts[plan.Benchmark.Tasks[i].ID] = p.Text
			}
		}
	}
	err := generate.Each(o.Generate.Dir, r.Model, r.Prompt, func(a generate.Answer) error {
		h.answers[sampleID{a.TaskID, a.Sample}] = a.Text
		return nil
	})
	if err == nil {
		h.rows, err = batch.ReadResults(r.Dir)
	}
	return h, err
}

// repair is one round of one model.
type repair struct {
	o         Options
	model     llm.Model
	round     int
	histories []*history
}

// asked is the sample that a prompt of a repair asks for.
type asked struct {
	history *history
	row     int
}

// do asks for what is not accepted, judges it, and adds the runs after this round to the outcome.
func (x *repair) do(ctx context.Context, outcome *Outcome, spent *float64) error {
	prompts, of := x.prompts()
	if len(prompts) > 0 {
		o := x.o
		o.Generate.Dir = filepath.Join(o.Generate.Dir, fmt.Sprintf("repair-%d", x.round), outputs.SafeName(x.model.Name))
		o.Generate.Reuse = nil
		if o.Generate.Budget > 0 {
			o.Generate.Budget = max(o.Generate.Budget-*spent, 1e-9) // 0 is no limit
		}
		some := *o.Generate.Plan.Benchmark
		some.Tasks = nil
		for _, t := range o.Generate.Plan.Benchmark.Tasks {
			if len(prompts[t.ID]) > 0 {
				some.Tasks = append(some.Tasks, t)
			}
		}
		o.Generate.Plan = generate.Plan{Benchmark: &some, Models: []llm.Model{x.model}, N: 1, Attempt: x.round + 1,
			Prompts: func(t *benchmark.Task) []generate.Prompt { return prompts[t.ID] }}
		repaired, err := Start(ctx, o)
		if repaired != nil {
			*spent += repaired.Generation.Spent
		}
		if err != nil {
			return err
		}
		if !repaired.Complete() {
			return fmt.Errorf("%w: round %d of repairing the answers of %s is not complete; run the same command again to continue", generate.ErrStopped, x.round, x.model.Name)
		}
		if err := x.take(repaired, o.Generate.Dir, of); err != nil {
			return err
		}
	}
	for _, h := range x.histories {
		done, err := x.write(h)
		if err != nil {
			return err
		}
		outcome.Runs = append(outcome.Runs, *done)
	}
	return nil
}

// prompts returns what is asked about each task, with the sample that each prompt is for.
func (x *repair) prompts() (map[string][]generate.Prompt, map[sampleName]asked) {
	all, of := map[string][]generate.Prompt{}, map[sampleName]asked{}
	for _, h := range x.histories {
		for i, row := range h.rows {
			if row.Verdict == verdicts.Accepted || row.Verdict == verdicts.NotJudged || row.Verdict == verdicts.SandboxError {
				continue
			}
			task, err := x.o.Generate.Plan.Benchmark.Task(row.TaskID)
			if err != nil {
				continue // of an earlier version of the batch
			}
			name := fmt.Sprintf("%s sample %d", h.run.Prompt, row.Sample)
			all[task.ID] = append(all[task.ID], generate.Prompt{Name: name, Text: repairPrompt(task, h.prompts[task.ID], h.answers[sampleID{row.TaskID, row.Sample}], row), Unreviewed: h.run.Unreviewed})
			of[sampleName{task.ID, name}] = asked{h, i}
		}
	}
	return all, of
}

// sampleName identifies a prompt of a repair.
type sampleName struct{ task, prompt string }

// take replaces answers and results by those of the repair.
func (x *repair) take(repaired *Outcome, dir string, of map[sampleName]asked) error {
	for _, r := range repaired.Runs {
		rows, err := batch.ReadResults(r.Dir)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if a, known := of[sampleName{row.TaskID, r.Prompt}]; known {
				row.Sample = a.history.rows[a.row].Sample
				a.history.rows[a.row] = row
			}
		}
		if err := generate.Each(dir, r.Model, r.Prompt, func(answer generate.Answer) error {
			if a, known := of[sampleName{answer.TaskID, r.Prompt}]; known {
				a.history.answers[sampleID{answer.TaskID, a.history.rows[a.row].Sample}] = answer.Text
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// write writes the results of all samples after this round, and returns their run.
func (x *repair) write(h *history) (*Run, error) {
	r := *h.run
	r.Prompt = fmt.Sprintf("%s, repair %d", h.run.Prompt, x.round)
	r.Dir, r.Flagged, r.Account, r.Repair = resultsDir(x.o.Generate.Dir, r.Model, r.Prompt), nil, session.Account{}, x.round
	r.Summary = batch.Summarize(h.rows, x.o.Generate.Plan.Benchmark, x.o.K)
	return &r, batch.KeepResults(r.Dir, h.rows)
}

// repairPrompt asks to repair an answer: the task as it was asked, the code, and why it is not accepted.
func repairPrompt(task *benchmark.Task, asked, answer string, row batch.Row) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(asked) + "\n\nThis is an earlier answer:\n\n")
	found := extract.Code(answer, task)
	switch {
	case found.Code == "":
		b.WriteString(strings.TrimSpace(answer) + "\n\nNo code was found in it.")
	case !task.Program():
		b.WriteString(strings.TrimSpace(found.Code) + "\n\nIt is not correct.")
	default:
		fmt.Fprintf(&b, "```%s\n%s\n```\n\nIt is not correct: %s.", task.Language, strings.TrimSpace(found.Code), strings.ReplaceAll(string(row.Verdict), "_", " "))
	}
	if task.Program() || task.Repository != nil { // that of a prediction would be the value itself
		if why := strings.TrimSpace(row.FirstFailed); why != "" {
			b.WriteString(" " + why + ".")
		} else if row.Message != "" {
			b.WriteString("\n\n" + strings.TrimSpace(row.Message))
		}
	}
	b.WriteString("\n\nFirst explain in two or three sentences what is wrong. Then give the whole answer once more, corrected, in the form that was asked for.\n")
	return b.String()
}
