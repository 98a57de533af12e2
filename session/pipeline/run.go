package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"assay/benchmark/batch"
	"assay/benchmark/format"
	"assay/benchmark/outputs"
	"assay/benchmark/verdicts"
	"assay/session"
	"assay/session/generate"
)

// Options specify what to run.
type Options struct {
	Generate   generate.Options // without Progress
	Judge      verdicts.Judge
	K          []int // for pass@k in the summaries; empty: 1
	NoMeasures bool
	Analysis   *batch.Analysis // by other analysers than assay's own rules; nil: by these

	// Progress is called a few times a second, from one goroutine. It may be nil.
	Progress func(Progress)

	// Say receives sentences about anything unusual. It may be nil.
	Say func(string)
}

// Progress is the progress of all stages.
type Progress struct {
	Generate generate.Progress
	Judged   int // of Generate.Cells
	Reused   int // part of Judged: by an earlier run
	Verdicts map[verdicts.Verdict]int
}

// Outcome is the result of a batch.
type Outcome struct {
	Generation generate.Summary `json:"generation"`
	Runs       []Run            `json:"runs"`
}

// Run is one model with one kind of prompt.
type Run struct {
	Model      string                             `json:"model"`
	Prompt     string                             `json:"prompt"`
	Dir        string                             `json:"dir"`        // of its results
	Repair     int                                `json:"repair"`     // the round of repair after which these are the results; 0: the first answers
	Unreviewed bool                               `json:"unreviewed"` // a model wrote some of its prompts, and nobody reviewed them
	Planned    int                                `json:"planned"`    // samples
	Stored     int                                `json:"stored"`     // answered samples
	Account    session.Account                    `json:"account"`    // what these answers took, as the server counts it
	Summary    *batch.Summary                     `json:"summary"`
	Flagged    map[string]map[int][]generate.Flag `json:"flagged"` // unusual answers, by task and sample
}

// Complete reports whether running the batch again could add nothing.
func (o *Outcome) Complete() bool {
	for _, r := range o.Runs {
		if r.Summary.Partial() {
			return false
		}
	}
	return o.Generation.Complete()
}

// Judged returns the number of first answers with a result.
func (o *Outcome) Judged() int {
	n := 0
	for _, r := range o.Runs {
		if r.Repair == 0 {
			n += r.Summary.Samples
		}
	}
	return n
}

// batchRun is one call of Start.
type batchRun struct {
	o       Options
	run     *generate.Run
	results []*Run

	mu   sync.Mutex
	last []batch.Progress // by index in results
}

// Start generates what is missing, and judges and measures answers while others are still being generated.
// It returns the outcome even with an error: generate.ErrStopped, generate.ErrBudget, or a disk error.
func Start(ctx context.Context, o Options) (*Outcome, error) {
	b := &batchRun{o: o}
	o.Generate.Progress = b.report
	run, err := generate.Open(o.Generate)
	if err != nil {
		return nil, err
	}
	b.run = run
	b.results = plan(o.Generate)
	b.last = make([]batch.Progress, len(b.results))

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	// Judging continues if generation has stopped on its own.
	errs := make([]error, len(b.results))
	var judging sync.WaitGroup
	for i := range b.results {
		judging.Go(func() {
			if errs[i] = b.judge(ctx, i); errs[i] != nil {
				stop(errs[i])
			}
		})
	}
	generated := run.Generate(ctx)
	b.watch(&judging)
	outcome := &Outcome{Generation: run.Summary()}
	for _, r := range b.results {
		r.Flagged, r.Stored, r.Account = run.Flagged(r.Model, r.Prompt), run.Stored(r.Model, r.Prompt), run.Account(r.Model, r.Prompt)
		outcome.Runs = append(outcome.Runs, *r)
	}
	for _, err := range errs {
		if err != nil && !errors.Is(err, batch.ErrInterrupted) {
			return outcome, errors.Join(err, run.Close())
		}
	}
	if generated == nil && errors.Is(context.Cause(ctx), context.Canceled) {
		generated = generate.ErrStopped
	}
	return outcome, errors.Join(generated, run.Close())
}

