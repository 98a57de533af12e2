package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"assay/benchmark"
	"assay/benchmark/assemble"
	"assay/benchmark/extract"
	"assay/benchmark/format"
	"assay/benchmark/outputs"
	"assay/benchmark/repository/outcomes"
	"assay/benchmark/verdicts"
	"assay/scoring"
)

// grower is a Judge that can increase the number of samples it judges at a time, see
// [judge.Judge.Grow].
type grower interface{ Grow() bool }

// Options are the options of an evaluation.
type Options struct {
	Samples   string              // the path of the sample file or folder
	Format    format.SampleFormat // of the samples; "": detected from the first lines
	Model     string              // samples of other models are left out; "": none are
	Benchmark *benchmark.Benchmark
	K         []int  // for pass@k; empty: 1
	Out       string // directory for results.jsonl; "": results are not written
	Judge     verdicts.Judge
	By        [][]string // the fields to split metrics by, one or two at a time

	Replace bool // drop the results in Out, even if most are of other samples

	Rules  format.Rules     // that were applied to the tasks, for the results
	Filter benchmark.Filter // samples of other tasks are left out

	// FirstFailure judges samples only up to their first failing test case: faster, and without
	// the metrics that need all cases.
	FirstFailure bool

	// NoMeasures skips the static measures of the programs.
	NoMeasures bool

	// Analysis rates the code of each sample by other analysers than assay's own rules. It may be nil.
	Analysis *Analysis

	// Unreviewed marks every result: the samples answer prompts that a model wrote and nobody
	// reviewed.
	Unreviewed bool

	// Sampled is called with the tasks that have samples, before anything is judged. It may be nil.
	Sampled func([]*benchmark.Task)

	// Progress is called after every sample, always from the same goroutine. It may be nil.
	Progress func(Progress)

	// Say receives warnings. It may be nil.
	Say func(string)

	judged func(Row) // is called with every result, always from the same goroutine; nil: it is not
}

// Progress is how far an evaluation has come.
type Progress struct {
	Done, Total int
	Reused      int // of Done: results of an earlier run
	Held        int // held back, to be judged again alone at the end
	Verdicts    map[verdicts.Verdict]int
	Elapsed     time.Duration
	Left        time.Duration // an estimate from the times of each task's samples; 0: none yet
}

// Rate returns the number of samples judged per second.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.Done-p.Reused) / p.Elapsed.Seconds()
}

// ErrInterrupted is returned, with a summary of what was done, when the context is cancelled.
var ErrInterrupted = errors.New("the evaluation was interrupted")

// Eval judges all samples of a file. It reads the file twice: first to find every mistake before
// anything runs.
func Eval(ctx context.Context, o Options) (*Summary, error) {
	if len(o.K) == 0 {
		o.K = []int{1}
	}
	tasks, hashes := taskHashes(o.Benchmark)
	counts, total, absent, err := o.survey(tasks)
	if err != nil {
		return nil, err
	}
	if err := checkK(o.K, counts, tasks); err != nil {
		return nil, err
	}
	if err := Alone(o.Out, ChoicesName, o.Replace); err != nil {
		return nil, err
	}
	keep, err := openResults(o.Out, func(old map[key]Row) error { return o.chooseOld(ctx, old, tasks, hashes) })
	if err != nil {
		return nil, err
	}
	e := &evaluation{Options: o, tasks: tasks, hashes: hashes, keep: keep,
		tally: newTally(tasks), history: newHistory(counts), started: time.Now(), total: total, measuring: newMeasuring(o.Judge)}
	samples, err := o.open()
	if err != nil {
		return nil, errors.Join(err, keep.close())
	}
	defer samples.Close()
	summary, err := e.evaluate(ctx, inOrder(samples))
	summary.Absent, summary.Model = absent, o.Model
	for i := range o.Benchmark.Tasks {
		if t := &o.Benchmark.Tasks[i]; counts[t.ID] == 0 && !t.Practice && o.Filter.Match(t) {
			summary.Unsampled++
		}
	}
	return summary, err
}

// Next returns the samples of an evaluation one by one, each with its number within its task,
// from 0, then io.EOF. It may wait for them.
type Next func(context.Context) (s format.Sample, number int, err error)

