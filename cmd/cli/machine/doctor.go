package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark/extract"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/inputs"
	"assay/cmd/cli/judges"
	"assay/cmd/cli/measure"
	"assay/cmd/cli/stores"
	"assay/data/program"
	"assay/session/llm"
	"assay/store"
	"assay/tui/frame"
)

// NewDoctor returns `assay doctor`.
func NewDoctor(io *console.IO, g *console.Globals) *cobra.Command {
	var asJSON, languages bool
	var isolation judges.Isolation
	cmd := &cobra.Command{
		Use:     "doctor",
		Example: "  assay doctor\n  assay doctor --languages",
		Short:   "Check what works on this machine, and how to fix the rest",
		Long: `Looks at the program, the terminal, the sandbox and every other way of isolating
code, the programs of each language, the models and the store, and judges a set of
answers whose verdicts are known. Lines with a dash are about what assay works
without. Exit code 1 says that something is wrong. --languages instead judges a right
and a wrong program in every language, and tells how long verdicts take.`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDoctor(cmd.Context(), io, g, &isolation, languages, asJSON)
		},
	}
	isolation.ImageFlag(cmd)
	cmd.Flags().BoolVar(&languages, "languages", false, "judge a right and a wrong program in each language, with the time to the first and to further verdicts")
	console.JSONFlag(cmd.Flags(), &asJSON, "print one JSON array", []measure.Finding{})
	return cmd
}

func runDoctor(ctx context.Context, io *console.IO, g *console.Globals, o *judges.Isolation, languages, asJSON bool) error {
	findings, err := examine(ctx, io, g, o, languages)
	if err != nil {
		return err
	}
	bad := 0
	for _, f := range findings {
		if !f.OK && !f.Optional {
			bad++
		}
	}
	switch {
	case asJSON:
		err = console.WriteJSON(io, findings)
	case languages:
		err = printLanguages(io, findings)
	default:
		printFindings(io, findings)
	}
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d of %d checks found something to fix", bad, len(findings))
	}
	return err
}

func examine(ctx context.Context, io *console.IO, g *console.Globals, o *judges.Isolation, languages bool) ([]measure.Finding, error) {
	if languages {
		return tryLanguages(ctx, io)
	}
	exec, err := judges.NewExecution(judges.Isolation{}, io.Getenv)
	if err != nil {
		return nil, err
	}
	defer exec.Close()
	findings := []measure.Finding{
		{What: "assay", OK: true, Says: fmt.Sprintf("%s, %s, %s/%s", console.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)},
		examineTerminal(io),
	}
	if runtime.GOOS == "linux" {
		findings = append(findings, examinePrograms(ctx)...)
		isolations := examineIsolations(ctx, cmp.Or(o.Image, io.Getenv(judges.ImageVariable)))
		findings = append(findings, examineSandbox(ctx, exec, isolations))
		findings = append(findings, isolations...)
		findings = append(findings, examineLanguages(ctx)...)
		findings = append(findings, measure.ExamineAnalysers(ctx)...)
		findings = append(findings, examineVerdicts(ctx, exec))
	} else {
		text, _ := exec.Describe(ctx)
		findings = append(findings, measure.Finding{What: "sandbox", Optional: true, Says: text})
	}
	return append(findings, examineModels(io, g), examineStore(io, g)), nil
}

func printFindings(io *console.IO, findings []measure.Finding) {
	for _, f := range findings {
		mark := "✓"
		switch {
		case !f.OK && f.Optional:
			mark = "-"
		case !f.OK:
			mark = "✗"
		}
		fmt.Fprintf(io.Out, "%s %-14s %s\n", mark, f.What, f.Says)
		if f.Fix != "" {
			fmt.Fprintf(io.Out, "  %-14s → %s\n", "", f.Fix)
		}
	}
}

func examineTerminal(io *console.IO) measure.Finding {
	if !io.Terminal {
		return measure.Finding{What: "terminal", OK: true, Says: "none here: the screens need one, the other verbs do not"}
	}
	says := "TERM=" + io.Getenv("TERM")
	if io.Getenv("NO_COLOR") != "" {
		says += ", NO_COLOR is set"
	}
	return measure.Finding{What: "terminal", OK: true, Says: says}
}

// examinePrograms looks for the programs that the sandbox and repository tasks need.
func examinePrograms(ctx context.Context) []measure.Finding {
	var list []measure.Finding
	for _, wanted := range []struct{ name, need string }{{"python3", ""}, {"bwrap", ""}, {"git", "; repository tasks need it"}} {
		path, pkg := "/usr/bin/"+wanted.name, wanted.name
		if pkg == "bwrap" {
			pkg = "bubblewrap"
		}
		if _, err := os.Stat(path); err != nil {
			if path, err = program.Find(wanted.name); err != nil {
				list = append(list, measure.Finding{What: wanted.name, OK: false, Says: "not found" + wanted.need, Fix: "sudo apt-get install " + pkg})
				continue
			}
		}
		said, err := program.Ask(ctx, path, "--version")
		if err != nil {
			list = append(list, measure.Finding{What: wanted.name, OK: false, Says: fmt.Sprintf("%s does not start: %v", path, err), Fix: "sudo apt-get install --reinstall " + pkg})
			continue
		}
		list = append(list, measure.Finding{What: wanted.name, OK: true, Says: strings.TrimSpace(string(said.All())) + ", " + path})
	}
	return list
}

