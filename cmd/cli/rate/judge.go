package rate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/prompts"
	"assay/session/generate"
	"assay/session/llm"
	"assay/session/overlap"
	"assay/session/overlap/modeljudge"
	"assay/tui/frame"
)

// judgeOptions are the flags of `assay rate judge`.
type judgeOptions struct {
	models            []string
	repeats, parallel int
	budget            float64
	templates         string
	dry               bool
}

func newJudge(io *console.IO, g *console.Globals) *cobra.Command {
	o := &judgeOptions{}
	cmd := &cobra.Command{
		Use:   "judge FILE --model NAME",
		Short: "Have models rate the same answers or pairs, in the raters' words",
		Long: `Have the models NAME rate every answer of FILE, also those that no person rates ('assay rate plan
--people'), on the raters' attributes and in their words; of a pair each says which answer is
better, in both orders. They see what raters see, and the task. Each answers in JSON with a
reason; refusals, answers in another form and requests that are too long for a model are counted
and not asked again. Several models are a panel, of which the mean is reported too.

Every answer is in FILE at once, with the model, a hash of its settings and of the template; the
same command continues. Judges are no raters: nothing of theirs is in a number of people, and
raters do not see it. Another process must not have FILE open. 'assay prompts templates' writes
the templates, judge-answer.tmpl and judge-pair.tmpl, to be edited and used with --templates.

Exit code 3: requests failed, or the budget is used up; calling again continues.`,
		Example: "  assay rate judge ratings.jsonl --model hosted --budget 5\n  assay rate judge pairs.jsonl --model hosted,local --repeats 2",
		Args:    oneRatings,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), io, g, args[0])
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.models, "model", nil, "the `names` of the judges in the models file, with commas")
	f.IntVar(&o.repeats, "repeats", 1, "how `often` each question is asked")
	console.Bounds(f, "repeats", 1, 1000)
	f.Float64Var(&o.budget, "budget", 0, "stop before more than this `amount` is spent on judgements in FILE, in the currency of the models' prices")
	console.Bounds(f, "budget", 0, 1e12)
	f.StringVar(&o.templates, "templates", "", "the `folder` of templates to ask with (default: assay's own)")
	f.IntVar(&o.parallel, "parallel", 4, "`number` of requests at a time")
	console.Bounds(f, "parallel", 1, 1000)
	f.BoolVar(&o.dry, "dry-run", false, "send nothing: print the number of requests, what they cost at most, and the first one")
	return cmd
}

func (o *judgeOptions) run(ctx context.Context, io *console.IO, g *console.Globals, path string) (err error) {
	if len(o.models) == 0 {
		return console.Usagef("who judges? give --model NAME; 'assay models list' has the names")
	}
	set, err := overlap.Open(path)
	if err != nil {
		return err
	}
	if set.Header.Rater != "" {
		return console.Usagef("%s is the file of the rater %s: judges rate in the file of all raters", path, set.Header.Rater)
	}
	abandon, ended := console.SecondInterrupt(func(said string) { fmt.Fprintln(io.Err, said) })
	defer ended()
	run := modeljudge.Options{Repeats: o.repeats, Parallel: o.parallel, Now: time.Now, Say: func(text string) { fmt.Fprintln(io.Err, verdicts.StripEscapes(text)) }}
	if err := o.ask(io, g, &run, abandon); err != nil {
		return err
	}
	if run.File, err = overlap.Change(path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.File.Close()) }()
	if o.dry {
		return dryRun(io, &run)
	}
	failed, err := modeljudge.Run(ctx, run)
	run.File.Look(func(s *overlap.Set) { err = errors.Join(err, printJudges(io, s.JudgeProgress())) })
	return prompts.Outcome(ctx, failed, err)
}

// ask opens the models, the templates and the account.
func (o *judgeOptions) ask(io *console.IO, g *console.Globals, run *modeljudge.Options, abandon <-chan struct{}) error {
	var used []llm.Model
	for i, name := range o.models {
		if slices.Contains(o.models[:i], name) {
			return console.Usagef("--model names %q twice", name)
		}
		client, model, err := prompts.Client(io, g, name, func(c llm.Client) llm.Client { return llm.Graceful(c, prompts.Grace, abandon) })
		if err == nil && !o.dry {
			err = prompts.Ready(io, model)
		}
		if err != nil {
			return err
		}
		used = append(used, model)
		run.Judges = append(run.Judges, &generate.Asked{Model: model, Client: client})
	}
	var err error
	if run.Account, err = generate.NewAccount(o.budget, used); err != nil {
		return console.Usagef("%v", err)
	}
	run.Templates, err = prompts.Templates(o.templates, modeljudge.TemplateNames())
	return err
}

// dryRun prints what would be asked.
func dryRun(io *console.IO, run *modeljudge.Options) error {
	var header overlap.Header
	run.File.Look(func(s *overlap.Set) { header = s.Header })
	for i, who := range run.Judges {
		j, err := run.JudgeOf(&header, who.Model)
		if err != nil {
			return err
		}
		most, missing := 0.0, run.Missing(j.ID)
		for _, q := range missing {
			text, err := modeljudge.Request(run.Templates, &header, q)
			if err != nil {
				return err
			}
			most += generate.MostCost(who.Model, text)
		}
		cost := "its price is not known"
		if _, currency, known := who.Model.Cost(0, 0, 0); known {
			cost = fmt.Sprintf("at most %.2f %s", most, currency)
		}
		fmt.Fprintf(io.Err, "%s: %s, %s\n", frame.OneLine(who.Model.Name), frame.Count(len(missing), "request"), cost)
		if i == 0 {
			fmt.Fprint(io.Out, verdicts.StripEscapes(j.Text))
		}
	}
	return nil
}

// printJudges prints how far judges are.
func printJudges(io *console.IO, list []overlap.JudgeProgress) error {
	if len(list) == 0 {
		return nil
	}
	w := console.NewTable(io.Out)
	fmt.Fprintln(w, "judge\tjudgements\tmissing\trefused\tnonsense\ttoo long\tcost")
	for _, p := range list {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.2f\n", frame.OneLine(p.Model), p.Judged, p.Missing, p.Refused, p.Nonsense, p.TooLong, p.Cost)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, p := range list {
		if p.Warning != "" {
			fmt.Fprintf(io.Out, "warning: %s: %s\n", frame.OneLine(p.Model), p.Warning)
		}
		if p.Judged == 0 && p.Refused+p.Nonsense+p.TooLong > 0 {
			fmt.Fprintf(io.Out, "warning: %s: no answer says anything; 'why' in the file has the reasons\n", frame.OneLine(p.Model))
		}
	}
	return nil
}