// Follow judges samples that arrive while it runs: planned of them, if all arrive. pass@k is
// withheld where a task gets fewer samples than k.
func Follow(ctx context.Context, o Options, planned int, next Next) (*Summary, error) {
	if len(o.K) == 0 {
		o.K = []int{1}
	}
	tasks, hashes := taskHashes(o.Benchmark)
	keep, err := openResults(o.Out, nil)
	if err != nil {
		return nil, err
	}
	e := &evaluation{Options: o, tasks: tasks, hashes: hashes, keep: keep,
		tally: newTally(tasks), history: newHistory(map[string]int{"": planned}), started: time.Now(), total: planned, measuring: newMeasuring(o.Judge)}
	return e.evaluate(ctx, next)
}

// evaluate judges the samples that next returns, and summarizes them.
func (e *evaluation) evaluate(ctx context.Context, next Next) (*Summary, error) {
	if n := e.keep.torn; n > 0 && e.Say != nil {
		e.Say(fmt.Sprintf("%s: %d of its lines are damaged, as by a power loss; their samples are judged again", e.keep.path, n))
	}
	err := e.run(ctx, next)
	if closeErr := e.keep.close(); closeErr != nil && (err == nil || errors.Is(err, ErrInterrupted)) {
		err = closeErr // an interrupted evaluation continues with what it has written
	}
	if e.keep.twice && (err == nil || errors.Is(err, ErrInterrupted)) {
		rows, readErr := ReadResults(e.Out)
		if err = cmp.Or(readErr, err); readErr == nil {
			err = cmp.Or(KeepResults(e.Out, rows), err)
		}
	}
	summary := e.tally.summary(e.K, e.By)
	summary.Planned, summary.Reused, summary.Seconds = e.total, e.reused, time.Since(e.started).Seconds()
	return summary, err
}

// inOrder numbers the samples of a file within their tasks.
func inOrder(samples *format.Samples) Next {
	numbers := map[string]int{}
	return func(context.Context) (format.Sample, int, error) {
		s, err := samples.Next()
		if err != nil {
			return s, 0, err
		}
		number := numbers[s.TaskID]
		numbers[s.TaskID]++
		return s, number, nil
	}
}

// open opens the samples for one reading.
func (o *Options) open() (*format.Samples, error) {
	samples, err := format.OpenSamplesAs(o.Samples, o.Format, o.Benchmark)
	if err == nil {
		samples.Only(o.Model)
	}
	return samples, err
}

// checkK refuses a k larger than some task's n: silently leaving such tasks out would change the
// question.
func checkK(ks []int, counts map[string]int, tasks map[string]*benchmark.Task) error {
	for _, k := range ks {
		if k < 1 {
			return fmt.Errorf("pass@%d cannot be computed: k must be at least 1", k)
		}
		fewest, short := "", 0
		for id, n := range counts {
			if !tasks[id].HasTests() || n >= k {
				continue
			}
			short++
			if fewest == "" || n < counts[fewest] || n == counts[fewest] && id < fewest {
				fewest = id
			}
		}
		if short > 0 {
			others := ""
			if short > 1 {
				others = fmt.Sprintf(", and %d more tasks have too few", short-1)
			}
			return fmt.Errorf("pass@%d cannot be computed: it needs at least %d samples for each task, and %s has %d%s; "+
				"choose a smaller k or generate more samples: %w", k, k, fewest, counts[fewest], others, scoring.ErrTooFewSamples)
		}
	}
	return nil
}

// evaluation is one run of Eval.
type evaluation struct {
	Options
	tasks   map[string]*benchmark.Task
	hashes  map[string]string
	keep    *results
	tally   *tally
	history *history
	started time.Time
	total   int
	reused  int
	written bool // a result that was not there before

	unfit map[string]bool // reasons why repository tasks cannot be judged here that were said

	holding sync.Mutex
	held    []job // for judgeHeld

	measuring  chan struct{} // bounds the programs measured at a time
	unmeasured sync.Once     // warns that workers do not measure
}

// newMeasuring bounds the programs measured at a time: as many as a judge on this machine judges,
// and for a judge that waits for others, a few for each processor.
func newMeasuring(j verdicts.Judge) chan struct{} {
	return make(chan struct{}, max(1, min(j.Workers(), 4*runtime.NumCPU())))
}

// job is a sample on its way to a worker; a reused result is ready from the start.
type job struct {
	row    Row
	sample format.Sample
	ready  bool
	again  bool // a reused result has other measures than before
	alone  bool // judge it alone, for the second time
	past   *past
}