// plan lists the expected results: models in order, each with every kind of prompt.
func plan(o generate.Options) []*Run {
	var all []*Run
	count, unreviewed := map[string]int{}, map[string]bool{}
	var names []string
	for i := range o.Plan.Benchmark.Tasks {
		for _, p := range o.Plan.Prompts(&o.Plan.Benchmark.Tasks[i]) {
			if count[p.Name] == 0 {
				names = append(names, p.Name)
			}
			count[p.Name]++
			unreviewed[p.Name] = unreviewed[p.Name] || p.Unreviewed
		}
	}
	for _, m := range o.Plan.Models {
		for _, name := range names {
			all = append(all, &Run{Model: m.Name, Prompt: name, Planned: count[name] * o.Plan.N, Unreviewed: unreviewed[name],
				Dir: resultsDir(o.Dir, m.Name, name)})
		}
	}
	return all
}

// judge judges the answers of one model to one kind of prompt as they arrive.
func (b *batchRun) judge(ctx context.Context, i int) error {
	r := b.results[i]
	answers := b.run.Read(r.Model, r.Prompt)
	defer answers.Close()
	var err error
	r.Summary, err = batch.Follow(ctx, batch.Options{Benchmark: b.o.Generate.Plan.Benchmark, Out: r.Dir, Judge: b.o.Judge, K: b.o.K, NoMeasures: b.o.NoMeasures, Analysis: b.o.Analysis, Unreviewed: r.Unreviewed,
		Progress: func(p batch.Progress) { b.note(i, p) }, Say: b.o.Say}, r.Planned,
		func(ctx context.Context) (format.Sample, int, error) {
			a, err := answers.Next(ctx)
			return format.Sample{TaskID: a.TaskID, Kind: format.Answer, Text: a.Text}, a.Sample, err
		})
	if err != nil {
		return fmt.Errorf("judging the answers of %s to %s: %w", r.Model, r.Prompt, err)
	}
	return nil
}

// note records the progress of a result. The evaluation owns the map of verdicts.
func (b *batchRun) note(i int, p batch.Progress) {
	p.Verdicts = maps.Clone(p.Verdicts)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last[i] = p
}

// report combines the progress of judging and of generation.
func (b *batchRun) report(g generate.Progress) {
	if b.o.Progress == nil {
		return
	}
	p := Progress{Generate: g, Verdicts: map[verdicts.Verdict]int{}}
	b.mu.Lock()
	for _, last := range b.last {
		p.Judged, p.Reused = p.Judged+last.Done, p.Reused+last.Reused
		for v, n := range last.Verdicts {
			p.Verdicts[v] += n
		}
	}
	b.mu.Unlock()
	b.o.Progress(p)
}

// watch waits until everything is judged, and keeps reporting progress.
func (b *batchRun) watch(judging *sync.WaitGroup) {
	over := make(chan struct{})
	go func() { judging.Wait(); close(over) }()
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		b.report(b.run.Progress())
		select {
		case <-tick.C:
		case <-over:
			b.report(b.run.Progress())
			return
		}
	}
}

func resultsDir(dir, model, prompt string) string {
	return filepath.Join(dir, generate.ResultsName, outputs.SafeName(model), outputs.SafeName(prompt))
}

// Results lists the results of the run in a directory, without their contents.
func Results(dir string) ([]Run, error) {
	models, prompts, err := generate.Names(dir)
	if err != nil {
		return nil, err
	}
	var all []Run
	for _, model := range models {
		for _, prompt := range prompts {
			r := Run{Model: model, Prompt: prompt, Dir: resultsDir(dir, model, prompt)}
			if _, err := os.Stat(r.Dir); err == nil {
				all = append(all, r)
			}
		}
	}
	return all, nil
}
