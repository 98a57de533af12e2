package judges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/analyser"
	"assay/benchmark/assemble"
	"assay/benchmark/batch"
	"assay/benchmark/format"
	"assay/benchmark/sandbox"
	"assay/cmd/cli/console"
	"assay/data/disk"
	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
)

// Values of --analyser that are not programs.
const (
	embeddedAnalyser  = "assay"     // assay's own rules
	installedAnalyser = "installed" // all installed programs, else assay
)

// Analysis holds the flags for analysers. The zero value is assay's own rules alone.
type Analysis struct {
	analysers    []string
	severities   string
	sarif        string
	semgrepRules string
	SonarQube    string
	Project      string
}

// Flags adds the flags.
func (o *Analysis) Flags(cmd *cobra.Command) {
	o.ProgramFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.sarif, "sarif", "", "take findings from this SARIF `file` as well, those whose paths fit")
	f.StringVar(&o.SonarQube, "sonarqube", "", "ask the SonarQube server at this `address`")
	f.StringVar(&o.Project, "project", "", "the `key` of the project on the server")
	console.Rare(f, "sarif", "sonarqube", "project")
}

// ProgramFlags adds the flags for analysers that are run. Sessions have these alone: what others found in files cannot
// be there before the answers are.
func (o *Analysis) ProgramFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&o.analysers, "analyser", []string{embeddedAnalyser}, "what finds and rates: `names` of assay (rules of its own, Python only), bandit, pylint, ruff, semgrep, gosec, eslint, lintr, or installed: all that are here, else assay")
	f.StringVar(&o.severities, "severities", "", "a `file` that rates findings, instead of the built-in table; see assay measure --table")
	f.StringVar(&o.semgrepRules, "semgrep-rules", "", "a `file` of semgrep's rules: without network it has none of its own")
	console.Rare(f, "severities", "semgrep-rules")
}

// Plain reports whether only assay's own rules are used.
func (o *Analysis) Plain() bool {
	return o.sarif == "" && o.SonarQube == "" && (len(o.analysers) == 0 || slices.Equal(o.analysers, []string{embeddedAnalyser}))
}

// Analysers are opened analysers, for any number of goroutines.
type Analysers struct {
	o         *Analysis
	isolation Isolation
	table     *analyser.Severities
	recorded  map[string]*analyser.Recorded // by the flag and its value
	asked     string                        // what decides about the ratings

	mu    sync.Mutex
	box   sandbox.Box // for programs; nil until needed
	found map[string][]analyser.Availability
}

// Open opens the analysers, and reads the findings that were made elsewhere.
func (o *Analysis) Open(ctx context.Context, isolation Isolation, getenv func(string) string) (*Analysers, error) {
	a := &Analysers{o: o, isolation: isolation, table: analyser.Builtin(), recorded: map[string]*analyser.Recorded{}, found: map[string][]analyser.Availability{}}
	var err error
	if o.severities != "" {
		if a.table, err = analyser.LoadSeverities(o.severities); err != nil {
			return nil, err
		}
	}
	known := append([]string{embeddedAnalyser, installedAnalyser}, analyser.Names()...)
	for _, name := range o.analysers {
		if !slices.Contains(known, name) {
			return nil, console.Usagef("--analyser %q is not known; known are %s", name, strings.Join(known, ", "))
		}
	}
	switch {
	case o.semgrepRules == "":
	case !slices.Contains(o.analysers, "semgrep") && !slices.Contains(o.analysers, installedAnalyser):
		return nil, console.Usagef("--semgrep-rules is for --analyser semgrep, or installed")
	default:
		if _, err := disk.ReadFile(o.semgrepRules, disk.Document); err != nil {
			return nil, console.Usagef("--semgrep-rules: %v", err)
		}
	}
	if (o.SonarQube == "") != (o.Project == "") {
		return nil, console.Usagef("--sonarqube needs the key of a project, and --project an address: give both")
	}
	if o.sarif != "" {
		if a.recorded["--sarif "+o.sarif], err = analyser.ReadSARIF(o.sarif, a.table); err != nil {
			return nil, err
		}
	}
	if o.SonarQube != "" {
		m, err := analyser.SonarQube{URL: o.SonarQube, Token: getenv("SONAR_TOKEN")}.Project(ctx, o.Project)
		if err != nil {
			return nil, err
		}
		a.recorded["--sonarqube "+o.SonarQube] = m.Recorded
	}
	return a, a.identify()
}

// identify notes which analysers are named, and what the files are that decide about their ratings.
func (a *Analysers) identify() error {
	a.asked = strings.Join(a.o.analysers, ",")
	for _, path := range []string{a.o.sarif, a.o.severities, a.o.semgrepRules} {
		if path == "" {
			continue
		}
		hash, err := format.MD5(path)
		if err != nil {
			return err
		}
		a.asked += " " + hash
	}
	if a.o.SonarQube != "" { // the server may have analysed it again
		a.asked += " " + time.Now().UTC().Format(time.RFC3339Nano)
	}
	return nil
}

// Close closes the box, and says where findings were of no file that was analysed.
func (a *Analysers) Close(out io.Writer) {
	for _, name := range slices.Sorted(maps.Keys(a.recorded)) {
		if a.recorded[name].Unused() {
			fmt.Fprintf(out, "warning: no finding of %s is of a file that was analysed: its paths end otherwise, or nothing was found in these files\n", name)
		}
	}
	if a.box != nil {
		a.box.Close()
	}
}

