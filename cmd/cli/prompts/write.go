package prompts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/data/program"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/llm/endpoint"
	"assay/session/prompts"
	"assay/tui/frame"
)

// promptsWriteOptions are the flags of `assay prompts write`.
type promptsWriteOptions struct {
	Tasks
	model, out, templates string
	levels                []int
	wordings, reviewers   int
	reviewersGiven        bool
	parallel              int
	evaluated             []string
	rejected, mixed, dry  bool
}

func newPromptsWrite(io *console.IO, g *console.Globals) *cobra.Command {
	o := &promptsWriteOptions{}
	cmd := &cobra.Command{
		Use:   "write --tasks TASKS --model MODEL --out FILE",
		Short: "Have a model write wordings of tasks",
		Long: `Have a model write TaskEval's prompts: three context levels of six wordings for each
task. Level 1 says inputs, outputs and intent; level 2 also how it is done, from the
reference solution but without a name of it; level 3 with its steps and names. Examples
are taken out of the statement first. The first wording of a level is written from the
level before, the others say it again in other words.

Each prompt is kept in FILE as soon as it is written. Calling again goes on with what is
missing; what FILE has is not asked for again. A level 2 that names an identifier of the
reference is asked for twice more, then kept and flagged. Nothing is used before it was
reviewed: 'assay prompts review FILE'. Ctrl+c lets the requests under way end, up to half
a minute, and keeps what they bring; a second one gives them up. Exit code 3: some could
not be written, and calling again tries those.`,
		Example: "  assay prompts write --tasks core-python --model local --out prompts.jsonl --dry-run\n  assay prompts write --tasks HumanEval.jsonl.gz --model local --out prompts.jsonl --reviewers 2",
		Args:    console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.reviewersGiven = cmd.Flags().Changed("reviewers")
			return runPromptsWrite(cmd, io, g, o)
		},
	}
	f := cmd.Flags()
	o.Flags(cmd)
	f.StringVar(&o.model, "model", "", "the `name` of the model that writes, as 'assay models' lists it")
	f.StringVar(&o.out, "out", "", "the `file` of written prompts")
	f.IntSliceVar(&o.levels, "levels", []int{1, 2, 3}, "the context `levels`")
	console.Bounds(f, "levels", 1, benchmark.MaxContextLevel)
	f.IntVar(&o.wordings, "wordings", prompts.MaxWordings, "`number` of wordings of each level, 1 to 6")
	console.Bounds(f, "wordings", 1, prompts.MaxWordings)
	f.IntVar(&o.reviewers, "reviewers", 1, "`number` of people who are to decide about each prompt, 1 or 2; FILE keeps that it was begun with")
	console.Bounds(f, "reviewers", 1, 2)
	f.StringVar(&o.templates, "templates", "", "the `folder` of templates to ask with (default: assay's own; see 'assay prompts templates')")
	f.IntVar(&o.parallel, "parallel", 0, "`number` of tasks that are written for at a time (default: the model's max_concurrent, else 4)")
	console.Bounds(f, "parallel", 0, 1000)
	f.StringSliceVar(&o.evaluated, "evaluated", nil, "`names` of the models to be evaluated with the prompts: warns where the writer is one of them")
	f.BoolVar(&o.rejected, "rejected", false, "write anew what reviewers rejected")
	f.BoolVar(&o.mixed, "mixed", false, "continue FILE although it was begun with another model or other templates")
	f.BoolVar(&o.dry, "dry-run", false, "say what would be asked and what it may cost, and stop")
	return cmd
}

func (o *promptsWriteOptions) check() error {
	slices.Sort(o.levels)
	o.levels = slices.Compact(o.levels)
	switch {
	case o.model == "" || o.out == "":
		return console.Usagef("assay prompts write needs a model and a file: give --model NAME and --out FILE")
	}
	return nil
}

func runPromptsWrite(cmd *cobra.Command, io *console.IO, g *console.Globals, o *promptsWriteOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	b, tasks, err := o.Load(io)
	if err != nil {
		return err
	}
	abandon, done := console.SecondInterrupt(func(said string) { fmt.Fprintln(io.Err, said) })
	defer done()
	w, model, err := promptWriter(io, g, o.model, o.templates, func(c llm.Client) llm.Client { return llm.Graceful(c, Grace, abandon) })
	if err != nil {
		return err
	}
	w.Levels, w.Wordings, w.Rejected, w.Parallel = o.levels, o.wordings, o.rejected, o.parallel
	if w.Parallel == 0 {
		w.Parallel = model.Limits().Concurrent
	}
	if err := warnEvaluated(io, g, w.Author, o.evaluated); err != nil {
		return err
	}
	if err := Ready(io, model); err != nil && !o.dry {
		return err
	}
	if w.Set, err = o.set(b, w); err != nil {
		return err
	}
	if w.Set != nil {
		defer w.Set.Close()
		SayStale(io, w.Set, tasks)
	}
	places, without := w.Missing(tasks)
	sayWithout(io, without)
	if o.dry {
		return dryRun(io, w, model, places)
	}
	return writePrompts(cmd.Context(), io, w, tasks, len(places), o)
}