// examineSandbox tells how code is run here; where it is not, it offers the first of the isolations that works.
func examineSandbox(ctx context.Context, x *judges.Execution, isolations []measure.Finding) measure.Finding {
	text, isolated := x.Describe(ctx)
	if !isolated {
		fix := fmt.Sprintf("or, at your own risk: --no-sandbox %q", judges.ConsentPhrase)
		if i := slices.IndexFunc(isolations, func(f measure.Finding) bool { return f.OK }); i >= 0 {
			name := strings.TrimSpace(isolations[i].What)
			fix = fmt.Sprintf("--isolation %s works here; %s=%s sets it for every command", name, judges.IsolationVariable, name)
		}
		return measure.Finding{What: "sandbox", OK: false, Says: text, Fix: fix}
	}
	f := measure.Finding{What: "sandbox", OK: true, Says: text + "; " + verdicts.Result{Enforcement: x.Box.Enforcement()}.EnforcementText()}
	if reason := sandbox.MemoryCgroups(); reason != nil {
		f.Fix = "memory is limited by looking at it some fifty times a second, not by the kernel: " + reason.Error()
	}
	return f
}

func examineModels(io *console.IO, g *console.Globals) measure.Finding {
	path := llm.ModelsPath(g.Models, io.Getenv)
	models, err := llm.LoadModels(path)
	if err != nil {
		return measure.Finding{What: "models", OK: false, Says: err.Error()}
	}
	ready := 0
	for _, m := range models.List() {
		if ok, _ := m.Ready(llm.Deps{Getenv: io.Getenv, Recorded: inputs.Rehearsal()}); ok {
			ready++
		}
	}
	return measure.Finding{What: "models", OK: true, Says: fmt.Sprintf("%d of %d ready; %s", ready, len(models.List()), path)}
}

func examineStore(io *console.IO, g *console.Globals) measure.Finding {
	path := stores.Path(io, g)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return measure.Finding{What: "store", OK: true, Says: path + " will be made by the first session"}
	}
	s, err := store.Open(path, store.Options{Version: console.Version()})
	switch {
	case errors.Is(err, store.ErrInUse):
		return measure.Finding{What: "store", OK: true, Says: err.Error()}
	case err != nil:
		return measure.Finding{What: "store", OK: false, Says: err.Error()}
	}
	defer s.Close()
	rows, err := s.Sessions()
	if err != nil {
		return measure.Finding{What: "store", OK: false, Says: err.Error()}
	}
	return measure.Finding{What: "store", OK: true, Says: fmt.Sprintf("%s, %s", frame.Count(len(rows), "session"), path)}
}

// knownVerdicts is the number of recorded answers judged for each verdict.
const knownVerdicts = 3

// examineVerdicts judges recorded answers with known verdicts.
func examineVerdicts(ctx context.Context, x *judges.Execution) measure.Finding {
	judgeOf, err := x.ForEngine(ctx)
	if err != nil {
		return measure.Finding{What: "verdicts", OK: false, Says: "no code is run here, so nothing was judged"}
	}
	benchmarks, err := inputs.Bundled()
	if err != nil {
		return measure.Finding{What: "verdicts", OK: false, Says: err.Error()}
	}
	recordings, err := inputs.RecordedAnswers()
	if err != nil {
		return measure.Finding{What: "verdicts", OK: false, Says: err.Error()}
	}
	start := time.Now()
	seen := map[string]int{}
	right, total := 0, 0
	var wrong []string
	for _, r := range recordings {
		if r.Expect == string(verdicts.TimeLimit) || seen[r.Expect] >= knownVerdicts {
			continue // a time limit takes ten seconds; the others show as much
		}
		task, err := inputs.TaskOf(benchmarks, r.Task)
		if err != nil {
			return measure.Finding{What: "verdicts", OK: false, Says: err.Error()}
		}
		if !task.HasTests() || task.Repository != nil { // the tests of ten repositories take half a minute
			continue
		}
		got, err := judgeOf.Judge(ctx, task, extract.Code(r.Text, task).Code)
		if err != nil {
			return measure.Finding{What: "verdicts", OK: false, Says: err.Error()}
		}
		if got.Verdict == verdicts.NotJudged && task.Language != "python" {
			continue // the language is not installed, which has a line of its own
		}
		seen[r.Expect]++
		total++
		switch {
		case got.Met(r.Expect):
			right++
		default:
			wrong = append(wrong, fmt.Sprintf("%s #%d is %s, not %s", r.Task, r.Attempt, got.Verdict, r.Expect))
		}
	}
	says := fmt.Sprintf("%d of %d known answers judged correctly in %d ms", right, total, time.Since(start).Milliseconds())
	if len(wrong) > 0 {
		return measure.Finding{What: "verdicts", OK: false, Says: says + ": " + strings.Join(wrong, "; "), Fix: "please report this"}
	}
	return measure.Finding{What: "verdicts", OK: true, Says: says}
}
