package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/cmd/cli/console"
	"assay/cmd/cli/eval"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/scoring/stats"
	"assay/session"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/pipeline"
	"assay/session/prompts"
	"assay/tui/frame"
)

// generateOptions are the flags of `assay run generate`.
type generateOptions struct {
	tasks  string
	format string // of the tasks
	choose inputs.Chooser
	models []string
	n      int
	ks     string
	run    runFlags
	json   bool

	kinds      []string // of prompts
	written    string
	unreviewed bool
	same       string
}

// runFlags are the flags of every verb that generates answers.
type runFlags struct {
	out    string
	extend bool
	reuse  []string
	budget float64
	dry    bool
}

func (f *runFlags) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "the `directory` of the run")
	flags.BoolVar(&f.extend, "extend", false, "ask for more than the run in --out was made for: more samples, tasks, prompts or models")
	flags.StringSliceVar(&f.reuse, "reuse", nil, "take answers to the same cells from the `runs` in these directories")
	flags.Float64Var(&f.budget, "budget", 0, "stop before more than this `amount` is spent, in the currency of the models' prices")
	console.Bounds(flags, "budget", 0, 1e12)
	flags.BoolVar(&f.dry, "dry-run", false, "only say how many answers, tokens and how much money it takes")
}

func newGenerate(io *console.IO, g *console.Globals) *cobra.Command {
	o := &generateOptions{}
	cmd := &cobra.Command{
		Use:   "generate --tasks FILE --model NAME --out DIRECTORY",
		Short: "Ask models for n answers to every prompt of every task",
		Long: `Ask models for answers: tasks × models × prompts × n samples. Every answer is kept in
the directory as soon as it is complete, in a file of samples for each model and prompt,
` + "`DIRECTORY/answers/MODEL/PROMPT.jsonl`" + `, which 'assay eval' judges. The same command goes on
with a run that was stopped or killed; nothing that is stored is asked for again.

Each server is asked as fast as it likes: how many requests at a time is found out as it
goes, limits of the models file and Retry-After are kept to, failures that may pass are
tried again, and a server that fails more than it answers is left alone.

PROMPTS are level-1 (description and signature), level-2 (with constraints) and level-3
(with examples), or context-1 to context-3 where tasks have such statements. Where a task
lacks constraints or examples, two levels are the same text: a run with both is refused
unless --same-prompts names these tasks.

Exit codes: 0 all answers are there, 3 some are missing and the same command goes on,
4 a key is missing or refused, 5 another process works on the run.`,
		Example: "  assay run generate --tasks HumanEval.jsonl.gz --model local --n 20 --k 1,10 --out run\n" +
			"  assay eval run/answers/local/level-3.jsonl --tasks HumanEval.jsonl.gz --k 1,10",
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runGenerate(cmd.Context(), io, g, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.tasks, "tasks", "", "the `file` of tasks, or the name of a bundled benchmark")
	f.StringVar(&o.format, "tasks-format", "", inputs.TasksFormatHelp)
	o.choose.Flags(cmd.Flags())
	f.StringSliceVar(&o.models, "model", nil, "the `names` of models, or patterns such as 'gpt-*'; see 'assay models'")
	f.StringSliceVar(&o.kinds, "prompt", nil, "the kinds of `prompts` (default: level-3)")
	f.StringVar(&o.written, "written-prompts", "", "a `file` of prompts that 'assay prompts write' has made")
	f.BoolVar(&o.unreviewed, "unreviewed", false, "also use written prompts that nobody has reviewed; the results say so")
	f.StringVar(&o.same, "same-prompts", "", "a `filter`: tasks whose prompts of two levels may be the same text, as no:constraints")
	f.IntVar(&o.n, "n", 1, "samples of each prompt of each task")
	console.Bounds(f, "n", 1, 1000000)
	f.StringVar(&o.ks, "k", "1", "the k of pass@k that the samples are for; several with commas")
	o.run.flags(cmd)
	console.JSONFlag(f, &o.json, "print one JSON object", generate.Summary{}, []generate.Estimate{})
	return cmd
}

func runGenerate(ctx context.Context, io *console.IO, g *console.Globals, o *generateOptions) error {
	ks, err := eval.ParseKs(o.ks)
	if err != nil {
		return err
	}
	switch {
	case o.tasks == "":
		return console.Usagef("assay run generate needs tasks: give --tasks FILE")
	case len(o.models) == 0:
		return console.Usagef("assay run generate needs a model: give --model NAME; 'assay models' lists them")
	}
	plan, notes, err := o.plan(io, g.Models)
	if err != nil {
		return err
	}
	if !o.run.dry { // which asks nothing
		plan.Holds = inputs.ContextSizes(ctx, io, plan.Models)
	}
	console.SayNotes(io, append(notes, generate.Warnings(plan, ks)...))
	if o.run.dry {
		return estimateRun(io, o.run, plan, o.json)
	}
	if o.run.out == "" {
		return console.Usagef("assay run generate needs a directory for the answers: give --out DIRECTORY")
	}
	show := console.NewPanel(io.Err)
	x, err := judges.NewExecution(judges.Isolation{}, io.Getenv) // opened by agents alone
	if err != nil {
		return err
	}
	defer x.Close()
	options, done := o.run.options(io, plan, x, show.Say)
	defer done()
	options.Progress = func(p generate.Progress) { show.Show(generateLines(p)) }
	run, err := generate.Open(options)
	if err != nil {
		return runError(err)
	}
	err = run.Generate(ctx)
	show.End()
	summary := run.Summary()
	if err := errors.Join(keepGoing(err), run.Close()); err != nil {
		return err
	}
	if o.json {
		if err := console.WriteJSON(io, summary); err != nil {
			return err
		}
	} else {
		printGenerated(io, summary)
	}
	return generateStatus(summary, err)
}

// plan combines tasks, models and prompts to a plan.
func (o *generateOptions) plan(io *console.IO, models string) (plan generate.Plan, notes []string, err error) {
	if o.unreviewed && o.written == "" {
		return plan, nil, console.Usagef("--unreviewed means written prompts: give --written-prompts FILE")
	}
	filter, err := o.choose.Filter()
	if err != nil {
		return plan, nil, err
	}
	tasks, err := (&inputs.TaskLoader{Format: o.format, Err: io.Err}).Load(o.tasks)
	if err != nil {
		return plan, nil, err
	}
	plan.N = o.n
	if plan.Benchmark, _, err = pipeline.ChooseTasks(tasks, filter, pipeline.Draw{}); err != nil {
		return plan, nil, err
	}
	known, err := llm.LoadModels(llm.ModelsPath(models, io.Getenv))
	if err != nil {
		return plan, nil, err
	}
	if plan.Models, err = pipeline.ChooseModels(known, o.models); err != nil {
		return plan, nil, console.Usagef("--model: %v", err)
	}
	kinds := o.kinds
	var set *prompts.Set
	if o.written != "" {
		if set, err = prompts.Open(o.written); err != nil {
			return plan, nil, err
		}
	} else if len(kinds) == 0 {
		kinds = []string{pipeline.DefaultKind}
	}
	if plan.Same, err = generate.NamedBy(o.same); err != nil {
		return plan, nil, console.Usagef("--same-prompts: %v", err)
	}
	plan.Prompts, notes, err = pipeline.Prompts(plan.Benchmark, kinds, set, o.unreviewed)
	return plan, append(notes, pipeline.Evaluated(set, plan.Models)...), err
}

// options returns the options of a run; done stops listening for interrupts.
func (f *runFlags) options(io *console.IO, plan generate.Plan, agents llm.Agents, say func(string)) (o generate.Options, done func()) {
	abandon, done := console.SecondInterrupt(say)
	deps := inputs.ModelsDeps(io)
	deps.Agents = agents
	return generate.Options{Plan: plan, Dir: f.out, Extend: f.extend, Reuse: f.reuse, Budget: f.budget, Dry: f.dry,
		Deps: deps, Abandon: abandon}, done
}

// keepGoing returns only errors after which the summary is meaningless.
func keepGoing(err error) error {
	if errors.Is(err, generate.ErrStopped) || errors.Is(err, generate.ErrBudget) {
		return nil
	}
	return err
}

// runError sets the exit code for an error of opening a run.
func runError(err error) error {
	if errors.Is(err, generate.ErrInUse) {
		return console.WithCode(console.ExitInUse, err)
	}
	return err
}

// generateStatus returns the exit code of a generation, with why answers of each model are missing.
func generateStatus(s generate.Summary, err error) error {
	code, down := console.ExitPartial, false
	var reasons []string
	for _, m := range s.Models {
		var failed *llm.Error
		switch {
		case errors.Is(m.Err, generate.ErrBudget) && err != nil: // which says so
		case m.Err != nil:
			if down = true; errors.As(m.Err, &failed) && failed.Class == llm.Auth {
				code = console.ExitAuth
			}
			reasons = append(reasons, fmt.Sprintf("%s: %v", m.Name, m.Err))
		case m.Last != nil && m.Stored < m.Cells:
			reasons = append(reasons, fmt.Sprintf("%s: %v", m.Name, m.Last))
		}
	}
	said := fmt.Sprintf("%d of %d answers are missing; run the same command again to continue", s.Cells-s.Stored, s.Cells)
	switch {
	case err == nil && s.Complete():
		return nil
	case len(reasons) > 1:
		said += "; failures.jsonl in the run has all that failed, the last ones of each model:\n  " + strings.Join(reasons, "\n  ")
	case len(reasons) == 1 && down:
		said = reasons[0] + "; " + said
	case len(reasons) == 1:
		said = fmt.Sprintf("%s failed for good, the last one: %s (failures.jsonl in the run has all); %s", frame.Count(s.Failed, "request"), reasons[0], said)
	}
	if err != nil && code != console.ExitAuth {
		return console.WithCode(code, fmt.Errorf("%w: %s", err, said))
	}
	return console.WithCode(code, errors.New(said))
}

// estimateRun prints what a run would cost.
func estimateRun(io *console.IO, f runFlags, plan generate.Plan, asJSON bool) error {
	options, done := f.options(io, plan, nil, func(string) {})
	defer done()
	run, err := generate.Open(options)
	if err != nil {
		return err
	}
	defer run.Close()
	all := run.Estimates()
	if asJSON {
		return console.WriteJSON(io, all)
	}
	w := console.NewNumbers(io.Out)
	fmt.Fprintln(w, "model\tanswers\tstored\tto ask\ttokens in\ttokens out\tcost\t")
	for _, e := range all {
		price := money(e.Cost, e.Currency)
		if e.Free {
			price = "none"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", e.Model, e.Cells, e.Stored, e.Cells-e.Stored, e.InputTokens, e.OutputTokens, price)
	}
	w.Flush()
	how := "Tokens are guessed: four characters each in prompts, 400 an answer. Nothing was asked."
	for _, e := range all {
		if e.Measured {
			how = "Tokens are as the stored answers have them, on average. Nothing was asked."
		}
	}
	fmt.Fprintln(io.Out, how)
	return nil
}

func money(amount float64, currency string) string {
	if currency == "" {
		return "unknown"
	}
	places := 2
	if amount < 0.1 {
		places = 4
	}
	return stats.Round(amount, places) + " " + currency
}

// generateLines returns the lines of a run's panel.
func generateLines(p generate.Progress) []string {
	first := fmt.Sprintf("answers %d/%d", p.Stored, p.Cells)
	if p.Failed > 0 {
		first += fmt.Sprintf("  failed %d", p.Failed)
	}
	first += fmt.Sprintf("  in flight %d  %.1f/s  %.0f tokens/s", p.InFlight, p.Rate(), p.TokensPerSecond())
	if p.Currency != "" {
		first += fmt.Sprintf("  %s of about %s", money(p.Spent, p.Currency), money(p.Expected, p.Currency))
	}
	if left := p.Left(); left > 0 {
		first += fmt.Sprintf("  %v left", left)
	}
	lines := []string{first}
	for _, s := range p.Servers {
		if s.Left == 0 && s.Down == nil {
			continue
		}
		line := fmt.Sprintf("  %s: %d to go, up to %d at a time, %d requests", s.Model, s.Left, s.Limit, s.Requests)
		if s.Retries > 0 {
			line += fmt.Sprintf(", %d of them again", s.Retries)
		}
		switch wait := time.Until(s.Until).Round(time.Second); {
		case s.Down != nil:
			line += "; given up: " + s.Down.Error()
		case wait > 0:
			line += fmt.Sprintf("; the server asks to wait %v", wait)
		}
		lines = append(lines, line)
	}
	return lines
}

// printUnusual prints the number of flagged answers by model and flag.
func printUnusual(io *console.IO, s generate.Summary) {
	for _, m := range s.Models {
		var words []string
		for _, f := range generate.Flags() {
			if n := m.Flags[f]; n > 0 {
				words = append(words, fmt.Sprintf("%s %d", f.Words(), n))
			}
		}
		if len(words) > 0 {
			fmt.Fprintf(io.Out, "%s: unusual answers, kept as they are: %s.\n", m.Name, strings.Join(words, ", "))
		}
		if m.Flags[generate.PromptCut] > 0 {
			fmt.Fprintf(io.Out, "%s: a prompt is cut where it exceeds the context that the model is loaded with: raise num_ctx in the models file.\n", m.Name)
		}
	}
}

// printAccounts prints what each model's answers took.
func printAccounts(io *console.IO, s generate.Summary) {
	for _, m := range s.Models {
		if m.InputTokens+m.OutputTokens == 0 || m.Guessed && m.Currency == "" {
			continue
		}
		about := ""
		if m.Guessed {
			about = "about "
		}
		line := m.Name + ": " + session.Account{Input: m.InputTokens, Cached: m.Cached, Output: m.OutputTokens, Reasoning: m.Reasoning}.Used(about)
		if m.Currency != "" {
			line += ", " + money(m.Cost, m.Currency)
		}
		if m.PricedAt != "" {
			line += " at the prices of " + m.PricedAt
		}
		fmt.Fprintln(io.Out, line+".")
	}
}

// printGenerated prints the state of a run.
func printGenerated(io *console.IO, s generate.Summary) {
	w := console.NewNumbers(io.Out)
	fmt.Fprintln(w, "model\tanswers\tmissing\ttokens in\ttokens out\tunusual\t")
	guessed := false
	for _, m := range s.Models {
		unusual := 0
		for _, n := range m.Flags {
			unusual += n
		}
		mark := ""
		if m.Guessed {
			mark, guessed = "~", true
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s%d\t%s%d\t%d\t\n", m.Name, m.Stored, m.Cells-m.Stored, mark, m.InputTokens, mark, m.OutputTokens, unusual)
	}
	w.Flush()
	if guessed {
		fmt.Fprintln(io.Out, "~ counted by length, four characters a token, where the server does not count.")
	}
	printUnusual(io, s)
	spent := ""
	if s.Currency != "" {
		spent = ", " + money(s.Spent, s.Currency) + " in all"
	}
	taken := ""
	if s.Taken > 0 {
		taken = fmt.Sprintf(" (%d just taken from other runs)", s.Taken)
	}
	fmt.Fprintf(io.Out, "%d of %d answers, %d of them from before%s, in %.1f s%s.\n", s.Stored, s.Cells, s.Before, taken, s.Seconds, spent)
}
