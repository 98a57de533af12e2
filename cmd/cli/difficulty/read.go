package difficulty

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"assay/benchmark"
	"assay/benchmark/batch"
	"assay/benchmark/extract"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/eval"
	"assay/data/disk"
	"assay/scoring/irt"
	"assay/session/difficulty"
	"assay/session/generate"
	"assay/session/pipeline"
)

// responses reads all named results, and the testers, as one set of responses.
func (o *difficultyOptions) responses(io *console.IO, args []string) (irt.Responses, error) {
	var sittings []difficulty.Sitting
	var rest []string
	for _, arg := range args {
		if !difficulty.IsDataset(arg) {
			rest = append(rest, arg)
			continue
		}
		found, err := difficulty.ReadDataset(arg)
		if err != nil {
			return irt.Responses{}, err
		}
		sittings = append(sittings, found...)
	}
	switch {
	case o.from.testers && len(sittings) > 0:
		return irt.Responses{}, console.Usagef("--testers reads the store's sessions; a report's dataset is read without it: give only one of them")
	case o.from.testers:
		var err error
		if sittings, err = o.from.sittings(io); err != nil {
			return irt.Responses{}, err
		}
	}
	if len(sittings) == 0 {
		return o.modelResponses(io, rest)
	}
	testers, err := difficulty.FromTesters(sittings, difficulty.Outcome(o.from.outcome))
	if err != nil {
		return irt.Responses{}, err
	}
	if len(rest) > 0 {
		models, err := o.modelResponses(io, rest)
		if err != nil {
			return irt.Responses{}, err
		}
		if testers, err = difficulty.Together(models, testers); err != nil {
			return irt.Responses{}, err
		}
	}
	o.from.who, o.from.notes = testers.Who, testers.Notes
	return testers.Responses, nil
}

// modelResponses reads a table, or all named results as one set.
func (o *difficultyOptions) modelResponses(io *console.IO, args []string) (irt.Responses, error) {
	r, runs, dirs, err := readResults(io, args)
	if err != nil || len(runs) == 0 {
		return r, err
	}
	o.found, o.runs = runs, dirs
	return difficulty.FromRuns(runs, difficulty.By(o.by), difficulty.Score(o.score))
}

// compareOriginals adds the difficulty by original prompts, if their results are named. A respondent is a model.
func (o *difficultyOptions) compareOriginals(io *console.IO, a *difficulty.Analysis) error {
	if len(o.originals) == 0 {
		return nil
	}
	r, runs, _, err := readResults(io, o.originals)
	if err == nil && len(runs) > 0 {
		r, err = difficulty.FromRuns(runs, difficulty.ByModel, difficulty.Score(o.score))
	}
	if err == nil {
		err = a.CompareOriginals(r, o.originals)
	}
	if err != nil {
		return fmt.Errorf("--original: %w", err)
	}
	return nil
}

// readResults reads the responses of a table, or else all named results, with the directories of those that are runs.
func readResults(io *console.IO, args []string) (table irt.Responses, runs []difficulty.Run, dirs []string, err error) {
	if strings.HasSuffix(args[0], ".csv") {
		if len(args) > 1 {
			return table, nil, nil, console.Usagef("a table is analysed on its own: give only %s", args[0])
		}
		in, err := disk.Open(args[0])
		if err != nil {
			return table, nil, nil, fmt.Errorf("the table cannot be read: %w", err)
		}
		defer in.Close()
		table, err = difficulty.ReadCSV(args[0], in)
		return table, nil, nil, err
	}
	for _, arg := range args {
		if found, err := pipeline.Results(arg); err == nil {
			if len(found) == 0 {
				return table, nil, nil, fmt.Errorf("the run %s has no results yet: 'assay run batch' makes them", arg)
			}
			dirs = append(dirs, arg)
			for _, f := range found {
				rows, err := batch.ReadResults(f.Dir)
				if err != nil {
					return table, nil, nil, err
				}
				eval.SayUnreviewed(io, f.Model+", "+f.Prompt, rows)
				runs = append(runs, difficulty.Run{Model: f.Model, Prompt: f.Prompt, Rows: rows})
			}
			continue
		} else if !errors.Is(err, os.ErrNotExist) {
			return table, nil, nil, err
		}
		results, err := eval.ResultsIn([]string{arg})
		if err != nil {
			return table, nil, nil, err
		}
		if len(results) == 0 {
			return table, nil, nil, console.Usagef("there is no run, directory of results or table %q", arg)
		}
		rows, err := batch.ReadResults(results[0].Path)
		if err != nil {
			return table, nil, nil, fmt.Errorf("%s cannot be read: %w", results[0].Path, err)
		}
		runs = append(runs, difficulty.Run{Model: results[0].Name, Rows: rows})
	}
	return table, runs, dirs, nil
}

// codes returns a function that reads the programs of the runs' answers, with whether each is accepted.
func (o *difficultyOptions) codes(tasks *benchmark.Benchmark) func(func(difficulty.Code) error) error {
	return func(each func(difficulty.Code) error) error {
		for _, dir := range o.runs {
			results, err := pipeline.Results(dir)
			if err != nil {
				return err
			}
			for _, r := range results {
				rows, err := batch.ReadResults(r.Dir)
				if err != nil {
					return err
				}
				type sample struct {
					task   string
					number int
				}
				accepted := map[sample]bool{}
				for _, row := range rows {
					accepted[sample{row.TaskID, row.Sample}] = row.Verdict == verdicts.Accepted
				}
				if err := generate.Each(dir, r.Model, r.Prompt, func(a generate.Answer) error {
					task, err := tasks.Task(a.TaskID)
					if err != nil {
						return err
					}
					return each(difficulty.Code{Model: r.Model, Task: a.TaskID, Source: extract.Code(a.Text, task).Code, Accepted: accepted[sample{a.TaskID, a.Sample}]})
				}); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
