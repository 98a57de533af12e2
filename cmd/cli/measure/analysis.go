package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/benchmark"
	"assay/benchmark/analyser"
	"assay/benchmark/sandbox"
	"assay/benchmark/verdicts"
	"assay/cmd/cli/console"
	"assay/cmd/cli/judges"
	"assay/data/disk"
	"assay/scoring"
	"assay/scoring/inspect"
	"assay/scoring/quality"
	"assay/scoring/quality/rules"
)

// Finding is one line of the doctor's report.
type Finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
	Fix  string `json:"fix,omitempty"`

	// Optional marks what assay works without: it need not be fixed.
	Optional bool `json:"optional,omitempty"`

	Language *Language `json:"language,omitempty"` // with --languages, of those that are installed
}

// Language is how verdicts in a language came about when it was tried.
type Language struct {
	Right     verdicts.Verdict  `json:"right"`    // of a right whole file
	Wrong     verdicts.Verdict  `json:"wrong"`    // of a wrong whole file
	FirstMS   float64           `json:"first_ms"` // to the first verdict
	NextMS    float64           `json:"next_ms"`  // to later ones, of another program each
	Isolated  []benchmark.Style `json:"isolated"` // styles whose verdicts no program can forge
	InProcess []benchmark.Style `json:"in_process,omitempty"`

	Message string `json:"message,omitempty"` // why a verdict is another one
}

// Values of --analyser that are not programs.
const (
	embeddedAnalyser  = "assay"     // assay's own rules
	installedAnalyser = "installed" // all installed programs, else assay
)

// analysisOptions are the flags for analysers.
type analysisOptions struct {
	analysers    []string
	severities   string
	sarif        string
	semgrepRules string
	isolation    judges.Isolation
}

func (o *analysisOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&o.analysers, "analyser", []string{embeddedAnalyser}, "what finds and rates: `names` of assay (rules of its own, Python only), bandit, pylint, ruff, semgrep, gosec, eslint, lintr, or installed: all that are here, else assay")
	f.StringVar(&o.sarif, "sarif", "", "take findings from this SARIF `file` as well; of a DIR, those whose paths fit")
	f.StringVar(&o.severities, "severities", "", "a `file` that rates findings, instead of the built-in table; see assay measure --table")
	f.StringVar(&o.semgrepRules, "semgrep-rules", "", "a `file` of semgrep's rules: without network it has none of its own")
	o.isolation.Flags(cmd)
}

// analysers are opened analysers.
type analysers struct {
	ctx   context.Context
	o     *analysisOptions
	table *analyser.Severities
	box   sandbox.Box // for programs; nil until needed
	in    inspect.Context
	found map[string][]analyser.Availability
}

func openAnalysers(ctx context.Context, o *analysisOptions, in inspect.Context) (*analysers, error) {
	a := &analysers{ctx: ctx, o: o, in: in, table: analyser.Builtin(), found: map[string][]analyser.Availability{}}
	if o.severities != "" {
		table, err := analyser.LoadSeverities(o.severities)
		if err != nil {
			return nil, err
		}
		a.table = table
	}
	known := append([]string{embeddedAnalyser, installedAnalyser}, analyser.Names()...)
	for _, name := range o.analysers {
		if !slices.Contains(known, name) {
			return nil, console.Usagef("--analyser %q is not known; known are %s", name, strings.Join(known, ", "))
		}
	}
	if o.semgrepRules == "" {
		return a, nil
	}
	if !slices.Contains(o.analysers, "semgrep") && !slices.Contains(o.analysers, installedAnalyser) {
		return nil, console.Usagef("--semgrep-rules is for --analyser semgrep, or installed")
	}
	if _, err := disk.ReadFile(o.semgrepRules, disk.Document); err != nil {
		return nil, console.Usagef("--semgrep-rules: %v", err)
	}
	return a, nil
}

func (a *analysers) close() {
	if a.box != nil {
		a.box.Close()
	}
}

func (a *analysers) available(language string) []analyser.Availability {
	if a.found[language] == nil {
		a.found[language] = analyser.Find(a.ctx, language, analyser.Places{SemgrepRules: a.o.semgrepRules})
	}
	return a.found[language]
}

// embeddedAlone reports whether only assay's own rules are used.
func (a *analysers) embeddedAlone() bool {
	return a.o.sarif == "" && slices.Equal(a.o.analysers, []string{embeddedAnalyser})
}