// Grace is how long requests under way may take to finish when writing is stopped.
const Grace = 30 * time.Second

// Client opens a model that is asked for many answers. under may wrap the client that sends the requests; it may be nil.
func Client(io *console.IO, g *console.Globals, name string, under func(llm.Client) llm.Client) (llm.Client, llm.Model, error) {
	models, err := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
	if err != nil {
		return nil, llm.Model{}, err
	}
	model, err := models.Get(name)
	if err != nil {
		return nil, model, err
	}
	if model.Provider == llm.ProviderPaste {
		return nil, model, console.Usagef("the model paste is a person with a chat page, who cannot write this many answers: choose another")
	}
	deps := inputs.ModelsDeps(io)
	deps.Once = true
	client, err := model.Client(deps)
	if err != nil {
		return nil, model, err
	}
	if under != nil {
		client = under(client)
	}
	return endpoint.New(model.Limits(), deps.Random).Client(client), model, nil
}

// Ready returns an error with its exit code if a model is not ready.
func Ready(io *console.IO, model llm.Model) error {
	ready, why := model.Ready(inputs.ModelsDeps(io))
	if ready {
		return nil
	}
	code := console.ExitAuth
	if model.StartsProgram() || model.Provider == llm.ProviderReplay {
		code = console.ExitError
	}
	return console.WithCode(code, fmt.Errorf("the model %s is not ready: %s", model.Name, why))
}

// Outcome returns how a run of requests ended, with its exit code: failed requests, and the error that ended it.
func Outcome(ctx context.Context, failures int, err error) error {
	var failed *llm.Error
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case errors.As(err, &failed) && failed.Class == llm.Auth:
		return console.WithCode(console.ExitAuth, err)
	case errors.Is(err, generate.ErrBudget) || errors.As(err, &failed):
		return console.WithCode(console.ExitPartial, fmt.Errorf("no more requests are sent: %w; run the same command again to continue", err))
	case err != nil:
		return err
	case failures > 0:
		return console.WithCode(console.ExitPartial, fmt.Errorf("%s failed: run the same command again to continue", frame.Count(failures, "request")))
	}
	return nil
}

// promptWriter returns a writer with a model and templates, but no file yet. under may wrap the client that
// sends the requests; it may be nil.
func promptWriter(io *console.IO, g *console.Globals, name, folder string, under func(llm.Client) llm.Client) (*prompts.Writer, llm.Model, error) {
	client, model, err := Client(io, g, name, under)
	if err != nil {
		return nil, model, err
	}
	templates, err := Templates(folder, prompts.TemplateNames())
	if err != nil {
		return nil, model, err
	}
	return &prompts.Writer{Client: client, Author: prompts.AuthorOf(model), Templates: templates}, model, nil
}

// warnEvaluated warns if the model that writes prompts is evaluated with them.
func warnEvaluated(io *console.IO, g *console.Globals, author prompts.Author, names []string) error {
	if len(names) == 0 {
		return nil
	}
	models, err := llm.LoadModels(llm.ModelsPath(g.Models, io.Getenv))
	if err != nil {
		return err
	}
	for _, name := range names {
		m, err := models.Get(name)
		if err != nil {
			return err
		}
		if author.Same(m) {
			fmt.Fprintf(io.Err, "warning: %s writes the prompts and is evaluated on them as %s: it may do better with its own wording; have another model write them\n", author.Name, m.Name)
		}
	}
	return nil
}

// set opens or creates the file of prompts. For a dry run it is nil if there is no file.
func (o *promptsWriteOptions) set(b *benchmark.Benchmark, w *prompts.Writer) (*prompts.Set, error) {
	_, err := os.Stat(o.out)
	var set *prompts.Set
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.dry:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return prompts.Create(o.out, prompts.Header{Benchmark: b.Name, Author: w.Author, Templates: w.Templates.Hash(), Reviewers: o.reviewers})
	case o.dry:
		set, err = prompts.Open(o.out)
	default:
		set, err = prompts.Change(o.out)
	}
	if err != nil {
		return nil, err
	}
	if err := o.fits(set.Header, b, w); err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return set, nil
}

