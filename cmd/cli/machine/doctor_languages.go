package machine

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"assay/benchmark"
	"assay/benchmark/judge"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/measure"
	"assay/data/language"
)

// repeats is the number of verdicts after the first whose median time is reported.
const repeats = 3

// tryLanguages judges in each language a whole file that is right, and one that is wrong, and measures how long the
// first verdict and later ones take.
func tryLanguages(ctx context.Context, io *console.IO) ([]measure.Finding, error) {
	j, done, err := judges.OpenHere(ctx, io, &judges.Options{}, nil)
	if err != nil {
		return nil, fmt.Errorf("code is not run here, so no language can be tried: %w", err)
	}
	defer done()
	var list []measure.Finding
	for _, l := range judge.Languages(ctx, "") {
		f := measure.Finding{What: strings.ToLower(l.Title), Optional: true}
		switch {
		case errors.Is(l.Err, exec.ErrNotFound):
			f.Says, f.Fix = "not installed", l.Install
		case l.Err != nil:
			f.Says, f.Fix = l.Err.Error(), l.Install
		default:
			f.Language, err = tryLanguage(ctx, j, language.Find(l.Name))
			if err != nil {
				return nil, err
			}
			f.Says, f.Optional = l.Found, false
			if f.OK = f.Language.Right == verdicts.Accepted && f.Language.Wrong == verdicts.WrongAnswer; !f.OK {
				f.Fix = "its verdicts are wrong here: " + f.Language.Message
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// tryLanguage tries one that is installed.
func tryLanguage(ctx context.Context, j *judge.Judge, e *language.Entry) (*measure.Language, error) {
	task := benchmark.Task{ID: "double", Language: e.Name, Tests: benchmark.Tests{Style: benchmark.Stdin,
		Runs: []benchmark.Run{{Input: "21\n", Output: "42\n"}, {Input: "0\n", Output: "0\n"}}}}
	tried := &measure.Language{Isolated: judge.IsolatedStyles(e.Name)}
	if e.End.Proves() {
		tried.InProcess = []benchmark.Style{benchmark.Script}
	}
	var took []float64
	for i := range repeats + 2 {
		program, into := e.Double+strings.Repeat("\n", i), &tried.Right // another text: nothing made before will do
		if i == repeats+1 {
			program, into = strings.NewReplacer("2 *", "3 *", "* 2", "* 3").Replace(program), &tried.Wrong
		}
		begun := time.Now()
		r, err := j.Judge(ctx, verdicts.Submission{Task: &task, Code: program})
		if err != nil {
			return nil, err
		}
		took = append(took, float64(time.Since(begun).Milliseconds()))
		if *into = r.Verdict; r.Verdict != verdicts.Accepted && r.Verdict != verdicts.WrongAnswer {
			tried.Message = string(r.Verdict) + ": " + r.Message
		}
	}
	tried.FirstMS = took[0]
	slices.Sort(took[1 : repeats+1])
	tried.NextMS = took[1+repeats/2]
	return tried, nil
}

// printLanguages prints a table of what was tried, and how to get the rest.
func printLanguages(io *console.IO, findings []measure.Finding) error {
	table := console.NewTable(io.Out, "program", "isolated", "in process")
	fmt.Fprintln(table, "language\tright\twrong\tfirst\tnext\tisolated\tin process\tprogram")
	styles := func(list []benchmark.Style) string {
		var words []string
		for _, s := range list {
			words = append(words, string(s))
		}
		return strings.Join(words, " ")
	}
	for _, f := range findings {
		if t := f.Language; t != nil {
			fmt.Fprintf(table, "%s\t%s\t%s\t%.0f ms\t%.0f ms\t%s\t%s\t%s\n", f.What, t.Right, t.Wrong, t.FirstMS, t.NextMS, styles(t.Isolated), styles(t.InProcess), f.Says)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(io.Out, "\n"+console.Wrapped(io.Out, "first, next: time to the first verdict and to further ones, of another program each. Verdicts of isolated styles cannot be forged; those in process could be, and say so.")+"\n")
	for _, f := range findings {
		switch {
		case f.Language != nil && !f.OK:
			fmt.Fprintf(io.Out, "✗ %s: %s\n", f.What, f.Fix)
		case f.Language == nil:
			fmt.Fprintf(io.Out, "- %s: %s → %s\n", f.What, f.Says, f.Fix)
		}
	}
	return nil
}