func (a *Analysers) available(ctx context.Context, language string) []analyser.Availability {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found[language] == nil {
		a.found[language] = analyser.Find(ctx, language, analyser.Places{SemgrepRules: a.o.semgrepRules})
	}
	return a.found[language]
}

// Check returns why an analyser that is named cannot rate the code of some task.
func (a *Analysers) Check(ctx context.Context, tasks []*benchmark.Task) error {
	if a == nil || a.o.Plain() {
		return nil
	}
	known := map[string]bool{}
	for _, t := range tasks {
		if known[t.Language] || t.Repository != nil || !t.Program() {
			continue
		}
		known[t.Language] = true
		for _, program := range a.available(ctx, t.Language) {
			if program.Analyser == nil && slices.Contains(a.o.analysers, program.Name) {
				return unusable(program)
			}
		}
	}
	return nil
}

// unusable returns why a program cannot be used.
func unusable(t analyser.Availability) error {
	return fmt.Errorf("%s cannot be used: %s; %s", t.Name, t.Why, t.Fix)
}

// Results returns what each analyser finds in a file, by its path where findings were made elsewhere.
func (a *Analysers) Results(ctx context.Context, path, language string, source []byte, in inspect.Context) ([]analyser.Result, error) {
	var results []analyser.Result
	for _, name := range a.o.analysers {
		more, err := a.of(ctx, name, language, source, in)
		if err != nil {
			return nil, err
		}
		results = append(results, more...)
	}
	for _, name := range slices.Sorted(maps.Keys(a.recorded)) {
		results = append(results, a.recorded[name].Of(path)...)
	}
	return results, nil
}

func (a *Analysers) of(ctx context.Context, name, language string, source []byte, in inspect.Context) ([]analyser.Result, error) {
	var results []analyser.Result
	if name != embeddedAnalyser {
		for _, t := range a.available(ctx, language) {
			switch {
			case t.Name != name && name != installedAnalyser:
			case t.Analyser == nil && name == t.Name:
				return nil, unusable(t)
			case t.Analyser != nil:
				r, err := a.run(ctx, t.Analyser, language, source, in)
				if err != nil {
					return nil, err
				}
				results = append(results, r)
			}
		}
		if name != installedAnalyser || len(results) > 0 {
			return results, nil // results for other languages do not apply
		}
	}
	r, err := analyser.Embedded(language, source, in)
	return []analyser.Result{r}, err
}

func (a *Analysers) run(ctx context.Context, program *analyser.Analyser, language string, source []byte, in inspect.Context) (analyser.Result, error) {
	box, err := a.open(ctx)
	if err != nil {
		return analyser.Result{}, fmt.Errorf("analysers run in the sandbox: %w", err)
	}
	r, err := program.Analyse(ctx, box, a.table, language, slices.Concat([]byte(in.Before), source))
	r.Findings = ownFindings(r.Findings, strings.Count(in.Before, "\n"))
	return r, err
}

func (a *Analysers) open(ctx context.Context) (sandbox.Box, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var err error
	if a.box == nil {
		a.box, err = OpenBox(ctx, a.isolation)
	}
	return a.box, err
}

// ownFindings drops findings in the lines of a prelude, and counts the other lines from its end.
func ownFindings(found []quality.Finding, prelude int) []quality.Finding {
	var own []quality.Finding
	for _, f := range found {
		if f.Line > prelude {
			f.Line -= prelude
			own = append(own, f)
		} else if f.Line == 0 {
			own = append(own, f)
		}
	}
	return own
}

// Samples returns what rates the samples of an evaluation by each analyser; nil if only assay's own rules are used.
// A sample's file is TASK/NUMBER with the language's extension, as 'assay eval export --to evalplus-folder' writes it.
func (a *Analysers) Samples() *batch.Analysis {
	if a == nil || a.o.Plain() {
		return nil
	}
	return &batch.Analysis{Asked: a.asked, Rate: func(ctx context.Context, task *benchmark.Task, number int, code string, as assemble.Assembly) (batch.Analysed, error) {
		results, err := a.Results(ctx, format.SampleFile(task, number), task.Language, []byte(code), batch.Around(task, code, as))
		if err != nil {
			return batch.Analysed{}, fmt.Errorf("analysing sample %d of %s: %w", number, task.ID, err)
		}
		return analysed(results)
	}}
}

// analysed returns the ratings and findings of a sample's results.
func analysed(results []analyser.Result) (all batch.Analysed, err error) {
	for _, r := range results {
		reliability, err := r.Rating(quality.Reliability)
		security, other := r.Rating(quality.Security)
		if err := errors.Join(err, other); err != nil {
			return batch.Analysed{}, err
		}
		all.By = append(all.By, scoring.Rated{Analyser: cmp.Or(r.Analyser, "unnamed"), Findings: len(r.Findings), Reliability: reliability, Security: security})
		all.Findings = append(all.Findings, r.Findings...)
	}
	slices.SortStableFunc(all.Findings, func(a, b quality.Finding) int { return a.Line - b.Line })
	return all, nil
}