// analyse replaces the findings of assay's own rules in a report by those of the chosen analysers.
func (a *analysers) analyse(path, language string, source []byte, r *inspect.Report) error {
	if a.embeddedAlone() {
		return nil
	}
	var results []analyser.Result
	for _, name := range a.o.analysers {
		more, err := a.results(name, language, source)
		if err != nil {
			return err
		}
		results = append(results, more...)
	}
	if a.o.sarif != "" {
		from, err := analyser.ReadSARIF(a.o.sarif, path, a.table)
		if err != nil {
			return err
		}
		results = append(results, from)
	}
	all := analyser.Combine(results...)
	r.Analyser, r.Findings = all.Analyser, append([]quality.Finding{}, all.Findings...)
	slices.SortStableFunc(r.Findings, func(a, b quality.Finding) int { return a.Line - b.Line })
	var err error
	if r.Reliability, err = all.Rating(quality.Reliability); err == nil {
		r.Security, err = all.Rating(quality.Security)
	}
	return err
}

func (a *analysers) results(name, language string, source []byte) ([]analyser.Result, error) {
	var results []analyser.Result
	if name != embeddedAnalyser {
		for _, t := range a.available(language) {
			switch {
			case t.Name != name && name != installedAnalyser:
			case t.Analyser == nil && name == t.Name:
				return nil, fmt.Errorf("%s cannot be used: %s; %s", t.Name, t.Why, t.Fix)
			case t.Analyser != nil:
				r, err := a.run(t.Analyser, language, source)
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
	r, err := analyser.Embedded(language, source, a.in)
	return []analyser.Result{r}, err
}

func (a *analysers) run(program *analyser.Analyser, language string, source []byte) (analyser.Result, error) {
	if a.box == nil {
		box, err := judges.OpenBox(a.ctx, a.o.isolation)
		if err != nil {
			return analyser.Result{}, fmt.Errorf("analysers run in the sandbox: %w", err)
		}
		a.box = box
	}
	r, err := program.Analyse(a.ctx, a.box, a.table, language, slices.Concat([]byte(a.in.Before), source))
	r.Findings = ownFindings(r.Findings, strings.Count(a.in.Before, "\n"))
	return r, err
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

// printRules lists assay's own rules.
func printRules(io *console.IO, asJSON bool) error {
	if asJSON {
		return console.WriteJSON(io, rules.All())
	}
	w := console.NewTable(io.Out)
	for _, r := range rules.All() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, r.Dimension, r.Title)
	}
	return w.Flush()
}

// ExamineAnalysers reports which analysers are installed, for the doctor.
func ExamineAnalysers(ctx context.Context) []Finding {
	list := []Finding{{What: "  assay rules", OK: true, Says: fmt.Sprintf("%d rules for Python, built in", len(rules.All())), Optional: true}}
	for _, t := range analyser.Find(ctx, "", analyser.Places{}) {
		f := Finding{What: "  " + t.Name, OK: t.Analyser != nil, Optional: true, Says: t.Why, Fix: t.Fix}
		if f.OK {
			f.Says = t.Version + ", for " + strings.Join(t.Languages, ", ")
		}
		list = append(list, f)
	}
	return list
}

// projectMeasures are a SonarQube server's results for a project.
type projectMeasures struct {
	Project     string            `json:"project"`     // its key
	Analyser    string            `json:"analyser"`    // the server and its version
	Findings    []quality.Finding `json:"findings"`    // open issues
	Reliability scoring.Rating    `json:"reliability"` // A to E; null: not rated
	Security    scoring.Rating    `json:"security"`    // A to E; null: not rated
}

// askSonarQube prints a SonarQube server's results for a project.
func askSonarQube(ctx context.Context, io *console.IO, url, project string, asJSON bool) error {
	if project == "" {
		return console.Usagef("--sonarqube needs the key of a project: give --project KEY")
	}
	m, err := analyser.SonarQube{URL: url, Token: io.Getenv("SONAR_TOKEN")}.Project(ctx, project)
	if err != nil {
		return err
	}
	if asJSON {
		return console.WriteJSON(io, projectMeasures{project, m.Analyser, m.Findings, m.Ratings[quality.Reliability], m.Ratings[quality.Security]})
	}
	fmt.Fprintf(io.Out, "%s  (%s)\n", shortName(project), shortName(m.Analyser))
	for _, f := range m.Findings {
		printFinding(io.Out, f)
	}
	fmt.Fprintf(io.Out, "  reliability %s   security %s\n", console.OrNone(string(m.Ratings[quality.Reliability])), console.OrNone(string(m.Ratings[quality.Security])))
	return nil
}