func (e *evaluation) run(ctx context.Context, next Next) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	count := max(e.Judge.Workers(), 1)
	jobs, rows := newQueue(count, e.history), make(chan job)
	defer context.AfterFunc(ctx, jobs.wake)()
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		defer jobs.close()
		if err := e.feed(ctx, next, jobs); err != nil {
			cancel(err)
		}
	}()
	var workers sync.WaitGroup
	work := func() {
		worker := jobs.join()
		for j, ok := jobs.take(worker); ok; j, ok = jobs.take(worker) {
			work := e.judge
			if j.ready {
				work = e.measureAgain
			}
			if err := work(ctx, &j); err != nil {
				cancel(err) // a cancelled context keeps its first cause
				continue
			}
			e.history.learn(j.row.TaskID, time.Duration(j.row.WallMS)*time.Millisecond, j.ready)
			if !j.ready && e.hold(j) {
				continue
			}
			rows <- j
		}
	}
	for range count {
		workers.Go(work)
	}
	if g, grows := e.Judge.(grower); grows {
		workers.Go(func() { e.grow(g, jobs, fed, func() { workers.Go(work) }) })
	}
	go func() {
		defer close(rows)
		workers.Wait()
		if err := e.judgeHeld(ctx, rows); err != nil {
			cancel(err)
		}
	}()
	var failed error
	for j := range rows {
		if failed == nil {
			if failed = e.record(j); failed != nil {
				cancel(failed)
			}
		}
	}
	switch cause := context.Cause(ctx); {
	case failed != nil:
		return failed
	case cause == nil:
		return nil
	case errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded):
		return ErrInterrupted
	default:
		return cause
	}
}

// growEvery is the interval of asking the judge for one more worker.
const growEvery = 250 * time.Millisecond

// grow starts further workers while the judge allows it and many samples wait, until all samples
// are handed out.
func (e *evaluation) grow(g grower, jobs *queue, fed <-chan struct{}, begin func()) {
	tick := time.NewTicker(growEvery)
	defer tick.Stop()
	for {
		select {
		case <-fed:
			return
		case <-tick.C:
		}
		if jobs.plenty() && g.Grow() {
			begin()
		}
	}
}