// fits returns why an existing file cannot be continued.
func (o *promptsWriteOptions) fits(h prompts.Header, b *benchmark.Benchmark, w *prompts.Writer) error {
	other := ""
	wanted := max(1, h.Reviewers)
	switch {
	case h.Benchmark != b.Name:
		return fmt.Errorf("%s has prompts for the benchmark %s, but these tasks are from %s: give another file with --out", o.out, h.Benchmark, b.Name)
	case o.reviewersGiven && o.reviewers != wanted:
		return fmt.Errorf("%s was begun with %d reviewers for each prompt, but --reviewers is %d: leave --reviewers out to continue with %[2]d, or begin another file with --out", o.out, wanted, o.reviewers)
	case o.mixed:
		return nil
	case h.Author.Definition != w.Author.Definition:
		other = fmt.Sprintf("it was begun by the model %s, and %s is not the same or has other settings", h.Author.Name, w.Author.Name)
	case h.Templates != w.Templates.Hash():
		other = "it was begun with other templates"
	default:
		return nil
	}
	return fmt.Errorf("%s cannot be continued: %s; give another file with --out, or mix both with --mixed", o.out, other)
}

func sayWithout(io *console.IO, without []*benchmark.Task) {
	if len(without) == 0 {
		return
	}
	ids := make([]string, 0, 5)
	for _, t := range without[:min(len(without), 5)] {
		ids = append(ids, t.ID)
	}
	if len(without) > 5 {
		ids = append(ids, "…")
	}
	fmt.Fprintf(io.Err, "%s no reference solution, and so level 1 only: %s\n", console.Counted(len(without), "task has", "tasks have"), strings.Join(ids, ", "))
}

func dryRun(io *console.IO, w *prompts.Writer, model llm.Model, places []prompts.Place) error {
	tasks, levels := map[string]bool{}, map[int]int{}
	for _, p := range places {
		tasks[p.Task.ID] = true
		levels[p.Level]++
	}
	table := console.NewTable(io.Out)
	fmt.Fprintf(table, "model\t%s\ntemplates\t%s\ntasks\t%d\n", model.Name, w.Templates.Hash(), len(tasks))
	for _, level := range w.Levels {
		fmt.Fprintf(table, "level %d\t%s\n", level, frame.Count(levels[level], "prompt"))
	}
	in, out := w.Rough(places)
	fmt.Fprintf(table, "requests\t%d, and up to %d more where level 2 names identifiers\n", len(places), 2*levels[2])
	fmt.Fprintf(table, "tokens\tabout %d in, %d out (four letters to a token)\n", in, out)
	if amount, currency, known := model.Cost(in, 0, out); known {
		fmt.Fprintf(table, "cost\tabout %.2f %s\n", amount, currency)
	} else {
		fmt.Fprintf(table, "cost\tnot known: the models file has no price_in and price_out for %s\n", model.Name)
	}
	return table.Flush()
}

// writePrompts writes what is missing, and reports its progress.
func writePrompts(ctx context.Context, io *console.IO, w *prompts.Writer, tasks []*benchmark.Task, missing int, o *promptsWriteOptions) error {
	if missing == 0 {
		fmt.Fprintf(io.Err, "%s already has all of these prompts: nothing is requested\n", o.out)
		return nil
	}
	every := max(1, missing/20)
	w.Progress = func(p prompts.Progress) {
		switch done := p.Written + p.Failed; {
		case p.Err != nil:
			fmt.Fprintf(io.Err, "%s %s could not be written: %v\n", p.Task, p.Name, p.Err)
		case done%every == 0 || done == p.Total:
			fmt.Fprintf(io.Err, "%d of %d written · %d failed · %d tokens in, %d out · %s %s\n", p.Written, p.Total, p.Failed, p.In, p.Out, p.Task, p.Name)
		}
	}
	p, err := w.Write(ctx, tasks)
	left := p.Total - p.Written
	fmt.Fprintf(io.Err, "%s written to %s", frame.Count(p.Written, "prompt"), o.out)
	if left > 0 {
		fmt.Fprintf(io.Err, "; %d are missing: run the same command again to continue", left)
	}
	fmt.Fprintf(io.Err, "\nreview them: assay prompts review %s --tasks %s\n", program.Word(o.out), program.Word(o.File))
	switch {
	case err != nil:
		return Outcome(ctx, 0, err)
	case left > 0:
		return console.WithCode(console.ExitPartial, fmt.Errorf("%d of %d prompts could not be written", left, p.Total))
	}
	return nil
}