// feed queues the samples, with results of earlier runs.
func (e *evaluation) feed(ctx context.Context, next Next, jobs *queue) error {
	for {
		s, number, err := next(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if e.tasks[s.TaskID] == nil {
			return fmt.Errorf("%s changed while it was read: start again", e.Samples)
		}
		if !e.Filter.Match(e.tasks[s.TaskID]) {
			continue
		}
		j := job{sample: s, row: Row{TaskID: s.TaskID, Sample: number, Rules: e.Rules,
			Unreviewed: e.Unreviewed, Content: contentHash(e.hashes[s.TaskID], string(s.Kind), s.Text), Task: e.hashes[s.TaskID][:16]}}
		if old, same := e.keep.earlier(j.row); same && (e.FirstFailure || !old.Stopped) {
			j.row, j.ready = old, true
		}
		if !jobs.put(ctx, j) {
			return nil
		}
	}
}

func (e *evaluation) judge(ctx context.Context, j *job) error {
	task := e.tasks[j.sample.TaskID]
	found := CodeOf(j.sample, task)
	code := found.Code
	j.row.Extraction, j.row.Found, j.row.Candidates = found.Method, assemble.Noted(found.Note, task, code), nil
	if len(found.Candidates) > 1 {
		j.row.Candidates = found.Candidates
	}
	name := fmt.Sprintf("%s %s %d %s", e.Out, j.row.TaskID, j.row.Sample, j.row.Content)
	if j.alone {
		name += againSuffix
	}
	r, err := e.Judge.Judge(ctx, verdicts.Submission{Task: task, Code: code, Assembly: j.sample.Kind.Assembly(), Measure: !e.NoMeasures,
		VerdictOnly: e.FirstFailure, Alone: j.alone, Name: name})
	if err != nil {
		return err
	}
	j.row.Verdict, j.row.PassedTests, j.row.TotalTests = r.Verdict, r.Passed, r.Total
	j.row.FailedTests, j.row.FirstFailed = failedTests(r.Cases), r.Why()
	j.row.Stopped = e.FirstFailure && r.Loaded() && slices.ContainsFunc(r.Cases, func(c verdicts.CaseResult) bool { return c.Status == verdicts.NotRun })
	j.row.CPUMS, j.row.WallMS, j.row.MemoryKB = r.CPUMS, r.WallMS, r.MemoryKB
	j.row.Allowed = r.Allowed
	j.row.Resolution, j.row.PutBack, j.row.ToReview, j.row.RepeatsCall = r.Resolution, r.PutBack, r.ToReview, r.RepeatsCall
	j.row.Message, j.row.Isolation, j.row.Enforcement = r.Message, r.Isolation, r.Enforcement
	j.row.MissingTool, j.row.Loads = r.MissingTool, r.Loaded()
	if !e.NoMeasures && task.Program() {
		j.row.Measures = e.measured(r, task, code, j.sample.Kind.Assembly())
		if err := e.analyse(ctx, j.row.Measures, task, j.row.Sample, code, j.sample.Kind.Assembly()); err != nil {
			return err
		}
	}
	j.row.Interpreter, j.row.Library, j.row.Worker, j.row.Assay = r.Interpreter, r.Library, r.Worker, r.Assay
	return e.keepOutputs(&j.row, r.Outputs)
}

// outputsName is the directory, within that of the results, for files that programs wrote.
const outputsName = "outputs"

// keepOutputs writes the files of a sample to outputs/TASK/SAMPLE/, before its row mentions them,
// and puts their description into the row.
func (e *evaluation) keepOutputs(row *Row, files []verdicts.OutputFile) error {
	if len(files) == 0 {
		return nil
	}
	if e.Out != "" {
		sub := outputs.SafeName(row.TaskID) + "/" + strconv.Itoa(row.Sample)
		if _, err := outputs.Write(filepath.Join(e.Out, outputsName), sub, files); err != nil {
			return err
		}
	}
	for _, f := range files {
		row.Outputs = append(row.Outputs, f.WithoutData())
	}
	return nil
}

// CodeOf returns a sample's code, and how it was found or the kind of the sample.
func CodeOf(s format.Sample, task *benchmark.Task) extract.Extraction {
	if s.Kind == format.Answer {
		return extract.Code(s.Text, task)
	}
	found := extract.Extraction{Code: s.Text, Method: string(s.Kind)}
	if s.Kind == format.Completion {
		var stop string
		if found.Code, stop = format.Stopped(s.Text, task); stop != "" {
			found.Note = fmt.Sprintf("The completion was cut at the task's stop token %q.", stop)
		}
	}
	return found
}

// measureAgain measures a sample whose earlier result has no measures, or not those of the analysers that are named: it
// was only run, or written by an older version, which did not record whether it loads either.
func (e *evaluation) measureAgain(ctx context.Context, j *job) error {
	task, asked := e.tasks[j.sample.TaskID], ""
	if e.Analysis != nil {
		asked = e.Analysis.Asked
	}
	if m := j.row.Measures; e.NoMeasures || !task.Program() || m != nil && (m.Asked == asked || m.CodeLines == 0) {
		return nil
	}
	code, before := CodeOf(j.sample, task).Code, j.row.Measures
	j.row.Measures = measure(task, code, j.sample.Kind.Assembly())
	j.row.Loads = j.row.Loads || j.row.PassedTests > 0
	err := e.analyse(ctx, j.row.Measures, task, j.row.Sample, code, j.sample.Kind.Assembly())
	j.again = !reflect.DeepEqual(before, j.row.Measures)
	return err
}

// changed removes what was made of earlier results, before the first new one.
func (e *evaluation) changed() error {
	if e.written || e.Out == "" {
		return nil
	}
	e.written = true
	return dropMade(e.Out, "")
}

func (e *evaluation) record(j job) error {
	if j.ready {
		e.reused++
		e.keep.twice = e.keep.twice || j.again
	}
	if !j.ready || j.again {
		if err := errors.Join(e.changed(), e.keep.write(j.row)); err != nil {
			return err
		}
	}
	e.tally.add(j.row)
	if why := j.row.Message; j.row.Resolution == outcomes.EnvironmentError && e.Say != nil && !e.unfit[why] {
		if e.unfit == nil {
			e.unfit = map[string]bool{}
		}
		e.unfit[why] = true
		e.Say(fmt.Sprintf("%s cannot be judged here: %s", j.row.TaskID, why))
	}
	if e.judged != nil {
		e.judged(j.row)
	}
	if e.Progress != nil {
		elapsed := time.Since(e.started)
		e.Progress(Progress{Done: e.tally.samples, Total: e.total, Reused: e.reused, Held: e.heldCount(),
			Verdicts: e.tally.verdicts, Elapsed: elapsed, Left: e.history.left(elapsed)})
	}
	return nil
}
